"""What is refused before any view, session or form reads the request: methods and sizes."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseNotAllowed,
    UnreadablePostError,
)
from django.shortcuts import render
from django.utils import translation

METHODS = ("GET", "HEAD", "POST")
MAX_BODY_BYTES = 64 * 1024
"""Bytes of a request to an address without a `largest_body` of its own."""
MAX_DRAINED_BYTES = 20_000_000
"""Bytes that are read and ignored, so that a browser that is still sending reads the refusal."""

REFUSALS = {
    HTTPStatus.BAD_REQUEST: "The request does not say in digits how long it is.",
    HTTPStatus.LENGTH_REQUIRED: "The request does not say how long it is.",
}


class RequestLimits:
    """Refuse what no page expects, at every address alike.

    405 for a method other than GET, HEAD and POST; 411 for a chunked body; 413 for a body over the view's
    `largest_body` (reporting/web/access.py), by its header.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in METHODS:
            return HttpResponseNotAllowed(METHODS)
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Callable[..., Any], *_: object) -> HttpResponse | None:
        """Before the check against forged requests, which reads the form."""
        if "HTTP_TRANSFER_ENCODING" in request.META:
            return refusal_response(request, HTTPStatus.LENGTH_REQUIRED)
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not (length.isascii() and length.isdecimal()):
            return refusal_response(request, HTTPStatus.BAD_REQUEST)
        largest = getattr(view, "largest_body", MAX_BODY_BYTES)
        if int(length) > largest:
            drain(request)
            return refusal_response(
                request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sent=size(int(length)), largest=size(largest)
            )
        return incomplete_form_response(request) if request.method == "POST" else None


def language_of_address(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer in the language that the address names, otherwise in the office's own.

    Neither cookies nor headers of the browser choose it: an address has one answer, which may be cached.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        language = translation.get_language_from_path(request.path_info) or settings.LANGUAGE_CODE
        translation.activate(language)
        response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response

    return middleware


def incomplete_form_response(request: HttpRequest) -> HttpResponse | None:
    """The answer to a form whose sender disconnected before the end."""
    try:
        request.POST  # noqa: B018 (read here first)
    except UnreadablePostError:
        return HttpResponseBadRequest()
    return None


def drain(request: HttpRequest) -> None:
    left = MAX_DRAINED_BYTES
    while left > 0 and (piece := request.read(65_536)):
        left -= len(piece)


def size(octets: int) -> str:
    """In decimal units, as the limits are written everywhere."""
    return f"{octets / 1_000_000:.1f} MB" if octets >= 1_000_000 else f"{octets / 1_000:.1f} KB"


def refusal_response(request: HttpRequest, status: HTTPStatus, **figures: str) -> HttpResponse:
    context = {"status": status.value, "reason": REFUSALS.get(status, "")} | figures
    response = render(request, "request_refused.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response
