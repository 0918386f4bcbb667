"""Two records that were one person for some lists, and are two again: whose games and corrections are whose (R24).

Ratings by hand as in test_merge_players: two wins against an equal are 15 points up, 15 down; one win each is nothing.
"""

from datetime import date

import pytest

from ratings.models import CalculationRun, CarriedDifference, Period
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.production.correct_list import withdraw_correction
from reporting.models import Entry, Player
from reporting.register.services.merge_players import merge_players, undo_merge
from reporting.reports.services.review import accept_report, undo_acceptance
from tests.services.correction_helpers import correct
from tests.services.report_helpers import refusal, whole
from tests.services.test_merge_players import (
    APRIL,
    JULY,
    OCTOBER,
    ONE_EACH,
    SPRING,
    TWO_WINS,
    file,
    merge,
    player,
    standing,
    undo,
)

pytestmark = pytest.mark.usefixtures("two_records_shared", "lists_that_follow")
JANUARY = date(2026, 1, 1)
NOBODY_PLAYED = {11: [2000, 100], 12: [2000, 100], 13: [2000, 100], 21: [2000, 40]}


def again(office, numbers, games=TWO_WINS):
    """A corrected report of the Spring."""
    return office.accept("Spring", numbers, games, corrects='"2025-spring"', **SPRING)


@whole
def test_games_reported_while_they_were_one_and_counted_by_no_list_are_of_the_record_named(office):
    merged = merge(office)
    office.accept("Spring", [21, 12], TWO_WINS, **SPRING)
    undo(office, merged)
    # 21's own 2000 and 40 games; 11 has not played.
    assert standing(office.run(APRIL)) == NOBODY_PLAYED | {21: [2015, 42], 12: [1985, 102]}


@whole
@pytest.mark.parametrize("merged_in_july", [True, False])
def test_a_correction_carried_while_they_were_one_stays_with_its_record(office, april_of_21, merged_in_july):
    if merged_in_july:
        merged = merge(office)
    office.run(JULY)
    if not merged_in_july:
        merged = merge(office)
    correct(office, april_of_21, excluded_tournaments=["2025-spring"])
    assert standing(office.run(APRIL)) == NOBODY_PLAYED
    # Two of 11's 142 games go; their rating is their own.
    assert standing(office.run(OCTOBER)) == {11: [2000, 140], 12: [2000, 100], 13: [2000, 100]}
    undo(office, merged)
    january = office.run(JANUARY)
    assert standing(january) == NOBODY_PLAYED
    last = "fmjd-100/2025-04-01/r1" if merged_in_july else "fmjd-100/2025-07-01/r1"
    assert file(january, "merged.csv").splitlines()[1:] == [f"1,21,11,undone,,2000,40,{last}"]


@whole
def test_a_record_kept_before_it_went_itself_takes_back_only_its_own_games(office):
    """21 is 11 in April. Then they are two again, and 11 is 12 in July; in October all are three again.

    Of the 140 games that April gave 11, 40 are 21's: they did not go from 11 to 12, and do not come back from there.
    """
    merged = merge(office)
    april = office.run(APRIL)
    assert standing(april) == {11: [2000, 140], 12: [2000, 100], 13: [2000, 100]}
    undo(office, merged)
    merged = merge(office, duplicate=11, surviving=12)
    assert standing(office.run(JULY)) == {12: [2000, 200], 13: [2000, 100], 21: [2000, 40]}
    undo(office, merged)
    october = office.run(OCTOBER)
    assert standing(october) == NOBODY_PLAYED
    last = "fmjd-100/2025-04-01/r1"
    assert file(october, "merged.csv").splitlines()[1:] == [f"1,11,12,undone,,2000,100,{last}"]


@whole
@pytest.mark.parametrize("merged_again", [False, True])
def test_a_correction_from_one_record_to_the_other_is_carried_before_they_are_two(
    office, april_of_21, merged_again
):
    office.register(31)
    office.run(JULY)
    merged = merge(office, duplicate=21, surviving=31)
    correct(office, april_of_21, included_reports=[again(office, [31, 12], ONE_EACH).pk])
    others = {11: [2000, 100], 12: [2000, 102], 13: [2000, 100]}
    assert standing(office.run(APRIL)) == others | {31: [2000, 42]}
    undo(office, merged)
    if merged_again:
        merge(office, duplicate=21, surviving=31)
    # What 21 lost by the correction counts for 31: for one list more they are one.
    october = office.run(OCTOBER)
    assert standing(october) == others | {31: [2000, 42]}
    carried = CarriedDifference.objects.filter(list=october)
    assert set(carried.values_list("player__numbers__fmjd", "rating")) == {(31, -15), (12, 15)}
    # Two again: the corrected report names 31, whose games stay; 21 has what it had before the Spring.
    january = others | ({31: [2000, 42]} if merged_again else {31: [2000, 2], 21: [2000, 40]})
    assert standing(office.run(JANUARY)) == january


@whole
@pytest.mark.parametrize(
    ("duplicate", "surviving", "january"),
    [(31, 13, {13: [2000, 102], 21: [2000, 40]}), (13, 21, {31: [2000, 2], 21: [2000, 140]})],
)
def test_a_merge_of_either_waits_for_the_list_with_both(office, april_of_21, duplicate, surviving, january):
    """As above: 21 is 31 for one list more. On that list neither is 13, of 2000 and 100 games by the opening list."""
    office.register(31)
    office.run(JULY)
    merged = merge(office, duplicate=21, surviving=31)
    correct(office, april_of_21, included_reports=[again(office, [31, 12], ONE_EACH).pk])
    office.run(APRIL)
    undo(office, merged)
    merge(office, duplicate=duplicate, surviving=surviving)
    others = {11: [2000, 100], 12: [2000, 102]}
    assert standing(office.run(OCTOBER)) == others | {13: [2000, 100], 31: [2000, 42]}
    assert standing(office.run(JANUARY)) == others | january


