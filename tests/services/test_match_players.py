"""Players of a report are matched with the register once a version; the register decides when again (decision 0035)."""

from threading import Event, Thread

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from reporting.models import MatchedPlayers, Player, RegisterChange
from reporting.register.services.import_register import import_register
from reporting.reports.reading.open_report import open_report
from reporting.reports.services.edit_report import edit_tournament_details
from reporting.reports.services.review import accept_report
from reporting.reports.services.submit import submit_report
from tests.services.conftest import REGISTER_HEADER
from tests.services.report_helpers import comments, quick, refusal, whole
from tests.services.test_merge_players import merge, undo

PLAYERS, GAMES = [11, 12, 13], ["1 1 2 2-0", "1 3 0 2-0", "2 1 3 1-1", "2 0 2 0-2"]
# The search for look-alikes.
REGISTER_QUERY = "FROM wanted JOIN reporting_playerspelling"


@pytest.fixture
def draft(office):
    """A report with two known players and one a new one whose surname has a letter more than that of 14."""
    office.register(*PLAYERS, 14)
    first, last = office.names[14]
    stranger = office.newcomer(first, f"{last}x", born="03/04/1990")
    return office.upload("Open", [*PLAYERS, stranger], GAMES).report


def matched(report):
    """The FMJD-IDs of the matched players, and of the candidates, by tournament number."""
    matching = open_report(report.pk).matching
    return (
        {number: player and player.numbers["fmjd"] for number, player in matching.players.items()},
        {
            number: [candidate.player.numbers["fmjd"] for candidate in candidates]
            for number, candidates in matching.candidates.items()
        },
    )


def searches(captured):
    return [query["sql"] for query in captured if REGISTER_QUERY in query["sql"]]


@quick
def test_an_upload_stores_its_matches_and_a_look_reads_them(draft):
    version = draft.versions.get()
    stored = MatchedPlayers.objects.get(version=version)
    assert [match.get("number") for match in stored.players] == [11, 12, 13, None]
    opened = open_report(draft.pk)
    assert opened.submission
    with CaptureQueriesContext(connection) as captured:
        matching = opened.matching
    assert not searches(captured)
    # Register changes, stored matches, players; the reports of these days, and the newcomers of waiting ones (R24a).
    assert len(captured) <= 5
    assert {number: str(candidate) for number, (candidate,) in matching.candidates.items()} == {
        4: f"14 ({Player.objects.get(numbers__fmjd=14).printed_name}, NED, 1990)"
    }
    assert [str(reason) for reason in matching.candidates[4][0].reasons][-1] == "the same federation"
    assert [finding.code for finding in matching.findings if finding.step == "people"] == ["looks-registered"]


@quick
def test_the_stored_matches_give_what_a_new_match_gives(draft):
    stored = open_report(draft.pk).matching
    MatchedPlayers.objects.all().delete()
    made = open_report(draft.pk).matching
    assert made == stored
    assert MatchedPlayers.objects.count() == 1  # the look stored them again


@quick
def test_a_match_is_never_to_a_record_that_is_merged_away(office, draft):
    assert matched(draft)[0][2] == 12
    office.register(22)
    merged = merge(office, duplicate=12, surviving=22)
    opened = open_report(draft.pk)
    assert opened.matching.players[2].numbers["fmjd"] == 22
    assert opened.matching.merged[2].numbers["fmjd"] == 12
    assert "fmjd-id-merged" in [finding.code for finding in opened.matching.findings]
    merge(office, duplicate=14, surviving=11)
    players, candidates = matched(draft)
    assert players == {1: 11, 2: 22, 3: 13, 4: None}
    assert {number for found in candidates.values() for number in found}.isdisjoint({12, 14})
    undo(office, merged)
    assert matched(draft)[0][2] == 12


@quick
def test_new_numbers_and_other_names_are_found_at_the_next_look(office, draft):
    first, last = office.names[14]
    lines = [REGISTER_HEADER, f"31,{last}x,{first},NED,M,1990,"]
    import_register(content="\n".join(lines).encode(), by=office.officer)
    assert matched(draft)[1] == {4: [31, 14]}
    import_register(content=f"{REGISTER_HEADER}\n31,Somebody,Else,NED,M,1990,".encode(), by=office.officer)
    assert matched(draft)[1] == {4: [14]}


