"""Ratings on lists as columns, each list read once for the calculation of a list and its norms."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from psycopg import sql

from ratings.federations.facet import RatingSystem
from ratings.inputs.read_columns import numbers, read_columns
from ratings.rules.columns import Columns, Integers


@dataclass(frozen=True, eq=False)
class ListedColumns(Columns):
    """The rows of lists by id, in the order of list and player, with their players, be they merged or not."""

    rating_list: Integers
    player: Integers
    rating: Integers


class ListedRatings:
    """The ratings on lists of a rating system."""

    def __init__(self, system: RatingSystem) -> None:
        self._table = system.row_model._meta.db_table
        self._read: dict[int, ListedColumns] = {}

    def add(self, rating_list: int, player: Integers, rating: Integers) -> None:
        """The rows of a list (by id) that were read with something else, rising by player: they are not read again."""
        self._read[rating_list] = ListedColumns(np.full(player.size, rating_list), player, rating)

    def on(self, lists: Collection[int]) -> ListedColumns:
        """The rows of these lists (by id), in new arrays. 1 query, or none if all of them were read before."""
        missing = [number for number in lists if number not in self._read]
        if missing:
            query = sql.SQL("SELECT list_id, player_id, rating FROM {} WHERE list_id = ANY({})")
            columns = query.format(sql.Identifier(self._table), numbers(missing))
            rows = ListedColumns(*read_columns(columns, 3, rising=2))
            for number in missing:
                begin, end = np.searchsorted(rows.rating_list, [number, number + 1]).tolist()
                self._read[number] = rows.rows(slice(begin, end))
        return ListedColumns.joined([self._read[number] for number in sorted(lists)])
