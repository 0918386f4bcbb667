"""The open data: everything published, as files to download."""

import gzip
import io
from functools import partial
from http import HTTPStatus

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from ratings.published.selectors.open_data import (
    export_files,
    export_state,
    find_export_file,
    signing_key,
)
from ratings.publishing.open_data.export import export_stamp, is_compressed
from ratings.publishing.open_data.package import DESCRIPTIONS, export_names
from ratings.publishing.open_data.schema import SQLITE_FILE, open_data_tables
from ratings.queries.lists import every_revision, published
from ratings.queries.terms import data_terms
from reporting.web.http_cache import public_file, public_page
from reporting.web.query_params import declare_parameters

BLOCK = 1 << 20
SECONDS_TO_MAKE = 60
"""After which the worker has looked for work."""


@login_not_required
@require_safe
@declare_parameters()
def open_data(request: HttpRequest) -> HttpResponseBase:
    """The files of the open data with their digests, how fresh they are, and the columns of their tables."""
    state, lists = export_state(), every_revision()
    is_current = state.stamp == export_stamp(lists, state.erasures)

    def render_page() -> str:
        files = {file.name: file for file in export_files()}
        context = {
            "state": state,
            "lists": len(lists),
            "is_current": is_current,
            "database": files.get(SQLITE_FILE),
            "tables": [
                (table, files.get(table.csv_name), files.get(table.parquet_name))
                for table in open_data_tables()
            ],
            "described": [file for file in files.values() if file.name in DESCRIPTIONS],
            "terms": data_terms(),
            "signing_key": signing_key(),
        }
        return render_to_string("ratings/open_data.html", context, request)

    return public_page(request, ("open data", state.stamp, state.made_at, is_current), render_page)


@login_not_required
@require_safe
def open_data_file(request: HttpRequest, name: str) -> HttpResponseBase:
    """A file of the open data: as it is stored, compressed, to clients that accept that, else unpacked on the way.

    404 before a list is published; 503 until the worker has made it, after the first list and after a name was erased:
    the former one has that name.
    """
    if name not in export_names():
        raise Http404
    found, state = find_export_file(name), export_state()
    if found is None or state.made_at is None:
        if not published().exists():
            return HttpResponse(
                gettext("There are no files yet: no list is published."),
                content_type="text/plain; charset=utf-8",
                status=HTTPStatus.NOT_FOUND,
                headers={"Cache-Control": "no-store"},
            )
        return HttpResponse(
            gettext("The files are being made. Please come back in a few minutes."),
            content_type="text/plain; charset=utf-8",
            status=HTTPStatus.SERVICE_UNAVAILABLE,
            headers={"Retry-After": str(SECONDS_TO_MAKE), "Cache-Control": "no-store"},
        )
    day = timezone.localdate(state.made_at, timezone.get_default_timezone())

    def stored(field: str) -> HttpResponseBase:
        return HttpResponse(bytes(getattr(found, field)), content_type=found.content_type)

    def unpacked() -> HttpResponseBase:
        file = gzip.GzipFile(fileobj=io.BytesIO(found.compressed))
        return StreamingHttpResponse(
            iter(partial(file.read, BLOCK), b""),
            content_type=found.content_type,
            headers={"Content-Length": str(found.size)},
        )

    return public_file(
        request,
        found.sha256,
        f"{day}-{found.name}",
        unpacked,
        compressed={"br": partial(stored, "brotli"), "gzip": partial(stored, "compressed")}
        if is_compressed(found.name)
        else None,
    )
