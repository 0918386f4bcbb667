"""Competitions are announced before their first round, and withdrawn (Annex 9 art. 1.2.1.3, R11)."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from reporting.errors import DomainError
from reporting.models import Announcement, User
from reporting.policies import OFFICE, may_announce, may_upload
from reporting.regulations import announcement_days
from reporting.reports.forms import FactsForm
from reporting.reports.selectors import reports as selectors
from reporting.reports.services.announce import announce_competition, withdraw_announcement
from reporting.reports.services.edit_report import choose_announcement
from reporting.reports.services.open_report import OpenReport
from reporting.reports.views.reports import based_on_in, report_or_404, tell_what_is_left
from reporting.rules.findings import Finding
from reporting.web.access import actor, guarded_page, refuse_unreadable

ASKED = (
    ("The competition", ("name", "place", "country", "played_from", "played_to", "system")),
    ("Board and clock", ("discipline", "time_control")),
)
ASKED_OF_THE_OFFICE = (("Reached the office another way", ("announced",)),)


@guarded_page(may_announce, "GET", "HEAD", "POST")
def announce(request: HttpRequest) -> HttpResponse:
    """Make a competition known and see at once whether it is in time; below, what was announced before."""
    user = cast(User, request.user)
    typed = request.POST.dict() if request.method == "POST" else {}
    form = FactsForm(
        request.POST or None,
        values=typed,
        asked=(*ASKED, *ASKED_OF_THE_OFFICE) if user.has_role(*OFFICE) else ASKED,
    )
    findings: Sequence[Finding] = ()
    problem: DomainError | None = None
    if request.method == "POST":
        if not form.is_valid():
            problem = DomainError("too_long")
        else:
            try:
                announcement = announce_competition(values=form.cleaned_data, by=actor(request))
                tell_whether_in_time(request, announcement)
                return redirect("report-announce")
            except DomainError as refusal:
                if refusal.code != "announcement_refused":
                    raise
                problem, findings = refusal, refusal.findings
    context = {
        "groups": [
            (words, [(field, [each for each in findings if each.field == field.name]) for field in fields])
            for words, fields in form.groups()
        ],
        "problem": problem,
        "announcements": selectors.own_announcements(user),
        "days_of_notice": announcement_days(timezone.localdate()),
    }
    status = HTTPStatus.BAD_REQUEST if problem else HTTPStatus.OK
    return render(request, "reporting/announce.html", context, status=status)


def tell_whether_in_time(request: HttpRequest, announcement: Announcement) -> None:
    notice = announcement.days_of_notice
    if announcement.in_time:
        messages.success(
            request,
            f"{announcement.name} is announced in time: {notice} days before its first round, "
            f"{announcement.days_asked} are asked.",
        )
        return
    when = f"{notice} days before" if notice > 1 else "the day before" if notice == 1 else "not before"
    messages.warning(
        request,
        f"{announcement.name} is announced late: {when} its first round, {announcement.days_asked} days are asked. "
        "Unless it is official or a national championship, its report counts only if the rating officer "
        "admits it with a written reason (R11).",
    )


@guarded_page(may_announce, "POST")
def withdraw(request: HttpRequest, number: int) -> HttpResponse:
    """A competition that will not be played."""
    user = cast(User, request.user)
    announcement = Announcement.objects.filter(pk=number).first()
    if announcement is None or (announcement.announced_by_id != user.pk and not user.has_role(*OFFICE)):
        raise Http404("There is no such announcement, or it is not yours.")
    reason = request.POST.get("reason", "")
    refuse_unreadable(reason)
    withdraw_announcement(announcement=announcement, reason=reason, by=actor(request))
    messages.success(
        request, f"{announcement.name} is withdrawn. Its line stays, with your reason in the log."
    )
    return redirect("report-announce")


@guarded_page(may_upload, "POST")
def choose(request: HttpRequest, number: int) -> HttpResponse:
    """Which announced competition a report is of."""
    opened = report_or_404(request, number)
    chosen = request.POST.get("announcement", "")
    of_report = {str(each.pk): each for each in choices_of(opened)}
    if chosen and chosen not in of_report:
        raise DomainError("announcement_unknown")
    saved = choose_announcement(
        report=opened.report,
        based_on=based_on_in(request),
        announcement=of_report[chosen] if chosen else None,
        by=actor(request),
    )
    tell_what_is_left(request, saved.version)
    return redirect("report-facts", number)


def choices_of(opened: OpenReport) -> list[Announcement]:
    """The announced competitions a report can be of: its own, and its referee's without a report. 1 query."""
    own = opened.report.announcement
    others = selectors.open_announcements(opened.report.submitted_by)
    return [*([own] if own else []), *others]
