"""Finds the format of a report by its content alone; every report is read through `read_report`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib import import_module

from reporting.federations.registry import all_report_rules
from reporting.formats.annex_9 import fmjd
from reporting.formats.crosstables import draughts_arbiter, table_form, toernooibase
from reporting.formats.spreadsheets import games, spreadsheet
from reporting.formats.spreadsheets.workbook import is_workbook
from reporting.formats.text.decode import DecodedText, decode_text
from reporting.formats.trf import trf16
from reporting.rules.findings.finding_list import finding, in_file_order
from reporting.rules.report import MAX_UNREAD_LISTED, Encoding, PointsScale, ReadReport, UnreadText
from reporting.rules.sentences import joined

FORMATS = [
    draughts_arbiter.READER,
    fmjd.READER,
    toernooibase.READER,
    spreadsheet.READER,
    games.READER,
    trf16.READER,
    table_form.READER,
]
"""The formats in the order they are tried; the first one that recognises the lines reads them."""


def add_formats(modules: Iterable[str]) -> None:
    """Try the formats of federations too: those that are the `READER` of these modules.

    They are tried before all others, because one may be another one with a first line of its own.
    """
    FORMATS[:0] = [own for name in modules if (own := import_module(name).READER) not in FORMATS]


def format_labels() -> Mapping[str, str]:
    """What readers call each format, by the key in a report."""
    own = (rules.entry_format for rules in all_report_rules())
    return {key: label for known in (*FORMATS, *own) for key, label in known.labels.items()}


_WEB_PAGE = ("<!doctype html", "<html", "<head", "<body")
"""The beginning of a saved web page."""


def read_report(
    content: bytes, *, encoding: str | None = None, points: PointsScale | None = None
) -> ReadReport:
    """Read a tournament report from the bytes of its file.

    ``encoding`` is the chosen one (a key of ``ENCODINGS``), None for UTF-8 or a byte order mark; ``points`` is
    the chosen scale of the points column, for formats that need it, None where the file decides (decision 0090). The
    format is found by the content, never by a name. Never raises for any bytes: every fault is a finding with line,
    column and article; nothing is guessed (R20, R22).
    """
    if is_workbook(content):
        read = spreadsheet.read_workbook(content)
    else:
        text = decode_text(content, encoding=encoding)
        if any(found.code == "encoding-unreadable" for found in text.findings):
            text = without_format(content) or text
        read = read_decoded(text, points=points)
    return replace(read, unread=limit_unread(read.unread))


def without_format(content: bytes) -> DecodedText | None:
    """The text of a file that no choice of an encoding makes a report; None where a format may recognise its lines.

    Formats are recognised by ASCII characters, and ISO 8859-1 reads any bytes.
    """
    text = decode_text(content, encoding=Encoding.ISO8859_1)
    is_known = not text.lines or any(known.recognises(text.lines) for known in FORMATS)
    return None if is_known else replace(text, findings=())


def limit_unread(unread: tuple[UnreadText, ...]) -> tuple[UnreadText, ...]:
    """The first pieces, and one that counts the others: half a million take 300 MB in the web process."""
    if len(unread) <= MAX_UNREAD_LISTED:
        return unread
    first = unread[MAX_UNREAD_LISTED]
    more = f"{len(unread) - MAX_UNREAD_LISTED:,} more pieces"
    return (*unread[:MAX_UNREAD_LISTED], UnreadText(first.line, first.column, more, "too-many-to-list"))


def read_decoded(text: DecodedText, *, points: PointsScale | None = None) -> ReadReport:
    """Read a report from text that is decoded already, as ``read_report`` does."""
    if not text.lines:
        return ReadReport(format="", encoding=text.encoding, findings=in_file_order(text.findings))
    for report_format in FORMATS:
        if report_format.recognises(text.lines):
            report = (
                report_format.read(text.lines, points=points)
                if report_format.needs_points_scale
                else report_format.read(text.lines)
            )
            return replace(
                report,
                encoding=text.encoding,
                findings=in_file_order((*text.findings, *report.findings)),
            )
    number, first = next((number, line) for number, line in enumerate(text.lines, 1) if line.strip())
    is_page = first.lstrip().casefold().startswith(_WEB_PAGE)
    unknown = finding(
        "format-unknown.page" if is_page else "format-unknown",
        line=number,
        column=1,
        found=first,
        known=joined(list(dict.fromkeys(known.name for known in FORMATS))),
    )
    return ReadReport(format="", encoding=text.encoding, findings=in_file_order((*text.findings, unknown)))
