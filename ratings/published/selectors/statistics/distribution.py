"""How the ratings of a list are distributed, and who moved most on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from psycopg import sql

from ratings.models import RatingList
from ratings.queries.list_rows import ROW_COLUMNS

CLASS_WIDTH = 50
MOVERS = 10


@dataclass(frozen=True)
class RatingClass:
    """The players of a list whose ratings are from `first` on, below the first of the next class."""

    first: int
    players: int
    official: int
    women: int

    @property
    def last(self) -> int:
        return self.first + CLASS_WIDTH - 1


CLASSES = """
SELECT rating / {width} * {width}, count(*), count(official_position), count(*) FILTER (WHERE sex = 'W')
FROM {rows} WHERE list_id = {list} GROUP BY 1 ORDER BY 1
"""


def rating_classes(rating_list: RatingList) -> list[RatingClass]:
    """The players of a list in classes of 50 points, the lowest first, without gaps between them. 1 query."""
    with connection.cursor() as cursor:
        cursor.execute(_on_list(CLASSES, rating_list, width=sql.Literal(CLASS_WIDTH)))
        found = {row[0]: RatingClass(*row) for row in cursor.fetchall()}
    if not found:
        return []
    firsts = range(min(found), max(found) + CLASS_WIDTH, CLASS_WIDTH)
    return [found.get(first) or RatingClass(first, 0, 0, 0) for first in firsts]


@dataclass(frozen=True)
class ListFigures:
    """Figures of all players of a list; `active` have a game in its period, `new` were not on the list before."""

    median: float
    highest: int
    lowest: int
    women: int
    titled: int
    active: int
    gained: int
    lost: int
    new: int


FIGURES = """
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY rating), max(rating), min(rating),
    count(*) FILTER (WHERE sex = 'W'), count(*) FILTER (WHERE title <> ''), count(*) FILTER (WHERE period_games > 0),
    count(*) FILTER (WHERE change > 0), count(*) FILTER (WHERE change < 0), count(*) FILTER (WHERE change IS NULL)
FROM {rows} WHERE list_id = {list} HAVING count(*) > 0
"""


def list_figures(rating_list: RatingList) -> ListFigures | None:
    """Figures of a list; None for one without players. 1 query."""
    with connection.cursor() as cursor:
        cursor.execute(_on_list(FIGURES, rating_list))
        row = cursor.fetchone()
        return ListFigures(*row) if row else None


def movers(rating_list: RatingList) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """The players with the largest gains and the largest losses against the list before. 2 queries."""
    rows = rating_list.rows.values(*ROW_COLUMNS)
    return {
        "gains": list(rows.filter(change__gt=0).order_by("-change", "position")[:MOVERS]),
        "losses": list(rows.filter(change__lt=0).order_by("change", "position")[:MOVERS]),
    }


def _on_list(query: str, rating_list: RatingList, **values: sql.Composable) -> sql.Composed:
    table = rating_list.rating_system.row_model._meta.db_table
    return sql.SQL(query).format(rows=sql.Identifier(table), list=sql.Literal(rating_list.pk), **values)
