"""Public pages with an ETag, cached in the memory of the process.

The key of a page is all it depends on: its address and query, the latest publications, and the release. So no entry
has to be deleted after a change; entries no longer used are evicted. Pages for people with a session are not cached.

What it saves (27 November 2026, `bench_list_pages`): a list that is made takes 26 ms, with its parts kept 12, known by
its stamp after any other transaction 4, kept under the snapshot 1; a player 60, 57, 17 and 1.
"""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar

from django.apps import apps
from django.conf import settings
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.encoding import force_bytes
from django.utils.http import quote_etag
from django_htmx.middleware import HtmxDetails

FIVE_MINUTES = 300
REVALIDATED = "public, max-age=0, s-maxage=1"
"""Asked for again each time, with its ETag: a name that is erased is gone at once. A proxy asks every second."""
NEVER_CHANGES = f"public, max-age={365 * 24 * 3600}, immutable"
HTMX_HEADERS = ("HX-Request", "HX-Target", "HX-History-Restore-Request")
"""All that a page depends on apart from its address (config/web/kept_pages.py)."""

ACCEPTED = re.compile(r"(?:^|,)\s*([\w*-]+)\s*(?:;\s*q=([01](?:\.[0-9]*)?)\s*)?(?=,|$)")
RANGE = re.compile(r"bytes=([0-9]{0,15})-([0-9]{0,15})")

Part = TypeVar("Part")


class ProcessCache(LocMemCache):
    """A cache in the memory of the process, with a limit of bytes: what was used least is left out.

    Not the shared cache: public pages must not depend on a second server.
    """

    # Of LocMemCache.
    _cache: OrderedDict[str, bytes]
    _expire_info: dict[str, float]

    def __init__(self, name: str, *, entries: int, most_bytes: int) -> None:
        super().__init__(name, {"TIMEOUT": FIVE_MINUTES, "OPTIONS": {"MAX_ENTRIES": entries}})
        self.most_bytes = most_bytes
        self.size = 0  # bytes of all entries

    def _set(self, key: str, value: bytes, timeout: Any = DEFAULT_TIMEOUT) -> None:
        self._delete(key)
        super()._set(key, value, timeout)  # type: ignore[misc]
        self.size += len(value)
        while self.size > self.most_bytes:
            self._delete(next(reversed(self._cache)))  # the one used least

    def _delete(self, key: str) -> bool:
        self.size -= len(self._cache.get(key, b""))
        return bool(super()._delete(key))  # type: ignore[misc]

    def _cull(self) -> None:
        super()._cull()  # type: ignore[misc]
        self.size = sum(map(len, self._cache.values()))

    def clear(self) -> None:
        super().clear()
        self.size = 0


PAGES = ProcessCache("public-pages", entries=1_000, most_bytes=16_000_000)
FRAGMENTS = ProcessCache("page-fragments", entries=800, most_bytes=8_000_000)


def public_page(
    request: HttpRequest,
    stamp: tuple[Hashable, ...],
    render_page: Callable[[], str | bytes],
    *,
    status: int = 200,
    in_memory: bool = True,
) -> HttpResponseBase:
    """A page that is the same for all readers without a session; `stamp` is what it depends on.

    Pages of megabytes are not kept `in_memory`: there only readers and proxies cache them. 304 if the reader has it
    already, before it is rendered and before any query for that.
    """
    if has_session(request):
        return HttpResponse(render_page(), status=status, headers={"Cache-Control": "private, no-store"})
    etag = etag_of(request, requested_fragment(request), status, *stamp)
    response: HttpResponse | None = get_conditional_response(request, etag=quote_etag(etag))
    if response is None:
        page = PAGES.get(etag) if in_memory else None
        if page is None:
            page = force_bytes(render_page())
        response = HttpResponse(page, status=status)
    response["ETag"] = quote_etag(etag)
    response["Cache-Control"] = REVALIDATED
    patch_vary_headers(response, HTMX_HEADERS)
    if in_memory and status == HTTPStatus.OK:
        mark_public(response)
    return response


