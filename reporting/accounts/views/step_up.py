"""The password or the second factor asked again, before an act that binds others (guards.md T5)."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account import app_settings
from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponseBase
from django.urls import Resolver404, resolve

from reporting.web.access import View

ACT = "act_to_confirm"
"""In the session: the path of the POST that is kept, and what it does in words."""

ACTS_OF_ALLAUTH = {
    "mfa_activate_totp": "set up your authenticator app",
    "mfa_deactivate_totp": "remove your authenticator app",
    "mfa_view_recovery_codes": "see your recovery codes",
    "mfa_generate_recovery_codes": "make new recovery codes",
}
"""Pages of allauth that ask by themselves, by the name of their address."""


def recently_confirmed(request: HttpRequest) -> bool:
    """Whether whoever is logged in gave password or factor within the last five minutes, at the log-in or since."""
    age = time.time() - request.session.get("began", 0)
    return 0 <= age < app_settings.REAUTHENTICATION_TIMEOUT or bool(did_recently_reauthenticate(request))


def confirm_identity(request: HttpRequest, act: Callable[[], str]) -> None:
    """Ask for password or factor if that was longer ago; the POST is kept and done afterwards, as it was sent.

    `act` gives what it does for the page that asks: a verb and its thing, read after "Confirm to".
    Raises allauth's ReauthenticationRequired, which its middleware turns into the page that asks.
    """
    if recently_confirmed(request):
        return
    # allauth finds the kept POST again by its path alone; what stood behind the "?" is kept in request.GET.
    request.GET  # noqa: B018 (read before its source is emptied)
    request.META["QUERY_STRING"] = ""
    request.session[ACT] = [request.path, act()]
    raise ReauthenticationRequired


def act_to_confirm(request: HttpRequest) -> str:
    """What is done once it is confirmed, in words; empty where the address that asks names nothing that is kept."""
    path = str(request.POST.get("next") or request.GET.get("next", ""))
    kept_path, act = request.session.get(ACT, ("", ""))
    if path and path == kept_path:
        return str(act)
    try:
        return ACTS_OF_ALLAUTH.get(resolve(path).url_name or "", "")
    except Resolver404:
        return ""


def step_up(act: Callable[..., str]) -> Callable[[View], View]:
    """A page whose POST needs password or factor of the last five minutes: `confirm_identity`.

    `act` is called with what the view is called with. Stands inside `guarded_page`: who may not do it at all is
    refused and not asked.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def confirmed(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
            if request.method == "POST":
                confirm_identity(request, lambda: act(request, *args, **named))
            return view(request, *args, **named)

        return confirmed

    return decorate
