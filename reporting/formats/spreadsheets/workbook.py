"""The sheets of an XLSX file as they are written; nothing else in the file is opened.

An XLSX file is a ZIP archive of XML. Only its list of sheets, texts, number formats and sheets are
read, each part by its name; all bytes count against MAX_UNPACKED_BYTES, and document types and entities are refused.
Nothing is evaluated, unpacked to disk or fetched: macros, links, pictures and archives inside are never opened. Only
rows and cells with content are stored, so a cell at the far end of a sheet or a merge of all its cells costs nothing.
(openpyxl and python-calamine fill the whole rectangle.)
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any
from xml.sax import SAXException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from defusedxml.common import DefusedXmlException
from defusedxml.sax import parseString

from reporting.formats.tables.field_parsers import DAY_ZERO, write_date
from reporting.rules.findings.finding_list import Finding, finding, quoted
from reporting.rules.report import MAX_FILE_BYTES

MAX_ENTRIES = 1_000
"""Parts of a workbook; one of twenty sheets has about forty."""

MAX_UNPACKED_BYTES = 60_000_000
"""Unpacked bytes of all parts that are read: 35,000 games take a tenth of it."""

MAX_CELLS = 900_000
"""Cells of all sheets, also empty ones with a format: 35,000 games have 140,000."""

MAX_CHARACTERS = 10_000_000
"""Characters of all cells together."""

MAX_COMPRESSION_RATIO = 100
"""How many times larger than the file its unpacked parts can be; a workbook of games has about ten."""

MAX_NUMBER_FORMAT_LENGTH = 255
"""Characters of a number format that a spreadsheet program accepts."""

_RATIO_COUNTS_FROM = 2_000_000
"""Bytes up to which any ratio is allowed: empty rows with a format compress very well."""

_MARK = b"PK\x03\x04"
_WORKBOOK = "xl/workbook.xml"
_RELATIONS = "xl/_rels/workbook.xml.rels"
_MACROS = "xl/vbaproject.bin"
_MACRO_TYPE = b"macroEnabled"
_ENCRYPTED = 0x1

_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_INDEX = re.compile(r"[0-9]{1,7}")
_NUMBER = re.compile(r"[+-]?[0-9]{1,30}(\.[0-9]{0,30})?([eE][+-]?[0-9]{1,3})?")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?=$|T00:00:00(\.0+)?Z?$)")
_NOT_SHOWN = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.|_.|\*.')

_FORMATS_OF_A_DAY = {14: "d/m/yyyy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 22: "d/m/yyyy h:mm"}
"""The number formats of every workbook that show days (ECMA-376 part 1, 18.8.30)."""

_DAY_ZERO_1904 = date(1904, 1, 1)
_FIRST_SURE_DAY = 61
"""The days of 1900 up to 28 February have other numbers in some programs; 29 February 1900 did not exist."""

_LARGEST_WHOLE = 10**15


@dataclass
class Sheet:
    """A sheet as written: texts by row and column, from 1, and cells that look different from their content.

    A number is the text of its digits, a day is DD/MM/YYYY. ``formulas`` are the cells with a formula; they have no
    text. ``merged`` are ranges, ``hidden_rows`` and ``hidden_columns`` are numbers.
    """

    name: str
    hidden: bool = False
    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    formulas: dict[tuple[int, int], str] = field(default_factory=dict)
    merged: list[str] = field(default_factory=list)
    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)


def column_letters(column: int) -> str:
    """Return the letters of a column in a spreadsheet program: 1 is A, 27 is AA."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def column_number(letters: str) -> int:
    """Return the number of a column by its letters: A is 1, AA is 27."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def cell_name(sheet: str, row: int, column: int) -> str:
    """Return the name of a cell, such as ``Players!E7``; without sheet ``E7``."""
    cell = f"{column_letters(column)}{row}"
    return f"{quoted(sheet)}!{cell}" if sheet else cell


def is_workbook(content: bytes) -> bool:
    """Whether the bytes are a ZIP archive with the list of sheets of an XLSX file."""
    if len(content) > MAX_FILE_BYTES or not content.startswith(_MARK):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _WORKBOOK in archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, UnicodeError):
        return False


def read_sheets(content: bytes) -> tuple[list[Sheet], Finding | None]:
    """Return the sheets of an XLSX file in their order, or none and the finding with the reason.

    Never raises for any bytes: a damaged, encrypted or too large file and one with macros are refused as a whole (R22),
    because the content of an unreadable part is unknown.
    """
    try:
        return _read(content), None
    except _RefusedError as refusal:
        return [], refusal.finding
    except (
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        zlib.error,
        SAXException,
        DefusedXmlException,
        EOFError,
        KeyError,
        LookupError,
        NotImplementedError,
        OSError,
        RuntimeError,
        ValueError,
    ) as problem:
        found = f"{type(problem).__name__}: {problem}".rstrip(": ")
        return [], finding("workbook-unreadable", line=1, column=1, found=found)


class _RefusedError(Exception):
    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def _refuse(case: str, **values: Any) -> _RefusedError:
    return _RefusedError(finding(f"workbook-refused.{case}", line=1, column=1, **values))


@dataclass
class _Package:
    """The parts of the archive, read by name, and how much can still be read.

    ``text_left`` are the characters of cells: a thousand cells can share one long text.
    """

    archive: zipfile.ZipFile
    bytes_left: int
    cells_left: int = MAX_CELLS
    text_left: int = MAX_CHARACTERS

    def read(self, name: str) -> bytes:
        """Return a part; the size stated in the archive is not trusted."""
        with self.archive.open(name) as part:
            content = part.read(self.bytes_left + 1)
        self.bytes_left -= len(content)
        if self.bytes_left < 0:
            raise _refuse("size", limit=MAX_UNPACKED_BYTES, ratio=MAX_COMPRESSION_RATIO)
        return content


def _read(content: bytes) -> list[Sheet]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        _check_entries(archive.infolist())
        package = _Package(
            archive, min(MAX_UNPACKED_BYTES, max(MAX_COMPRESSION_RATIO * len(content), _RATIO_COUNTS_FROM))
        )
        if _MACROS in {name.lower() for name in names} or _MACRO_TYPE in package.read("[Content_Types].xml"):
            raise _refuse("macros")
        listed = _Workbook()
        _parse(package.read(_WORKBOOK), listed)
        relations = _Relations()
        _parse(package.read(_RELATIONS), relations)
        texts, formats = _Texts(), _Formats()
        for kind, reader in (("sharedStrings", texts), ("styles", formats)):
            for name in relations.of_kind(kind):
                _parse(package.read(_part(name)), reader)
        sheets: list[Sheet] = []
        for name, relation, hidden in listed.sheets:
            kind, target = relations.targets[relation]
            if kind != "worksheet":
                continue
            reading = _SheetReading(Sheet(name, hidden), texts.texts, formats, listed.first_day, package)
            _parse(package.read(_part(target)), reading)
            sheets.append(reading.sheet)
        return sheets


def _check_entries(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MAX_ENTRIES:
        raise _refuse("parts", parts=len(entries), limit=MAX_ENTRIES)
    if len({entry.filename for entry in entries}) < len(entries):
        raise _refuse("repeated")
    if any(entry.flag_bits & _ENCRYPTED for entry in entries):
        raise _refuse("encrypted")
    if any(entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for entry in entries):
        raise _refuse("compression")


def _part(target: str) -> str:
    """Return the name of a part in the archive; a name is never used as a path on a disk."""
    return target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join("xl", target))


def _parse(content: bytes, handler: ContentHandler) -> None:
    parseString(content, handler, forbid_dtd=True, forbid_entities=True, forbid_external=True)


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _is_true(value: str | None) -> bool:
    return value in ("1", "true", "on")


class _Workbook(ContentHandler):
    """Reads the list of sheets: name, relation, and whether it is hidden."""

    def __init__(self) -> None:
        self.sheets: list[tuple[str, str, bool]] = []
        self.first_day = DAY_ZERO

    def startElement(self, name: str, attrs: AttributesImpl[str]) -> None:  # noqa: N802
        if _local(name) == "sheet":
            relation = next((value for key, value in attrs.items() if key.endswith(":id")), "")
            self.sheets.append((attrs.get("name", ""), relation, attrs.get("state", "visible") != "visible"))
        elif _local(name) == "workbookPr" and _is_true(attrs.get("date1904")):
            self.first_day = _DAY_ZERO_1904


class _Relations(ContentHandler):
    """Reads which relation is which part, and of what kind."""

    def __init__(self) -> None:
        self.targets: dict[str, tuple[str, str]] = {}

    def startElement(self, name: str, attrs: AttributesImpl[str]) -> None:  # noqa: N802
        if _local(name) == "Relationship":
            kind = attrs.get("Type", "").rpartition("/")[2]
            if attrs.get("TargetMode") == "External":
                kind = "external"
            self.targets[attrs.get("Id", "")] = (kind, attrs.get("Target", ""))

    def of_kind(self, wanted: str) -> list[str]:
        return [target for kind, target in self.targets.values() if kind == wanted]


class _Texts(ContentHandler):
    """Reads the texts that cells share; all pieces of a text with several fonts, without its reading aid."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.pieces: list[str] = []
        self.in_text = False
        self.in_reading_aid = False

    def startElement(self, name: str, attrs: AttributesImpl[str]) -> None:  # noqa: ARG002, N802
        local = _local(name)
        if local == "si":
            self.pieces = []
        elif local == "rPh":
            self.in_reading_aid = True
        elif local == "t":
            self.in_text = not self.in_reading_aid

    def characters(self, content: str) -> None:
        if self.in_text:
            self.pieces.append(content)

    def endElement(self, name: str) -> None:  # noqa: N802
        local = _local(name)
        if local == "t":
            self.in_text = False
        elif local == "rPh":
            self.in_reading_aid = False
        elif local == "si":
            self.texts.append(_unescaped("".join(self.pieces)))


