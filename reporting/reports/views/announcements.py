"""Tournaments are announced before their first round, and announcements withdrawn (R11)."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy, ngettext

from reporting.accounts.views.step_up import confirm_identity, confirmed_for_results
from reporting.formats.tournament_details.reader import details_from_values
from reporting.models import Role, Tournament, User
from reporting.policies import (
    OFFICE_ROLES,
    can_change_announcement,
    check_can_announce,
    check_can_upload,
)
from reporting.refusals.domain_error import DomainError
from reporting.reports.forms import Group, TournamentDetailsForm, parse_value, suggestions
from reporting.reports.selectors import reports as selectors
from reporting.reports.services.announce import (
    LONG_DAYS,
    MARKS,
    Question,
    announce_tournament,
    change_announcement,
    similar_announcements,
    state_digest,
    withdraw_announcement,
)
from reporting.reports.services.edit_report import announced_details, choose_announcement
from reporting.reports.views.reports import (
    WithdrawForm,
    based_on_in,
    confirm_version,
    report_or_404,
)
from reporting.reports.views.steps.time_control import TimeControlSummary, time_control_summary
from reporting.reports.views.upload import AnnouncementForm
from reporting.rules.findings.finding_list import Finding
from reporting.rules.register.countries import country_code
from reporting.rules.regulations.editions import announcement_days
from reporting.web.access import OfficeRequest, actor, require_access
from reporting.web.attempt import Attempt
from reporting.web.error_summary import fields_of_findings
from reporting.web.forms import cleaned, set_choices
from reporting.web.http_cache import requested_fragment
from reporting.web.panels import panels_at
from reporting.web.values import days

ANNOUNCEMENT_FIELDS = (
    (gettext_lazy("Tournament"), ("name", "place", "country", "system", "played_from", "played_to")),
    (gettext_lazy("Discipline and time control"), ("rating_system", "discipline", "time_control")),
)
CHAMPIONSHIP_FIELDS = ((gettext_lazy("Kind of tournament"), ("national_championship",)),)
OFFICE_ANNOUNCEMENT_FIELDS = (
    (gettext_lazy("Kind of tournament"), ("official", "national_championship")),
    (gettext_lazy("Announced by other means"), ("announced",)),
)
SHOWN_REFUSALS = (
    "too_long",
    "announcement_refused",
    "announcement_questions",
    "announcement_changed",
    "forbidden.championship",
)
MARK_CHOICES = {
    "official": (("false", gettext_lazy("No")), ("true", gettext_lazy("Yes"))),
    "national_championship": (
        ("no", gettext_lazy("No")),
        ("final", gettext_lazy("Final")),
        ("qualification", gettext_lazy("Qualification")),
    ),
}


@require_access(check_can_announce, "GET", "HEAD", "POST")
def announce(request: OfficeRequest) -> HttpResponse:
    """Announce a tournament; below, the earlier announcements of the reader."""
    user = request.user
    form = announcement_form(request, user)
    attempt = Attempt()
    if requested_fragment(request) == "result":
        return result_fragment(request, form)
    if request.method == "POST":
        with attempt:
            if not form.is_valid():
                raise DomainError("too_long")
            confirm_what_admits(request, form)
            announcement = announce_tournament(
                values=form.cleaned_data, by=actor(request), confirmed=confirmed_in(request)
            )
            if announcement.already_there:
                add_already_announced(request, announcement)
                return redirect(f"{reverse('report-announce')}#announced")
            add_notice_message(request, announcement)
            return redirect("report-announce")
    announcements = selectors.announcements_to_change(user)
    context = {"announcements": announcements, "row_panels": panels_at("announcements", announcements)}
    return announcement_page(request, form, attempt, context)


@require_access(check_can_announce, "GET", "HEAD", "POST")
def change(request: OfficeRequest, number: int) -> HttpResponse:
    """Change an announcement before its report is submitted."""
    user = request.user
    announcement = selectors.announced_tournament(number)
    if announcement is None or not can_change_announcement(user, announcement):
        raise Http404(gettext("There is no such announcement, or it is not yours."))
    form = announcement_form(request, user, announcement)
    attempt = Attempt()
    if requested_fragment(request) == "result":
        return result_fragment(request, form, announcement)
    if request.method == "POST":
        with attempt:
            if not form.is_valid():
                raise DomainError("too_long")
            confirm_what_admits(request, form, announcement)
            seen = SeenForm(request.POST)
            announcement = change_announcement(
                announcement=announcement,
                based_on=cleaned(seen)["based_on"],
                values=form.cleaned_data,
                by=actor(request),
                confirmed=confirmed_in(request),
            )
            messages.success(
                request, gettext("Announcement of %(name)s saved.") % {"name": announcement.name}
            )
            add_notice_message(request, announcement)
            return redirect("report-announce")
        announcement.refresh_from_db()
    context = {
        "announcement": announcement,
        "based_on": state_digest(announcement),
        "panels": panels_at("announcement", announcement),
    }
    return announcement_page(request, form, attempt, context)


def confirm_what_admits(
    request: OfficeRequest, form: TournamentDetailsForm, announcement: Tournament | None = None
) -> None:
    """Ask for password or factor where a day or a mark is said that can spare a report its admission (R11)."""
    before = announced_details(announcement)
    said = {name: form.cleaned_data.get(name) for name in ("announced", *MARKS)}
    if any(
        value not in ("", "no", "false", None) and parse_value(name, str(value)) != before.get(name)
        for name, value in said.items()
    ):
        confirm_identity(
            request, lambda: gettext("announce a tournament"), is_confirmed=confirmed_for_results
        )


class SeenForm(forms.Form):
    """The values of an announcement that its form was filled in on."""

    based_on = forms.RegexField(r"\A[0-9a-f]{16}\Z", required=False)


def result_fragment(
    request: OfficeRequest, form: TournamentDetailsForm, announcement: Tournament | None = None
) -> HttpResponse:
    """What the values of the form say, in words; nothing is stored."""
    return render(
        request,
        "reporting/announcements/announce.html#result",
        {"result": result_in_words(form, announcement)},
    )


@dataclass(frozen=True)
class AnnouncedResult:
    """What the values of a form say: the announcement that they would make, its days, and how its games count."""

    announcement: Tournament
    days: int
    time_control: Sequence[TimeControlSummary]


def result_in_words(form: TournamentDetailsForm, announcement: Tournament | None) -> AnnouncedResult | None:
    """The result of the values of a form; None while the days cannot be read. 0 queries or 1."""
    typed = {field.name: str(field.value() or "").strip() for field in form}
    details, _ = details_from_values(
        {name: value for name, value in typed.items() if value and name not in MARKS}
    )
    if details is None or not details.played_from or not details.played_to:
        return None
    announced = details.announced or (announcement.announced_on if announcement else timezone.localdate())
    known = Tournament(
        pk=announcement.pk if announcement else None,
        name=details.name,
        place=details.place,
        country_id=country_code(details.country),
        played_from=details.played_from,
        played_to=details.played_to,
        discipline=details.discipline,
        rating_system=details.rating_system,
        announced_on=announced,
    )
    length = (known.played_to - known.played_from).days + 1
    return AnnouncedResult(known, length, time_control_summary(details)) if length > 0 else None


class ConfirmedForm(forms.Form):
    """The questions about an announcement that the person answered with yes."""

    confirmed = forms.MultipleChoiceField(
        required=False, choices=[(question.value, question.value) for question in Question]
    )


def confirmed_in(request: OfficeRequest) -> list[str]:
    """The questions that were confirmed; none where a value is of another form."""
    form = ConfirmedForm(request.POST)
    return form.cleaned_data["confirmed"] if form.is_valid() else []


def announcement_form(
    request: OfficeRequest, user: User, announcement: Tournament | None = None
) -> TournamentDetailsForm:
    """The form of an announcement, with the marks that the person may give."""
    groups: Sequence[Group] = ANNOUNCEMENT_FIELDS
    if user.has_role(*OFFICE_ROLES):
        groups = (*groups, *OFFICE_ANNOUNCEMENT_FIELDS)
    elif user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id is not None:
        groups = (*groups, *CHAMPIONSHIP_FIELDS)
    form = TournamentDetailsForm(
        request.POST if request.method == "POST" else None,
        values=announced_details(announcement),
        asked=groups,
    )
    for name, choices in MARK_CHOICES.items():
        if name in form.fields:
            set_choices(form, name, choices)
    return form


def announcement_page(
    request: OfficeRequest, form: TournamentDetailsForm, attempt: Attempt, context: Mapping[str, Any]
) -> HttpResponse:
    """The form of an announcement with its findings at their fields; other refusals are raised."""
    problem = attempt.refusal
    if problem is not None and problem.code not in SHOWN_REFUSALS:
        raise problem  # no field of the form answers it
    findings: Sequence[Finding] = problem.findings if problem else ()
    of_fields = [found for found in findings if found.code != Question.ALIKE]  # that one has its own place
    form.mark(of_fields)
    result = result_in_words(form, context.get("announcement"))
    asks_alike = any(found.code == Question.ALIKE for found in findings)
    context = {
        **context,
        "form": form,
        "invalid_fields": fields_of_findings(form, of_fields),
        "groups": [
            (
                label,
                [(field, [found for found in of_fields if found.field == field.name]) for field in fields],
            )
            for label, fields in form.groups()
        ],
        "confirmed": confirmed_in(request),
        "proposed_last_day": proposed_last_day(form, findings),
        "result": result,
        "alike": similar_announcements(result.announcement) if asks_alike and result else [],
        "suggestions": suggestions(),
        "problem": problem,
        "notice_days": announcement_days(timezone.localdate()),
    }
    status = HTTPStatus.BAD_REQUEST if problem else HTTPStatus.OK
    return render(request, "reporting/announcements/announce.html", context, status=status)


def proposed_last_day(form: TournamentDetailsForm, findings: Sequence[Finding]) -> date | None:
    """For a long tournament the same day of the year in which it begins, where that makes it short."""
    if Question.LONG not in {found.code for found in findings}:
        return None
    first, last = (parse_value(name, str(form[name].value() or "")) for name in ("played_from", "played_to"))
    if not isinstance(first, date) or not isinstance(last, date):
        return None
    with suppress(ValueError):  # 29 February
        same = last.replace(year=first.year)
        return same if 0 <= (same - first).days < LONG_DAYS else None
    return None


def add_already_announced(request: OfficeRequest, announcement: Tournament) -> None:
    """Say that the same announcement was there and nothing was stored, with the link to it."""
    link = format_html(
        '<a href="{}">{}</a>',
        reverse("report-announcement-change", args=[announcement.pk]),
        announcement.name,
    )
    text = gettext("You have already announced {name}, {days}. Nothing was changed.")
    played = days(announcement.played_from, announcement.played_to)
    messages.info(request, format_html(text, name=link, days=played), extra_tags="announced")


def add_notice_message(request: OfficeRequest, announcement: Tournament) -> None:
    """Say whether an announcement is in time (R11)."""
    notice = announcement.notice_days
    values = {
        "name": announcement.name,
        "days": number_format(notice, force_grouping=True),
        "required": announcement.required_notice_days,
    }
    if announcement.official or announcement.national_championship:
        text = gettext("%(name)s is marked as official or as a national championship. It needs no notice.")
        messages.success(request, text % values)
        return
    if announcement.required_notice_days is None:
        messages.success(request, gettext("%(name)s is announced.") % values)
        return
    if announcement.is_in_time:
        text = ngettext(
            "%(name)s is announced in time, %(days)s day before its first round. Required: %(required)s.",
            "%(name)s is announced in time, %(days)s days before its first round. Required: %(required)s.",
            notice,
        )
        messages.success(request, text % values)
        return
    late = gettext("%(name)s is announced late, not before its first round. Required: %(required)s days.")
    if notice > 0:
        late = ngettext(
            "%(name)s is announced late, %(days)s day before its first round. Required: %(required)s days.",
            "%(name)s is announced late, %(days)s days before its first round. Required: %(required)s days.",
            notice,
        )
    consequence = gettext(
        "Unless it is official or a national championship, its report counts only if the rating officer admits it with"
        " a written reason (R11)."
    )
    messages.warning(request, f"{late % values} {consequence}")


@require_access(check_can_announce, "POST")
def withdraw(request: OfficeRequest, number: int) -> HttpResponse:
    """Withdraw the announcement of a tournament that will not be played."""
    user = request.user
    announcement = selectors.announced_tournament(number)
    if announcement is None or (announcement.announced_by_id != user.pk and not user.has_role(*OFFICE_ROLES)):
        raise Http404(gettext("There is no such announcement, or it is not yours."))
    attempt = Attempt()
    with attempt:
        values = cleaned(WithdrawForm(request.POST))
        withdraw_announcement(announcement=announcement, **values, by=actor(request))
        messages.success(
            request,
            gettext("Announcement of %(name)s withdrawn. It stays in the list.")
            % {"name": announcement.name},
        )
        return redirect("report-announce")
    if attempt.refusal and attempt.refusal.code != "reason_missing":
        raise attempt.refusal
    problem = gettext("%(name)s was not withdrawn: enter a reason.") % {"name": announcement.name}
    messages.error(request, problem, extra_tags="announced")
    return redirect(f"{reverse('report-announce')}#announced")


@require_access(check_can_upload, "POST")
def choose(request: OfficeRequest, number: int) -> HttpResponse:
    """Choose the announcement of a report."""
    opened = report_or_404(request, number)
    form = AnnouncementForm(request.POST, announcements=selectors.announcement_choices(opened.report))
    if not form.is_valid():
        raise DomainError("announcement_unknown")
    saved = choose_announcement(
        report=opened.report,
        based_on=based_on_in(request),
        announcement=form.cleaned_data["announcement"],
        by=actor(request),
    )
    confirm_version(request, saved.version, "announced")
    return redirect(f"{reverse('report-details', args=[number])}#announced")
