"""Pages of fixed text: what is stored about people, and how far the pages are accessible."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from reporting.log.security_log import RETENTION
from reporting.requests.services import RETENTION_AFTER_CLOSING
from reporting.web.http_cache import public_page


@login_not_required
@require_safe
def privacy(request: HttpRequest) -> HttpResponseBase:
    """What is stored about players, visitors and people with an account, for how long, and what they can ask for."""
    context = {"security_days": RETENTION.days, "request_years": RETENTION_AFTER_CLOSING.days // 365}
    return public_page(
        request, ("privacy",), lambda: render_to_string("reporting/privacy.html", context, request)
    )


@login_not_required
@require_safe
def accessibility(request: HttpRequest) -> HttpResponseBase:
    """How far the pages are accessible, how that is tested, and where to report a barrier."""
    return public_page(
        request, ("accessibility",), lambda: render_to_string("reporting/accessibility.html", {}, request)
    )
