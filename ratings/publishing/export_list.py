"""A list as files: those published with it, and the ones a command or a page asks for."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from django.db import connection
from django.db.models import F, Func, IntegerField, QuerySet, TextField, Value, Window
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce, NullIf, Rank
from psycopg import sql

from ratings.formats import tables
from ratings.formats.figures import File, figures_file, file_of
from ratings.inputs.calculation_inputs import CalculationInputs, decided_rows, inputs_of_list
from ratings.inputs.held_rows import held_digest
from ratings.inputs.in_force import lists_by_id
from ratings.inputs.starting_ratings import starting_ratings
from ratings.models import Change, ListRow, Pool, PublishedFile, RatingList
from ratings.publishing.list_norms import list_norms
from ratings.queries.list_rows import find_variant, list_variants, rows_of
from ratings.queries.lists import carried_revisions
from ratings.queries.revisions import differing_rows
from ratings.queries.time_controls import clocks_in_list
from ratings.queries.tournaments import tournaments_of
from ratings.rules.declared import Column, Kind
from ratings.rules.derived_lists import FEDERATION
from reporting.models import PlayerMerge
from reporting.models.register import ERASED_NAME, Sex
from reporting.refusals.domain_error import DomainError
from reporting.rules.details.known_details import has_parts
from reporting.rules.register.countries import country_code
from reporting.rules.register.registers import Register
from reporting.rules.report import PointsScale

Line = tuple[Any, ...]
"""The cells of a line of a file."""
FORMATS = ("csv", "json", "txt", "xlsx")
CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "txt": "text/plain; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def export_list(*, rating_list: RatingList, form: str, file_format: str) -> bytes:
    """A list in one form (`full`, `official`, `women`, …, `club:020032`, `federation:NED`) and one of FORMATS.

    Rows by rating, then number; `rank` is that within the form. At most three queries. Raises DomainError
    `unknown_variant`, `unknown_format`, `too_many_rows`.
    """
    if file_format not in FORMATS:
        raise DomainError("unknown_format", format=file_format, known=", ".join(FORMATS))
    (content,) = _list_files(rating_list, form, [file_format], lambda: _tournaments(rating_list))
    return content


def _list_files(
    rating_list: RatingList, form: str, formats: Iterable[str], tournaments: Callable[[], Iterable[Line]]
) -> Iterator[bytes]:
    """A list in one form and several of FORMATS, in their order. The rows are read once."""
    declaration = rating_list.declaration
    names = declaration.list_file
    columns = [declaration.header(name) for name in names]
    declared = [declaration.column(name) for name in names]
    cells = list(file_cells(declared))
    cells[names.index("rank")] = Window(Rank(), order_by=F("rating").desc())
    rows = list(rows_of_variant(rating_list, form).order_by("position").values_list(*cells))
    by_column = [dict(zip(columns, row, strict=True)) for row in rows]
    for file_format in formats:
        if file_format == "csv":
            yield tables.csv_file(columns, rows)
        elif file_format == "json":
            document = {
                **_head(rating_list),
                "list": form,
                "tournaments": [
                    dict(zip(_tournament_columns(rating_list), line, strict=True)) for line in tournaments()
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
    has_sessions = _has_sessions(rating_list)
    if has_sessions:
        columns.append("minutes_for_60_moves")
    if file_format == "csv":
        register = rating_list.report_rules.register.code
        changes = _changes(rating_list).values_list(
            "number",
            "code",
            *of_games,
            *_csv_cells(map(declaration.change_column, declaration.change_file), register),
        )
        if has_sessions:
            changes = changes.annotate(
                minutes=Func("counted_seconds", template=MINUTES, output_field=TextField())
            )
        query, parameters = changes.query.sql_with_params()
        return _copied_file(columns, sql.SQL(query), parameters)
    if file_format not in {"json", "xlsx"}:
        raise DomainError("unknown_format", format=file_format, known="csv, json, xlsx")
    rows = [
        dict(zip(columns, row, strict=True)) for row in _change_rows(rating_list, with_minutes=has_sessions)
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


def file_cells(columns: Iterable[Column], register: str = "") -> Iterator[Combinable]:
    """The stored values of these columns as files have them, for a query; players by their number in a register."""
    for column in columns:
        if column.kind is Kind.PLAYER:
            yield Cast(KeyTextTransform(register, f"{column.relation}__numbers"), IntegerField())
            continue
        cell = CELLS.get(column.kind, "").replace("{unit}", f"{10**-column.decimals:.{column.decimals}f}")
        cell = cell.replace("{places}", str(column.decimals_in_files))
        if cell and column.whole_unless:
            flag = connection.ops.quote_name(column.whole_unless)
            cell = WHOLE_UNLESS.format(flag=flag, cell=cell, scale=10**column.decimals)
        yield Func(F(column.name), template=cell, output_field=TextField()) if cell else F(column.name)


def _csv_cells(columns: Iterable[Column], register: str) -> Iterator[Combinable]:
    """As `file_cells`, with nothing in place of empty texts: the database would put them into quotes."""
    for column in columns:
        (cell,) = file_cells([column], register)
        is_text = column.kind in {Kind.SCALED, Kind.LETTER, Kind.WORD, Kind.TEXT, Kind.CLUB}
        yield NullIf(Cast(cell, TextField()), Value("", TextField())) if is_text else cell


def scaled_headers(columns: Iterable[Column]) -> list[str]:
    """The names in files of the columns with decimals."""
    return [column.in_files for column in columns if column.kind is Kind.SCALED]


def copied_lines(query: sql.Composable, parameters: Any = None) -> list[bytes]:
    """A query's rows as lines of CSV, by the database. No text may be empty or begin like a formula."""
    connection.ensure_connection()
    with (
        connection.connection.cursor() as cursor,
        cursor.copy(sql.SQL("COPY ({}) TO STDOUT (FORMAT csv)").format(query), parameters) as copy,
    ):
        return list(map(bytes, copy))


