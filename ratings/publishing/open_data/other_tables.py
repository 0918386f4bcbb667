"""Tables that apps above this one add to the open data."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ratings.publishing.open_data.schema import Table

ReadLines = Callable[[], Iterable[Sequence[str]]]
"""Gives the lines of a table with the texts of its columns, empty for no value. Reads what is public only."""


@dataclass(frozen=True)
class OtherTables:
    """Tables of an app, each with what reads its lines; `stamp` is what these depend on."""

    tables: Sequence[tuple[Table, ReadLines]]
    stamp: Callable[[], Hashable]


_registered: list[OtherTables] = []


def register_tables(tables: OtherTables) -> None:
    """Have the open data these tables after its own. Called at start, once or more."""
    if tables not in _registered:
        _registered.append(tables)


def other_tables() -> Sequence[OtherTables]:
    """The registered tables, in the order of registration."""
    return tuple(_registered)
