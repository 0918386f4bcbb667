"""The images of shared pages, 1200 × 630 pixels, set by typst from image.typ.

The template is our own and texts are cut: no input makes an image expensive. An image is cached as pages
are, and a source may have `MOST_IMAGES` made in 15 minutes.
"""

from collections.abc import Callable, Hashable
from datetime import date
from http import HTTPStatus

import typst
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from ratings.published.views.lists.published import cached_list, stamp_or_404, variant_or_404
from ratings.published.views.players.players import player_at, player_stamp
from ratings.published.views.sharing.cards import Card, list_card, player_card, tournament_card
from ratings.published.views.statistics.charts import sparkline
from ratings.queries import tournaments as tournament_selectors
from ratings.queries.list_rows import OFFICIAL, federation_names, list_page
from ratings.queries.lists import NotPublishedError
from reporting.web.http_cache import public_page
from reporting.web.rate_limit import WINDOW_MINUTES, count_requests
from reporting.web.values import first_name_first

TEMPLATE = settings.BASE_DIR / "templates/sharing/image.typ"
LEADERS = 5
MOST_LINES = 7
MOST_CHARACTERS = 70
MOST_IMAGES = 300
LINE_SIZE = (480, 200)


class TooManyImagesError(Exception):
    """A source has had `MOST_IMAGES` made in the last 15 minutes."""


@login_not_required
@require_safe
def rating_list(
    request: HttpRequest, pool: str, in_force: date, revision: int, variant: str = OFFICIAL
) -> HttpResponseBase:
    """A variant of a list with its leaders. 1 query; 4 or 5 for an image that is not cached."""
    stamp = stamp_or_404(pool, in_force, revision)
    found = cached_list(stamp).rating_list
    shown = variant_or_404(found, variant)

    def texts() -> dict[str, str]:
        page = list_page(found, shown, page_rows=LEADERS)
        best = [
            f"{row['variant_rank']}  {first_name_first(row['name'])} ({row['federation']}), {row['rating']}"
            for row in page.rows
        ]
        return texts_of(list_card(found, shown, page.total), best)

    return image(request, ("list image", *stamp), texts)


@login_not_required
@require_safe
def player(request: HttpRequest, address: str) -> HttpResponseBase:
    """A player with rating and rank, and the line of the ratings in the first pool. 4 or 5 queries, then 1."""
    found = player_at(request, address)

    def texts() -> dict[str, str]:
        federation = federation_names([found.row.federation])[found.row.federation]
        first = next(iter(found.pools.values()))
        line = sparkline([entry.rating for entry in first.entries], *LINE_SIZE)
        return texts_of(player_card(found, federation)) | {"line": line}

    return image(request, ("player image", *player_stamp(found)), texts)


@login_not_required
@require_safe
def tournament(request: HttpRequest, code: str) -> HttpResponseBase:
    """A tournament with its place and days. 3 queries; 13 to 17 for an image that is not cached."""
    try:
        stamp = tournament_selectors.tournament_stamp(code)
    except NotPublishedError as error:
        raise Http404 from error

    def texts() -> dict[str, str]:
        return texts_of(tournament_card(tournament_selectors.counted_tournament(code)))

    return image(request, ("tournament image", *stamp), texts)


def texts_of(card: Card, more: list[str] | None = None) -> dict[str, str]:
    """The texts of image.typ: data, never markup."""
    lines = [*card.lines, *(more or [])][:MOST_LINES]
    return {
        "issuer": gettext("Rating Office"),
        "kind": card.kind[:MOST_CHARACTERS],
        "title": card.title[:MOST_CHARACTERS],
        "lines": "\n".join(line[:MOST_CHARACTERS] for line in lines),
    }


def image(
    request: HttpRequest, stamp: tuple[Hashable, ...], texts: Callable[[], dict[str, str]]
) -> HttpResponseBase:
    """The image of these texts, cached as pages are; 429 once the source has had too many made."""

    def render_image() -> bytes:
        if count_requests(request, "image").number > MOST_IMAGES:
            raise TooManyImagesError
        return png(texts())

    try:
        response = public_page(request, stamp, render_image)
    except TooManyImagesError:
        return HttpResponse(
            status=HTTPStatus.TOO_MANY_REQUESTS, headers={"Retry-After": str(WINDOW_MINUTES * 60)}
        )
    response["Content-Type"] = "image/png"
    return response


def png(texts: dict[str, str]) -> bytes:
    """The image as PNG, 1200 × 630 pixels, with the fonts that typst brings."""
    made: bytes = typst.compile(
        TEMPLATE.read_bytes(), format="png", ppi=72, sys_inputs=texts, ignore_system_fonts=True
    )
    return made