def _copied_file(columns: Sequence[str], query: sql.Composable, parameters: Any) -> bytes:
    return b"".join([",".join(columns).encode(), b"\n", *copied_lines(query, parameters)])


def published_files(rating_list: RatingList) -> list[PublishedFile]:
    """The files of a list, not yet saved: those by which it can be recalculated, and the list itself."""
    formats = [form for form in FORMATS if form != "xlsx" or fits_a_sheet(rating_list)]
    tournaments = _tournaments(rating_list)
    contents = _list_files(rating_list, "full", formats, lambda: tournaments)
    return [
        *_files_without_names(rating_list, tournaments),
        *(
            _published(rating_list, f"list.{file_format}", file_of(content), has_names=True)
            for file_format, content in zip(formats, contents, strict=True)
        ),
    ]


def fits_a_sheet(rating_list: RatingList) -> bool:
    """Whether Excel opens the list as one sheet; a larger one is published without `list.xlsx`."""
    return rating_list.players < tables.SHEET_ROWS


def _files_without_names(rating_list: RatingList, tournaments: Iterable[Line]) -> list[PublishedFile]:
    """The files by which a list can be recalculated, not yet saved; `figures.csv` is the one that is signed.

    Every list but an opening one names in `lists-read.csv` the revisions it was calculated from. A revision also has
    `differences.csv`, a list that carries corrections of earlier ones `carried.csv`, a list with merged player records
    or undone merges `merged.csv`, one with confirmed norms `norms.csv`, one with decisions on its tournaments
    `decisions.csv` (R78), one for which the officer set values `values.csv`. docs/reference/published-files.md has
    their columns.
    """
    declaration = rating_list.declaration
    number = declaration.header("register_number")
    norms = list_norms().file(rating_list)
    files = [_published(rating_list, "figures.csv", signed_file(rating_list, norms), has_names=False)]
    if norms:
        files.append(_published(rating_list, "norms.csv", file_of(norms), has_names=False))
    has_sessions = _has_sessions(rating_list)
    for name, content in (
        ("calculation.csv", tables.csv_file(tables.CALCULATION_COLUMNS, [_calculation(rating_list)])),
        ("games.csv", _games_file(rating_list, of_sessions=has_sessions)),
        ("tournaments.csv", tables.csv_file(_tournament_columns(rating_list), tournaments)),
        ("changes.csv", export_changes(rating_list=rating_list, file_format="csv")),
    ):
        files.append(_published(rating_list, name, file_of(content), has_names=False))
    if rating_list.period_id is None:
        return files
    inputs = inputs_of_list(rating_list)
    content = tables.csv_file(tables.INPUT_LIST_COLUMNS, _lists_read(rating_list, inputs))
    files.append(_published(rating_list, "lists-read.csv", file_of(content), has_names=False))
    if rating_list.correction is not None:
        columns = [
            number,
            *(
                f"{declaration.header(name)}_{when}"
                for name in declaration.compared
                for when in ("before", "after")
            ),
        ]
        content = tables.csv_file(columns, _difference_rows(rating_list))
        files.append(_published(rating_list, "differences.csv", file_of(content), has_names=False))
    if carried := carried_revisions(rating_list):
        content = tables.csv_file(
            (number, *tables.CARRIED_COLUMNS), _carried_rows(rating_list, inputs, carried)
        )
        files.append(_published(rating_list, "carried.csv", file_of(content), has_names=False))
    if merged := _merged_rows(rating_list, inputs):
        content = tables.csv_file(tables.merged_columns(number), merged)
        files.append(_published(rating_list, "merged.csv", file_of(content), has_names=False))
    if decided := decided_rows(inputs):
        content = tables.csv_file(tables.DECISION_COLUMNS, decided)
        files.append(_published(rating_list, "decisions.csv", file_of(content), has_names=False))
    if inputs.values:
        content = tables.csv_file([column.name for column in declaration.values], inputs.values)
        files.append(_published(rating_list, "values.csv", file_of(content), has_names=False))
    return files


