"""How editors of other sites embed a page by its address alone: oEmbed 1.0 (https://oembed.com).

It knows the pages that have an embedded form: a player, a club, and the list in force in a pool. A list of a day is
not one of them: what is embedded follows the list in force, and that address says another.
"""

import json
from collections.abc import Hashable
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import unquote, urlsplit
from xml.etree.ElementTree import Element, SubElement, tostring

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.urls import ResolverMatch, resolve, reverse
from django.utils import translation
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from ratings.published.selectors.players import find_player
from ratings.published.views.list_query import address, variant_label
from ratings.published.views.lists.page import EMBED_HEIGHT as LIST_HEIGHT
from ratings.published.views.lists.published import cached_list, stamp_or_404
from ratings.published.views.players.players import EMBED_HEIGHT as PLAYER_HEIGHT
from ratings.published.views.players.players import player_stamp
from ratings.published.views.sharing.cards import embed
from ratings.published.views.sharing.embeds import EmbeddedListForm
from ratings.published.views.statistics.clubs import EMBED_HEIGHT as CLUB_HEIGHT
from ratings.published.views.statistics.clubs import club_or_404, club_title
from ratings.queries.list_rows import federations_on
from ratings.queries.lists import ErasedError, NotPublishedError, lists_of_today
from reporting.web.http_cache import cached, for_other_sites, office_address, public_page
from reporting.web.query_params import WholeNumberField, declare_parameters
from reporting.web.values import first_name_first

WIDTH = 600
"""Pixels, where the editor does not say how much room there is."""
CACHE_SECONDS = 3600
CONTENT_TYPES = {"json": "application/json", "xml": "text/xml; charset=utf-8"}


class OEmbedForm(forms.Form):
    """The address of a page, the room for it in pixels, and the format of the answer."""

    url = forms.CharField(max_length=2000)
    maxwidth = WholeNumberField(required=False, min_value=1)
    maxheight = WholeNumberField(required=False, min_value=1)
    format = forms.CharField(required=False)


@dataclass(frozen=True)
class Embedded:
    """What is shown of a page: the address of its embedded form, title, height in pixels, and what they depend on."""

    path: str
    title: str
    height: int
    stamp: tuple[Hashable, ...]


# The specification has other parameters ignored: editors send some of their own.
@login_not_required
@require_safe
@declare_parameters("*", lasting=None)
def oembed(request: HttpRequest) -> HttpResponseBase:
    """The HTML that shows a page of this site elsewhere. The queries of the embedded page's stamp.

    404 for an address that is none, 410 for an erased person, 501 for another format; the number of a merged record
    gives the surviving one.
    """
    form = OEmbedForm(request.GET)
    is_valid = form.is_valid()
    name = form["format"].value() or "json"
    if name not in CONTENT_TYPES:
        return _refused(HTTPStatus.NOT_IMPLEMENTED, gettext("There are two formats: json and xml."))
    if not is_valid:
        problems = (f"{field}: {message}" for field, messages in form.errors.items() for message in messages)
        return _refused(HTTPStatus.BAD_REQUEST, "\n".join(problems))
    try:
        found = _embedded(form.cleaned_data["url"])
    except ErasedError:
        return _refused(HTTPStatus.GONE, gettext("This person was erased"))
    except (Http404, NotPublishedError):
        return _refused(HTTPStatus.NOT_FOUND, gettext("This address has nothing to embed."))

    width = min(WIDTH, form.cleaned_data["maxwidth"] or WIDTH)
    height = min(found.height, form.cleaned_data["maxheight"] or found.height)

    def render() -> bytes:
        shown = embed(found.path, found.title, height, width)
        values = {
            "type": "rich",
            "version": "1.0",
            "title": found.title,
            "provider_name": gettext("Rating Office"),
            "provider_url": office_address(reverse("home")),
            "cache_age": CACHE_SECONDS,
            "html": shown and shown.html,
            "width": width,
            "height": height,
        }
        return json.dumps(values, ensure_ascii=False).encode() if name == "json" else _xml(values)

    response = public_page(request, ("oembed", found), render)
    response["Content-Type"] = CONTENT_TYPES[name]
    return for_other_sites(response)


def _embedded(url: str) -> Embedded:
    """What is embedded of a page. Raises Http404 or NotPublishedError where there is nothing."""
    try:
        asked, office = urlsplit(url), urlsplit(settings.OFFICE_URL)
    except ValueError as error:
        raise Http404 from error
    if (
        not office.netloc
        or asked.netloc.lower() != office.netloc.lower()
        or asked.scheme not in ("http", "https")
    ):
        raise Http404
    language = translation.get_language_from_path(asked.path) or settings.LANGUAGE_CODE
    with translation.override(language):
        match = resolve(unquote(asked.path))
        if match.view_name in ("player", "embed-player"):
            return _player(match.kwargs["address"])
        if match.view_name in ("list-newest", "list-variant-in-force", "embed-list"):
            return _list(match, QueryDict(asked.query, mutable=True))
        if match.view_name in ("club", "embed-club"):
            return _club(**match.kwargs)
    raise Http404


def _player(number: str) -> Embedded:
    found = find_player(number)
    if found.merged_into:
        found = find_player(found.merged_into.address)
    path = reverse("embed-player", args=[found.player.address])
    return Embedded(path, first_name_first(found.row.name), PLAYER_HEIGHT, player_stamp(found))


def _club(register: str, club: str) -> Embedded:
    today = lists_of_today()
    club_or_404(today, register, club)
    path = reverse("embed-club", args=[register, club])
    return Embedded(path, club_title(club), CLUB_HEIGHT, (register, club, *today.stamp))


def _list(match: ResolverMatch, asked: QueryDict) -> Embedded:
    """The list in force, as its page is filtered: by variant and federation, which an embedded list can show too."""
    stamp = stamp_or_404(match.kwargs["pool"], None, None)
    found = cached_list(stamp).rating_list
    if "variant" in match.kwargs:
        asked["variant"] = match.kwargs["variant"]
    federations = cached(("federations", *stamp), lambda: federations_on(found))
    form = EmbeddedListForm(asked, found, federations)
    if not form.is_valid():
        raise Http404
    chosen = {name: str(value) for name, value in form.cleaned_data.items() if value}
    path = address(reverse("embed-list", args=[found.pool.code]), chosen)
    title = [found.pool.name]
    if variant := chosen.get("variant"):
        title.append(variant_label(found, form.variants[variant]))
    if federation := chosen.get("federation"):
        title.append(federations[federation])
    return Embedded(path, ", ".join(title), LIST_HEIGHT, stamp)


def _xml(values: dict[str, object]) -> bytes:
    root = Element("oembed")
    for name, value in values.items():
        SubElement(root, name).text = str(value)
    return bytes(tostring(root, encoding="utf-8", xml_declaration=True))


def _refused(status: HTTPStatus, problem: str) -> HttpResponseBase:
    return for_other_sites(HttpResponse(problem, "text/plain; charset=utf-8", status))
