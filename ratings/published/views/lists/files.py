"""The files of a published list, and the ratings for a pairing program."""

from datetime import date
from functools import partial
from http import HTTPStatus

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from ratings.models import CompressedFile
from ratings.published.views.lists.published import PAIRING_FILES, cached_list, stamp_or_404
from ratings.publishing.export_list import export_for_pairing
from ratings.queries import lists as selectors
from ratings.queries.lists import NotPublishedError
from reporting.web.http_cache import generated_file, public_file

SECONDS_TO_REMAKE = 60
"""The worker fills emptied files once a minute."""


@login_not_required
@require_safe
def published_file(
    request: HttpRequest, pool: str, in_force: date, revision: int, name: str
) -> HttpResponseBase:
    """A file of a list, byte for byte as it was hashed when the list was published, or when a name was erased."""
    try:
        found = selectors.find_file(pool, in_force, revision, name)
    except NotPublishedError as error:
        raise Http404 from error
    if found.size == 0:
        return HttpResponse(
            gettext(
                "This file is being made again, because a name was erased. Please try again in a minute."
            ),
            content_type="text/plain; charset=utf-8",
            status=HTTPStatus.SERVICE_UNAVAILABLE,
            headers={"Retry-After": str(SECONDS_TO_REMAKE), "Cache-Control": "no-store"},
        )

    def stored(encoding: str) -> HttpResponse:
        file = get_object_or_404(CompressedFile, file=found.pk, encoding=encoding)
        return HttpResponse(bytes(file.content), content_type=found.content_type)

    return public_file(
        request,
        found.sha256,
        f"{pool}_{in_force}_r{revision}_{found.name}",
        lambda: HttpResponse(bytes(found.content), content_type=found.content_type),
        # A file with names is written again when a person is erased; a file of figures alone never changes.
        never_changes=not found.has_names,
        compressed={name: partial(stored, name) for name in found.encodings},  # type: ignore[attr-defined]
    )


@login_not_required
@require_safe
def ratings_file(request: HttpRequest, pool: str, day: date, file_format: str) -> HttpResponseBase:
    """The ratings in force on a day, for the pairing program of a tournament that begins then.

    Of a coming day the newest list that comes into force until then: a later answer may be of a later list.
    """
    in_force = selectors.day_in_force(pool, day)
    if in_force is None or file_format not in PAIRING_FILES:
        raise Http404(gettext("No list of this pool is in force on this day."))
    stamp = stamp_or_404(pool, in_force, None)
    name = f"{pool}_{in_force}_r{stamp.newest_revision}_ratings.{file_format}"

    def content() -> bytes:
        return export_for_pairing(cached_list(stamp).rating_list, file_format)

    return generated_file(request, tuple(stamp), name, PAIRING_FILES[file_format], content)
