"""Merges next to corrections: what a revision is read with, whose day and whose games stay whose (R5a, R12, R24).

Ratings by hand: all play at 120 minutes (100 % of K), with over 30 games and under 2300, so K = 15 and
ΔR = 7.5 × (W − We) (Annex 9 art. 3.2). Against an equal two wins are 4 points where 2 are expected: 15 up, 15 down.
"""

from datetime import date

import pytest

from ratings.models import PlayerHistory, RatingList
from ratings.production.correct_list import withdraw_correction
from ratings.published.selectors.players import find_player
from ratings.published.selectors.rating_explanation import rating_explanation
from tests.services.correction_helpers import correct, published_files_by_list, unseen_alterations
from tests.services.report_helpers import refusal, whole
from tests.services.test_merge_players import ONE_EACH, TWO_WINS, file, merge, standing, undo

pytestmark = pytest.mark.usefixtures("lists_that_follow")
APRIL, JULY, OCTOBER = (date(2026, month, 1) for month in (4, 7, 10))
SPRING = {"played_from": date(2026, 2, 6), "played_to": date(2026, 2, 8)}
CUP = {"played_from": date(2026, 2, 20), "played_to": date(2026, 2, 22)}
MAY = {"played_from": date(2026, 5, 1), "played_to": date(2026, 5, 3)}
OPENING = "fmjd_id rating games\n" + "\n".join(f"{number} 2000 100" for number in (11, 12, 13, 14))
DRAWER = {"admitted_reason": "found in a drawer"}


def again(office, name, numbers, games, **details):
    return office.accept(name, numbers, games, corrects=f'"2026-{name.lower()}"', **details)


def activity(office, rating_list, number):
    row = office.row(rating_list, number)
    return row.last_game, row.category


# --- the merges of a revision


@whole
def test_a_merge_enters_no_correction_of_reports_that_have_nothing_to_do_with_it(office):
    """Two wins of a newcomer against 2000: 2000 + 935, limited to 2400 (R4). To 13 a newcomer brings nothing (R8)."""
    office.opening(OPENING + "\n21 2000 40")
    office.register(31)
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    office.accept("Newcomercup", [31, 13], TWO_WINS, **CUP)
    april = office.run(APRIL)
    unmoved = {13: [2000, 100], 14: [2000, 100], 21: [2000, 40], 31: [2400, 2]}
    assert standing(april) == unmoved | {11: [2015, 102], 12: [1985, 102]}
    merge(office, duplicate=21, surviving=31)
    correct(office, april, excluded_tournaments=["2026-spring"])
    revision = office.run(APRIL)
    assert standing(revision) == unmoved | {11: [2000, 100], 12: [2000, 100]}
    july = office.run(JULY)
    # The next list reads the two as one: the rating of 31, the games of both.
    del unmoved[21]
    assert standing(july) == unmoved | {11: [2000, 100], 12: [2000, 100], 31: [2400, 42]}


@whole
def test_nor_one_of_a_list_that_rests_on_a_replaced_one(office):
    """31 stands on April's first revision, which July rests on; that April has a second one since is no matter."""
    office.opening(OPENING + "\n21 2200 40")
    office.register(31)
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    office.accept("Newcomercup", [31, 13], TWO_WINS, **CUP)
    april = office.run(APRIL)
    office.accept("May", [11, 12], ONE_EACH, **MAY)
    office.accept("Maycup", [31, 14], ONE_EACH, played_from=date(2026, 5, 8), played_to=date(2026, 5, 10))
    july = office.run(JULY)
    correct(office, april, included_reports=[again(office, "Spring", [11, 12], ONE_EACH, **SPRING).pk])
    office.run(APRIL)
    merge(office, duplicate=21, surviving=31)
    both = again(office, "May", [11, 12], TWO_WINS, **MAY)
    correct(office, july, included_reports=[both.pk])
    revision = office.run(JULY)
    assert standing(revision)[31][1] == 4
    assert standing(revision)[21] == [2200, 40]
    before = standing(july)
    assert {number for number, figures in standing(revision).items() if figures != before[number]} == {11, 12}


@whole
def test_nor_where_the_corrected_report_itself_names_whom_a_replaced_list_rates(office):
    office.opening(OPENING + "\n21 2200 40")
    office.register(31)
    office.accept("Newcomercup", [31, 13], TWO_WINS, **CUP)
    april = office.run(APRIL)
    office.accept("May", [31, 14], ONE_EACH, **MAY)
    july = office.run(JULY)
    correct(office, april)  # the same reports once more: July rests on a replaced list
    office.run(APRIL)
    merge(office, duplicate=21, surviving=31)
    correct(office, july, included_reports=[again(office, "May", [31, 14], TWO_WINS, **MAY).pk])
    revision = office.run(JULY)
    assert (standing(revision)[31][1], standing(revision)[21]) == (4, [2200, 40])


