"""How ratings are calculated: the rulings and the numbers of a system's regulations in force."""

import hashlib

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from ratings.systems.registry import rating_system
from reporting.web.http_cache import public_file, public_page


@login_not_required
@require_safe
def method(request: HttpRequest, system: str) -> HttpResponseBase:
    """Every ruling, with the parameters it settles in the edition in force today."""
    try:
        found = rating_system(system)
    except LookupError:
        raise Http404 from None
    rules = found.rules_on(timezone.localdate())

    def render_page() -> str:
        context = {
            "system": found,
            "rules": rules,
            "rulings": [
                (ruling, [found.parameter(rules, name) for name in ruling.values]) for ruling in found.rulings
            ],
        }
        return render_to_string("ratings/method.html", context, request)

    return public_page(request, (rules.id,), render_page)


@login_not_required
@require_safe
def recompute_program(request: HttpRequest, system: str) -> HttpResponseBase:
    """The program that recalculates the system's lists from their published files."""
    try:
        path = rating_system(system).recompute_program
    except LookupError:
        raise Http404 from None
    if path is None:
        raise Http404
    content = path.read_bytes()
    return public_file(
        request,
        hashlib.sha256(content).hexdigest(),
        path.name,
        lambda: HttpResponse(content, content_type="text/x-python; charset=utf-8"),
    )
