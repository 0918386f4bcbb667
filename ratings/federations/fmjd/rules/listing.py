"""The ranking of federations (Annex 12, 17; R13)."""

from __future__ import annotations

import numpy as np

from ratings.federations.fmjd.rules.parameters import Parameters
from ratings.federations.fmjd.rules.tables import E4, round_half_away
from ratings.rules.columns import Integers
from ratings.rules.derived_lists import FederationColumns


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
