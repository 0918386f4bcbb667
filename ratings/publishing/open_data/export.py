"""The open data: everything published in a SQLite file, and in a CSV and a Parquet file for each table (decision 0065).

What is in it is in the published files, in the rows of published lists, where erased names are erased, in what upper
apps publish, or in the public register of titles. So it has no date of birth and nothing else that is not public.
"""

import csv
import gzip
import hashlib
import io
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import brotli
import duckdb
from django.db import connection, transaction
from django.db.models import Count, Max
from django.utils import timezone

from ratings.federations.registry import rating_system, rating_systems
from ratings.formats import tables
from ratings.models import Export, ExportFile, PublishedFile, RatingList, SignedStatement
from ratings.publishing.list_files import emptied_files
from ratings.publishing.open_data.other_tables import other_tables
from ratings.publishing.open_data.package import write_descriptions
from ratings.publishing.open_data.schema import (
    DAYS,
    INTEGER,
    REAL,
    RENAMED,
    SQLITE_FILE,
    TEXT,
    Table,
    open_data_tables,
    open_data_views,
    player_names,
    row_names,
)
from ratings.queries.lists import every_revision
from ratings.queries.terms import data_terms
from reporting.federations.registry import report_rules
from reporting.formats.tables.exported_cells import exported_cell, original_text
from reporting.models import Federation, PlayerMerge, PlayerTitle
from reporting.register.selectors.titles import known_titles
from reporting.rules.register.titles import WOMENS_LADDER

EXPORT_LOCK = 9_091_017
BLOCK = 1 << 20
PARQUET_MEMORY = "256MB"
PARQUET_TYPES = {INTEGER: "BIGINT", REAL: "DOUBLE", TEXT: "VARCHAR"}
"""As DuckDB calls them."""
CONTENT_TYPES = {
    ".sqlite": "application/vnd.sqlite3",
    ".csv": "text/csv; charset=utf-8",
    ".parquet": "application/vnd.apache.parquet",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".py": "text/x-python; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
}


def export_stamp(lists: Iterable[RatingList], erasures: int) -> str:
    """What the open data depends on: the published lists, the erased names, the titles, whose records are merged, what
    is signed, the tables, what apps add, and the terms. 3 queries, and those of the stamps of apps.
    """
    titles = PlayerTitle.objects.aggregate(Count("pk"), Max("pk"), Count("withdrawn_on"))
    merges = PlayerMerge.objects.aggregate(Count("pk"), Count("undone_at"))
    parts = (
        erasures,
        SignedStatement.objects.count(),
        *titles.values(),
        *merges.values(),
        open_data_tables(),
        open_data_views(),
        *(other.stamp() for other in other_tables()),
        data_terms(),
    )
    digest = hashlib.sha256(" ".join(map(str, parts)).encode())
    for rating_list in lists:
        digest.update(f" {rating_list.address}/r{rating_list.revision} {rating_list.sha256}".encode())
    return digest.hexdigest()


def make_export() -> bool:
    """Make the files again if they are not of what is published now; answers whether they were made.

    Everything is read in one snapshot. Files that were read before a name was erased are not stored, and none are made
    while a list has a file without content: they state its size and digest. One process makes them at a time. Must not
    be called inside a transaction.
    """
    with TemporaryDirectory(prefix="open-data-") as name:
        folder = Path(name)
        with transaction.atomic(durable=True):
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [EXPORT_LOCK])
                (alone,) = cursor.fetchone()
            state = Export.objects.get()
            lists = every_revision()
            stamp = export_stamp(lists, state.erasures)
            if not alone or not lists or stamp == state.stamp or emptied_files().exists():
                return False
            made_at = timezone.now()
            counts = write_files(folder, lists, made_at)
        counts |= write_descriptions(folder, counts, made_at)
        files = [_compressed(folder / file, rows) for file, rows in counts.items()]
    with transaction.atomic():
        now = Export.objects.select_for_update().get()
        if now.erasures != state.erasures:
            return False
        ExportFile.objects.all().delete()
        ExportFile.objects.bulk_create(files, batch_size=1)
        now.stamp, now.made_at = stamp, made_at
        now.save(update_fields=["stamp", "made_at"])
    return True


