"""A report's file: its findings by kind with the inputs that edit their lines, its lines or rows, its remarks."""

import itertools
import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, QueryDict
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
from reporting.reports.forms import TournamentDetailsForm, value_label
from reporting.reports.reading.open_report import OpenReport, file_lines
from reporting.reports.services.edit_report import edit_report_lines, replace_report_file
from reporting.reports.views.report_sheets import by_sheet, sheet_rows
from reporting.reports.views.reports import (
    FINDINGS_SHOWN,
    MAX_SHOWN_LENGTH,
    based_on_in,
    confirm_version,
    proposed_announcement,
    report_context,
    report_or_404,
)
from reporting.rules.details.sessions import round_name
from reporting.rules.findings.finding_list import (
    BY_WEIGHT,
    SAME_ELSEWHERE,
    Finding,
    Severity,
    worst_severity,
)
from reporting.rules.sentences import Listed, sentence
from reporting.web.access import UPLOAD, OfficeRequest, actor, allow_large_body, require_access
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
MAX_GROUP_LINES = 20
"""Places of one kind of findings that a page shows with their inputs."""
NAMES_SHOWN = 4
"""Players to identify that the page of the file names."""
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


@dataclass(frozen=True)
class GroupLine:
    """A place that findings of one kind name: its line with the inputs, where the page does not have them already.

    `is_other` is the second line of a contradiction, of which the first says everything.
    """

    finding: Finding
    line: SourceLine | None
    href: str
    is_other: bool

    @property
    def about(self) -> str:
        """The players, where the finding names them."""
        return (
            sentence("{about}", dict(self.finding.values)) if dict(self.finding.values).get("about") else ""
        )


@dataclass(frozen=True)
class FindingGroup:
    """The findings of one kind that say the same: one cause, one sentence, one act, and their lines.

    `count` are the places, also those that no line is named of; `hidden` links to those that are not shown. `field` is
    the field of the detail that settles them, shown once; `proposed` the label of the value that fits. `corrections`
    are the fields of the pieces with the text proposed for each, empty unless every place has one (decision 0107).
    """

    key: str
    first: Finding
    lines: Sequence[GroupLine]
    count: int
    hidden: Sequence[FindingLink]
    expected: str
    corrections: Sequence[tuple[str, str]] = ()
    field: Any = None
    proposed: str = ""
    shows_field: bool = False

    def has(self, anchor: str) -> bool:
        """Whether a place of the group has this fragment."""
        return any(line.finding.anchor == anchor for line in self.lines)


def finding_groups(
    findings: Sequence[Finding],
    lines: Sequence[str],
    typed: LineInputs,
    remarks: Sequence[ReviewRemark],
    *,
    at: str,
) -> list[FindingGroup]:
    """The findings by kind, errors first. `at` is the fragment of a place that the page has to show.

    A line has its inputs once, in the first group that names it: one for each piece that any of its findings names.
    """
    kinds: dict[tuple[Any, ...], list[Finding]] = {}
    for finding in findings:
        kind = (
            finding.severity,
            finding.key,
            finding.statement,
            finding.asked_detail,
            finding.asked_detail and finding.proposed_value,
        )
        kinds.setdefault(kind, []).append(finding)
    ordered = sorted(kinds.values(), key=lambda group: BY_WEIGHT.index(group[0].severity))
    places = [[place for finding in group for place in places_of(finding, lines)] for group in ordered]
    by_line = by_line_of(place for group in places for place in group)
    remarked = by_line_of(remarks)
    placed: set[int] = set()
    groups: list[FindingGroup] = []
    for group, all_places in zip(ordered, places, strict=True):
        shown = [
            place
            for index, place in enumerate(all_places)
            if index < MAX_GROUP_LINES or place.anchor == at or place.line in typed.numbers
        ]
        group_lines = []
        for place in shown:
            line = None
            number = place.line or 0
            if 0 < number <= len(lines) and number not in placed:
                placed.add(number)
                line = source_line(
                    number, lines[number - 1], by_line[number], remarked.get(number, ()), typed
                )
            group_lines.append(
                GroupLine(
                    place,
                    line,
                    f"#{place.anchor}",
                    is_other="found" not in dict(place.values) and place not in group,
                )
            )
        expected = {finding.expected for finding in group}
        groups.append(
            FindingGroup(
                str(len(groups) + 1),
                group[0],
                group_lines,
                sum(map(count_of, group)),
                [
                    FindingLink(f"?at={place.anchor}#{place.anchor}", place.place)
                    for place in all_places
                    if place not in shown
                ],
                expected.pop() if len(expected) == 1 else "",
                corrections_of(all_places, lines),
            )
        )
    return groups


def corrections_of(places: Sequence[Finding], lines: Sequence[str]) -> list[tuple[str, str]]:
    """The field of each piece and the text proposed for it; none where a place has no proposal or no piece."""
    corrections = []
    for place in places:
        if place.asked_detail or not place.proposed_value or not place.line or place.line > len(lines):
            return []
        column, piece = piece_of(place, lines[place.line - 1])
        if not piece:
            return []
        corrections.append((field_of(place.line, column, len(piece)), place.proposed_value))
    return corrections


def count_of(finding: Finding) -> int:
    """How many places a finding has that is shown once for all of them."""
    values = dict(finding.values)
    same = [same for name in SAME_ELSEWHERE if isinstance(same := values.get(name), Listed)]
    return 1 + sum(len(listed.names) + listed.more for listed in same)


