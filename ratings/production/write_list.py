"""Write rows and changes of a new list into its own partition; drop partitions of superseded drafts."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from django.db import OperationalError, connection, transaction
from numpy.typing import NDArray
from psycopg import Cursor, sql

from ratings.federations.facet import Calculation
from ratings.formats.figures import figures_digest
from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.inputs.held_rows import held_digest
from ratings.inputs.register import register_of
from ratings.models import HeldRow, RatingList
from ratings.production.binary_copy import Cells, binary_copy
from ratings.rules.columns import Columns, ListColumns
from ratings.rules.declared import Column, Kind, stored_rows
from ratings.worker.progress import Progress
from reporting.rules.register.titles import titles_by_rank

CLUB_DIGITS: Final = 6


def write_list(
    rating_list: RatingList,
    calculation: Calculation,
    *,
    progress: Progress,
    input_digest: Callable[[], str],
) -> None:
    """Fill and seal the partition of a new draft, and set the digests of its inputs and of its figures.

    Must run in the transaction that created the draft: either the sealed list is there or nothing is. Raises ValueError
    for a row of a player without a number: none is on a list (U22).
    """

    def digests() -> None:
        rating_list.input_sha256 = input_digest()
        rating_list.sha256 = _figures_digest(rating_list, rows)

    rows, changes = calculation.rows, calculation.changes
    if not rows.register_number.all():
        raise ValueError("a row of a player without a number in the register of the system")
    with connection.cursor() as cursor:
        cursor.execute("SELECT open_partition(%s)", [rating_list.pk])
    length = len(rows) + len(changes)
    progress.begin("write", of=length)
    _write_rows(rating_list, rows)
    progress.add_rows(len(rows))
    _write_changes(rating_list, changes)
    if calculation.held is not None:
        _write_held(rating_list, calculation.held)
    progress.end(len(changes))
    progress.begin("index", of=length)
    _index(rating_list, meanwhile=digests)
    progress.end(length)
    progress.begin("attach", of=length)
    _attach(rating_list)
    progress.end(length)
    rating_list.players = len(rows)
    official = getattr(rows, rating_list.declaration.official_source)
    rating_list.official_players = int(np.count_nonzero(official))
    rating_list.federations = sorted(rating_list.rows.values_list("federation", flat=True).distinct())
    rating_list.save(update_fields=["players", "official_players", "federations", "input_sha256", "sha256"])


def _index(rating_list: RatingList, *, meanwhile: Callable[[], None]) -> None:
    """Build the keys and indexes of the partition, while this process calls `meanwhile`, which may read but not write
    (decision 0251).
    """
    with (
        connection.wrap_database_errors,
        connection.connection.pipeline(),
        connection.connection.cursor() as cursor,
    ):
        cursor.execute("SELECT index_partition(%s)", [rating_list.pk])
        meanwhile()


def _attach(rating_list: RatingList) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT seal_partition(%s)", [rating_list.pk])


def _figures_digest(rating_list: RatingList, rows: ListColumns) -> str:
    """The digest of the list, from the columns; its files are written from the rows in the database."""
    declaration = rating_list.declaration
    held = held_digest(rating_list)
    return figures_digest(declaration, rows, rating_list.address, rating_list.previous_sha256, held)


def copy_columns(
    cursor: Cursor, table: str, columns: Sequence[Column], rows: Columns, **numbers: int
) -> None:
    """The calculated columns into a table, by their names; `numbers` are columns with one number for all rows."""
    cells = [Cells(np.full(len(rows), number)) for number in numbers.values()]
    cells += [Cells(_stored_values(column, rows), column.is_given(rows)) for column in columns]
    with binary_copy(cursor, table, [*numbers, *(column.name for column in columns)]) as write:
        write(cells)


def _stored_values(column: Column, table: Columns) -> NDArray[Any]:
    """The values of a column of a calculated table as `Cells` has them."""
    array: NDArray[Any] = getattr(table, column.source)
    match column.kind:
        case Kind.FLAG:
            return np.asarray(array == 1)
        case Kind.CLUB:
            return np.where(array != 0, np.char.zfill(array.astype(bytes), CLUB_DIGITS), b"")
        case Kind.WORD:
            words: NDArray[Any] = np.array([word.encode() for word in column.words_of(table)])
            return np.asarray(words[array])
        case _:
            return array


def create_like(cursor: Cursor, table: str, partition: str, columns: Sequence[Column]) -> None:
    """A temporary table of these columns of another table, until the end of the transaction."""
    cursor.execute(
        sql.SQL("CREATE TEMP TABLE {} ON COMMIT DROP AS SELECT {} FROM {} WITH NO DATA").format(
            sql.Identifier(table),
            sql.SQL(", ").join(sql.Identifier(column.name) for column in columns),
            sql.Identifier(partition),
        )
    )


def _write_rows(rating_list: RatingList, rows: ListColumns) -> None:
    table, columns = f"new_rows_{rating_list.pk}", rating_list.declaration.rows
    if not rating_list.declaration.has_official_list:
        columns = (*columns, *OFFICIAL_AS_FULL)
    of_person = rating_list.declaration.person_columns
    with connection.connection.cursor() as cursor:
        create_like(cursor, table, rating_list.rows_partition, columns)
        copy_columns(cursor, table, columns, rows)
        cursor.execute(
            sql.SQL(INSERT_ROWS).format(
                partition=sql.Identifier(rating_list.rows_partition),
                names=sql.SQL(", ").join(sql.Identifier(column.name) for column in (*columns, *of_person)),
                values=sql.SQL(", ").join(
                    [
                        *(sql.Identifier("f", column.name) for column in columns),
                        *(sql.SQL(OF_PERSON[column.name]) for column in of_person),
                    ]
                ),
                list=sql.Literal(rating_list.pk),
                rows=sql.Identifier(table),
                system=sql.Literal(rating_list.system),
                discipline=sql.Literal(rating_list.pool.discipline),
                closing=sql.Literal(rating_list.closing),
                ranked=sql.Literal(titles_by_rank(rating_list.system, rating_list.pool.discipline)),
            )
        )


OFFICIAL_AS_FULL = (
    Column(name="official_position", array="position"),
    Column(name="official_rank", array="rank"),
)
"""What rows have where all players are on the official list."""

OF_PERSON = {
    "name": "CASE p.first_name WHEN '' THEN p.last_name ELSE p.last_name || ', ' || p.first_name END",
    "sort_name": "p.sort_name",
    "federation": "coalesce(stored.federation, member.federation_id, p.federation_id)",
    "sex": "p.sex",
    "birth_year": "CASE WHEN stored.list_id IS NULL THEN p.birth_year ELSE stored.birth_year END",
    "title": "coalesce(held.title, '')",
}
"""The columns of the person: as the list has read them, if it has, else as the register has them now."""

# Federation and title are those of the closing day (R12, R40), of an open and a women's title the higher; a membership
# that ended later was the one of that day, else it is the player's.
INSERT_ROWS = """
INSERT INTO {partition} (list_id, {names}, name_position)
SELECT {list}, {values}, row_number() OVER (ORDER BY p.sort_name, f.register_number, p.id)
FROM {rows} f JOIN reporting_player p ON p.id = f.player_id
LEFT JOIN ratings_registerrow stored ON stored.list_id = {list} AND stored.player_id = p.id
LEFT JOIN reporting_federationmembership member ON member.player_id = p.id
    AND member.until > {closing} AND coalesce(member.since <= {closing}, true)
