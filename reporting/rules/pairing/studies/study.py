"""The studies of tie-breaks: how near each comes to the global criteria, over many tournaments (R61 to R61d)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from reporting.rules.pairing.studies import criteria
from reporting.rules.pairing.studies.positions import (
    Refinement,
    direct_encounter,
    distances,
    orders,
    positions,
    ranks_of,
    refined,
)
from reporting.rules.pairing.studies.tournaments import (
    StudyRates,
    played_tournament,
    quantiles,
    random_ratings,
)
from reporting.rules.pairing.tournament import Colours
from reporting.rules.standings import annex_5, fide, proposals
from reporting.rules.standings.cross_table import WIN, CrossTable, Integers
from reporting.rules.standings.exact import Column
from reporting.rules.standings.unplayed import IGNORE, METHODS, face_value

SINGLES: Final = {
    "APRO": ("OP",), "ARO": ("OR",), "AROC": ("OC",), "PTPR": ("PT",), "MEDIAN": ("MD",), "BHCUT1": ("B1",),
    "BH": ("BH",), "PROGRES": ("PS",), "SONNBER": ("SB",), "KOYA": ("KY",), "DE": ("DE",), "BLACKS": ("BB",),
    "WINS": ("WW",), "RANDOM": ("RD",),
}  # fmt: skip
"""The tie-breaks of the first study by their printed names, in the printed order, with their short names."""

OF_ANNEX_5: Final = {
    "FULL": ("FT",), "PLUS": ("PL",), "BALIAKIN": ("BK",), "BH_SB": ("BH", "SB"),
    "B1_PL_BK_FT": ("B1", "PL", "BK", "FT"),
}  # fmt: skip
"""Tie-breaks of Annex 5 that the study does not have: full truncated, plus, Baliakin, and two orders of R52 and R62."""


def _combinations() -> dict[str, tuple[str, ...]]:
    """The combinations of the first study, in the order of its report."""
    chains: list[tuple[str, ...]] = [(first, "RD") for first in ("MD", "B1", "BH", "DE")]
    buchholz, ratings, results, last = (
        ("MD", "B1", "BH"),
        ("OP", "OR", "OC", "PT"),
        ("PS", "SB", "KY"),
        ("BB", "WW"),
    )
    chains += [(*pair, "RD") for pair in product(buchholz, ratings)]
    chains += [("DE", *pair, "RD") for pair in product(buchholz, ratings)]
    chains += product(buchholz, results, last)
    chains += [("DE", *chain) for chain in product(buchholz, results, last)]
    chains += [(first, "DE", *chain) for first, *chain in product(buchholz, results, last)]
    chains += [(first, second, "DE", third) for first, second, third in product(buchholz, results, last)]
    named = {"_".join(chain): chain for chain in chains}
    return named | {"COMPLETE": ("DE", "B1", "DE", "PS", "DE")}


CHAINS: Final = SINGLES | OF_ANNEX_5 | _combinations()

CRITERIA: Final = ("ABSTPR", "ABSELO", "ZERMELO", "MISPTS", "BRUNO", "RANDOM")
CRITERIA_OF_UNPLAYED: Final = ("ABSELO", "MISPTS", "RANDOM")

OF_OPPONENTS: Final = ("BH", "BHC1", "BHM1", "SB")
"""The tie-breaks of the second study, each with every method for unplayed games."""

METHOD_NAMES: Final = (
    "StdVOpp", "AdjVOpp", "DrawSelf", "IgnoreUG", "FairBAvg", "FairTied", "FairAvg", "FairDraw", "FairZero", "FaceVal",
)  # fmt: skip
"""The methods for unplayed games in the printed order."""

MOST_ATTEMPTS: Final = 100
"""How often a tournament is drawn that cannot be paired to its end."""

Values = NDArray[np.float64]


class UnpairableStudyError(Exception):
    """So many rounds of so few players cannot be paired."""


@dataclass(frozen=True)
class Study:
    """What is simulated: `tournaments` of `players` in `rounds`, each with a lot of its own that comes from `seed`.

    Without `ratings` those printed, or their quantiles, are played with; with unplayed games random ones.
    `system` and `colours` are those of R61a. `top` are the halves of a point from which a player is a top scorer.
    """

    players: int
    rounds: int
    tournaments: int
    seed: int
    rates: StudyRates
    is_of_unplayed: bool = False
    ratings: tuple[int, ...] = ()
    top: int = 0
    system: str = "rating"
    colours: Colours = Colours.WEAK

    @property
    def top_halves(self) -> int:
        """The halves of a point of a top scorer; by default those of the printed tables.

        First study: the highest score below two thirds of all points, 5.5 of 9 (R61f), and by the random rows 6.5 of
        10 and 3.5 of 6 (R61b). Second study: the lowest score above half of them, 5.0 of 9 and 5.5 of 10.
        """
        if self.is_of_unplayed and not self.top:
            return self.rounds + 1
        return self.top or -(-2 * WIN * self.rounds // 3) - 1

    @property
    def rows(self) -> tuple[str, ...]:
        """The names of the rows of the table: tie-breaks, or methods with their tie-breaks."""
        if self.is_of_unplayed:
            return tuple(f"{method} {name}" for method in METHOD_NAMES for name in OF_OPPONENTS)
        return tuple(CHAINS)

    @property
    def criteria(self) -> tuple[str, ...]:
        """The names of the columns."""
        return CRITERIA_OF_UNPLAYED if self.is_of_unplayed else CRITERIA


@dataclass
class Totals:
    """Sums over tournaments: of each cell of the tables, and of its square.

    `cells` are the tables of all players and of the top scorers, 2 × rows × criteria; `crossed` is criteria × criteria.
    """

    cells: Values
    squares: Values
    crossed: Values
    crossed_squares: Values
    tournaments: int = 0

    @classmethod
    def nothing(cls, study: Study) -> Totals:
        """No tournament yet."""
        shape = (2, len(study.rows), len(study.criteria))
        square = (len(study.criteria), len(study.criteria))
        return cls(np.zeros(shape), np.zeros(shape), np.zeros(square), np.zeros(square))

    def add(self, cells: Values, crossed: Values) -> None:
        """Add a tournament."""
        self.cells += cells
        self.squares += cells**2
        self.crossed += crossed
        self.crossed_squares += crossed**2
        self.tournaments += 1

    def add_block(self, block: Totals) -> None:
        """Add the tournaments of a block. The order of blocks decides the last digits."""
        for name in ("cells", "squares", "crossed", "crossed_squares"):
            getattr(self, name).__iadd__(getattr(block, name))
        self.tournaments += block.tournaments

    def mean_and_error(self, sums: Values, squares: Values) -> tuple[Values, Values]:
        """Return the mean of each cell and the standard error of this mean."""
        mean = sums / self.tournaments
        variance = np.maximum(squares / self.tournaments - mean**2, 0)
        return mean, np.sqrt(variance / max(self.tournaments - 1, 1))


def study_block(study: Study, block: tuple[int, int]) -> Totals:
    """Simulate and evaluate the tournaments of a block, given as the first and the one after the last.

    They are the same ones in every process. Raises UnpairableStudyError.
    """
    totals = Totals.nothing(study)
    for number in range(*block):
        table, random = _tournament(study, number)
        totals.add(*evaluated(study, table, random))
    return totals


def _tournament(study: Study, number: int) -> tuple[CrossTable, Random]:
    """The tournament of a number; one that cannot be paired to its end is drawn again."""
    for attempt in range(MOST_ATTEMPTS):
        random = Random(f"{study.seed}/{number}/{attempt}")  # noqa: S311 (a simulation)
        if study.ratings:
            ratings = list(study.ratings)
        else:
            ratings = (
                random_ratings(study.players, random) if study.is_of_unplayed else quantiles(study.players)
            )
        table = played_tournament(
            ratings, study.rounds, study.rates, random, system=study.system, colours=study.colours
        )
        if table is not None:
            return table, random
    raise UnpairableStudyError


def evaluated(study: Study, table: CrossTable, random: Random) -> tuple[Values, Values]:
    """Return the GTS of each row and criterion, of all players and of top scorers, and those among the criteria."""
    by_points = ranks_of(table.scores)
    ranks = [ranks_of(values) for values in _criteria_values(study, table, random)]
    adjusted = np.array([positions(refined(by_points, rank)) for rank in ranks])
    if study.is_of_unplayed:
        rows = [positions(refined(by_points, column.ranks())) for column in _of_methods(table)]
    else:
        rows = orders(by_points, list(CHAINS.values()), _refinements(table, random))
    is_top = table.scores >= study.top_halves
    cells = np.array(
        [
            distances(np.array(rows), adjusted, among)
            for among in (np.ones(table.players, dtype=bool), is_top if is_top.any() else by_points == 0)
        ]
    )
    own = np.array([positions(rank) for rank in ranks])
    return cells, distances(own, own, np.ones(table.players, dtype=bool))


def _criteria_values(study: Study, table: CrossTable, random: Random) -> list[NDArray[Any]]:
    values: dict[str, Callable[[], NDArray[Any]]] = {
        "ABSTPR": lambda: criteria.absolute_performance(table),
        "ABSELO": lambda: criteria.absolute_elo(table),
        "ZERMELO": lambda: criteria.zermelo(table),
        "MISPTS": lambda: criteria.missing_points(table),
        "BRUNO": lambda: criteria.bruno(table),
        "RANDOM": lambda: criteria.lots(table, random),
    }
    return [values[name]() for name in study.criteria]


def _refinements(table: CrossTable, random: Random) -> Mapping[str, Refinement]:
    """The tie-breaks by their short names. All games are played, so each method for unplayed ones is the same."""
    seen = face_value(table)
    ratings = table.ratings[table.opponents]
    columns = {
        "OP": fide.average_opponents_performance(table),
        "OR": fide.average_rating(table),
        "PT": fide.perfect_performance(table),
        "MD": annex_5.median(seen),
        "B1": annex_5.short(seen),
        "BH": annex_5.solkoff(seen),
        "PS": fide.progressive_score(table),
        "SB": annex_5.sonneborn_berger(seen),
        "KY": fide.koya(table),
        "BB": fide.games_with_black(table),
        "WW": fide.wins(table),
        "FT": annex_5.full(seen),
        "PL": annex_5.plus(seen),
        "BK": annex_5.baliakin(seen),
    }
    ranks = {name: column.ranks() for name, column in columns.items()}
    ranks["OC"] = ranks_of(ratings.sum(axis=1) - ratings.min(axis=1))
    ranks["RD"] = ranks_of(criteria.lots(table, random))

    def by(own: Integers) -> Refinement:
        return lambda before: refined(before, own)

    return {name: by(own) for name, own in ranks.items()} | {"DE": direct_encounter(table)}


def _of_methods(table: CrossTable) -> list[Column]:
    """Buchholz, Cut-1, Median-1 and Sonneborn-Berger with each method for unplayed games."""
    methods = {method.name: method for method in METHODS.values()}
    columns = []
    for name in METHOD_NAMES:
        seen = methods[name].opponent_scores(table)
        if methods[name] is IGNORE:
            columns += [
                proposals.ignore_solkoff(seen),
                proposals.ignore_solkoff(seen, lowest=1),
                proposals.ignore_solkoff(seen, lowest=1, highest=1),
                proposals.ignore_sonneborn_berger(seen),
            ]
        else:
            columns += [
                annex_5.solkoff(seen),
                annex_5.short(seen),
                annex_5.median(seen),
                annex_5.sonneborn_berger(seen),
            ]
    return columns
