"""The lists of sources that a list is calculated from, and their figures."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby

import numpy as np
from django.db import connection
from django.db.models import QuerySet
from psycopg import Cursor, sql

from ratings.formats.sources.packed import NOWHERE, PackedNumbers
from ratings.models import SourceImport, SourceList
from ratings.rules.columns import Integers
from ratings.rules.days import years_before
from ratings.rules.declared import SourceUse

FIGURES: Mapping[str, str] = {"rating": "<u2", "k_factor": "u1", "title": "u1"}
"""The columns of a list of a source that a system reads, with the type of their numbers."""


def newest_source_lists() -> QuerySet[SourceList]:
    """The list of each source, kind and day that counts: the one that was imported last. Without its figures."""
    return (
        SourceList.objects.order_by("source", "kind", "in_force", "-pk")
        .distinct("source", "kind", "in_force")
        .defer("numbers", "ratings", "k_factors", "titles")
    )


def waiting_imports() -> QuerySet[SourceImport]:
    """The uploaded files that wait for the worker, or that it refused, oldest first."""
    return SourceImport.objects.order_by("requested_at")


def source_lists_of_day(uses: Iterable[SourceUse], in_force: date) -> tuple[SourceList, ...]:
    """What a list in force from a day reads of these sources: by source, kind and day. 1 query each, none for none.

    Of each kind the lists of the years before, that of the day itself too, and the last one before these, which is in
    force when they begin.
    """
    found: list[SourceList] = []
    for use in uses:
        begins = years_before(in_force, use.years)
        lists = newest_source_lists().filter(source=use.source, kind__in=use.kinds, in_force__lte=in_force)
        for _, of_kind in groupby(lists, key=lambda source_list: source_list.kind):
            rising = list(of_kind)
            first = sum(source_list.in_force <= begins for source_list in rising)
            found += rising[max(first - 1, 0) :]
    return tuple(found)


def source_lists_by_id(numbers: Sequence[int]) -> tuple[SourceList, ...]:
    """These lists without their figures, in the order of the numbers. 1 query, or none for none."""
    if not numbers:
        return ()
    lists = SourceList.objects.defer("numbers", "ratings", "k_factors", "titles").in_bulk(list(numbers))
    return tuple(lists[number] for number in numbers)


def source_figures(source_list: SourceList, numbers: Integers, *names: str) -> list[Integers]:
    """Columns of a list, as named in FIGURES, for these numbers of its register; 0 where it has no such player.

    A title is its place in `title_words`. A query for the numbers and one for each column, whatever the number of
    players: megabytes arrive faster one by one.
    """
    places = PackedNumbers(_column(source_list, "number")).places(numbers)
    is_on_it = places != NOWHERE
    figures = []
    for name in names:
        column = np.frombuffer(_column(source_list, name), FIGURES[name])
        values = np.zeros(numbers.size, dtype=np.int64)
        values[is_on_it] = column[places[is_on_it]]
        figures.append(values)
    return figures


def _column(source_list: SourceList, name: str) -> bytes:
    query = sql.SQL("SELECT {} FROM ratings_sourcelist WHERE id = %s").format(sql.Identifier(f"{name}s"))
    connection.ensure_connection()
    with Cursor(connection.connection) as cursor:  # as in read_columns: binary
        cursor.execute(query, [source_list.pk], binary=True)
        row = cursor.fetchone()
    assert row is not None  # noqa: S101 - no list of a source is ever deleted
    content: bytes = row[0]
    return content
