"""The office's pages of requests from the public: the list, and the page of a request with its actions."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.models import Pool
from ratings.published.views.requests import current_figure
from ratings.queries.lists import all_pools
from reporting.log.audit import Actor
from reporting.models import CorrectionRequest, Federation, RequestEntry, Role, User
from reporting.policies import (
    check_can_answer_request,
    check_can_erase_names,
    check_can_see_inbox,
    check_can_see_report,
    check_can_see_requests,
    check_can_see_sender,
)
from reporting.refusals.domain_error import DomainError
from reporting.reports.selectors.reports import accepted_report
from reporting.requests import selectors, services
from reporting.rules.lifecycle import REQUEST_LIFECYCLE, RequestState, Turn
from reporting.rules.names.plain_text import plain_text
from reporting.web.access import MAX_TEXT_LENGTH, OfficeRequest, actor, refusal_message, require_access
from reporting.web.attempt import Attempt
from reporting.web.forms import StyledFormMixin, set_choices, text_area, typed_text
from reporting.web.paging import pager_of
from reporting.web.query_params import PageForm

REQUESTS_PER_PAGE = 50
MAX_BASIS_LENGTH = 200
MAX_SEARCH_LENGTH = 80

# --- all requests

STATES = (
    ("", _("Open")),
    ("office", _("Waiting for the office")),
    ("visitor", _("Waiting for the visitor")),
    ("answered", _("Answered, can be reopened")),
    ("closed", _("Closed")),
    ("all", _("All")),
)


class RequestFilterForm(StyledFormMixin, forms.Form):
    """The filters of the list; invalid values are ignored."""

    state = forms.ChoiceField(label=_("State"), required=False, choices=STATES)
    pool = forms.ChoiceField(label=_("Pool"), required=False)
    federation = forms.ChoiceField(label=_("Federation"), required=False)
    q = forms.CharField(label=_("Text or number"), required=False, max_length=MAX_SEARCH_LENGTH)

    def __init__(self, data: Any, pools: Iterable[Pool], federations: Iterable[Federation]) -> None:
        super().__init__(data)
        codes = ((federation.code, f"{federation.code}, {federation.name}") for federation in federations)
        for name, choices in (("pool", ((pool.code, pool.name) for pool in pools)), ("federation", codes)):
            set_choices(self, name, [("", _("All")), *choices])
        self.full_clean()

    @property
    def filters(self) -> dict[str, str]:
        """The valid values, as in an address."""
        return {name: value for name, value in self.cleaned_data.items() if value}


def chosen_state(state: str) -> Q:
    """The requests of a choice of the filter by state."""
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
def office_requests(request: OfficeRequest) -> HttpResponse:
    """Requests from the public; those that have waited longest for the office come first."""
    visible = selectors.visible_requests(request.user)
    form = RequestFilterForm(request.GET, all_pools(), selectors.federations_of(visible))
    filters = form.filters
    requests = visible.filter(chosen_state(filters.get("state", "")))
    if pool := filters.get("pool"):
        requests = requests.filter(pool=pool)
    if federation := filters.get("federation"):
        requests = requests.filter(Q(player__federation=federation) | Q(result_set__country=federation))
    if (text := plain_text(filters.get("q", ""))) and text.isprintable():
        requests = requests.filter(selectors.matching_requests(text))
    page = Paginator(selectors.ordered_by_turn(requests), REQUESTS_PER_PAGE).get_page(
        PageForm(request.GET).number
    )
    context = {
        "form": form,
        "lines": [RequestLine(asked) for asked in page],
        "total": page.paginator.count,
        "pager": pager_of(page, filters),
        "filtered": bool(filters),
    }
    return render(request, "ratings/requests/request_list.html", context)


@dataclass(frozen=True)
class RequestLine:
    """A request in the list."""

    asked: CorrectionRequest

    @property
    def label(self) -> Promise | str:
        """For whom the request waits; its status if it waits for no one."""
        return self.asked.status_label if self.asked.turn is Turn.NONE else self.asked.turn_label

    @property
    def days(self) -> int:
        """Whole days since the last act."""
        return (timezone.localdate() - timezone.localdate(self.asked.waiting_since)).days


# --- one request

Outcome = RequestEntry.Outcome
HINTS = {
    Outcome.CORRECTED: _("A revision or the register has the correct value; name it."),
    Outcome.WILL_BE_CORRECTED: _("Name the list or the correction with which it changes."),
    Outcome.UNCHANGED: _("Name the article or the ruling."),
    Outcome.NOT_ABOUT_RATINGS: _("Say who can help."),
    Outcome.ERASED: _("The name is erased. Thank the sender, and do not write the name."),
}


REFUSED_FIELDS = {"text_missing": "words", "basis_missing": "basis"}
"""The field that a refusal is about."""


class QuestionForm(forms.Form):
    """A question to the visitor. The service checks the text."""

    words = text_area(_("Question"), rows=3, required=False)


class AnswerForm(forms.Form):
    """The grounds and the text of an answer. The service checks them."""

    basis = forms.CharField(
        label=_("Grounds"),
        required=False,
        max_length=MAX_BASIS_LENGTH,
        help_text=_("What changed, the list with which it will change, or the article."),
        widget=forms.TextInput(attrs={"class": "field__input"}),
    )
    words = text_area(_("Text of the answer"), rows=5, required=False)


class OfficeForm(forms.Form):
    """What the office sends on the page of a request: the pressed button and its fields. The service checks them.

    `looked_at` is the time of the last act on the request that the person saw; None for an invalid value.
    """

    action = forms.CharField(required=False)
    words = typed_text()
    outcome = typed_text()
    basis = typed_text(max_length=MAX_BASIS_LENGTH)
    looked_at = forms.CharField(required=False)

    def clean_looked_at(self) -> datetime | None:
        try:
            return datetime.fromisoformat(self.cleaned_data["looked_at"])
        except ValueError:
            return None

    @property
    def typed(self) -> dict[str, str]:
        """The values as typed, to be shown again."""
        return {name: str(self[name].value() or "") for name in ("action", "words", "outcome", "basis")}

    def cleaned(self) -> dict[str, Any]:
        """The values. Raises DomainError `unreadable`."""
        if self.is_valid():
            return dict(self.cleaned_data)
        if any(self.has_error(name, "null_characters_not_allowed") for name in self.fields):
            raise DomainError("unreadable.characters")
        raise DomainError("unreadable.long_basis", text=MAX_TEXT_LENGTH, basis=MAX_BASIS_LENGTH)


@require_access(check_can_see_requests, "GET", "HEAD", "POST")
def office_request(request: OfficeRequest, number: int) -> HttpResponse:
    """Everything about a request, and the actions: take it, ask the visitor, answer."""
    user = request.user
    asked = request_or_404(user, number)
    form, attempt = OfficeForm(request.POST), Attempt()
    if request.method == "POST":
        with attempt:
            messages.success(request, perform_action(asked, actor(request), **form.cleaned()))
            return redirect("office-request", number)
        asked = request_or_404(user, number)
    typed = form.typed
    question = QuestionForm(typed if typed["action"] == "ask" else None, auto_id="question-%s")
    answer = AnswerForm(typed if typed["action"] == "answer" else None, auto_id="answer-%s")
    field = REFUSED_FIELDS.get(attempt.refusal.code) if attempt.refusal else None
    for sent in (question, answer):
        if sent.is_bound and field in sent.fields and attempt.refusal:
            sent.add_error(field, attempt.refusal.message)
    figure = current_figure(asked)
    context = {
        "asked": asked,
        "may": {move.value for move in REQUEST_LIFECYCLE[RequestState(asked.state)].moves},
        "refusal_message": refusal_message(check_can_answer_request, user, asked),
        "sees_sender": not refusal_message(check_can_see_sender, user),
        "entries": selectors.entries_of(asked),
        "figure": figure,
        "shows_calculation": asked.player_id is not None
        and asked.figure not in {CorrectionRequest.Figure.RESULT, CorrectionRequest.Figure.ERASURE},
        "report_address": report_path(user, asked),
        "can_correct_list": figure is not None
        and figure.rating_list.period_id is not None
        and asked.figure not in {CorrectionRequest.Figure.PERSON, CorrectionRequest.Figure.ERASURE}
        and user.has_role(Role.RATING_OFFICER),
        "outcomes": [(outcome.value, outcome.label, HINTS[outcome]) for outcome in asked.outcomes],
        "can_erase": asked.figure == CorrectionRequest.Figure.ERASURE
        and not refusal_message(check_can_erase_names, user),
        "question_form": question,
        "answer_form": answer,
        "forms": [question, answer],
        "typed": typed,
        "problem": None if question.errors or answer.errors else attempt.refusal,
    }
    return render(request, "ratings/requests/request_office.html", context, status=attempt.status)


def request_or_404(user: User, number: int) -> CorrectionRequest:
    """A request that the reader may see. Raises `Http404` for any other request."""
    try:
        return (
            selectors.visible_requests(user).select_related("player", "result_set", "taken_by").get(pk=number)
        )
    except CorrectionRequest.DoesNotExist:
        raise Http404(gettext("There is no such request.")) from None


def perform_action(
    asked: CorrectionRequest,
    by: Actor,
    *,
    action: str,
    words: str,
    outcome: str,
    basis: str,
    looked_at: datetime | None,
) -> str:
    """Carry out the action and return the message about it. Raises what the services raise."""
    match action:
        case "take":
            services.take_request(asked=asked, by=by, looked_at=looked_at)
            return gettext("Request taken.")
        case "ask":
            services.ask_visitor(asked=asked, question=words, by=by, looked_at=looked_at)
            return gettext("Question sent. The visitor gets a mail.")
        case "answer":
            services.answer_request(
                asked=asked, outcome=outcome, basis=basis, text=words, by=by, looked_at=looked_at
            )
            return gettext("Answer sent. The visitor gets a mail.")
        case _:
            raise DomainError("unknown_action")


def report_path(user: User, asked: CorrectionRequest) -> str:
    """The address of the report of the tournament; empty if the reader may not see it."""
    report = accepted_report(asked.result_set_id or 0)
    if report is None:
        return ""
    if not refusal_message(check_can_see_inbox, user):
        return reverse("office-report", args=[report.pk])
    return "" if refusal_message(check_can_see_report, user, report) else reverse("report", args=[report.pk])
