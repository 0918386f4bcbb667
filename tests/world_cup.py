"""Columns of the World Cup from rows, for tests."""

from __future__ import annotations

from dataclasses import fields
from datetime import date

import numpy as np

from ratings.rules.days import day_number
from titles.federations.fmjd.rules.world_cup.results import (
    CupParticipationColumns,
    CupTournamentColumns,
    DeclarationColumns,
)


def columns_of(kind, rows):
    """A table of columns from its rows; without rows an empty one."""
    return kind(*(np.array([row[at] for row in rows]) for at, _ in enumerate(fields(kind))))


NO_DECLARATIONS = columns_of(DeclarationColumns, [])


def tournaments_by_chance(seed, *, tournaments, players):
    """World Cup tournaments of two years, each with 2 to `players` players, some declared women and absent players."""
    chance = np.random.default_rng(seed)
    day = np.sort(
        chance.integers(day_number(date(2025, 1, 9)), day_number(date(2026, 12, 31)) + 1, tournaments)
    )
    women_only = chance.random(tournaments) < 0.1
    table = CupTournamentColumns(
        number=np.arange(tournaments), first_round=day - 8, last_round=day,
        stars=chance.choice([1, 3, 5, 7, 9], tournaments), separate=women_only | (chance.random(tournaments) < 0.4),
        women_only=women_only,
    )  # fmt: skip
    rows = []
    for of in range(tournaments):
        able = [player for player in range(players) if player % 4 == 0 or not women_only[of]]
        for place, player in enumerate(chance.permutation(able)[: chance.integers(2, players + 1)], start=1):
            shared = place - (place > 1 and chance.random() < 0.1)
            wins = chance.integers(0, 6)
            rows.append((of, player, player % 4 == 0, shared, 2 * wins + 2, 9, wins, chance.random() < 0.03))
    declared = [
        (player, year, day_number(date(year - 1, 12, 31))) for player in (0, 8) for year in (2025, 2026)
    ]
    return table, columns_of(CupParticipationColumns, rows), columns_of(DeclarationColumns, declared)
