"""The lines or rows of a report's file as a page shows them: where findings are, and inputs that edit lines."""

import itertools
import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from django import forms
from django.utils.translation import gettext

from reporting.formats.spreadsheets.workbook import Sheet
from reporting.models import ReviewRemark
from reporting.reports.views.file.sheets import by_sheet, sheet_rows
from reporting.reports.views.reports import (
    FINDINGS_SHOWN,
    MAX_SHOWN_LENGTH,
)
from reporting.rules.findings.finding_list import (
    BY_WEIGHT,
    Finding,
    Severity,
    worst_severity,
)
from reporting.web.access import OfficeRequest
from reporting.web.paging import FINDING_WEIGHT, Rows, rows_on_page

SEPARATOR = r"[,;|\t]"
MIN_FOLDED_LINES = 6
FINDING_LINKS_PER_PAGE = 40
LINES_NEAR = MIN_FOLDED_LINES // 2
MAX_OPENED_LINES = 200
Located = TypeVar("Located", Finding, ReviewRemark)


class FilePlaceForm(forms.Form):
    """What an address asks a file's page to show: the row `at`, and each `line` opened for editing."""

    at = forms.CharField(required=False)
    line = forms.Field(required=False, widget=forms.MultipleHiddenInput)

    @property
    def anchor(self) -> str:
        return str(self["at"].value() or "")

    @property
    def numbers(self) -> list[int]:
        """The lines to open, each once."""
        given = [text for text in self["line"].value() or () if re.fullmatch(r"[1-9][0-9]{0,6}", text)]
        return list(dict.fromkeys(map(int, given)))[:MAX_OPENED_LINES]