def signed_file(rating_list: RatingList, norms: bytes) -> File:
    """`figures.csv`, whose digest is signed; `norms` is the list's `norms.csv`, empty for none (0047). 1 query.

    1 more in a system that holds players.

    The database writes its lines: this is also what a decision on a norm costs.
    """
    declaration, held = rating_list.declaration, held_digest(rating_list)
    cells: list[sql.Composable] = [
        sql.SQL(_figure(declaration.column(name))).format(sql.Identifier(name))
        for name in declaration.figures
    ]
    query = sql.SQL("SELECT {} FROM {} WHERE list_id = {} ORDER BY position").format(
        sql.SQL(", ").join([*cells, *[sql.NULL] * (2 + bool(norms) + bool(held))]),
        sql.Identifier(rating_list.rating_system.row_model._meta.db_table),
        sql.Literal(rating_list.pk),
    )
    return figures_file(
        declaration,
        copied_lines(query),
        rating_list.address,
        rating_list.previous_sha256,
        norms_sha256=file_of(norms).sha256 if norms else "",
        held_sha256=held,
    )


def _figure(column: Column) -> str:
    if column.kind is Kind.SCALED:
        return f"round({{}} * {10**-column.decimals:.{column.decimals}f}, {column.decimals_in_files})"
    return FIGURES.get(column.kind, "{}")


EMPTY = "nullif({}, '')"
FIGURES = {
    Kind.FLAG: "{}::int",
    Kind.DAY: "to_char({}, 'YYYY-MM-DD')",
    Kind.LETTER: EMPTY,
    Kind.WORD: EMPTY,
    Kind.TEXT: EMPTY,
    Kind.CLUB: EMPTY,
}
"""How the database writes figures that are not plain numbers, as the file has them."""


def _published(rating_list: RatingList, name: str, file: File, *, has_names: bool) -> PublishedFile:
    return PublishedFile(
        list=rating_list,
        name=name,
        content_type=CONTENT_TYPES[name.rsplit(".", 1)[1]],
        content=file.content,
        sha256=file.sha256,
        size=len(file.content),
        has_names=has_names,
    )


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
    """The changes of a list as its files have them: with number in the register, code of the tournament and time."""
    has_clock = any(column.name == "seconds_for_60_moves" for column in rating_list.declaration.changes)
    seconds: Combinable = F("result_set__seconds_for_60_moves")
    if has_clock:
        seconds = Coalesce("seconds_for_60_moves", seconds, output_field=IntegerField())
    changes = rating_list.changes
    if rating_list.is_by_game:
        changes = changes.annotate(part=F("result_set__part"), round=F("game__round"))
    return changes.annotate(
        number=F(f"player__numbers__{rating_list.report_rules.register.code}"),
        code=F("result_set__tournament__code"),
        counted_seconds=Coalesce("seconds_for_60_moves", seconds, output_field=IntegerField())
        if has_clock
        else seconds,
    ).order_by("number", "player_id", "sequence")


def _change_rows(rating_list: RatingList, *, with_minutes: bool) -> Iterator[Line]:
    """Number in the register, tournament, the cells of `declaration.change_file`, and the minutes if asked.

    Of games part and round too.
    """
    declaration, register = rating_list.declaration, rating_list.report_rules.register
    columns = {column.name: column for column in declaration.changes}
    shown = [columns[name] for name in declaration.change_file]
    of_games = rating_list.is_by_game
    players = [column.relation for column in shown if column.kind is Kind.PLAYER]
    for change in _changes(rating_list).select_related(*players):
        place = (change.part, change.round) if of_games else ()
        cells: list[Any] = [change.number, change.code, *place]
        cells += [change_cell(column, change, register) for column in shown]
        if with_minutes:
            cells.append(_minutes(change.counted_seconds))
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


