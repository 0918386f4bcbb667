"""Two lists compared: counts of differences, the largest changes, and every player with other values."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _
from psycopg import sql

from ratings.inputs.read_columns import read_columns
from ratings.models import RatingList
from ratings.systems.columns import Integers, ListColumns
from reporting.models import Player

PAGE_ROWS = 100
MOVERS = 12
NEWCOMERS = 12


@dataclass(frozen=True, eq=False)
class ComparedColumns:
    """The columns of a list that a comparison needs, rising by player; categories as the codes of their letters."""

    player: Integers
    rating: Integers
    category: Integers
    games: Integers

    @classmethod
    def of_columns(cls, rows: ListColumns) -> "ComparedColumns":
        order = np.argsort(rows.player)
        letters = rows.category.view(np.uint8).astype(np.int64)
        return cls(rows.player[order], rows.rating[order], letters[order], rows.period_games[order])

    @classmethod
    def of_list(cls, rating_list: RatingList) -> "ComparedColumns":
        """1 query."""
        return cls(
            *read_columns(
                sql.SQL(
                    "SELECT player_id, rating, ascii(category), period_games FROM {} WHERE list_id = {}"
                    " ORDER BY player_id"
                ).format(
                    sql.Identifier(rating_list.rating_system.row_model._meta.db_table),
                    sql.Literal(rating_list.pk),
                ),
                4,
            )
        )


class RowFilter(TextChoices):
    """Which differing rows a page shows: the values of `?show=`."""

    ALL = "all", _("All differences")
    UP = "up", _("Rating up")
    DOWN = "down", _("Rating down")
    NEW = "new", _("New on the list")
    LEFT = "left", _("Removed from the list")
    CATEGORY = "category", _("Other category")
    PERSON = "person", _("Other name or federation")


@dataclass(frozen=True)
class DifferenceCount:
    """The number of players of a filter, and the sort order that suits it."""

    filter: RowFilter
    number: int
    sort: str


@dataclass(frozen=True)
class Mover:
    """A player whose rating differs, or who is new: `before` is None then."""

    player: Player
    before: int | None
    after: int
    games: int
    largest: int = 1

    @property
    def change(self) -> int:
        return self.after - (self.before or 0)

    @property
    def width(self) -> int:
        """Of the bar, at most 95 of the 100 units that each side has."""
        return max(round(95 * abs(self.change) / self.largest), 1)

    @property
    def start(self) -> int:
        """Where the bar begins: left of the middle for a loss."""
        return 100 if self.change > 0 else 100 - self.width


@dataclass(frozen=True)
class Comparison:
    """A list compared with another one: what an officer checks before signing."""

    players: int
    players_before: int
    up: int
    down: int
    unchanged: int
    new: int
    left: int
    mean_of_new: int | None
    sum_of_changes: int
    categories: Sequence[tuple[str, str, int]]
    movers: Sequence[Mover]
    newcomers: Sequence[Mover]

    @property
    def counts(self) -> list["DifferenceCount"]:
        """How many players differ in each way, each with the order in which a page shows them."""
        return [
            DifferenceCount(RowFilter.UP, self.up, "-change"),
            DifferenceCount(RowFilter.DOWN, self.down, "change"),
            DifferenceCount(RowFilter.NEW, self.new, "-rating"),
            DifferenceCount(RowFilter.LEFT, self.left, "name"),
        ]

    @property
    def stayed(self) -> int:
        return self.up + self.down + self.unchanged

    @property
    def mean_change(self) -> str:
        """The mean change of the players on both lists: `+0.03`; empty where there are none."""
        if not self.stayed:
            return ""
        return f"{self.sum_of_changes / self.stayed:+.2f}".replace("-", "−")


def comparison_of(now: ComparedColumns, before: ComparedColumns) -> Comparison:
    """The differences between two lists, counted, with the largest changes and the best newcomers. 1 query."""
    both, place, place_before = np.intersect1d(
        now.player, before.player, assume_unique=True, return_indices=True
    )
    change = now.rating[place] - before.rating[place_before]
    largest_first = np.lexsort((both, -np.abs(change)))[:MOVERS]
    largest_first = largest_first[change[largest_first] != 0]
    movers = largest_first[np.argsort(-change[largest_first], kind="stable")]
    new = np.flatnonzero(~np.isin(now.player, before.player, assume_unique=True))
    newcomers = new[np.lexsort((now.player[new], -now.rating[new]))][:NEWCOMERS]
    people = Player.objects.in_bulk([*both[movers].tolist(), *now.player[newcomers].tolist()])
    largest = int(np.abs(change).max(initial=1))
    moved = Counter(
        (chr(old), chr(letter))
        for old, letter in zip(
            before.category[place_before].tolist(), now.category[place].tolist(), strict=True
        )
        if old != letter
    )
    return Comparison(
        players=now.player.size,
        players_before=before.player.size,
        up=int(np.count_nonzero(change > 0)),
        down=int(np.count_nonzero(change < 0)),
        unchanged=int(np.count_nonzero(change == 0)),
        new=new.size,
        left=before.player.size - both.size,
        mean_of_new=round(float(now.rating[new].mean())) if new.size else None,
        sum_of_changes=int(change.sum()),
        categories=[(old, letter, count) for (old, letter), count in sorted(moved.items())],
        movers=[
            Mover(
                people[int(both[index])],
                int(before.rating[place_before[index]]),
                int(now.rating[place[index]]),
                int(now.games[place[index]]),
                largest,
            )
            for index in movers
        ],
        newcomers=[
            Mover(people[int(now.player[index])], None, int(now.rating[index]), int(now.games[index]))
            for index in newcomers
        ],
    )


# --- the full difference, row by row

CONDITIONS = {
    RowFilter.ALL: "TRUE",
    RowFilter.UP: "rating > rating_before",
    RowFilter.DOWN: "rating < rating_before",
    RowFilter.NEW: "rating_before IS NULL",
    RowFilter.LEFT: "rating IS NULL",
    RowFilter.CATEGORY: "category <> category_before",
    RowFilter.PERSON: "(name, federation) <> (name_before, federation_before)",
}
"""The condition of each filter, on the rows that differ."""

SORTS = {
    "change": "rating - rating_before",
    "name": "coalesce(sort_name, sort_name_before)",
    "federation": "coalesce(federation, federation_before)",
    "rating": "rating",
    "before": "rating_before",
    "games": "period_games",
}
"""Values of `?sort=`; with a minus in front, descending. Rows without the figure come last."""

DIFFERENCES = """
SELECT *, count(*) OVER () AS total FROM (
    SELECT player_id, new.name, new.sort_name, new.federation, new.rating, new.category, new.games,
        new.period_games, coalesce(new.register_number, old.register_number) AS register_number,
        old.name AS name_before, old.sort_name AS sort_name_before, old.federation AS federation_before,
        old.rating AS rating_before, old.category AS category_before, old.games AS games_before
    FROM (SELECT * FROM {listed} WHERE list_id = {new}) new
    FULL JOIN (SELECT * FROM {listed} WHERE list_id = {old}) old USING (player_id)
    WHERE (new.rating, new.games, new.category, new.name, new.federation)
        IS DISTINCT FROM (old.rating, old.games, old.category, old.name, old.federation)
) differing WHERE {shown} ORDER BY {order} NULLS LAST, player_id LIMIT {rows} OFFSET {skipped}
"""


@dataclass(frozen=True)
class DifferencePage:
    """Rows of the full difference, and their total number."""

    rows: Sequence[dict[str, Any]]
    total: int
    page: int

    @cached_property
    def pages(self) -> int:
        return max(-(-self.total // PAGE_ROWS), 1)


def differing_players(
    rating_list: RatingList, other: RatingList, *, show: RowFilter, sort: str, page: int
) -> DifferencePage:
    """A page of the players with other values on the two lists. 1 query.

    `sort` is a key of SORTS with or without a minus. A page beyond the last has no rows and a total of 0.
    """
    order = SORTS[sort.removeprefix("-")] + (" DESC" if sort.startswith("-") else "")
    query = sql.SQL(DIFFERENCES).format(
        listed=sql.Identifier(rating_list.rating_system.row_model._meta.db_table),
        new=sql.Literal(rating_list.pk),
        old=sql.Literal(other.pk),
        shown=sql.SQL(CONDITIONS[show]),
        order=sql.SQL(order),
        rows=sql.Literal(PAGE_ROWS),
        skipped=sql.Literal((page - 1) * PAGE_ROWS),
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        names = [column.name for column in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    for row in rows:
        known = row["rating"] is not None and row["rating_before"] is not None
        row["change"] = row["rating"] - row["rating_before"] if known else None
    return DifferencePage(rows, rows[0]["total"] if rows else 0, page)
