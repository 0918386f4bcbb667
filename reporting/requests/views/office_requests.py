"""The office's side of requests from the public: all of them, and each one looked into and answered."""

from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import cast
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import OperationalError
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from ratings.published.selectors.lists import all_pools
from reporting.errors import DomainError
from reporting.models import CorrectionRequest, Report, RequestEntry, Role, User
from reporting.policies import (
    check_can_answer_request,
    check_can_see_inbox,
    check_can_see_report,
    check_can_see_requests,
    check_can_see_sender,
)
from reporting.requests import selectors, services
from reporting.requests.views.requests import LONGEST_WORDS, current_figure
from reporting.rules.lifecycle import REQUEST_LIFECYCLE, RequestState
from reporting.web.access import actor, as_refusal, refusal_message, refusal_status, require_access

REQUESTS_PER_PAGE = 50
MAX_BASIS_LENGTH = 200
MAX_SEARCH_LENGTH = 80

# --- all requests

STATES = (
    ("", "Open"),
    ("office", "The office’s turn"),
    ("visitor", "The visitor’s turn"),
    ("answered", "Answered, can be reopened"),
    ("closed", "Closed"),
    ("all", "All"),
)


def chosen_state(state: str) -> Q:
    """The requests that a choice of the filter leaves."""
    match state:
        case "office":
            return selectors.WAITING_FOR_OFFICE
        case "visitor":
            return selectors.WAITING_FOR_VISITOR
        case "answered":
            return selectors.reopenable_requests()
        case "closed":
            return selectors.closed_requests()
        case "all":
            return Q()
        case _:
            return selectors.OPEN


@require_access(check_can_see_requests, "GET", "HEAD")
def office_requests(request: HttpRequest) -> HttpResponse:
    """Requests from the public, those first that wait longest for the office."""
    user = cast(User, request.user)
    asked = {name: str(request.GET.get(name, "")).strip() for name in ("state", "pool", "federation", "q")}
    if asked["state"] not in dict(STATES):
        asked["state"] = ""
    visible, pools = selectors.visible_requests(user), all_pools()
    federations = selectors.federations_of(visible)
    found = visible.filter(chosen_state(asked["state"]))
    if asked["pool"] in {pool.code for pool in pools}:
        found = found.filter(pool=asked["pool"])
    if asked["federation"] in {each.code for each in federations}:
        found = found.filter(
            Q(player__federation=asked["federation"]) | Q(tournament__country=asked["federation"])
        )
    words = asked["q"] if asked["q"].isprintable() else ""
    if words:
        found = found.filter(selectors.matching_requests(words[:MAX_SEARCH_LENGTH]))
    page = Paginator(selectors.ordered_by_turn(found), REQUESTS_PER_PAGE).get_page(
        request.GET.get("page", "1")
    )
    context = {
        "page": page,
        "lines": [RequestLine(each) for each in page],
        "states": STATES,
        "pools": pools,
        "federations": federations,
        "asked": asked,
        "query": urlencode({name: value for name, value in asked.items() if value}),
        "filtered": bool(asked["pool"] or asked["federation"] or words),
    }
    return render(request, "reporting/request_list.html", context)


@dataclass(frozen=True)
class RequestLine:
    """A request in the list, and for how long it has waited."""

    asked: CorrectionRequest

    @property
    def days(self) -> int:
        """Whole days since the last act."""
        return (timezone.localdate() - timezone.localdate(self.asked.waiting_since)).days


# --- one request

Outcome = RequestEntry.Outcome
HINTS = {
    Outcome.CORRECTED: "A revision or the register has it right now; name it.",
    Outcome.WILL_BE_CORRECTED: "Name the list or the correction with which it changes.",
    Outcome.UNCHANGED: "Name the article or the ruling.",
    Outcome.NOT_ABOUT_RATINGS: "Say who can help.",
}


@dataclass(frozen=True)
class RequestInput:
    """What was typed into the forms, to stand there again when it is refused."""

    action: str
    words: str
    outcome: str
    basis: str