def _difference_rows(revision: RatingList) -> Iterator[Line]:
    declaration = revision.declaration
    columns = [declaration.column(name) for name in declaration.compared]
    for row in differing_rows(revision):
        cells = (
            tables.file_value(column, figures[column.name]) if figures else None
            for column in columns
            for figures in (row.before, row.after)
        )
        yield (row.register_number, *cells)


def _carried_rows(
    rating_list: RatingList, inputs: CalculationInputs, revisions: Sequence[RatingList]
) -> Iterator[Line]:
    corrections: defaultdict[int, list[str]] = defaultdict(list)
    moved: defaultdict[int | None, set[int]] = defaultdict(set)
    for difference in starting_ratings(inputs).differences:
        moved[difference.correction].add(difference.player)
    for revision in revisions:
        for player in moved[revision.correction_id]:
            corrections[player].append(_revision_address(revision.pool, revision))
    number = f"player__numbers__{rating_list.report_rules.register.code}"
    differences = rating_list.carried_differences.order_by(number)
    for player, register_number, rating, games in differences.values_list(
        "player_id", number, "rating", "games"
    ):
        yield register_number, rating, games, " ".join(corrections[player])


def _merged_rows(rating_list: RatingList, inputs: CalculationInputs) -> list[Line]:
    """A row for each undone merge, then for each merge; older ones first.

    `rating_of` is the record whose rating the person starts from.
    """
    begun = starting_ratings(inputs)
    register = rating_list.report_rules.register
    lines: list[Line] = []

    def numbers_of(merge: PlayerMerge) -> tuple[int | None, int | None]:
        return merge.duplicate.number_in(register), merge.surviving.number_in(register)

    for merge in inputs.undone_merges():
        stood = begun.standing.get(merge.duplicate_id)
        figures = (
            (stood.rating, stood.games, _revision_address(rating_list.pool, stood.list))
            if stood
            else (None,) * 3
        )
        lines.append((*numbers_of(merge), "undone", None, *figures))
    numbers = {
        player.pk: player.number_in(register)
        for merge in inputs.merges
        for player in (merge.duplicate, merge.surviving)
    }
    for merge in inputs.merges:
        whose = numbers.get(begun.rating_of.get(merge.surviving_id, 0))
        lines.append((*numbers_of(merge), "merged", whose, *(None,) * 3))
    return [(place, *line) for place, line in enumerate(lines, start=1)]


def _calculation(rating_list: RatingList) -> Line:
    """The line of `calculation.csv`: which list this is, and its digests; an opening list has none of inputs."""
    return (
        _revision_address(rating_list.pool, rating_list),
        rating_list.in_force,
        rating_list.closing,
        rating_list.system,
        rating_list.edition,
        rating_list.players,
        rating_list.tournaments,
        rating_list.games,
        rating_list.sha256,
        rating_list.previous_sha256,
        "" if rating_list.is_opening else rating_list.input_sha256,
    )


def _lists_read(rating_list: RatingList, inputs: CalculationInputs) -> list[tuple[str, str, str]]:
    """The revisions that the list was read from, oldest first, then those whose corrections it carried.

    Then those of the system's other pools, the files of sources, each once, and the table of memberships.
    """
    lists = [
        (_revision_address(pool or other.pool, other), other.sha256, use)
        for use, pool, others in (
            ("read", rating_list.pool, lists_by_id(rating_list.input_lists)),
            ("carried", rating_list.pool, carried_revisions(rating_list)),
            ("pool", None, inputs.other_lists),
        )
        for other in others
    ]
    table = inputs.memberships
    return [
        *lists,
        *dict.fromkeys((source.address, source.sha256, "source") for source in inputs.sources),
        *([(f"memberships/{table.register}", table.sha256, "memberships")] if table else []),
    ]


def _tournament_columns(rating_list: RatingList) -> Sequence[str]:
    in_parts = has_parts(rating_list.report_rules.details)
    return tables.TOURNAMENT_COLUMNS_IN_PARTS if in_parts else tables.TOURNAMENT_COLUMNS


