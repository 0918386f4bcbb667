"""Findings: what is to be said about a report, with the place, the article and what to do (R22).

A finding is about data. It is collected, never raised, so that one reading of a file tells the referee
everything at once. Its code is stable: pages, answers and tests refer to it, so a code is never renamed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from enum import StrEnum
from operator import itemgetter
from typing import Any

from reporting.federations.registry import first_article
from reporting.rules.findings.catalogue import CODES, NOTHING
from reporting.rules.sentences import Listed, Plural, Value, sentence

MAX_QUOTED_LENGTH = 120
"""Characters of a file repeated in a finding; a line of a megabyte is not repeated in full."""

MAX_MESSAGE_LENGTH = 1_000
"""Characters of a message, of what is expected or of a suggestion: names of a file can stand in them."""

MAX_SEPARATE_FINDINGS = 3
"""Findings with the same sentence that are shown one by one."""

MAX_FINDINGS_PER_CODE = 5
"""Findings of one code that found different things and are shown one by one."""

MAX_FINDINGS = 1_000
"""Findings stored of one file; the last one then says that there are more."""


class Severity(StrEnum):
    """The weight of a finding: an error blocks submission, a warning needs a comment (R20, R21), a note nothing."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


SEVERITY_LABELS = {Severity.ERROR: "Error", Severity.WARNING: "Warning", Severity.NOTE: "Note"}

PLACES_IN_FILE = frozenset({"same_cells", "same_lines", "same_columns", "line_found", "column_found"})
"""Values of a finding that say where in the file it is, not what it is about."""


SAME_ELSEWHERE = {
    "same_cells": "The same in cells {same_cells}.",
    "same_lines": "The same on lines {same_lines}.",
    "same_columns": "The same in columns {same_columns}.",
}
"""Where the other findings of a group are that is shown as one."""

OF_PLAYERS = Plural("Number {about}: {sentence}", "Numbers {about}: {sentence}", by="about_count")
"""The message of a finding with the players it is about before it."""

ON_LINE, IN_COLUMN = "line {line}", "line {line}, column {column}"
"""The place of a finding in a file of lines."""

CELL_NAME = re.compile(r"(?:(?P<sheet>.+)!)?(?P<column>[A-Z]{1,3})(?P<row>[1-9][0-9]{0,6})")
"""The name of a cell, ``Players!E7`` or in a CSV file ``E7``, as findings have it for their field."""


def sheet_anchor(sheet: str, row: int) -> str:
    """Return the fragment of a row of a sheet on a page that shows the file."""
    return f"row-{re.sub('[^A-Za-z0-9]+', '-', sheet)}-{row}"


BY_WEIGHT = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


