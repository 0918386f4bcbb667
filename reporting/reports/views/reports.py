"""A referee's reports: his list, a new one, and each report's file, mended where its findings stand."""

import itertools
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, TypeVar, cast

from django import forms
from django.contrib import messages
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from ratings.office.selectors.counting import list_of_report
from ratings.published.selectors.tournaments import PublishedIn, published_in
from reporting.errors import DomainError
from reporting.formats.edit_lines import Edit, apply_edits_to_line
from reporting.formats.spreadsheets.workbook import Sheet, column_number
from reporting.formats.tournament_details_file import without_private_details, write_details
from reporting.models import Announcement, Report, ReportVersion, ReviewRemark, User
from reporting.policies import (
    check_can_read_reports,
    check_can_see_private_details,
    check_can_see_report,
    check_can_submit,
    check_can_upload,
)
from reporting.reports.selectors import reports as selectors
from reporting.reports.services.correct_report import correct_report
from reporting.reports.services.edit_report import announced_details, edit_report_lines, replace_report_file
from reporting.reports.services.open_report import OpenReport, file_lines, open_report
from reporting.reports.services.submit import withdraw_report
from reporting.reports.services.upload import upload_report
from reporting.rules.findings import Finding, Severity, quoted, sheet_anchor
from reporting.rules.lifecycle import ReportMove
from reporting.rules.report import MAX_FILE_BYTES, MAX_GAMES, MAX_PLAYERS, MAX_ROUNDS
from reporting.web.access import (
    UPLOAD,
    actor,
    allow_large_body,
    as_refusal,
    check_text,
    refusal_message,
    refusal_status,
    require_access,
)
from reporting.web.paging import FINDING_WEIGHT, Rows, rows_on_page

EDIT = re.compile(r"edit-([1-9][0-9]{0,6})-([1-9][0-9]{0,6})-([0-9]{1,6})\Z")
SEPARATOR = r"[,;|\t]"
MIN_FOLDED_LINES = 6
FINDINGS_SHOWN = 50
"""Findings that stand apart from the file, on one page."""
FINDING_LINKS_PER_PAGE = 40
MAX_SHOWN_LENGTH = 2_000
"""Letters of a line that are shown; all of it stands in its field for editing."""
LINES_NEAR = MIN_FOLDED_LINES // 2
CELLS_SHOWN = 30
"""Cells of a row of a workbook; the form has eleven."""
MAX_OPENED_LINES = 200
Located = TypeVar("Located", Finding, ReviewRemark)
STEPS = (
    ("file", "File"),
    ("details", "Facts"),
    ("people", "People"),
    ("preview", "Preview"),
    ("submit", "Hand in"),
)


@dataclass(frozen=True)
class Step:
    """A step of a report: its page, and whether nothing is left to do there."""

    name: str
    words: str
    done: bool
    here: bool

    @property
    def page(self) -> str:
        return f"report-{self.name}"


def steps(opened: OpenReport, here: str) -> list[Step]:
    """The way of a report; a step is done when no error stands in it."""
    wrong = {finding.step for finding in opened.findings if finding.severity is Severity.ERROR}
    unanswered = opened.version.errors or len(opened.comments) < opened.version.warnings
    handed_in = opened.report.first_submitted_at is not None and not opened.allows(ReportMove.SUBMIT)
    open_steps = wrong | ({"preview", "submit"} if unanswered and not handed_in else set())
    if not handed_in:
        open_steps.add("submit")
    return [Step(name, words, name not in open_steps, name == here) for name, words in STEPS]


def report_or_404(request: HttpRequest, number: int) -> OpenReport:
    """The report of an address for whoever may see it; for others there is none."""
    try:
        opened = open_report(number)
        check_can_see_report(cast(User, request.user), opened.report)
    except (Report.DoesNotExist, DomainError):
        raise Http404("There is no such report, or it is not yours to see.") from None
    return opened


def report_context(request: HttpRequest, opened: OpenReport, here: str) -> dict[str, Any]:
    """What every page of a report shows around its step."""
    return {
        "opened": opened,
        "report": opened.report,
        "version": opened.version,
        "steps": steps(opened, here),
        "can_edit": may_change(request, opened),
        "corrected_in": corrected_in(opened.report),
    }


def corrected_in(report: Report) -> PublishedIn | None:
    """The published list that counts what a report corrects; None where it corrects nothing, or no list counts it."""
    return published_in([report.corrects.code]).get(report.corrects.code) if report.corrects else None


