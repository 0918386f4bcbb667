"""A finding that a tournament detail settles names it and, where one fits, its value (R26, R27; decision 0089)."""

import pytest

from reporting.formats.detect import read_report
from reporting.formats.tournament_details.reader import details_from_values
from reporting.formats.tournament_details.sidecar import read_sidecar
from reporting.rules.findings.finding_list import Finding, Severity
from tests.formats.report_files import FILES, FMJD_FILE, TODAY, edited, read_submission

GOOD = (FILES / "dyke-town-open-2026.trf").read_bytes()
"""Eight players, seven rounds from 1 to 7 Nov 2026, 1-½-0."""
DETAILS = 'discipline = "100"\nannounced = 2026-10-01\nreferee_level = "national"\n'


def found(code, content=GOOD, details="", day=TODAY):
    """The findings of this code about a file and its details."""
    submission = read_submission(content=content, sidecar=(DETAILS + details).encode(), today=day)
    return [finding for finding in submission.findings if finding.code == code]


def test_a_report_without_a_fault_has_no_finding_but_the_scale():
    submission = read_submission(
        content=GOOD, sidecar=(DETAILS + 'time_control = "80+30"\n').encode(), today=TODAY
    )
    assert [finding.code for finding in submission.findings] == ["points-scale-taken"]


# R27


@pytest.mark.parametrize("server", ["Damserver", "lidraughts.org", "https://lichess.org/swiss/x1"])
def test_a_server_in_line_032_is_a_warning_where_the_details_give_the_country(server):
    content = GOOD.replace(b"032 NED", f"032 {server}".encode())
    (finding,) = found("country-unknown", content)
    assert (finding.severity, finding.asked_detail) == (Severity.ERROR, "country")
    assert (finding.line, finding.column) == (3, 5)
    (finding,) = found("country-unknown", content, 'country = "NED"\n')
    assert (finding.severity, finding.asked_detail) == (Severity.WARNING, "")
    # A country that cannot be read either settles nothing.
    (finding,) = found("country-unknown", content, 'country = "Damserver"\n')
    assert finding.severity is Severity.ERROR


def test_a_date_of_the_file_that_does_not_exist_is_a_warning_where_the_details_give_it():
    content = GOOD.replace(b"052 2026/11/07", b"052 2026/11/31")
    (finding,) = found("date-unknown", content)
    assert (finding.severity, finding.asked_detail) == (Severity.ERROR, "played_to")
    (finding,) = found("date-unknown", content, "played_to = 2026-11-07\n")
    assert finding.severity is Severity.WARNING
    # In the format of art. 11 too.
    content = edited(FMJD_FILE, "played to = 12/11/2026", "played to = 31/11/2026")
    for details, severity in (("", Severity.ERROR), ("played_to = 2026-11-12\n", Severity.WARNING)):
        (finding,) = found("date-unknown", content, details)
        assert finding.severity is severity


def test_a_value_of_a_player_is_no_value_of_the_tournament():
    content = GOOD.replace(b"DEN             1988", b"CFR             1988")
    (finding,) = found("country-unknown", content, 'country = "NED"\n')
    assert (finding.line, finding.severity, finding.asked_detail) == (9 + 1, Severity.ERROR, "")


# R26


@pytest.mark.parametrize(
    ("details", "days", "reading"),
    [
        # 900 min + 10 s: more than 300 minutes; 900 s are 15 min.
        ('time_control = "900+10"', 1, "15+10"),
        ('time_control = "600"', 7, "10"),
        # 301 min, and 301 s are no half minutes.
        ('time_control = "301"', 7, ""),
        ("minutes_for_60_moves = 900", 1, "15"),
        # 180 + 2 min each, 7 rounds: 2 x 182 min x 7 = 42 h 28 min.
        ('time_control = "180+2"', 1, "3+2"),
        # 2400 min for 40 moves and 1200 for the rest.
        ('time_control = "2400/40+1200"', 7, "40/40+20"),
        ('session = ["80+30", "900+10"]', 7, "80+30, 15+10"),
    ],
)
def test_a_time_control_in_seconds_is_a_warning_with_its_reading(details, days, reading):
    content = GOOD.replace(b"052 2026/11/07", f"052 2026/11/0{days}".encode())
    (finding,) = found("time-control-long", content, details + "\n")
    assert (finding.severity, finding.line) == (Severity.WARNING, None)
    assert finding.asked_detail == finding.field == details.partition(" =")[0]
    assert finding.proposed_value == reading


