"""Two lists compared: counts of differences, the largest changes, and every player with other values."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from psycopg import sql

from ratings.inputs.read_columns import read_columns
from ratings.models import RatingList
from ratings.rules.columns import Integers, ListColumns
from ratings.rules.declared import CheckedColumn, Column, Declaration, Kind
from reporting.models import Player

PAGE_ROWS = 100
MOVERS = 12
NEWCOMERS = 12


@dataclass(frozen=True, eq=False)
class ComparedColumns:
    """The columns of a list that a comparison needs, rising by player.

    `checked` are those that the list's system counts by value, by name; letters are the codes of their characters.
    """

    player: Integers
    rating: Integers
    games: Integers
    declaration: Declaration
    checked: Mapping[str, Integers]

    @classmethod
    def of_columns(cls, rows: ListColumns, declaration: Declaration) -> "ComparedColumns":
        order = np.argsort(rows.player)
        checked = {}
        for column in counted_columns(declaration):
            array = getattr(rows, column.source)
            numbers = array.view(np.uint8).astype(np.int64) if column.kind is Kind.LETTER else array
            checked[column.name] = numbers[order]
        return cls(rows.player[order], rows.rating[order], rows.period_games[order], declaration, checked)

    @classmethod
    def of_list(cls, rating_list: RatingList) -> "ComparedColumns":
        """1 query."""
        columns = counted_columns(rating_list.declaration)
        more = [
            sql.SQL("ascii({})" if column.kind is Kind.LETTER else "{}").format(sql.Identifier(column.name))
            for column in columns
        ]
        names = sql.SQL(", ").join([*map(sql.Identifier, ("player_id", "rating", "period_games")), *more])
        player, rating, games, *checked = read_columns(
            sql.SQL("SELECT {} FROM {} WHERE list_id = {} ORDER BY player_id").format(
                names,
                sql.Identifier(rating_list.rating_system.row_model._meta.db_table),
                sql.Literal(rating_list.pk),
            ),
            3 + len(columns),
        )
        by_name = {column.name: numbers for column, numbers in zip(columns, checked, strict=True)}
        return cls(player, rating, games, rating_list.declaration, by_name)


def counted_columns(declaration: Declaration) -> list[Column]:
    """The checked columns whose players are counted by value."""
    return [declaration.column(checked.name) for checked in declaration.checked if checked.moved]


class RowFilter(TextChoices):
    """Which differing rows a page shows: values of `?show=`; the names of the checked columns are others."""

    ALL = "all", _("All differences")
    UP = "up", _("Rating up")
    DOWN = "down", _("Rating down")
    NEW = "new", _("New on the list")
    LEFT = "left", _("Removed from the list")
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
    """A list compared with another one: what an officer checks before signing.

    `moved` counts the players by the values of checked columns before and after, in words.
    """

    players: int
    players_before: int
    up: int
    down: int
    unchanged: int
    new: int
    left: int
    mean_of_new: int | None
    sum_of_changes: int
    moved: Sequence[tuple[str, int]]
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
    def is_equal(self) -> bool:
        """Whether both have the same players with the same ratings."""
        return not (self.up or self.down or self.new or self.left)

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
    moved = [
        line
        for checked in now.declaration.checked
        if checked.name in now.checked and checked.name in before.checked
        for line in _moved(
            checked,
            now.declaration.column(checked.name),
            before.checked[checked.name][place_before],
            now.checked[checked.name][place],
        )
    ]
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
        moved=moved,
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


def _moved(
    checked: CheckedColumn, column: Column, before: Integers, after: Integers
) -> list[tuple[str, int]]:
    """Players whose value differs, counted by both values and in their order."""
    differing = before != after
    pairs = Counter(zip(before[differing].tolist(), after[differing].tolist(), strict=True))
    text = chr if column.kind is Kind.LETTER else str
    return [
        (gettext(checked.moved) % {"before": text(old), "after": text(new)}, count)
        for (old, new), count in sorted(pairs.items())
    ]


# --- the full difference, row by row

CONDITIONS = {
    RowFilter.ALL: "TRUE",
    RowFilter.UP: "rating > rating_before",
    RowFilter.DOWN: "rating < rating_before",
    RowFilter.NEW: "rating_before IS NULL",
    RowFilter.LEFT: "rating IS NULL",
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
    SELECT player_id, new.name, new.sort_name, new.federation, new.rating, new.games,
        new.period_games, coalesce(new.register_number, old.register_number) AS register_number,
        old.name AS name_before, old.sort_name AS sort_name_before, old.federation AS federation_before,
        old.rating AS rating_before, old.games AS games_before {checked}
    FROM (SELECT * FROM {listed} WHERE list_id = {new}) new
    FULL JOIN (SELECT * FROM {listed} WHERE list_id = {old}) old USING (player_id)
    WHERE (new.rating, new.games, new.name, new.federation {new_checked})
        IS DISTINCT FROM (old.rating, old.games, old.name, old.federation {old_checked})
) differing WHERE {shown} ORDER BY {order} NULLS LAST, player_id LIMIT {rows} OFFSET {skipped}
"""


