"""The office's inbox: reports and announcements that wait, several clean reports accepted at once, reminders."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from reporting.accounts.views.step_up import confirmed_for_results, step_up
from reporting.models import Federation, User
from reporting.policies import (
    OFFICE_ROLES,
    check_can_see_inbox,
    new_accounts,
    require_role,
)
from reporting.reports.reading.clean_reports import clean_lines
from reporting.reports.selectors import inbox as selectors
from reporting.reports.selectors.rating_lists import ComingList, rating_lists
from reporting.reports.selectors.reports import announced_tournament
from reporting.reports.services.acceptance.accept_several import accept_several
from reporting.reports.services.reminders import send_report_reminder
from reporting.web.access import OfficeRequest, actor, refusal_message, require_access
from reporting.web.forms import StyledFormMixin, set_choices
from reporting.web.paging import pager_of
from reporting.web.query_params import PageForm
from reporting.web.sorting import SortColumn, SortForm, sort_headings

REPORTS_PER_PAGE = 100
MAX_FILTER_LENGTH = 20
SEVERAL = re.compile(r"[1-9][0-9]{0,8}-[1-9][0-9]{0,3}")

STATES = {
    "": (_("No decision yet"), selectors.WAITING_FOR_OFFICE | selectors.WAITING_FOR_REFEREE),
    "office": (_("Waiting for the office"), selectors.WAITING_FOR_OFFICE),
    "referee": (_("Waiting for the referee"), selectors.WAITING_FOR_REFEREE),
    "accepted": (_("Accepted, not in a list yet"), selectors.ACCEPTED),
}
"""Choices of the filter by state: label, and the reports that it selects."""


class InboxForm(StyledFormMixin, forms.Form):
    """The filters of the inbox. An unknown state is ignored; no report is of an unknown federation."""

    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[(state, label) for state, (label, _reports) in STATES.items()],
    )
    federation = forms.CharField(
        label=_("Federation"), required=False, max_length=MAX_FILTER_LENGTH, widget=forms.Select
    )
    late = forms.ChoiceField(
        label=_("In time or late"), required=False, choices=[("", _("All")), ("1", _("Late only"))]
    )

    def offer_federations(self, countries: Iterable[Federation]) -> None:
        """Set the choices of the federation."""
        codes = ((country.code, f"{country.code}, {country.name}") for country in countries)
        set_choices(self, "federation", [("", _("All")), *codes])


@dataclass(frozen=True)
class WaitingReport:
    """A report of the inbox with the list that it would count in, or that it corrects."""

    line: selectors.InboxLine
    list: ComingList

    @property
    def days_to_freeze(self) -> int | None:
        """Days until the scheduler freezes that list; 0 or less while the freeze is due (R11). None: not known yet."""
        return (self.list.freezes_on - timezone.localdate()).days if self.list.freezes_on else None


SORTS: dict[str, Callable[[WaitingReport], Any]] = {
    "received": lambda waiting: (waiting.line.report.received, waiting.line.report.first_submitted_at),
    "name": lambda waiting: waiting.line.tournament.name.casefold(),
    "turn": lambda waiting: waiting.line.acted_at,
    "ended": lambda waiting: waiting.line.tournament.played_to,
    # A list whose day is not chosen yet comes last.
    "list": lambda waiting: (waiting.list.in_force or date.max, waiting.list.pool_code),
}
COLUMNS = (
    SortColumn("name", _("Tournament")),
    SortColumn("received", _("Received"), style="table__wide"),
    SortColumn("turn", _("Waiting for, since")),
    SortColumn("ended", _("Last round"), style="table__wide"),
    SortColumn("list", _("List"), style="table__wide"),
)


@require_access(check_can_see_inbox, "GET", "HEAD")
def inbox(request: OfficeRequest) -> HttpResponse:
    """Reports that wait for the office, oldest first, returned reports, and announced tournaments without a report."""
    form = InboxForm(request.GET)
    form.full_clean()
    filters = {name: str(value) for name, value in form.cleaned_data.items() if value}
    state = filters.get("state", "")
    user = request.user
    reports = selectors.submitted_reports(STATES[state][1])
    if state == "accepted":
        reports = rating_lists().uncounted_reports(reports)
    lines = selectors.inbox_lines(reports.annotate(left_accounts=new_accounts(user)))
    lists = rating_lists().coming_lists([line.report for line in lines])
    missing = selectors.missing_reports()
    countries = {line.tournament.country for line in lines if line.tournament.country}
    countries |= {late.announcement.country for late in missing if late.announcement.country}
    form.offer_federations(sorted(countries, key=lambda country: country.code))
    if federation := filters.get("federation"):
        lines = [line for line in lines if line.tournament.country_id == federation]
        missing = [late for late in missing if late.announcement.country_id == federation]
    if "late" in filters:
        lines = [line for line in lines if line.report.days_late > 0]
        missing = [late for late in missing if late.days_late > 0]
    waiting = [WaitingReport(line, lists[line.report.pk]) for line in lines]
    sort = SortForm(request.GET, SORTS).order
    waiting.sort(key=SORTS[sort.removeprefix("-") or "received"], reverse=sort.startswith("-"))
    page = Paginator(waiting, REPORTS_PER_PAGE).get_page(PageForm(request.GET).number)
    clean = []
    if not refusal_message(check_can_accept_several, user):
        shown = [waiting.line for waiting in page.object_list]
        clean = [line.report.pk for line in clean_lines(shown, user)]

    def href(**changes: str) -> str:
        query = filters | {"sort": sort} | changes
        return "?" + urlencode({name: value for name, value in query.items() if value})

    context = {
        "form": form,
        "lines": page.object_list,
        "clean": clean,
        "total": page.paginator.count,
        "pager": pager_of(page, filters | {"sort": sort}),
        "remind_refusal": refusal_message(require_role, request.user, *OFFICE_ROLES),
        "missing": missing,
        "notes": selectors.notes_to_answer(),
        "sort": sort,
        "filtered": bool(filters),
        "headings": [*sort_headings(COLUMNS, sort or "received", href)],
    }
    return render(request, "reporting/review/inbox.html", context)


class SeveralForm(forms.Form):
    """Reports to accept at once, each as its number and the number of the version that was seen: `12-3`."""

    report = forms.MultipleChoiceField(required=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        # A value of any other form chooses nothing.
        reports: Any = self.fields["report"]
        reports.valid_value = SEVERAL.fullmatch

    @property
    def versions(self) -> dict[int, int]:
        """The version that was seen of each report, by its number; none if a value is of another form."""
        self.full_clean()
        chosen = self.cleaned_data.get("report", [])[:REPORTS_PER_PAGE]
        return {int(report): int(version) for report, version in (value.split("-") for value in chosen)}


def check_can_accept_several(user: User) -> None:
    require_role(user, *OFFICE_ROLES)


@require_access(check_can_accept_several, "GET", "HEAD", "POST")
@step_up(lambda _: gettext("accept these reports"), is_confirmed=confirmed_for_results)
def accept_clean_reports(request: OfficeRequest) -> HttpResponse:
    """The reports chosen in the inbox, with their figures; confirmed, they are accepted one by one."""
    if request.method == "POST":
        versions = SeveralForm(request.POST).versions
        reports = selectors.reports_by_number(versions)
        outcome = accept_several(
            reports=[(reports[number], seen) for number, seen in versions.items() if number in reports],
            by=actor(request),
        )
        if count := len(outcome.accepted):
            accepted = ngettext("%(count)s report accepted.", "%(count)s reports accepted.", count)
            messages.success(request, accepted % {"count": count})
        for report, refusal in outcome.left_out:
            left_out = gettext("%(name)s was left out. %(reason)s")
            values = {"name": report.result_set.name if report.result_set else "", "reason": refusal.message}
            messages.warning(request, left_out % values)
        return redirect("office-reports")
    versions = SeveralForm(request.GET).versions
    chosen = selectors.inbox_lines(selectors.submitted_reports(Q(pk__in=versions)))
    clean = clean_lines(chosen, request.user)
    context = {
        "lines": clean,
        "left_out": [line for line in chosen if line not in clean],
        "players": sum(line.version.players for line in clean),
        "games": sum(line.version.games for line in clean),
    }
    return render(request, "reporting/review/accept_several.html", context)


@require_access(check_can_see_inbox, "POST")
def remind(request: OfficeRequest, number: int) -> HttpResponse:
    """Remind the sender of an announcement that the report is missing, and return to the inbox."""
    announcement = announced_tournament(number)
    if announcement is None:
        raise Http404(gettext("There is no such announcement."))
    reminded = send_report_reminder(announcement=announcement, by=actor(request))
    names = {"name": reminded.announced_by.name, "tournament": reminded.name}
    messages.success(request, gettext("Reminder about %(tournament)s sent to %(name)s.") % names)
    return redirect(f"{reverse('office-reports')}#missing")
