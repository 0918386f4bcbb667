"""The pages of a World Cup event before its report: its proposals, and the approved one for visitors."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from ratings.queries.lists import office_today
from reporting.accounts.views.step_up import confirm_identity, confirmed_for_results
from reporting.federations.fmjd.models import WorldCupProposal
from reporting.federations.fmjd.world_cup_events import EventState, PrizesOfPlace
from reporting.models import Tournament
from reporting.policies import check_can_read_reports
from reporting.refusals.domain_error import DomainError
from reporting.rules.standings.registry import TIE_BREAKS
from reporting.web.access import OfficeRequest, actor, refusal_message, require_access
from reporting.web.attempt import Attempt, confirm
from reporting.web.http_cache import public_page
from reporting.web.query_params import declare_parameters
from reporting.web.values import day, number
from titles.federations.fmjd.world_cup.events.forms import ProposalForm, ReturnForm, SeenForm, choices_of
from titles.federations.fmjd.world_cup.events.labels import CONDITIONS, GROUPS, STATES
from titles.federations.fmjd.world_cup.events.selectors import (
    ShownProposal,
    can_be_proposed,
    due_days_of,
    find_tournament,
    proposals_of,
    public_event,
    shown_proposal,
)
from titles.federations.fmjd.world_cup.events.services import (
    PROPOSED_FIELDS,
    approve_event,
    propose_event,
    return_event,
)
from titles.policies import check_can_decide_event, check_can_propose_event, check_can_see_event


@dataclass(frozen=True)
class DueDay:
    """A due day of an event: what is due, until when, and whether it is done or too late."""

    what: str
    condition: int
    day: date
    state: str = ""
    tone: str = ""


@dataclass(frozen=True)
class EventInWords:
    """A proposal as pages show it."""

    proposal: WorldCupProposal
    stars: str
    groups: str
    system: str
    tie_breaks: str
    referee_level: str
    prize_money: int
    prizes: list[PrizesOfPlace]
    short_by: int
    unmet: list[str]


def in_words(shown: ShownProposal) -> EventInWords:
    """A proposal in the language of the page."""
    proposal = shown.proposal
    return EventInWords(
        proposal=proposal,
        stars="★" * proposal.stars,
        groups=str(GROUPS[proposal.groups]),
        system=dict(choices_of("system"))[proposal.system],
        tie_breaks=names_of_tie_breaks(proposal.tie_breaks),
        referee_level=dict(choices_of("referee_level"))[proposal.referee_level],
        prize_money=proposal.conditions.prize_money,
        prizes=list(shown.prizes),
        short_by=shown.short_by,
        unmet=[
            str(CONDITIONS[unmet.condition])
            % {"rounds": proposal.rounds, **{name: as_text(value) for name, value in unmet.values.items()}}
            for unmet in shown.unmet
        ],
    )


def as_text(value: Any) -> str:
    """A value of an unmet condition in its sentence: a day, a number or keys of tie-breaks."""
    if isinstance(value, date):
        return day(value)
    return number(value) if isinstance(value, int) else names_of_tie_breaks(value)


def names_of_tie_breaks(keys: Iterable[str]) -> str:
    """Tie-breaks by name, in their order."""
    return ", ".join(gettext(TIE_BREAKS[key].name) for key in keys)


def due_days(tournament: Tournament, proposal: WorldCupProposal | None, today: date) -> list[DueDay]:
    """The due days of an event, with what was done by then."""
    due = due_days_of(tournament)
    passed = gettext("passed")
    delivered = proposal.regulations_on if proposal else None
    regulations = DueDay(gettext("Regulations are delivered"), 19, due.regulations)
    if delivered is not None:
        in_time = delivered <= due.regulations
        words = gettext("delivered on %(day)s") % {"day": day(delivered)}
        regulations = DueDay(
            regulations.what, 19, due.regulations, words, "tag--good" if in_time else "tag--warn"
        )
    elif today > due.regulations:
        regulations = DueDay(regulations.what, 19, due.regulations, gettext("not delivered"), "tag--warn")
    return [
        DueDay(
            gettext("Another system is agreed and announced, from five stars"),
            5,
            due.other_system,
            passed if today > due.other_system else "",
        ),
        regulations,
        DueDay(gettext("Stars go up"), 11, due.more_stars, passed if today > due.more_stars else ""),
    ]


@require_access(check_can_read_reports, "GET", "HEAD", "POST")
def world_cup_proposal(request: OfficeRequest, number: int) -> HttpResponse:
    """The proposals of an announced tournament: proposed, approved or returned here. 5 queries."""
    user = request.user
    tournament = find_tournament(number)
    if tournament is None or refusal_message(check_can_see_event, user, tournament):
        raise Http404(gettext("There is no such announcement, or it is not yours."))
    seen = SeenForm(request.POST if request.method == "POST" else None)
    action = seen.cleaned_data["action"] if seen.is_bound and seen.is_valid() else ""
    if seen.is_bound and not action:
        raise DomainError("unknown_action")
    proposals = proposals_of(tournament)
    form = ProposalForm(
        request.POST if action == "propose" else None, initial=first_values(tournament, proposals)
    )
    returned = ReturnForm(request.POST if action == "return" else None)
    attempt = Attempt({"propose": form, "return": returned}.get(action))
    if action == "propose" and attempt.is_valid:
        with attempt:
            propose_event(
                tournament=tournament,
                values={name: form.cleaned_data[name] for name in PROPOSED_FIELDS},
                seen=seen.cleaned_data["seen"],
                by=actor(request),
            )
            confirm(request, gettext("Proposal saved. A tournament director decides about it."))
            return redirect("announcement-world-cup", number)
    elif action == "approve" or (action == "return" and attempt.is_valid):
        confirm_identity(
            request, lambda: gettext("decide about a World Cup event"), is_confirmed=confirmed_for_results
        )
        with attempt:
            decide(request, seen_proposal(proposals, seen.cleaned_data["seen"]), action, returned)
            return redirect("announcement-world-cup", number)
    proposals = proposals_of(tournament)
    context = proposal_context(request, tournament, proposals) | {
        "form": form,
        "return_form": returned,
        "refusal": attempt.refusal,
    }
    return render(request, "titles/world_cup/proposal.html", context, status=attempt.status)


def first_values(tournament: Tournament, proposals: list[WorldCupProposal]) -> Mapping[str, Any]:
    """What the form starts with: the newest proposal, else a Swiss event as Annex 18 has it."""
    if proposals:
        return {name: getattr(proposals[0], name) for name in PROPOSED_FIELDS}
    return ProposalForm.first_values() | ({"system": tournament.system} if tournament.system else {})


def seen_proposal(proposals: list[WorldCupProposal], seen: int) -> WorldCupProposal:
    """The proposal that the person saw, if it is the newest one. Raises DomainError `preview_changed`."""
    if not proposals or proposals[0].pk != seen:
        raise DomainError("preview_changed")
    return proposals[0]


def decide(request: OfficeRequest, proposal: WorldCupProposal, action: str, returned: ReturnForm) -> None:
    """Approve or return a proposal, and say so on the next page."""
    if action == "approve":
        approve_event(proposal=proposal, by=actor(request))
        confirm(request, gettext("World Cup event approved."))
    else:
        return_event(proposal=proposal, reason=returned.cleaned_data["reason"], by=actor(request))
        confirm(request, gettext("Proposal returned."))


def proposal_context(
    request: OfficeRequest, tournament: Tournament, proposals: list[WorldCupProposal]
) -> dict[str, Any]:
    """What the page shows below its forms. At most 1 query."""
    user, today = request.user, office_today()
    waiting = next((one for one in proposals if one.state == EventState.PROPOSED), None)
    approved = next((one for one in proposals if one.state == EventState.APPROVED), None)
    is_open = can_be_proposed(tournament)
    newest = waiting or approved
    return {
        "tournament": tournament,
        "waiting": in_words(shown_proposal(waiting, tournament, today)) if waiting else None,
        "approved": in_words(shown_proposal(approved, tournament, today)) if approved else None,
        "due_days": due_days(tournament, newest, today),
        "history": [(one, STATES[one.state]) for one in proposals],
        "seen": proposals[0].pk if proposals else 0,
        "is_open": is_open,
        "may_propose": is_open and not refusal_message(check_can_propose_event, user, tournament),
        "may_decide": is_open
        and waiting is not None
        and not refusal_message(check_can_decide_event, user, waiting.proposed_by_id),
    }


@login_not_required
@require_safe
@declare_parameters()
def world_cup_event(request: HttpRequest, number: int) -> HttpResponseBase:
    """The approved event of an announced tournament for visitors. 1 query."""
    proposal = public_event(number)
    if proposal is None:
        raise Http404
    tournament, today = proposal.tournament, office_today()

    def render_page() -> str:
        context = {
            "tournament": tournament,
            "event": in_words(shown_proposal(proposal, tournament, today)),
            "due_days": due_days(tournament, proposal, today),
        }
        return render_to_string("titles/world_cup/event.html", context, request)

    announced = (tournament.name, tournament.place, tournament.country_id)
    stamp = ("world cup event", today, proposal.pk, *announced, tournament.played_from, tournament.played_to)
    return public_page(request, stamp, render_page)
