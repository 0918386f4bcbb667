"""Champions, medals and title matches: from reports and from what the office enters (R52a, R75, R78)."""

from datetime import date
from functools import partial

import pytest
from django.db import DatabaseError, connection, transaction

from reporting.log.audit import Actor
from reporting.models import Federation, LogEntry, Player, Role
from reporting.reports.decisions.services import decide_tournaments
from tests.concurrency import run_concurrently
from tests.people import create_user
from tests.services import report_helpers
from tests.services.test_world_cup_commands import accept
from titles.federations.fmjd.champions.medals import (
    ProblemCode,
    all_podiums,
    entered_medals,
    medals_of_federations,
    medals_of_player,
)
from titles.federations.fmjd.champions.services import (
    enter_medal,
    find_title_match,
    record_title_match,
    withdraw_medal,
)
from titles.federations.fmjd.champions.title_matches import Move, NoRight
from titles.federations.fmjd.models import EnteredMedal, MedalWithdrawal, TitleMatchStep
from titles.federations.fmjd.rules.championship_kinds import ChampionshipKind

pytestmark = pytest.mark.django_db

WORLD = ChampionshipKind.of("world-100-classic")
CHAMPIONSHIP = {"competition": '"world-championship"', "official": "true"}


def decide(office, code, value="world-championship"):
    decide_tournaments(chosen=[(code, "competition", value)], reason="By the calendar.", by=office.officer)


def player(number):
    return Player.objects.get(numbers__fmjd=number)


def places(podiums, kind=WORLD, year=2026):
    """The FMJD-IDs or names of a championship by place."""
    podium = podiums.at(kind, year)
    return podium and [
        [medal.player.numbers["fmjd"] if medal.player else medal.name for medal in medals]
        for medals in podium.by_place
    ]


def refusal(act, **values):
    models = (EnteredMedal, MedalWithdrawal, TitleMatchStep, LogEntry)
    before = [model.objects.count() for model in models]
    key = report_helpers.refusal(act, **values).key
    assert before == [model.objects.count() for model in models]
    return key


def enter(office, place, number=None, *, kind=WORLD, year=2024, **values):
    if number:
        values["player"] = player(number)
    source = {"source": "Yearbook, p. 4", "by": office.officer}
    return enter_medal(kind=kind, year=year, place=place, **source, **values)


@pytest.fixture
def world(office):
    """An accepted world championship of 2026 with 11, 12, 13 and 14 in the first places, decided as one."""
    office.register(11, 12, 13, 14, 15)
    report = accept(office, "World", [11, 12, 13, 14], **CHAMPIONSHIP)
    decide(office, "2026-world")
    return report


def test_a_report_brings_medals_once_the_office_decided_that_it_is_a_championship(office):
    office.register(11, 12, 13, 14)
    accept(office, "World", [11, 12, 13, 14], **CHAMPIONSHIP)
    assert all_podiums(published=False).podiums == []
    decide(office, "2026-world")
    assert places(all_podiums(published=False)) == [[11], [12], [13]]
    assert all_podiums(published=True).podiums == []  # no list counts it yet
    decide(office, "2026-world", "world-cup")
    assert all_podiums(published=False).podiums == []


@pytest.mark.parametrize(
    ("details", "code"),
    [
        # 14.99 minutes for 60 moves are blitz, 15 rapid, 30 classic (R73, W20).
        ({"time_control": '"14+0"'}, "world-100-blitz"),
        ({"time_control": '"15+0"'}, "world-100-rapid"),
        ({"time_control": '"30+0"'}, "world-100-classic"),
        ({"session": '["15+0", "30+0"]'}, "world-100-classic"),  # the longest game of a session
        ({"discipline": '"64"'}, "world-64-classic"),
        ({"youth": '"mini-cadets"', "women_only": "true"}, "world-100-classic-mini-cadets-women"),
        ({"veterans": "true"}, "world-100-classic-veterans"),
    ],
)
def test_the_kind_follows_from_the_details(office, details, code):
    office.register(11, 12, 13, 14, sex="W")
    accept(office, "World", [11, 12, 13, 14], born="01/02/2015", **CHAMPIONSHIP | details)
    decide(office, "2026-world")
    assert [podium.kind.code for podium in all_podiums(published=False).podiums] == [code]


