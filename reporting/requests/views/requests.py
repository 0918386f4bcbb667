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
from reporting.messages.request_links import read_key, request_address
from reporting.models import CorrectionRequest, Message, User
from reporting.requests import services
from reporting.requests.selectors import entries_of
from reporting.web.access import guarded_page, refusal_of, status_of
from reporting.web.rate_limit import may_try

LONGEST_WORDS, LONGEST_LINE = 2000, 500
LEAST_SECONDS = 3  # in which nobody reads a form and fills it in
OPENED = Signer(salt="reporting.requests.views.requests.opened")


def words_field(label: str, *, rows: int, required: bool = True, help_text: str = "") -> forms.CharField:
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

    wrong = words_field("What is wrong", rows=4)
    should_be = forms.CharField(
        label="What it should be",
        required=False,
        max_length=LONGEST_LINE,
        help_text="If you know it.",
        widget=forms.TextInput(attrs={"class": "field__input"}),
    )
    evidence = words_field(
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


def anybody(user: User) -> None:
    """A visitor needs no account."""


@login_not_required
@guarded_page(anybody, "GET", "HEAD", "POST")
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
    form = RequestForm(initial=sender_of(request) | {"opened": stamp()})
    if request.method == "POST":
        typed = request.POST.copy()
        form = RequestForm(typed)
        status = HTTPStatus.BAD_REQUEST
        if form.is_valid():
            try:
                return redirect(request_address(sent(request, doubted, form.cleaned_data).pk))
            except DomainError as refusal:
                form.add_error(None, refusal.message)
                if refusal.code.startswith("too_many"):
                    status = HTTPStatus.TOO_MANY_REQUESTS
        typed["website"] = ""  # so that whoever is no machine can send it again
        if seconds_since(typed.get("opened", "")) is None:
            typed["opened"] = stamp()
    context = {"doubted": doubted, "form": form}
    return render(request, "reporting/request_new.html", context, status=status)


def sender_of(request: HttpRequest) -> dict[str, str]:
    """Whoever is logged in need not type who he is."""
    user = request.user
    return {"name": user.name, "email": user.email} if isinstance(user, User) else {}


def sent(request: HttpRequest, doubted: CorrectionRequest, said: dict[str, Any]) -> CorrectionRequest:
    """Send the request. Raises what the service raises, and `too_many`, `too_quick`, `for_machines`."""
    seconds = seconds_since(said.pop("opened"))
    if said.pop("website"):
        raise DomainError("hidden_field_filled")
    if seconds is None or seconds < LEAST_SECONDS:
        raise DomainError("too_quick")
    if not may_try(request, "request"):
        raise DomainError("too_many")
    return services.send_request(doubted=doubted, **said)


def stamp() -> str:
    """The moment at which a form is opened, signed."""
    return OPENED.sign(str(int(timezone.now().timestamp())))


def seconds_since(opened: str) -> int | None:
    """How long ago a form was opened; None where it does not come from here."""
    try:
        return int(timezone.now().timestamp()) - int(OPENED.unsign(opened))
    except BadSignature:
        return None


# --- the page of a request


@login_not_required
@guarded_page(anybody, "GET", "HEAD", "POST")
def followed_request(request: HttpRequest, key: str) -> HttpResponse:
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
            carry_out(str(request.POST.get("act", "")), asked, words, by_mail=by_mail)
            return redirect("request", key)
        except (DomainError, OperationalError) as refusal:
            problem = refusal_of(refusal)
            asked.refresh_from_db()
    context = {
        "asked": asked,
        "entries": entries_of(asked),
        "figure": figure_or_none(asked),
        "by_mail": by_mail,
        "was_mailed": asked.letters.filter(kind=Message.Kind.REQUEST_RECEIVED).exists(),
        "problem": problem,
        "words": words if problem else "",
        "act": request.POST.get("act", "") if problem else "",
    }
    status = status_of(problem) if problem else HTTPStatus.OK
    response = render(request, "reporting/request_followed.html", context, status=status)
    response["X-Robots-Tag"] = "noindex"
    return response


@transaction.atomic  # or a reply would be kept whose sender is told that nothing was changed
def carry_out(act: str, asked: CorrectionRequest, words: str, *, by_mail: bool) -> None:
    """What the visitor does. Raises what the services raise, `unreadable` and `unknown_act`."""
    if "\x00" in words or len(words) > LONGEST_WORDS:
        raise DomainError("unreadable", most=LONGEST_WORDS)
    if act == "reply":
        services.reply(asked=asked, text=words)
    elif act == "reopen":
        services.reopen(asked=asked, text=words)
    elif not (act == "confirm" and by_mail):
        raise DomainError("unknown_act")
    if by_mail:  # whoever writes from the mail's page has said that the request is his
        services.confirm_sender(asked=asked)


def figure_or_none(asked: CorrectionRequest) -> FigureNow | None:
    """What has become of the figure; None where nothing of it is published any more."""
    try:
        return figure_now(asked.reference)
    except NotPublishedError:
        return None