@require_access(check_can_see_requests, "GET", "HEAD", "POST")
def office_request(request: HttpRequest, number: int) -> HttpResponse:
    """Everything about a request, and the acts: take it, ask the visitor, answer."""
    user = cast(User, request.user)
    asked = request_or_404(user, number)
    typed = RequestInput(
        *(str(request.POST.get(name, "")) for name in ("action", "words", "outcome", "basis"))
    )
    problem: DomainError | None = None
    if request.method == "POST":
        try:
            messages.success(request, perform_action(request, asked, typed))
            return redirect("office-request", number)
        except (DomainError, OperationalError) as refusal:
            problem = as_refusal(refusal)
            asked = request_or_404(user, number)
    state = RequestState(asked.state)
    context = {
        "asked": asked,
        "says": REQUEST_LIFECYCLE[state].description,
        "may": {move.value for move in REQUEST_LIFECYCLE[state].moves},
        "refusal_message": refusal_message(check_can_answer_request, user, asked),
        "sees_sender": not refusal_message(check_can_see_sender, user),
        "entries": selectors.entries_of(asked),
        "figure": current_figure(asked),
        "report_address": report_path(user, asked),
        "corrects": user.has_role(Role.RATING_OFFICER),
        "outcomes": [(value, words, HINTS[Outcome(value)]) for value, words in Outcome.choices],
        "typed": typed,
        "problem": problem,
    }
    status = refusal_status(problem) if problem else HTTPStatus.OK
    return render(request, "reporting/request_office.html", context, status=status)


def request_or_404(user: User, number: int) -> CorrectionRequest:
    """A request that the reader may see; of another federation there is none."""
    try:
        return (
            selectors.visible_requests(user).select_related("player", "tournament", "taken_by").get(pk=number)
        )
    except CorrectionRequest.DoesNotExist:
        raise Http404("There is no such request.") from None


def perform_action(request: HttpRequest, asked: CorrectionRequest, typed: RequestInput) -> str:
    """Do what was chosen and say so. Raises what the services raise, and `unreadable`."""
    if any("\x00" in each for each in (typed.words, typed.basis, typed.outcome)):
        raise DomainError("unreadable.characters")
    if len(typed.words) > LONGEST_WORDS or len(typed.basis) > MAX_BASIS_LENGTH:
        raise DomainError("unreadable.long_basis", text=LONGEST_WORDS, basis=MAX_BASIS_LENGTH)
    by, looked_at = actor(request), seen_at(request)
    match typed.action:
        case "take":
            services.take_request(asked=asked, by=by, looked_at=looked_at)
            return "You have taken this request."
        case "ask":
            services.ask_visitor(asked=asked, question=typed.words, by=by, looked_at=looked_at)
            return "Asked: the visitor gets a mail, and it is his turn."
        case "answer":
            services.answer_request(
                asked=asked,
                outcome=typed.outcome,
                basis=typed.basis,
                text=typed.words,
                by=by,
                looked_at=looked_at,
            )
            return "Answered: the visitor gets a mail, and reads it on the page of his request."
        case _:
            raise DomainError("unknown_action")


def seen_at(request: HttpRequest) -> datetime | None:
    """The instant of the last act on the request as it was looked at; None for what is no instant."""
    try:
        return datetime.fromisoformat(str(request.POST.get("looked_at", "")))
    except ValueError:
        return None


def report_path(user: User, asked: CorrectionRequest) -> str:
    """Where the reader finds the report that the tournament was counted by; empty where he may not see it."""
    report = (
        Report.objects.select_related("tournament", "submitted_by")
        .filter(tournament=asked.tournament_id or 0, state=Report.State.ACCEPTED)
        .first()
    )
    if report is None:
        return ""
    if not refusal_message(check_can_see_inbox, user):
        return reverse("office-report", args=[report.pk])
    return "" if refusal_message(check_can_see_report, user, report) else reverse("report", args=[report.pk])