def may_change(request: HttpRequest, opened: OpenReport) -> bool:
    if refusal_message(check_can_submit, request.user, opened.report):
        return False
    return opened.allows(ReportMove.SUBMIT) or opened.allows(ReportMove.EDIT)


# --- my reports, and a new one


@require_access(check_can_upload, "GET", "HEAD")
def my_reports(request: HttpRequest) -> HttpResponse:
    """A referee's reports with whose turn it is, and what he announced and has not reported."""
    user = cast(User, request.user)
    context = {
        "lines": selectors.own_reports(user),
        "announcements": selectors.open_announcements(user),
    }
    return render(request, "reporting/reports.html", context)


class UploadForm(forms.Form):
    """The file of a tournament, and which announced competition it is of."""

    file = forms.FileField(label="Report file", max_length=200, allow_empty_file=True)
    announcement = forms.ModelChoiceField(
        Announcement.objects.none(),
        label="Announced competition",
        required=False,
        empty_label="None of these",
    )

    def __init__(self, *args: Any, announcements: Sequence[Announcement], **named: Any) -> None:
        super().__init__(*args, **named)
        choices = cast("forms.ModelChoiceField[Announcement]", self.fields["announcement"])
        choices.queryset = Announcement.objects.filter(pk__in=[each.pk for each in announcements])
        for each in self.fields.values():
            each.widget.attrs["class"] = "field__input"


@allow_large_body(UPLOAD)
@require_access(check_can_upload, "GET", "HEAD", "POST")
def new_report(request: HttpRequest) -> HttpResponse:
    """Upload the file of a tournament; whatever is wrong with it, it is kept and read."""
    announcements = selectors.open_announcements(cast(User, request.user))
    posted = request.method == "POST"
    form = UploadForm(
        request.POST if posted else None,
        request.FILES if posted else None,
        announcements=announcements,
        initial={"announcement": request.GET.get("announcement")},
    )
    status = HTTPStatus.OK
    problem: DomainError | None = None
    if posted and not form.is_valid():
        status = HTTPStatus.BAD_REQUEST
    elif posted:
        file, announcement = form.cleaned_data["file"], form.cleaned_data["announcement"]
        try:
            uploaded = upload_report(
                content=file.read(),
                filename=file.name or "report",
                sidecar=write_details(announced_details(announcement)),
                by=actor(request),
                announcement=announcement,
            )
            if uploaded.already_there:
                messages.info(request, "You uploaded this file before: nothing was stored twice.")
            return redirect("report-file", uploaded.report.pk)
        except (DomainError, OperationalError) as refusal:
            problem = as_refusal(refusal)
            status = refusal_status(problem)
    context = {"form": form, "limits": LIMITS, "problem": problem}
    return render(request, "reporting/report_new.html", context, status=status)


LIMITS = {
    "megabytes": MAX_FILE_BYTES // 1_000_000,
    "players": f"{MAX_PLAYERS:,}",
    "rounds": MAX_ROUNDS,
    "games": f"{MAX_GAMES:,}",
}


@require_access(check_can_read_reports, "GET", "HEAD")
def report(request: HttpRequest, number: int) -> HttpResponse:
    """Where a report stands, whose turn it is, its versions and what was said to it."""
    return report_page(request, report_or_404(request, number))


def report_page(
    request: HttpRequest, opened: OpenReport, problem: DomainError | None = None, reason: str = ""
) -> HttpResponse:
    """The page of a report; with the reason typed for a withdrawal that was refused."""
    counting = {"counting": list_of_report(opened.report), "problem": problem, "reason": reason}
    context = report_context(request, opened, "report") | counting | corrections(request, opened)
    status = refusal_status(problem) if problem else HTTPStatus.OK
    return render(request, "reporting/report.html", context, status=status)


def corrections(request: HttpRequest, opened: OpenReport) -> dict[str, Any]:
    """Of an accepted report: whether the reader may correct it, and the other reports that do."""
    report, user = opened.report, cast(User, request.user)
    if report.state != Report.State.ACCEPTED or report.tournament is None:
        return {}
    others = [each for each in selectors.corrections_of(report.tournament) if each != report]
    return {
        "can_correct": not refusal_message(check_can_submit, user, report),
        "corrections": [each for each in others if not refusal_message(check_can_see_report, user, each)],
    }


