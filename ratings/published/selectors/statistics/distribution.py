"""How the ratings of a list are distributed, and who moved most on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import Count, Q, Sum
from psycopg import sql

from ratings.models import RatingList
from ratings.queries.list_rows import ROW_COLUMNS
from ratings.rules.columns import Integers

CLASS_WIDTH = 50
MOVERS = 10
MOST_RANGES_A_SIDE = 8
ROUND_STEPS = tuple(digit * 10**zeros for zeros in range(5) for digit in (1, 2, 5))


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


@dataclass(frozen=True)
class FederationFigures:
    """A federation's players on a list, how many have each value of the column that filters it, and new games."""

    code: str
    players: int
    games: int
    of_values: Sequence[int]


def figures_by_federation(rating_list: RatingList) -> tuple[Sequence[str], list[FederationFigures]]:
    """The values of the first column that the list is filtered by, and the figures of each federation, by code.

    No values where the system has no such column. 1 query.
    """
    name, values = next(
        ((name, declared.values) for name, (_, declared) in rating_list.declaration.filters.items()),
        ("", ()),
    )
    counts = {
        f"value_{place}": Count("position", filter=Q(**{name: value})) for place, value in enumerate(values)
    }
    rows = rating_list.rows.values("federation").annotate(
        players=Count("position"), new_games=Sum("period_games"), **counts
    )
    columns = ("federation", "players", "new_games", *counts)
    return values, [
        FederationFigures(code, players, games, of_values)
        for code, players, games, *of_values in rows.order_by("federation").values_list(*columns)
    ]


def movers(rating_list: RatingList) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """The players with the largest gains and the largest losses against the list before. 2 queries."""
    rows = rating_list.rows.values(*ROW_COLUMNS)
    return {
        "gains": list(rows.filter(change__gt=0).order_by("-change", "position")[:MOVERS]),
        "losses": list(rows.filter(change__lt=0).order_by("change", "position")[:MOVERS]),
    }


def difference_ranges(differences: Integers) -> list[tuple[int, int, int]]:
    """The differences of players by points: first and last points of a range, and how many players; losses first.

    Points 1 to the step are one range, so that no difference and none at all are never in one; players without a
    difference are in none. As many ranges on both sides, empty ones too.
    """
    if not np.count_nonzero(differences):
        return []
    largest = int(np.abs(differences).max())
    step = next(step for step in ROUND_STEPS if largest <= step * MOST_RANGES_A_SIDE)
    places = np.sign(differences) * -(-np.abs(differences) // step)
    sides = int(np.abs(places).max())
    return [
        (
            *(
                ((place - 1) * step + 1, place * step)
                if place > 0
                else (place * step, (place + 1) * step - 1)
            ),
            int(np.count_nonzero(places == place)),
        )
        for place in range(-sides, sides + 1)
        if place
    ]


def _on_list(query: str, rating_list: RatingList, **values: sql.Composable) -> sql.Composed:
    table = rating_list.rating_system.row_model._meta.db_table
    return sql.SQL(query).format(rows=sql.Identifier(table), list=sql.Literal(rating_list.pk), **values)
