"""The open data: everything published in one SQLite file and in CSV files, and nothing that is not public."""

import csv
import gzip
import hashlib
import io
import json
import re
import sqlite3
from contextlib import ExitStack, closing
from datetime import date

import brotli
import duckdb
import pytest
from django.db import connection

from ratings.federations.fmjd.models import FmjdListRow
from ratings.formats.tables import csv_file
from ratings.models import ExportFile, PublishedFile, RatingList
from ratings.publishing.open_data import export
from ratings.publishing.open_data.schema import open_data_tables
from ratings.tasks import make_export
from reporting.log.audit import Actor
from reporting.models import PersonalData, Role, User
from reporting.register.selectors.titles import known_titles
from reporting.register.services.merge_players import merge_players, undo_merge
from tests.databases import built_on
from tests.pages.conftest import clear_kept
from tests.people import create_user

of_the_season = pytest.mark.usefixtures("season")

LISTS = [f"fmjd-100/2026-{month}-01/r1" for month in ("01", "04", "07", "10")]


@built_on("season")
def exported_season():
    make_export()


@pytest.fixture(name="exported_season")
def _exported_season(transactional_db, _database_of_its_own):
    """A copy of the demonstration with the files of the open data."""


def files():
    return {file.name: gzip.decompress(bytes(file.compressed)) for file in ExportFile.objects.all()}


def lines(content):
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def opened(content):
    database = sqlite3.connect(":memory:")
    database.deserialize(content)
    return database


def published(address, name):
    pool, day, revision = address.split("/")
    file = PublishedFile.objects.get(
        list__pool__code=pool, list__in_force=day, list__revision=revision[1:], name=name
    )
    return lines(bytes(file.content))


@of_the_season
def test_everything_published_is_in_one_database_and_in_files_for_each_table(client, tmp_path):
    assert "The files are being made" in client.get("/export/").text
    assert make_export() is True
    assert make_export() is False  # nothing was published since
    made = files()
    database = opened(made["open-data.sqlite"])
    named = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    stems = {name.replace("_", "-") for name in named - {"about"}}
    descriptions = {
        "README.md", "LICENSE.txt", "datapackage.json", "manifest.json", "open-data.sqlite", "signatures.jsonl",
        "verify.py",
    }  # fmt: skip
    assert made.keys() == {f"{stem}.{form}" for stem in stems for form in ("csv", "parquet")} | descriptions
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    for name in named - {"about"}:
        stem = name.replace("_", "-")
        table = lines(made[f"{stem}.csv"])
        cursor = database.execute(f"SELECT * FROM {name}")
        rows = cursor.fetchall()
        header = [column for column, *_ in cursor.description]
        assert len(rows) == len(table) == ExportFile.objects.get(name=f"{stem}.csv").rows
        # None is quoted.
        assert database.execute(f"SELECT {', '.join(header)} FROM {name}").fetchall() == rows
        (tmp_path / "table.parquet").write_bytes(made[f"{stem}.parquet"])
        assert [
            tuple(str(cell) if isinstance(cell, date) else cell for cell in row)
            for row in duckdb.sql(f"FROM '{tmp_path}/table.parquet'").fetchall()
        ] == rows
        for row, line in zip(rows, table, strict=True):
            assert list(line) == header
            for value, text in zip(row, line.values(), strict=True):
                assert value == (None if text == "" else type(value)(text)), (name, line)
    # Each line of the files of each list is a line of the tables, with the same texts.
    for name, table in (
        ("games", "games"), ("tournaments", "tournaments"), ("changes", "fmjd-changes"), ("norms", "fmjd-norms")
    ):  # fmt: skip
        there = [
            {"list": address, **line}
            for address in LISTS
            if name != "norms" or address != LISTS[0]
            for line in published(address, f"{name}.csv")
        ]
        assert there
        kept = lines(made[f"{table}.csv"])
        assert [{column: line[column] for column in there[0]} for line in kept] == there
    for address in LISTS:
        found = [line for line in lines(made["fmjd-entries.csv"]) if line["list"] == address]
        for file in ("list.csv", "figures.csv"):
            for line, entry in zip(published(address, file), found, strict=True):
                line.pop("list", None)
                line.pop("previous_sha256", None)
                line.pop("norms_sha256", None)
                assert line.items() <= entry.items()
    assert [line["list"] for line in lines(made["lists.csv"])] == LISTS
    digests = RatingList.objects.order_by("in_force").values_list("sha256", flat=True)
    assert [line["sha256"] for line in lines(made["lists.csv"])] == list(digests)
    players = lines(made["fmjd-players.csv"])
    newest = FmjdListRow.objects.filter(list__in_force="2026-10-01").order_by("register_number")
    assert [(line["fmjd_id"], line["name"]) for line in players] == [
        (str(row.register_number), row.name) for row in newest
    ]

    # As a visitor: each file by its link, packed and unpacked, with the digest on the page.
    page = client.get("/export/").text
    for file in ExportFile.objects.all():
        assert f"/export/{file.name}" in page
        plain, packed, by_brotli = (
            client.get(f"/export/{file.name}", headers={"Accept-Encoding": accepted})
            for accepted in ("identity", "gzip", "gzip, br")
        )
        assert plain.getvalue() == made[file.name]
        assert (hashlib.sha256(made[file.name]).hexdigest(), int(plain["Content-Length"])) == (
            file.sha256, file.size,
        )  # fmt: skip
        if file.name.endswith(".parquet"):  # compressed in itself
            assert not {"Content-Encoding", "Vary"} & {*packed.headers, *by_brotli.headers}
            continue
        assert (packed["Content-Encoding"], by_brotli["Content-Encoding"]) == ("gzip", "br")
        assert gzip.decompress(packed.content) == brotli.decompress(by_brotli.content) == made[file.name]
        assert len({plain["ETag"], packed["ETag"], by_brotli["ETag"]}) == 3
        unchanged = {"If-None-Match": packed["ETag"], "Accept-Encoding": "gzip"}
        assert client.get(f"/export/{file.name}", headers=unchanged).status_code == 304
    assert client.get("/export/other.csv").status_code == 404


