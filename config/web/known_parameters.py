"""Parameters in addresses: those of trackers are dropped, others that a public page does not know are refused."""

import re
from collections.abc import Callable
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from config.web.middleware import SAFE_METHODS
from reporting.web.api.endpoints import API
from reporting.web.query_params import quoted, unknown_parameters

TRACKERS = re.compile(
    r"(?:utm_[a-z_]+|fbclid|gclid|gclsrc|gbraid|wbraid|dclid|msclkid|twclid|ttclid|igshid|yclid|mc_[ce]id|_hsenc|_hsmi"
    r"|mkt_tok|mail)(?:=|$)"
)
"""What other sites, mail programs and our own mails (`mail`) add to a link; no page of ours has such a parameter."""


def drop_trackers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Read an address as if no tracker had been added to it: one answer, kept once. Programs have none to add."""

    def middleware(request: HttpRequest) -> HttpResponse:
        query = request.META.get("QUERY_STRING", "")
        if query and request.method in SAFE_METHODS and not request.path_info.startswith(API):
            request.META["QUERY_STRING"] = "&".join(
                part for part in query.split("&") if not TRACKERS.match(part)
            )
        return get_response(request)

    return middleware


class KnownParameters:
    """Refuse parameters that a public page does not declare: 400 that names all of them, before it is made."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Callable[..., Any], *_: object) -> None:
        """The API refuses its own; an office page is for people who are logged in."""
        is_public = not getattr(view, "login_required", True) and not request.path_info.startswith(API)
        if not is_public or request.method not in SAFE_METHODS:
            return
        if unknown := unknown_parameters(view, request.GET):
            names = ", ".join(map(quoted, unknown))
            raise BadRequest(gettext("This page has no such parameter: %(names)s.") % {"names": names})
