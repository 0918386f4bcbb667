"""The files of the open data. The worker makes them (ratings/publishing/open_data/)."""

import json
from collections.abc import Sequence

from ratings.models import Export, ExportFile, SignedStatement


def export_state() -> Export:
    """What the files hold and when they were made. 1 query."""
    return Export.objects.get()


def export_files() -> Sequence[ExportFile]:
    """The files without their bytes, in the order in which they were made. 1 query."""
    return list(ExportFile.objects.defer("compressed", "brotli").order_by("pk"))


def find_export_file(name: str) -> ExportFile | None:
    """A file without its bytes; `.compressed` or `.brotli` fetches them. 1 query, and 1 for the bytes."""
    return ExportFile.objects.filter(name=name).defer("compressed", "brotli").first()


def signing_key() -> str:
    """The public key that signs lists now, in hexadecimal; empty before the first signature. 1 query."""
    statement = SignedStatement.objects.filter(list=None).order_by("number").last()
    return str(json.loads(statement.content)["key"]) if statement else ""