class _Formats(ContentHandler):
    """Reads which style of a cell shows days, and how."""

    def __init__(self) -> None:
        self.codes: dict[str, str] = {}
        self.style_formats: list[str] = []
        self.in_styles = False

    def startElement(self, name: str, attrs: AttributesImpl[str]) -> None:  # noqa: N802
        local = _local(name)
        if local == "numFmt":
            # Cut before any pattern runs: one of 300,000 brackets took a minute.
            self.codes[attrs.get("numFmtId", "")] = attrs.get("formatCode", "")[:MAX_NUMBER_FORMAT_LENGTH]
        elif local == "cellXfs":
            self.in_styles = True
        elif local == "xf" and self.in_styles:
            self.style_formats.append(attrs.get("numFmtId", "0"))

    def endElement(self, name: str) -> None:  # noqa: N802
        if _local(name) == "cellXfs":
            self.in_styles = False

    def of(self, style: str) -> str:
        """Return the format of a style that shows days, months or years, empty for any other style."""
        if not _INDEX.fullmatch(style) or int(style) >= len(self.style_formats):
            return ""
        number = self.style_formats[int(style)]
        code = self.codes.get(number) or (
            _FORMATS_OF_A_DAY.get(int(number), "") if _INDEX.fullmatch(number) else ""
        )
        plain = _NOT_SHOWN.sub("", code[:200]).lower()
        return code if re.search(r"[dy]|m{3}", plain) and "general" not in plain else ""