def test_a_shared_place_is_a_medal_for_each(office):
    office.register(11, 12, 13, 14)
    accept(office, "World", [11, 12, 13, 14], places=(1, 2, 3, 3), shared_places='["3-4"]', **CHAMPIONSHIP)
    decide(office, "2026-world")
    found = all_podiums(published=False)
    assert places(found) == [[11], [12], [13, 14]]
    (medals,) = medals_of_federations(found.podiums)
    assert (medals.federation, medals.places, medals.total) == ("NED", (1, 1, 2), 4)


def test_two_reports_of_one_championship_bring_none_and_are_named(office, world):
    accept(office, "Other", [11, 12, 13, 14], month=5, **CHAMPIONSHIP)
    decide(office, "2026-other")
    found = all_podiums(published=False)
    assert found.podiums == []
    (problem,) = found.problems
    assert problem.code == ProblemCode.SEVERAL_REPORTS
    assert problem.tournaments == ["2026-world", "2026-other"]


def test_the_office_enters_what_has_no_report_with_its_source(office):
    office.register(11)
    medal = enter(office, 1, 11)
    enter(office, 2, name="Old  Master", federation=Federation.objects.get(code="NED"))
    team = ChampionshipKind.of("european-64-classic-teams")
    enter(office, 1, kind=team, federation=Federation.objects.get(code="NED"))
    found = all_podiums(published=True)
    assert places(found, year=2024) == [[11], ["Old Master"], []]
    assert places(found, team, 2024) == [[""], [], []]
    assert [(podium.year, own.place) for podium, own in medals_of_player(player(11))] == [(2024, 1)]
    entry = LogEntry.objects.filter(action="champions.enter").earliest("pk")
    assert entry.subject == f"medal {medal.pk}"
    assert (entry.after["source"], entry.after["player"]) == ("Yearbook, p. 4", "11")
    withdraw_medal(medal=medal, reason="Another year.", by=office.director)
    assert places(all_podiums(published=True), year=2024) == [[], ["Old Master"], []]
    assert len(entered_medals()) == 3
    assert refusal(withdraw_medal, medal=medal, reason="Again.", by=office.officer) == "medal_withdrawn"
    assert enter(office, 1, 11)  # the right entry


def test_what_cannot_be_entered_is_refused(office, world):
    enter_it = partial(enter, office, 1)
    enter_it(number=11)
    team = ChampionshipKind.of("world-100-classic-teams")
    assert refusal(enter_it, number=11, year=2026) == "championship_reported"
    assert refusal(enter_it, number=11) == "medal_entered"
    assert refusal(enter_it, year=2027, number=11) == "year_outside"
    assert refusal(enter_it, year=1849, number=11) == "year_outside"
    assert refusal(enter_it) == "medallist_missing"
    assert refusal(enter_it, kind=team) == "medallist_missing.team"
    assert refusal(enter_it, kind=team, number=11) == "medallist_missing.team"
    assert refusal(enter_it, number=12, name="Twelve") == "medallist_twice"
    blank = {"kind": WORLD, "year": 2024, "place": 1, "player": player(12), "source": " "}
    assert refusal(enter_medal, by=office.officer, **blank) == "source_missing"
    for role in set(Role) - {Role.RATING_OFFICER, Role.TOURNAMENT_DIRECTOR}:
        other = Actor(create_user(f"{role}@champions.example", "Other", roles=[role]))
        assert refusal(enter_medal, by=other, **blank) == "forbidden.role"


def test_a_report_counts_before_what_was_entered_and_the_office_sees_both(office):
    office.register(11, 12, 13, 14)
    enter(office, 1, 14, year=2026)
    accept(office, "World", [11, 12, 13, 14], **CHAMPIONSHIP)
    decide(office, "2026-world")
    found = all_podiums(published=False)
    assert places(found) == [[11], [12], [13]]
    (problem,) = found.problems
    assert (problem.code, problem.tournaments) == (ProblemCode.ENTERED_TOO, ["2026-world"])
    assert places(all_podiums(published=True)) == [[14], [], []]  # until a list counts the report


@pytest.mark.django_db(transaction=True)
def test_of_two_officers_who_enter_one_medal_one_does(office):
    office.register(11)
    outcomes = run_concurrently(*[partial(enter, office, 1, 11)] * 2)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["DomainError", "EnteredMedal"]
    assert EnteredMedal.objects.count() == 1


