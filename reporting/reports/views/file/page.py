"""The page of a report's file: it shows what was found, and takes another file or edited lines."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.datastructures import MultiValueDict

from reporting.formats.text.edit_lines import Edit, apply_edits_to_line
from reporting.log.audit import Actor
from reporting.models import ReportVersion
from reporting.policies import check_can_read_reports, check_can_upload
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.open_report import OpenReport, file_lines
from reporting.reports.services.edit_report import edit_report_lines, replace_report_file
from reporting.reports.views.file.groups import ask_details, finding_groups
from reporting.reports.views.file.source import (
    FINDING_LINKS_PER_PAGE,
    FilePlaceForm,
    LineInputs,
    field_of,
    file_shown,
)
from reporting.reports.views.reports import (
    based_on_in,
    confirm_version,
    proposed_announcement,
    report_context,
    report_or_404,
)
from reporting.rules.details.sessions import round_name
from reporting.rules.findings.finding_list import (
    BY_WEIGHT,
    Severity,
)
from reporting.web.access import UPLOAD, OfficeRequest, actor, allow_large_body, require_access
from reporting.web.attempt import Attempt
from reporting.web.paging import rows_on_page
from reporting.web.query_params import PageForm

EDIT = re.compile(r"edit-([1-9][0-9]{0,6})-([1-9][0-9]{0,6})-([0-9]{1,6})\Z")
NAMES_SHOWN = 4
"""Players to identify that the page of the file names."""


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


def to_identify(opened: OpenReport) -> tuple[list[str], int]:
    """The first names of the players whom the step People asks for, and how many there are."""
    lines = {
        found.line
        for found in opened.findings
        if found.step == "people" and found.line is not None and found.severity is Severity.ERROR
    }
    names = [player.name for player in opened.submission.read.players if player.line in lines]
    return names[:NAMES_SHOWN], len(names)
