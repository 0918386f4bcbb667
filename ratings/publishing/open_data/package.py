"""What describes the open data to programs and people: manifest, data package, licence, and a page to read first."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

from ratings.publishing.open_data.schema import (
    DAYS,
    INTEGER,
    REAL,
    SQLITE_FILE,
    TEXT,
    Field,
    Table,
    open_data_tables,
    open_data_views,
)
from ratings.publishing.signed_history import verify
from ratings.publishing.signed_history.sign_lists import history_lines
from ratings.publishing.signed_history.verify import HISTORY, read_history
from ratings.queries.terms import data_terms

README, LICENCE, DATA_PACKAGE, SIGNATURES, VERIFY, MANIFEST = DESCRIPTIONS = (
    "README.md", "LICENSE.txt", "datapackage.json", HISTORY, "verify.py", "manifest.json",
)  # fmt: skip
TYPES = {INTEGER: "integer", REAL: "number", TEXT: "string"}
"""Of Frictionless Table Schema."""


def export_names() -> set[str]:
    """The names of all files of the open data."""
    files = {name for table in open_data_tables() for name in (table.csv_name, table.parquet_name)}
    return {*files, *DESCRIPTIONS, SQLITE_FILE}


def write_descriptions(folder: Path, lines: Mapping[str, int], made_at: datetime) -> dict[str, int]:
    """Write README, licence, data package, signed history, the program that checks it and, last, the manifest of all.

    Answers 0 lines for each. 1 query.

    `lines` are those of the files of tables, which are in the folder already.
    """
    history = list(history_lines())
    context = {
        "office": settings.OFFICE_URL.rstrip("/"),
        "terms": data_terms(),
        "tables": open_data_tables(),
        "views": open_data_views(),
        "made_at": made_at,
    }
    for name, template in ((README, "open_data/readme.md"), (LICENCE, "open_data/licence.txt")):
        (folder / name).write_text(render_to_string(template, context), encoding="utf-8")
    _write_json(folder / DATA_PACKAGE, _data_package(folder, made_at))
    (folder / SIGNATURES).write_text("".join(f"{line}\n" for line in history), encoding="utf-8")
    (folder / VERIFY).write_bytes(Path(verify.__file__).read_bytes())
    of_tables = {name: number for name, number in lines.items() if name != SQLITE_FILE}
    described = [*lines, README, LICENCE, DATA_PACKAGE, SIGNATURES, VERIFY]
    _write_json(
        folder / MANIFEST,
        {
            "made_at": made_at.isoformat(timespec="seconds"),
            **_terms_in_json(),
            "signing_keys": read_history(history).keys,
            "files": [
                {"name": name, "size": size, "sha256": sha256, "lines": of_tables.get(name)}
                for name in described
                for size, sha256 in [_size_and_digest(folder / name)]
            ],
        },
    )
    return dict.fromkeys(DESCRIPTIONS, 0)


def _terms_in_json() -> dict[str, Any]:
    terms = data_terms()
    return {
        "licence": terms.licence or None,
        "licence_url": terms.url or None,
        "attribution": terms.attribution,
        "contact": terms.contact,
    }


def _data_package(folder: Path, made_at: datetime) -> dict[str, Any]:
    """The data package of Frictionless: every CSV file with the type and meaning of each column."""
    terms = data_terms()
    licences = [{"name": terms.licence, "path": terms.url}] if terms.licence else []
    return {
        "profile": "tabular-data-package",
        "name": "rating-office",
        "title": "Rating lists",
        "created": made_at.isoformat(timespec="seconds"),
        **({"licenses": licences} if licences else {}),
        **({"homepage": f"{settings.OFFICE_URL.rstrip('/')}/export/"} if settings.OFFICE_URL else {}),
        "contributors": [{"title": terms.attribution, "role": "publisher"}],
        "resources": [_resource(folder, table) for table in open_data_tables()],
    }


def _resource(folder: Path, table: Table) -> dict[str, Any]:
    size, sha256 = _size_and_digest(folder / table.csv_name)
    keys = [
        {"fields": name, "reference": {"resource": other, "fields": "list"}}
        for name, other in table.foreign_keys.items()
    ]
    return {
        "profile": "tabular-data-resource",
        "name": table.file_stem,
        "path": table.csv_name,
        "title": table.meaning,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": size,
        "hash": f"sha256:{sha256}",
        "schema": {
            "fields": list(_fields(table.columns)),
            "missingValues": [""],
            **({"primaryKey": list(table.key)} if table.key else {}),
            **({"foreignKeys": keys} if keys else {}),
        },
    }


def _fields(columns: Mapping[str, Field]) -> Iterator[dict[str, str]]:
    for name, field in columns.items():
        kind = "date" if name in DAYS else TYPES[field.kind]
        yield {"name": name, "type": kind, "description": field.meaning}


def _write_json(path: Path, document: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _size_and_digest(path: Path) -> tuple[int, str]:
    with path.open("rb") as file:
        return path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest()