@dataclass(frozen=True)
class LineInput:
    """An input of a line: for the whole line, or for a piece of it with its present text."""

    field: str
    piece: str
    value: str


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of the file with its findings, the remarks of the office and its inputs.

    It is edited by pieces or as a whole, never both: `is_whole` says which. A file may have half a million lines.
    """

    number: int
    text: str
    findings: Sequence[Finding]
    remarks: Sequence[ReviewRemark]
    inputs: Sequence[LineInput]
    is_whole: bool

    @property
    def tone(self) -> str:
        return worst_severity(self.findings) or ("warning" if self.remarks else "")

    @property
    def marked(self) -> tuple[str, str, str]:
        """The line before, at and after the first piece that a finding names; a long line without its end."""
        before, at, after = self.text, "", ""
        for finding in self.findings:
            column, piece = piece_of(finding, self.text)
            if piece:
                before, at, after = self.text[: column - 1], piece, self.text[column - 1 + len(piece) :]
                break
        return before[:MAX_SHOWN_LENGTH], at[:MAX_SHOWN_LENGTH], after[:MAX_SHOWN_LENGTH]

    @property
    def hidden_length(self) -> int:
        """Characters of the line that are not shown."""
        return len(self.text) - sum(map(len, self.marked))


@dataclass(frozen=True)
class LineInputs:
    """Lines open for editing: whole lines by number, pieces by field, and entered texts whose line is gone."""

    lines: Mapping[int, str] = field(default_factory=dict)
    pieces: Mapping[str, str] = field(default_factory=dict)
    unplaced: Sequence[tuple[int, str]] = ()

    @property
    def numbers(self) -> Collection[int]:
        """The lines with something entered, or opened."""
        return {*self.lines, *(int(name.split("-")[1]) for name in self.pieces)}


@dataclass(frozen=True)
class SourceSpan:
    """Lines shown, or folded lines without findings."""

    lines: Sequence[SourceLine]
    folded: bool

    @property
    def first(self) -> int:
        return self.lines[0].number

    @property
    def last(self) -> int:
        return self.lines[-1].number


@dataclass(frozen=True)
class FindingLink:
    """A link to a line or row with findings."""

    href: str
    label: str


def file_shown(
    request: OfficeRequest | None,
    opened: tuple[Sequence[str], Sequence[Sheet]],
    findings: Sequence[Finding],
    *,
    typed: LineInputs | None = None,
    remarks: Sequence[ReviewRemark] = (),
    line: int | None = None,
    posts: bool = False,
    grouped: Collection[int] = (),
    anchor: str = "#file",
) -> dict[str, Any]:
    """A page of the lines or rows of a file with their findings, the findings about the whole file, and links.

    `opened` are the lines and the sheets of the file. The page shows `line`, or the row that the address names in
    `at`. Without a request it is the first page of each, and only of the lines near findings. The lines of `grouped`
    have their inputs elsewhere on the page. `anchor` is the fragment of the lines.
    """
    lines, read_sheets = opened
    typed = typed or LineInputs()
    at = FilePlaceForm(request.GET).anchor if request else ""
    placed = [finding for finding in findings if has_place(finding, lines)]
    general = [finding for finding in findings if not has_place(finding, lines)]
    by_line, remarked = by_line_of(placed), by_line_of(remarks)
    shown: Rows[Any]
    if lines:
        if line is None and re.fullmatch(r"L[1-9][0-9]{0,6}", at):
            line = int(at[1:])
        everything: Sequence[int] = range(1, len(lines) + 1)
        if request is None:
            near = {number + turn for number in by_line for turn in range(-LINES_NEAR, LINES_NEAR + 1)}
            everything = sorted(near.intersection(everything))
        shown = rows_on_page(
            request,
            everything,
            "lines",
            weight=lambda number: (
                len(lines[number - 1])
                + FINDING_WEIGHT * len(by_line.get(number, ()))
                + sum(len(remark.text) for remark in remarked.get(number, ()))
            ),
            holds=None if line is None else line - 1,
            anchor=anchor,
            posts=posts,
        )
        here = {f"L{number}" for number in shown}
        of_file: dict[str, Any] = {
            "source_spans": list(source_spans(lines, shown, by_line, typed, remarked, grouped=grouped)),
            "sheets": [],
        }
    else:
        rows = sheet_rows(read_sheets, findings)
        anchors = [row.anchor for _, row in rows]
        shown = rows_on_page(
            request,
            rows,
            "lines",
            weight=lambda row: (
                sum(len(cell.text) for cell in row[1].cells) + FINDING_WEIGHT * len(row[1].findings)
            ),
            holds=anchors.index(at) if at in anchors else None,
            anchor=anchor,
        )
        here = {row.anchor for _, row in shown}
        of_file = {"source_spans": [], "sheets": by_sheet(read_sheets, shown)}
    targets = [target for target in finding_targets(placed) if request is not None or target[0] in here]
    links = rows_on_page(request, targets, "findings", most=FINDING_LINKS_PER_PAGE, anchor="#verdict")
    return of_file | {
        "shown": shown,
        "typed_elsewhere": (
            inputs_on_other_pages(lines, typed, here | {f"L{number}" for number in grouped}) if posts else []
        ),
        "general_findings": rows_on_page(
            request, general, "general", most=FINDINGS_SHOWN, anchor="#general-findings"
        ),
        "finding_links_page": links,
        "finding_links": [
            FindingLink(f"#{anchor}" if anchor in here else f"?at={anchor}#{anchor}", label)
            for anchor, label in links
        ],
    }


def by_line_of(located: Iterable[Located]) -> Mapping[int, Sequence[Located]]:
    """Findings or remarks by the line they are about."""
    by_line: dict[int, list[Located]] = {}
    for finding_or_remark in located:
        if finding_or_remark.line is not None:
            by_line.setdefault(finding_or_remark.line, []).append(finding_or_remark)
    return by_line


def inputs_on_other_pages(
    lines: Sequence[str], typed: LineInputs, here: Container[str]
) -> list[tuple[str, str]]:
    """The fields of lines on other pages, as they were entered: the form carries them until it is saved."""
    edits = [
        *(
            (number, field_of(number, 1, len(lines[number - 1])), text)
            for number, text in typed.lines.items()
        ),
        *((int(name.split("-")[1]), name, text) for name, text in typed.pieces.items()),
    ]
    return [(name, text) for number, name, text in edits if f"L{number}" not in here]


def source_spans(
    lines: Sequence[str],
    numbers: Iterable[int],
    by_line: Mapping[int, Sequence[Finding]],
    typed: LineInputs,
    remarked: Mapping[int, Sequence[ReviewRemark]],
    *,
    grouped: Collection[int] = (),
) -> Iterator[SourceSpan]:
    """These lines of a file, long runs without inputs folded; the inputs have what was entered."""
    quiet: list[SourceLine] = []
    shown: list[SourceLine] = []
    for number in numbers:
        line = source_line(
            number, lines[number - 1], by_line.get(number, ()), remarked.get(number, ()), typed
        )
        if number in grouped:
            line = replace(line, inputs=())
        if not line.inputs:
            quiet.append(line)
            continue
        if len(quiet) > MIN_FOLDED_LINES:
            if shown:
                yield SourceSpan(shown, folded=False)
            yield SourceSpan(quiet, folded=True)
            shown = []
        else:
            shown += quiet
        quiet = []
        shown.append(line)
    if shown and len(quiet) <= MIN_FOLDED_LINES:
        shown, quiet = shown + quiet, []
    if shown:
        yield SourceSpan(shown, folded=False)
    if quiet:
        yield SourceSpan(quiet, folded=bool(by_line or remarked or typed.lines or grouped))


def source_line(
    number: int, text: str, findings: Sequence[Finding], remarks: Sequence[ReviewRemark], typed: LineInputs
) -> SourceLine:
    """A line with its inputs: one for each piece that a finding names; one for the whole line where it was opened."""
    if not (findings or remarks or number in typed.lines):
        return SourceLine(number, text, (), (), (), is_whole=False)
    pieces = sorted({piece for finding in findings if (piece := piece_of(finding, text))[1]})
    apart = all(column + len(piece) <= after for (column, piece), (after, _) in itertools.pairwise(pieces))
    is_whole = number in typed.lines or (bool(findings or remarks) and not (pieces and apart))
    if is_whole:
        whole = field_of(number, 1, len(text))
        inputs = [LineInput(whole, "", typed.lines.get(number, typed.pieces.get(whole, text)))]
    else:
        fields = [(field_of(number, column, len(piece)), piece) for column, piece in pieces]
        inputs = [LineInput(name, piece, typed.pieces.get(name, piece)) for name, piece in fields]
    return SourceLine(number, text, findings, remarks, inputs, is_whole)


def field_of(line: int, column: int, length: int) -> str:
    return f"edit-{line}-{column}-{length}"


def piece_of(finding: Finding, text: str) -> tuple[int, str]:
    """Column and text of the piece of a line that a finding is about; no text where it is about the whole line.

    An error whose `found` is not in the line (5 points) means the field of the line at its column.
    """
    column = finding.column or 1
    if finding.cell:  # of a CSV file, whose columns are cells
        column = (
            text.find(finding.found) + 1
            if finding.found and text.count(finding.found) == 1
            else len(text) + 1
        )
    if finding.found and text.startswith(finding.found, column - 1):
        return column, finding.found
    if finding.severity is Severity.ERROR and finding.column and not finding.cell:
        return column, re.split(SEPARATOR, text[column - 1 :], maxsplit=1)[0].rstrip()
    return column, ""


def finding_targets(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    """Each line or row with findings, once: its fragment, and a label with its place and its worst severity."""
    worst: dict[str, Finding] = {}
    for finding in findings:
        before = worst.get(finding.anchor)
        if before is None or BY_WEIGHT.index(finding.severity) < BY_WEIGHT.index(before.severity):
            worst[finding.anchor] = finding
    labels = {
        (False, Severity.ERROR): gettext("line %(place)s, error"),
        (False, Severity.WARNING): gettext("line %(place)s, warning"),
        (False, Severity.NOTE): gettext("line %(place)s, note"),
        (True, Severity.ERROR): gettext("%(place)s, error"),
        (True, Severity.WARNING): gettext("%(place)s, warning"),
        (True, Severity.NOTE): gettext("%(place)s, note"),
    }
    return [
        (
            anchor,
            labels[finding.is_in_sheet, finding.severity]
            % {"place": finding.field if finding.is_in_sheet else finding.line},
        )
        for anchor, finding in worst.items()
    ]


def has_place(finding: Finding, lines: Sequence[str]) -> bool:
    """Whether a page that shows the file shows the finding next to its line or row."""
    return finding.line is not None and bool(lines or finding.is_in_sheet)