@require_access(check_can_upload, "POST")
def report_correct(request: HttpRequest, number: int) -> HttpResponse:
    """Begin the corrected report of an accepted one: a draft with its file and its details."""
    opened = report_or_404(request, number)
    draft = correct_report(report=opened.report, by=actor(request))
    messages.success(
        request,
        "This draft corrects the accepted report and begins with its file and details. Change what is wrong, then"
        " submit it. The accepted report counts until the office has decided.",
    )
    return redirect("report-file", draft.pk)


# --- the file


@dataclass(frozen=True)
class LineInput:
    """An input of a line: for the whole line, or, with what stands there now, for a piece of it."""

    field: str
    piece: str
    value: str


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of the file with its findings, the remarks of the office and its inputs.

    It is edited by pieces or as a whole, never both: `is_whole` says which. A file may have half a million.
    """

    number: int
    text: str
    findings: Sequence[Finding]
    remarks: Sequence[ReviewRemark]
    inputs: Sequence[LineInput]
    is_whole: bool

    @property
    def tone(self) -> str:
        severities = {finding.severity for finding in self.findings}
        return "error" if Severity.ERROR in severities else "warning" if severities or self.remarks else ""

    @property
    def marked(self) -> tuple[str, str, str]:
        """The line before, at and after the first piece that a finding names; the end of a long one is left out."""
        before, at, after = self.text, "", ""
        for finding in self.findings:
            column, piece = piece_of(finding, self.text)
            if piece:
                before, at, after = self.text[: column - 1], piece, self.text[column - 1 + len(piece) :]
                break
        return before[:MAX_SHOWN_LENGTH], at[:MAX_SHOWN_LENGTH], after[:MAX_SHOWN_LENGTH]

    @property
    def hidden_length(self) -> int:
        """Letters of the line that are not shown."""
        return len(self.text) - sum(map(len, self.marked))


@dataclass(frozen=True)
class LineInputs:
    """What a person opened and typed: whole lines by number, pieces by field, and texts whose line is gone."""

    lines: Mapping[int, str] = field(default_factory=dict)
    pieces: Mapping[str, str] = field(default_factory=dict)
    unplaced: Sequence[tuple[int, str]] = ()


@dataclass(frozen=True)
class SourceSpan:
    """Lines shown, or a quiet stretch that is folded."""

    lines: Sequence[SourceLine]
    folded: bool


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
    """A page of the lines or rows of a file with the findings beside them, those of no line, and links to all.

    `opened` are the lines and the sheets of the file; `line` is one to be shown, as is the row that the address
    names in `at`. Without a request it is the first page of each, and only of the lines near findings.
    """
    lines, read_sheets = opened
    typed = typed or LineInputs()
    at = request.GET.get("at", "") if request else ""
    placed = [finding for finding in findings if has_place(finding, lines)]
    loose = [finding for finding in findings if not has_place(finding, lines)]
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
                + sum(len(each.text) for each in remarked.get(number, ()))
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
    lead_to = [each for each in finding_links(placed) if request is not None or each[0] in here]
    jumps_shown = rows_on_page(request, lead_to, "findings", most=FINDING_LINKS_PER_PAGE, anchor="#verdict")
    return of_file | {
        "shown": shown,
        "typed_elsewhere": inputs_on_other_pages(lines, typed, here) if posts else [],
        "general_findings": rows_on_page(request, loose, "general", most=FINDINGS_SHOWN, anchor="#loose"),
        "finding_links_page": jumps_shown,
        "finding_links": [
            (f"#{anchor}" if anchor in here else f"?at={anchor}#{anchor}", place, worst)
            for anchor, place, worst in jumps_shown
        ],
    }


def by_line_of(told: Iterable[Located]) -> Mapping[int, Sequence[Located]]:
    """Findings or remarks by the line they are about."""
    by_line: dict[int, list[Located]] = {}
    for each in told:
        if each.line is not None:
            by_line.setdefault(each.line, []).append(each)
    return by_line


def inputs_on_other_pages(
    lines: Sequence[str], typed: LineInputs, here: Container[str]
) -> list[tuple[str, str]]:
    """The fields of lines on other pages, as they were typed: they are kept until everything is saved."""
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
    """These lines of a file, long quiet stretches folded; what was typed stands in the inputs again."""
    quiet: list[SourceLine] = []
    loud: list[SourceLine] = []
    for number in numbers:
        line = source_line(
            number, lines[number - 1], by_line.get(number, ()), remarked.get(number, ()), typed
        )
        if not line.inputs:
            quiet.append(line)
            continue
        if len(quiet) > MIN_FOLDED_LINES:
            if loud:
                yield SourceSpan(loud, folded=False)
            yield SourceSpan(quiet, folded=True)
            loud = []
        else:
            loud += quiet
        quiet = []
        loud.append(line)
    if loud and len(quiet) <= MIN_FOLDED_LINES:
        loud, quiet = loud + quiet, []
    if loud:
        yield SourceSpan(loud, folded=False)
    if quiet:
        yield SourceSpan(quiet, folded=bool(by_line or remarked or typed.lines))


def source_line(
    number: int, text: str, findings: Sequence[Finding], remarks: Sequence[ReviewRemark], typed: LineInputs
) -> SourceLine:
    """A line with its inputs: one for each piece that a finding names, else, or when it was opened, for the whole."""
    if not (findings or remarks or number in typed.lines):
        return SourceLine(number, text, (), (), (), is_whole=False)
    pieces = sorted({each for finding in findings if (each := piece_of(finding, text))[1]})
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

    An error that tells what it found in words of its own (5 points) means the field of the line at its column.
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


def edits_in(request: HttpRequest) -> list[Edit]:
    """The pieces and lines of the form as they were sent, changed or not."""
    return [
        Edit(int(place[1]), int(place[2]), int(place[3]), str(text))
        for name, text in request.POST.items()
        if (place := EDIT.match(name))
    ]


def changed_edits(edits: Iterable[Edit], lines: Sequence[str]) -> list[Edit]:
    """The edits that change something in the lines they were typed for, and those that have no place in them."""
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
    asked = [text for text in request.GET.getlist("line") if re.fullmatch(r"[1-9][0-9]{0,6}", text)]
    numbers = list(dict.fromkeys(map(int, asked)))[:MAX_OPENED_LINES]
    return LineInputs({number: lines[number - 1] for number in numbers if number <= len(lines)})


def posted_lines(request: HttpRequest, opened: OpenReport) -> LineInputs:
    """What was sent, to stand in the page again; lines opened as a whole with their pieces as typed.

    When another version has come meanwhile, each line that was changed is opened on its number. At most 1 query.
    """
    before, now = lines_of_seen_version(request, opened), opened.lines
    same = based_on_in(request) == opened.version.number
    to_open = request.POST.get("open", "")
    edits: dict[int, list[Edit]] = {}
    for edit in edits_in(request):
        edits.setdefault(edit.line, []).append(edit)
    lines: dict[int, str] = {}
    pieces: dict[str, str] = {}
    unplaced: list[tuple[int, str]] = []
    for number, own in edits.items():
        text = before[number - 1] if number <= len(before) else ""
        mine = changed_edits(own, before)
        is_whole = any((edit.column, edit.length) == (1, len(text)) for edit in own) or to_open == str(number)
        if same and not is_whole:
            pieces |= {field_of(number, edit.column, edit.length): edit.text for edit in own}
        elif same or mine:
            try:
                typed = apply_edits_to_line(text, number, mine)
            except ValueError:
                unplaced += [(number, edit.text) for edit in mine]
                continue
            if number <= len(now):
                lines[number] = typed
            else:
                unplaced.append((number, typed))
    if re.fullmatch(r"[1-9][0-9]{0,6}", to_open) and int(to_open) <= len(now):
        lines.setdefault(int(to_open), now[int(to_open) - 1])
    return LineInputs(lines, pieces, unplaced)


def lines_of_seen_version(request: HttpRequest, opened: OpenReport) -> Sequence[str]:
    """The lines of the version that the form was filled in on; of the newest where it names none."""
    number = based_on_in(request)
    if number == opened.version.number:
        return opened.lines
    version = opened.report.versions.filter(number=number).first()
    return opened.lines if version is None else file_lines(version)


@allow_large_body(UPLOAD)
@require_access(check_can_read_reports, "GET", "HEAD", "POST", may_post=check_can_upload)
def report_file(request: HttpRequest, number: int) -> HttpResponse:
    """The file with its findings beside their lines; saving makes the next version, read anew.

    Any line is opened for editing by its number, as many as are wanted: `?line=13`, or the button of the form.
    """
    opened = report_or_404(request, number)
    problem: DomainError | None = None
    if request.method == "POST" and not request.POST.keys() & {"open", "lines"}:
        try:
            saved = save_file(request, opened)
            if saved is not None:
                add_remaining_findings_message(request, saved)
                page = request.GET.get("lines", "")
                return redirect(
                    reverse("report-file", args=[number], query={"lines": page} if page else None)
                )
            problem = DomainError("nothing_changed.file")
        except (DomainError, OperationalError) as refusal:
            problem = as_refusal(refusal)
    context = report_context(request, opened, "file")
    typed = LineInputs()
    if context["can_edit"]:
        posted = request.method == "POST"
        typed = posted_lines(request, opened) if posted else requested_lines(request, opened.lines)
    focus = request.POST.get("open", "") or next(map(str, typed.lines if request.method == "GET" else ()), "")
    context |= file_shown(
        request,
        (opened.lines, opened.reading.sheets),
        opened.findings,
        typed=typed,
        remarks=opened.newest_remarks,
        line=int(focus) if re.fullmatch(r"[1-9][0-9]{0,6}", focus) else None,
        posts=context["can_edit"],
    )
    context |= {
        "typed": typed,
        "round_numbers": range(1, max(opened.reading.read.rounds, 1) + 1),
        "focus": request.POST.get("open", ""),
        "problem": problem,
    }
    status = refusal_status(problem) if problem else HTTPStatus.OK
    return render(request, "reporting/report_file.html", context, status=status)


def save_file(request: HttpRequest, opened: OpenReport) -> ReportVersion | None:
    """The version that was made of an uploaded file or of edited lines; None where nothing was given."""
    based_on = based_on_in(request)
    file = request.FILES.get("file")
    if file is not None:
        return replace_report_file(
            report=opened.report,
            based_on=based_on,
            content=file.read(),
            filename=file.name or opened.version.filename,
            by=actor(request),
        ).version
    edits = changed_edits(edits_in(request), lines_of_seen_version(request, opened))
    if not edits:
        return None
    return edit_report_lines(report=opened.report, based_on=based_on, edits=edits, by=actor(request)).version


def based_on_in(request: HttpRequest) -> int:
    """The number of the version that a form was filled in on; 0, which no version has, where it says none."""
    typed = str(request.POST.get("based_on", ""))
    return int(typed) if re.fullmatch(r"[0-9]{1,4}", typed) else 0


def add_remaining_findings_message(request: HttpRequest, version: ReportVersion) -> None:
    left = f"{version.errors} errors and {version.warnings} warnings are left."
    if version.errors == 0 and version.warnings == 0:
        left = "Nothing is left to mend."
    messages.success(request, f"Saved as version {version.number}. {left}")


def finding_links(findings: Sequence[Finding]) -> list[tuple[str, str, str]]:
    """Each line or row with findings, once: its fragment, what it is called, and the word for the worst of them."""
    found: dict[str, tuple[str, str]] = {}
    for finding in findings:
        if finding.line is None:
            continue
        place, worst = found.get(finding.anchor, ("", ""))
        called = place or (finding.place if finding.cell else f"line {finding.line}")
        found[finding.anchor] = (called, worst if worst == "error" else finding.severity.value)
    return [(anchor, *said) for anchor, said in found.items()]


@dataclass(frozen=True)
class SheetCell:
    """A cell of a workbook, and whether a finding is about it."""

    text: str
    marked: bool


@dataclass(frozen=True)
class SheetRow:
    """A row of a sheet with the findings about it."""

    number: int
    anchor: str
    cells: Sequence[SheetCell]
    findings: Sequence[Finding]

    @property
    def tone(self) -> str:
        severities = {finding.severity for finding in self.findings}
        return "error" if Severity.ERROR in severities else "warning" if severities else ""


@dataclass(frozen=True)
class ShownSheet:
    """A sheet of a workbook: its first row, and those with findings."""

    name: str
    rows: Sequence[SheetRow]


def sheet_rows(read: Sequence[Sheet], findings: Sequence[Finding]) -> list[tuple[str, SheetRow]]:
    """The rows of a workbook that findings name, each with the name of its sheet; none for other files."""
    told: dict[str, dict[int, list[Finding]]] = {}
    for finding in findings:
        if finding.cell and finding.cell["sheet"]:
            rows = told.setdefault(finding.cell["sheet"], {})
            rows.setdefault(int(finding.cell["row"]), []).append(finding)
    shown_rows = []
    for sheet in read:
        name = quoted(sheet.name)
        own = told.get(name, {})
        formulas: dict[int, dict[int, str]] = {}
        for (row, column), formula in sheet.formulas.items() if own else ():
            formulas.setdefault(row, {})[column] = formula
        shown_rows += [
            (name, sheet_row(sheet, each, own[each], formulas.get(each, {}))) for each in sorted(own)
        ]
    return shown_rows


def by_sheet(read: Sequence[Sheet], rows: Iterable[tuple[str, SheetRow]]) -> list[ShownSheet]:
    """Rows under their sheets, each sheet begun with its first row, which has the headings."""
    told: dict[str, list[SheetRow]] = {}
    for name, row in rows:
        told.setdefault(name, []).append(row)
    shown_sheets = []
    for sheet in read:
        own = told.pop(quoted(sheet.name), [])
        if own:
            first = min(sheet.rows, default=own[0].number)
            heads = [] if own[0].number == first else [sheet_row(sheet, first, [], {})]
            shown_sheets.append(ShownSheet(quoted(sheet.name), [*heads, *own]))
    return shown_sheets


def sheet_row(
    sheet: Sheet, number: int, findings: Sequence[Finding], formulas: Mapping[int, str]
) -> SheetRow:
    texts = {**sheet.rows.get(number, {}), **formulas}
    marked = {column_number(each.cell["column"]) for each in findings if each.cell}
    last = max([0, *texts, *marked])
    cells = [
        SheetCell(quoted(texts.get(each, "")), each in marked)
        for each in range(1, min(last, CELLS_SHOWN) + 1)
    ]
    return SheetRow(number, sheet_anchor(quoted(sheet.name), number), cells, findings)


def has_place(finding: Finding, lines: Sequence[str]) -> bool:
    """Whether a page that shows the file shows the finding beside its line or row."""
    return finding.line is not None and bool(lines or (finding.cell and finding.cell["sheet"]))


# --- versions


@require_access(check_can_read_reports, "GET", "HEAD")
def report_changes(request: HttpRequest, number: int, old: int, new: int) -> HttpResponse:
    """Two versions side by side: their file and their facts."""
    opened = report_or_404(request, number)
    versions = {each.number: each for each in opened.report.versions.filter(number__in=[old, new])}
    if len(versions) < len({old, new}):
        raise Http404("The report has no such version.")
    before, after = versions[old], versions[new]
    private = not refusal_message(check_can_see_private_details, request.user, opened.report)
    details = selectors.difference(*(details_lines(each, private=private) for each in (before, after)))
    context = report_context(request, opened, "report") | {
        "before": before,
        "after": after,
        "file": changes_shown(
            request, selectors.difference(file_lines(before), file_lines(after)), "page", "#changed-file"
        ),
        "details": changes_shown(request, details, "details", "#changed-facts"),
        "same_bytes": before.sha256 == after.sha256,
    }
    return render(request, "reporting/report_changes.html", context)


def changes_shown(
    request: HttpRequest, stretches: Iterable[Sequence[selectors.ChangedLine]], name: str, anchor: str
) -> tuple[Rows[Any], list[list[selectors.ChangedLine]]]:
    """A page of changed lines, and its lines in their stretches; of a long line the beginning."""
    lines = [(turn, line) for turn, stretch in enumerate(stretches) for line in stretch]
    rows = rows_on_page(
        request, lines, name, weight=lambda each: each[1].length(MAX_SHOWN_LENGTH), anchor=anchor
    )
    return rows, [[line for _, line in own] for _, own in itertools.groupby(rows, key=lambda each: each[0])]


def details_lines(version: ReportVersion, *, private: bool) -> list[str]:
    sidecar = bytes(version.sidecar)
    return (
        (sidecar if private else without_private_details(sidecar))
        .decode("utf-8", errors="replace")
        .splitlines()
    )


@require_access(check_can_read_reports, "GET", "HEAD")
def report_original(request: HttpRequest, number: int, version: int) -> HttpResponse:
    """A version's file byte for byte, to be kept and never to be run."""
    opened = report_or_404(request, number)
    try:
        stored = opened.report.versions.get(number=version)
    except ReportVersion.DoesNotExist:
        raise Http404("The report has no such version.") from None
    response = HttpResponse(bytes(stored.content), content_type="application/octet-stream")
    response["Content-Disposition"] = f'attachment; filename="report-{number}-version-{version}.bin"'
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_access(check_can_upload, "POST")
def report_withdraw(request: HttpRequest, number: int) -> HttpResponse:
    """Withdraw a report that is not accepted."""
    opened, reason = report_or_404(request, number), str(request.POST.get("reason", ""))
    try:
        check_text(reason)
        withdraw_report(report=opened.report, reason=reason, by=actor(request))
    except (DomainError, OperationalError) as refusal:
        return report_page(request, report_or_404(request, number), as_refusal(refusal), reason)
    messages.success(request, "The report is withdrawn. It is kept, and nobody will review it.")
    return redirect(reverse("report", args=[number]))
