"""A report that is not accepted yet is edited: each time its next version, read again (R22, R23)."""

import tomllib
from datetime import date, timedelta
from pathlib import Path

import pytest

from reporting.formats.text.edit_lines import Edit
from reporting.formats.tournament_details.sidecar import detail_values
from reporting.log.audit import Actor
from reporting.models import LogEntry, Player, Role, Tournament, User
from reporting.reports.reading.open_report import open_report
from reporting.reports.services.edit_report import (
    choose_announcement,
    edit_report_lines,
    edit_tournament_details,
    replace_report_file,
    restore_version,
)
from reporting.reports.services.enter_results import results_grid
from reporting.reports.services.review import accept_report
from reporting.reports.services.submit import submit_report, take_back_report, withdraw_report
from reporting.reports.services.upload import upload_report
from tests.call_count import counted
from tests.people import create_user
from tests.services.report_helpers import refusal

pytestmark = pytest.mark.django_db

GAMES = ["1 1 2 2-0", "2 2 1 1-1"]


@pytest.fixture
def draft(office):
    office.register(11, 12)
    return office.upload("Open", [11, 12], GAMES).report


def edited(report, based_on, by, **values):
    return edit_tournament_details(report=report, based_on=based_on, values=values, by=by)


def test_a_edited_line_is_the_next_version_and_the_first_stays_byte_for_byte(office, draft):
    first = bytes(draft.versions.get(number=1).content)
    line = first.decode().split("\n").index("1,1,2,2-0") + 1
    saved = edit_report_lines(report=draft, based_on=1, edits=[Edit(line, 7, 3, "9-9")], by=office.referee)
    assert saved.version.number == 2
    errors = [finding["code"] for finding in saved.version.findings if finding["severity"] == "error"]
    assert errors == ["result-unknown"]
    assert (saved.version.errors, saved.version.players, saved.version.name) == (1, 2, "Open")
    again = edit_report_lines(report=draft, based_on=2, edits=[Edit(line, 7, 3, "2-0")], by=office.referee)
    assert again.version.errors == 0
    assert bytes(draft.versions.get(number=1).content) == first == bytes(again.version.content)
    entry = LogEntry.objects.filter(subject=f"report {draft.pk}").latest("pk")
    assert (entry.action, entry.before["version"], entry.after["version"]) == ("report.upload", 2, 3)


def test_a_person_who_looked_at_an_older_version_is_refused_and_nothing_is_stored(office, draft):
    edited(draft, 1, office.referee, referee="Piet Fluit")
    assert refusal(edited, draft, 1, office.referee, referee="Jan").code == "version_changed"
    assert draft.versions.count() == 2


def test_saving_the_same_again_makes_no_version(office, draft):
    edited(draft, 1, office.referee, referee="Piet Fluit")
    assert edited(draft, 2, office.referee, referee="Piet Fluit").already_there
    assert draft.versions.count() == 2


def test_what_is_typed_wrong_is_kept_next_to_its_finding(office, draft):
    saved = edited(draft, 1, office.referee, time_control="80 and a bit")
    assert detail_values(bytes(saved.version.sidecar))["time_control"] == "80 and a bit"
    assert "detail-unreadable" in [finding["code"] for finding in saved.version.findings]


def test_a_submitted_report_is_taken_back_before_it_is_edited_and_an_accepted_one_stays(office, draft):
    report = office.submit("Other", [11, 12], ["1 1 2 1-1"])
    version = report.versions.latest("number").number
    refused = refusal(edited, report, version, office.referee, referee="J")
    assert refused.message == "The office has this report. Take it back before you change it."
    take_back_report(report=report, by=office.referee)
    saved = edited(report, version, office.referee, referee="Jan")
    assert saved.report.state == "draft"
    again = submit_report(report=report, comments=office.comments(saved), by=office.referee)
    accept_report(report=again, by=office.officer)
    newest = report.versions.latest("number").number
    assert refusal(edited, report, newest, office.referee, referee="X").code == "wrong_state"


