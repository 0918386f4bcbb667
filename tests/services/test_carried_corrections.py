"""What becomes of the lists after a corrected one: carried, revised, who comes and who goes.

Ratings by hand: all play at 120 minutes (100 % of K), with over 30 games and under 2300, so K = 15 and
ΔR = 7.5 × (W − We) (Annex 9 art. 3.2); against an equal a win is 7.5 points, and We is 1 a game.
"""

from datetime import date

from ratings.federations.fmjd.inputs import read_engine_input
from ratings.federations.fmjd.models import FmjdListRow
from ratings.inputs.calculation_inputs import inputs_of_period
from ratings.models import CarriedDifference, RatingList
from ratings.production.correct_list import withdraw_correction
from ratings.production.periods.freeze_period import ensure_period, freeze_period
from reporting.models import Report
from reporting.reports.services.review import accept_report
from tests.services.correction_helpers import (
    APRIL,
    JANUARY,
    JULY,
    MAY,
    OCTOBER,
    ONE_EACH,
    OPENING,
    SPRING,
    SUMMER,
    TWO_LOSSES,
    TWO_WINS,
    again,
    carried,
    correct,
    correct_spring,
    ratings,
    rows,
)
from tests.services.report_helpers import refusal, whole


def listed(rating_list):
    return set(FmjdListRow.objects.filter(list=rating_list).values_list("register_number", flat=True))


# --- carrying


@whole
def test_the_newest_list_is_corrected_and_the_next_one_simply_starts_from_it(office, april_list):
    april, _ = april_list
    correct_spring(office, april)
    revision = office.run(APRIL)
    july = office.run(JULY)
    assert (july.previous, carried(july), ratings(july, 11, 12)) == (revision, {}, (2000, 2000))


@whole
def test_two_corrections_of_one_list_are_carried_together(office, july_list):
    """2015 → 2000 → 1985 in April: 11 loses 30 points, 12 wins them."""
    april, _july = july_list
    for games in (ONE_EACH, TWO_LOSSES):
        newest = RatingList.objects.filter(in_force=APRIL, state="published").latest("revision")
        correct_spring(office, newest, games)
        april = office.run(APRIL)
    assert (april.revision, ratings(april, 11, 12)) == (3, (1985, 2015))
    october = office.run(OCTOBER)
    assert carried(october) == {11: (-30, 0), 12: (30, 0)}
    assert october.carried.count() == 2
    assert ratings(october, 11, 12, 13, 14) == (1985, 2015, 2015, 1985)
    january = office.run(JANUARY)
    assert (carried(january), ratings(january, 11, 12)) == ({}, (1985, 2015))


@whole
def test_corrections_of_two_lists_are_each_carried_once_in_whatever_order(office, july_list):
    """April: 11 and 12 by −15 and +15; July, corrected before it: 13 and 14 by −15 and +15."""
    april, july = july_list
    may = again(office, "2025-may", "May", [13, 14], ONE_EACH, **MAY)
    correct(office, july, included_reports=[may.pk])
    july_2 = office.run(JULY)
    correct_spring(office, april)
    april_2 = office.run(APRIL)
    # July's third revision still rests on April's first: a carried correction moves nothing but itself.
    may_again = again(office, "2025-may", "May", [13, 14], TWO_LOSSES, **MAY)
    correct(office, july_2, included_reports=[may_again.pk])
    july_3 = office.run(JULY)
    assert july_3.input_lists == july.input_lists
    assert april.pk in july_3.input_lists
    assert ratings(july_3, 11, 12, 13, 14) == (2015, 1985, 1985, 2015)
    october = office.run(OCTOBER)
    assert october.input_lists[-2:] == [april_2.pk, july_3.pk]
    # It starts from July's third revision, which has the May as it was; only April's is left to carry.
    assert carried(october) == {11: (-15, 0), 12: (15, 0)}
    assert ratings(october, 11, 12, 13, 14) == (2000, 2000, 1985, 2015)


