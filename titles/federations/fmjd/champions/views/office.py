"""The office pages of champions: medals to enter and withdraw, and title matches."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from reporting.accounts.views.step_up import confirmed_for_results, step_up
from reporting.refusals.domain_error import DomainError
from reporting.web.access import OfficeRequest, actor, require_access
from reporting.web.attempt import Attempt, confirm
from reporting.web.paging import rows_on_page
from titles.federations.fmjd.champions.forms import ActionForm, MedalForm, TitleMatchForm, WithdrawalForm
from titles.federations.fmjd.champions.labels import championship_label, problem_sentence
from titles.federations.fmjd.champions.medals import all_podiums, entered_medals, find_entered_medal
from titles.federations.fmjd.champions.services import (
    enter_medal,
    find_title_match,
    record_title_match,
    withdraw_medal,
)
from titles.federations.fmjd.rules.championship_kinds import ChampionshipKind
from titles.policies import check_can_enter_champions

SAME_AS_BEFORE = ("area", "section", "tempo", "group", "event", "year", "source")
"""What the next medal of a championship has in common with the one entered."""


@require_access(check_can_enter_champions, "GET", "HEAD", "POST")
@step_up(lambda _: gettext("enter or withdraw medals"), is_confirmed=confirmed_for_results)
def champions(request: OfficeRequest) -> HttpResponse:
    """Enter a medal, withdraw one, and what needs attention. 14 queries."""
    entry, withdrawal = MedalForm(initial=request.session.pop("medal", {})), None
    attempt, action = Attempt(), ActionForm(request.POST)
    if request.method == "POST" and not action.is_valid():
        raise DomainError("unknown_action")
    if request.method == "POST" and action.cleaned_data["action"] == "withdraw":
        withdrawal = WithdrawalForm(request.POST)
        attempt = Attempt(withdrawal)
        if attempt.is_valid:
            medal = find_entered_medal(withdrawal.cleaned_data["medal"])
            if medal is None:
                raise Http404
            with attempt:
                withdraw_medal(medal=medal, reason=withdrawal.cleaned_data["reason"], by=actor(request))
                confirm(request, gettext("Entry withdrawn."))
                return redirect("office-champions")
    elif request.method == "POST":
        entry = MedalForm(request.POST)
        attempt = Attempt(entry)
        if attempt.is_valid:
            with attempt:
                enter_medal(by=actor(request), **entry.medal)
                confirm(
                    request,
                    gettext("Medal entered. The form is ready for the next one of this championship."),
                )
                request.session["medal"] = {name: entry.cleaned_data[name] for name in SAME_AS_BEFORE}
                return redirect(reverse("office-champions"))
    podiums = all_podiums(published=False)
    rows = rows_on_page(request, entered_medals())
    context = {
        "form": entry,
        "withdrawal": withdrawal,
        "refusal": attempt.refusal,
        "rows": rows,
        "entries": [
            (medal, championship_label(ChampionshipKind.of(medal.championship))) for medal in rows.rows
        ],
        "problems": [problem_sentence(problem) for problem in podiums.problems],
        "matches": [
            (podium, championship_label(podium.kind))
            for podium in podiums.podiums
            if podium.kind.has_title_match
        ],
    }
    return render(request, "titles/champions/office.html", context, status=attempt.status)


@require_access(check_can_enter_champions, "GET", "HEAD", "POST")
@step_up(lambda _, **__: gettext("record a title match"), is_confirmed=confirmed_for_results)
def title_match(request: OfficeRequest, code: str, year: int) -> HttpResponse:
    """The title match after a championship: who has the right to it, what happened, and what to record. 10 queries."""
    try:
        kind = ChampionshipKind.of(code)
    except ValueError as error:
        raise Http404 from error
    match = find_title_match(kind, year)
    if match is None:
        raise Http404
    form = TitleMatchForm(match, request.POST if request.method == "POST" else None)
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            record_title_match(kind=kind, year=year, by=actor(request), **form.step)
            confirm(request, gettext("Recorded."))
            return redirect("office-title-match", code, year)
    context = {
        "match": match,
        "name": championship_label(kind),
        "form": form,
        "refusal": attempt.refusal,
    }
    return render(request, "titles/champions/title_match.html", context, status=attempt.status)