# --- the day of the last game


@whole
def test_the_last_game_is_the_latest_counted_one_on_the_newest_revisions(office):
    lines = "\n".join(f"{number} 2000 100 2020-01-01" for number in (11, 12, 13))
    office.opening(f"fmjd_id rating games last_game\n{lines}")
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    april = office.run(APRIL)
    autumn = {"played_from": date(2025, 10, 31), "played_to": date(2025, 11, 2)}
    office.accept("Autumn", [11, 13], TWO_WINS, received="2026-04-20", **DRAWER, **autumn)
    july = office.run(JULY)
    assert activity(office, july, 11) == (date(2026, 2, 8), "A")
    correct(office, april, excluded_tournaments=["2026-spring"])
    assert activity(office, office.run(APRIL), 11) == (date(2020, 1, 1), "C")
    october = office.run(OCTOBER)
    assert activity(office, october, 11) == (date(2025, 11, 2), "A")
    assert activity(office, october, 12) == (date(2020, 1, 1), "C")


@whole
def test_a_newcomer_of_a_carried_correction_keeps_the_last_game_whatever_list_is_asked(office):
    """31 is on January's revision, not on July's second one, whose row is asked for the days of others.

    Two games on 20 and 21 Nov 2025 with 2000, one won each: 2000 (R7). Two games in all: within three years of
    15 Sep 2026 category B (R12).
    """
    office.opening(OPENING, in_force=date(2025, 10, 1))
    office.register(31)
    autumn = {"played_from": date(2025, 11, 7), "played_to": date(2025, 11, 8)}
    found = {"played_from": date(2025, 11, 20), "played_to": date(2025, 11, 21)}
    summer = {"played_from": date(2026, 8, 1), "played_to": date(2026, 8, 2)}
    office.accept("Autumn", [11, 12], ONE_EACH, **autumn)
    january = office.run(date(2026, 1, 1))
    office.accept("Winter", [13, 14], ONE_EACH, **SPRING)
    office.run(APRIL)
    office.accept("Spring", [13, 14], ONE_EACH, **MAY)
    july = office.run(JULY)
    late = office.accept("Found", [31, 13], ONE_EACH, received="2026-07-20", **DRAWER, **found)
    correct(office, january, included_reports=[late.pk])
    office.run(date(2026, 1, 1))
    office.accept("Summer", [13, 14], ONE_EACH, **summer)
    october = office.run(OCTOBER)
    assert standing(october)[31] == [2000, 2]
    assert activity(office, october, 31) == (date(2025, 11, 21), "B")
    correct(office, july, later="revise", excluded_tournaments=["2026-spring"])
    office.run(JULY)
    revision = office.run(OCTOBER)
    assert standing(revision)[31] == [2000, 2]
    assert activity(office, revision, 31) == (date(2025, 11, 21), "B")
    before, after = standing(october), standing(revision)
    assert {number for number, figures in before.items() if figures != after[number]} == {13, 14}


@whole
def test_a_day_moved_by_a_correction_alone_is_no_difference_that_is_carried(office):
    """The Spring was played a week later: no rating and no count moves, and October knows the day all the same."""
    office.opening(OPENING)
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    april = office.run(APRIL)
    office.run(JULY)
    later = {"played_from": date(2026, 2, 13), "played_to": date(2026, 2, 15)}
    correct(office, april, included_reports=[again(office, "Spring", [11, 12], TWO_WINS, **later).pk])
    office.run(APRIL)
    october = office.run(OCTOBER)
    assert office.row(october, 11).last_game == date(2026, 2, 15)
    assert file(october, "carried.csv").splitlines()[1:] == []


@whole
def test_a_revision_of_all_later_lists_above_a_carried_correction_reads_the_newest_days(office):
    """April corrected, carried by no list yet; then October with all after it: it starts from July, which rests on
    April's first revision, and reads 2300, games of three years and days from April's second (R5a)."""
    office.opening("fmjd_id rating games last_game\n11 2000 100 2020-01-01\n12 2000 100 2020-01-01")
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    april = office.run(APRIL)
    office.run(JULY)
    october = office.run(OCTOBER)
    correct(office, april, excluded_tournaments=["2026-spring"])
    office.run(APRIL)
    correct(office, october, later="revise")
    revision = office.run(OCTOBER)
    assert (standing(revision)[11], activity(office, revision, 11)) == ([2015, 102], (date(2020, 1, 1), "C"))
    assert office.row(revision, 11).games_3_years == 0
    opening, july = RatingList.objects.get(is_opening=True), RatingList.objects.get(in_force=JULY)
    read = (opening, RatingList.objects.get(in_force=APRIL, revision=2), july)
    assert file(revision, "lists-read.csv").splitlines() == [
        "list,sha256,use",
        *(f"fmjd-100/{one.in_force}/r{one.revision},{one.sha256},read" for one in read),
    ]


