"""The title council's pages: norms of drafts, one norm with its evidence, a claim."""

from datetime import date
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from ratings.models import RatingList
from ratings.published.views.tournaments.played import head, stamp_or_404
from ratings.queries.addresses import published_players
from ratings.queries.tournaments import counted_tournament
from reporting.accounts.views.step_up import confirmed_for_results, step_up
from reporting.refusals.domain_error import DomainError
from reporting.register.selectors.register import players_by_number
from reporting.web.access import OfficeRequest, actor, refusal_message, require_access
from reporting.web.attempt import Attempt
from reporting.web.error_summary import fields_of_boxes
from reporting.web.http_cache import public_page
from reporting.web.paging import rows_on_page
from reporting.web.panels import panels_at
from reporting.web.query_params import declare_parameters
from titles.federations.registry import awarding_systems
from titles.ledger.effects import effects_of
from titles.models import Norm
from titles.norms import selectors
from titles.norms.forms import FILTER_CHOICES, ClaimForm, DecideForm, DecisionForm, NormFilterForm
from titles.norms.services.decide_norms import OPEN, claim_norm, decide_norms
from titles.policies import check_can_decide_norms, check_can_see_norms

NORMS_PER_PAGE = 50


def list_or_404(pool: str, in_force: date) -> RatingList:
    """The draft of a period; where there is none, its published list."""
    newest = selectors.find_list(pool, in_force)
    if newest is None:
        raise Http404("There is no such list.")
    return newest


def may_decide(request: OfficeRequest, draft: RatingList) -> bool:
    return draft.state in OPEN and not refusal_message(check_can_decide_norms, request.user)


@require_access(check_can_see_norms, "GET", "HEAD")
def norm_drafts(request: OfficeRequest) -> HttpResponse:
    """The drafts whose norms can be seen, with how many wait for a decision."""
    context = {"drafts": selectors.drafts_with_norms(), "panels": panels_at("norm-drafts", request.user)}
    return render(request, "titles/norm_drafts.html", context)


@require_access(check_can_see_norms, "GET", "HEAD", "POST", may_post=check_can_decide_norms)
@step_up(lambda _, **__: gettext("decide about norms"), is_confirmed=confirmed_for_results)
def norms_of_draft(request: OfficeRequest, pool: str, in_force: date) -> HttpResponse:
    """The norms of a draft; several are decided at once. After publication the tournaments have them, in public."""
    draft = list_or_404(pool, in_force)
    if draft.state == RatingList.State.PUBLISHED and request.method != "POST":
        return redirect("list-tournaments", pool, in_force, draft.revision)
    filters = NormFilterForm(request.GET)
    show = (filters.cleaned_data["show"] if filters.is_valid() else "") or "open"
    form = DecideForm(
        request.POST if request.method == "POST" else None,
        norms=selectors.norm_numbers(draft) if request.method == "POST" else (),
    )
    attempt = Attempt(form)
    if attempt.is_valid and not form.selects:
        with attempt:
            decisions = decide_norms(
                rating_list=draft,
                norms=form.cleaned_data["norms"],
                is_confirmed=form.cleaned_data["action"] == "confirm",
                reason=form.cleaned_data["reason"],
                seen=form.cleaned_data["seen"],
                by=actor(request),
            )
            messages.success(
                request,
                ngettext("%(count)s norm decided.", "%(count)s norms decided.", len(decisions))
                % {"count": len(decisions)},
            )
            return redirect(request.get_full_path())
    rows = rows_on_page(request, list(selectors.norms_of_draft(draft, show)), most=NORMS_PER_PAGE)
    norms = selectors.shown(rows.rows)
    unneeded = list(selectors.norms_of_draft(draft, "unneeded")) if show == "open" else []
    effects = effects_of(draft, [*(found.norm for found in norms), *unneeded])
    chosen = {int(text) for text in form["norms"].value() or () if str(text).isdecimal()}
    if form.is_bound and form.selects:
        chosen = {found.norm.pk for found in norms if found.may_be_decided and form.selects == "all"}
    counts = selectors.filter_counts(draft)
    context = {
        "draft": draft,
        "filters": [(value, label, counts[value]) for value, label in FILTER_CHOICES],
        "show": show,
        "lines": [(found, effects[found.norm.pk]) for found in norms],
        "unneeded": [(norm, effects[norm.pk]) for norm in unneeded],
        "completing": sum(effects[found.norm.pk].is_new for found in norms),
        "seen": max((made.pk for one in norms for made in one.decisions), default=0),
        "rows": rows,
        "form": form,
        "chosen": chosen,
        "refusal": attempt.refusal,
        "invalid_fields": fields_of_boxes(
            form, "norms", [found.norm.pk for found in norms if found.may_be_decided]
        ),
        "may_decide": may_decide(request, draft),
        "undecided": counts["open"],
    }
    return render(request, "titles/norms.html", context, status=attempt.status)


