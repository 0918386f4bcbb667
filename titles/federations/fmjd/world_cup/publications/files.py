"""The files of a publication: its figures, sealed by a digest, and its inputs. Without names."""

import csv
import hashlib
import json
from collections.abc import Sequence
from io import StringIO

from titles.federations.fmjd.models import Publication
from titles.federations.fmjd.world_cup.publications.kinds import Row, key_of, kind_of


def figures_json(publication: Publication, rows: Sequence[Row]) -> bytes:
    """The figures file, whose digest is signed: what it is of, the digest of its inputs, and the rows in order."""
    day = publication.day
    content = {
        "kind": publication.kind,
        "section": publication.section,
        "women": publication.women,
        "day": day.isoformat() if day else None,
        "championship": publication.championship,
        "revision": publication.revision,
        "edition": publication.edition,
        "input_sha256": publication.input_sha256,
        "rows": list(rows),
    }
    return (json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def figures_csv(publication: Publication, rows: Sequence[Row]) -> bytes:
    """The columns of the rows, for a spreadsheet; what a row unfolds to is in the other files."""
    return csv_text(kind_of(key_of(publication)).columns, rows).encode()


def csv_text(columns: Sequence[str], rows: Sequence[Row]) -> str:
    """Rows as CSV with a line of names: numbers as they are, `1` and `0` for yes and no, nothing for None."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        values = (row[column] for column in columns)
        writer.writerow(int(value) if isinstance(value, bool) else value for value in values)
    return out.getvalue()


def digest(content: bytes) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(content).hexdigest()
