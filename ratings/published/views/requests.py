"""Report an error: a visitor sends a request about a published figure, and follows it on its own page."""

from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.queries.lists import NotPublishedError
from ratings.queries.published_values import FigureNow, figure_now, find_figure, results_of
from reporting.messages.request_links import read_key, request_path
from reporting.models import CorrectionRequest, Message, User
from reporting.refusals.domain_error import DomainError
from reporting.requests import services
from reporting.requests.selectors import entries_of, find_request
from reporting.web.access import require_access
from reporting.web.attempt import Attempt
from reporting.web.forms import cleaned, text_area, typed_text
from reporting.web.query_params import declare_parameters
from reporting.web.rate_limit import is_attempt_allowed

MAX_VALUE_LENGTH = 500
MIN_SECONDS = 3  # a person needs longer to read the form and fill it in
OPENED_AT_SIGNER = Signer(salt="ratings.published.views.requests.opened")


class RequestForm(forms.Form):
    """A request of a visitor about a figure. `website` is a hidden field that only a program fills in."""

    error_description = text_area(_("Error"), rows=4, help_text=_("What is wrong with this figure?"))
    proposed_value: forms.Field | None = forms.CharField(
        label=_("Correct value"),
        required=False,
        max_length=MAX_VALUE_LENGTH,
        help_text=_("If you know it."),
        widget=forms.TextInput(attrs={"class": "field__input"}),
    )
    evidence: forms.Field | None = text_area(
        _("Evidence"),
        rows=3,
        required=False,
        help_text=_("The address of a page, your own score sheet, the referee’s name."),
    )
    name = forms.CharField(
        label=_("Your name"),
        max_length=120,
        widget=forms.TextInput(attrs={"class": "field__input", "autocomplete": "name"}),
    )
    email = forms.EmailField(
        label=_("Your e-mail address"),
        max_length=254,
        help_text=_(
            "For the answer. Only the office sees it. It is erased two years after the request is closed."
        ),
        widget=forms.EmailInput(attrs={"class": "field__input", "autocomplete": "email"}),
    )
    website = forms.CharField(
        label=_("Leave this field empty"),
        required=False,
        widget=forms.TextInput(attrs={"class": "field__input", "autocomplete": "off", "tabindex": "-1"}),
    )
    opened = forms.CharField(required=False, widget=forms.HiddenInput)

    def renew(self) -> None:
        """Make a form that was not sent ready for a person to send again."""
        typed = cast(QueryDict, self.data).copy()
        typed["website"] = ""
        if seconds_since(typed.get("opened", "")) is None:
            typed["opened"] = signed_opening_time()
        self.data = typed


class ErasureForm(RequestForm):
    """A request of a person to erase the own name."""

    proposed_value = evidence = None  # fields that it does not have
    error_description = text_area(
        _("How the office can check that you are this player"),
        rows=4,
        help_text=_(
            "For example through your federation or your club. Do not send copies of identity cards."
        ),
    )
    field_order = ("error_description", "name", "email")


class FigureForm(forms.Form):
    """The figure that a request is about."""

    about = forms.CharField(required=False)


class VisitorForm(forms.Form):
    """What a visitor sends on the page of a request: the pressed button, and a text. The service checks the text."""

    action = forms.CharField(required=False)
    words = typed_text()


class ReplyForm(forms.Form):
    """The visitor's reply to a question. The service checks the text."""

    words = text_area(_("Reply"), rows=5)


class ReopeningForm(forms.Form):
    """The visitor's reason for reopening a request. The service checks the text."""

    words = text_area(_("Reason for reopening"), rows=4)


def anyone(user: User) -> None:
    """Everyone may enter: a visitor needs no account."""