def test_another_file_takes_the_place_next_to_the_same_facts(office, draft):
    other = office.report_file("Open", [11, 12], ["1 1 2 0-2"])
    file = {"content": other, "filename": "second.txt"}
    saved = replace_report_file(report=draft, based_on=1, **file, by=office.referee)
    assert (saved.version.number, saved.version.filename, saved.version.games) == (2, "second.txt", 1)
    assert bytes(saved.version.sidecar) == bytes(draft.versions.get(number=1).sidecar)


def test_no_one_edits_the_report_of_another(office, draft):
    stranger = Actor(create_user("s@example.org", "Stranger", roles=[Role.REFEREE]))
    for call in (
        lambda: edited(draft, 1, stranger),
        lambda: edit_report_lines(report=draft, based_on=1, edits=[], by=stranger),
        lambda: withdraw_report(report=draft, reason="no", by=stranger),
    ):
        assert refusal(call).code == "forbidden"


def test_the_national_official_of_the_referee_mends_and_one_of_another_federation_does_not(office, draft):
    User.objects.filter(pk=office.referee.user.pk).update(federation="NED")
    roles = [Role.NATIONAL_OFFICIAL]
    official = Actor(create_user("NED@example.org", "NED", roles=roles, federation_id="NED"))
    draft.refresh_from_db()
    assert edited(draft, 1, official, referee="Jan").version.number == 2
    elsewhere = Actor(create_user("x@example.org", "X", roles=roles, federation_id=None))
    assert refusal(edited, draft, 2, elsewhere).code == "forbidden"


# --- announcements


def announced(office, days_before):
    first = date(2026, 2, 1)
    return Tournament.objects.create(
        name="Open", country_id="NED", played_from=first, played_to=first + timedelta(days=7), discipline="100",
        time_control="80+30", announced_on=first - timedelta(days=days_before), announced_by=office.referee.user,
    )  # fmt: skip


@pytest.mark.parametrize(("days_before", "warned"), [(14, False), (13, True)])
def test_the_warning_of_a_late_announcement_is_computed_from_it(office, draft, days_before, warned):
    """Announced 14 days before the first round is in time, 13 days is not (R11)."""
    days = {"played_from": date(2026, 2, 1), "played_to": date(2026, 2, 8)}
    version = edited(draft, 1, office.referee, **days).version
    chosen = {"based_on": version.number, "announcement": announced(office, days_before)}
    saved = choose_announcement(report=draft, by=office.referee, **chosen)
    assert ("not-announced" in [finding["code"] for finding in saved.version.findings]) is warned


@pytest.mark.database_role("web")
@pytest.mark.django_db(transaction=True)
def test_no_announcement_is_chosen_for_a_report_that_was_accepted_meanwhile(office):
    """Refused by the state of the report, before the database refuses to change it."""
    office.register(11, 12)
    report = office.submit("Open", [11, 12], GAMES)
    other = announced(office, 14)
    accept_report(report=report, by=office.officer)
    chosen = {"report": report, "based_on": 1, "announcement": other, "by": office.referee}
    assert refusal(choose_announcement, **chosen).code == "wrong_state"


def test_no_one_types_the_day_of_an_announcement(office, draft):
    """It comes with the announcement chosen, or came next to the file of an import."""
    before = detail_values(bytes(draft.versions.get(number=1).sidecar))["announced"]
    saved = edited(draft, 1, office.referee, announced=date(2020, 1, 1), referee="Jan")
    assert detail_values(bytes(saved.version.sidecar))["announced"] == before
    none = choose_announcement(report=draft, based_on=2, announcement=None, by=office.referee)
    assert "announced" not in detail_values(bytes(none.version.sidecar))
    # The first version came with an announcement.
    restored = restore_version(report=draft, based_on=3, number=1, by=office.referee)
    assert "announced" not in detail_values(bytes(restored.version.sidecar))


