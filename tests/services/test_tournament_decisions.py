"""What only the federation can say of a tournament: its report proposes, office and title council decide (R78)."""

import io
from unittest.mock import patch

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from ratings.inputs.calculation_inputs import decided_rows, inputs_of_list
from ratings.models import PublishedFile, RatingList
from ratings.production.request_calculation import refuse_stale
from reporting.log.audit import Actor, record
from reporting.models import LogEntry, Player, ReportStep, ResultSet, Role, Tournament, TournamentDecision
from reporting.refusals.domain_error import DomainError
from reporting.reports.decisions.selectors import (
    decided_values,
    decisions_in_force,
    reported_by,
    waiting_for_office,
)
from reporting.reports.decisions.services import decide_tournaments
from reporting.reports.services.review import accept_report
from reporting.rules.details.decided_items import COUNCIL, known_items
from tests.databases import open_results
from tests.people import create_user
from tests.services.report_helpers import refusal
from titles.queries.search_norms import norms_of_tournament

pytestmark = pytest.mark.django_db

PLAYERS = (11, 12)
GAMES = ["1 1 2 2-0"]
OPENING = """
fmjd_id rating games
11      2000   40
12      2000   40
"""


@pytest.fixture
def council():
    return Actor(create_user("council@web.example", "Title Council", roles=[Role.TITLE_COUNCIL]))


@pytest.fixture
def accepted(office):
    """A report that proposes everything, accepted by the office without a decision."""
    office.opening(OPENING)
    proposed = {"official": "true", "competition": '"world-cup"', "world_cup_stars": "5"}
    referee = {"referee": '"Piet Fluit"', "referee_level": '"fmjd"'}
    return office.accept("Tide Open", PLAYERS, GAMES, **proposed, **referee).result_set


def decide(tournament, by, reason="", seen=None, **values):
    chosen = [(tournament.code, item, value) for item, value in values.items()]
    return decide_tournaments(chosen=chosen, reason=reason, by=by, seen=seen)


def counting(tournament):
    """What counts of a tournament now."""
    decisions = decisions_in_force([tournament.pk])
    values = decided_values(tournament, decisions).values
    items = ("council_approved", "official", "competition", "world_cup_stars", "referee_level")
    return tuple(values[item] for item in items)


def refused(code, **decided):
    assert refusal(decide, **decided).code == code


def test_a_proposal_counts_for_nothing_until_it_is_decided(accepted, office, council):
    """R78: the report proposes; what is not decided is as if it was not said."""
    assert counting(accepted) == ("no", "no", "", "", "")
    waiting = {state.item: state.proposal for state in waiting_for_office()}
    expected = {
        "official": "yes",
        "competition": "world-cup",
        "world_cup_stars": "5",
        "referee_level": "fmjd",
    }
    assert waiting == expected
    decide(accepted, office.officer, official="yes", competition="world-cup")
    decide(accepted, council, council_approved="yes")
    assert counting(accepted) == ("yes", "yes", "world-cup", "", "")
    assert {state.item for state in waiting_for_office()} == {"world_cup_stars", "referee_level"}
    entries = LogEntry.objects.filter(action="tournament.decide", subject=f"tournament {accepted.code}")
    assert list(entries.order_by("pk").values_list("after", flat=True)) == [
        {"official": "yes"}, {"competition": "world-cup"}, {"council_approved": "yes"},
    ]  # fmt: skip


def test_each_item_has_its_deciders(accepted, office, council):
    """Contracts U27: the Council's approval is the title council's, everything else the office's."""
    web_officer = Actor(create_user("o@web.example", "Officer", roles=[Role.RATING_OFFICER]))
    refused("forbidden", tournament=accepted, by=web_officer, council_approved="yes")
    refused("forbidden", tournament=accepted, by=council, official="yes")
    refused("forbidden", tournament=accepted, by=office.referee, official="yes")
    assert not TournamentDecision.objects.exists()


def test_the_database_knows_the_items_of_the_declarations_and_who_decides_them():
    with connection.cursor() as cursor:
        cursor.execute("SELECT item, decided_by = '{title_council}' FROM decided_items")
        assert dict(cursor) == {name: item.decided_by == COUNCIL for name, item in known_items().items()}


@pytest.mark.database_role("owner")
def test_an_item_of_two_federations_is_decided_by_the_same_roles():
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE second_details (result_set_id bigint)")
        cursor.execute("SELECT register_own_details('second_details', '{}', '{competition,round_of_honour}')")
        cursor.execute("SELECT item FROM decided_items WHERE item IN ('competition', 'round_of_honour')")
        assert len(cursor.fetchall()) == 2
        cursor.execute("CREATE TABLE third_details (result_set_id bigint)")
        with pytest.raises(DatabaseError, match="decided_items"), transaction.atomic():
            cursor.execute("SELECT register_own_details('third_details', '{competition}', '{}')")