@dataclass(frozen=True)
class DifferencePage:
    """Rows of the full difference, and their total number.

    `columns` are the checked columns of both lists; a row has their values as `checked`, each now and before.
    """

    columns: Sequence[Column]
    rows: Sequence[dict[str, Any]]
    total: int
    page: int

    @cached_property
    def pages(self) -> int:
        return max(-(-self.total // PAGE_ROWS), 1)


def differing_players(
    rating_list: RatingList, other: RatingList, *, show: str, sort: str, page: int
) -> DifferencePage:
    """A page of the players with other values on the two lists. 1 query.

    `show` is a value of `RowFilter`, or the name of a checked column of both lists; `sort` a key of SORTS with or
    without a minus. A page beyond the last has no rows and a total of 0. Raises ValueError for another `show`.
    """
    names = [checked.name for checked in checked_on_both(rating_list, other)]
    if show in names:
        place = names.index(show)
        condition = f"checked_{place} <> checked_{place}_before"
    else:
        condition = CONDITIONS[RowFilter(show)]
    order = SORTS[sort.removeprefix("-")] + (" DESC" if sort.startswith("-") else "")
    query = sql.SQL(DIFFERENCES).format(
        listed=sql.Identifier(rating_list.rating_system.row_model._meta.db_table),
        new=sql.Literal(rating_list.pk),
        old=sql.Literal(other.pk),
        shown=sql.SQL(condition),
        checked=_each(", new.{name} AS {now}, old.{name} AS {before}", names),
        new_checked=_each(", new.{name}", names),
        old_checked=_each(", old.{name}", names),
        order=sql.SQL(order),
        rows=sql.Literal(PAGE_ROWS),
        skipped=sql.Literal((page - 1) * PAGE_ROWS),
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        cells = [column.name for column in cursor.description]
        rows = [dict(zip(cells, row, strict=True)) for row in cursor.fetchall()]
    for row in rows:
        known = row["rating"] is not None and row["rating_before"] is not None
        row["change"] = row["rating"] - row["rating_before"] if known else None
        row["checked"] = [
            (row[f"checked_{place}"], row[f"checked_{place}_before"]) for place in range(len(names))
        ]
    columns = [rating_list.declaration.column(name) for name in names]
    return DifferencePage(columns, rows, rows[0]["total"] if rows else 0, page)


def checked_on_both(rating_list: RatingList, other: RatingList) -> list[CheckedColumn]:
    """The columns that the office checks, of those that both lists have."""
    before = {checked.name for checked in other.declaration.checked}
    return [checked for checked in rating_list.declaration.checked if checked.name in before]


def _each(piece: str, names: Sequence[str]) -> sql.Composed:
    """The piece for each checked column, with its name and the names of its values in the result."""
    return sql.SQL("").join(
        sql.SQL(piece).format(
            name=sql.Identifier(name),
            now=sql.Identifier(f"checked_{place}"),
            before=sql.Identifier(f"checked_{place}_before"),
        )
        for place, name in enumerate(names)
    )
