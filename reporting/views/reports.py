"""A referee's reports: his list, a new one, and each report's file, mended where its findings stand."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from reporting.errors import DomainError
from reporting.formats.edit_lines import Edit
from reporting.formats.values import LARGEST_FILE, MOST_GAMES, MOST_PLAYERS, MOST_ROUNDS
from reporting.models import Announcement, Report, ReportVersion, ReviewRemark, User
from reporting.policies import may_see_report, may_submit, may_upload
from reporting.rules.facts_file import write_facts
from reporting.rules.findings import Finding, Severity
from reporting.rules.lifecycle import ReportMove
from reporting.selectors import reports as selectors
from reporting.services.mend import announced_facts, mend_lines, replace_file
from reporting.services.open_report import OpenReport, open_report, text_of
from reporting.services.submit import withdraw_report
from reporting.services.upload import upload_report
from reporting.views.guarded import UPLOAD, accepts, actor, guarded_page, refusal_of, status_of, why_not

EDIT = re.compile(r"edit-([1-9][0-9]{0,6})-([1-9][0-9]{0,6})-([0-9]{1,6})\Z")
SEPARATOR = r"[,;|\t]"
QUIET_STRETCH = 6
FINDINGS_SHOWN = 200
STEPS = (
    ("file", "File"),
    ("facts", "Facts"),
    ("people", "People"),
    ("preview", "Preview"),
    ("hand-in", "Hand in"),
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
    wrong = {step_of(finding) for finding in opened.findings if finding.severity is Severity.ERROR}
    unanswered = opened.version.errors or len(opened.answers) < opened.version.warnings
    handed_in = opened.report.first_submitted_at is not None and not opened.allows(ReportMove.SUBMIT)
    open_steps = wrong | ({"preview", "hand-in"} if unanswered and not handed_in else set())
    if not handed_in:
        open_steps.add("hand-in")
    return [Step(name, words, name not in open_steps, name == here) for name, words in STEPS]


def step_of(finding: Finding) -> str:
    """On whose page a finding is mended."""
    if finding.code in (
        "player-not-identified",
        "fmjd-id-unknown",
        "fmjd-id-merged",
        "looks-registered",
        "register-differs",
    ):
        return "people"
    return "file" if finding.line is not None else "facts"


def report_or_404(request: HttpRequest, number: int) -> OpenReport:
    """The report of an address for whoever may see it; for others there is none."""
    try:
        opened = open_report(number)
        may_see_report(cast(User, request.user), opened.report)
    except (Report.DoesNotExist, DomainError):
        raise Http404("There is no such report, or it is not yours to see.") from None
    return opened


def shell(request: HttpRequest, opened: OpenReport, here: str) -> dict[str, Any]:
    """What every page of a report shows around its step."""
    return {
        "opened": opened,
        "report": opened.report,
        "version": opened.version,
        "steps": steps(opened, here),
        "may_change": may_change(request, opened),
    }


def may_change(request: HttpRequest, opened: OpenReport) -> bool:
    if why_not(may_submit, request.user, opened.report):
        return False
    return opened.allows(ReportMove.SUBMIT) or opened.allows(ReportMove.MEND)


# --- my reports, and a new one


@guarded_page(may_upload, "GET", "HEAD")
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
        for field in self.fields.values():
            field.widget.attrs["class"] = "field__input"


@accepts(UPLOAD)
@guarded_page(may_upload, "GET", "HEAD", "POST")
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
    if posted:
        if form.is_valid():
            file, announcement = form.cleaned_data["file"], form.cleaned_data["announcement"]
            uploaded = upload_report(
                content=file.read(),
                filename=file.name or "report",
                sidecar=write_facts(announced_facts(announcement)),
                by=actor(request),
                announcement=announcement,
            )
            if uploaded.already_there:
                messages.info(request, "This very file is here already: nothing was stored twice.")
            return redirect("report-file", uploaded.report.pk)
        status = HTTPStatus.BAD_REQUEST
    return render(request, "reporting/report_new.html", {"form": form, "limits": LIMITS}, status=status)


LIMITS = {
    "megabytes": LARGEST_FILE // 1_000_000,
    "players": MOST_PLAYERS,
    "rounds": MOST_ROUNDS,
    "games": MOST_GAMES,
}


@guarded_page(may_upload, "GET", "HEAD")
def report(request: HttpRequest, number: int) -> HttpResponse:
    """Where a report stands, whose turn it is, its versions and what was said to it."""
    opened = report_or_404(request, number)
    return render(request, "reporting/report.html", shell(request, opened, "report"))


# --- the file


@dataclass(frozen=True)
class Spot:
    """A finding beside its line: where an input stands, what is in it, and how long the piece is."""

    finding: Finding
    field: str
    piece: str
    value: str


@dataclass(frozen=True)
class SourceLine:
    """A line of the file with the findings about it and what the office remarks on it; `field` is the whole line's."""

    number: int
    text: str
    spots: Sequence[Spot]
    remarks: Sequence[ReviewRemark]
    field: str
    value: str

    @property
    def tone(self) -> str:
        severities = {spot.finding.severity for spot in self.spots}
        return "error" if Severity.ERROR in severities else "warning" if severities or self.remarks else ""

    @property
    def marked(self) -> tuple[str, str, str]:
        """The line before, at and after the first piece that a finding names."""
        for spot in self.spots:
            if spot.piece and spot.finding.column:
                start = spot.finding.column - 1
                return self.text[:start], spot.piece, self.text[start + len(spot.piece) :]
        return self.text, "", ""