def test_an_own_report_is_decided_by_another_person(office):
    """R78: never decided by the person who reported it."""
    office.opening(OPENING)
    reporter = Actor(create_user("r@web.example", "Reporter", roles=[Role.RATING_OFFICER]))
    report = office.submit("Own Open", PLAYERS, GAMES, by=reporter, official="true")
    refused("own_report", tournament=report.result_set, by=reporter, official="yes")
    decide(report.result_set, office.officer, official="yes")


def announced_it(report, by):
    results = report.result_set
    played = {"played_from": results.played_from, "played_to": results.played_to, "country": results.country}
    announced = {"announced_on": results.played_from, "announced_by": by.user}
    report.announcement = Tournament.objects.create(name="Other", discipline="100", **played, **announced)
    report.save()


def saved_comments(report, by):
    record(by=by, action="report.save_comments", subject=f"report {report.pk}", after={"version": 1})


def submitted_it(report, by):
    ReportStep.objects.create(version=report.versions.get(), move=ReportStep.Move.SUBMIT, by=by.user)


@pytest.mark.parametrize("take_part", [announced_it, saved_comments, submitted_it])
def test_a_person_with_a_part_in_a_report_does_not_decide_about_its_tournament(office, take_part):
    """R78 and decision 0095: the parts are those of an acceptance."""
    office.opening(OPENING)
    report = office.submit("Other Open", PLAYERS, GAMES, official="true")
    take_part(report, office.officer)
    refused("own_report", tournament=report.result_set, by=office.officer, official="yes")
    assert reported_by(office.officer.user, [report.result_set]) == {report.result_set.code}
    assert not reported_by(office.director.user, [report.result_set])
    decide(report.result_set, office.director, official="yes")


def test_a_refusal_or_a_change_needs_a_reason_and_the_same_again_changes_nothing(accepted, office, council):
    refused("reason_missing", tournament=accepted, by=office.officer, official="no")
    refused("reason_missing", tournament=accepted, by=council, council_approved="no")
    decide(accepted, office.officer, official="yes")
    refused("decision_changes_nothing", tournament=accepted, by=office.officer, official="yes")
    refused("reason_missing", tournament=accepted, by=office.officer, official="no")
    decide(accepted, office.officer, reason="A club tournament.", official="no")
    assert counting(accepted)[1] == "no"
    assert list(TournamentDecision.objects.order_by("pk").values_list("value", "reason")) == [
        ("yes", ""), ("no", "A club tournament."),
    ]  # fmt: skip


def test_a_decision_made_since_the_page_was_opened_is_read_first(accepted, office):
    (first,) = decide(accepted, office.officer, seen=0, official="yes")
    refused("tournament_decided", tournament=accepted, by=office.officer, seen=0, reason="x", official="no")
    decide(accepted, office.officer, seen=first.pk, reason="x", official="no")


def test_a_value_or_a_tournament_that_is_not_known_is_refused(accepted, office):
    refused("decision_unknown", tournament=accepted, by=office.officer, world_cup_stars="4", reason="x")
    with pytest.raises(DomainError, match="No player of Tide Open is over the age"):
        decide(accepted, office.officer, over_age="yes")
    unknown = ResultSet(tournament_id="2026-none")
    refused("tournament_not_reported", tournament=unknown, by=office.officer, official="yes")
    refused("decisions_missing", tournament=accepted, by=office.officer)


def test_a_level_counts_for_the_referee_it_was_decided_of(accepted, office):
    """R77a: the level is a person's; a report with another referee needs another decision."""
    decide(accepted, office.officer, referee_level="fmjd")
    assert counting(accepted)[-1] == "fmjd"
    open_results()
    ResultSet.objects.filter(pk=accepted.pk).update(referee="Ines Marlow")
    accepted.refresh_from_db()
    assert counting(accepted)[-1] == ""
    assert "referee_level" in {state.item for state in waiting_for_office()}


@pytest.mark.django_db(transaction=True)
def test_a_list_names_the_decisions_it_counts_and_a_later_one_makes_it_out_of_date(accepted, office, council):
    """R30d: what is decided before the calculation is in the digest of its inputs and in a file of the list."""
    decide(accepted, office.officer, competition="world-cup", referee_level="fmjd")
    draft = office.run(publish=False)
    before = draft.input_sha256
    assert [item for _, item, *_ in decided_rows(inputs_of_list(draft))] == ["competition", "referee_level"]
    decide(accepted, council, council_approved="yes")
    assert refusal(refuse_stale, draft).code == "decisions_changed"
    with pytest.raises(DatabaseError), transaction.atomic():
        RatingList.objects.filter(pk=draft.pk).update(decisions=[])
    published = office.run()
    assert published.input_sha256 != before
    content = bytes(PublishedFile.objects.get(list=published, name="decisions.csv").content).decode()
    assert content.splitlines() == [
        "tournament,item,value,players",
        f"{accepted.code},competition,world-cup,",
        f"{accepted.code},council_approved,yes,",
        f"{accepted.code},referee_level,fmjd,",
    ]
    decide(accepted, office.officer, official="yes")
    call_command("verify_lists", "--recalculate", stdout=io.StringIO())
    assert len(inputs_of_list(published).decisions) == 3


