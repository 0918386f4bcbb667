"""The grid: what is typed becomes a file of Annex 9 art. 11, is checked as one, and is never lost."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from reporting.federations import registry
from reporting.federations.facet import ApprovedEvent
from reporting.formats.tournament_details.sidecar import read_sidecar
from reporting.log.audit import Actor
from reporting.models import Report, Tournament, User
from reporting.register.services.federations import ensure_federations
from reporting.reports.services.upload import upload_report
from reporting.reports.views.check_file import example_file
from tests.pages.inbox.office_reports import content_of, newest
from tests.people import create_player

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

LAST = timezone.localdate() - timedelta(days=1)
INFO = {
    "name": "Harbour Club", "place": "Ghent", "country": "BEL", "played_from": LAST.isoformat(),
    "played_to": LAST.isoformat(), "system": "round-robin", "discipline": "100", "time_control": "80+30",
    "national_championship": "no", "women_only": "false", "referee": "Pieter Ostrava",
}  # fmt: skip
# None of them is in the register.
NEW = (
    ("", "Joost", "Veldhoek", "NED", "1988-03-14", "M", ""),
    ("", "Mirel", "Castagna", "ITA", "1994-11-02", "W", ""),
    ("", "Oumar", "Tessengue", "SEN", "1979-06-27", "M", ""),
)
CELLS = ("fmjd_id", "first_name", "last_name", "country", "born", "sex", "place")


def players(*rows: tuple[str, ...], **others: str) -> dict[str, str]:
    typed = {}
    for index, row in enumerate(rows, 1):
        typed[f"number-{index}"] = str(index)
        typed |= {f"{name}-{index}": value for name, value in zip(CELLS, row, strict=True)}
    return typed | others


def games(*rows: str, **others: str) -> dict[str, str]:
    """`white black result`, a dash for nothing."""
    typed = {}
    for index, row in enumerate(rows, 1):
        cells = ("" if cell == "-" else cell for cell in row.split())
        typed |= {
            f"{name}-{index}": cell for name, cell in zip(("white", "black", "result"), cells, strict=True)
        }
    return typed | others


@pytest.fixture
def report(client: Client, referee: User) -> Report:
    """Three newcomers, saved, without a game."""
    client.post("/reports/new/results/", INFO | players(*NEW, action="save"))
    return Report.objects.get()


def test_entered_results_become_a_file_of_article_11(client: Client, referee: User) -> None:
    page = client.post("/reports/new/results/", INFO | players(*NEW, ("",) * 7, action="save"))
    report = Report.objects.get()
    # A round robin is entered in a crosstable, other tournaments by rounds.
    assert (page.status_code, page["Location"]) == (302, f"/reports/{report.pk}/results/crosstable/")
    for turn, rows in enumerate(
        (("1 2 2-0", "3 - pause"), ("2 3 1-1", "- 1 pause"), ("3 1 0x2", "2 - pause")), 1
    ):
        sent = games(*rows, based_on=str(turn), places="1")
        action = "check" if turn == 3 else "next"
        page = client.post(f"/reports/{report.pk}/results/{turn}/", sent | {"action": action})
        assert page.status_code == 302
    assert page["Location"] == f"/reports/{report.pk}/file/"
    # Points by hand: 1 wins (2), has a pause (2), wins by decision (2): 6. 2: 0 + 1 + 2 = 3. 3: 2 + 1 + 0 = 3.
    # The first place is decided by the points, the second and third are not.
    day = f"{LAST:%d/%m/%Y}"
    assert content_of(report) == (
        "<section Info>\nname = Harbour Club\n"
        f"played from = {day}\nplayed to = {day}\ntype = ROUND\n"
        "national championship = N\nwomen championship = N\nname of referee = Pieter Ostrava\n"
        "place = Ghent\ncountry = BEL\nremarks = <remark></end remark>\nwinner = Joost Veldhoek\n</end info>\n"
        "<section players>\n"
        "0,1,,1,6,Joost,Veldhoek,NED,14/03/1988,M\n"
        "0,2,,0,3,Mirel,Castagna,ITA,02/11/1994,W\n"
        "0,3,,0,3,Oumar,Tessengue,SEN,27/06/1979,M\n"
        "</end players>\n<section results>\n"
        "1,1,2,2-0\n1,3,0,2-0\n2,2,3,1-1\n2,0,1,0-2\n3,3,1,0x2\n3,2,0,2-0\n</end results>\n"
    )
    assert (newest(report).format, newest(report).errors) == ("fmjd", 0)
    details = bytes(newest(report).sidecar).decode()
    assert 'discipline = "100"' in details
    assert 'time_control = "80+30"' in details


def test_a_game_of_no_player_is_saved_and_leaves_the_places(client: Client, report: Report) -> None:
    """Once a 500, and all that was typed was lost."""
    sent = games("1 2 2-0", "3 - pause", based_on="1", places="1", action="next")
    assert client.post(f"/reports/{report.pk}/results/1/", sent).status_code == 302
    before = [line for line in content_of(report).splitlines() if line.startswith("0,")]
    sent = games("99 2 2-0", "3 - pause", based_on="2", places="1", action="check")
    assert client.post(f"/reports/{report.pk}/results/1/", sent).status_code == 302
    assert "1,99,2,2-0" in content_of(report)
    after = [line for line in content_of(report).splitlines() if line.startswith("0,")]
    assert [line.split(",")[3] for line in after] == [line.split(",")[3] for line in before]  # the places
    assert newest(report).errors


def test_going_back_shows_what_the_newest_version_says(client: Client, report: Report) -> None:
    sent = games("1 2 2x0", "3 0 pause", based_on="1", action="next")
    client.post(f"/reports/{report.pk}/results/1/", sent)
    rows = client.get(f"/reports/{report.pk}/results/1/").context["rows"]
    assert [tuple(row.entered.values()) for row in rows] == [("1", "2", "2x0"), ("3", "", "pause")]
    rows = client.get(f"/reports/{report.pk}/results/").context["rows"]
    assert [tuple(row.entered.values()) for row in rows] == list(NEW)
    # Typed on: a second place, one name edited; the games and the number of the others stay.
    edited = [("", "Joost", "Veldhoeck", *NEW[0][3:6], "1"), *NEW[1:]]
    client.post(f"/reports/{report.pk}/results/", INFO | players(*edited, based_on="2", action="save"))
    assert "0,1,,1,2,Joost,Veldhoeck,NED,14/03/1988,M" in content_of(report)
    assert "1,1,2,2x0\n1,3,0,2-0\n" in content_of(report)
    # A round typed again takes the place of the old one alone.
    client.post(f"/reports/{report.pk}/results/2/", games("2 3 1-1", based_on="3", action="next"))
    client.post(f"/reports/{report.pk}/results/1/", games("2 1 0-2", based_on="4", action="next"))
    assert content_of(report).endswith("<section results>\n1,2,1,0-2\n2,2,3,1-1\n</end results>\n")


@pytest.mark.parametrize("name", ["first_name", "last_name", "country"])
@pytest.mark.parametrize("bad", ["Van, der", "Van,\tder"])
def test_a_comma_is_refused_next_to_its_field(client: Client, referee: User, name: str, bad: str) -> None:
    typed = INFO | players(*NEW, action="save") | {f"{name}-2": bad}
    page = client.post("/reports/new/results/", typed)
    assert page.status_code == 400
    assert not Report.objects.exists()
    row = page.context["rows"][1]
    assert list(row.messages) == [name]
    assert row.messages[name] == "Remove the commas."
    assert page.context["rows"][0].entered == dict(zip(CELLS, NEW[0], strict=True))
    assert row.entered[name] == bad
    assert 'value="Harbour Club"' in page.text


@pytest.mark.parametrize(("name", "bad"), [
    ("fmjd_id", "12a"), ("fmjd_id", "١٢"), ("born", "14 Mars 1988"), ("born", "1588-03-14"), ("sex", "X"),
    ("place", "-1"),
])  # fmt: skip
def test_a_value_that_cannot_be_written_gets_a_message_at_its_field(
    client: Client, referee: User, name: str, bad: str
) -> None:
    page = client.post("/reports/new/results/", INFO | players(*NEW, action="save") | {f"{name}-3": bad})
    assert (page.status_code, list(page.context["rows"][2].messages)) == (400, [name])
    assert page.context["rows"][2].entered[name] == bad
    assert not Report.objects.exists()


def test_days_and_hidden_characters_of_the_tournament_get_messages_too(client: Client, referee: User) -> None:
    typed = INFO | {"played_from": "31/02/2026", "name": "A\u202eB", "women_only": "perhaps"}
    page = client.post("/reports/new/results/", typed | players(*NEW, action="save"))
    problems = {field.name: words for _, fields in page.context["groups"] for field, words in fields if words}
    assert set(problems) == {"played_from", "name", "women_only"}
    assert 'value="31/02/2026"' in page.text
    assert not Report.objects.exists()


def test_results_entry_accepts_errors_that_the_check_reports(client: Client, referee: User) -> None:
    """An initial, an unknown country, no birth: written as typed, found by the check next to their lines (R20)."""
    typed = players(("", "J.", "Veldhoek", "XQX", "", "", ""), action="save")
    page = client.post("/reports/new/results/", INFO | typed)
    assert page.status_code == 302
    found = {report["code"] for report in newest(Report.objects.get()).findings}
    assert {"name-shortened", "country-unknown", "born-missing", "sex-missing"} <= found


def test_a_number_is_filled_in_from_the_register(client: Client, referee: User) -> None:
    ensure_federations(["NED"])
    create_player(
        number=11285, last_name="Zonnebeek", first_name="Willem", sort_name="zonnebeek, willem",
        federation_id="NED",
    )  # fmt: skip
    empty = ("",) * 6
    typed = players(("11285", *empty), ("11286", *empty), action="look")
    page = client.post("/reports/new/results/", INFO | typed)
    assert page.status_code == 200
    assert not Report.objects.exists()
    first, second = page.context["rows"]
    assert list(first.entered.values())[:4] == ["11285", "Willem", "Zonnebeek", "NED"]
    assert second.messages == {"fmjd_id": "No player has this FMJD-ID."}
    # A name that was typed is the referee's: it stays, and the check says that the register has another.
    typed = players(("11285", "Wim", "Zonnebeek", "", "", "", ""), action="look")
    page = client.post("/reports/new/results/", INFO | typed)
    assert list(page.context["rows"][0].entered.values())[:4] == ["11285", "Wim", "Zonnebeek", ""]
    # A name in place of the number goes to its fields; one without a comma is asked for again.
    typed = players(("Bosch, Lotte", "", "", "NED", "", "", ""), ("Lotte Bosch", *empty), action="save")
    page = client.post("/reports/new/results/", INFO | typed)
    first, second = page.context["rows"]
    assert list(first.entered.values())[:4] == ["", "Lotte", "Bosch", "NED"]
    assert second.messages["fmjd_id"] == "Enter a number, or a name with a comma: Bosch, Lotte."
    # Saving fills in as well.
    client.post("/reports/new/results/", INFO | players(("11285", *empty), action="save"))
    assert "11285,1,,0,0,Willem,Zonnebeek,NED,," in content_of(Report.objects.get())


def test_a_row_without_a_name_gets_that_of_the_player_who_is_identified(
    client: Client, referee: User
) -> None:
    ensure_federations(["NED"])
    create_player(
        number=15872,
        last_name="Bolwerk",
        first_name="Jelmer",
        sort_name="bolwerk, jelmer",
        federation_id="NED",
    )
    client.post("/reports/new/results/", INFO | players(("99999", *("",) * 6), *NEW[:2], action="save"))
    report = Report.objects.get()
    assert "99999,1,,0,0,,,,," in content_of(report)
    client.post(f"/reports/{report.pk}/people/", {"based_on": "1", "fmjd_id-1": "15872"})
    assert "15872,1,,0,0,Jelmer,Bolwerk,NED,," in content_of(report)
    assert [found["code"] for found in newest(report).findings if found["severity"] == "error"] == [
        "no-games"
    ]
    assert "Bolwerk" in client.get(f"/reports/{report.pk}/preview/").text


def test_a_complete_round_robin_has_no_next_round(client: Client, report: Report) -> None:
    """Three players meet each other once in three rounds; the table of a double round robin has six."""
    for turn, rows in enumerate((("1 2 2-0",), ("2 3 1-1",), ("3 1 0-2",)), 1):
        sent = games(*rows, based_on=str(turn), action="next")
        page = client.post(f"/reports/{report.pk}/results/{turn}/", sent)
        entered = client.get(f"/reports/{report.pk}/results/")
        assert [number for number, _ in entered.context["rounds_to_enter"]] == [1, 2, 3][: turn + 1]
    assert page["Location"] == f"/reports/{report.pk}/file/"
    sent = games("3 1 0-2", based_on="4", action="next")
    page = client.post(f"/reports/{report.pk}/results/3/?pairing=berger-double", sent)
    assert page["Location"] == f"/reports/{report.pk}/results/4/?pairing=berger-double"


def test_rows_are_added_without_losing_any(client: Client, referee: User) -> None:
    page = client.post("/reports/new/results/", INFO | players(*NEW, action="more"))
    assert [row.player_number for row in page.context["rows"]] == [str(number) for number in range(1, 8)]
    assert list(page.context["rows"][2].entered.values()) == list(NEW[2])


def test_rows_are_added_also_after_an_impossible_number(client: Client, referee: User) -> None:
    """Python reads no number of more than 4,300 digits."""
    typed = INFO | players(*NEW, action="more") | {"number-3": "9" * 5000}
    page = client.post("/reports/new/results/", typed)
    assert page.status_code == 200
    assert [row.player_number for row in page.context["rows"]] == ["1", "2", "9" * 5000, "3", "4", "5", "6"]


def test_only_the_refused_cell_of_a_row_is_invalid(client: Client, referee: User) -> None:
    """The FMJD-ID that is not in the register has a note, the place of the same row an error."""
    row = ("11286", "Joost", "Veldhoek", "NED", "1988-03-14", "M", "first")
    page = client.post("/reports/new/results/", INFO | players(row, action="save"))
    assert page.status_code == 400
    cells = {cell.name: (bool(cell.message), cell.is_refused) for cell in page.context["rows"][0].cells()}
    assert (cells["fmjd_id"], cells["place"]) == ((True, False), (True, True))
    assert page.text.count('aria-invalid="true"') == 1


def test_the_values_of_an_announcement_fill_the_form(client: Client, referee: User) -> None:
    ensure_federations(["BEL"])
    announcement = Tournament.objects.create(
        name="Riverside Open", place="Ghent", country_id="BEL", played_from=LAST, played_to=LAST, discipline="64",
        time_control="15+5", system="swiss", announced_by=referee, announced_on=LAST - timedelta(days=20),
    )  # fmt: skip
    page = client.get(f"/reports/new/results/?announcement={announcement.pk}")
    for value in ("Riverside Open", "15+5", LAST.isoformat()):
        assert f'value="{value}"' in page.text
    client.post("/reports/new/results/", players(*NEW, action="save", announcement=str(announcement.pk)))
    report = Report.objects.get()
    assert report.announcement == announcement
    assert "name = Riverside Open\n" in content_of(report)
    assert "not-announced" not in [finding["code"] for finding in newest(report).findings]


def test_a_typed_value_stays_where_another_one_was_approved(
    client: Client, referee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As at the upload: what was approved fills what the form does not have, another value is a finding."""
    ensure_federations(["BEL"])
    announcement = Tournament.objects.create(
        name="Riverside Open", place="Ghent", country_id="BEL", played_from=LAST, played_to=LAST, discipline="100",
        time_control="80+30", system="swiss", announced_by=referee, announced_on=LAST - timedelta(days=20),
    )  # fmt: skip
    approved = {"time_control": "90+30", "competition": "world-cup"}
    event = ApprovedEvent(stars=3, prize_money=6000, details=approved, page="/event/")
    monkeypatch.setattr(registry, "_find_events", {"approved": lambda keys: dict.fromkeys(keys, event)})
    typed = players(*NEW, action="save", announcement=str(announcement.pk))
    client.post("/reports/new/results/", INFO | typed)
    version = newest(Report.objects.get())
    values = read_sidecar(bytes(version.sidecar)).values
    assert (values["time_control"], values["competition"]) == ("80+30", "world-cup")
    assert [row["field"] for row in version.findings if row["code"] == "approved-differs"] == ["time_control"]


