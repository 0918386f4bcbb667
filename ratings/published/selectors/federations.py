"""Federations on official lists, and their ranking (R13)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ratings.federations.facet import Edition
from ratings.models import RatingList
from ratings.queries.list_rows import ROW_COLUMNS, federation_names
from reporting.models import Federation


@dataclass(frozen=True)
class FederationRow:
    """A federation in the ranking; rank 0 means too few players on the official list."""

    code: str
    name: str
    rank: int
    players: int
    counted: int
    mean_e4: int


@dataclass(frozen=True)
class FederationRanking:
    """Federations by the mean of their ten best on one official list: all players, and women (R13)."""

    rating_list: RatingList
    size: int
    all_players: Sequence[FederationRow]
    women: Sequence[FederationRow]


def federation_ranks(rating_list: RatingList) -> FederationRanking:
    """The ranking of federations on one official list. 2 queries: three columns of every row, and the names."""
    rows = list(
        rating_list.rows.filter(official_position__isnull=False).values_list("federation", "rating", "sex")
    )
    rules = rating_list.rules
    names = federation_names({code for code, _, _ in rows})
    return FederationRanking(
        rating_list,
        rules.federation_ranking_size,
        _ranking(rules, names, [(code, rating) for code, rating, _ in rows]),
        _ranking(rules, names, [(code, rating) for code, rating, sex in rows if sex == "W"]),
    )


def _ranking(
    rules: Edition, names: Mapping[str, str], rows: Sequence[tuple[str, int]]
) -> list[FederationRow]:
    codes = sorted(names)
    number = {code: place for place, code in enumerate(codes)}
    on_list = [0] * len(codes)
    for code, _ in rows:
        on_list[number[code]] += 1
    ranking = rules.rank_federations(
        np.array([number[code] for code, _ in rows], dtype=np.int64),
        np.array([rating for _, rating in rows], dtype=np.int64),
    )
    return [
        FederationRow(
            codes[federation],
            names[codes[federation]],
            int(rank),
            on_list[federation],
            int(counted),
            int(mean),
        )
        for rank, federation, counted, mean in zip(
            ranking.rank, ranking.federation, ranking.players, ranking.mean_e4, strict=True
        )
    ]


def federation_players(rating_list: RatingList, code: str) -> list[dict[str, Any]]:
    """The players of one federation on an official list, in its order, with their rank in the federation. 1 query."""
    rows = list(
        rating_list.rows.filter(official_position__isnull=False, federation=code)
        .order_by("position")
        .values(*ROW_COLUMNS)
    )
    for place, row in enumerate(rows, 1):
        before = rows[max(place - 2, 0)]
        tied = place > 1 and before["rating"] == row["rating"]
        row["variant_rank"] = before["variant_rank"] if tied else place
    return rows


def federation_name(code: str) -> str | None:
    """The name of a federation of the register; None for an unknown code. 1 query."""
    return Federation.objects.filter(code=code).values_list("name", flat=True).first()