def mark_public(response: Any) -> None:
    """For config/web/kept_pages.py, which keeps the response in PAGES as it is sent."""
    response.is_public_page = True


def public_file(
    request: HttpRequest,
    etag: str,
    filename: str,
    make: Callable[[], HttpResponseBase],
    *,
    never_changes: bool = False,
    compressed: Mapping[str, Callable[[], HttpResponseBase]] | None = None,
) -> HttpResponseBase:
    """A file to download, the same for all readers and for scripts of other sites.

    304 if the reader has it already, before it is made; 206 with the bytes that `Range` asks for, 416 if it has none.
    Stored `compressed` by encodings, the best one first, it goes as its reader accepts it, with an ETag of its own
    (RFC 9110, 8.8.3.3). A range is one of the file itself.
    """
    encoding = encoding_of(request, compressed) if compressed and "Range" not in request.headers else None
    if compressed and encoding:
        etag, make = f"{etag}-{encoding}", compressed[encoding]
    response: HttpResponseBase | None = get_conditional_response(request, etag=quote_etag(etag))
    if response is None:
        response = make()
        response["Content-Disposition"] = f'attachment; filename="{filename}"'
        response["X-Content-Type-Options"] = "nosniff"
        if encoding:
            response["Content-Encoding"] = encoding
        else:
            response = requested_part(request, response, quote_etag(etag))
    response["ETag"] = quote_etag(etag)
    response["Cache-Control"] = NEVER_CHANGES if never_changes else REVALIDATED
    if compressed:
        patch_vary_headers(response, ["Accept-Encoding"])
    return for_other_sites(response)


def for_other_sites(response: HttpResponseBase) -> HttpResponseBase:
    """Let scripts of any site read an answer that is the same for all readers."""
    response["Access-Control-Allow-Origin"] = "*"
    response["Access-Control-Expose-Headers"] = "Accept-Ranges, Content-Length, Content-Range, ETag"
    return response


def encoding_of(request: HttpRequest, encodings: Iterable[str]) -> str | None:
    """The first of these encodings that the reader accepts; None where the body goes as it is."""
    accepted = dict(ACCEPTED.findall(request.headers.get("Accept-Encoding", "").lower()))
    return next((name for name in encodings if float(accepted.get(name, "0") or "1")), None)


def requested_part(request: HttpRequest, whole: HttpResponseBase, etag: str) -> HttpResponseBase:
    """The bytes of an answer that `Range` asks for (RFC 9110, 14.2), if that is one range.

    Several, another unit, one that ends before it begins, or an `If-Range` that names another version are answered with
    the whole, and so is HEAD.
    """
    whole["Accept-Ranges"] = "bytes"
    asked = RANGE.fullmatch(request.headers.get("Range", "")) if request.method == "GET" else None
    if not asked or asked.groups() == ("", "") or request.headers.get("If-Range", etag) != etag:
        return whole
    if asked[1] and asked[2] and int(asked[2]) < int(asked[1]):
        return whole
    content = whole.streaming_content if whole.streaming else [whole.content]  # type: ignore[attr-defined]
    size = int(whole["Content-Length"]) if whole.streaming else len(content[0])
    if asked[1]:
        first, last = int(asked[1]), min(int(asked[2] or size - 1), size - 1)
    else:
        first, last = max(size - int(asked[2]), 0), size - 1
    if first > last:
        headers = {"Content-Range": f"bytes */{size}"}
        return HttpResponse(status=HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, headers=headers)
    headers = {
        **whole.headers,
        "Content-Range": f"bytes {first}-{last}/{size}",
        "Content-Length": str(last - first + 1),
    }
    return StreamingHttpResponse(
        bytes_between(content, first, last + 1), status=HTTPStatus.PARTIAL_CONTENT, headers=headers
    )


def bytes_between(blocks: Iterable[bytes], first: int, end: int) -> Iterator[bytes]:
    """The bytes from one place up to, not including, another of a file that comes in blocks."""
    place = 0
    for block in blocks:
        if part := block[max(first - place, 0) : max(end - place, 0)]:
            yield part
        place += len(block)
        if place >= end:
            return