@pytest.mark.parametrize(("row", "field"), [
    ("1 2 -", "result"), ("1 - 2-0", "black"), ("- 2 2-0", "white"), ("1 2 pause", "result"),
    ("- - pause", "result"), ("1 2 3-0", "result"), ("1x 2 2-0", "white"), ("1 99999 2-0", "black"),
])  # fmt: skip
def test_an_incomplete_result_gets_a_message_and_is_not_lost(
    client: Client, report: Report, row: str, field: str
) -> None:
    sent = games("3 - pause", row, based_on="1", action="next")
    page = client.post(f"/reports/{report.pk}/results/1/", sent)
    assert page.status_code == 400
    assert page.context["rows"][1].messages[field]
    typed = ["" if cell == "-" else cell for cell in row.split()]
    assert list(page.context["rows"][1].entered.values()) == typed
    assert newest(report).number == 1


def test_impossible_results_are_written_and_found_next_to_their_lines(client: Client, report: Report) -> None:
    """Against themselves, twice in a round, a number no one has: errors of the report, not of the form (R20)."""
    sent = games("1 1 2-0", "2 3 1-1", "3 9 2-0", based_on="1", action="check")
    assert client.post(f"/reports/{report.pk}/results/1/", sent).status_code == 302
    found = {finding["code"]: finding["line"] for finding in newest(report).findings}
    assert {"self-play", "paired-twice", "number-unknown"} <= set(found)
    assert all(found[code] for code in ("self-play", "paired-twice", "number-unknown"))
    assert "field--bad" not in client.get(f"/reports/{report.pk}/results/1/").text