@whole
def test_after_one_list_carried_all_later_ones_are_revised_and_it_counts_once(office, july_list):
    """April corrected and carried into October; then July is revised with all after it, then April itself."""
    april, july = july_list
    correct_spring(office, april)
    april_2 = office.run(APRIL)
    october = office.run(OCTOBER)
    assert (carried(october), ratings(october, 11, 12)) == ({11: (-15, 0), 12: (15, 0)}, (2000, 2000))

    # From July on: July's revision starts from April's second one, so October has nothing to carry any more.
    correct(office, july, later="revise")
    july_2 = office.run(JULY)
    assert (july_2.previous, ratings(july_2, 11, 12)) == (april_2, (2000, 2000))
    october_2 = office.run(OCTOBER)
    assert (carried(october_2), ratings(october_2, 11, 12)) == ({}, (2000, 2000))

    # And from April on, put right once more: 12 won both games.
    correct_spring(office, april_2, TWO_LOSSES, later="revise")
    assert [ratings(office.run(day), 11, 12) for day in (APRIL, JULY, OCTOBER, JANUARY)] == [(1985, 2015)] * 4
    assert CarriedDifference.objects.count() == 2  # October's first revision alone


@whole
def test_all_lists_revised_from_the_one_that_was_carried_over(office, july_list):
    april, _july = july_list
    correct_spring(office, april)
    april_2 = office.run(APRIL)
    office.run(OCTOBER)
    correct(office, april_2, later="revise")
    revised = [office.run(day) for day in (APRIL, JULY, OCTOBER)]
    assert [revision.revision for revision in revised] == [3, 2, 2]
    figures = [(carried(revision), ratings(revision, 11, 12)) for revision in revised]
    assert figures == [({}, (2000, 2000))] * 3


@whole
def test_an_earlier_correction_not_carried_yet_outlives_the_revision_of_a_later_list(office, july_list):
    """April corrected, not carried yet; then October, not July, is revised: the difference is still to be carried."""
    april, _july = july_list
    october = office.run(OCTOBER)
    correct_spring(office, april)
    office.run(APRIL)
    correct(office, october, later="revise")
    october_2 = office.run(OCTOBER)
    assert (carried(october_2), ratings(october_2, 11, 12)) == ({}, (2015, 1985))
    january = office.run(JANUARY)
    assert (carried(january), ratings(january, 11, 12)) == ({11: (-15, 0), 12: (15, 0)}, (2000, 2000))
    # A revision of the list that carried it carries it again, not twice.
    for later in ("carry", "revise"):
        correct(office, january, later=later)
        january = office.run(JANUARY)
        assert (carried(january), ratings(january, 11, 12)) == ({11: (-15, 0), 12: (15, 0)}, (2000, 2000))
    assert january.revision == 3


@whole
def test_the_carried_points_are_added_once_and_never_own_rating_of_an_event(office):
    """Own rating of the Summer is July's, 2015: 11 beats 15, also 2015, twice: 7.5 × (4 − 2) = 15.

    Start 2015 − 15 (carried) = 2000, and 15 more: 2015.
    """
    office.opening(OPENING + "\n17 2015 100", in_force=date(2025, 1, 1))
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    april = office.run(APRIL)
    office.run(JULY)
    correct_spring(office, april)
    office.run(APRIL)
    office.accept("Summer", [11, 17], TWO_WINS, **SUMMER)
    october = office.run(OCTOBER)
    (change,) = office.changes(october, 11)
    assert (change.own_e4, change.delta_e4, change.before_e4) == (20_150_000, 150_000, 20_000_000)
    assert change.after_e4 == 20_150_000
    assert (ratings(october, 11), rows(october, 11)[0].change) == ((2015,), 0)


@whole
def test_the_details_digest_contains_what_is_carried(office, july_list):
    april, _july = july_list
    period = ensure_period(pool=april.pool, in_force=OCTOBER, by=office.officer)
    freeze_period(period=period, reason="a test", by=office.officer)
    before = read_engine_input(inputs_of_period(period, None)).digest()
    correct(office, april)  # the same reports once more: nothing differs
    office.run(APRIL)
    sources = inputs_of_period(period, None)
    assert (len(sources.carried), read_engine_input(sources).digest()) == (1, before)
    correct_spring(office, RatingList.objects.get(in_force=APRIL, revision=2))
    office.run(APRIL)
    assert read_engine_input(inputs_of_period(period, None)).digest() != before


# --- who comes and who goes


