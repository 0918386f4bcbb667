"""A federation over time, and its players by derived list and title."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from django.db import connection
from django.db.models import Count, Max
from psycopg import sql

from ratings.models import RatingList
from ratings.published.selectors.statistics.records import POOLS
from ratings.queries.list_rows import on_derived_list, titles_on
from ratings.rules.derived_lists import DerivedList


@dataclass(frozen=True)
class RankOnList:
    """The rank of a federation on an official list, and the mean of its best players times 10,000."""

    rating_list: RatingList
    rank: int
    mean_e4: int


BEST = """
SELECT list_id, federation, rating FROM (
    SELECT list_id, federation, rating, row_number() OVER (PARTITION BY list_id, federation ORDER BY position) AS place
    FROM {rows} WHERE list_id = ANY({lists}::bigint[]) AND official_position IS NOT NULL
) best WHERE place <= {most}
"""


@lru_cache(maxsize=POOLS)
def ranks_over_time(
    lists: tuple[RatingList, ...],
    stamp: tuple[str, ...],  # noqa: ARG001
) -> dict[str, list[RankOnList]]:
    """The ranks of every federation on these lists of a pool, in their order; without lists where it has no rank (R13).

    1 query that reads the rows of every list; none while the stamp, that of these lists, stays the same.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            sql.SQL(BEST).format(
                rows=sql.Identifier(lists[0].rating_system.row_model._meta.db_table),
                lists=sql.Literal([one.pk for one in lists]),
                most=sql.Literal(max(one.rules.federation_ranking_size for one in lists)),
            )
        )
        best: dict[int, list[tuple[str, int]]] = {}
        for key, federation, rating in cursor.fetchall():
            best.setdefault(key, []).append((federation, rating))
    found: dict[str, list[RankOnList]] = {}
    for one in lists:
        rows = best.get(one.pk, [])
        codes = sorted({code for code, _ in rows})
        number = {code: place for place, code in enumerate(codes)}
        ranking = one.rules.rank_federations(
            np.array([number[code] for code, _ in rows], dtype=np.int64),
            np.array([rating for _, rating in rows], dtype=np.int64),
        )
        for rank, federation, mean in zip(ranking.rank, ranking.federation, ranking.mean_e4, strict=True):
            if rank:
                found.setdefault(codes[federation], []).append(RankOnList(one, int(rank), int(mean)))
    return found


@dataclass(frozen=True)
class PartOfFederation:
    """The players of a federation on a derived list: how many, and the highest rating; None without players."""

    derived: DerivedList
    players: int
    highest: int | None


def players_by_derived_list(rating_list: RatingList, code: str) -> list[PartOfFederation]:
    """The players of a federation on each derived list (R13). 1 query."""
    derived = rating_list.rules.derived_lists
    figures: Mapping[str, int | None] = rating_list.rows.filter(federation=code).aggregate(
        **{
            f"{kind}_{place}": figure("rating", filter=on_derived_list(one, rating_list))
            for place, one in enumerate(derived)
            for kind, figure in (("players", Count), ("highest", Max))
        }
    )
    return [
        PartOfFederation(one, figures[f"players_{place}"] or 0, figures[f"highest_{place}"])
        for place, one in enumerate(derived)
    ]


def players_by_title(rating_list: RatingList, code: str) -> list[tuple[str, int]]:
    """How many players of a federation have each title that the list prints, the highest title first. 1 query."""
    rows = rating_list.rows.filter(federation=code).exclude(title="")
    counts = dict(rows.order_by().values_list("title").annotate(players=Count("position")))
    return [(title, counts[title]) for title in titles_on(rating_list) if title in counts]
