"""What must I score in a World Cup tournament: totals and ranks by place and points (Annex 18; R70, R71)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.rules.days import day_number
from tests.world_cup import NO_DECLARATIONS, columns_of, tournaments_by_chance
from titles.federations.fmjd.rules.world_cup.classification import classify
from titles.federations.fmjd.rules.world_cup.parameters import WORLD_CUP_2024_04 as PARAMETERS
from titles.federations.fmjd.rules.world_cup.results import (
    CupParticipationColumns,
    CupTournamentColumns,
    DeclarationColumns,
    results,
)
from titles.federations.fmjd.rules.world_cup.score_needed import PlannedTournament, scores_with

PLANNED = PlannedTournament(date(2026, 12, 1), date(2026, 12, 9), stars=3, rounds=2)


def day(month, of=1, year=2026):
    return day_number(date(year, month, of))


def three_players(woman=False):
    """Player 1 with 5 stars twice and once in 2024, player 2 once, player 3 once; places and points in comments."""
    tournaments = columns_of(
        CupTournamentColumns,
        [
            (1, day(3), day(3, 9), 5, False, False),
            (2, day(5), day(5, 9), 5, False, False),
            (3, day(12, 1, 2024), day(12, 5, 2024), 5, False, False),
        ],
    )
    participations = columns_of(
        CupParticipationColumns,
        [
            (0, 1, woman, 2, 4, 3, 2, False),  # 70 + 5 * 4 = 90
            (0, 2, woman, 1, 6, 3, 3, False),  # 100 + 5 * 6 = 130
            (1, 1, woman, 2, 3, 3, 1, False),  # 70 + 5 * 3 = 85
            (1, 3, woman, 1, 5, 3, 2, False),  # 100 + 5 * 5 = 125
            (2, 1, woman, 1, 6, 3, 3, False),  # left the 24 months on 6 December 2026
        ],
    )
    return tournaments, participations


def by_place(found, *names):
    rows = zip(*(getattr(found, name).tolist() for name in ("place", "points", *names)), strict=True)
    return {(place, points): tuple(values) for place, points, *values in rows}


@pytest.mark.parametrize("woman", [False, True])
def test_total_and_rank_for_each_place_and_number_of_points(woman):
    # 3 stars: factor 3. On 9 December 2026 the player has 90 + 85 = 175 without it, ahead of 130 and 125.
    found = scores_with(PARAMETERS, *three_players(woman), NO_DECLARATIONS, 1, PLANNED, women=woman)
    assert found.place.max() == 11
    rows = by_place(found, "result", "total", "rank")
    assert len(rows) == 11 * 5
    # 100 + 3 * 4, 100 + 3 * 0, 20 + 3 * 2, and without a bonus 3 * 2.
    assert [rows[at] for at in ((1, 4), (1, 0), (10, 2), (11, 2))] == [
        (112, 287, 1), (100, 275, 1), (26, 201, 1), (6, 181, 1),
    ]  # fmt: skip
    # Player 3 has 125, behind 175 and 130: + 3 * 1 = 128 still is, + 3 * 2 = 131 passes 130, + 70 = 195 passes 175.
    rows = by_place(
        scores_with(PARAMETERS, *three_players(woman), NO_DECLARATIONS, 3, PLANNED, women=woman),
        "total",
        "rank",
    )
    assert [rows[at] for at in ((11, 0), (11, 1), (11, 2), (5, 4), (2, 0), (1, 0))] == [
        (125, 3), (128, 3), (131, 2), (172, 2), (195, 1), (225, 1),
    ]  # fmt: skip


def test_equal_points_are_separated_by_the_other_criteria():
    # Player 2 has 130 by one first place. Player 3 gets 125 + 5 in a tournament of 1 star with 5 points at place 11:
    # 130, one first place each, no second and third; latest results: 130 of player 2, 5 of player 3: behind.
    planned = replace(PLANNED, stars=1, rounds=3)
    rows = by_place(
        scores_with(PARAMETERS, *three_players(), NO_DECLARATIONS, 3, planned, women=False), "total", "rank"
    )
    assert (rows[11, 5], rows[11, 6]) == ((130, 3), (131, 2))


def test_a_player_without_a_result_and_an_empty_classification():
    found = scores_with(PARAMETERS, *three_players(), NO_DECLARATIONS, 9, PLANNED, women=False)
    rows = by_place(found, "total", "rank")
    # 112 is behind 175, 130 and 125.
    assert rows[1, 4] == (112, 4)
    none = columns_of(CupTournamentColumns, []), columns_of(CupParticipationColumns, [])
    found = scores_with(PARAMETERS, *none, NO_DECLARATIONS, 9, PLANNED, women=False)
    assert set(found.rank.tolist()) == {1}


def test_a_woman_who_declared_has_the_result_in_the_open_classification():
    # 9 declared for 2026 and was second of a tournament of 1 star in that year: 70 + 4 = 74, now 74 + 112 = 186.
    tournaments, participations = three_players()
    tournaments = CupTournamentColumns.joined(
        [tournaments, columns_of(CupTournamentColumns, [(4, day(6), day(6, 9), 1, False, False)])]
    )
    entries = [(3, 9, True, 2, 4, 3, 2, False), (3, 2, False, 1, 0, 3, 0, True)]
    participations = CupParticipationColumns.joined(
        [participations, columns_of(CupParticipationColumns, entries)]
    )
    declared = columns_of(DeclarationColumns, [(9, 2026, day(1))])
    found = scores_with(PARAMETERS, tournaments, participations, declared, 9, PLANNED, women=False)
    assert by_place(found, "total", "rank")[1, 4] == (186, 1)


@given(st.integers(0, 2**32 - 1), st.booleans(), st.integers(0, 39), st.integers(0, 10), st.integers(0, 8))
def test_it_is_what_the_classification_says_after_the_tournament(seed, women, player, place, points):
    tournaments, participations, _ = tournaments_by_chance(seed, tournaments=8, players=40)
    player = player // 4 * 4 if women else player // 4 * 4 + 1
    planned = replace(PLANNED, rounds=4, first_day=date(2026, 12, 31), last_day=date(2026, 12, 31), stars=5)
    found = scores_with(
        PARAMETERS, tournaments, participations, NO_DECLARATIONS, player, planned, women=women
    )
    row = by_place(found, "total", "rank")[place + 1, points]
    # The tournament itself, above the player others who are in no classification: of the other sex.
    added = columns_of(CupTournamentColumns, [(99, day(12, 31), day(12, 31), 5, False, False)])
    entries = columns_of(
        CupParticipationColumns,
        [
            *((len(tournaments), 1000 + one, women, one + 1, 0, 1, 0, True) for one in range(place)),
            (len(tournaments), player, women, place + 1, points, 1, points // 2, False),
        ],
    )
    together = (
        CupTournamentColumns.joined([tournaments, added]),
        CupParticipationColumns.joined([participations, entries]),
        NO_DECLARATIONS,
    )
    last_day = planned.last_day
    standing = classify(PARAMETERS, *together, results(PARAMETERS, *together), last_day, women=women).standing
    at = int(np.flatnonzero(standing.player == player)[0])
    assert row == (int(standing.points[at]), int(standing.rank[at]))
