"""The files of the open data. The worker makes them (ratings/publishing/open_data/)."""

from collections.abc import Sequence

from ratings.models import Export, ExportFile


def export_state() -> Export:
    """What the files hold and when they were made. 1 query."""
    return Export.objects.get()


def export_files() -> Sequence[ExportFile]:
    """The files without their bytes, in the order in which they were made. 1 query."""
    return list(ExportFile.objects.defer("compressed", "brotli").order_by("pk"))


def find_export_file(name: str) -> ExportFile | None:
    """A file without its bytes; `.compressed` or `.brotli` fetches them. 1 query, and 1 for the bytes."""
    return ExportFile.objects.filter(name=name).defer("compressed", "brotli").first()
