"""What a search found, written by COPY: figures as whole numbers, and their layouts once."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

import numpy as np
from django.db import connection
from psycopg import sql

from ratings.inputs.read_columns import read_columns
from ratings.models import RatingList
from ratings.rules.columns import Flags, Integers
from titles.federations.facet import (
    KINDS,
    NO_GAME,
    ORIGINS,
    RESULT,
    FoundColumns,
    FoundNorm,
    NormSearch,
)
from titles.models import Norm, NormLayout
from titles.queries.needed_norms import needed_norms
from titles.rules.met_opponents import NUMBERS_A_GAME, MetColumns, packed
from titles.rules.requirement import Condition, figures_of, layouts_of

LARGEST = 2**15 - 1
ARRAY_OIDS = {">i2": 21, ">i8": 20}
COPY_HEADER = b"PGCOPY\n\xff\r\n\0" + b"\0" * 8
COPY_END = b"\xff\xff"

Value = Integers | Flags | str | None
"""A column of a block: a number for each row, one text for all, or NULL."""


class Layouts:
    """The layouts of a list's norms, each written when it is used first."""

    def __init__(self, rating_list: RatingList) -> None:
        self._list = rating_list
        self._written: dict[str, NormLayout] = {}

    def of(self, conditions: Sequence[Condition]) -> NormLayout | None:
        """The layout of conditions; None of none. 1 query for a new one."""
        if not conditions:
            return None
        layouts = layouts_of(conditions)
        rows = [
            {column.name: getattr(layout, column.name) for column in fields(layout)} for layout in layouts
        ]
        key = json.dumps(rows)
        if key not in self._written:
            self._written[key] = NormLayout.objects.create(list=self._list, requirements=rows)
        return self._written[key]


def opponents_of(search: NormSearch, participations: Integers) -> Integers:
    """The opponents of these participations as `Norm.opponents` has them, a row each."""
    order = np.argsort(search.opponents.participation, kind="stable")
    rising = search.opponents.participation[order]
    begin, end = (np.searchsorted(rising, participations, side) for side in ("left", "right"))
    row = begin[:, np.newaxis] + np.arange((end - begin).max(initial=0))
    is_met = row < end[:, np.newaxis]
    met = search.opponents.rows(order[row[is_met]])
    title = np.array([0, *(int(code, 36) for code in search.titles)])
    federation = np.zeros(1 + max(search.federations, default=0), np.int64)
    federation[list(search.federations)] = [int(code, 36) for code in search.federations.values()]
    found = np.zeros((*row.shape, NUMBERS_A_GAME), np.int64)
    found[is_met] = packed(
        MetColumns(
            search.games[met.game],
            met.player,
            met.points,
            met.rating,
            title[met.title],
            federation[met.federation],
        )
    )
    return found.reshape(len(participations), -1)


def values_of(search: NormSearch, norm: FoundNorm, layouts: Layouts) -> dict[str, Any]:
    """The values of a norm by result for one participation, met or not; only its games where no result gives it."""
    opponents = opponents_of(search, np.array([norm.participation]))
    values: dict[str, Any] = {"games": norm.games, "figures": [], "opponents": opponents[0].tolist()}
    if norm.conditions:
        values |= {
            "layout": layouts.of(norm.conditions),
            "figures": figures_of(norm.conditions, np.array([norm.group]))[0].tolist(),
        }
    return values | (asdict(norm.evidence) if norm.evidence else {})


def write_norms(rating_list: RatingList, search: NormSearch, layouts: Layouts) -> int:
    """Write what was found, in its order; of two entries of a person in a tournament the first one's. Returns how many.

    A query for each layout and 3 more, and up to 5 for norms of titles held. Raises OverflowError for a figure that
    does not fit 16 bits.
    """
    found = _first_entries(search)
    if not len(found):
        return 0
    needed = needed_norms(rating_list, search, found)
    keys = _next_keys(len(found))
    layout_of = {asked: layouts.of(search.asked[asked]) for asked in np.unique(found.asked).tolist()}
    with (
        connection.connection.cursor() as cursor,
        cursor.copy(f"COPY titles_norm ({', '.join(COLUMNS)}) FROM STDIN (FORMAT binary)") as copy,
    ):
        copy.write(COPY_HEADER)
        # The database stores a block while the next one is made.
        for block in _blocks(rating_list, search, found, needed, keys, layout_of):
            copy.write(block)
        copy.write(COPY_END)
    return len(found)


def _first_entries(search: NormSearch) -> FoundColumns:
    people, found = search.people, search.columns
    at = found.participation
    key = np.stack(
        [people.player[at], people.tournament[at], found.title, found.kind, found.origin, found.colour]
    )
    _, first = np.unique(key, axis=1, return_index=True)
    return found.rows(np.sort(first))


COLUMNS = (
    "id", "list_id", "player_id", "result_set_id", "discipline", "title", "kind", "origin", "colour", "games",
    "is_needed", "points_scored", "points_asked", "average_rating", "category", "ignored_game_id", "layout_id",
    "figures", "opponents", "claim_reason",
)  # fmt: skip