def write_files(folder: Path, lists: Sequence[RatingList], made_at: datetime) -> dict[str, int]:
    """Write the SQLite, CSV and Parquet files; answers the number of lines of each, 0 for the first."""
    newest = {(found.pool_id, found.in_force): found.pk for found in lists}  # they rise by revision
    with ExitStack() as stack:
        database = stack.enter_context(closing(sqlite3.connect(folder / SQLITE_FILE)))
        writers = {table.name: TableWriter(table, folder, database, stack) for table in open_data_tables()}
        _write_about(database, len(lists), made_at)
        for rating_list in lists:
            address = f"{rating_list.address}/r{rating_list.revision}"
            is_newest = newest[rating_list.pool_id, rating_list.in_force] == rating_list.pk
            writers["lists"].add([_list_line(rating_list, address, is_newest=is_newest)])
            code = rating_list.system
            writers[f"{code}_entries"].add_file(address, _entries(rating_list))
            of_file: defaultdict[str, list[TableWriter]] = defaultdict(list)
            for writer in writers.values():
                if writer.table.system in ("", code):
                    of_file[writer.table.published].append(writer)
            for file in PublishedFile.objects.filter(list=rating_list).defer("content").order_by("name"):
                writers["files"].add([(address, file.name, str(file.size), file.sha256)])
                for writer in of_file[file.name]:
                    writer.add_file(address, bytes(file.content))
        writers["federations"].add(Federation.objects.order_by("code").values_list("code", "name"))
        for system in rating_systems():
            number = system.declaration.header("register_number")
            writers[f"{system.code}_players"].add(
                _players(database, system.code, [number, *player_names(system), "list"])
            )
            writers[f"{system.code}_titles"].add(_titles(system.code))
        for other in other_tables():
            for table, read_lines in other.tables:
                writers[table.name].add(read_lines())
        for view in open_data_views():
            database.execute(f"CREATE VIEW {view.name} AS {view.query}")
        database.commit()
    counts = {SQLITE_FILE: 0}
    with duckdb.connect(config={"threads": 1, "memory_limit": PARQUET_MEMORY}) as parquet:
        for writer in writers.values():
            writer.write_parquet(parquet)
            counts |= dict.fromkeys((writer.table.csv_name, writer.table.parquet_name), writer.rows)
    return counts


class TableWriter:
    """A table of the open data, written to a CSV, a SQLite and a Parquet file: the same texts, empty ones as NULL.

    Only the CSV file has the apostrophe that keeps spreadsheet programs from reading a text as a formula.
    """

    def __init__(self, table: Table, folder: Path, database: sqlite3.Connection, stack: ExitStack) -> None:
        self.table, self.folder, self.database, self.rows = table, folder, database, 0
        self.unguarded = folder / f"{table.file_stem}.unguarded"
        self.file, self.unguarded_file = (
            csv.writer(stack.enter_context(path.open("w", encoding="utf-8", newline="")), lineterminator="\n")
            for path in (folder / table.csv_name, self.unguarded)
        )
        self.file.writerow(table.columns)
        database.execute(_definition(table))
        for columns in table.indexed:
            name = f"{table.name}_by_{'_'.join(columns)}"
            database.execute(f"CREATE INDEX {name} ON {table.name} ({', '.join(columns)})")
        self.insert = f"INSERT INTO {table.name} VALUES ({', '.join('?' * len(table.columns))})"

    def add(self, rows: Iterable[Sequence[str]]) -> None:
        for row in rows:
            texts = [original_text(cell) or None for cell in row]
            self.file.writerow(map(exported_cell, row))
            self.unguarded_file.writerow(texts)
            self.database.execute(self.insert, texts)
            self.rows += 1

    def add_file(self, address: str, content: bytes) -> None:
        """The lines of a file of the list at an address. Raises ValueError for a column that the table lacks."""
        reader = csv.reader(io.StringIO(content.decode(), newline=""), strict=True)
        header = [
            self.table.renamed if self.table.renamed and name == "list" else RENAMED.get(name, name)
            for name in next(reader)
        ]
        if unknown := set(header) - self.table.columns.keys():
            raise ValueError(f"{self.table.name}: no column for {sorted(unknown)} of {address}")
        places = [header.index(name) if name in header else None for name in self.table.columns]
        key = list(self.table.columns).index("list")
        use = header.index("use") if self.table.uses else 0
        self.add(
            [
                address if at == key else "" if place is None else line[place]
                for at, place in enumerate(places)
            ]
            for line in reader
            if not self.table.uses or line[use] in self.table.uses
        )

    def write_parquet(self, database: duckdb.DuckDBPyConnection) -> None:
        """Write the Parquet file by DuckDB. To be called once, after the files of the table are closed."""
        columns = {
            name: "DATE" if name in DAYS else PARQUET_TYPES[field.kind]
            for name, field in self.table.columns.items()
        }
        database.execute("SET VARIABLE source = $1", [str(self.unguarded)])
        database.execute("SET VARIABLE target = $1", [str(self.folder / self.table.parquet_name)])
        database.execute(
            "COPY (SELECT * FROM read_csv(getvariable('source'), auto_detect = false, header = false, delim = ',',"
            f" quote = '\"', escape = '\"', nullstr = '', parallel = false, columns = {columns}))"
            " TO (getvariable('target')) (FORMAT parquet, COMPRESSION zstd)"
        )
        self.unguarded.unlink()


