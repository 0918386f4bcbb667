"""A report's file: its lines or rows with their findings, its remarks and the inputs that edit them."""

import itertools
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext

from reporting.formats.spreadsheets.workbook import Sheet
from reporting.formats.text.edit_lines import Edit, apply_edits_to_line
from reporting.log.audit import Actor
from reporting.models import ReportVersion, ReviewRemark
from reporting.policies import check_can_read_reports, check_can_upload
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.open_report import OpenReport, file_lines
from reporting.reports.services.edit_report import edit_report_lines, replace_report_file
from reporting.reports.views.announcements import proposed_announcement
from reporting.reports.views.report_sheets import by_sheet, sheet_rows
from reporting.reports.views.reports import (
    FINDINGS_SHOWN,
    MAX_SHOWN_LENGTH,
    based_on_in,
    confirm_version,
    report_context,
    report_or_404,
)
from reporting.rules.details.sessions import round_name
from reporting.rules.findings.finding_list import (
    BY_WEIGHT,
    Finding,
    Severity,
    worst_severity,
)
from reporting.web.access import UPLOAD, actor, allow_large_body, require_access
from reporting.web.attempt import Attempt
from reporting.web.paging import FINDING_WEIGHT, Rows, rows_on_page
from reporting.web.query_params import PageForm

EDIT = re.compile(r"edit-([1-9][0-9]{0,6})-([1-9][0-9]{0,6})-([0-9]{1,6})\Z")
SEPARATOR = r"[,;|\t]"
MIN_FOLDED_LINES = 6
FINDING_LINKS_PER_PAGE = 40
LINES_NEAR = MIN_FOLDED_LINES // 2
"""Cells of a row of a workbook; the form has eleven."""
MAX_OPENED_LINES = 200
Located = TypeVar("Located", Finding, ReviewRemark)