@dataclass(frozen=True)
class Finding:
    """A code of the catalogue at a place of a report, with the values that its sentences name.

    ``case`` chooses among the sentences of a code that has several; people see the code alone. ``line`` and ``column``
    count from 1, columns in characters; both are None for a finding about the details or the report as a whole.
    ``field`` names the field of the line or of the form. ``about`` are the tournament numbers of the players it is
    about, None where its line says that; a finding that is shown and stored names them.

    ``asked_detail`` is the name of the tournament detail that settles it, empty for none; ``proposed_value`` the value
    that fits, as the field of the detail shows it, empty for none (decision 0089). Without a detail it is the text that
    replaces the piece of the line (decision 0107). A page shows the field of the detail
    with the finding, or one button for the value, and posts both to ``report-detail``.
    """

    severity: Severity
    code: str
    line: int | None
    column: int | None
    field: str | None
    article: str
    values: tuple[tuple[str, Value], ...] = ()
    case: str = ""
    about: tuple[int, ...] | None = dataclass_field(default=None, compare=False, repr=False)
    asked_detail: str = ""
    proposed_value: str = ""

    def __post_init__(self) -> None:
        # In one order, as the database gives them back, so that equal findings compare as equal.
        values = ((name, _with_printable(value)) for name, value in self.values)
        object.__setattr__(self, "values", tuple(sorted(values, key=itemgetter(0))))

    @property
    def key(self) -> str:
        """The key of the catalogue: the code, and its case after a full stop where it has one."""
        return f"{self.code}.{self.case}" if self.case else self.code

    @property
    def severity_label(self) -> str:
        """The severity as people read it."""
        return sentence(SEVERITY_LABELS[self.severity], {})

    @property
    def found(self) -> str:
        """The text of the file as it can be shown to people; “nothing” where the place is empty."""
        values = dict(self.values)
        if values.get("found") == "":
            return sentence(NOTHING, {})
        return quoted(str(values["found"]) if "found" in values else self._sentence("found"))

    @property
    def expected(self) -> str:
        """What belongs there."""
        return self._sentence("expected")

    @property
    def message(self) -> str:
        """What is wrong, of whom, and where else the same is."""
        values = dict(self.values)
        whole = self.statement
        for name, template in SAME_ELSEWHERE.items():
            if name in values:
                whole = f"{whole} {sentence(template, values)}"
        return sentence(OF_PLAYERS, {**values, "sentence": whole}) if "about" in values else whole

    @property
    def statement(self) -> str:
        """What is wrong, for a place that shows of whom."""
        return self._sentence("message")

    @property
    def suggestion(self) -> str:
        """What to do."""
        return self._sentence("suggestion")

    def _sentence(self, part: str) -> str:
        # A finding that was stored can have a case that is no longer found.
        template = getattr(CODES.get(self.key), part, None) or getattr(CODES[self.code], part)
        return sentence(template, dict(self.values))[:MAX_MESSAGE_LENGTH]

    @property
    def step(self) -> str:
        """The page of a report on which it is corrected."""
        step = getattr(CODES.get(self.key), "step", None) or CODES[self.code].step
        return step or ("file" if self.line is not None else "details")

    @property
    def is_missing_detail(self) -> bool:
        """Whether it is about a required detail that is empty."""
        return self.code == "detail-missing" and self.severity is Severity.ERROR and self.step == "details"

    def with_values(self, **values: Value) -> Finding:
        """Return the same finding with more or other values."""
        return replace(self, values=tuple({**dict(self.values), **values}.items()))

    @property
    def cell(self) -> re.Match[str] | None:
        """The cell of a spreadsheet that it is about, in its groups sheet, column and row; None for other forms."""
        return CELL_NAME.fullmatch(self.field or "")

    @property
    def is_in_sheet(self) -> bool:
        """Whether its place is a cell of a workbook; a CSV file has lines and columns."""
        return bool(self.cell and self.cell["sheet"])

    @property
    def place(self) -> str:
        """Where to look for it: the cell of a workbook, else line and column; empty for the form."""
        if self.is_in_sheet:
            return self.field or ""
        if not self.line:
            return ""
        if not self.column:
            return sentence(ON_LINE, {"line": self.line})
        return sentence(IN_COLUMN, {"line": self.line, "column": self.column})

    @property
    def subject(self) -> tuple[object, ...]:
        """What it says of whom, without its place in the file.

        Equal for the same finding of another version whose lines have moved.
        """
        values = tuple((name, value) for name, value in self.values if name not in PLACES_IN_FILE)
        field = f"{self.cell['sheet'] or ''}!{self.cell['column']}" if self.cell else self.field
        return (self.code, self.case, field, values)

    @property
    def anchor(self) -> str:
        """The fragment of its line, or of its row of a sheet, on a page that shows the file."""
        if self.cell and self.is_in_sheet:
            return sheet_anchor(self.cell["sheet"], int(self.cell["row"]))
        return f"L{self.line}"

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Finding:
        """Return the finding that `to_stored` wrote."""
        stored = (
            (name, Listed(tuple(value["names"]), value["more"]) if isinstance(value, dict) else value)
            for name, value in values["values"].items()
        )
        return cls(**{**values, "severity": Severity(values["severity"]), "values": tuple(stored)})

    def to_stored(self) -> dict[str, Any]:
        """Return the finding as a version of a report stores it: without sentences, they are made when it is read."""
        return {
            "severity": self.severity.value,
            "code": self.code,
            "case": self.case,
            "line": self.line,
            "column": self.column,
            "field": self.field,
            "article": self.article,
            "asked_detail": self.asked_detail,
            "proposed_value": self.proposed_value,
            "values": {
                name: {"names": list(value.names), "more": value.more} if isinstance(value, Listed) else value
                for name, value in self.values
            },
        }

    def to_json(self) -> dict[str, Any]:
        """Return the finding as the object of the command line and the API."""
        return {
            "severity": self.severity.value,
            "code": self.code,
            "line": self.line,
            "column": self.column,
            "field": self.field,
            "found": self.found,
            "expected": self.expected,
            "article": self.article,
            "message": self.message,
            "suggestion": self.suggestion,
            "asked_detail": self.asked_detail,
            "proposed_value": self.proposed_value,
        }


