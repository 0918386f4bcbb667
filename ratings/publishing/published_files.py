"""The files published with a list: those by which it can be recalculated, and the list itself."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from psycopg import sql

from ratings.formats import tables
from ratings.formats.figures import File, figures_file, file_of
from ratings.inputs.calculation_inputs import CalculationInputs, decided_rows, inputs_of_list
from ratings.inputs.held_rows import held_digest
from ratings.inputs.in_force import lists_by_id
from ratings.inputs.starting_ratings import starting_ratings
from ratings.models import PublishedFile, RatingList
from ratings.publishing.export_list import FORMATS, export_changes, lines_of_list, list_in_formats
from ratings.publishing.list_norms import list_norms
from ratings.publishing.list_tournaments import (
    Line,
    copied_lines,
    games_file,
    has_sessions,
    revision_address,
    tournament_columns,
    tournament_lines,
)
from ratings.queries.lists import carried_revisions
from ratings.queries.revisions import differing_rows
from ratings.rules.declared import Column, Kind
from reporting.models import PlayerMerge

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "txt": "text/plain; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def published_files(rating_list: RatingList) -> list[PublishedFile]:
    """The files of a list, not yet saved: those by which it can be recalculated, and the list itself."""
    formats = [form for form in FORMATS if form != "xlsx" or fits_a_sheet(rating_list)]
    tournaments = tournament_lines(rating_list)
    rows = lines_of_list(rating_list, "full")
    of_list: list[PublishedFile] = []

    def write_formats() -> None:
        contents = list_in_formats(rating_list, "full", rows, formats, lambda: tournaments)
        of_list.extend(
            _published(rating_list, f"list.{file_format}", file_of(content), has_names=True)
            for file_format, content in zip(formats, contents, strict=True)
        )

    return [*_files_without_names(rating_list, tournaments, meanwhile=write_formats), *of_list]


def fits_a_sheet(rating_list: RatingList) -> bool:
    """Whether Excel opens the list as one sheet; a larger one is published without `list.xlsx`."""
    return rating_list.players < tables.SHEET_ROWS


def _files_without_names(
    rating_list: RatingList, tournaments: Iterable[Line], *, meanwhile: Callable[[], None]
) -> list[PublishedFile]:
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
    for name, content in (
        ("calculation.csv", tables.csv_file(tables.CALCULATION_COLUMNS, [_calculation(rating_list)])),
        ("games.csv", games_file(rating_list, of_sessions=has_sessions(rating_list), meanwhile=meanwhile)),
        ("tournaments.csv", tables.csv_file(tournament_columns(rating_list), tournaments)),
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
    Kind.HALVES: "trim_scale({} * 0.5)",
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
            corrections[player].append(revision_address(revision.pool, revision))
    number = f"player__numbers__{rating_list.report_rules.register.code}"
    differences = rating_list.carried_differences.order_by(number)
    for player, register_number, rating, games in differences.values_list(
        "player_id", number, "rating", "games"
    ):
        yield register_number, rating, games, " ".join(corrections[player])


def _merged_rows(rating_list: RatingList, inputs: CalculationInputs) -> list[Line]:
    """A row for each undone merge, then for each merge; older ones first.

    `rating_of` is the record whose rating the person starts from. Figures that a list holds are in no file.
    """
    begun = starting_ratings(inputs)
    register = rating_list.report_rules.register
    lines: list[Line] = []
    undone = inputs.undone_merges()
    records = [record for merge in (*undone, *inputs.merges) for record in (merge.duplicate, merge.surviving)]
    numbers = {record.pk: record.number_in(register) for record in records}
    stored = rating_list.register_rows.filter(player__in=numbers)
    numbers |= stored.values_list("player", f"numbers__{register.code}")

    def numbers_of(merge: PlayerMerge) -> tuple[int | None, int | None]:
        return numbers[merge.duplicate_id], numbers[merge.surviving_id]

    for merge in undone:
        stood = begun.standing.get(merge.duplicate_id)
        figures = (
            (stood.rating, stood.games, revision_address(rating_list.pool, stood.list))
            if stood and not stood.is_held
            else (None,) * 3
        )
        lines.append((*numbers_of(merge), "undone", None, *figures))
    for merge in inputs.merges:
        whose = numbers.get(begun.rating_of.get(merge.surviving_id, 0))
        lines.append((*numbers_of(merge), "merged", whose, *(None,) * 3))
    return [(place, *line) for place, line in enumerate(lines, start=1)]


def _calculation(rating_list: RatingList) -> Line:
    """The line of `calculation.csv`: which list this is, and its digests; an opening list has none of inputs."""
    return (
        revision_address(rating_list.pool, rating_list),
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
        (revision_address(pool or other.pool, other), other.sha256, use)
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
