"""What search engines read: the sitemap in parts, and robots.txt.

`lastmod` is a publication: of a list and of what upper apps publish its own, of a player and a tournament that of the
last list that has them.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import date, datetime

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from ratings.federations.registry import rating_systems, registered_sitemap_parts, sitemap_pages
from ratings.models import RatingList
from ratings.published.selectors import sharing as selectors
from ratings.published.views.list_query import variant_address
from ratings.queries.list_rows import list_variants
from ratings.queries.lists import list_archive, newest_lists, stamp_of
from reporting.web.http_cache import office_address, public_page

OF_LISTS = ("home", "lists", "records", "players", "tournaments", "federations")
"""Pages that each publication changes."""
PAGES = (
    "tournaments-waiting", "tournaments-calendar", "open-data", "reference-api", "titles", "title-forecast",
    "check-file", "standings", "accessibility", "privacy",
)  # fmt: skip
"""Pages that other acts change, or a release."""
TOOLS = ("method-calculator", "method-tables")
"""Of each rating system that declares a method."""

CLOSED = ("/office/", "/reports/", "/login/")

Location = tuple[str, datetime | None]


@login_not_required
@require_safe
def robots(request: HttpRequest) -> HttpResponseBase:
    """The addresses that need no visit, and where the sitemap is. No query."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in CLOSED)]
    text = "\n".join([*lines, "", f"Sitemap: {office_address(reverse('sitemap'))}", ""])
    response = public_page(request, ("robots", office_address("")), lambda: text)
    response["Content-Type"] = "text/plain; charset=utf-8"
    return response


@login_not_required
@require_safe
def security(request: HttpRequest) -> HttpResponseBase:
    """Whom to tell about a weakness (RFC 9116), valid until the quarter after the next one. No query."""
    today = timezone.localdate()
    quarter = today.year * 4 + (today.month - 1) // 3 + 2
    expires = date(quarter // 4, quarter % 4 * 3 + 1, 1)
    lines = [
        f"Contact: mailto:{settings.CONTACT_EMAIL}",
        f"Expires: {expires.isoformat()}T00:00:00Z",
        "Preferred-Languages: en",
        f"Canonical: {office_address(request.path)}",
        "",
    ]
    response = public_page(request, ("security", *lines), lambda: "\n".join(lines))
    response["Content-Type"] = "text/plain; charset=utf-8"
    return response


@login_not_required
@require_safe
def sitemap(request: HttpRequest) -> HttpResponseBase:
    """The index of the parts, each with its last publication. 3 queries, and those of registered parts."""
    newest = newest_publication(newest_lists())
    parts = {"pages": 1, "lists": 1, **selectors.sitemap_parts()}
    files = [
        (reverse("sitemap-part", args=[kind, number]), newest)
        for kind, most in parts.items()
        for number in range(1, most + 1)
    ]
    for kind, find_locations in registered_sitemap_parts().items():
        if locations := find_locations():
            last = max((day for _, day in locations if day), default=None)
            files.append((reverse("sitemap-part", args=[kind, 1]), last))
    return sitemap_file(request, ("sitemap", *files), lambda: files, "sitemapindex", "sitemap")


@login_not_required
@require_safe
def sitemap_part(request: HttpRequest, kind: str, part: int) -> HttpResponseBase:
    """The addresses of a part. 2 queries for the stamp, 1 for the addresses; the same for any number of players."""
    find_locations = registered_sitemap_parts().get(kind)
    if find_locations is not None and part == 1:
        locations = find_locations()
        return sitemap_file(request, ("sitemap", *locations), lambda: locations, "urlset", "url")
    read = PARTS.get(kind)
    if read is None or (part > 1 and kind not in ("players", "tournaments")):
        raise Http404
    lists = newest_lists()
    stamp = ("sitemap", *stamp_of(lists))
    return sitemap_file(request, stamp, lambda: read(part, newest_publication(lists)), "urlset", "url")


def newest_publication(lists: Iterable[RatingList]) -> datetime | None:
    return max((one.published_at for one in lists if one.published_at), default=None)


def sitemap_file(
    request: HttpRequest,
    stamp: tuple[Hashable, ...],
    locations: Callable[[], Sequence[Location]],
    root: str,
    item: str,
) -> HttpResponseBase:
    """A file of the sitemap with its elements, cached by readers, not in memory: a part is large and rarely read."""

    def render_file() -> str:
        listed = locations()
        # Once a publication, not once an address.
        days = {day: timezone.localdate(day).isoformat() for day in {day for _, day in listed} if day}
        shown = [(office_address(path), days[day] if day else "") for path, day in listed]
        return render_to_string("sharing/sitemap.xml", {"locations": shown, "root": root, "item": item})

    response = public_page(request, (*stamp, office_address("")), render_file, in_memory=False)
    response["Content-Type"] = "application/xml; charset=utf-8"
    return response


def pages(_: int, newest: datetime | None) -> list[Location]:
    """The pages of which there is one, and those of the rating systems and the federations."""
    systems = rating_systems()
    tools = [system for system in systems if system.explanation.method]
    of_lists = [
        *(reverse(name) for name in OF_LISTS),
        *(reverse("federation", args=[code]) for code in selectors.federation_codes()),
    ]
    others = [
        *(reverse(name) for name in (*PAGES, *sitemap_pages())),
        *(reverse("method-of-system", args=[system.code]) for system in systems),
        *(reverse(name, args=[system.code]) for system in tools for name in TOOLS),
    ]
    return [*((path, newest) for path in of_lists), *((path, None) for path in others)]


def lists(*_: object) -> list[Location]:
    """The newest revision of every list, in all its variants."""
    return [
        (variant_address(rating_list, variant.name), rating_list.published_at)
        for rating_list in list_archive()
        for variant in list_variants(rating_list.rules)
    ]


def players(part: int, *_: object) -> list[Location]:
    return [(reverse("player", args=[one.address]), last) for one, last in selectors.players_of_part(part)]


def tournaments(part: int, *_: object) -> list[Location]:
    return [(reverse("tournament", args=[code]), last) for code, last in selectors.tournaments_of_part(part)]


PARTS: dict[str, Callable[[int, datetime | None], Sequence[Location]]] = {
    "pages": pages,
    "lists": lists,
    "players": players,
    "tournaments": tournaments,
}
