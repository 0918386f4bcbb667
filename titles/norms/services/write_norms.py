"""What a search found, written by COPY: figures as whole numbers, and their layouts once."""

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

import numpy as np
from django.db import connection
from psycopg import sql

from ratings.inputs.read_columns import read_columns
from ratings.models import RatingList
from ratings.production.binary_copy import Cells, binary_copy
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

TOURNAMENT_BITS = 31  # the row of a tournament


class Layouts:
    """The layouts of a list's norms, each written when it is used first."""

    def __init__(self, rating_list: RatingList) -> None:
        self._list = rating_list
        self._written: dict[str, NormLayout] = {}

    def of(self, *asked: Sequence[Condition]) -> list[NormLayout]:
        """The layout of each of these conditions. 1 query, none where all are written."""
        found: dict[str, list[dict[str, Any]]] = {}
        keys = []
        for conditions in asked:
            rows = [
                {column.name: getattr(layout, column.name) for column in fields(layout)}
                for layout in layouts_of(conditions)
            ]
            keys.append(json.dumps(rows))
            found[keys[-1]] = rows
        new = [key for key in found if key not in self._written]
        layouts = [NormLayout(list=self._list, requirements=found[key]) for key in new]
        self._written |= zip(new, NormLayout.objects.bulk_create(layouts), strict=True)
        return [self._written[key] for key in keys]


def opponents_of(search: NormSearch, participations: Integers) -> Integers:
    """The opponents of these participations as `Norm.opponents` has them, a row each."""
    is_sought = np.zeros(len(search.people), bool)
    is_sought[participations] = True
    sought = np.flatnonzero(is_sought[search.opponents.participation])
    order = sought[np.argsort(search.opponents.participation[sought], kind="stable")]
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
            "layout": layouts.of(norm.conditions)[0],
            "figures": figures_of(norm.conditions, np.array([norm.group]))[0].tolist(),
        }
    return values | (asdict(norm.evidence) if norm.evidence else {})


def write_norms(rating_list: RatingList, search: NormSearch, layouts: Layouts) -> int:
    """Write what was found, in its order; of two entries of a person in a tournament the first one's. Returns how many.

    4 or 5 queries, and up to 5 more for norms of titles held. Raises OverflowError for a figure that
    does not fit 16 bits.
    """
    found = _first_entries(search)
    if not len(found):
        return 0
    columns = _columns(rating_list, search, found, needed_norms(rating_list, search, found))
    asked = np.unique(found.asked).tolist()
    layouts_asked = layouts.of(*(search.asked[place] for place in asked))
    names = (*columns, "layout_id", "figures")
    with (
        connection.connection.cursor() as cursor,
        binary_copy(cursor, Norm._meta.db_table, names) as write,
    ):
        for place, layout in zip(asked, layouts_asked, strict=True):
            rows = np.flatnonzero(found.asked == place)
            figures = figures_of(search.asked[place], found.group[rows])
            write(
                [
                    *(cells.rows(rows) for cells in columns.values()),
                    Cells(np.full(rows.size, layout.pk)),
                    Cells(figures),
                ]
            )
    return len(found)


def _first_entries(search: NormSearch) -> FoundColumns:
    people, found = search.people, search.columns
    at = found.participation
    _, key = np.unique(people.player[at] << TOURNAMENT_BITS | people.tournament[at], return_inverse=True)
    for column in (found.title, found.kind, found.origin, found.colour):
        key = key * (1 + column.max(initial=0)) + column
    _, first = np.unique(key, return_index=True)
    return found.rows(np.sort(first))


def _columns(
    rating_list: RatingList, search: NormSearch, found: FoundColumns, needed: Flags
) -> dict[str, Cells]:
    """What was found, by the columns of the table; without layouts and figures."""
    people, is_of_result = search.people, found.kind == RESULT
    at, is_ignored = people.tournament[found.participation], found.ignored_game != NO_GAME
    ignored = np.zeros(len(found), np.int64)
    ignored[is_ignored] = search.games[found.ignored_game[is_ignored]]

    def word(words: Sequence[str], places: Integers) -> Cells:
        return Cells(np.array([text.encode() for text in words])[places])

    return {
        "id": Cells(_next_keys(len(found))),
        "list_id": Cells(np.full(len(found), rating_list.pk)),
        "player_id": Cells(people.player[found.participation]),
        "result_set_id": Cells(search.tournaments[at]),
        "discipline": word(search.disciplines, at),
        "title": word(search.titles, found.title),
        "kind": word(KINDS, found.kind),
        "origin": word(ORIGINS, found.origin),
        "colour": word(search.colours, found.colour),
        "games": Cells(found.games),
        "is_needed": Cells(needed),
        "points_scored": Cells(found.points_scored, is_of_result),
        "points_asked": Cells(found.points_asked, is_of_result),
        "average_rating": Cells(found.average_rating, is_of_result),
        "category": Cells(found.category, is_of_result),
        "ignored_game_id": Cells(ignored, is_ignored),
        "opponents": Cells(opponents_of(search, found.participation)),
        "claim_reason": Cells(np.zeros(len(found), "S1")),
    }


def _next_keys(number: int) -> Integers:
    """So many keys of norms, rising. 1 query."""
    # The sequence is looked up once, not for each key.
    query = sql.SQL(
        "SELECT nextval((SELECT pg_get_serial_sequence({}, 'id')::regclass)) FROM generate_series(1, {})"
    ).format(sql.Literal(Norm._meta.db_table), sql.Literal(number))
    (keys,) = read_columns(query, 1, rising=1)
    return keys
