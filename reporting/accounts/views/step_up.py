"""Password or second factor again before an action that binds others (guards.md T5)."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.core.exceptions import ReauthenticationRequired
from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils.translation import gettext_lazy

from reporting.web.access import View

ACT = "act_to_confirm"
"""Key of the session: the path of the kept POST, and a description of its action."""

ACTS_OF_ALLAUTH = {
    "mfa_activate_totp": gettext_lazy("set up your authenticator app"),
    "mfa_deactivate_totp": gettext_lazy("remove your authenticator app"),
    "mfa_view_recovery_codes": gettext_lazy("see your recovery codes"),
    "mfa_generate_recovery_codes": gettext_lazy("generate new recovery codes"),
}
"""Pages of allauth that ask themselves, by the name of their address."""


class NextForm(forms.Form):
    """The address to go to after the identity is confirmed."""

    next = forms.CharField(required=False)


def seconds_since_confirmed(request: HttpRequest) -> float:
    """How long ago password or factor was entered, at the log-in or later; below 0 where a clock was set back."""
    records = get_authentication_records(request, request.user)
    newest: float = max([request.session.get("began", 0), *(record["at"] for record in records)])
    return time.time() - newest


def recently_confirmed(request: HttpRequest) -> bool:
    """Whether password or factor was entered within the last five minutes."""
    return 0 <= seconds_since_confirmed(request) < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT


def confirmed_for_results(request: HttpRequest) -> bool:
    """Whether password or factor was entered within `CONFIRM_RESULTS_AFTER_SECONDS`: longer, because a person who
    reviews reports accepts many."""
    return 0 <= seconds_since_confirmed(request) < settings.CONFIRM_RESULTS_AFTER_SECONDS


def confirm_identity(
    request: HttpRequest,
    act: Callable[[], str],
    *,
    is_confirmed: Callable[[HttpRequest], bool] = recently_confirmed,
) -> None:
    """Ask for password or factor if the last time was longer ago; the POST is kept and repeated afterwards.

    `act` gives the action for the page that asks: a verb and its thing, read after "To confirm:". Raises allauth's
    ReauthenticationRequired, which its middleware turns into the page that asks.
    """
    if is_confirmed(request):
        return
    # allauth finds the kept POST only by its path; the query string is kept in request.GET.
    request.GET  # noqa: B018 (read before its source is emptied)
    request.META["QUERY_STRING"] = ""
    request.session[ACT] = [request.path, act()]
    raise ReauthenticationRequired


def act_to_confirm(request: HttpRequest) -> str:
    """The action that the confirmation is for; empty if no POST is kept for the address."""
    path = str(NextForm(request.POST)["next"].value() or NextForm(request.GET)["next"].value() or "")
    kept_path, act = request.session.get(ACT, ("", ""))
    if path and path == kept_path:
        return str(act)
    try:
        return str(ACTS_OF_ALLAUTH.get(resolve(path).url_name or "", ""))
    except Resolver404:
        return ""


def step_up(
    act: Callable[..., str], *, is_confirmed: Callable[[HttpRequest], bool] = recently_confirmed
) -> Callable[[View], View]:
    """A page whose POST needs password or factor of the last minutes, as `is_confirmed` says: `confirm_identity`.

    `act` is called with the arguments of the view. Place it inside `require_access`: people without access are refused
    before they are asked.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def confirmed(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
            if request.method == "POST":
                confirm_identity(request, lambda: act(request, *args, **named), is_confirmed=is_confirmed)
            return view(request, *args, **named)

        return confirmed

    return decorate