@login_not_required
@require_access(anyone, "GET", "HEAD", "POST")
@declare_parameters(FigureForm, lasting=None)
def new_request(request: HttpRequest) -> HttpResponse:
    """The form about one figure, which is read from the published lists and never from the form."""
    reference = FigureForm(request.GET)["about"].value() or ""
    try:
        if reference.startswith("results:"):
            return render(request, "ratings/requests/request_choose.html", {"results": results_of(reference)})
        doubted = find_figure(reference)
    except NotPublishedError as error:
        raise Http404(gettext("This figure is not published.")) from error
    request_form = ErasureForm if doubted.figure == CorrectionRequest.Figure.ERASURE else RequestForm
    form = request_form(
        request.POST if request.method == "POST" else None,
        initial=initial_sender(request) | {"opened": signed_opening_time()},
    )
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            return redirect(request_path(send_form(request, doubted, form.cleaned_data).pk))
    if refusal := attempt.refusal:
        form.add_error(None, refusal.message)
        if refusal.code != "busy":
            too_many = refusal.code.startswith("too_many")
            attempt.status = HTTPStatus.TOO_MANY_REQUESTS if too_many else HTTPStatus.BAD_REQUEST
    if form.is_bound:
        form.renew()
    context = {
        "doubted": doubted,
        "form": form,
        "erasure": doubted.figure == CorrectionRequest.Figure.ERASURE,
    }
    return render(request, "ratings/requests/request_new.html", context, status=attempt.status)


def initial_sender(request: HttpRequest) -> dict[str, str]:
    """Name and e-mail address of a person who is logged in."""
    user = request.user
    return {"name": user.name, "email": user.email} if isinstance(user, User) else {}


def send_form(request: HttpRequest, doubted: CorrectionRequest, values: dict[str, Any]) -> CorrectionRequest:
    """Send the request. Raises what the service raises, and `too_many`, `sent_too_fast`, `hidden_field_filled`."""
    seconds = seconds_since(values.pop("opened"))
    if values.pop("website"):
        raise DomainError("hidden_field_filled")
    if seconds is None or seconds < MIN_SECONDS:
        raise DomainError("sent_too_fast")
    if not is_attempt_allowed(request, "request"):
        raise DomainError("too_many")
    return services.send_request(doubted=doubted, **values)


def signed_opening_time() -> str:
    """The current time as a signed value of the form."""
    return OPENED_AT_SIGNER.sign(str(int(timezone.now().timestamp())))


def seconds_since(opened: str) -> int | None:
    """How long ago a form was opened; None for a value without a valid signature."""
    try:
        return int(timezone.now().timestamp()) - int(OPENED_AT_SIGNER.unsign(opened))
    except BadSignature:
        return None


# --- the page of a request


@login_not_required
@require_access(anyone, "GET", "HEAD", "POST")
def request_status(request: HttpRequest, key: str) -> HttpResponse:
    """The page of a request, for the holder of its key: confirm the address, reply, and reopen the request once."""
    try:
        number, by_mail = read_key(key)
        asked = find_request(number)
    except CorrectionRequest.DoesNotExist:
        raise Http404(gettext("There is no such request.")) from None
    form, attempt = VisitorForm(request.POST), Attempt()
    if request.method == "POST":
        with attempt:
            perform_action(**cleaned(form), asked=asked, by_mail=by_mail)
            return redirect("request", key)
        asked.refresh_from_db()
    action, words = form["action"].value() or "", form["words"].value() or ""
    reply = ReplyForm({"words": words} if action == "reply" else None, auto_id="reply-%s")
    reopening = ReopeningForm({"words": words} if action == "reopen" else None, auto_id="reopen-%s")
    context = {
        "asked": asked,
        "entries": entries_of(asked),
        "figure": current_figure(asked),
        "by_mail": by_mail,
        "was_mailed": asked.messages.filter(kind=Message.Kind.REQUEST_RECEIVED).exists(),
        "problem": None if reply.errors or reopening.errors else attempt.refusal,
        "reply_form": reply,
        "reopening_form": reopening,
        "forms": [reply, reopening],
        "action": action if attempt.status != HTTPStatus.OK else "",
    }
    response = render(request, "ratings/requests/request_followed.html", context, status=attempt.status)
    response["X-Robots-Tag"] = "noindex"
    return response


@transaction.atomic  # otherwise a reply could be saved although its sender reads that nothing was changed
def perform_action(*, action: str, words: str, asked: CorrectionRequest, by_mail: bool) -> None:
    """Carry out an action of the visitor. Raises what the services raise, and `unknown_action`."""
    if action == "reply":
        services.reply_to_question(asked=asked, text=words)
    elif action == "reopen":
        services.reopen_request(asked=asked, text=words)
    elif not (action == "confirm" and by_mail):
        raise DomainError("unknown_action")
    if by_mail:  # an action on the page of the mail confirms the address
        services.confirm_sender(asked=asked)


def current_figure(asked: CorrectionRequest) -> FigureNow | None:
    """The current figure; None if it is no longer published."""
    try:
        return figure_now(asked.reference)
    except NotPublishedError:
        return None
