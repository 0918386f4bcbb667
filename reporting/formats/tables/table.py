"""What all tables of players share: the text of a field and its place, headings, limits, and the row of a player.

A format declares its columns: for each field how its text is read, mostly by a function of ``field_parsers``. It splits
its lines into ``FieldText``; ``player_values`` are what a row of them says. What is wrong or was not used is in
``ReaderFindings``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, repeat
from types import MappingProxyType
from typing import Any, NamedTuple

from reporting.rules.findings.finding_list import Finding, FindingList, Severity, quoted
from reporting.rules.names.plain_text import plain_text
from reporting.rules.report import UnreadText
from reporting.rules.sentences import Value


class FieldText(NamedTuple):
    """The text of a field in plain spaces, with its line and column, from 1; an empty one is where it begins."""

    name: str
    text: str
    line: int
    column: int


class ReaderFindings(FindingList):
    """The findings of a reader, and the pieces of the file that it did not use."""

    def __init__(self) -> None:
        super().__init__()
        self.unread: list[UnreadText] = []
        self.exceeded: Counter[str] = Counter()
        """How often each limit is exceeded, by the codes of their findings."""

    def add(
        self, key: str, severity: Severity | None = None, at: FieldText | None = None, **given: Any
    ) -> None:
        """Keep a finding of the catalogue; ``at`` is the field that it is about and that was found."""
        if at is not None:
            given = {"line": at.line, "column": at.column, "field": at.name or None, "found": at.text} | given
        super().add(key, severity, **given)

    def mark_unread(self, piece: FieldText, key: str, **values: Value) -> None:
        """List a piece that was not used, with the key of the reason."""
        text = quoted(piece.text)
        self.unread.append(UnreadText(piece.line, piece.column, text, key, tuple(values.items())))

    def mark_line_unread(self, number: int, line: str, key: str, **values: Value) -> None:
        """List a whole line that was not used, with the key of the reason."""
        self.mark_unread(field_text("", line, number), key, **values)

    def exceeds(self, code: str, limit: int, count: int, **place: Any) -> bool:
        """Return whether a count is over its limit; the first one that is gives the finding.

        Where that quotes no text of the file, it says in the end how many there are: the limit and what is over it.
        """
        if count <= limit:
            return False
        if code not in self.exceeded:
            self.add(code, limit=limit, **{"about": (), **place})
        self.exceeded[code] += 1
        return True

    def __iter__(self) -> Iterator[Finding]:
        for kept in super().__iter__():
            values = dict(kept.values)
            if kept.code in self.exceeded and "found" not in values:
                yield kept.with_values(count=int(str(values["limit"])) + self.exceeded[kept.code])
            else:
                yield kept


def text_column(line: str) -> int:
    """Return the column of the first character of a line that is no space, from 1."""
    return len(line) - len(line.lstrip()) + 1


def field_text(name: str, part: str, line: int, begins: int = 1) -> FieldText:
    """Return the field that a part of a line has, which begins in this column; its text is that of ``plain_text``."""
    text = plain_text(part)
    if not text or part.startswith(text):  # most fields by far
        return FieldText(name, text, line, begins)
    return FieldText(name, text, line, begins + text_column(part) - 1)


def split_line(line: str, separator: str, number: int, names: Iterable[str] = ()) -> list[FieldText]:
    """Return the fields of a line in their order; those after the last name have none."""
    fields = []
    begins = 1
    for name, part in zip(chain(names, repeat("")), line.split(separator), strict=False):
        fields.append(field_text(name, part, number, begins))
        begins += len(part) + len(separator)
    return fields


SEPARATORS = (";", ",", "\t")
"""What can be between the cells of a line of CSV: the semicolon, the comma, the tab."""


def find_separator(line: str, is_heading: Callable[[str], bool]) -> str:
    """Return the separator of a line of headings: the one that gives the most of them; empty for fewer than two."""
    counts = {
        separator: sum(is_heading(cell.strip(' \t"')) for cell in line.split(separator))
        for separator in SEPARATORS
    }
    best = max(SEPARATORS, key=lambda separator: counts[separator])
    return best if counts[best] > 1 else ""


class Header(NamedTuple):
    """The headings of a table: the place of each field, the places of the others, and the fields that are missing."""

    places: dict[str, int]
    unknown: list[int]
    repeated: list[int]
    missing: list[str]


def read_header(names: Mapping[int, str], required: Iterable[str]) -> Header:
    """Sort the headings of a table, given by place as the name of the field of each; empty for an unknown one."""
    places: dict[str, int] = {}
    unknown, repeated = [], []
    for place, name in names.items():
        if not name:
            unknown.append(place)
        elif name in places:
            repeated.append(place)
        else:
            places[name] = place
    return Header(places, unknown, repeated, [name for name in required if name not in places])


FieldParser = Callable[[FieldText, ReaderFindings], Any]
"""Returns the value of a field, None or empty for none; for anything that cannot be read it adds a finding."""

_VALUES = {
    "points": ("points_printed",),
    "name": ("first_name", "last_name"),
    "country": ("federation_code",),
    "born": ("born", "born_year"),
    "rating": ("category_printed", "rating_printed"),
}
"""What a parser returns for a field, as values of ``ReportedPlayer``; one value of the same name for other fields."""


def player_values(
    columns: Mapping[str, FieldParser], row: Mapping[str, FieldText], findings: ReaderFindings
) -> dict[str, Any]:
    """Return the values of ``ReportedPlayer`` that a row gives, with the column of each of its fields.

    ``columns`` has the parser of each field; ``row`` can lack some of them, or have others.
    """
    values: dict[str, Any] = {"columns": MappingProxyType({name: part.column for name, part in row.items()})}
    for name, parse in columns.items():
        if name in row:
            read = parse(row[name], findings)
            names = _VALUES.get(name, (name,))
            values.update(zip(names, read if len(names) > 1 else (read,), strict=True))
    if "country" in row:
        values["federation"] = row["country"].text
    first, last = values.get("first_name", ""), values.get("last_name", "")
    values["name"] = row["name"].text if "name" in row else f"{first} {last}".strip()
    return values