def places_of(finding: Finding, lines: Sequence[str]) -> list[Finding]:
    """The finding at each line that it names: its own, those that say the same, the other one of a contradiction."""
    if not has_place(finding, lines):
        return []
    values: dict[str, Any] = dict(finding.values)
    others = list(getattr(values.get("same_lines"), "names", ()))
    if values.get("first_line"):
        others.append(values["first_line"])
    places = [finding]
    for other in others:
        if lines and str(other).isdecimal() and 0 < int(other) <= len(lines):
            text = lines[int(other) - 1]
            is_once = bool(finding.found) and text.count(finding.found) == 1
            column = text.index(finding.found) + 1 if is_once else None
            places.append(replace(finding, line=int(other), column=column))
    if lines and isinstance(values.get("other_line"), int):
        pair = {name: value for name, value in values.items() if name not in ("found", "about")}
        places.append(
            replace(
                finding,
                line=values["other_line"],
                column=values.get("other_column"),
                values=tuple(pair.items()),
            )
        )
    return places


def ask_details(
    groups: Sequence[FindingGroup], opened: OpenReport
) -> tuple[list[FindingGroup], Sequence[str]]:
    """The groups with the fields of the details that settle them, and the names of these details (decision 0089)."""
    names = list(dict.fromkeys(group.first.asked_detail for group in groups if group.first.asked_detail))
    form = TournamentDetailsForm(values=opened.sidecar.values, asked=(("", names),))
    asked = [name for name in names if name in form.fields]
    first_of: dict[str, int] = {}
    for place, group in enumerate(groups):
        if not group.first.proposed_value:
            first_of.setdefault(group.first.asked_detail, place)
    for name in asked:
        form.fields[name].widget.attrs["form"] = f"ask-{name}"
    return [
        replace(
            group,
            field=form[group.first.asked_detail],
            proposed=value_label(form[group.first.asked_detail], group.first.proposed_value),
            shows_field=first_of.get(group.first.asked_detail) == place,
        )
        if group.first.asked_detail in asked
        else group
        for place, group in enumerate(groups)
    ], asked


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


def requested_lines(request: OfficeRequest, lines: Sequence[str]) -> LineInputs:
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
def report_file(request: OfficeRequest, number: int) -> HttpResponse:
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
    of_file = [
        found
        for found in opened.findings
        if found.step == "file" or (found.step == "details" and found.line is not None)
    ]
    focus = form.opened_line or next(map(str, () if posted else typed.lines), "")
    at = FilePlaceForm(request.GET).anchor
    every_group = finding_groups(of_file, opened.lines, typed, opened.newest_remarks, at=at)
    groups_shown = rows_on_page(
        request,
        every_group,
        "findings",
        most=FINDING_LINKS_PER_PAGE,
        holds=next((place for place, group in enumerate(every_group) if group.has(at)), None),
        anchor="#verdict",
    )
    groups, asked = ask_details(list(groups_shown), opened)
    context |= file_shown(
        request,
        (opened.lines, opened.reading.sheets),
        # Links to a line or row that is settled on the page People lead to it all the same.
        [*of_file, *(found for found in opened.findings if found.step == "people" and found.anchor == at)],
        typed=typed,
        remarks=opened.newest_remarks,
        line=int(focus) if focus else None,
        posts=context["can_edit"],
        grouped={line.line.number for group in groups for line in group.lines if line.line},
        anchor="#lines",
    )
    by_severity = {
        severity: [group for group in groups if group.first.severity is severity] for severity in BY_WEIGHT
    }
    context |= {
        "typed": typed,
        "proposed": proposed_announcement(opened) if context["can_edit"] else None,
        "groups_shown": groups_shown,
        "errors": by_severity[Severity.ERROR],
        "folded": [
            (severity, by_severity[severity], sum(found.severity is severity for found in of_file))
            for severity in (Severity.WARNING, Severity.NOTE)
            if by_severity[severity]
        ],
        "shows_folded": bool(at or typed.numbers),
        "encoding_previews": opened.reading.previews,
        "asked_details": asked if context["can_edit"] else [],
        "open_steps": {step.name: step for step in context["steps"] if step.missing},
        "to_identify": to_identify(opened),
        "warnings_of_details": sum(
            found.severity is Severity.WARNING and found.step == "details" and found.line is None
            for found in opened.findings
        ),
        "rounds_to_enter": [
            (number, round_name(number, opened.session))
            for number in range(1, max(opened.reading.read.rounds, 1) + 1)
        ],
        "focus": form.opened_line,
        "problem": attempt.refusal,
    }
    return render(request, "reporting/reports/report_file.html", context, status=attempt.status)


def to_identify(opened: OpenReport) -> tuple[list[str], int]:
    """The first names of the players whom the step People asks for, and how many there are."""
    lines = {
        found.line
        for found in opened.findings
        if found.step == "people" and found.line is not None and found.severity is Severity.ERROR
    }
    names = [player.name for player in opened.submission.read.players if player.line in lines]
    return names[:NAMES_SHOWN], len(names)


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
            labels[finding.is_in_sheet, finding.severity]
            % {"place": finding.field if finding.is_in_sheet else finding.line},
        )
        for anchor, finding in worst.items()
    ]


def has_place(finding: Finding, lines: Sequence[str]) -> bool:
    """Whether a page that shows the file shows the finding next to its line or row."""
    return finding.line is not None and bool(lines or finding.is_in_sheet)
