"""Public pages and answers of the API kept in the memory of the process: one that is asked for again costs one query.

What is published changes by transactions only, so a page is kept under the snapshot of the database: which transactions
it shows. The commit of any other one, of a publication or an erasure, makes all that was kept before it unreachable.
The snapshot is read before the page is made: so a page may be newer than its key, never older
(docs/decisions/0075-pages-kept-under-a-snapshot.md). Readers of the API are counted also where an answer is kept.

What is kept is compressed once for each encoding, and nothing else is: an answer to a reader with a cookie can hold a
secret next to what was sent, and its length would tell of it (docs/decisions/0113-what-is-kept-is-compressed.md).
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers

from ratings.formats.encodings import ENCODINGS
from ratings.queries.lists import office_today
from reporting.web.api.endpoints import API
from reporting.web.api.throttling import REQUESTS_LEFT, kept_limit_headers
from reporting.web.http_cache import HTMX_HEADERS, PAGES, ProcessCache, digest, encoding_of

# The headers of pages, by address and snapshot. The pages themselves are in PAGES, by their ETags.
KEPT = ProcessCache("kept-pages", entries=2_000, most_bytes=2_000_000)
OF_THE_BODY = ("Content-Type", "Content-Length")
OF_ONE_REQUEST = (HTTPStatus.PRECONDITION_FAILED, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
"""Refusals of what one reader asked in `If-Match` or `Range`, which no other reader may get."""
OF_ONE_READER = ("HTTP_COOKIE", "HTTP_AUTHORIZATION", "HTTP_TRANSFER_ENCODING", "CONTENT_LENGTH")


def keep_public_pages(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer a public page from memory where nothing has changed; and what is public never varies by cookies."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        key = key_of(request)
        response = kept_response(request, key) if key else None
        if response is None:
            response = get_response(request)
            if response.headers.get("Cache-Control", "").startswith("public"):
                forget_cookies(response)
                if may_be_kept(request, response):
                    keep(request, key, response)
        if response.status_code in OF_ONE_REQUEST:
            response.headers["Cache-Control"] = "no-store"
        return response

    return middleware


def key_of(request: HttpRequest) -> str | None:
    """All that a public page depends on; None for a request that the views answer. 1 query."""
    if (
        request.method not in ("GET", "HEAD")
        or any(request.META.get(name) for name in OF_ONE_READER)
        or settings.DEBUG  # templates change
        or connection.in_atomic_block  # no snapshot tells of rows that are not committed
    ):
        return None
    address = (request.scheme, request.get_host(), request.get_full_path())
    # No header is not one that says None.
    part = [repr(request.headers.get(name)) for name in headers_in_key(request)]
    # This query tells as well whether the connection is alive: Django would ask one more before it.
    connection.health_check_done = True  # type: ignore[attr-defined]
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_postmaster_start_time()::text, pg_current_snapshot()::text")
            snapshot = cursor.fetchone()
    except (OperationalError, InterfaceError):
        connection.close()  # the view connects again, or says so, if it needs the database
        return None
    return digest(*snapshot, office_today(), *address, *part)


def headers_in_key(request: HttpRequest) -> tuple[str, ...]:
    """The headers by which a public answer differs; one of the API is written, or refused, as its reader accepts it."""
    return ("Accept",) if request.path_info.startswith(API) else HTMX_HEADERS


def kept_response(request: HttpRequest, key: str) -> HttpResponseBase | None:
    """The page as it was sent, or 304 for a reader who has it; None where it is not kept or too many were asked for."""
    headers = KEPT.get(key)
    if headers is None:
        return None
    response: HttpResponseBase | None = get_conditional_response(request, etag=headers["ETag"])
    if REQUESTS_LEFT in headers:
        counted = kept_limit_headers(request, response.status_code if response else HTTPStatus.OK)
        if counted is None:
            return None
        headers = {**headers, **counted}
    if response is not None:
        for name, value in headers.items():
            if name not in OF_THE_BODY:
                response.headers[name] = value
    elif "Content-Type" in headers:  # else it was a 304
        response = with_body(HttpResponse(headers=headers), headers["ETag"], encoding_of(request, ENCODINGS))
    if response is not None:
        say_of_encodings(response)
    return response


def keep(request: HttpRequest, key: str | None, response: Any) -> None:
    """Keep a page as it is sent; to the reader of a request without a key it goes as it is."""
    etag = response.headers["ETag"]
    if response.status_code == HTTPStatus.OK:
        PAGES.set(etag.strip('"'), response.content)
    if key:
        KEPT.set(key, dict(response.headers))
        if response.status_code == HTTPStatus.OK:
            with_body(response, etag, encoding_of(request, ENCODINGS))
    say_of_encodings(response)


def with_body(response: HttpResponse, etag: str, encoding: str | None) -> HttpResponse | None:
    """The response with the kept body of an ETag, which is compressed once; None where it is not kept any more."""
    name = etag.strip('"')
    body = PAGES.get(f"{name}:{encoding}" if encoding else name)
    if body is None and encoding and (plain := PAGES.get(name)) is not None:
        body = ENCODINGS[encoding](plain)
        PAGES.set(f"{name}:{encoding}", body)
    if body is None:
        return None
    response.content = body
    response.headers["Content-Length"] = str(len(body))
    if encoding:
        response.headers["Content-Encoding"] = encoding
    return response


def say_of_encodings(response: HttpResponseBase) -> None:
    """One ETag is that of all encodings, so it is a weak one."""
    response.headers["ETag"] = f"W/{response.headers['ETag']}"
    patch_vary_headers(response, ["Accept-Encoding"])


def forget_cookies(response: HttpResponseBase) -> None:
    """Templates ask who reads, so Django supposes that a page depends on the session even where there is none."""
    varies = response.headers.get("Vary", "").split(", ")
    if "Cookie" in varies:
        del response.headers["Vary"]
        if others := [name for name in varies if name != "Cookie"]:
            response.headers["Vary"] = ", ".join(others)


def may_be_kept(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether it is a public page, set no cookie, and depends on nothing that the key does not have."""
    varies = {name for name in response.headers.get("Vary", "").split(", ") if name}
    return (
        getattr(response, "is_public_page", False)
        and response.status_code in (200, 304)
        and not response.cookies
        and varies <= set(headers_in_key(request))
    )
