"""This is wrong: a visitor doubts a published figure, and follows his request on a page of his own."""

from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.core.signing import BadSignature, Signer
from django.db import OperationalError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from ratings.published.selectors.lists import NotPublishedError
from ratings.published.selectors.published_figures import FigureNow, figure_now, find_figure, results_of
from reporting.errors import DomainError
from reporting.messages.request_links import read_key, request_path
from reporting.models import CorrectionRequest, Message, User
from reporting.requests import services
from reporting.requests.selectors import entries_of
from reporting.web.access import as_refusal, refusal_status, require_access
from reporting.web.rate_limit import is_attempt_allowed

LONGEST_WORDS, LONGEST_LINE = 2000, 500
MIN_SECONDS = 3  # in which nobody reads a form and fills it in
OPENED_AT_SIGNER = Signer(salt="reporting.requests.views.requests.opened")


def paragraphs_field(label: str, *, rows: int, required: bool = True, help_text: str = "") -> forms.CharField:
    """A question answered in sentences."""
    return forms.CharField(
        label=label,
        required=required,
        max_length=LONGEST_WORDS,
        help_text=help_text,
        widget=forms.Textarea(attrs={"rows": rows, "class": "field__input field__input--text"}),
    )


class RequestForm(forms.Form):
    """What a visitor says of a figure, and who he is. `website` is asked of machines only."""

    error_description = paragraphs_field("What is wrong", rows=4)
    proposed_value = forms.CharField(
        label="What it should be",
        required=False,
        max_length=LONGEST_LINE,
        help_text="If you know it.",
        widget=forms.TextInput(attrs={"class": "field__input"}),
    )
    evidence = paragraphs_field(
        "How you know",
        rows=3,
        required=False,
        help_text="A source: the address of a page, your own score sheet, the referee’s name.",
    )
    name = forms.CharField(
        label="Your name",
        max_length=120,
        widget=forms.TextInput(attrs={"class": "field__input", "autocomplete": "name"}),
    )
    email = forms.EmailField(
        label="Your e-mail address",
        max_length=254,
        help_text="The answer is sent there. Only the office sees it; two years after the end it is erased.",
        widget=forms.EmailInput(attrs={"class": "field__input", "autocomplete": "email"}),
    )
    website = forms.CharField(
        label="Leave this empty",
        required=False,
        widget=forms.TextInput(attrs={"class": "field__input", "autocomplete": "off", "tabindex": "-1"}),
    )
    opened = forms.CharField(required=False, widget=forms.HiddenInput)


def anyone(user: User) -> None:
    """A visitor needs no account."""


@login_not_required
@require_access(anyone, "GET", "HEAD", "POST")
def new_request(request: HttpRequest) -> HttpResponse:
    """The form about one figure; what it is about is read from the published lists and never from the form."""
    reference = request.GET.get("about", "")
    try:
        if reference.startswith("results:"):
            return render(request, "reporting/request_choose.html", {"results": results_of(reference)})
        doubted = find_figure(reference)
    except NotPublishedError as error:
        raise Http404("No such figure is published.") from error
    status = HTTPStatus.OK
    form = RequestForm(initial=initial_sender(request) | {"opened": signed_opening_time()})
    if request.method == "POST":
        typed = request.POST.copy()
        form = RequestForm(typed)
        status = HTTPStatus.BAD_REQUEST
        if form.is_valid():
            try:
                return redirect(request_path(send_form(request, doubted, form.cleaned_data).pk))
            except DomainError as refusal:
                form.add_error(None, refusal.message)
                if refusal.code.startswith("too_many"):
                    status = HTTPStatus.TOO_MANY_REQUESTS
        typed["website"] = ""  # so that whoever is no machine can send it again
        if seconds_since(typed.get("opened", "")) is None:
            typed["opened"] = signed_opening_time()
    context = {"doubted": doubted, "form": form}
    return render(request, "reporting/request_new.html", context, status=status)


def initial_sender(request: HttpRequest) -> dict[str, str]:
    """Whoever is logged in need not type who he is."""
    user = request.user
    return {"name": user.name, "email": user.email} if isinstance(user, User) else {}


def send_form(request: HttpRequest, doubted: CorrectionRequest, said: dict[str, Any]) -> CorrectionRequest:
    """Send the request. Raises what the service raises, and `too_many`, `sent_too_fast`, `hidden_field_filled`."""
    seconds = seconds_since(said.pop("opened"))
    if said.pop("website"):
        raise DomainError("hidden_field_filled")
    if seconds is None or seconds < MIN_SECONDS:
        raise DomainError("sent_too_fast")
    if not is_attempt_allowed(request, "request"):
        raise DomainError("too_many")
    return services.send_request(doubted=doubted, **said)


def signed_opening_time() -> str:
    """The moment at which a form is opened, signed."""
    return OPENED_AT_SIGNER.sign(str(int(timezone.now().timestamp())))


def seconds_since(opened: str) -> int | None:
    """How long ago a form was opened; None where it does not come from here."""
    try:
        return int(timezone.now().timestamp()) - int(OPENED_AT_SIGNER.unsign(opened))
    except BadSignature:
        return None


# --- the page of a request


@login_not_required
@require_access(anyone, "GET", "HEAD", "POST")
def request_status(request: HttpRequest, key: str) -> HttpResponse:
    """Where a request stands, for whoever has the key; he confirms that it is his, replies, and reopens it once."""
    try:
        number, by_mail = read_key(key)
        asked = CorrectionRequest.objects.select_related("player", "tournament").get(pk=number)
    except CorrectionRequest.DoesNotExist:
        raise Http404("There is no such request.") from None
    words = str(request.POST.get("words", ""))
    problem: DomainError | None = None
    if request.method == "POST":
        try:
            perform_action(str(request.POST.get("action", "")), asked, words, by_mail=by_mail)
            return redirect("request", key)
        except (DomainError, OperationalError) as refusal:
            problem = as_refusal(refusal)
            asked.refresh_from_db()
    context = {
        "asked": asked,
        "entries": entries_of(asked),
        "figure": current_figure(asked),
        "by_mail": by_mail,
        "was_mailed": asked.messages.filter(kind=Message.Kind.REQUEST_RECEIVED).exists(),
        "problem": problem,
        "words": words if problem else "",
        "action": request.POST.get("action", "") if problem else "",
    }
    status = refusal_status(problem) if problem else HTTPStatus.OK
    response = render(request, "reporting/request_followed.html", context, status=status)
    response["X-Robots-Tag"] = "noindex"
    return response


@transaction.atomic  # or a reply would be kept whose sender is told that nothing was changed
def perform_action(act: str, asked: CorrectionRequest, words: str, *, by_mail: bool) -> None:
    """What the visitor does. Raises what the services raise, `unreadable` and `unknown_action`."""
    if "\x00" in words or len(words) > LONGEST_WORDS:
        raise DomainError("unreadable", most=LONGEST_WORDS)
    if act == "reply":
        services.reply_to_question(asked=asked, text=words)
    elif act == "reopen":
        services.reopen_request(asked=asked, text=words)
    elif not (act == "confirm" and by_mail):
        raise DomainError("unknown_action")
    if by_mail:  # whoever writes from the mail's page has said that the request is his
        services.confirm_sender(asked=asked)


def current_figure(asked: CorrectionRequest) -> FigureNow | None:
    """What has become of the figure; None where nothing of it is published any more."""
    try:
        return figure_now(asked.reference)
    except NotPublishedError:
        return None
