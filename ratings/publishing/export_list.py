"""The rows and the changes of a list as files, for commands, pages and what is published with it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from django.db import connection
from django.db.models import F, Func, IntegerField, OuterRef, QuerySet, Subquery, TextField, Value, Window
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce, NullIf, Rank
from psycopg import sql

from ratings.formats import tables
from ratings.models import Change, ListRow, RatingList
from ratings.publishing.list_tournaments import (
    Line,
    copied_lines,
    has_sessions,
    minutes_of,
    tournament_columns,
    tournament_lines,
)
from ratings.queries.list_rows import find_variant, list_variants, rows_of
from ratings.rules.declared import Column, Kind
from ratings.rules.derived_lists import FEDERATION
from reporting.models.register import ERASED_NAME, Sex
from reporting.refusals.domain_error import DomainError
from reporting.rules.register.countries import country_code
from reporting.rules.register.registers import Register

FORMATS = ("csv", "json", "txt", "xlsx")


def export_list(*, rating_list: RatingList, form: str, file_format: str) -> bytes:
    """A list in one form (`full`, `official`, `women`, …, `club:020032`, `federation:NED`) and one of FORMATS.

    Rows by rating, then number; `rank` is that within the form. At most three queries. Raises DomainError
    `unknown_variant`, `unknown_format`, `too_many_rows`.
    """
    if file_format not in FORMATS:
        raise DomainError("unknown_format", format=file_format, known=", ".join(FORMATS))
    rows = lines_of_list(rating_list, form)
    (content,) = list_in_formats(
        rating_list, form, rows, [file_format], lambda: tournament_lines(rating_list)
    )
    return content


def lines_of_list(rating_list: RatingList, form: str) -> list[Line]:
    """The rows of a list in one form as its files have them. Raises DomainError `unknown_variant`."""
    names = rating_list.declaration.list_file
    cells = list(file_cells(map(rating_list.declaration.column, names)))
    cells[names.index("rank")] = Window(Rank(), order_by=F("rating").desc())
    return list(rows_of_variant(rating_list, form).order_by("position").values_list(*cells))


def list_in_formats(
    rating_list: RatingList,
    form: str,
    rows: Sequence[Line],
    formats: Iterable[str],
    tournaments: Callable[[], Iterable[Line]],
) -> Iterator[bytes]:
    """A list in one form, its `lines_of_list`, in several of FORMATS, in their order."""
    declaration = rating_list.declaration
    names = declaration.list_file
    columns = [declaration.header(name) for name in names]
    declared = [declaration.column(name) for name in names]
    by_column = [dict(zip(columns, row, strict=True)) for row in rows]
    for file_format in formats:
        if file_format == "csv":
            yield tables.csv_file(columns, rows)
        elif file_format == "json":
            document = {
                **_head(rating_list),
                "list": form,
                "tournaments": [
                    dict(zip(tournament_columns(rating_list), line, strict=True)) for line in tournaments()
                ],
                "rows": by_column,
            }
            yield tables.json_file(document)
        elif file_format == "txt":
            title = [
                f"{rating_list.report_rules.name} rating list, {rating_list.pool.name}, {form}",
                f"In force from {rating_list.in_force}, closing date {rating_list.closing},"
                f" revision {rating_list.revision}",
                f"SHA-256 of the figures {rating_list.sha256}",
            ]
            printed = itemgetter(*map(names.index, declaration.text_file))
            text_columns = [declaration.column(name) for name in declaration.text_file]
            yield tables.text_file(title, text_columns, list(map(printed, rows)))
        else:
            yield tables.xlsx_file(form.replace(":", " "), columns, by_column, scaled_headers(declared))


PAIRING_COLUMNS = ("register_number", "name", "title", "federation", "rating", "sex", "birth_year")


def export_for_pairing(rating_list: RatingList, file_format: str) -> bytes:
    """The players of a list with a rating as pairing programs import them, `csv` or `txt`, by name. 1 query.

    Erased players are left out: no one plays by that name. `txt` has the columns of FIDE's rating list.
    """
    named = rating_list.rows.exclude(name=ERASED_NAME).order_by("name_position")
    rows = named.values_list(*PAIRING_COLUMNS).iterator(
        chunk_size=5_000
    )  # of a large list they would fill the web
    if file_format == "csv":
        return tables.csv_file([rating_list.declaration.header(name) for name in PAIRING_COLUMNS], rows)
    return tables.fide_text_file(
        {
            "ID Number": number,
            "Name": name,
            "Fed": federation,
            "Sex": "F" if sex == Sex.WOMAN else sex,
            "Tit": title,
            "SRtng": rating,
            "B-day": born or "",
        }
        for number, name, title, federation, rating, sex, born in rows
    )


def export_changes(*, rating_list: RatingList, file_format: str) -> bytes:
    """Every counted event of every player with the figures of the formula; by number, then R5's order.

    Of a system that rates by game every counted game, with part and round. A list that counts games of a session has a
    last column, `minutes_for_60_moves` (R25). Raises DomainError `unknown_format`, `too_many_rows`.
    """
    declaration = rating_list.declaration
    of_games = tables.CHANGE_COLUMNS_OF_GAMES if rating_list.is_by_game else ()
    columns = [
        declaration.header("register_number"),
        "tournament",
        *of_games,
        *(declaration.change_column(name).in_files for name in declaration.change_file),
    ]
    of_sessions = has_sessions(rating_list)
    if of_sessions:
        columns.append("minutes_for_60_moves")
    if file_format == "csv":
        changes = _changes(rating_list).values_list(
            "number",
            "code",
            *of_games,
            *_csv_cells(map(declaration.change_column, declaration.change_file)),
        )
        if of_sessions:
            changes = changes.annotate(
                minutes=Func("counted_seconds", template=MINUTES, output_field=TextField())
            )
        query, parameters = changes.query.sql_with_params()
        head = f"{','.join(columns)}\n"
        return b"".join([head.encode(), *copied_lines(sql.SQL(query), parameters)])
    if file_format not in {"json", "xlsx"}:
        raise DomainError("unknown_format", format=file_format, known="csv, json, xlsx")
    rows = [
        dict(zip(columns, row, strict=True)) for row in _change_rows(rating_list, with_minutes=of_sessions)
    ]
    if file_format == "json":
        return tables.json_file(_head(rating_list) | {"changes": rows})
    declared = map(declaration.change_column, declaration.change_file)
    return tables.xlsx_file("changes", columns, rows, scaled_headers(declared))


CELLS = {
    Kind.FLAG: "%(expressions)s::int",
    Kind.DAY: "to_char(%(expressions)s, 'YYYY-MM-DD')",
    Kind.SCALED: "coalesce(round(%(expressions)s * {unit}, {places})::text, '')",
    Kind.HALVES: "trim_scale(%(expressions)s * 0.5)::text",
}
"""How the database writes stored values as `tables.file_value` does, and days as text."""
WHOLE_UNLESS = "CASE WHEN {flag} THEN {cell} ELSE (%(expressions)s / {scale})::text END"
MINUTES = "(%(expressions)s / 60.0::float8)::text"


def file_cells(columns: Iterable[Column]) -> Iterator[Combinable]:
    """The stored values of these columns as files have them, for a query; players by their numbers (`_changes`)."""
    for column in columns:
        if column.kind is Kind.PLAYER:
            yield F(f"{column.relation}_number")
            continue
        cell = CELLS.get(column.kind, "").replace("{unit}", f"{10**-column.decimals:.{column.decimals}f}")
        cell = cell.replace("{places}", str(column.decimals_in_files))
        if cell and column.whole_unless:
            flag = connection.ops.quote_name(column.whole_unless)
            cell = WHOLE_UNLESS.format(flag=flag, cell=cell, scale=10**column.decimals)
        yield Func(F(column.name), template=cell, output_field=TextField()) if cell else F(column.name)


def _csv_cells(columns: Iterable[Column]) -> Iterator[Combinable]:
    """As `file_cells`, with nothing in place of empty texts: the database would put them into quotes."""
    for column in columns:
        (cell,) = file_cells([column])
        is_text = column.kind in {Kind.SCALED, Kind.LETTER, Kind.WORD, Kind.TEXT, Kind.CLUB}
        yield NullIf(Cast(cell, TextField()), Value("", TextField())) if is_text else cell


def scaled_headers(columns: Iterable[Column]) -> list[str]:
    """The names in files of the columns with decimals."""
    return [column.in_files for column in columns if column.kind is Kind.SCALED]


def _head(rating_list: RatingList) -> dict[str, Any]:
    return {
        "pool": rating_list.pool.code,
        "in_force": rating_list.in_force,
        "closing": rating_list.closing,
        "revision": rating_list.revision,
        "sha256": rating_list.sha256,
        "previous_sha256": rating_list.previous_sha256,
        "parameters_edition": rating_list.edition,
    }


def rows_of_variant(rating_list: RatingList, form: str) -> QuerySet[ListRow]:
    """The rows of a list that belong to a form, unordered. Raises DomainError `unknown_variant`."""
    variant = find_variant(rating_list, form)
    if variant is not None:
        return rows_of(rating_list, variant)
    known = [
        *(variant.name for variant in list_variants(rating_list.rules)),
        *(f"{column}:…" for column in rating_list.declaration.divided_by),
    ]
    federation = country_code(form.removeprefix(FEDERATION)) if form.startswith(FEDERATION) else ""
    if not federation:
        raise DomainError("unknown_variant", name=form, known=", ".join(known))
    return rating_list.rows.filter(federation=federation)


def _changes(rating_list: RatingList) -> QuerySet[Any]:
    """The changes of a list as its files have them: with number in the register, code of the tournament and time.

    The numbers of other players are called after the field: `opponent_number`. 1 query.
    """
    columns = rating_list.declaration.changes
    others = [column.relation for column in columns if column.kind is Kind.PLAYER]
    number_of = _stored_number if rating_list.register_rows.exists() else _number_now
    has_clock = any(column.name == "seconds_for_60_moves" for column in rating_list.declaration.changes)
    seconds: Combinable = F("result_set__seconds_for_60_moves")
    if has_clock:
        seconds = Coalesce("seconds_for_60_moves", seconds, output_field=IntegerField())
    changes = rating_list.changes
    if rating_list.is_by_game:
        changes = changes.annotate(part=F("result_set__part"), round=F("game__round"))
    return changes.annotate(
        number=number_of(rating_list, "player"),
        code=F("result_set__tournament__code"),
        counted_seconds=Coalesce("seconds_for_60_moves", seconds, output_field=IntegerField())
        if has_clock
        else seconds,
        **{f"{other}_number": number_of(rating_list, other) for other in others},
    ).order_by("number", "player_id", "sequence")


def _stored_number(rating_list: RatingList, player: str) -> Combinable:
    """The number of a player of a change, as the list has read it in the register (decision 0200)."""
    number = Cast(KeyTextTransform(rating_list.report_rules.register.code, "numbers"), IntegerField())
    stored = rating_list.register_rows.filter(player=OuterRef(f"{player}_id"))
    return Subquery(stored.values_list(number))


def _number_now(rating_list: RatingList, player: str) -> Combinable:
    number = KeyTextTransform(rating_list.report_rules.register.code, f"{player}__numbers")
    return Cast(number, IntegerField())


def _change_rows(rating_list: RatingList, *, with_minutes: bool) -> Iterator[Line]:
    """Number in the register, tournament, the cells of `declaration.change_file`, and the minutes if asked.

    Of games part and round too.
    """
    declaration, register = rating_list.declaration, rating_list.report_rules.register
    columns = {column.name: column for column in declaration.changes}
    shown = [columns[name] for name in declaration.change_file]
    of_games = rating_list.is_by_game
    for change in _changes(rating_list):
        place = (change.part, change.round) if of_games else ()
        cells: list[Any] = [change.number, change.code, *place]
        cells += [
            getattr(change, f"{column.relation}_number")
            if column.kind is Kind.PLAYER
            else change_cell(column, change, register)
            for column in shown
        ]
        if with_minutes:
            cells.append(minutes_of(change.counted_seconds))
        yield tuple(cells)


def change_cell(column: Column, change: Change, register: Register) -> Any:
    """The value of a column of a change, as files have it."""
    if column.kind is Kind.PLAYER:
        player = getattr(change, column.relation)
        return player and player.number_in(register)
    value = getattr(change, column.name)
    if column.whole_unless and value is not None and not getattr(change, column.whole_unless):
        return value // 10**column.decimals
    return tables.file_value(column, value)