@require_access(check_can_see_norms, "GET", "HEAD", "POST", may_post=check_can_decide_norms)
@step_up(lambda _, **__: gettext("decide about norms"), is_confirmed=confirmed_for_results)
def norm(request: OfficeRequest, number: int) -> HttpResponse:
    """A norm with its evidence: requirements, opponents, decisions; the form decides it."""
    try:
        found = selectors.find_norm(number)
    except Norm.DoesNotExist:
        raise Http404("There is no such norm.") from None
    draft = found.norm.list
    form = DecisionForm(request.POST if request.method == "POST" else None)
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            decide_norms(
                rating_list=draft,
                norms=[number],
                is_confirmed=form.cleaned_data["action"] == "confirm",
                reason=form.cleaned_data["reason"],
                seen=form.cleaned_data["seen"],
                by=actor(request),
            )
            messages.success(request, gettext("Decision saved."))
            return redirect("norm", number)
        found = selectors.find_norm(number)  # with what was decided meanwhile
    context = {
        "found": found,
        "norm": found.norm,
        "draft": draft,
        "seen": found.decision.pk if found.decision else 0,
        "opponents": selectors.opponents_of(found.norm),
        "form": form,
        "refusal": attempt.refusal,
        "may_decide": may_decide(request, draft) and found.may_be_decided,
        "is_signed": draft.state not in OPEN,
    }
    return render(request, "titles/norm.html", context, status=attempt.status)


@login_not_required
@require_safe
@declare_parameters()
def public_norm(request: OfficeRequest, number: int) -> HttpResponseBase:
    """What a confirmed norm or a near miss of a published list was decided by."""
    try:
        found = selectors.published_norm(number)
    except Norm.DoesNotExist:
        raise Http404("There is no such norm.") from None
    context = {"found": found, "norm": found.norm}

    def render_page() -> str:
        return render_to_string("titles/public_norm.html", context, request)

    return public_page(request, ("norm", number, found.norm.player.printed_name), render_page)


@require_access(check_can_decide_norms, "GET", "HEAD", "POST")
@step_up(lambda _, **__: gettext("claim a norm"), is_confirmed=confirmed_for_results)
def claim(request: OfficeRequest, pool: str, in_force: date) -> HttpResponse:
    """Claim a norm that was not found; its page then shows which requirements are met."""
    draft = list_or_404(pool, in_force)
    if draft.system not in awarding_systems():
        raise Http404("The lists of this system have no norms.")
    form = ClaimForm(request.POST if request.method == "POST" else None, draft=draft)
    attempt = Attempt(form)
    player = None
    if attempt.is_valid:
        number = form.cleaned_data["number"]
        player = players_by_number(draft.report_rules.register, [number]).get(number)
        if player is None:
            form.add_error("number", gettext("No player has this number."))
            attempt.status = HTTPStatus.BAD_REQUEST
    if player is not None:
        with attempt:
            claimed = claim_norm(
                rating_list=draft,
                player=player,
                tournament=form.cleaned_data["tournament"],
                title=form.cleaned_data["title"],
                colour=form.cleaned_data.get("colour", ""),
                reason=form.cleaned_data["reason"],
                by=actor(request),
            )
            messages.success(request, gettext("Norm claimed. It waits for a decision."))
            return redirect("norm", claimed.pk)
    if draft.state not in OPEN and attempt.refusal is None:
        attempt.refuse(DomainError("norms_signed"))
    context = {"draft": draft, "form": form, "refusal": attempt.refusal}
    return render(request, "titles/norm_claim.html", context, status=attempt.status)


@login_not_required
@require_safe
@declare_parameters()
def tournament_norms(request: OfficeRequest, code: str) -> HttpResponseBase:
    """The norms made in a published tournament."""
    stamp = stamp_or_404(code)

    def render_page() -> str:
        found = counted_tournament(code)
        norms = selectors.published_norms(found.results)
        listed = published_players({one.norm.player_id for one in norms})
        context = {**head(found), "norms": norms, "listed": listed}
        return render_to_string("titles/tournament_norms.html", context, request)

    return public_page(request, ("tournament norms", *stamp), render_page)