@dataclass(frozen=True)
class Stretch:
    """Lines shown, or a quiet stretch that is folded."""

    lines: Sequence[SourceLine]
    folded: bool


def source(
    lines: Sequence[str],
    findings: Sequence[Finding],
    typed: dict[str, str],
    remarks: Sequence[ReviewRemark] = (),
) -> Iterator[Stretch]:
    """The file by lines, long quiet stretches folded; what was typed stands in the inputs again."""
    by_line: dict[int, list[Finding]] = {}
    for finding in findings[:FINDINGS_SHOWN]:
        if finding.line is not None:
            by_line.setdefault(finding.line, []).append(finding)
    remarked: dict[int, list[ReviewRemark]] = {}
    for remark in remarks:
        if remark.line is not None:
            remarked.setdefault(remark.line, []).append(remark)
    quiet: list[SourceLine] = []
    loud: list[SourceLine] = []
    for number, text in enumerate(lines, start=1):
        spots = [spot(finding, text, typed) for finding in by_line.get(number, [])]
        field = f"edit-{number}-1-{len(text)}"
        line = SourceLine(number, text, spots, remarked.get(number, []), field, typed.get(field, text))
        if not spots and not line.remarks:
            quiet.append(line)
            continue
        if len(quiet) > QUIET_STRETCH:
            if loud:
                yield Stretch(loud, folded=False)
            yield Stretch(quiet, folded=True)
            loud = []
        else:
            loud += quiet
        quiet = []
        loud.append(line)
    if loud and len(quiet) <= QUIET_STRETCH:
        loud, quiet = loud + quiet, []
    if loud:
        yield Stretch(loud, folded=False)
    if quiet:
        yield Stretch(quiet, folded=bool(by_line or remarked))


def spot(finding: Finding, text: str, typed: dict[str, str]) -> Spot:
    """An input for a finding: the offending piece where it stands in the line, else the whole line.

    An error that tells what it found in words of its own (5 points) means the field of the line at its column.
    """
    start = (finding.column or 1) - 1
    piece = finding.found if text.startswith(finding.found, start) else ""
    if not piece and finding.severity is Severity.ERROR and finding.column:
        piece = re.split(SEPARATOR, text[start:], maxsplit=1)[0].rstrip()
    column, value = (start + 1, piece) if piece else (1, text)
    field = f"edit-{finding.line}-{column}-{len(value)}"
    return Spot(finding, field, piece, typed.get(field, value))


def edits_in(request: HttpRequest) -> list[Edit]:
    """The pieces that were changed; inputs of one piece that stand twice count once."""
    found: dict[tuple[int, int, int], Edit] = {}
    for name, text in request.POST.items():
        place = EDIT.match(name)
        if place and str(text) != request.POST.get(f"was-{name}"):
            line, column, length = map(int, place.groups())
            found[(line, column, length)] = Edit(line, column, length, str(text))
    return list(found.values())


