"""The password or the second factor asked again, before an act that binds others (guards.md T5)."""

import time
from functools import wraps
from typing import Any

from allauth.account import app_settings
from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponseBase

from reporting.web.access import View


def recently_confirmed(request: HttpRequest) -> bool:
    """Whether whoever is logged in gave password or factor within the last five minutes, at the log-in or since."""
    age = time.time() - request.session.get("began", 0)
    return 0 <= age < app_settings.REAUTHENTICATION_TIMEOUT or bool(did_recently_reauthenticate(request))


def confirm_identity(request: HttpRequest) -> None:
    """Ask for password or factor if that was longer ago; the POST is kept and done afterwards, as it was sent.

    Raises allauth's ReauthenticationRequired, which its middleware turns into the page that asks.
    """
    if recently_confirmed(request):
        return
    # allauth finds the kept POST again by its path alone; what stood behind the "?" is kept in request.GET.
    request.GET  # noqa: B018 (read before its source is emptied)
    request.META["QUERY_STRING"] = ""
    raise ReauthenticationRequired


def step_up(view: View) -> View:
    """A page whose POST needs password or factor of the last five minutes: `confirm_identity`.

    Stands inside `guarded_page`: who may not do it at all is refused and not asked.
    """

    @wraps(view)
    def confirmed(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        if request.method == "POST":
            confirm_identity(request)
        return view(request, *args, **named)

    return confirmed
