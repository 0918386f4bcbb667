"""Atom feeds: all changes, new lists, corrections, the ratings and titles of a player, the players and titles of a
federation.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time

from django.contrib.auth.decorators import login_not_required
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import get_language, gettext, ngettext
from django.views.decorators.http import require_safe

from ratings.models import PlayerHistory, PublicChange, RatingList
from ratings.published.selectors.federations import federation_name, federation_players
from ratings.published.selectors.sharing import FEED_ENTRIES, newest_publications
from ratings.published.views.players.players import player_at, player_stamp
from ratings.publishing.public_changes.of_players import CHANGED
from ratings.publishing.public_changes.registry import page_names
from ratings.publishing.public_changes.selectors import changes
from ratings.queries.lists import lists_of_today
from ratings.queries.terms import data_terms
from reporting.models import PlayerTitle
from reporting.register.selectors.titles import newest_titles
from reporting.register.title_codes import title_code_of
from reporting.rules.register.titles import discipline_of_titles
from reporting.web.http_cache import for_other_sites, office_address, public_page
from reporting.web.values import day, first_name_first, signed_number, title_label

NOTHING_YET = datetime(1970, 1, 1, tzinfo=UTC)
LEADERS = 3


@dataclass(frozen=True)
class Entry:
    """An entry of a feed. `path` is its lasting address and its id; `updated` is when the entry last changed."""

    title: str
    path: str
    updated: datetime
    text: str = ""


class AtomFeed(Atom1Feed):
    """A feed without entries has a fixed time: its bytes change only when it does."""

    def latest_post_date(self) -> datetime:
        return max((item["updateddate"] for item in self.items), default=NOTHING_YET)


def public_feed(
    request: HttpRequest,
    stamp: tuple[Hashable, ...],
    title: str,
    page: str,
    entries: Callable[[], Iterable[Entry]],
) -> HttpResponseBase:
    """An Atom feed about the page at a path, newest entry first, cached as pages are; 304 before entries are read."""

    terms = data_terms()

    def render_feed() -> str:
        feed = AtomFeed(
            title=f"{title} – {gettext('Rating Office')}",
            link=office_address(page),
            description="",
            author_name=gettext("Rating Office"),  # an Atom feed has an author (RFC 4287, 4.1.1)
            language=get_language(),
            feed_url=office_address(request.path),
            feed_guid=office_address(request.path),
            feed_copyright=f"{terms.attribution}, {terms.licence} {terms.url}".rstrip(", "),
        )
        for entry in entries():
            address = office_address(entry.path)
            feed.add_item(
                title=entry.title,
                link=address,
                unique_id=address,
                description=escape(entry.text),  # readers take it for HTML
                updateddate=entry.updated,
            )
        return str(feed.writeString("utf-8"))

    response = public_page(request, ("feed", office_address(""), terms, *stamp), render_feed)
    response["Content-Type"] = "application/atom+xml; charset=utf-8"
    return for_other_sites(response)


@login_not_required
@require_safe
def lists(request: HttpRequest) -> HttpResponseBase:
    """The lists published last, without corrections. 1 query."""
    found = newest_publications(corrections=False)
    stamp = tuple(rating_list.pk for rating_list in found)
    return public_feed(
        request, stamp, gettext("New rating lists"), reverse("lists"), lambda: map(list_entry, found)
    )


@login_not_required
@require_safe
def corrections(request: HttpRequest) -> HttpResponseBase:
    """The revisions published last, each with its reason. 1 query."""
    found = newest_publications(corrections=True)
    stamp = tuple(rating_list.pk for rating_list in found)
    return public_feed(
        request,
        ("corrections", *stamp),
        gettext("Corrections of rating lists"),
        reverse("lists"),
        lambda: map(correction_entry, found),
    )


@login_not_required
@require_safe
def public_changes(request: HttpRequest) -> HttpResponseBase:
    """The newest changes, as the API has them, with the names that lists, players and tournaments have now.

    1 query, and those of `page_names`.
    """
    newest = changes().order_by("-number")[:FEED_ENTRIES]
    names = page_names([change.page for change in newest if change.page])
    found = tuple(change_entry(change, names) for change in newest)
    return public_feed(request, found, gettext("Changes"), reverse("open-data"), lambda: found)


@login_not_required
@require_safe
def player(request: HttpRequest, address: str) -> HttpResponseBase:
    """The ratings of a player on each list with news, in all pools, and the titles. 5 or 6 queries."""
    found = player_at(request, address)
    path = reverse("player", args=[address])
    titles = tuple(map(title_entry, newest_titles(Q(player=found.player))))

    def entries() -> list[Entry]:
        news = [
            rating_entry(entry, path)
            for history in found.pools.values()
            for place, entry in enumerate([*history.entries, *history.upcoming])
            if place == 0 or entry.period_games or entry.change
        ]
        return sorted([*news, *titles], key=lambda entry: entry.updated, reverse=True)[:FEED_ENTRIES]

    stamp = (titles, *player_stamp(found))
    return public_feed(request, stamp, first_name_first(found.row.name), path, entries)


@login_not_required
@require_safe
def federation(request: HttpRequest, code: str) -> HttpResponseBase:
    """The players of a federation on each list in force and each upcoming one, and their newest titles.

    4 queries, then 1 a list.
    """
    name, today = federation_name(code), lists_of_today()
    if name is None:
        raise Http404
    path = reverse("federation", args=[code])
    titles = tuple(map(title_entry, newest_titles(Q(player__federation=code))))

    def entries() -> list[Entry]:
        found = [federation_entry(one, code) for one in (*today.in_force, *today.upcoming)]
        return sorted([*found, *titles], key=lambda entry: entry.updated, reverse=True)

    return public_feed(request, (name, titles, *today.stamp), name, path, entries)


def publication(rating_list: RatingList) -> datetime:
    """When a published list was published."""
    assert rating_list.published_at is not None  # noqa: S101 (a constraint of the database)
    return rating_list.published_at


def list_path(rating_list: RatingList) -> str:
    return reverse("list-revision", args=[rating_list.pool.code, rating_list.in_force, rating_list.revision])


def list_entry(rating_list: RatingList) -> Entry:
    text = ngettext("%(number)s player", "%(number)s players", rating_list.players)
    return Entry(
        gettext("%(pool)s, in force from %(day)s")
        % {"pool": rating_list.pool.name, "day": day(rating_list.in_force)},
        list_path(rating_list),
        publication(rating_list),
        text % {"number": rating_list.players},
    )


def correction_entry(rating_list: RatingList) -> Entry:
    assert rating_list.correction is not None  # noqa: S101 (the query asks for it)
    return Entry(
        gettext("%(pool)s, list of %(day)s: revision %(revision)s")
        % {
            "pool": rating_list.pool.name,
            "day": day(rating_list.in_force),
            "revision": rating_list.revision,
        },
        list_path(rating_list),
        publication(rating_list),
        rating_list.correction.printed_reason,
    )


def change_entry(change: PublicChange, names: Mapping[str, str]) -> Entry:
    """A change, with a number of its own in its address: several are about one player."""
    event, text = change.get_event_display(), ""
    if change.player is not None:
        path = reverse("player", args=[change.player.address])
        about = f"{first_name_first(change.player.printed_name)} ({change.player.address})"
        if change.merged_into is not None:
            text = gettext("Merged into %(number)s") % {"number": change.merged_into.address}
        elif change.title:
            discipline = gettext(discipline_of_titles(change.discipline))
            text = f"{title_label(change.title)}, {discipline}"
        else:
            text = ", ".join(str(CHANGED[name]) for name in change.changed)
    elif change.tournament is not None:
        is_counted = change.list is not None
        path = (
            reverse("tournament", args=[change.tournament_id])
            if is_counted
            else reverse("tournaments-waiting")
        )
        about = change.tournament.name
    elif change.page:
        path, about = change.page, names[change.page]
    else:
        assert change.list is not None  # noqa: S101 (a constraint: a change has one of the four)
        path, about = list_path(change.list), list_entry(change.list).title
    return Entry(f"{event}: {about}", f"{path}#change-{change.number}", change.at, text)


def rating_entry(entry: PlayerHistory, path: str) -> Entry:
    pool = entry.list.pool
    change = "" if entry.change is None else f" ({signed_number(entry.change)})"
    games = ngettext("%(number)s game", "%(number)s games", entry.period_games)
    return Entry(
        f"{pool.name}, {day(entry.in_force)}: {entry.rating}{change}",
        f"{path}?pool={pool.code}&list={entry.in_force.isoformat()}",
        publication(entry.list),
        games % {"number": entry.period_games},
    )


def federation_entry(rating_list: RatingList, code: str) -> Entry:
    players = federation_players(rating_list, code)
    best = ", ".join(f"{first_name_first(row['name'])} {row['rating']}" for row in players[:LEADERS])
    if rating_list.declaration.has_official_list:
        text = ngettext("%(number)s official player", "%(number)s official players", len(players))
    else:
        text = ngettext("%(number)s player", "%(number)s players", len(players))
    return Entry(
        gettext("%(pool)s, in force from %(day)s")
        % {"pool": rating_list.pool.name, "day": day(rating_list.in_force)},
        f"{list_path(rating_list)}?federation={code}",
        publication(rating_list),
        ": ".join(filter(None, [text % {"number": len(players)}, best])),
    )


def title_entry(title: PlayerTitle) -> Entry:
    assert title.registered_on is not None  # noqa: S101 (the query asks for it)
    discipline = gettext(discipline_of_titles(title.discipline))
    return Entry(
        f"{title.player.printed_name} ({title.player.federation_id}): {title_label(title.title)}, {discipline}",
        reverse("title-certificate", args=[title_code_of(title)]),
        timezone.make_aware(datetime.combine(title.registered_on, time.min)),
    )