# --- newcomers of program exports


CROSSTABLE = Path(__file__).parents[1] / "files" / "kaba-tougan-2025"


def uploaded_crosstable(office):
    content, sidecar = (CROSSTABLE.with_suffix(ending).read_bytes() for ending in (".csv", ".toml"))
    return upload_report(content=content, filename="kaba.csv", sidecar=sidecar, by=office.referee)


def test_a_newcomer_of_an_export_is_named_in_the_details_and_entered_when_accepted(office):
    """Forms that print no more than a name ask for the rest (R20, R24)."""
    uploaded = uploaded_crosstable(office)
    opened = open_report(uploaded.report.pk)
    strangers = [number for number, player in opened.matching.players.items() if player is None]
    assert strangers
    newcomers = {
        str(number): {
            "last_name": f"Nova{chr(97 + turn)}", "first_name": f"Tara{chr(97 + turn)}", "sex": "W",
            "born": date(2000, 1, 1 + turn % 28), "country": "BFA",
        }
        for turn, number in enumerate(strangers)
    }  # fmt: skip
    saved = edited(uploaded.report, 1, office.referee, newcomers=newcomers, players={})
    errors = [finding for finding in saved.version.findings if finding["severity"] == "error"]
    assert errors == []
    report = submit_report(report=saved.report, comments=office.comments(saved), by=office.referee)
    accept_report(report=report, by=office.officer, admitted_reason="a test")
    novas = Player.objects.filter(last_name__startswith="Nova")
    assert set(novas.values_list("sex", "federation", "birth_year")) == {("W", "BFA", 2000)}
    assert novas.count() == len(strangers)


def test_a_newcomer_without_sex_or_birth_is_an_error(office):
    uploaded = uploaded_crosstable(office)
    number = next(iter(open_report(uploaded.report.pk).matching.players))
    newcomers = {str(number): {"last_name": "Nova", "first_name": "Tara"}}
    saved = edited(uploaded.report, 1, office.referee, newcomers=newcomers, players={})
    codes = {finding["code"] for finding in saved.version.findings if finding["severity"] == "error"}
    assert {"born-missing", "sex-missing"} <= codes


# --- withdrawing


def test_a_draft_is_withdrawn_at_once_and_a_submitted_report_with_a_reason(office, draft):
    assert withdraw_report(report=draft, reason="", by=office.referee).state == "withdrawn"
    report = office.submit("Other", [11, 12], ["1 1 2 1-1"])
    assert refusal(withdraw_report, report=report, reason=" ", by=office.referee).code == "reason_missing"
    assert withdraw_report(report=report, reason="sent twice", by=office.referee).state == "withdrawn"
    assert refusal(withdraw_report, report=report, reason="again", by=office.referee).code == "wrong_state"


# --- the work


def test_a_sidecar_is_parsed_once_in_each_act(office):
    """An upload parses the new one; an edit of the details parses the one before it and the new one."""
    office.register(11, 12)
    content, sidecar = office.report_file("Open", [11, 12], GAMES), office.details()

    def parses(act):
        return counted(act, of=tomllib.loads)

    uploaded, parsed = parses(
        lambda: upload_report(content=content, filename="open.txt", sidecar=sidecar, by=office.referee)
    )
    assert parsed == 1
    saved, parsed = parses(lambda: edited(uploaded.report, 1, office.referee, referee="Jan Smit"))
    assert parsed == 2
    _, parsed = parses(lambda: results_grid(open_report(saved.report.pk)))
    assert parsed == 1
    comments = office.comments(saved)
    report, parsed = parses(lambda: submit_report(report=saved.report, comments=comments, by=office.referee))
    assert parsed == 1
    _, parsed = parses(lambda: accept_report(report=report, by=office.officer, admitted_reason="a test"))
    assert parsed == 1