def generated_file(
    request: HttpRequest,
    stamp: tuple[Hashable, ...],
    filename: str,
    content_type: str,
    content: Callable[[], bytes],
) -> HttpResponseBase:
    """A text file in UTF-8 made on demand, with an ETag. The stamp is what its content depends on, besides its path."""
    key = ("file", request.path, *stamp)
    return public_file(
        request,
        digest(release_digest(), *key),
        filename,
        lambda: HttpResponse(cached(key, content), content_type=f"{content_type}; charset=utf-8"),
    )


def etag_of(request: HttpRequest, *parts: Hashable) -> str:
    """The ETag of what a request is answered with, which these parts tell besides the release and the address.

    With the host, which any client can choose: an answer that names it, such as the address of the next rows, is kept
    only for readers who ask by the same name and port.
    """
    host = request.build_absolute_uri("/")
    return digest(release_digest(), host, request.get_full_path(), *parts)


def full_address(request: HttpRequest) -> str:
    """The address of a page with the office's host, as paper needs it."""
    office: str = settings.OFFICE_URL or request.build_absolute_uri("/")
    return office.rstrip("/") + request.get_full_path()


def office_address(path: str) -> str:
    """The absolute address of a page for readers outside: feeds, search engines, other sites.

    Its host is the office's own, never that of the request, which any client can choose.
    """
    office: str = settings.OFFICE_URL or "http://localhost"
    return office.rstrip("/") + path


def has_session(request: HttpRequest) -> bool:
    """Whether the reader may be logged in: then the page shows a name or a message."""
    return any(name in request.COOKIES for name in (settings.SESSION_COOKIE_NAME, "messages"))


def requested_fragment(request: HttpRequest) -> str:
    """The id of the part of the page that htmx replaces; empty for a whole page."""
    htmx = HtmxDetails(request)
    return htmx.target or "" if htmx and not htmx.history_restore_request else ""


def in_place_of_page(response: HttpResponse) -> HttpResponse:
    """A whole page that answers a fragment: htmx puts its content in place of the content of the page shown.

    Its `live_status` goes into the status region, which stays, so that a screen reader reads it.
    """
    response["HX-Retarget"] = response["HX-Reselect"] = "#main"
    response["HX-Reswap"] = "outerHTML"
    return response


def cached(stamp: tuple[Hashable, ...], make: Callable[[], Part]) -> Part:
    """A part of a page that is slow to make, cached under what it depends on.

    What a list's page shows below its head is two thirds of it. A tournament's report file takes 59 ms,
    cached 20; a player's games as a file 64 and 40.
    """
    key = digest(release_digest(), *stamp)
    part: Part | None = FRAGMENTS.get(key)
    if part is None:
        part = make()
        FRAGMENTS.set(key, part)
    return part


def digest(*parts: Hashable) -> str:
    """A short digest of all parts."""
    return hashlib.sha256("\x1f".join(map(str, parts)).encode(errors="surrogatepass")).hexdigest()[:32]


def release_digest() -> str:
    """The digest of the program, the templates and the static files: a new release changes every page and answer."""
    return _release_once() if not settings.DEBUG else _digest_of_files()


@lru_cache(maxsize=1)
def _release_once() -> str:
    return _digest_of_files()


def _digest_of_files() -> str:
    program = [app.path for app in apps.get_app_configs() if Path(app.path).parent == settings.BASE_DIR]
    static = [folder[1] if isinstance(folder, tuple) else folder for folder in settings.STATICFILES_DIRS]
    found = hashlib.sha256()
    for folders, pattern in ((program, "*.py"), ([*settings.TEMPLATES[0]["DIRS"], *static], "*.*")):
        for folder in folders:
            for path in sorted(Path(str(folder)).rglob(pattern)):
                found.update(path.read_bytes())
    return found.hexdigest()[:16]