@whole
def test_a_correction_of_one_who_is_merged_into_a_record_that_gave_all_its_games_back(office, april_of_21):
    """31 is 11 in July, has no game of its own, and is 21 in October: what the correction says of 21 counts for 31."""
    office.register(31)
    merged = merge(office, duplicate=11, surviving=31)
    after_spring = {12: [1985, 102], 13: [2000, 100], 21: [2015, 42]}
    assert standing(office.run(JULY)) == after_spring | {31: [2000, 100]}
    undo(office, merged)
    merge(office, duplicate=21, surviving=31)
    correct(office, april_of_21, included_reports=[again(office, [21, 12], ONE_EACH).pk])
    office.run(APRIL)
    october = office.run(OCTOBER)
    assert standing(october) == {11: [2000, 100], 12: [2000, 102], 13: [2000, 100], 31: [2000, 42]}
    carried = ["12,15,0,fmjd-100/2025-04-01/r2", "31,-15,0,fmjd-100/2025-04-01/r2"]
    assert file(october, "carried.csv").splitlines()[1:] == carried


@whole
def test_a_corrected_report_gives_the_games_back_if_all_later_lists_are_revised(office):
    merged = merge(office)
    office.accept("Spring", [21, 12], TWO_WINS, **SPRING)
    april = office.run(APRIL)
    counted = {11: [2015, 142], 12: [1985, 102], 13: [2000, 100]}
    assert standing(april) == counted
    july = office.run(JULY)
    undo(office, merged)
    report = again(office, [21, 12])
    correct(office, april, included_reports=[report.pk])
    draft = open_for_approval(rating_list=office.run(APRIL, publish=False), by=office.officer)
    two = {11: [2000, 100], 12: [1985, 102], 13: [2000, 100], 21: [2015, 42]}
    assert standing(draft) == two
    # July holds both for one: what April says of 21 can't be put to that.
    signing = {"rating_list": draft, "sha256": draft.sha256, "by": office.officer}
    assert refusal(approve_list, **signing).code == "carry_impossible"
    withdraw_correction(period=april.period, reason="revise instead", by=office.officer)

    correct(office, april, later="revise", included_reports=[report.pk])
    assert standing(office.run(APRIL)) == two
    assert standing(office.run(JULY)) == {11: [2000, 142], 12: [1985, 102], 13: [2000, 100]}  # as it was read
    assert standing(office.run(OCTOBER)) == two
    assert standing(july) == counted


@whole
@pytest.mark.parametrize("together", [False, True])
def test_a_corrected_report_after_the_parting_may_name_both(office, together):
    merged = merge(office)
    office.accept("Spring", [21, 12], TWO_WINS, **SPRING)
    april = office.run(APRIL)
    undo(office, merged)
    if together:  # 21 beats 12 and 11: 15 up, 7.5 down each, and Annex 9 rounds half upwards: 1993
        report = again(office, [21, 12, 11], ["1 1 2 2-0", "2 1 3 2-0"])
        after = {21: [2015, 42], 12: [1993, 101], 11: [1993, 101], 13: [2000, 100]}
    else:
        report = again(office, [21, 12, 11, 13], ["1 1 2 2-0", "1 3 4 2-0", "2 2 1 0-2", "2 4 3 0-2"])
        after = {21: [2015, 42], 11: [2015, 102], 12: [1985, 102], 13: [1985, 102]}
    correct(office, april, included_reports=[report.pk])
    assert standing(office.run(APRIL)) == after
    assert standing(office.run(JULY)) == after


@whole
def test_a_correction_of_something_else_leaves_separated_records_as_the_list_read_them(office):
    """The twin: a revision differs from the list by the correction alone."""
    merged = merge(office)
    office.accept("Spring", [21, 12], TWO_WINS, **SPRING)
    office.accept("Winter", [13, 12], TWO_WINS, played_from=date(2025, 1, 10), played_to=date(2025, 1, 12))
    april = office.run(APRIL)
    undo(office, merged)
    correct(office, april, excluded_tournaments=["2025-winter"])
    assert standing(office.run(APRIL)) == {11: [2015, 142], 12: [1985, 102], 13: [2000, 100]}
    # 21 stands last on the opening list; the Spring, counted for 11, stays with 11.
    assert standing(office.run(JULY)) == NOBODY_PLAYED | {11: [2015, 102], 12: [1985, 102]}


@whole
def test_whom_an_undone_report_brought_in_is_not_entered_next_to_the_one_they_were_merged_with(office):
    newcomer = office.newcomer("Jan", "Zwart")
    report = office.accept("Spring", [newcomer, 11, 12], ["1 1 2 2-0", "2 1 3 2-0"], **SPRING)
    entered = Player.objects.get(last_name="Zwart")
    undo_acceptance(report=report, reason="Look again.", by=office.officer)
    merged = merge_players(duplicate=entered, surviving=player(11), reason="x", by=office.officer)
    report.refresh_from_db()
    refused = refusal(accept_report, report=report, by=office.officer)
    assert refused.code == "same_person_twice"
    assert f"{entered.address} Zwart, Jan" in str(refused)
    assert not Entry.objects.exclude(player=None).exists()
    undo_merge(merge=merged, reason="two persons", by=office.officer)
    accept_report(report=report, by=office.officer)  # the twin
    assert Entry.objects.filter(player=entered).count() == 1
    assert not CalculationRun.objects.exists()
    assert not Period.objects.filter(state="frozen").exists()
