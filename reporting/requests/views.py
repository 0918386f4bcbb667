"""The accessibility statement and the privacy notice: public pages that name the operator."""

from email.utils import parseaddr
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from reporting.accounts.views.office_sessions import LONGEST, LONGEST_IDLE
from reporting.log import security_log
from reporting.requests.services import RETENTION_AFTER_CLOSING
from reporting.web.http_cache import public_page
from reporting.web.query_params import declare_parameters
from reporting.web.rate_limit import WINDOW_MINUTES


@login_not_required
@require_safe
@declare_parameters()
def accessibility(request: HttpRequest) -> HttpResponseBase:
    """What people with a disability can rely on, and whom they tell about a barrier."""
    return notice_page(request, "reporting/pages/accessibility.html", {})


@login_not_required
@require_safe
@declare_parameters()
def privacy(request: HttpRequest) -> HttpResponseBase:
    """What is stored about whom, for how long, and how a person gets or erases it. Its times are those in force."""
    times = {
        "session_days": settings.SESSION_COOKIE_AGE // (24 * 3600),
        "office_hours": LONGEST // 3600,
        "idle_hours": LONGEST_IDLE // 3600,
        "attempt_minutes": WINDOW_MINUTES,
        "security_days": security_log.RETENTION.days,
        "request_days": RETENTION_AFTER_CLOSING.days,
    }
    return notice_page(request, "reporting/pages/privacy.html", times)


def notice_page(request: HttpRequest, template: str, values: dict[str, Any]) -> HttpResponseBase:
    """The page with name and address of the operator, which are those that the office's mails come from. 0 queries."""
    name, email = parseaddr(settings.DEFAULT_FROM_EMAIL)
    context = {"operator": name or email, "email": email, **values}
    return public_page(request, (), lambda: render_to_string(template, context, request))