@pytest.mark.database_role("web")
@pytest.mark.parametrize("model", [EnteredMedal, MedalWithdrawal, TitleMatchStep])
def test_no_role_has_the_right_to_change_what_was_written(model):
    for change in (f"UPDATE {model._meta.db_table} SET by_id = by_id", f"DELETE FROM {model._meta.db_table}"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(change)


# --- title matches, by hand from R75


def right(year=2026):
    match = find_title_match(WORLD, year)
    return match.pair and tuple(one.numbers["fmjd"] for one in match.pair)


def step(office, move, number=None, *, year=2026, on=date(2026, 10, 1), **values):
    who = player(number) if number else None
    return record_title_match(
        kind=WORLD, year=year, move=move, on=on, by=office.director, player=who, **values
    )


def played(office, year, winner):
    return step(office, Move.PLAY, winner, year=year, on=date(year, 12, 1), result="13–11")


def test_the_new_champion_meets_the_former_one(office, world):
    enter(office, 1, 15)
    played_2024 = [enter(office, 2, 14), played(office, 2024, 15)]
    assert all(played_2024)
    # The champion of 2026 is 11, the former one is 15.
    assert right() == (11, 15)
    assert find_title_match(WORLD, 2026).former_since == 2024
    # The former champion refuses: the next medallist takes the place, 12, then 13; not the fourth.
    step(office, Move.REFUSE, 15)
    assert right() == (11, 12)
    step(office, Move.REFUSE, 12)
    assert right() == (11, 13)
    step(office, Move.REFUSE, 13)
    match = find_title_match(WORLD, 2026)
    assert (match.pair, match.no_right) == (None, NoRight.TOO_FEW)
    assert match.holder == player(11)
    step(office, Move.CANCEL, reason="No two players.")
    assert find_title_match(WORLD, 2026).ended.written.move == Move.CANCEL


def test_a_champion_who_stays_meets_the_second(office, world):
    enter(office, 1, 11)
    enter(office, 2, 15)
    played(office, 2024, 11)
    assert right() == (11, 12)


def test_without_the_previous_match_numbers_one_and_two_have_the_right(office, world):
    enter(office, 1, 15)
    enter(office, 2, 14)
    step(office, Move.CANCEL, year=2024, on=date(2025, 1, 5), reason="No organiser.")
    # The former champion 15 lost the right with the match of 2024 that was not played (art. 11.2).
    assert right() == (11, 12)


def test_who_wins_the_match_holds_the_title_when_the_next_championship_begins(office, world):
    enter(office, 1, 15)
    enter(office, 2, 14)
    played(office, 2024, 14)
    assert find_title_match(WORLD, 2024).holder == player(14)
    assert right() == (11, 14)


def test_a_shared_place_or_a_name_outside_the_register_leaves_the_right_open(office):
    office.register(11, 12)
    enter(office, 1, 11)
    enter(office, 2, name="Old Master")
    match = find_title_match(WORLD, 2024)
    assert (match.pair, match.no_right) == (None, NoRight.PLACES_UNCLEAR)
    enter(office, 1, 12)
    assert find_title_match(WORLD, 2024).no_right == NoRight.CHAMPION_UNKNOWN


def test_medals_under_a_recorded_title_match_do_not_change(office, world):
    former, second = enter(office, 1, 15), enter(office, 2, 14)
    third = enter(office, 3, 13)
    played(office, 2024, 15)
    for medal in (former, second):
        key = refusal(withdraw_medal, medal=medal, reason="Wrong.", by=office.officer)
        assert key == "title_match_recorded"
    assert refusal(enter, office=office, place=1, number=12) == "title_match_recorded"  # no champion then
    withdraw_medal(medal=third, reason="Wrong.", by=office.officer)  # not of the match
    # 11 meets 15; after a championship of 2025 without a match it would be 12.
    step(office, Move.PLAY, 11, result="13–11")
    assert refusal(enter, office=office, place=1, number=14, year=2025) == "title_match_recorded"
    step(office, Move.WITHDRAW, reason="Wrong.")
    assert enter(office, 1, 14, year=2025)
    assert right() == (11, 12)


def test_without_silver_and_bronze_the_right_is_not_known(office):
    office.register(11, 12, 13)
    enter(office, 1, 11)
    assert find_title_match(WORLD, 2024).no_right == NoRight.NOT_ENTERED
    enter(office, 2, 12)
    step(office, Move.REFUSE, 12, year=2024)
    assert find_title_match(WORLD, 2024).no_right == NoRight.NOT_ENTERED  # 13 is to come
    enter(office, 3, 13)
    assert right(2024) == (11, 13)


def test_only_who_has_the_right_refuses_or_wins_and_an_end_is_an_end(office, world):
    act = partial(step, office)
    assert right() == (11, 12)
    assert refusal(act, move=Move.REFUSE, number=13) == "no_right_to_match"
    assert refusal(act, move=Move.PLAY, number=13, result="13–11") == "no_right_to_match"
    assert refusal(act, move=Move.REFUSE) == "match_player_missing"
    assert refusal(act, move=Move.PLAY, result="13–11") == "match_player_missing"
    assert refusal(act, move=Move.PLAY, number=11) == "result_missing"
    assert refusal(act, move=Move.CANCEL) == "reason_missing"
    assert refusal(act, move=Move.WITHDRAW, reason="Wrong.") == "nothing_to_withdraw"
    assert refusal(act, move=Move.REFUSE, number=12, on=date(2025, 12, 31)) == "match_day_outside"
    assert refusal(act, move=Move.REFUSE, number=12, year=2020, on=date(2020, 5, 1)) == "no_championship"
    assert refusal(act, move=Move.REFUSE, number=12, seen=1) == "preview_changed"
    act(Move.PLAY, 12, result=" 13–11 ", seen=0)
    assert find_title_match(WORLD, 2026).holder == player(12)
    assert refusal(act, move=Move.REFUSE, number=11) == "title_match_ended"
    act(Move.WITHDRAW, reason="The other one won.")
    assert find_title_match(WORLD, 2026).holder == player(11)
    act(Move.CANCEL, 11, reason="No organiser.")  # the player who is still chosen in the form
    cancelled = find_title_match(WORLD, 2026)
    assert (cancelled.ended.player, cancelled.holder) == (None, player(11))
    act(Move.WITHDRAW, reason="It has one.")
    act(Move.PLAY, 11, result="13–11")
    log = LogEntry.objects.filter(subject="title-match world-100-classic-2026").order_by("pk")
    assert [entry.action.removeprefix("title_match.") for entry in log] == [
        "play", "withdraw", "cancel", "withdraw", "play",
    ]  # fmt: skip
    other = Actor(create_user("council@champions.example", "Council", roles=[Role.TITLE_COUNCIL]))
    cancel = {"kind": WORLD, "year": 2026, "move": Move.CANCEL, "on": date(2026, 10, 1)}
    assert refusal(record_title_match, by=other, **cancel) == "forbidden.role"


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("13-11", "13–11"),
        (" 13 – 11 ", "13–11"),
        ("6.5-5.5", "6½–5½"),
        ("6½–5½", "6½–5½"),
        ("12–12", "12–12"),
        *((written, None) for written in ("foo bar", "9-15", "13", "13–", "13–11–2", "13.3–10.7")),
    ],
)
def test_a_result_is_the_points_of_both_the_winner_first(office, world, written, stored):
    act = partial(step, office, move=Move.PLAY, number=11, result=written)
    if stored is None:
        assert refusal(act) == "result_missing.points"
    else:
        assert act().result == stored


def test_no_step_is_before_the_step_that_gave_the_right(office, world):
    step(office, Move.REFUSE, 12, on=date(2026, 10, 3))
    before = partial(step, office, move=Move.REFUSE, on=date(2026, 10, 2))
    assert refusal(before, number=13) == "match_day_outside"
    # What was withdrawn does not count: 12, who has the right again, refused a day earlier.
    step(office, Move.WITHDRAW, on=date(2026, 10, 4), reason="The day was wrong.")
    assert before(number=12)


@pytest.mark.django_db(transaction=True)
def test_of_two_officers_who_record_one_match_one_does(office, world):
    outcomes = run_concurrently(
        partial(step, office, Move.PLAY, 11, result="13–11"),
        partial(step, office, Move.PLAY, 12, result="13–11"),
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["DomainError", "TitleMatchStep"]
