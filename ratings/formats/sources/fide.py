"""A list of FIDE as it is published: text or XML, by itself or in a ZIP archive (contracts U21)."""

from collections.abc import Callable
from itertools import chain
from typing import IO

from ratings.formats.sources.fide_text import read_text
from ratings.formats.sources.fide_xml import read_xml
from ratings.formats.sources.figures import SourceFigures
from ratings.formats.sources.file import SourceRefusedError, blocks_of_source
from reporting.rules.findings.finding_list import Finding, in_file_order

XML_BEGINS = b"<"


def read_fide_list(
    file: IO[bytes], kind: str, progress: Callable[[int], None] = lambda _: None
) -> tuple[SourceFigures | None, tuple[Finding, ...]]:
    """The players of a list, or None with the findings. Never raises for any bytes.

    `kind` is that of a list of one kind, empty for a list of all. `progress` is given the number of players read since
    the last call. Of the file a few megabytes are in memory at a time. After MAX_FINDINGS findings no more is read.
    """
    try:
        with blocks_of_source(file) as blocks:
            first = next(blocks, b"")
            is_xml = first.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(XML_BEGINS)
            read = read_xml if is_xml else read_text
            lines = read(chain([first], blocks), kind, progress)
    except SourceRefusedError as refused:
        return None, (refused.finding,)
    figures = lines.figures()
    return figures, in_file_order(lines.findings)
