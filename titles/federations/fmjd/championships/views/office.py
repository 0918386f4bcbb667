"""The pages of championships for the office: all, a new one, one with its places, and what is said of it."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext

from reporting.accounts.views.step_up import confirmed_for_results, step_up
from reporting.refusals.domain_error import DomainError
from reporting.web.access import OfficeRequest, actor, refusal_message, require_access
from reporting.web.attempt import Attempt, confirm
from reporting.web.paging import rows_on_page
from titles.federations.fmjd.championships.forms import (
    ACT_FORMS,
    ActForm,
    ChampionshipForm,
    ChosenPlayerForm,
    NewChampionshipForm,
    PublishForm,
    SeenForm,
    StandingForm,
    years_of_standing,
)
from titles.federations.fmjd.championships.labels import (
    ARTICLES,
    REFUSED,
    SOURCES,
    STATES,
    due_rows,
    handed_on_notes,
    item_label,
    match_label,
    match_value,
)
from titles.federations.fmjd.championships.publication import key_of_list, publications_of
from titles.federations.fmjd.championships.selectors import (
    ChampionshipPage,
    championship_page,
    championships,
    find_championship,
    given_championship,
    player_by_id,
    standing_decisions,
)
from titles.federations.fmjd.championships.services.decide_standing import decide_standing
from titles.federations.fmjd.championships.services.record_lot import record_lot
from titles.federations.fmjd.championships.services.record_places import move_place, name_players
from titles.federations.fmjd.championships.services.save_championship import (
    change_championship,
    create_championship,
    values_of,
)
from titles.federations.fmjd.championships.title_match import differences
from titles.federations.fmjd.models import Championship
from titles.federations.fmjd.world_cup.publications.outdated import outdated_publications
from titles.federations.fmjd.world_cup.publications.selectors import names_of
from titles.federations.fmjd.world_cup.publications.steps import request_publication
from titles.policies import (
    check_can_manage_championships,
    check_can_prepare_publication,
    check_can_see_world_cup,
)


@require_access(check_can_see_world_cup, "GET", "HEAD", "POST", may_post=check_can_manage_championships)
@step_up(lambda _: gettext("record the standing of a federation"), is_confirmed=confirmed_for_results)
def office_championships(request: OfficeRequest) -> HttpResponse:
    """All championships, and the federations that are not in good standing, by year."""
    years = years_of_standing(timezone.localdate())
    form = StandingForm(years, request.POST if request.method == "POST" else None)
    attempt = Attempt(form if form.is_bound else None)
    if attempt.is_valid:
        with attempt:
            decide_standing(by=actor(request), **form.cleaned_data)
            confirm(request, gettext("Standing recorded."), "standing")
            return redirect(request.path + "#standing")
    context = {
        "championships": championships(),
        "decisions": sorted(
            standing_decisions(years).values(), key=lambda one: (-one.year, one.federation_id)
        ),
        "form": form,
        "refusal": attempt.refusal,
        "may_change": not refusal_message(check_can_manage_championships, request.user),
    }
    return render(request, "titles/championships/office_list.html", context, status=attempt.status)


@require_access(check_can_manage_championships, "GET", "HEAD", "POST")
@step_up(lambda _: gettext("create a championship"), is_confirmed=confirmed_for_results)
def office_championship_new(request: OfficeRequest) -> HttpResponse:
    """The form of a new championship."""
    form = NewChampionshipForm(request.POST if request.method == "POST" else None)
    attempt = Attempt(form if form.is_bound else None)
    if attempt.is_valid:
        with attempt:
            made = create_championship(
                kind=Championship.Kind(form.cleaned_data["kind"]), values=form.values, by=actor(request)
            )
            confirm(request, gettext("Championship created."))
            return redirect("office-championship", made.code)
    context = {"form": form, "refusal": attempt.refusal}
    return render(request, "titles/championships/edit.html", context, status=attempt.status)


@require_access(check_can_manage_championships, "GET", "HEAD", "POST")
@step_up(
    lambda _, code: gettext("change championship %(code)s") % {"code": code},
    is_confirmed=confirmed_for_results,
)
def office_championship_change(request: OfficeRequest, code: str) -> HttpResponse:
    """The form of a championship's days, title match and previous championship."""
    championship = _championship(code)
    form = ChampionshipForm(
        request.POST if request.method == "POST" else None, initial=vars(values_of(championship))
    )
    attempt, seen = Attempt(form if form.is_bound else None), championship.version
    if request.method == "POST":
        sent = SeenForm(request.POST)
        sent.is_valid()
        seen = sent.cleaned_data.get("seen") or 0
    if attempt.is_valid:
        with attempt:
            change_championship(championship=championship, values=form.values, by=actor(request), seen=seen)
            confirm(request, gettext("Championship changed."))
            return redirect("office-championship", code)
    days = [withdrawal.day for withdrawal in given_championship(championship)[0].withdrawals]
    context = {
        "form": form,
        "championship": championship,
        "seen": seen,
        "refusal": attempt.refusal,
        "withdrawals": len(days),
        "by_rule": sum(day < championship.council_day for day in days),
    }
    return render(request, "titles/championships/edit.html", context, status=attempt.status)