class _SheetReading(ContentHandler):
    """Reads a sheet row by row."""

    def __init__(
        self, sheet: Sheet, texts: list[str], formats: _Formats, first_day: date, package: _Package
    ) -> None:
        self.sheet = sheet
        self.package = package
        self.texts = texts
        self.formats = formats
        self.first_day = first_day
        self.row = 0
        self.column = 0
        self.kind = ""
        self.style = ""
        self.pieces: list[str] = []
        self.has_formula = False
        self.formula: list[str] = []
        self.collecting: list[str] | None = None
        self.in_cell = False
        self.in_reading_aid = False

    def startElement(self, name: str, attrs: AttributesImpl[str]) -> None:  # noqa: N802
        local = _local(name)
        if local == "c":
            self.begin_cell(attrs)
        elif self.in_cell:
            if local == "f":
                self.has_formula = True
                self.collecting = self.formula
            elif local == "rPh":
                self.in_reading_aid = True
            elif local == "v" or (local == "t" and not self.in_reading_aid):
                self.collecting = self.pieces
        elif local == "row":
            self.row = _whole(attrs.get("r"), self.row + 1)
            self.column = 0
            if _is_true(attrs.get("hidden")):
                self.sheet.hidden_rows.append(self.row)
        elif local == "col" and _is_true(attrs.get("hidden")):
            first = _whole(attrs.get("min"), 1)
            self.sheet.hidden_columns.append((first, _whole(attrs.get("max"), first)))
        elif local == "mergeCell":
            self.sheet.merged.append(attrs.get("ref", ""))

    def begin_cell(self, attrs: AttributesImpl[str]) -> None:
        self.package.cells_left -= 1
        if self.package.cells_left < 0:
            raise _refuse("cells", limit=MAX_CELLS)
        reference = _REFERENCE.fullmatch(attrs.get("r", ""))
        if reference:
            self.row, self.column = int(reference[2]), column_number(reference[1])
        else:
            self.column += 1
        self.kind, self.style = attrs.get("t", "n"), attrs.get("s", "0")
        self.pieces, self.formula, self.has_formula = [], [], False
        self.in_cell = True

    def characters(self, content: str) -> None:
        if self.collecting is not None:
            self.collecting.append(content)

    def endElement(self, name: str) -> None:  # noqa: N802
        local = _local(name)
        if local in ("v", "t", "f"):
            self.collecting = None
        elif local == "rPh":
            self.in_reading_aid = False
        elif local == "c":
            self.in_cell = False
            if self.has_formula:
                self.sheet.formulas[self.row, self.column] = "=" + "".join(self.formula)
                return
            text = self.text_of("".join(self.pieces))
            self.package.text_left -= len(text)
            if self.package.text_left < 0:
                raise _refuse("text", limit=MAX_CHARACTERS)
            if text:
                self.sheet.rows.setdefault(self.row, {})[self.column] = text

    def text_of(self, value: str) -> str:
        if self.kind == "s":
            return self.texts[int(value)] if _INDEX.fullmatch(value) else ""
        if self.kind in ("inlineStr", "str", "e"):
            return _unescaped(value)
        if self.kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        if self.kind == "d":
            day = _ISO_DAY.match(value)
            return write_date(date.fromisoformat(day[0])) if day else value
        return self.number_of(value.strip())

    def number_of(self, value: str) -> str:
        if not _NUMBER.fullmatch(value):
            return value
        number = float(value)
        if not number.is_integer() or abs(number) >= _LARGEST_WHOLE:
            return value
        code = self.formats.of(self.style)
        if not code:
            return str(int(number))
        if not _FIRST_SURE_DAY <= number <= (date.max - self.first_day).days:
            return f"{int(number)} shown as {code}"
        day = write_date(self.first_day + timedelta(days=int(number)))
        # A person has never seen all of a date that does not show day, month and year.
        shows = _NOT_SHOWN.sub("", code).lower()
        return day if all(part in shows for part in "dmy") else f"{day} shown as {code}"


def _whole(value: str | None, otherwise: int) -> int:
    return int(value) if value and _INDEX.fullmatch(value) else otherwise


def _unescaped(text: str) -> str:
    """Return a text with the characters that XLSX writes as _x000D_."""
    if "_x" in text:
        text = _ESCAPED.sub(lambda written: chr(int(written[1], 16)), text)
    return text