@whole
def test_after_an_undone_merge_each_record_has_its_own_last_game(office):
    office.opening(
        "fmjd_id rating games last_game\n11 2000 100 2021-01-01\n12 2000 100 2021-01-01\n21 2000 40 2025-12-01"
    )
    merged = merge(office)
    april = office.run(APRIL)
    assert activity(office, april, 11) == (date(2025, 12, 1), "A")
    undo(office, merged)
    july = office.run(JULY)
    assert activity(office, july, 11) == (date(2021, 1, 1), "C")
    assert activity(office, july, 21) == (date(2025, 12, 1), "A")


# --- two again, and a correction came in between


@whole
@pytest.mark.parametrize(("games", "rating"), [(ONE_EACH, 2000), (TWO_WINS, 2015)])
def test_a_report_corrected_to_name_the_kept_record_stays_with_it(office, games, rating):
    """21 played the Spring by mistake of the first report; the corrected one names 31, who takes up 21's 2000 while
    they are one. Two again, 21 has 40 games at 2000, as before the Spring; 31 keeps the two games and what they made.
    """
    office.opening(OPENING + "\n21 2000 40")
    office.register(31)
    office.accept("Spring", [21, 12], TWO_WINS, **SPRING)
    april = office.run(APRIL)
    assert standing(office.run(JULY))[21] == [2015, 42]
    merged = merge(office, duplicate=21, surviving=31)
    correct(office, april, included_reports=[again(office, "Spring", [31, 12], games, **SPRING).pk])
    office.run(APRIL)
    undo(office, merged)
    october = office.run(OCTOBER)  # for one list more they are one: it carries what the correction moved
    assert standing(october)[31] == [rating, 42]
    january = office.run(date(2027, 1, 1))
    assert standing(january)[21] == [2000, 40]
    assert standing(january)[31] == [rating, 2]
    assert office.row(january, 31).last_game == date(2026, 2, 8)
    assert office.row(january, 21).last_game == date(2025, 12, 31)


@whole
def test_a_rating_of_the_opening_list_needs_no_game_to_stay(office):
    office.opening("fmjd_id rating games\n11 2000 0\n12 2000 100\n21 2000 40")
    merged = merge(office)
    assert standing(office.run(APRIL))[11] == [2000, 40]
    undo(office, merged)
    assert standing(office.run(JULY)) == {11: [2000, 0], 12: [2000, 100], 21: [2000, 40]}


@whole
@pytest.mark.parametrize("undone", [True, False])
def test_a_correction_of_a_record_that_no_later_list_shows_is_not_carried(office, undone):
    """April counts the Spring for 31 at the rating of 21. Two again, 31 has its game left on April alone: the revision
    of July without its other one does not list it, so no points can be put to it (the twin: still one, July lists it).
    """
    office.opening(OPENING + "\n21 2000 40")
    office.register(31)
    merged = merge(office, duplicate=21, surviving=31)
    april = office.run(APRIL)
    assert standing(april)[31] == [2000, 40]
    if undone:
        undo(office, merged)
    july = office.run(JULY)
    assert (31 in standing(july)) is not undone
    late = office.accept("Late", [31, 12], TWO_WINS, received="2026-04-20", **DRAWER, **SPRING)
    correct(office, april, included_reports=[late.pk])
    if undone:
        assert refusal(office.run, APRIL).code == "carry_impossible"
        withdraw_correction(period=april.period, reason="Revise them all.", by=office.officer)
        correct(office, april, later="revise", included_reports=[late.pk])
        assert standing(office.run(APRIL))[31] == [2015, 42]
        july = office.run(JULY)
        assert {number: standing(july)[number] for number in (21, 31)} == {21: [2000, 40], 31: [2015, 2]}
    else:
        office.run(APRIL)
        assert standing(office.run(OCTOBER))[31] == [2015, 42]