@quick
def test_matches_of_another_release_are_made_again(draft):
    MatchedPlayers.objects.update(matched_by="another", players=[])
    with CaptureQueriesContext(connection) as captured:
        assert matched(draft)[0] == {1: 11, 2: 12, 3: 13, 4: None}
    assert len(searches(captured)) == 1
    with CaptureQueriesContext(connection) as captured:
        assert matched(draft)[0] == {1: 11, 2: 12, 3: 13, 4: None}
    assert searches(captured) == []


@quick
def test_acts_use_what_is_stored_and_store_nothing(office, draft):
    version = draft.versions.get()
    with CaptureQueriesContext(connection) as captured:
        report = submit_report(report=draft, comments=comments(draft), by=office.referee)
        accept_report(report=report, by=office.officer)
    assert not searches(captured)
    assert list(MatchedPlayers.objects.values_list("version", flat=True)) == [version.pk]


@quick
def test_an_act_does_not_trust_matches_that_the_register_has_overtaken(office, draft):
    merge(office, duplicate=12, surviving=14)
    before = MatchedPlayers.objects.get().register_changes
    refused = refusal(submit_report, report=draft, comments=comments(draft), by=office.referee)
    assert refused.code == "findings_changed"
    assert "fmjd-id-merged" in [finding.code for finding in refused.findings]
    assert MatchedPlayers.objects.get().register_changes == before  # written by looks only


@quick
def test_other_details_are_another_version_with_matches_of_its_own(office, draft):
    edit_tournament_details(report=draft, based_on=1, values={"players": {"4": 14}}, by=office.referee)
    assert MatchedPlayers.objects.count() == 2
    assert matched(draft)[0][4] == 14


@quick
@pytest.mark.parametrize(
    ("statement", "changes"),
    [
        ("UPDATE reporting_player SET sort_name = sort_name", 1),
        ("UPDATE reporting_player SET birth_year = 1991, sex = 'W'", 1),
        ("UPDATE reporting_player SET federation_id = federation_id WHERE numbers @> '{\"fmjd\": 11}'", 1),
        ("UPDATE reporting_playeridentity SET number = '99' WHERE number = '11'", 1),
        (  # no match depends on a title
            "INSERT INTO reporting_playertitle (player_id, awarded_by, discipline, title, ladder)"
            " SELECT id, 'fmjd', '100', 'MI', '' FROM reporting_player",
            0,
        ),
        (
            "INSERT INTO reporting_player (last_name, first_name, sort_name, federation_id, sex)"
            " VALUES ('A', '', 'a', 'NED', '')",
            1,
        ),
        ("DELETE FROM reporting_playeridentity WHERE number = '11'", 1),
        ("DELETE FROM reporting_player WHERE numbers @> '{\"fmjd\": 11}'", 1),
    ],
)
def test_the_database_notes_each_statement_that_changes_who_is_who(office, statement, changes):
    office.register(11, 12)
    before = RegisterChange.objects.count()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
        assert RegisterChange.objects.count() == before + changes
        transaction.set_rollback(True)  # some statements leave a player without a number


@whole
def test_a_change_that_commits_late_is_not_missed(office):
    """Begun before another change and committed after the matches were stored: a last number or time would hide it."""
    office.register(*PLAYERS, 22)
    report = office.upload("Open", PLAYERS, GAMES).report
    written, go_on = Event(), Event()

    def merge_slowly():
        try:
            with transaction.atomic():
                merge(office, duplicate=12, surviving=22)
                written.set()
                go_on.wait(30)
        finally:
            connection.close()

    thread = Thread(target=merge_slowly)
    thread.start()
    assert written.wait(30)
    office.register(31)  # a later change that is committed first
    assert matched(report)[0][2] == 12
    go_on.set()
    thread.join(30)
    assert matched(report)[0][2] == 22
