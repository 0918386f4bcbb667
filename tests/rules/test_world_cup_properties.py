"""What the World Cup rules imply for tournaments made by chance, and a real tournament (R70 to R72)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.rules.days import day_number
from tests.world_cup import NO_DECLARATIONS, columns_of, tournaments_by_chance
from titles.federations.fmjd.rules.world_cup.classification import classify, window_start
from titles.federations.fmjd.rules.world_cup.parameters import WORLD_CUP_2024_04 as PARAMETERS
from titles.federations.fmjd.rules.world_cup.results import (
    CupParticipationColumns,
    CupTournamentColumns,
    results,
)

DAY = date(2026, 12, 31)
seeds = st.integers(0, 2**32 - 1)


def standing(given, *, women=False):
    return classify(PARAMETERS, *given, results(PARAMETERS, *given), DAY, women=women).standing


def as_rows(rows):
    return list(zip(*(column.tolist() for column in vars(rows).values()), strict=True))


@given(seeds, st.booleans())
def test_the_order_of_tournaments_and_players_changes_nothing(seed, women):
    tournaments, participations, declarations = tournaments_by_chance(seed, tournaments=12, players=40)
    chance = np.random.default_rng(seed)
    order, mixed = chance.permutation(len(tournaments)), chance.permutation(len(participations))
    moved = participations.rows(mixed)
    other = (
        tournaments.rows(order),
        replace(moved, tournament=np.argsort(order)[moved.tournament]),
        declarations.rows(slice(None, None, -1)),
    )
    expected = standing((tournaments, participations, declarations), women=women)
    assert as_rows(standing(other, women=women)) == as_rows(expected)
    assert len(expected)


@given(seeds)
def test_more_points_never_give_a_lower_rank(seed):
    tournaments, participations, declarations = tournaments_by_chance(seed, tournaments=12, players=40)
    before = standing((tournaments, participations, declarations))
    player = before.player[seed % len(before)]
    own = np.flatnonzero(participations.player == player)
    points = participations.points.copy()
    points[own[seed % own.size]] += 2
    after = standing((tournaments, replace(participations, points=points), declarations))
    more = after.points[after.player == player] - before.points[before.player == player]
    assert more >= 0
    if more:
        assert after.rank[after.player == player] <= before.rank[before.player == player]


@given(seeds)
def test_another_result_never_lowers_a_sum(seed):
    tournaments, participations, declarations = tournaments_by_chance(seed, tournaments=12, players=40)
    player = standing((tournaments, participations, declarations)).player[0]
    is_own = (participations.player == player) & (participations.tournament == seed % len(tournaments))
    without = standing((tournaments, participations.rows(~is_own), declarations))
    sums = dict(zip(without.player.tolist(), without.points.tolist(), strict=True))
    after = standing((tournaments, participations, declarations))
    assert after.points[after.player == player] >= sums.get(int(player), 0)


def test_a_last_round_of_two_years_before_is_out_and_of_the_day_after_is_in():
    assert window_start(DAY, 2) == date(2025, 1, 1)
    assert window_start(date(2028, 2, 29), 2) == date(2026, 3, 1)


def test_stars_without_a_factor_are_refused():
    tournaments, participations, declarations = tournaments_by_chance(1, tournaments=2, players=10)
    with pytest.raises(ValueError, match="no factor for 4 stars"):
        results(PARAMETERS, replace(tournaments, stars=np.array([4, 5])), participations, declarations)


def test_without_results_there_is_an_empty_classification():
    empty = columns_of(CupTournamentColumns, []), columns_of(CupParticipationColumns, []), NO_DECLARATIONS
    assert len(standing(empty)) == 0


def test_ouagadougou_2022_with_five_stars_gives_the_first_twelve_their_points(samples):
    file = samples / "draughts-arbiter-2022-ouagadougou.csv"
    if not file.exists():
        pytest.skip(
            f"{file.name} is not in {samples}: set RATING_OFFICE_SAMPLES to the folder of sample reports"
        )
    lines = [line.split(";") for line in file.read_text(encoding="utf-8-sig").splitlines()[3:15]]
    tournament = columns_of(
        CupTournamentColumns,
        [(1, day_number(date(2022, 8, 1)), day_number(date(2022, 8, 9)), 5, False, False)],
    )
    players = columns_of(
        CupParticipationColumns,
        [(0, row, False, int(line[0]), int(line[-2]), 9, 0, False) for row, line in enumerate(lines)],
    )
    found = results(PARAMETERS, tournament, players, NO_DECLARATIONS)
    # 100 + 5 * 14 = 170, 70 + 5 * 13 = 135, then 60 with 50, 40, 35, 30, 26, 24, 22, 20 and none; 5 * 11 = 55.
    assert found.points.tolist() == [170, 135, 110, 100, 95, 90, 86, 84, 82, 80, 60, 55]