def _definition(table: Table) -> str:
    parts = [f'"{name}" {field.kind}' for name, field in table.columns.items()]
    if table.key:
        parts.append(f"PRIMARY KEY ({', '.join(table.key)})")
    parts += [f"FOREIGN KEY ({name}) REFERENCES {other} (list)" for name, other in table.foreign_keys.items()]
    return f"CREATE TABLE {table.name} ({', '.join(parts)})"


def _write_about(database: sqlite3.Connection, lists: int, made_at: datetime) -> None:
    database.execute("CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT)")
    terms = data_terms()
    about = {
        "content": "Published rating lists: docs/reference/open-data.md describes the tables.",
        "made_on": timezone.localdate(made_at, timezone.get_default_timezone()).isoformat(),
        "lists": str(lists),
        "licence": terms.licence,
        "licence_url": terms.url,
        "attribution": terms.attribution,
    }
    database.executemany("INSERT INTO about VALUES (?, ?)", about.items())


def _list_line(rating_list: RatingList, address: str, *, is_newest: bool) -> list[str]:
    published_at = rating_list.published_at
    assert published_at is not None  # noqa: S101 (a constraint: every published list has one)
    return [
        address,
        rating_list.pool.code,
        rating_list.in_force.isoformat(),
        str(rating_list.revision),
        str(int(is_newest)),
        str(int(rating_list.is_opening)),
        rating_list.closing.isoformat(),
        timezone.localdate(published_at, timezone.get_default_timezone()).isoformat(),
        rating_list.system,
        rating_list.edition,
        str(rating_list.players),
        str(rating_list.official_players),
        str(rating_list.tournaments),
        str(rating_list.games),
        rating_list.sha256,
        rating_list.previous_sha256,
        "" if rating_list.is_opening else rating_list.input_sha256,
    ]


def _entries(rating_list: RatingList) -> bytes:
    """The rows of a list with the columns of `list.csv` and `figures.csv`, as the database has them: names too."""
    declaration = rating_list.declaration
    public = {*declaration.list_file, *declaration.figures}
    names = [name for name in row_names(rating_system(rating_list.system)) if name in public]
    columns = [declaration.column(name) for name in names]
    rows = rating_list.rows.order_by("position").values_list(*names)
    lines = (map(tables.file_value, columns, row) for row in rows.iterator(chunk_size=5_000))
    return tables.csv_file([declaration.header(name) for name in names], map(list, lines))


def _players(database: sqlite3.Connection, code: str, columns: Sequence[str]) -> Iterator[list[str]]:
    """Everyone on a list of a system, by number, as on the newest list with them."""
    number = columns[0]
    query = f"""
        SELECT {", ".join(f'"{column}"' for column in columns)} FROM (
            SELECT entry.*, row_number() OVER (
                PARTITION BY "{number}" ORDER BY lists.in_force DESC, lists.revision DESC, lists.pool
            ) AS place FROM "{code}_entries" AS entry JOIN lists USING (list)
        ) WHERE place = 1 ORDER BY "{number}"
    """
    for row in database.execute(query).fetchall():
        yield ["" if cell is None else str(cell) for cell in row]


def _titles(code: str) -> Iterator[list[str]]:
    """The public titles of players with a number in the system's register, by number. 1 query."""
    register = report_rules(code).register
    titles = known_titles().filter(awarded_by=code).select_related("player")
    numbered = [(number, title) for title in titles if (number := title.player.number_in(register))]
    for number, title in sorted(numbered, key=lambda pair: (pair[0], pair[1].pk)):
        days = (title.registered_on, title.withdrawn_on)
        yield [
            str(number), title.discipline, title.title, str(int(title.ladder == WOMENS_LADDER)),
            *("" if day is None else day.isoformat() for day in days),
        ]  # fmt: skip


def is_compressed(name: str) -> bool:
    """Whether a file is sent compressed to readers who accept that; Parquet is compressed in itself."""
    return not name.endswith(".parquet")


def _compressed(path: Path, rows: int) -> ExportFile:
    """A file as it is stored; the same content gives the same bytes."""
    digest, packed, by_brotli = hashlib.sha256(), io.BytesIO(), io.BytesIO()
    level = 6 if is_compressed(path.name) else 0
    compressor = brotli.Compressor(quality=5)
    with (
        path.open("rb") as file,
        gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=level, mtime=0) as packer,
    ):
        while block := file.read(BLOCK):
            digest.update(block)
            packer.write(block)
            if level:
                by_brotli.write(compressor.process(block))
    if level:
        by_brotli.write(compressor.finish())
    return ExportFile(
        name=path.name,
        content_type=CONTENT_TYPES[path.suffix],
        compressed=packed.getvalue(),
        brotli=by_brotli.getvalue(),
        sha256=digest.hexdigest(),
        size=path.stat().st_size,
        rows=rows,
    )
