"""Closing dates, lateness, editions of the rules, and what a time control does to K."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.federations.fmjd.rules.calendar import basis_of, next_period, period_of, previous_period
from ratings.federations.fmjd.rules.development import development_percentage, tempo
from ratings.federations.fmjd.rules.parameters import ANNEX_9_2024_04, EDITIONS, edition_in_force
from ratings.rules.days import day_number, day_of_number, months_before, years_before

LAW = ANNEX_9_2024_04


@pytest.mark.parametrize(
    ("day", "closing", "played_before", "freezes_on", "in_force"),
    [
        # The closing day is inside, the day after belongs to the next period.
        ((2026, 3, 15), (2026, 3, 15), (2026, 3, 16), (2026, 3, 23), (2026, 4, 1)),
        ((2026, 3, 16), (2026, 6, 15), (2026, 6, 16), (2026, 6, 23), (2026, 7, 1)),
        ((2026, 9, 15), (2026, 9, 15), (2026, 9, 16), (2026, 9, 23), (2026, 10, 1)),
        ((2026, 12, 15), (2026, 12, 15), (2026, 12, 16), (2026, 12, 23), (2027, 1, 1)),
        ((2026, 12, 16), (2027, 3, 15), (2027, 3, 16), (2027, 3, 23), (2027, 4, 1)),
        ((2026, 1, 1), (2026, 3, 15), (2026, 3, 16), (2026, 3, 23), (2026, 4, 1)),
    ],
)
def test_a_last_round_is_of_the_period_that_closes_next(day, closing, played_before, freezes_on, in_force):
    period = period_of(LAW, date(*day))
    assert period.closing == date(*closing)
    assert period.played_before == date(*played_before)
    assert period.freezes_on == date(*freezes_on)
    assert period.in_force == date(*in_force)


@given(st.dates(date(1980, 1, 1), date(2100, 1, 1)))
def test_periods_follow_each_other_without_gap_or_overlap(day):
    period = period_of(LAW, day)
    before, after = previous_period(LAW, period), next_period(LAW, period)
    assert before.played_before <= day < period.played_before
    assert next_period(LAW, before) == period
    assert previous_period(LAW, after) == period
    assert after.in_force > period.in_force > period.freezes_on


def test_ratings_come_from_the_list_in_force_on_the_first_day_or_the_earliest_one():
    held = [date(2026, 1, 1), date(2026, 4, 1), date(2026, 7, 1)]
    days = [date(2020, 5, 5), date(2026, 1, 1), date(2026, 3, 31), date(2026, 4, 1), date(2027, 1, 1)]
    assert [basis_of(held, day) for day in days] == [0, 0, 0, 1, 2]
    with pytest.raises(ValueError, match="no list"):
        basis_of([], days[0])


def test_years_are_counted_back_by_the_calendar():
    assert years_before(date(2026, 6, 15), 3) == date(2023, 6, 15)
    assert years_before(date(2024, 2, 29), 4) == date(2020, 2, 29)
    assert years_before(date(2024, 2, 29), 3) == date(2021, 2, 28)
    assert months_before(date(2026, 3, 31), 13) == date(2025, 2, 28)
    assert months_before(date(2026, 1, 1), 3) == date(2025, 10, 1)


@given(st.dates())
def test_a_day_number_is_turned_back_into_its_day(day):
    assert day_of_number(day_number(day)) == day


def test_day_numbers_begin_in_1970():
    assert day_number(date(1970, 1, 1)) == 0
    assert day_number(date(1969, 12, 31)) == -1
    assert day_number(date(2026, 6, 15)) == 20_619


def test_the_numbers_of_the_law_are_those_of_the_annex_and_cannot_be_changed_in_place():
    assert (LAW.minimum_performance, LAW.maximum_performance, LAW.provisional_games) == (1900, 2400, 25)
    assert (LAW.k_new, LAW.k_standard, LAW.k_reached, LAW.k_new_games, LAW.k_reached_rating) == (
        25, 15, 10, 30, 2300,
    )  # fmt: skip
    with pytest.raises(FrozenInstanceError):
        LAW.k_new = 20  # type: ignore[misc]


def test_the_edition_in_force_is_the_newest_begun_and_before_all_of_them_the_oldest():
    later = replace(LAW, id="annex-9-2028-01", in_force_from=date(2028, 1, 1), k_new=20)
    held = (later, LAW)
    assert edition_in_force(date(2027, 12, 31), held) is LAW
    assert edition_in_force(date(2028, 1, 1), held) is later
    assert edition_in_force(date(2000, 1, 1), held) is LAW
    assert edition_in_force(date(2026, 6, 15)) is LAW


def test_editions_have_different_ids_and_rise_by_date():
    assert len({edition.id for edition in EDITIONS}) == len(EDITIONS)
    assert list(EDITIONS) == sorted(EDITIONS, key=lambda edition: edition.in_force_from)


@pytest.mark.parametrize(
    ("seconds", "percentage", "pool"),
    [
        # Classical, art. 1.2.2.1: the limit itself belongs to the higher percentage.
        (180 * 60, 100, "classical"), (7200, 100, "classical"), (7199, 60, "classical"), (5400, 60, "classical"),
        (5399, 40, "classical"), (3600, 40, "classical"), (3599, 20, "classical"), (1800, 20, "classical"),
        # Rapid-blitz, art. 1.2.2.2: under 30 minutes, 15 minutes is still 100 %.
        (1799, 50, "rapid-blitz"), (901, 50, "rapid-blitz"), (900, 100, "rapid-blitz"), (1, 100, "rapid-blitz"),
        # Annex 3 art. 6.1: 110, 140, 127,5, 180 and 150 minutes.
        (6600, 60, "classical"), (8400, 100, "classical"), (7650, 100, "classical"), (10_800, 100, "classical"),
        (9000, 100, "classical"),
    ],
)  # fmt: skip
def test_the_time_for_sixty_moves_gives_percentage_and_pool(seconds, percentage, pool):
    assert int(development_percentage(LAW, seconds)) == percentage
    assert tempo(LAW, seconds) == pool


def test_a_column_of_times_gives_a_column_of_percentages():
    assert development_percentage(LAW, [7200, 5400, 3600, 1800, 1200, 600]).tolist() == [
        100, 60, 40, 20, 50, 100,
    ]  # fmt: skip


@pytest.mark.parametrize("seconds", [0, -1])
def test_a_time_that_is_not_above_zero_is_refused(seconds):
    with pytest.raises(ValueError, match="above zero"):
        tempo(LAW, seconds)
    with pytest.raises(ValueError, match="above zero"):
        development_percentage(LAW, [7200, seconds])