@pytest.mark.parametrize(
    ("details", "days"),
    [
        ('time_control = "80+30"', 7),
        ('time_control = "300"', 7),  # not more than 300 minutes
        ('time_control = "15+10"', 1),
        # 2 x 100 min x 7 = 23 h 20 min fit into a day.
        ('time_control = "100"', 1),
        ("minutes_for_60_moves = 300", 7),
    ],
)
def test_a_time_control_that_can_be_minutes_is_no_finding(details, days):
    content = GOOD.replace(b"052 2026/11/07", f"052 2026/11/0{days}".encode())
    assert found("time-control-long", content, details + "\n") == []


def test_rounds_of_one_day_are_held_against_that_day():
    """Six of seven rounds on the first day: 2 x 150 min x 6 = 30 h."""
    day = "rounds = [" + "2026-11-01, " * 6 + "2026-11-07]\n"
    (finding,) = found("time-control-long", details=f'time_control = "150"\n{day}')
    assert finding.message == (
        "With 150 min for 60 moves the rounds do not fit into 1 day. In seconds: 2.5 min?"
    )
    (finding,) = found("time-control-long", details='time_control = "900+10"\n')
    assert finding.message == "910 min for 60 moves is more than 300 minutes. In seconds: 15 min + 10 s?"


def test_the_accepted_reading_is_rated_as_rapid():
    details, findings = details_from_values({"discipline": "100", "time_control": "15+10"})
    assert (findings, details.seconds_for_60_moves) == ((), 1500)


# What is asked


def test_a_missing_or_wrong_detail_asks_for_itself():
    submission = read_submission(content=GOOD, sidecar=b'youth = "old"\n', today=TODAY)
    asked = {(finding.code, finding.asked_detail) for finding in submission.findings}
    assert asked >= {
        ("detail-missing", "discipline"), ("detail-missing", "time_control"), ("detail-unreadable", "youth"),
    }  # fmt: skip


def test_a_finding_about_people_asks_for_no_detail():
    submission = read_submission(content=GOOD, sidecar=b"[newcomers.1]\nsex = 'x'\n", today=TODAY)
    (finding,) = [one for one in submission.findings if one.field == "newcomers"]
    assert (finding.step, finding.asked_detail) == ("people", "")


def test_a_file_in_another_encoding_asks_for_it():
    content = GOOD.decode().replace("Castelluna, Ugo ", "Castellûna, Ugo ").encode("cp1252")
    (finding,) = read_report(content).findings
    assert (finding.code, finding.asked_detail) == ("encoding-unreadable", "encoding")


def test_tied_places_ask_for_the_shared_places():
    """Places 1, 1, 3 … as TRF26 admits them; the details then say that they are shared (R52)."""
    content = GOOD.replace(b"4.5    2     1 b", b"4.5    1     1 b")
    (finding,) = found("place-repeated", content)
    assert (finding.asked_detail, finding.proposed_value) == ("shared_places", "1-2")
    assert found("place-repeated", content, 'time_control = "80+30"\nshared_places = ["1-2"]\n') == []


def test_what_is_asked_and_proposed_is_stored_and_answered():
    content = GOOD.replace(b"2.5    8     8 w", b"2.0    8     8 w")
    (finding,) = found("points-scale-differs", content)
    assert Finding.from_json(finding.to_stored()) == finding
    assert finding.to_json()["asked_detail"] == "points"
    assert finding.to_json()["proposed_value"] == "1-0.5-0"
    # A finding stored before there were such values.
    stored = finding.to_stored()
    del stored["asked_detail"], stored["proposed_value"]
    assert Finding.from_json(stored).asked_detail == ""
    assert read_sidecar(b'points = "1-0.5-0"').points == finding.proposed_value
