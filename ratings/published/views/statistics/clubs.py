"""Clubs: the ratings of their members in every pool, on a page and for other sites."""

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from ratings.published.selectors.clubs import Club, club_on
from ratings.published.views.list_query import variant_address
from ratings.published.views.sharing.cards import embed
from ratings.published.views.sharing.embeds import embeddable
from ratings.queries.lists import ListsOfToday, lists_of_today
from reporting.web.http_cache import public_page

EMBED_HEIGHT = 480


@login_not_required
@require_safe
def club(request: HttpRequest, register: str, club: str) -> HttpResponseBase:
    """The members of a club on the lists of today, with their ratings in every pool. 1 query a list, 2 more."""
    return club_page(request, "ratings/club.html", register, club)


@embeddable
def embedded_club(request: HttpRequest, register: str, club: str) -> HttpResponseBase:
    """The same table for a frame on another site."""
    return club_page(request, "sharing/embed_club.html", register, club)


def club_page(request: HttpRequest, template: str, register: str, number: str) -> HttpResponseBase:
    today = lists_of_today()
    found = club_or_404(today, register, number)

    def render_page() -> str:
        title = club_title(number)
        context: dict[str, Any] = {
            "club": found,
            "lists": [(shown, variant_address(shown, f"club:{number}")) for shown in found.lists],
            "title": title,
            "address": reverse("club", args=[register, number]),
            "embed": embed(reverse("embed-club", args=[register, number]), title, EMBED_HEIGHT),
        }
        return render_to_string(template, context, request)

    return public_page(request, (template, register, number, *today.stamp), render_page)


def club_title(number: str) -> str:
    return gettext("Club %(number)s") % {"number": number}


def club_or_404(today: ListsOfToday, register: str, number: str) -> Club:
    found = club_on(today, register, number)
    if found is None:
        raise Http404
    return found