def test_input_on_an_older_version_is_not_lost(client: Client, report: Report) -> None:
    client.post(f"/reports/{report.pk}/results/1/", games("1 2 2-0", based_on="1", action="next"))
    page = client.post(f"/reports/{report.pk}/results/1/", games("1 2 1-1", based_on="1", action="next"))
    assert page.status_code == 409
    assert "The report has been changed since you opened it." in page.text
    assert page.context["rows"][0].entered["result"] == "1-1"
    page = client.post(f"/reports/{report.pk}/results/", INFO | players(*NEW, based_on="1", action="save"))
    assert page.status_code == 409
    assert 'value="Tessengue"' in page.text
    assert "1,1,2,2-0" in content_of(report)


@pytest.mark.database_role("worker")
def test_only_a_file_of_unknown_format_has_no_results_entry(client: Client, referee: User) -> None:
    """Whatever else was uploaded can be typed on; what could not be read of it is in test_grid_of_any_report.py.

    Only a command stores a file of unknown format.
    """
    for content, status in (
        (example_file("clean"), 200),
        (example_file("clean").replace(b"\n", b"\r\n").replace(b",", b" , "), 200),
        (example_file("faulty"), 200),
        (b"1;2;3\n", 409),
    ):
        by = Actor(referee, by_command=status == 409)
        report = upload_report(content=content, filename="a.txt", sidecar=b"", by=by).report
        for step, button in (("results/", "save"), ("results/1/", "next")):
            assert client.get(f"/reports/{report.pk}/{step}").status_code == status
            if status == 409:
                refused = client.post(f"/reports/{report.pk}/{step}", {"action": button})
                assert refused.status_code == status
        assert newest(report).number == 1


