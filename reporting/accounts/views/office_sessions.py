"""Sessions of the office are short, and accounts that need a second factor have to set it up first."""

import time
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.signals import user_logged_in
from django.contrib.auth.views import redirect_to_login
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext

from reporting.accounts.selectors import has_second_factor
from reporting.log.security_log import record_security_event
from reporting.models import SecurityEvent
from reporting.policies import STAFF_ROLES, needs_second_factor
from reporting.web.rate_limit import client_address

LONGEST, LONGEST_IDLE = 12 * 3600, 3 * 3600  # seconds
LAST_SEEN_INTERVAL = 60  # seconds between updates of the last activity
WITHOUT_FACTOR = frozenset({"mfa_activate_totp", "account_reauthenticate", "account_logout", "ready"})


@receiver(user_logged_in)
def begin_session(request: HttpRequest, **_: Any) -> None:
    """What the list of the account's sessions shows of it (reporting/accounts/sessions.py), and its times."""
    request.session["address"] = client_address(request)
    request.session["user_agent"] = request.headers.get("User-Agent", "")[:200]
    request.session["began"] = request.session["seen"] = int(time.time())


class OfficeSessionMiddleware:
    """Ends an officer's session after 12 hours, or 3 without a request, and redirects to the second factor setup."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., Any],
        args: Any,  # noqa: ARG002 (Django's protocol)
        named: Any,  # noqa: ARG002
    ) -> HttpResponse | None:
        if not request.user.is_authenticated:
            return None
        user = request.user
        if not user.has_role(*STAFF_ROLES):
            return None
        if has_expired(request):
            record_security_event(
                SecurityEvent.Kind.SESSION_ENDED, account=user, address=client_address(request)
            )
            logout(request)
            if getattr(view, "login_required", True):
                messages.warning(request, gettext("Your session has ended. Log in again."))
                return redirect_to_login(request.get_full_path())
            return None
        if not needs_second_factor(user) or has_second_factor(user):
            return None
        request.lacks_factor = True  # type: ignore[attr-defined]  # for the page that sets it up
        match = request.resolver_match
        return None if match and match.url_name in WITHOUT_FACTOR else redirect("mfa_activate_totp")


def has_expired(request: HttpRequest) -> bool:
    """Whether a session of the office is over; if not, the time of its last activity is updated."""
    now, session = int(time.time()), request.session
    if now - session.get("began", 0) >= LONGEST or now - session.get("seen", 0) >= LONGEST_IDLE:
        return True
    if now - session["seen"] >= LAST_SEEN_INTERVAL:
        session["seen"] = now
    return False
