"""Limits checked before any view, session or form reads the request; the language of the answer; who acts."""

import re
from collections.abc import Callable
from contextlib import ExitStack
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseNotAllowed,
    HttpResponsePermanentRedirect,
    JsonResponse,
    UnreadablePostError,
)
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.html import escape
from django.utils.translation import gettext_lazy

from reporting.log.acting_person import ActingPerson
from reporting.rules.names.plain_text import show_direction
from reporting.web.access import GoneError, MovedError
from reporting.web.api.endpoints import API, PublicView
from reporting.web.api.errors import CODES
from reporting.web.http_cache import REVALIDATED, has_session

TURNS_DIRECTION = re.compile(rb"\xe2(?:\x80[\xaa-\xae]|\x81[\xa6-\xa9])")
"""U+202A to U+202E and U+2066 to U+2069 in UTF-8."""
METHODS = ("GET", "HEAD", "POST")
SAFE_METHODS = ("GET", "HEAD")
MAX_BODY_BYTES = 64 * 1024
"""Bytes of a request, unless the view sets `largest_body`."""
MAX_DRAINED_BYTES = 20_000_000
"""Bytes read and discarded, so that a browser that is still sending gets to read the refusal."""

REFUSALS = {
    HTTPStatus.BAD_REQUEST: gettext_lazy("The length of the request is not a number."),
    HTTPStatus.LENGTH_REQUIRED: gettext_lazy("The request does not state its length."),
}
TOO_LARGE = gettext_lazy("Too large: you sent %(sent)s, at most %(largest)s are allowed.")


class RequestLimits:
    """Refuse requests that no page expects, at every address.

    405 for a method other than GET, HEAD and POST; 411 for a chunked body; 413 for a body over the view's
    `largest_body` (reporting/web/access.py), by its header.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # The API answers 405 itself, in the form of its errors.
        if request.method not in METHODS and not request.path_info.startswith(API):
            return HttpResponseNotAllowed(METHODS)
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Callable[..., Any], *_: object) -> HttpResponse | None:
        """Runs before the CSRF check, which reads the form."""
        if "HTTP_TRANSFER_ENCODING" in request.META:
            return refusal_response(request, view, HTTPStatus.LENGTH_REQUIRED)
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not (length.isascii() and length.isdecimal()):
            return refusal_response(request, view, HTTPStatus.BAD_REQUEST)
        largest = getattr(view, "largest_body", MAX_BODY_BYTES)
        if int(length) > largest:
            drain(request)
            return refusal_response(
                request,
                view,
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                sent=size(int(length)),
                largest=size(largest),
            )
        is_form = request.method == "POST" and not request.path_info.startswith(API)
        return incomplete_form_response(request) if is_form else None


class LastingAddresses:
    """Answer addresses of pages that have moved (301) or whose person was erased (410).

    Readers ask again each time: a merge can be undone.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Called for an error of a view; the API answers its own."""
        if isinstance(exception, MovedError):
            return HttpResponsePermanentRedirect(exception.location, headers={"Cache-Control": REVALIDATED})
        if isinstance(exception, GoneError):
            # Its head names a reader who is logged in.
            headers = {"Cache-Control": "private, no-store" if has_session(request) else REVALIDATED}
            page = render_to_string("410.html", request=request)
            return HttpResponse(page, status=HTTPStatus.GONE, headers=headers)
        return None


def name_acting_person(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Name the person of the request to the database in each transaction; a request that only reads pays nothing."""

    def middleware(request: HttpRequest) -> HttpResponse:
        writes = request.method not in SAFE_METHODS
        if writes:
            request.user.pk  # noqa: B018 (read here, before a transaction asks for it)
        with connection.execute_wrapper(ActingPerson(lambda: request.user.pk, writes=writes)):
            return get_response(request)

    return middleware


def release_places(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """End what a view holds until its answer is made: the place of a large report (reporting/reports/views)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with ExitStack() as request.until_answered:  # type: ignore[attr-defined]
            return get_response(request)

    return middleware


def no_session_in_api(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """A cookie means nothing to the API: its answers depend on none, and no other site can act by it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(API):
            request.user = AnonymousUser()
        return get_response(request)

    return middleware


def show_direction_of_writing(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Show the characters that turn the direction of writing on every page as visible signs (decision 0097)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html") and not response.streaming:
            content = TURNS_DIRECTION.sub(
                lambda found: escape(show_direction(found[0].decode())).encode(), response.content
            )
            if len(content) != len(response.content):
                response.content = content
                response.headers["Content-Length"] = str(len(content))
        return response

    return middleware


def language_of_address(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer in the language of the address, else in the office's own.

    Cookies and headers of the browser do not change it: an address has one answer, which can be cached.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        language = translation.get_language_from_path(request.path_info) or settings.LANGUAGE_CODE
        translation.activate(language)
        response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response

    return middleware


def incomplete_form_response(request: HttpRequest) -> HttpResponse | None:
    """400 for a form whose sender disconnected before the end of it."""
    try:
        request.POST  # noqa: B018 (read here first)
    except UnreadablePostError:
        return HttpResponseBadRequest()
    return None


def drain(request: HttpRequest) -> None:
    left = MAX_DRAINED_BYTES
    while left > 0 and (piece := request.read(65_536)):
        left -= len(piece)


def size(count: int) -> str:
    """In decimal units, like all limits."""
    return f"{count / 1_000_000:.1f} MB" if count >= 1_000_000 else f"{count / 1_000:.1f} KB"


def refusal_response(
    request: HttpRequest, view: Callable[..., Any], status: HTTPStatus, **figures: str
) -> HttpResponse:
    reason = str(REFUSALS.get(status) or TOO_LARGE % figures)
    response: HttpResponse
    if request.path_info.startswith(API):
        response = JsonResponse({"code": CODES[status], "message": reason, "findings": []}, status=status)
        if issubclass(getattr(view, "cls", object), PublicView):
            response["Access-Control-Allow-Origin"] = "*"
    else:
        context = {"status": status.value, "reason": reason}
        response = render(request, "request_refused.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response