def test_data_outside_results_entry_stays(client: Client, referee: User) -> None:
    content = example_file("clean").replace(b"0,1,,1,12", b"0,1,K-12,1,12")
    client.post("/reports/new/", {"file": SimpleUploadedFile("a.txt", content)})
    report = Report.objects.get()
    page = client.get(f"/reports/{report.pk}/results/")
    rows = [tuple(row.entered.values()) for row in page.context["rows"]]
    info = {field.name: field.value() for _, fields in page.context["groups"] for field, _ in fields}
    client.post(f"/reports/{report.pk}/results/", info | players(*rows, based_on="1", action="save"))
    assert content_of(report) == content.decode()  # the same bytes make no version
    assert newest(report).number == 1


def test_a_round_that_no_report_has_is_not_found(client: Client, report: Report) -> None:
    assert client.get(f"/reports/{report.pk}/results/99/").status_code == 200
    for turn in (0, 100):
        assert client.get(f"/reports/{report.pk}/results/{turn}/").status_code == 404


def test_forty_players_stay_below_what_a_form_may_send(
    client: Client, referee: User, django_assert_max_num_queries: Any
) -> None:
    letters = [f"{chr(97 + turn // 26)}{chr(97 + turn % 26)}" for turn in range(100)]
    rows = [("", f"Given{letter}", f"Family{letter}", "NED", "1990-01-01", "M", "") for letter in letters]
    page = client.post("/reports/new/results/", INFO | players(*rows, action="save"))
    assert page.status_code == 302
    report = Report.objects.get()
    sent = games(
        *(f"{2 * turn + 1} {2 * turn + 2} 2-0" for turn in range(50)), based_on="1", action="next", places="1"
    )
    assert client.post(f"/reports/{report.pk}/results/1/", sent).status_code == 302
    assert newest(report).games == 50
    client.get(f"/reports/{report.pk}/")  # says that they are saved, and forgets it
    with django_assert_max_num_queries(6):
        client.get(f"/reports/{report.pk}/results/1/")
    with django_assert_max_num_queries(6):
        client.get(f"/reports/{report.pk}/results/")


def test_numbers_are_drawn_so_that_mates_meet_early(client: Client, referee: User) -> None:
    """By the table of 4 the pairs of round 1 are 1-4 and 2-3: the two players of one federation get one of these."""
    countries = zip("ABCD", ("NED", "ned", "BEL", "POL"), strict=True)
    new = [("", name, "Lot", country, "", "", "") for name, country in countries]
    page = client.post("/reports/new/results/", INFO | players(*new, action="draw"))
    assert page.status_code == 200
    drawn = [row.entered for row in page.context["rows"]]
    assert sorted(texts["first_name"] for texts in drawn) == list("ABCD")
    mates = {number for number, texts in enumerate(drawn, start=1) if texts["country"].upper() == "NED"}
    assert mates in ({1, 4}, {2, 3})
    assert re.search(r"Numbers drawn by lot [0-9]+\. 0 games", page.text)
    assert not Report.objects.exists()
    page = client.post("/reports/new/results/", INFO | players(*new[:2], action="draw"))
    assert "Numbers are drawn for 3 to 40 players." in page.text