def test_days_are_days_in_parquet(exported_season, tmp_path):
    (tmp_path / "lists.parquet").write_bytes(files()["lists.parquet"])
    table = duckdb.sql(f"FROM '{tmp_path}/lists.parquet'")
    days = {name for name, kind in zip(table.columns, table.types, strict=True) if kind == "DATE"}
    assert days == {"in_force", "closing", "published_on"}


def test_manifest_and_data_package_describe_each_file(exported_season, client):
    made = files()
    manifest, package = (json.loads(made[name]) for name in ("manifest.json", "datapackage.json"))
    assert {file["name"]: (file["size"], file["sha256"]) for file in manifest["files"]} == {
        name: (len(content), hashlib.sha256(content).hexdigest())
        for name, content in made.items()
        if name != "manifest.json"
    }
    assert [file["name"] for file in manifest["files"] if file["lines"] is None] == [
        "open-data.sqlite", "README.md", "LICENSE.txt", "datapackage.json", "signatures.jsonl", "verify.py",
    ]  # fmt: skip
    assert {resource["path"] for resource in package["resources"]} == {
        name for name in made if name.endswith(".csv")
    }
    for resource in package["resources"]:
        content = made[resource["path"]]
        assert resource["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
        fields = resource["schema"]["fields"]
        assert [field["name"] for field in fields] == content.decode().partition("\n")[0].split(",")
        assert all(len(field["description"]) > 3 for field in fields)
    newest = "SELECT DISTINCT list FROM fmjd_newest_entries ORDER BY list"
    rows = opened(made["open-data.sqlite"]).execute(newest).fetchall()
    assert rows == [(address,) for address in LISTS]


def test_scripts_of_other_sites_read_parts_of_the_files(exported_season, client):
    """RFC 9110, 14.1.2: the first 16 bytes of a SQLite file are its name, the last 4 of a Parquet file are PAR1."""
    database, table = "/export/open-data.sqlite", "/export/lists.parquet"
    whole = client.get(database, headers={"Accept-Encoding": "identity"})
    size = int(whole["Content-Length"])
    assert "Content-Encoding" not in client.get(database, headers={"Accept-Encoding": "br;q=0, gzip;q=0"})
    assert (whole["Accept-Ranges"], whole["Access-Control-Allow-Origin"]) == ("bytes", "*")

    def part(path, asked, **headers):
        return client.get(path, headers={"Range": asked, "Accept-Encoding": "gzip", **headers})

    first = part(database, "bytes=0-15")
    assert (first.status_code, first.getvalue()) == (206, b"SQLite format 3\0")
    assert (first["Content-Range"], first["Content-Length"]) == (f"bytes 0-15/{size}", "16")
    assert "Content-Encoding" not in first
    assert part(table, "bytes=-4").getvalue() == b"PAR1"
    everything = whole.getvalue()
    assert part(database, f"bytes={size - 5}-").getvalue() == everything[-5:]
    assert part(database, f"bytes=9-{size + 9}").getvalue() == everything[9:]
    none = part(database, f"bytes={size}-")
    assert (none.status_code, none["Content-Range"]) == (416, f"bytes */{size}")
    assert none["Cache-Control"] == "no-store"  # else a proxy gives it to readers of the whole file
    assert client.head(database, headers={"Range": "bytes=0-15"}).status_code == 200  # 14.2: only of GET
    for asked in ("bytes=0-1,4-5", "lines=1-2", "bytes=-", "bytes=a-b", "bytes=5-3"):
        assert part(database, asked).status_code == 200
    assert part(database, "bytes=0-15", **{"If-Range": whole["ETag"]}).status_code == 206
    assert part(database, "bytes=0-15", **{"If-Range": '"older"'}).status_code == 200
    of_list = f"/lists/{LISTS[0]}/files/figures.csv"
    assert part(of_list, "bytes=0-6").getvalue() == b"fmjd_id"
    assert client.get("/lists/feed.atom")["Access-Control-Allow-Origin"] == "*"


@pytest.mark.database_role("owner")
def test_no_file_has_a_date_of_birth_or_an_address_and_an_erased_name_is_gone_at_once(
    exported_season, client, settings
):
    born = [
        day.strftime(form).encode()
        for day in PersonalData.objects.values_list("born", flat=True)
        for form in ("%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y", "%Y%m%d")
        if day.year < 2020  # later days are days of tournaments too
    ]
    assert len(born) > 400
    secrets = [*born, *(email.encode() for email in User.objects.values_list("email", flat=True))]
    for name, content in files().items():
        # The text of others is the same; a byte of a number may be any sign.
        if name.endswith((".csv", ".json")):
            assert not [secret for secret in secrets if secret in content], name
            without_contact = content.replace(settings.CONTACT_EMAIL.encode(), b"")
            assert not re.search(rb"\w@[a-z]", without_contact), name  # a time control has @ and a move
    database = opened(files()["open-data.sqlite"])
    text = "\n".join(database.iterdump()).encode()
    assert not [secret for secret in secrets if secret in text]

    person = FmjdListRow.objects.filter(list__in_force="2026-10-01").order_by("position")[2]
    assert person.name.encode() in files()["fmjd-players.csv"]  # the twin
    with connection.cursor() as cursor:
        cursor.execute("SELECT erase_player_name(%s)", [person.player_id])
    assert not ExportFile.objects.exists()
    being_made = client.get("/export/lists.csv")
    assert (being_made.status_code, being_made["Retry-After"]) == (503, "60")
    assert "The files are being made" in client.get("/export/").text
    assert export.make_export() is False  # files of the lists have no content yet
    assert make_export() is True
    files_of_lists = lines(files()["files.csv"])
    listed = {(line["list"], line["name"]): (int(line["size"]), line["sha256"]) for line in files_of_lists}
    for file in PublishedFile.objects.filter(list__state="published").select_related("list__pool"):
        address = f"{file.list.address}/r{file.list.revision}"
        assert listed[address, file.name] == (file.size, file.sha256)
        assert file.size
    for content in files().values():
        assert person.name.encode() not in content
    assert b"Erased player" in files()["fmjd-players.csv"]


@of_the_season
def test_the_terms_stand_wherever_the_data_are(client, settings):
    pages = (
        "/export/", "/reference/api/", "/lists/feed.atom", "/.well-known/security.txt", "/api/v1/openapi.json",
    )  # fmt: skip
    before = {path: client.get(path)["ETag"].removeprefix("W/") for path in pages}
    settings.DATA_LICENCE, settings.DATA_LICENCE_URL = "ODbL-1.0", "https://spdx.org/licenses/ODbL-1.0.html"
    settings.DATA_ATTRIBUTION, settings.CONTACT_EMAIL = "Harlow Draughts", "data@harlow.example"
    clear_kept()  # the terms change with a restart only
    make_export()
    made = files()
    database = opened(made["open-data.sqlite"])
    about = dict(database.execute("SELECT name, value FROM about"))
    (licence,) = json.loads(made["datapackage.json"])["licenses"]
    assert licence == {"name": "ODbL-1.0", "path": settings.DATA_LICENCE_URL}
    texts = [made[name].decode() for name in ("README.md", "LICENSE.txt", "manifest.json")]
    shown = [client.get(path).text for path in ("/export/", "/reference/api/", "/lists/feed.atom")]
    for text in (*texts, str(about), *shown):
        assert all(word in text for word in ("ODbL-1.0", settings.DATA_LICENCE_URL, "Harlow Draughts"))
    for path, etag in before.items():  # else a reader who has a page keeps the former terms
        assert client.get(path, headers={"If-None-Match": etag}).status_code == 200, path
    settings.DATA_LICENCE = settings.DATA_LICENCE_URL = ""
    clear_kept()
    assert make_export() is True  # the terms are part of the files
    assert "has not chosen a licence" in files()["LICENSE.txt"].decode()
    assert "has not chosen a licence" in client.get("/export/").text
    assert "Contact: mailto:data@harlow.example\n" in client.get("/.well-known/security.txt").text


def test_only_the_csv_file_guards_a_text_that_looks_like_a_formula(tmp_path):
    """The file of a list has the guard already; a database reads no text as a formula."""
    names = ["+50 Harbour Open", "-12 Juniors", "=Open=", "'t Veerhuis Open", "@home Cup"]
    (table,) = (table for table in open_data_tables() if table.name == "tournaments")
    rows = [(f"2026-{number}", name) for number, name in enumerate(names)]
    content = csv_file(["code", "name"], map(list, rows))
    with ExitStack() as stack:
        database = stack.enter_context(closing(sqlite3.connect(":memory:")))
        writer = export.TableWriter(table, tmp_path, database, stack)
        writer.add_file("fmjd-100/2026-10-01/r1", content)
        assert database.execute("SELECT code, name FROM tournaments").fetchall() == rows
    with duckdb.connect() as parquet:
        writer.write_parquet(parquet)
    assert duckdb.sql(f"SELECT code, name FROM '{tmp_path / table.parquet_name}'").fetchall() == rows
    written = [line["name"] for line in lines((tmp_path / table.csv_name).read_bytes())]
    assert written == [name if name.startswith("'") else f"'{name}" for name in names]


@of_the_season
def test_titles_of_a_merged_record_leave_the_files_and_come_back(client):
    surviving, duplicate = (title.player for title in known_titles().filter(awarded_by="fmjd")[:2])
    assert surviving != duplicate
    number = str(duplicate.numbers["fmjd"])

    def numbers():
        make_export()
        return {line["fmjd_id"] for line in lines(files()["fmjd-titles.csv"])}

    assert number in numbers()
    officer = Actor(create_user("o@example.org", "Officer", roles=[Role.RATING_OFFICER]))
    merge = merge_players(duplicate=duplicate, surviving=surviving, reason="one person", by=officer)
    assert number not in numbers()
    undo_merge(merge=merge, reason="two persons", by=officer)
    assert number in numbers()
