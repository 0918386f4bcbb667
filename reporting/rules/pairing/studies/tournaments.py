"""Random tournaments for the studies of tie-breaks, paired by the rules and played by expectation (R61a, R61d)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from random import Random
from typing import Final

import numpy as np

from reporting.rules.pairing.pair_round import ImpossibleRound, Pair, pair_round
from reporting.rules.pairing.studies.simulate import Rates, result_of
from reporting.rules.pairing.tournament import (
    PAUSE,
    SYSTEMS,
    Colours,
    PairedGame,
    PairingPlayer,
    Result,
    Tournament,
    history_of,
)
from reporting.rules.standings.cross_table import DRAW, CrossTable, Kind

PRINTED_RATINGS: Final = (
    2694, 2654, 2574, 2534, 2494, 2474, 2434, 2414, 2374, 2354, 2324, 2314, 2294, 2284, 2264, 2254, 2234, 2224,
    2204, 2199, 2189, 2184, 2174, 2169, 2159, 2154, 2144, 2139, 2129, 2124, 2114, 2109, 2099, 2094, 2084, 2079,
    2069, 2064, 2054, 2049, 2039, 2034, 2024, 2019, 2009, 2004, 1994, 1989, 1979, 1974, 1964, 1959, 1949, 1944,
    1934, 1929, 1919, 1914, 1904, 1899, 1889, 1884, 1874, 1869, 1859, 1854, 1846, 1842, 1834, 1830, 1822, 1818,
    1810, 1806, 1798, 1794, 1786, 1782, 1774, 1770, 1762, 1758, 1750, 1746, 1738, 1734, 1726, 1722, 1714, 1710,
    1702, 1698, 1690, 1686, 1678, 1674, 1666, 1662, 1654, 1650,
)  # fmt: skip
"""The ratings of the printed tournament of the first study (mean 2000.16)."""

LOWEST_RATINGS, HIGHEST_RATINGS = (1400, 2300), (2400, 2800)
"""Between which the lowest and the highest rating of a tournament with unplayed games are drawn (R61d)."""


@dataclass(frozen=True)
class StudyRates:
    """How often something happens, from 0 to 1 (R61a, R61d).

    `draws` between equal players; `forfeits` of a game; `half_point_byes` and `absences` of a player in a round;
    `retirements` of a player during the tournament.
    """

    draws: float = 0.32
    forfeits: float = 0.0
    half_point_byes: float = 0.0
    absences: float = 0.0
    retirements: float = 0.0


UNPLAYED_RATES: Final = StudyRates(forfeits=0.01, half_point_byes=0.03, absences=0.01, retirements=0.05)
"""The rates of the second study are not printed: these come near its table (R61d)."""


def quantiles(count: int) -> list[int]:
    """Return `count` ratings spread as the 100 printed ones, from the highest down."""
    ranks = (np.arange(count) + 0.5) * len(PRINTED_RATINGS) / count - 0.5
    return [
        round(float(rating)) for rating in np.interp(ranks, np.arange(len(PRINTED_RATINGS)), PRINTED_RATINGS)
    ]


def random_ratings(count: int, random: Random) -> list[int]:
    """Return ratings spread evenly at random between a lowest and a highest one, from the highest down."""
    lowest, highest = random.randint(*LOWEST_RATINGS), random.randint(*HIGHEST_RATINGS)
    return sorted((random.randint(lowest, highest) for _ in range(count)), reverse=True)


def played_tournament(
    ratings: Sequence[int],
    rounds: int,
    rates: StudyRates,
    random: Random,
    *,
    system: str = "rating",
    colours: Colours = Colours.WEAK,
) -> CrossTable | None:
    """Return the cross table of a tournament, by default as R61a pairs it; None if a round cannot be paired."""
    players, halves = [], set()
    for number, rating in enumerate(ratings, start=1):
        missed = set()
        for round_ in range(1, rounds + 1):
            drawn = random.random()
            if drawn < rates.half_point_byes:
                halves.add((round_, number))
            if drawn < rates.half_point_byes + rates.absences:
                missed.add(round_)
        retired = random.random() < rates.retirements
        last = random.randint(1, rounds - 1) if retired and rounds > 1 else None
        players.append(PairingPlayer(number, rating, number, absent=frozenset(missed), withdrawn_after=last))
    tournament = Tournament(SYSTEMS[system], tuple(players), rounds=rounds, colours=colours)
    games: list[PairedGame] = []
    for round_ in range(1, rounds + 1):
        answer = pair_round(replace(tournament, round=round_, games=tuple(games)))
        if isinstance(answer, ImpossibleRound):
            return None
        games += [_game(round_, pair, ratings, rates, random) for pair in answer.pairs]
        if answer.pause is not None:
            games.append(PairedGame(round_, answer.pause, PAUSE, Result.WHITE_WINS))
        games += [
            PairedGame(round_, number, PAUSE, Result.DRAW)
            for number in range(1, len(ratings) + 1)
            if (round_, number) in halves and _is_here(players[number - 1], round_)
        ]
    table = history_of(replace(tournament, round=rounds + 1, games=tuple(games))).table
    is_half = (table.kinds == Kind.PAUSE) & (table.points == DRAW)
    return replace(table, kinds=np.where(is_half, Kind.HALF_POINT_BYE, table.kinds))


def _is_here(player: PairingPlayer, round_: int) -> bool:
    return player.withdrawn_after is None or round_ <= player.withdrawn_after


def _game(round_: int, pair: Pair, ratings: Sequence[int], rates: StudyRates, random: Random) -> PairedGame:
    """A game, or a forfeit: both sides are absent equally often, and together as often as the rate says."""
    of_a_side = 1 - sqrt(1 - rates.forfeits)
    white_is_absent, black_is_absent = random.random() < of_a_side, random.random() < of_a_side
    if white_is_absent and black_is_absent:
        result = Result.BOTH_FORFEIT
    elif white_is_absent:
        result = Result.BLACK_WINS_BY_FORFEIT
    elif black_is_absent:
        result = Result.WHITE_WINS_BY_FORFEIT
    else:
        difference = ratings[pair.white - 1] - ratings[pair.black - 1]
        result = result_of(difference, Rates(draws=rates.draws), random)
    return PairedGame(round_, pair.white, pair.black, result)