def quoted(text: str, max_length: int = MAX_QUOTED_LENGTH) -> str:
    """Return text of a file as it may be repeated to people: short, and without hidden characters."""
    cut = _printable(text[:max_length])
    return cut + "…" if len(text) > max_length else cut


def _shortened(value: Value, max_length: int) -> Value:
    if isinstance(value, Listed):
        return replace(value, names=tuple(quoted(name) for name in value.names))
    return quoted(value, max_length) if isinstance(value, str) else value


def _with_printable(value: Value) -> Value:
    if isinstance(value, Listed):
        return replace(value, names=tuple(map(_printable, value.names)))
    return _printable(value) if isinstance(value, str) else value


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else f"<U+{ord(letter):04X}>" for letter in text)


def name_character(letter: str) -> str:
    """Return what a character is called, for one who cannot see it: ``U+202E, RIGHT-TO-LEFT OVERRIDE``."""
    name = unicodedata.name(letter, "")
    return f"U+{ord(letter):04X}, {name}" if name else f"U+{ord(letter):04X}"


PLACE = ("line", "column", "field", "article", "about", "asked_detail", "proposed_value")


def finding(key: str, severity: Severity | None = None, **given: Any) -> Finding:
    """Return a finding of the catalogue.

    `key` is a code, or a code and a case after a full stop; `severity` is the catalogue's unless given. `given` are
    the place (`line`, `column`, `field`), `about`, another `article` than that of the first federation, `asked_detail`
    and `proposed_value`, and the values that the templates name. Raises KeyError for a key outside the catalogue: a
    fault of the program, not of the file.
    """
    values = tuple((name, value) for name, value in given.items() if name not in PLACE)
    code, _, case = key.partition(".")
    return Finding(
        severity=severity or Severity(CODES[key].severity),
        code=code,
        case=case,
        line=given.get("line"),
        column=given.get("column"),
        field=given.get("field"),
        article=given.get("article") or CODES[key].article or first_article(key),
        values=tuple(
            (
                name,
                _shortened(value, MAX_QUOTED_LENGTH if name == "found" else MAX_MESSAGE_LENGTH),
            )
            for name, value in values
        ),
        about=given.get("about"),
        asked_detail=given.get("asked_detail", ""),
        proposed_value=given.get("proposed_value", ""),
    )


class FindingList:
    """Findings being collected. Past MAX_FINDINGS no more are kept, so that no file costs minutes."""

    def __init__(self) -> None:
        self._kept: list[Finding] = []

    @property
    def full(self) -> bool:
        """Whether nothing more is kept."""
        return len(self._kept) > MAX_FINDINGS

    def add(self, key: str, severity: Severity | None = None, **given: Any) -> None:
        """Keep a finding of the catalogue; see ``finding``."""
        if not self.full:
            self._kept.append(finding(key, severity, **given))

    def extend(self, findings: Iterable[Finding]) -> None:
        """Keep findings that were collected apart."""
        for finding in findings:
            if self.full:
                return
            self._kept.append(finding)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._kept)


