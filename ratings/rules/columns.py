"""Tables held by columns, one array a field: what engines are given and give back.

All numbers are int64, brought to it on the way in; ratings and points are whole, ``_e4`` means times
10,000, days are days since 1 January 1970. Columns of one table have the same length; a table of another
shape, or a number with a fraction, raises ``ValueError``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import Field, dataclass, fields, replace
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Letters = NDArray[np.bytes_]
Words = tuple[str, ...]
"""The words of a whole table, which one or more of its columns name by their places from 0 on."""

NO_DAY: Final = -(2**31)
"""The day of a last game that was never played: before every day, and still a 32-bit number."""
NEVER: Final = 2**31 - 1
"""The day of something that has not happened: after every day, and still a 32-bit number."""

_TYPES: Final = {"Integers": np.int64, "Flags": np.bool_, "Letters": np.bytes_}
_NAMES: Final = {Integers: "Integers", Flags: "Flags", Letters: "Letters", Words: "Words"}
_KINDS: Final = {"Integers": "iu", "Flags": "b", "Letters": "S"}


def _type_name(field: Field[Any]) -> str:
    """What a column holds; a module without `from __future__ import annotations` names the type itself."""
    return field.type if isinstance(field.type, str) else _NAMES[field.type]


_LARGEST_KEY: Final = 2**62
DENSE_KEYS: Final = 16
"""Keys in a span of so many times their number lie close together."""


def rising_order(columns: Sequence[Integers]) -> Integers:
    """The order of rows by the first column, then the second …; columns are packed into as few keys as hold them."""
    keys: list[Integers] = []
    room = 0
    for column in columns:
        least = int(column.min(initial=0))
        span = int(column.max(initial=0)) - least + 1
        if span > room:
            keys.append(column - least)
            room = _LARGEST_KEY // span
        else:
            keys[-1] = keys[-1] * span + (column - least)
            room //= span
    order = np.argsort(keys[0])
    # One key decides most tables: a sort by several takes six times as long.
    is_decided = len(keys) == 1 or np.all(np.diff(keys[0][order]) > 0)
    return order if is_decided else np.lexsort(keys[::-1])


def places(rising: Integers, sought: Integers) -> Integers:
    """Where each sought key is among rising keys; raises `ValueError` naming one that is not there."""
    place = _places(rising, sought)
    if np.any(place < 0):
        raise ValueError(f"player {sought[np.argmin(place)]} is not among the players")
    return place


def looked_up(rising: Integers, values: Integers, sought: Integers, otherwise: int | Integers) -> Integers:
    """The value beside each sought key among rising keys, of equal ones the first; `otherwise` where it is missing."""
    if not rising.size:
        return np.broadcast_to(otherwise, sought.shape).astype(np.int64)
    place = _places(rising, sought)
    return np.where(place < 0, otherwise, values[place])


def _places(rising: Integers, sought: Integers) -> Integers:
    """Where each sought key is among rising keys, -1 for one that is not there.

    Keys that lie close together are looked up in one table, scattered ones are searched for.
    """
    if not (rising.size and sought.size):
        return np.full(sought.shape, -1)
    least, span = int(rising[0]), int(rising[-1] - rising[0]) + 1
    if span <= DENSE_KEYS * rising.size:
        table = np.full(span + 1, -1, dtype=np.int64)  # the last cell: not there
        table[rising[::-1] - least] = np.arange(rising.size)[::-1]  # of equal keys the first
        found: Integers = table[np.where((sought >= least) & (sought < least + span), sought - least, span)]
        return found
    place = np.minimum(np.searchsorted(rising, sought), rising.size - 1)
    return np.where(rising[place] == sought, place, -1)


@dataclass(frozen=True, eq=False)
class Columns:
    """A table held by columns: all of one length, int64, bool or single letters; and the words that they name."""

    def __post_init__(self) -> None:
        length = None
        for field in self._arrays():
            kind = _type_name(field)
            array = np.asarray(getattr(self, field.name))
            if array.size == 0:
                array = array.astype(_TYPES[kind])
            if array.ndim != 1 or array.dtype.kind not in _KINDS[kind]:
                raise ValueError(
                    f"{type(self).__name__}.{field.name}: one column of {kind.lower()} expected, "
                    f"found {array.dtype} of {array.ndim} dimensions"
                )
            if length not in (None, array.size):
                raise ValueError(f"{type(self).__name__}.{field.name}: {array.size} rows, expected {length}")
            length = array.size
            object.__setattr__(self, field.name, array.astype(_TYPES[kind], copy=False))

    def __len__(self) -> int:
        """The number of rows."""
        first = fields(self)[0]
        return int(getattr(self, first.name).size)

    def rows(self, selection: Integers | Flags | slice) -> Self:
        """The same table with only the rows selected, in the order of the selection."""
        return replace(self, **{field.name: getattr(self, field.name)[selection] for field in self._arrays()})

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Tables of one shape, one under another; no part at all gives a table without rows.

        Raises ValueError for tables of different words.
        """
        return cls(
            *(
                _joined(_type_name(field), [getattr(part, field.name) for part in parts])
                for field in fields(cls)
            )
        )

    @classmethod
    def _arrays(cls) -> list[Field[Any]]:
        return [field for field in fields(cls) if _type_name(field) != "Words"]


def _joined(kind: str, columns: Sequence[Any]) -> Any:
    if kind == "Words":
        if len(set(columns)) > 1:
            raise ValueError("tables of different words")
        return columns[0] if columns else ()
    return np.concatenate(columns) if columns else np.empty(0, _TYPES[kind])


@dataclass(frozen=True, eq=False)
class ListColumns(Columns):
    """What the rows of every system's list have, in the order in which it is published.

    ``position`` counts the rows from 1; ``rank`` is 1 + the number of players with a higher rating;
    ``previous`` is the rating on the previous list (0: new) and ``change`` the difference from it (0 and
    without meaning when new); ``period_games`` and ``games`` are the counted games of the period and of
    all; ``last_game_day`` is ``NO_DAY`` where no game is known.

    A system that groups its players has ``category``, a letter; one whose official list is shorter has
    ``official_position`` and ``official_rank``, those among its players (0: not on it). Each declares them.
    """

    position: Integers
    rank: Integers
    player: Integers
    register_number: Integers
    rating: Integers
    previous: Integers
    change: Integers
    period_games: Integers
    games: Integers
    last_game_day: Integers