def _tournaments(rating_list: RatingList) -> list[Line]:
    """A line for each tournament or part; of a session one for each time control of its games in the pool (R25)."""
    if rating_list.period_id is None:
        return []
    rules = rating_list.rules
    lists = lists_by_id(rating_list.input_lists)
    in_force = [rating_list.in_force for rating_list in lists]
    lines = rating_list.manifest
    of_games = rating_list.is_by_game
    in_parts = has_parts(rating_list.report_rules.details)
    return [
        (
            line.result_set.code,
            *([line.result_set.part] if in_parts else []),
            line.result_set.name,
            line.result_set.place,
            line.result_set.country_id,
            line.result_set.played_from,
            line.result_set.played_to,
            time_control,
            _minutes(seconds),
            rules.weight_percentage(seconds),
            rating_list.pool.code,
            line.version.sha256,
            None
            if of_games
            else _revision_address(
                rating_list.pool, lists[rules.basis_of(in_force, line.result_set.played_from)]
            ),
            line.result_set.number,
        )
        for line in lines.select_related("result_set", "version")
        .only("version__sha256", *(f"result_set__{name}" for name in TOURNAMENT_FIELDS))
        .order_by("result_set__played_to", "result_set__number", "result_set_id")
        for time_control, seconds in clocks_in_list(line.result_set, rating_list)
    ]


TOURNAMENT_FIELDS = (
    "tournament", "name", "place", "country", "played_from", "played_to", "seconds_for_60_moves", "number", "session",
    "time_control", "part",
)  # fmt: skip


def _has_sessions(rating_list: RatingList) -> bool:
    """Whether the list counts a tournament with a session (R25). 1 query."""
    lines = rating_list.manifest
    return rating_list.period_id is not None and lines.exclude(result_set__session=[]).exists()


def _revision_address(pool: Pool, rating_list: RatingList) -> str:
    """Which revision of which list, as in its address: `POOL/2026-04-01/r1`."""
    return f"{pool.code}/{rating_list.in_force}/r{rating_list.revision}"


def _minutes(seconds: int | None) -> int | float | None:
    if seconds is None:
        return None
    return seconds // 60 if seconds % 60 == 0 else seconds / 60


def _games_file(rating_list: RatingList, *, of_sessions: bool) -> bytes:
    """Every game and pause of the list's tournaments; `counted` says for whom: both, white, black or none (R8).

    Of a system that rates by game also the games of earlier reports that waited for this list.

    The day is the game's own, else that of its round, else the tournament's last one. Of sessions the games of the
    pool; each line then ends with the game's number in the round and its minutes (R25).
    """
    columns = tables.GAME_COLUMNS_OF_SESSIONS if of_sessions else tables.GAME_COLUMNS
    if rating_list.period_id is None:
        return tables.csv_file(columns, [])
    system = rating_list.rating_system
    clocks = sorted(
        {
            seconds
            for tournament in (tournaments_of(rating_list) if of_sessions else ())
            for _, seconds in clocks_in_list(tournament, rating_list)
            if seconds is not None
        }
    )
    basis = rating_list.declaration.basis
    changes = sql.Identifier(system.change_model._meta.db_table)
    counted = BY_GAME if rating_list.is_by_game else BY_BASIS
    query = sql.SQL(GAMES).format(
        rows=sql.Identifier(system.row_model._meta.db_table),
        session=sql.SQL(SESSION_CELLS if of_sessions else ""),
        **{
            name: sql.SQL(text).format(changes=changes, field=sql.Identifier(f"{basis}_id"))
            for name, text in counted.items()
        },
    )
    parameters = {
        "list": rating_list.pk,
        "lists": list(rating_list.changes.order_by().values_list(basis, flat=True).distinct())
        if basis
        else [],
        "merges": rating_list.merges,
        "period": rating_list.period_id,
        "correction": rating_list.correction_id,
        "clocks": clocks,
        "register": rating_list.report_rules.register.code,
        "halves": PointsScale.HALVES,
    }
    return _copied_file(columns, query, parameters)