def _blocks(  # noqa: PLR0917
    rating_list: RatingList,
    search: NormSearch,
    found: FoundColumns,
    needed: Flags,
    keys: Integers,
    layout_of: Mapping[int, NormLayout | None],
) -> Iterator[bytes]:
    """Rows that differ in numbers only, as the body of a binary COPY; their keys are in the order of `found`."""
    people = search.people
    disciplines, discipline = np.unique(search.disciplines, return_inverse=True)
    at = people.tournament[found.participation]
    alike = np.stack([found.asked, found.title, found.kind, found.origin, found.colour, discipline[at]])
    order = np.lexsort(alike[::-1])
    keys, found, needed, at, alike = (
        keys[order], found.rows(order), needed[order], at[order], alike[:, order],
    )  # fmt: skip
    opponents = opponents_of(search, found.participation)
    player, tournament = people.player[found.participation], search.tournaments[at]
    for of_asked in _runs(alike[:1]):
        asked = int(found.asked[of_asked.start])
        layout, figures = layout_of[asked], figures_of(search.asked[asked], found.group[of_asked])
        for run in _runs(alike[:, of_asked]):
            _, title, kind, origin, colour, place = alike[:, of_asked][:, run.start].tolist()
            rows = slice(of_asked.start + run.start, of_asked.start + run.stop)
            length, of_result, ignored = rows.stop - rows.start, kind == RESULT, found.ignored_game[rows]
            yield copy_block(
                length,
                [
                    (">i8", keys[rows]),
                    (">i8", np.full(length, rating_list.pk)),
                    (">i8", player[rows]),
                    (">i8", tournament[rows]),
                    ("", str(disciplines[place])),
                    ("", search.titles[title]),
                    ("", str(KINDS[kind])),
                    ("", str(ORIGINS[origin])),
                    ("", search.colours[colour]),
                    (">i2", found.games[rows]),
                    ("?", needed[rows]),
                    (">i2", found.points_scored[rows] if of_result else None),
                    (">i2", found.points_asked[rows] if of_result else None),
                    (">i2", found.average_rating[rows] if of_result else None),
                    (">i2", found.category[rows] if of_result else None),
                    (">i8", None if ignored[0] == NO_GAME else search.games[ignored]),
                    (">i8", None if layout is None else np.full(length, layout.pk)),
                    (">i2", figures[run]),
                    (">i8", opponents[rows]),
                    ("", ""),
                ],
            )


def _runs(columns: Integers) -> Iterator[slice]:
    """The neighbouring rows that are alike in all of these columns, which are stacked."""
    changes = np.flatnonzero(np.diff(columns).any(axis=0)) + 1
    ends = [0, *changes.tolist(), columns.shape[1]]
    return map(slice, ends[:-1], ends[1:])


def _next_keys(number: int) -> Integers:
    """So many keys of norms, rising. 1 query."""
    # The sequence is looked up once, not for each key.
    query = sql.SQL(
        "SELECT nextval((SELECT pg_get_serial_sequence({}, 'id')::regclass)) FROM generate_series(1, {})"
    ).format(sql.Literal(Norm._meta.db_table), sql.Literal(number))
    (keys,) = read_columns(query, 1, rising=1)
    return keys


def copy_block(length: int, values: Sequence[tuple[str, Value]]) -> bytes:
    """So many rows of columns as binary COPY has them; a column of several numbers a row is an array."""
    fields: list[Any] = [("fields", ">i2")]
    filled: dict[str, Any] = {"fields": len(values)}
    for place, (kind, value) in enumerate(values):
        fields.append((f"size{place}", ">i4"))
        name = f"value{place}"
        if value is None:
            filled[f"size{place}"] = -1
        elif isinstance(value, str):
            filled[f"size{place}"] = len(value)
            if value:
                fields.append((name, f"S{len(value)}"))
                filled[name] = value.encode()
        elif value.ndim == 1:
            fields.append((name, kind))
            filled[f"size{place}"], filled[name] = np.dtype(kind).itemsize, _checked(value, kind)
        else:
            width, size = value.shape[1], np.dtype(kind).itemsize
            fields += [
                (f"head{place}", ">i4", (5,)),
                (name, [("size", ">i4"), ("value", kind)], (width,)),
            ]
            filled[f"size{place}"] = 20 + (4 + size) * width
            filled[f"head{place}"] = (1, 0, ARRAY_OIDS[kind], width, 1)
            filled[name] = _checked(value, kind)
    record = np.zeros(length, dtype=fields)
    for name, cells in filled.items():
        if record.dtype[name].subdtype and name.startswith("value"):
            record[name]["size"] = record.dtype[name].base["value"].itemsize
            record[name]["value"] = cells
        else:
            record[name] = cells
    return record.tobytes()


def _checked(values: Integers | Flags, kind: str) -> Integers | Flags:
    if kind == ">i2" and values.size and np.abs(values).max() > LARGEST:
        raise OverflowError("a figure of a norm does not fit 16 bits")
    return values