@whole
def test_a_carried_difference_is_of_the_record_merged_first(office):
    """31 is on no list: 21, merged first, gives the rating, 22 only games (R24). April's correction moves 22 and 12."""
    office.opening(OPENING + "\n21 2000 40\n22 2000 40")
    office.register(31)
    office.accept("Spring", [22, 12], TWO_WINS, **SPRING)
    april = office.run(APRIL)
    assert standing(april)[22] == [2015, 42]
    office.run(JULY)
    correct(office, april, included_reports=[again(office, "Spring", [22, 12], ONE_EACH, **SPRING).pk])
    office.run(APRIL)
    merge(office, duplicate=21, surviving=31)
    merge(office, duplicate=22, surviving=31)
    october = office.run(OCTOBER)
    assert {number: standing(october)[number] for number in (12, 31)} == {12: [2000, 102], 31: [2000, 82]}


# --- the change of a record


@whole
def test_the_change_of_a_record_that_the_list_before_does_not_have_is_empty(office):
    office.opening(OPENING + "\n21 2000 40")
    office.register(31)
    merged = merge(office, duplicate=21, surviving=31)
    office.accept("Spring", [31, 12], TWO_WINS, **SPRING)
    april = office.run(APRIL)
    # 31 plays at 21's 2000 and is not on the opening list; 12 is: 1985.
    assert (standing(april)[31], office.row(april, 31).change) == ([2015, 42], None)
    assert office.row(april, 12).change == -15
    history = PlayerHistory.objects.get(list=april, player__numbers__fmjd=31)
    shown = rating_explanation(find_player("31"), history)
    assert shown.total.working == "2000 + 15.0000 = 2015.0000"
    undo(office, merged)
    july = office.run(JULY)
    assert (standing(july)[21], office.row(july, 21).change) == ([2000, 40], None)
    assert (standing(july)[31], office.row(july, 31).change) == ([2015, 2], 0)


@whole
def test_a_record_that_begins_again_is_compared_with_what_the_list_before_printed_of_it(office):
    office.opening(OPENING + "\n21 2000 40")
    office.register(31)
    merged = merge(office, duplicate=21, surviving=31)
    assert standing(office.run(APRIL))[31] == [2000, 40]
    undo(office, merged)
    office.accept("May", [31, 12], ONE_EACH, **MAY)
    july = office.run(JULY)
    # Two games with 2000, one won each: a first result of 2000, where the list before printed 2000 as well.
    assert (standing(july)[31], office.row(july, 31).change) == ([2000, 2], 0)


# --- what the files say


@whole
def test_the_file_of_merges_says_in_which_order_and_whose_rating_counts(office):
    office.opening(OPENING.replace("11 2000", "11 2050") + "\n21 2000 40")
    office.register(31)
    merge(office, duplicate=21, surviving=31)
    merge(office, duplicate=11, surviving=31)
    merge(office, duplicate=13, surviving=12)
    april = office.run(APRIL)
    assert file(april, "merged.csv").splitlines() == [
        "order,fmjd_id,surviving_fmjd_id,state,rating_of,rating,games,list",
        "1,21,31,merged,21,,,",
        "2,11,31,merged,21,,,",
        "3,13,12,merged,12,,,",
    ]
    assert standing(april) == {31: [2000, 140], 12: [2000, 200], 14: [2000, 100]}


@whole
def test_every_altered_cell_of_revisions_carried_corrections_and_merges_is_seen(office):
    """21 and 31 are one until October, which carries April's correction; then July and October are revised."""
    office.opening(OPENING + "\n21 2000 40")
    office.register(31)
    merged = merge(office, duplicate=21, surviving=31)
    merge(office, duplicate=14, surviving=13)
    office.accept("Spring", [11, 12, 31], [*TWO_WINS, "3 1 3 2-0", "3 2 0 2-0"], **SPRING)
    april = office.run(APRIL)
    office.accept("May", [11, 31], ONE_EACH, session='["120+0", "60+0"]', **MAY)
    july = office.run(JULY)
    corrected = again(office, "Spring", [11, 12, 31], [*ONE_EACH, "3 1 3 2-0", "3 2 0 2-0"], **SPRING)
    correct(office, april, included_reports=[corrected.pk])
    office.run(APRIL)
    undo(office, merged)
    office.run(OCTOBER)
    correct(office, july, later="revise", excluded_tournaments=["2026-may"])
    office.run(JULY)
    office.run(OCTOBER)
    files = published_files_by_list()
    names = {name for of_list in files.values() for name in of_list}
    assert {"differences.csv", "carried.csv", "merged.csv"} <= names
    assert [cell for address in files for cell in unseen_alterations(files, address, [0, 1, -1])] == []