LEFT JOIN (
    SELECT DISTINCT ON (player_id) player_id, title FROM reporting_playertitle
    WHERE awarded_by = {system} AND discipline = {discipline}
        AND coalesce(registered_on <= {closing}, true) AND coalesce(withdrawn_on > {closing}, true)
    ORDER BY player_id, array_position({ranked}::text[], title::text)
) held ON held.player_id = p.id
ORDER BY f.position
"""


def _write_changes(rating_list: RatingList, changes: Columns) -> None:
    """In the order of the calculation, which goes player by player: those of a player are read together."""
    columns = rating_list.declaration.changes
    with connection.connection.cursor() as cursor:
        copy_columns(cursor, rating_list.changes_partition, columns, changes, list_id=rating_list.pk)


def write_register_rows(rating_list: RatingList, inputs: CalculationInputs) -> None:
    """Store what was read of the register with the new draft: its recalculations and revisions read that.

    Also of both records of each merge, whose numbers its files have. Nothing for a system that does not read it.
    """
    if not inputs.players_read:
        return
    merges = (*inputs.merges, *inputs.undone_merges())
    players = {player for merge in merges for player in (merge.duplicate_id, merge.surviving_id)}
    with connection.connection.cursor() as cursor:
        cursor.execute(
            sql.SQL(INSERT_REGISTER_ROWS).format(
                list=sql.Literal(rating_list.pk), register=register_of(inputs, inputs.players_read | players)
            )
        )


INSERT_REGISTER_ROWS = """
INSERT INTO ratings_registerrow (list_id, player_id, numbers, birth_year, federation)
SELECT {list}, id, numbers, birth_year, federation FROM {register} record
"""


def _write_held(rating_list: RatingList, held: Columns) -> None:
    HeldRow.objects.bulk_create(
        (
            HeldRow(list=rating_list, player_id=row.pop("player_id"), values=row)
            for row in stored_rows(rating_list.declaration.held, held)
        ),
        batch_size=1000,
    )


def drop_superseded() -> int:
    """Drop the partitions of superseded lists; returns how many.

    A drop waits for all readers and blocks new ones, so it waits a second at most: a list in use is dropped the next
    night. The row of the list itself stays.
    """
    dropped = 0
    for rating_list in RatingList.objects.filter(state=RatingList.State.SUPERSEDED):
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [rating_list.rows_partition])
                if cursor.fetchone() == (True,):
                    cursor.execute("SELECT drop_superseded_partition(%s)", [rating_list.pk])
                    dropped += 1
        except OperationalError:  # lock_timeout
            continue
    return dropped