class FileForm(forms.Form):
    """Another file, or edits: a field `edit-line-column-length` for each piece of a line, changed or not.

    `open` is the line to open for editing. `edit_report_lines` judges the edits.
    """

    file = forms.FileField(required=False, allow_empty_file=True)
    open = forms.CharField(required=False)

    def __init__(self, data: QueryDict, files: MultiValueDict[str, Any]) -> None:
        super().__init__(data, files)
        self.fields |= {
            name: forms.CharField(required=False, strip=False) for name in data if EDIT.match(name)
        }

    @property
    def edits(self) -> list[Edit]:
        """The edits as typed."""
        places = ((name, EDIT.match(name)) for name in self.fields)
        return [
            Edit(int(place[1]), int(place[2]), int(place[3]), str(self[name].value()))
            for name, place in places
            if place
        ]

    @property
    def new_file(self) -> "UploadedFile[bytes] | None":
        self.full_clean()
        return cast("UploadedFile[bytes] | None", self.cleaned_data.get("file"))

    @property
    def opens_line(self) -> bool:
        """Whether the button of a line was pressed."""
        return self["open"].value() is not None

    @property
    def opened_line(self) -> str:
        """The number of the line to open; empty for none."""
        number = str(self["open"].value() or "")
        return number if re.fullmatch(r"[1-9][0-9]{0,6}", number) else ""


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
    request: HttpRequest | None,
    opened: tuple[Sequence[str], Sequence[Sheet]],
    findings: Sequence[Finding],
    *,
    typed: LineInputs | None = None,
    remarks: Sequence[ReviewRemark] = (),
    line: int | None = None,
    posts: bool = False,
) -> dict[str, Any]:
    """A page of the lines or rows of a file with their findings, the findings about the whole file, and links.

    `opened` are the lines and the sheets of the file. The page shows `line`, or the row that the address names in
    `at`. Without a request it is the first page of each, and only of the lines near findings.
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
            anchor="#file",
            posts=posts,
        )
        here = {f"L{number}" for number in shown}
        of_file: dict[str, Any] = {
            "source_spans": list(source_spans(lines, shown, by_line, typed, remarked)),
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
            anchor="#file",
        )
        here = {row.anchor for _, row in shown}
        of_file = {"source_spans": [], "sheets": by_sheet(read_sheets, shown)}
    targets = [target for target in finding_targets(placed) if request is not None or target[0] in here]
    links = rows_on_page(request, targets, "findings", most=FINDING_LINKS_PER_PAGE, anchor="#verdict")
    return of_file | {
        "shown": shown,
        "typed_elsewhere": inputs_on_other_pages(lines, typed, here) if posts else [],
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
) -> Iterator[SourceSpan]:
    """These lines of a file, long runs without findings folded; the inputs have what was entered."""
    quiet: list[SourceLine] = []
    shown: list[SourceLine] = []
    for number in numbers:
        line = source_line(
            number, lines[number - 1], by_line.get(number, ()), remarked.get(number, ()), typed
        )
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
        yield SourceSpan(quiet, folded=bool(by_line or remarked or typed.lines))


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


def changed_edits(edits: Iterable[Edit], lines: Sequence[str]) -> list[Edit]:
    """The edits that change these lines, and those that have no place in them."""
    return [
        edit
        for edit in edits
        if not (
            edit.line <= len(lines)
            and edit.column - 1 + edit.length <= len(lines[edit.line - 1])
            and lines[edit.line - 1][edit.column - 1 : edit.column - 1 + edit.length] == edit.text
        )
    ]


def requested_lines(request: HttpRequest, lines: Sequence[str]) -> LineInputs:
    """The lines that an address asks to open, as `?line=13&line=14`."""
    numbers = FilePlaceForm(request.GET).numbers
    return LineInputs({number: lines[number - 1] for number in numbers if number <= len(lines)})


def posted_lines(form: FileForm, based_on: int, opened: OpenReport) -> LineInputs:
    """The edits of the form, to be shown again; lines opened as a whole have their pieces as entered.

    When there is a newer version, each changed line is opened by its number. At most 1 query.
    """
    before, now = lines_of_seen_version(based_on, opened), opened.lines
    same = based_on == opened.version.number
    to_open = form.opened_line
    edits: dict[int, list[Edit]] = {}
    for edit in form.edits:
        edits.setdefault(edit.line, []).append(edit)
    lines: dict[int, str] = {}
    pieces: dict[str, str] = {}
    unplaced: list[tuple[int, str]] = []
    for number, line_edits in edits.items():
        text = before[number - 1] if number <= len(before) else ""
        changed = changed_edits(line_edits, before)
        is_whole = any((edit.column, edit.length) == (1, len(text)) for edit in line_edits) or to_open == str(
            number
        )
        if same and not is_whole:
            pieces |= {field_of(number, edit.column, edit.length): edit.text for edit in line_edits}
        elif same or changed:
            try:
                entered = apply_edits_to_line(text, number, changed)
            except ValueError:
                unplaced += [(number, edit.text) for edit in changed]
                continue
            if number <= len(now):
                lines[number] = entered
            else:
                unplaced.append((number, entered))
    if to_open and int(to_open) <= len(now):
        lines.setdefault(int(to_open), now[int(to_open) - 1])
    return LineInputs(lines, pieces, unplaced)


def lines_of_seen_version(number: int, opened: OpenReport) -> Sequence[str]:
    """The lines of the version that the form was filled in on; those of the newest where the form names none."""
    if number == opened.version.number:
        return opened.lines
    version = opened.report.versions.filter(number=number).first()
    return opened.lines if version is None else file_lines(version)


@allow_large_body(UPLOAD)
@require_access(check_can_read_reports, "GET", "HEAD", "POST", may_post=check_can_upload)
def report_file(request: HttpRequest, number: int) -> HttpResponse:
    """The file with its findings next to their lines; saving makes the next version, which is read again.

    Lines are opened for editing by their numbers: `?line=13`, or the button of the form.
    """
    opened = report_or_404(request, number)
    form, attempt = FileForm(request.POST, request.FILES), Attempt()
    based_on, posted = based_on_in(request), request.method == "POST"
    if posted and not form.opens_line and not PageForm(request.POST, "lines").is_sent:
        with attempt:
            version = save_file(form, based_on, opened, actor(request))
            section = "" if form.new_file else "file"  # a new file is looked at from the top
            confirm_version(request, version, section)
            page = PageForm(request.GET, "lines").number
            address = reverse("report-file", args=[number], query={"lines": page} if page else None)
            return redirect(f"{address}#{section}" if section else address)
    context = report_context(request, opened, "file")
    typed = LineInputs()
    if context["can_edit"]:
        typed = posted_lines(form, based_on, opened) if posted else requested_lines(request, opened.lines)
    of_details = [found for found in opened.findings if found.step == "details" and found.line is None]
    focus = form.opened_line or next(map(str, () if posted else typed.lines), "")
    context |= file_shown(
        request,
        (opened.lines, opened.reading.sheets),
        [found for found in opened.findings if found.step != "details" or found.line is not None],
        typed=typed,
        remarks=opened.newest_remarks,
        line=int(focus) if focus else None,
        posts=context["can_edit"],
    )
    context |= {
        "typed": typed,
        "proposed": proposed_announcement(opened) if context["can_edit"] else None,
        "missing_details": sum(found.code == "detail-missing" for found in of_details),
        "other_of_details": sum(found.code != "detail-missing" for found in of_details),
        "rounds_to_enter": [
            (number, round_name(number, opened.session))
            for number in range(1, max(opened.reading.read.rounds, 1) + 1)
        ],
        "focus": form.opened_line,
        "problem": attempt.refusal,
        "marks_findings": True,
    }
    return render(request, "reporting/report_file.html", context, status=attempt.status)


def save_file(form: FileForm, based_on: int, opened: OpenReport, by: Actor) -> ReportVersion:
    """The version made of an uploaded file or of edited lines. Raises DomainError `nothing_changed`."""
    file = form.new_file
    if file is not None:
        return replace_report_file(
            report=opened.report,
            based_on=based_on,
            content=file.read(),
            filename=file.name or opened.version.filename,
            by=by,
        ).version
    edits = changed_edits(form.edits, lines_of_seen_version(based_on, opened))
    if not edits:
        raise DomainError("nothing_changed.file")
    return edit_report_lines(report=opened.report, based_on=based_on, edits=edits, by=by).version


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
            labels[bool(finding.cell), finding.severity]
            % {"place": finding.field if finding.cell else finding.line},
        )
        for anchor, finding in worst.items()
    ]


def has_place(finding: Finding, lines: Sequence[str]) -> bool:
    """Whether a page that shows the file shows the finding next to its line or row."""
    return finding.line is not None and bool(lines or (finding.cell and finding.cell["sheet"]))