@whole
def test_who_comes_by_a_correction_joins_the_next_list_and_who_goes_leaves_it(office, opening_list):
    """The first report had a newcomer, 17, by mistake; it was another, 18. Two draws with 2000: 2000 (art. 3.3.2)."""
    draws = ["1 1 2 1-1", "2 2 1 1-1"]
    office.accept("Spring", [11, office.newcomer("Nova", "Kometa")], draws, **SPRING)
    april = office.run(APRIL)
    july = office.run(JULY)
    assert rows(july, 17)[0].rating == 2000
    other = [11, office.newcomer("Stella", "Polaris")]
    assert refusal(again, office, "2025-spring", "Spring", other, draws, **SPRING).code == "newcomers_unclear"
    waiting = Report.objects.get(state="submitted")
    report = accept_report(report=waiting, by=office.officer, newcomers_are_others=True)
    correct(office, april, included_reports=[report.pk])
    revision = office.run(APRIL)
    assert (17 in listed(revision), 18 in listed(revision)) == (False, True)
    october = office.run(OCTOBER)
    assert carried(october) == {17: (-2000, -2), 18: (2000, 2)}
    assert (17 in listed(october), 18 in listed(october)) == (False, True)
    row = rows(october, 18)[0]
    assert (row.rating, row.games, row.last_game) == (2000, 2, date(2025, 2, 9))


@whole
def test_who_went_and_played_later_can_t_be_carried_but_revised(office, opening_list):
    draws = ["1 1 2 1-1", "2 2 1 1-1"]
    office.accept("Spring", [11, office.newcomer("Nova", "Kometa")], draws, **SPRING)
    april = office.run(APRIL)
    office.names[17] = ("Nova", "Kometa")
    office.accept("May", [17, 12], draws, **MAY)
    office.run(JULY)
    report = again(office, "2025-spring", "Spring", [11, 13], draws, **SPRING)
    correct(office, april, included_reports=[report.pk])
    assert refusal(office.run, APRIL).code == "carry_impossible"
    withdraw_correction(period=april.period, reason="they played later", by=office.officer)
    correct(office, april, later="revise", included_reports=[report.pk])
    assert 17 not in listed(office.run(APRIL))
    july = office.run(JULY)
    # Their two draws of the May are their first now.
    assert (rows(july, 17)[0].rating, rows(july, 17)[0].games) == (2000, 2)


@whole
def test_who_would_come_by_two_corrections_is_not_added_twice(office, july_list):
    """A newcomer whose two tournaments were reported under a wrong name: 2000 and 2000 are not 4000."""
    april, july = july_list
    draws = ["1 1 2 1-1", "2 2 1 1-1"]
    spring = again(office, "2025-spring", "Spring", [11, office.newcomer("Nova", "Kometa")], draws, **SPRING)
    office.names[17] = ("Nova", "Kometa")
    may = again(office, "2025-may", "May", [13, 17], draws, **MAY)
    correct(office, april, included_reports=[spring.pk])
    office.run(APRIL)
    correct(office, july, included_reports=[may.pk])
    # July is the newest list: its revision would list them, and April's difference brings them too.
    assert refusal(office.run, JULY).code == "carry_impossible"
    withdraw_correction(period=july.period, reason="they came twice", by=office.officer)
    # The way that is left: all from April on.
    correct(office, RatingList.objects.get(in_force=APRIL, revision=2), later="revise")
    office.run(APRIL)
    july_2 = office.run(JULY)
    correct(office, july_2, included_reports=[may.pk])
    july_3 = office.run(JULY)
    assert (rows(july_3, 17)[0].rating, rows(july_3, 17)[0].games) == (2000, 4)
    october = office.run(OCTOBER)
    assert (carried(october), rows(october, 17)[0].rating) == ({}, 2000)


@whole
def test_who_went_by_mistake_comes_back_by_the_next_correction(office, opening_list):
    draws = ["1 1 2 1-1", "2 2 1 1-1"]
    first = office.accept("Spring", [11, office.newcomer("Nova", "Kometa")], draws, **SPRING)
    april = office.run(APRIL)
    office.run(JULY)
    correct(office, april, excluded_tournaments=["2025-spring"])
    correct(office, office.run(APRIL), included_reports=[first.pk])
    office.run(APRIL)
    october = office.run(OCTOBER)
    assert (rows(october, 17)[0].rating, rows(october, 17)[0].games) == (2000, 2)
    assert {number for number, difference in carried(october).items() if difference != (0, 0)} == set()