def grouped_findings(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Return findings in groups that are shown as one, in the order of the first of each.

    One group has the findings with the same sentence about the same text, such as seven players with one wrong country
    code; those of one code on one line; and those of one code whatever they found, where there are more. Findings
    that are settled player by player, on the page People, and those without a line stay separate.
    """
    groups = [[finding] for finding in findings]
    for most, says in (
        (
            MAX_SEPARATE_FINDINGS,
            lambda item: (item.severity, item.code, item.message, item.expected, item.found),
        ),
        (MAX_SEPARATE_FINDINGS, lambda item: (item.severity, item.code, item.line)),
        (MAX_FINDINGS_PER_CODE, lambda item: (item.severity, item.code, item.message, item.expected)),
    ):
        together: dict[object, list[list[Finding]]] = {}
        for turn, group in enumerate(groups):
            apart = group[0].line is None or "people" in (group[0].step, CODES[group[0].code].step)
            together.setdefault(turn if apart else says(group[0]), []).append(group)
        groups = []
        for same in together.values():
            merged = [finding for group in same for finding in group]
            groups += [merged] if len(merged) > most else same
    return sorted(groups, key=lambda group: _position(group[0]))


def in_file_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings by line and column, those of the form last, each once, no more than are kept."""
    return limited_findings(unique_findings(findings))


def unique_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings by line and column, those of the form last.

    A warning falls away where the same is said as an error.
    """
    ordered: list[Finding] = []
    said: set[tuple[object, ...]] = set()
    for finding in sorted(dict.fromkeys(findings), key=_position):
        place = (finding.code, finding.line, finding.column, finding.field)
        if finding.severity is Severity.ERROR:
            said.add(place)
        elif place in said:
            continue
        ordered.append(finding)
    return ordered


def limited_findings(ordered: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the first MAX_FINDINGS findings, and one that says so where there are more."""
    if len(ordered) <= MAX_FINDINGS:
        return tuple(ordered)
    kept, first_left_out = ordered[:MAX_FINDINGS], ordered[MAX_FINDINGS]
    near = first_left_out if first_left_out.line else kept[-1]
    return (
        *kept,
        finding("findings-cut", line=near.line or 1, column=near.column or 1, limit=MAX_FINDINGS, about=()),
    )


def _position(finding: Finding) -> tuple[bool, int, int, bool, str, str]:
    return (
        finding.line is None,
        finding.line or 0,
        finding.column or 0,
        finding.severity is not Severity.ERROR,
        finding.code,
        finding.field or "",
    )


@dataclass(frozen=True)
class FindingCounts:
    """How many errors and warnings there are, and what is still to be answered: players to identify, missing details.

    What the pages People and Details ask is no error of the file, so `errors` leaves it out.
    """

    errors: int
    people: int
    missing: int
    warnings: int

    def __bool__(self) -> bool:
        return bool(self.is_incomplete or self.warnings)

    @property
    def is_incomplete(self) -> bool:
        """Whether anything blocks the submission, apart from comments."""
        return bool(self.errors or self.people or self.missing)


def count_findings(findings: Iterable[Finding], *, warnings: int | None = None) -> FindingCounts:
    """Return the counts of findings; of a player with several errors one. `warnings` where they were counted before."""
    found = list(findings)
    errors = [finding for finding in found if finding.severity is Severity.ERROR]
    people = {finding.about or (finding.line,) for finding in errors if finding.step == "people"}
    missing = sum(finding.is_missing_detail for finding in errors)
    return FindingCounts(
        errors=sum(finding.step != "people" for finding in errors) - missing,
        people=len(people),
        missing=missing,
        warnings=sum(finding.severity is Severity.WARNING for finding in found)
        if warnings is None
        else warnings,
    )


def comments_on_same(
    findings: Sequence[Finding], earlier: Sequence[Finding], comments: Mapping[int, str]
) -> dict[int, str]:
    """Return the comments on findings of an earlier version, by index of the same findings in this one.

    Several findings that say the same are taken in their order.
    """
    places: dict[object, list[int]] = {}
    for place, finding in enumerate(findings):
        places.setdefault(finding.subject, []).append(place)
    moved = {}
    for index, finding in enumerate(earlier):
        if same := places.get(finding.subject):
            place = same.pop(0)
            if index in comments:
                moved[place] = comments[index]
    return moved


def worst_severity(findings: Sequence[Finding]) -> str:
    """The heaviest severity of these findings; empty for none."""
    return min((finding.severity for finding in findings), key=BY_WEIGHT.index, default="")