def test_the_database_takes_no_decision_about_another_item(accepted, office):
    decide(accepted, office.officer, official="yes")
    with pytest.raises(DatabaseError), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO reporting_tournamentdecision (tournament_code, item, value, reason, by_id)"
            " SELECT tournament_code, 'weather', 'fine', '', by_id FROM reporting_tournamentdecision"
        )


def test_the_command_decides(accepted, office):
    said = io.StringIO()
    call_command(
        "decide_tournament", accepted.code, "--council-approved", "yes", "--competition", "world-cup",
        "--world-cup-stars", "5", "--referee-level", "fmjd", "--official", "no",
        "--reason", "A World Cup is official by itself.", stdout=said,
    )  # fmt: skip
    assert counting(accepted) == ("yes", "no", "world-cup", "5", "fmjd")
    assert f"{accepted.code}  competition: world-cup" in said.getvalue()
    by_the_referee = ("--official", "yes", "--as", office.referee.user.email)
    with pytest.raises(CommandError, match="forbidden"):
        call_command("decide_tournament", accepted.code, *by_the_referee)
    with pytest.raises(CommandError, match="Name at least one"):
        call_command("decide_tournament", accepted.code)


@pytest.fixture
def youth(office):
    """Cadets of 2026: who was born in 2010 is 16 on 31 December, who was born a day earlier 17 (Annex 2 art. 3f)."""
    office.opening(OPENING)
    players = [
        office.newcomer("Young", "Enough", born="01/01/2010"),
        office.newcomer("Too", "Old", born="31/12/2009"),
        office.newcomer("Also", "Old", born="01/06/2009"),
    ]
    games = ["1 1 2 2-0", "1 3 0 2-0", "2 2 3 1-1", "2 1 0 2-0", "3 3 1 0-2", "3 2 0 2-0"]
    report = office.submit("Cadets Open", players, games, youth='"cadets"')
    findings = report.versions.latest("number").findings
    found = [finding for finding in findings if finding["code"] == "over-age"]
    assert [(finding["values"]["name"], finding["severity"]) for finding in found] == [
        ("Too Old", "warning"), ("Also Old", "warning"),
    ]  # fmt: skip
    return accept_report(report=report, by=office.officer).result_set


def over_age_in_norms(tournament):
    """The numbers of the entries that norms take as over the age."""
    with patch("titles.federations.fmjd.search.find_norms") as find_norms:
        norms_of_tournament(tournament)
    read = find_norms.call_args.args[2]
    entries = read.entries[read.given.participations.over_age].tolist()
    return sorted(tournament.entries.filter(pk__in=entries).values_list("number", flat=True))


def test_players_over_the_age_get_no_automatic_title_until_the_office_admits_them(youth, office, council):
    """R73a: a warning for each, and the office decides once for the tournament, about these players only."""
    assert over_age_in_norms(youth) == [2, 3]
    (state,) = waiting_for_office()
    assert (state.item, [entry.number for entry in state.players]) == ("over_age", [2, 3])
    refused("forbidden", tournament=youth, by=council, over_age="yes")
    (decision,) = decide(youth, office.officer, reason="Agreed by the organiser.", over_age="yes")
    assert decision.about.split() == [str(entry.player_id) for entry in state.players]
    assert (over_age_in_norms(youth), waiting_for_office()) == ([], [])
    # A player whose year of birth is corrected since is not among those who were admitted.
    Player.objects.filter(entries__result_set=youth, entries__number=1).update(birth_year=2008)
    assert over_age_in_norms(youth) == [1]
    assert [one.item for one in waiting_for_office()] == ["over_age"]


def test_an_age_group_without_an_age_has_no_player_over_it(office):
    """Annex 2 art. 3f has no age for under 23 (R37a)."""
    office.opening(OPENING)
    years = {"Rather": 1980, "Quite": 1981}
    players = [office.newcomer(name, "Old", born=f"01/01/{year}") for name, year in years.items()]
    office.accept("Under Open", players, GAMES, youth='"under-23"')
    assert [one.item for one in waiting_for_office()] == []