@accepts(UPLOAD)
@guarded_page(may_upload, "GET", "HEAD", "POST")
def report_file(request: HttpRequest, number: int) -> HttpResponse:
    """The file with its findings beside their lines; saving makes the next version, read anew."""
    opened = report_or_404(request, number)
    problem: DomainError | None = None
    if request.method == "POST":
        try:
            saved = save_file(request, opened)
            if saved is not None:
                tell_what_is_left(request, saved)
                return redirect("report-file", number)
            problem = DomainError("nothing_changed", "Nothing was changed and no file was chosen.")
        except (DomainError, OperationalError) as refusal:
            problem = refusal_of(refusal)
    typed = {name: str(text) for name, text in request.POST.items() if EDIT.match(name)}
    context = shell(request, opened, "file") | {
        "stretches": list(source(opened.lines, opened.findings, typed, opened.newest_remarks)),
        "loose": [finding for finding in opened.findings if finding.line is None],
        "more": max(len(opened.findings) - FINDINGS_SHOWN, 0),
        "jumps": jumps(opened.findings),
        "problem": problem,
    }
    status = status_of(problem) if problem else HTTPStatus.OK
    return render(request, "reporting/report_file.html", context, status=status)


def save_file(request: HttpRequest, opened: OpenReport) -> ReportVersion | None:
    """The version that was made of an uploaded file or of mended pieces; None where nothing was given."""
    based_on = based_on_in(request)
    file = request.FILES.get("file")
    if file is not None:
        return replace_file(
            report=opened.report,
            based_on=based_on,
            content=file.read(),
            filename=file.name or opened.version.filename,
            by=actor(request),
        ).version
    edits = edits_in(request)
    if not edits:
        return None
    return mend_lines(report=opened.report, based_on=based_on, edits=edits, by=actor(request)).version


def based_on_in(request: HttpRequest) -> int:
    """The number of the version that a form was filled in on; 0, which no version has, where it says none."""
    typed = str(request.POST.get("based_on", ""))
    return int(typed) if re.fullmatch(r"[0-9]{1,4}", typed) else 0


def tell_what_is_left(request: HttpRequest, version: ReportVersion) -> None:
    left = f"{version.errors} errors and {version.warnings} warnings are left."
    if version.errors == 0 and version.warnings == 0:
        left = "Nothing is left to mend."
    messages.success(request, f"Saved as version {version.number}. {left}")


def jumps(findings: Sequence[Finding]) -> list[tuple[int, str]]:
    """Each line with findings, once, with the word for the worst of them."""
    found: dict[int, str] = {}
    for finding in findings[:FINDINGS_SHOWN]:
        if finding.line is not None and found.get(finding.line) != "error":
            found[finding.line] = finding.severity.value
    return list(found.items())


# --- versions


@guarded_page(may_upload, "GET", "HEAD")
def report_changes(request: HttpRequest, number: int, old: int, new: int) -> HttpResponse:
    """Two versions side by side: their file and their facts."""
    opened = report_or_404(request, number)
    versions = {each.number: each for each in opened.report.versions.filter(number__in=[old, new])}
    if len(versions) < len({old, new}):
        raise Http404("The report has no such version.")
    before, after = versions[old], versions[new]
    context = shell(request, opened, "report") | {
        "before": before,
        "after": after,
        "file": selectors.difference(text_of(before), text_of(after)),
        "facts": selectors.difference(facts_lines(before), facts_lines(after)),
        "same_bytes": before.sha256 == after.sha256,
    }
    return render(request, "reporting/report_changes.html", context)


def facts_lines(version: ReportVersion) -> list[str]:
    return bytes(version.sidecar).decode("utf-8", errors="replace").splitlines()


@guarded_page(may_upload, "GET", "HEAD")
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


@guarded_page(may_upload, "POST")
def report_withdraw(request: HttpRequest, number: int) -> HttpResponse:
    """Withdraw a report that is not accepted."""
    opened = report_or_404(request, number)
    withdraw_report(report=opened.report, reason=request.POST.get("reason", ""), by=actor(request))
    messages.success(request, "The report is withdrawn. It is kept, and nobody will review it.")
    return redirect(reverse("report", args=[number]))
