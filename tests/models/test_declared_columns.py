"""The declared columns of each rating system are the fields of its tables with their types, and the other way round."""

from collections.abc import Sequence, Set
from dataclasses import fields, replace
from datetime import date

import numpy as np
import pytest
from django.db import models

from ratings.federations.facet import RatingSystem
from ratings.federations.registry import rating_systems
from ratings.models import RatingList
from ratings.production.imports.import_list import NO_DIGEST
from ratings.production.write_list import write_list
from ratings.rules.declared import Column, Kind
from ratings.worker.progress import Progress
from tests.toy_games import rules as league

FIELDS: dict[Kind, tuple[type[models.Field], ...]] = {
    Kind.WHOLE: (models.IntegerField, models.SmallIntegerField, models.ForeignKey),
    Kind.DIFFERENCE: (models.IntegerField,),
    Kind.SCALED: (models.IntegerField, models.BigIntegerField),
    Kind.HALVES: (models.IntegerField,), Kind.DAY: (models.DateField,), Kind.FLAG: (models.BooleanField,),
    Kind.LETTER: (models.CharField,), Kind.WORD: (models.CharField,), Kind.TEXT: (models.CharField,),
    Kind.CLUB: (models.CharField,), Kind.PLAYER: (models.ForeignKey,),
}  # fmt: skip
WRITTEN_BY_SQL = {"list_id", "name_position"}
"""The columns of a row that neither the engine nor the register gives."""

systems = pytest.mark.parametrize("system", rating_systems(), ids=lambda system: system.code)


def check(columns: Sequence[Column], model: type[models.Model], of_all: Set[str] = frozenset()) -> None:
    """`of_all` are fields of all systems that this one does not calculate."""
    fields = {field.column: field for field in model._meta.local_concrete_fields}
    assert len({column.name for column in columns}) == len(columns)
    assert {column.name for column in columns} == fields.keys() - WRITTEN_BY_SQL - of_all
    for column in columns:
        field = fields[column.name]
        assert type(field) in FIELDS[column.kind], column.name
        assert (type(field) is models.BigIntegerField) == column.is_long, column.name
        if column.given or column.since:
            assert field.null, column.name
        if column.kind is Kind.LETTER:
            assert field.max_length == 1, column.name
        if column.words:
            assert max(map(len, column.words)) <= field.max_length, column.name


@systems
def test_the_columns_of_a_row_are_the_fields_of_its_table(system: RatingSystem) -> None:
    declaration = system.declaration
    of_all = set() if declaration.has_official_list else {"official_position", "official_rank"}
    of_all |= set() if declaration.has_categories else {"category"}
    check((*declaration.rows, *declaration.person_columns), system.row_model, of_all)


@systems
def test_the_columns_of_a_change_are_the_fields_of_its_table(system: RatingSystem) -> None:
    check(system.declaration.changes, system.change_model)


def test_no_list_is_written_with_a_player_who_has_no_number() -> None:
    """Before anything is written: the list has no partition yet (U22)."""
    calculation = league.LeagueInput(date(2025, 6, 30), [], [], 0, 0, ()).calculate()
    rows = league.arranged(league.RULES, date(2025, 6, 30), [])
    unnumbered = replace(rows, **{field.name: np.array([0]) for field in fields(rows)})
    with pytest.raises(ValueError, match="without a number"):
        write_list(
            RatingList(),
            replace(calculation, rows=unnumbered),
            progress=Progress(None),
            input_digest=lambda: NO_DIGEST,
        )


@systems
def test_the_office_checks_letters_and_whole_numbers_that_are_never_missing(system: RatingSystem) -> None:
    fields = {field.column: field for field in system.row_model._meta.local_concrete_fields}
    for checked in system.declaration.checked:
        assert system.declaration.column(checked.name).kind in {Kind.LETTER, Kind.WHOLE}, checked.name
        assert not fields[checked.name].null, checked.name
        assert system.declaration.column(checked.name).label, checked.name


@systems
def test_every_place_names_declared_columns_and_a_page_their_labels(system: RatingSystem) -> None:
    declaration = system.declaration
    rows = {column.name for column in (*declaration.rows, *declaration.person_columns)}
    for place in ("figures", "list_file", "text_file", "list_page", "compared"):
        names = getattr(declaration, place)
        assert len(set(names)) == len(names), place
        assert rows.issuperset(names), place
    assert {column.name for column in declaration.changes}.issuperset(declaration.change_file)
    assert {column.name for column in declaration.rows}.issuperset(declaration.figures)
    for column in map(declaration.column, declaration.list_page):
        assert column.label, column.name
    assert set(declaration.text_file) <= set(declaration.list_file)


@systems
def test_every_list_is_sorted_by_name_and_rating_and_no_word_means_two_columns(system: RatingSystem) -> None:
    declaration = system.declaration
    assert {"name", "rating"} <= declaration.sorts.keys()
    sorted_columns = [column for column in (*declaration.person_columns, *declaration.rows) if column.sort]
    assert len(declaration.sorts) == len(sorted_columns)
    for _, sort in declaration.sorts.values():
        assert sort.position in {"", "position", "name_position"}
    # The other words of the page's query string.
    assert not declaration.filters.keys() & {"q", "federation", "players", "age", "sort", "page"}
