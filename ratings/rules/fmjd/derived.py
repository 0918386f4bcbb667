"""Lists taken from a calculated list: women, youth, veterans, federations (art. 6, R13).

``Parameters.derived_lists`` says which there are; this module says who is on one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ratings.rules.fmjd.columns import Columns, Integers
from ratings.rules.fmjd.parameters import DerivedList, Parameters
from ratings.rules.fmjd.tables import E4, round_half_away

FEDERATION = "federation:"
"""How the list of one federation is named: ``federation:NED``."""


def birth_years(derived: DerivedList, year: int) -> tuple[int | None, int | None]:
    """The first and the last year of birth on a derived list of that year (Annex 2 art. 3f, R13).

    Ages are as on 31 December of the list's year, the year of its date of application: the juniors
    (up to 19) of 2027 are born in 2008 or later, the veterans (60 and over) in 1967 or earlier.
    ``None`` where there is no limit.
    """
    first = None if derived.oldest is None else year - derived.oldest
    last = None if derived.youngest is None else year - derived.youngest
    return first, last


@dataclass(frozen=True, eq=False)
class FederationColumns(Columns):
    """The ranking of federations: one row a federation.

    ``federation`` is its number as given; ``players`` how many of its players were counted and ``total``
    the sum of their ratings, so that ``total / players`` is the mean exactly; ``mean_e4`` is that mean to
    4 decimals. ``rank`` is 1 + the number of federations with a higher mean; 0 for a federation with too
    few players.
    """

    rank: Integers
    federation: Integers
    players: Integers
    total: Integers
    mean_e4: Integers


def federation_ranking(parameters: Parameters, federation: Integers, rating: Integers) -> FederationColumns:
    """Federations by the mean of their ten best (Annex 12 art. 4e, Annex 17 art. 4f; R13).

    One number and rating a player of the official list, in any order; for the women's ranking the women
    of it only. ``federation`` is any whole number that means a federation.

    No formula is printed, so the number of players is a parameter. A federation with fewer players on the
    official list has no rank, since the mean of its best few would set it above full teams; it is
    after those with one. Equal means share a rank. Order: rank, then mean falling, then number.
    """
    size = parameters.federation_ranking_size
    order = np.lexsort((-rating, federation))
    federation, rating = federation[order], rating[order].astype(np.int64)
    starts = np.flatnonzero(np.diff(federation, prepend=federation[:1] - 1))
    if not starts.size:
        return FederationColumns.joined([])
    lengths = np.diff(starts, append=federation.size)
    best = np.arange(federation.size) - np.repeat(starts, lengths) < size
    players = np.minimum(lengths, size)
    total = np.add.reduceat(np.where(best, rating, 0), starts)
    mean = round_half_away(total * E4, players)
    full = players == size
    order = np.lexsort((federation[starts], -mean, ~full))
    falling = -np.where(full, total, 0)[order]
    rank = np.where(full[order], np.searchsorted(falling[: full.sum()], falling, side="left") + 1, 0)
    return FederationColumns(
        rank=rank,
        federation=federation[starts][order],
        players=players[order],
        total=total[order],
        mean_e4=mean[order],
    )