@require_access(check_can_see_world_cup, "GET", "HEAD", "POST", may_post=check_can_manage_championships)
@step_up(
    lambda _, code: gettext("decide about championship %(code)s") % {"code": code},
    is_confirmed=confirmed_for_results,
)
def office_championship(request: OfficeRequest, code: str) -> HttpResponse:
    """A championship if it were published now: its places, names, answers, lots and reserve list. 42 queries."""
    championship = _championship(code)
    page = championship_page(championship)
    forms = {form.action: form(page) for form in _offered(request)}
    chosen = ChosenPlayerForm(request.GET)
    if "answer" in forms and chosen.is_valid():
        forms["answer"].initial["player"] = chosen.cleaned_data["player"]
    attempt = Attempt()
    if request.method == "POST":
        sent = SeenForm(request.POST)
        if not sent.is_valid() or sent.cleaned_data["action"] not in forms:
            raise DomainError("unknown_action")
        action, seen = sent.cleaned_data["action"], sent.cleaned_data["seen"] or 0
        sent_form = type(forms[action])
        forms[action] = sent_form(page, request.POST)
        attempt = Attempt(forms[action])
        if attempt.is_valid:
            with attempt:
                return _act(request, page, forms[action], seen)
        if attempt.status is not HTTPStatus.BAD_REQUEST:
            championship = _championship(code)
            page = championship_page(championship)
    outdated = outdated_publications() or {}
    context = {
        "page": page,
        "championship": championship,
        "due": due_rows(page.due),
        "forms": forms.values(),
        "places": [
            (row, item_label(row.item), SOURCES[row.place.source], STATES[row.state]) for row in page.places
        ],
        "findings": [
            (row, row.player.numbers["fmjd"], REFUSED[row.finding.code] if row.finding else "")
            for row in page.findings
        ],
        "reserves": rows_on_page(request, [(row, SOURCES[row.reserve.source]) for row in page.reserves]),
        "refusal": attempt.refusal,
        "seen": championship.version,
        "may_change": not refusal_message(check_can_manage_championships, request.user),
        "years": range(championship.year - page.given.parameters.group_a_years, championship.year),
        "article": ARTICLES[Championship.Kind(championship.kind)],
        "publications": [(one, outdated.get(one.pk)) for one in publications_of(code)],
        "differences": _differences(page),
        "notes": handed_on_notes(page.given.items, [row.place.kind for row in page.places]),
        "refused": [page.found.players[number] for number in page.given.refused],
        "taken": sum(row.holder is not None for row in page.places),
    }
    return render(request, "titles/championships/office.html", context, status=attempt.status)


def _differences(page: ChampionshipPage) -> list[tuple[str, str, str]]:
    found = differences(page.given)
    values = [
        one for _, *both in found for value in both for one in (value if isinstance(value, list) else [value])
    ]
    names = names_of(value for value in values if type(value) is int)
    return [
        (match_label(name), match_value(here, names), match_value(there, names))
        for name, here, there in found
    ]


def _offered(request: OfficeRequest) -> Sequence[type[ActForm]]:
    """The forms that the reader can use."""
    if refusal_message(check_can_manage_championships, request.user):
        return ()
    may_publish = not refusal_message(check_can_prepare_publication, request.user)
    return [form for form in ACT_FORMS if form is not PublishForm or may_publish]


def _act(request: OfficeRequest, page: ChampionshipPage, form: ActForm, seen: int) -> HttpResponse:
    """Do what a form of the page asks for, and go where it shows."""
    by, entered = actor(request), form.cleaned_data
    given: dict[str, Any] = {"championship": page.championship, "by": by, "seen": seen}
    if form.action == "publish":
        key = key_of_list(entered["kind"], page.championship.code)
        made = request_publication(key=key, reason=entered["reason"], by=by)
        return redirect("office-publication", made.pk)
    if form.action == "name":
        name_players(**given, **entered)
        confirm(request, gettext("Names recorded."), "name")
    elif form.action == "answer":
        move_place(**given, **entered | {"player": player_by_id(entered["player"])})
        confirm(request, gettext("Recorded."), "answer")
    else:
        record_lot(**given, **entered)
        confirm(request, gettext("Lot recorded."), "lot")
    return redirect(f"{request.path}#{form.action}")


def _championship(code: str) -> Championship:
    try:
        return find_championship(code)
    except Championship.DoesNotExist as missing:
        raise Http404 from missing