SESSION_CELLS = ", g.number, (coalesce(g.seconds_for_60_moves, t.seconds_for_60_moves) / 60.0::float8)::text"
# Entries and lists are read with the list's merges. `basis` has a list for each tournament whose ratings all its games
# use: then a game counts for a player if the opponent is on that list; else for whom there is a change by it.
GAMES = """
WITH basis AS ({basis}), merged AS (
    SELECT duplicate_id, surviving_id FROM reporting_playermerge WHERE id = ANY(%(merges)s::bigint[])
), rated AS (
    SELECT DISTINCT list_id, coalesce(surviving_id, player_id) AS player_id
    FROM {rows} LEFT JOIN merged ON duplicate_id = player_id WHERE list_id = ANY(%(lists)s)
), tournament AS MATERIALIZED (
    SELECT t.id, t.code, t.points, t.played_to, t.seconds_for_60_moves, basis_id, is_own,
        row_number() OVER (ORDER BY t.played_to, t.number, t.id) AS place
    FROM (
        SELECT result_set_id AS id, true AS is_own FROM ratings_periodreport
        WHERE period_id = %(period)s AND correction_id IS NOT DISTINCT FROM %(correction)s
        {waited}
    ) m JOIN reporting_resultset t USING (id)
    LEFT JOIN basis ON basis.result_set_id = t.id
), entry AS MATERIALIZED (
    SELECT e.id, p.id AS player_id, (p.numbers->>%(register)s)::int AS number, rated.player_id IS NOT NULL AS is_rated
    FROM tournament t JOIN reporting_entry e ON e.result_set_id = t.id
    LEFT JOIN merged ON merged.duplicate_id = e.player_id
    LEFT JOIN reporting_player p ON p.id = coalesce(merged.surviving_id, e.player_id)
    LEFT JOIN rated ON rated.list_id = t.basis_id AND rated.player_id = p.id
){counted}
SELECT t.code, g.round, coalesce(g.finished_on, g.started_on, rd.played_on, t.played_to), w.number, b.number,
    concat(
        CASE t.points WHEN %(halves)s THEN trim_scale(g.white_points * 0.5) ELSE g.white_points END,
        CASE WHEN g.played OR w.player_id IS NULL OR b.player_id IS NULL THEN '-' ELSE 'x' END,
        CASE t.points WHEN %(halves)s THEN trim_scale(g.black_points * 0.5) ELSE g.black_points END
    ),
    CASE
        WHEN NOT g.played THEN 'none'
        WHEN {white} AND {black} THEN 'both'
        WHEN {white} THEN 'white'
        WHEN {black} THEN 'black'
        ELSE 'none'
    END{session}
FROM tournament t JOIN reporting_game g ON g.result_set_id = t.id
LEFT JOIN entry w ON w.id = g.white_id
LEFT JOIN entry b ON b.id = g.black_id
LEFT JOIN reporting_round rd ON rd.result_set_id = t.id AND rd.number = g.round
{join}
WHERE (g.seconds_for_60_moves IS NULL OR g.seconds_for_60_moves = ANY(%(clocks)s::int[])){of_list}
ORDER BY t.place, g.round, g.number, w.number NULLS LAST, b.number NULLS LAST, g.id
"""
BY_BASIS = {
    "basis": "SELECT DISTINCT result_set_id, {field} AS basis_id FROM {changes} WHERE list_id = %(list)s",
    "waited": "",
    "counted": "",
    "white": "b.is_rated",
    "black": "w.is_rated",
    "join": "",
    "of_list": "",
}
# The game of a substitute may count for the player replaced, whose number it has. Of reports of earlier lists there are
# the games that waited for this one.
BY_GAME = {
    "basis": "SELECT NULL::bigint AS result_set_id, NULL::bigint AS basis_id",
    "waited": """UNION ALL (SELECT result_set_id, false FROM {changes} WHERE list_id = %(list)s EXCEPT
            SELECT result_set_id, false FROM ratings_periodreport
            WHERE period_id = %(period)s AND correction_id IS NOT DISTINCT FROM %(correction)s)""",
    "counted": """, counted AS (
        SELECT game_id, array_agg(player_id) AS players FROM {changes} WHERE list_id = %(list)s GROUP BY game_id
    ), replaced AS MATERIALIZED (
        SELECT identity.number, coalesce(merged.surviving_id, identity.player_id) AS player_id
        FROM reporting_playeridentity identity LEFT JOIN merged ON merged.duplicate_id = identity.player_id
        WHERE identity.register = %(register)s AND identity.number IN (
            SELECT unnest(ARRAY[white_for, black_for])::text FROM reporting_game
            WHERE result_set_id IN (SELECT id FROM tournament))
    )""",
    "white": "(w.player_id = ANY(counted.players) OR wr.player_id = ANY(counted.players))",
    "black": "(b.player_id = ANY(counted.players) OR br.player_id = ANY(counted.players))",
    "join": """LEFT JOIN counted ON counted.game_id = g.id
LEFT JOIN replaced wr ON wr.number = g.white_for::text
LEFT JOIN replaced br ON br.number = g.black_for::text""",
    "of_list": " AND (t.is_own OR counted.game_id IS NOT NULL)",
}
