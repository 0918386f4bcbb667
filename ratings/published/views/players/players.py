"""The search for players, and the page of a player."""

import re
from collections.abc import Hashable
from datetime import date
from functools import partial
from http import HTTPStatus

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

from ratings.federations.registry import rule_texts
from ratings.models import PlayerHistory
from ratings.published.selectors import players as selectors
from ratings.published.selectors.players import (
    FEDERATION_RANK,
    OFFICIAL_RANK,
    PoolHistory,
    PublishedPlayer,
    RankRecord,
    rank_records,
    ranks_of,
)
from ratings.published.selectors.rating_explanation import rating_explanation
from ratings.published.selectors.unlisted_players import unlisted_player, waiting_elsewhere
from ratings.published.views.list_query import address as address_with
from ratings.published.views.players.history import HistoryForm
from ratings.published.views.sharing.cards import embed, player_card
from ratings.published.views.sharing.linked_data import person
from ratings.published.views.statistics.charts import rating_charts
from ratings.queries.addresses import published_players
from ratings.queries.list_rows import NoSuchPageError, federation_names
from ratings.queries.lists import ErasedError, NotPublishedError, all_pools, lists_of_today, stamp_of
from reporting.models import Player
from reporting.register.selectors.records import membership_history
from reporting.register.selectors.register import register_changes
from reporting.register.selectors.titles import title_changes
from reporting.web.access import GoneError, MovedError
from reporting.web.http_cache import cached, public_page, requested_fragment
from reporting.web.paging import build_pager
from reporting.web.panels import panels_at, panels_stamp
from reporting.web.query_params import PageForm, SearchForm, declare_parameters, quoted
from reporting.web.values import first_name_first

EMBED_HEIGHT = 240
GAMES_AT_ONCE = 12
"""Games of a list, in a system that rates by game, up to which the page has them all with their calculations. With more
each tournament has a page of its games, which htmx unfolds.
"""
ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@login_not_required
@require_safe
@declare_parameters(SearchForm, "page")
def players(request: HttpRequest) -> HttpResponseBase:
    """Players on the lists in force, by name in any spelling or by number."""
    search, page = SearchForm(request.GET).search, PageForm(request.GET).number_or_400
    today = lists_of_today()
    lists, stamp = today.shown, today.stamp

    def render_page() -> str:
        try:
            found = selectors.player_page(lists, stamp, " ".join(search.words), search.number, page)
        except NoSuchPageError as error:
            raise Http404 from error

        def href(page: str) -> str:
            return address_with(request.path, {"q": search.typed, "page": page})

        context = {
            "search": search,
            "found": found,
            "today": today,
            "pager": build_pager(page, found.pages, found.total, href),
        }
        return render_to_string("ratings/players.html", context, request)

    return public_page(
        request,
        (*stamp, *title_changes()),
        render_page,
        status=HTTPStatus.BAD_REQUEST if search.problem else HTTPStatus.OK,
    )


class ChosenListForm(forms.Form):
    """The list whose calculation is shown: its pool and its day in force. The player's lists say which there are."""

    pool = forms.CharField(required=False)
    list = forms.CharField(required=False)


@login_not_required
@require_safe
@declare_parameters(ChosenListForm, HistoryForm, "from", "to")
def player(request: HttpRequest, address: str) -> HttpResponseBase:
    """A player: every pool, the history of one, and how the rating of a list is calculated.

    One on no list, without a number of a federation that gives them itself, has only tournaments.
    """
    form = ChosenListForm(request.GET)
    try:
        found = player_at(request, address, of_record=bool(form.data))
    except Http404:
        return unlisted(request, address)
    memberships = membership_history(found.player)
    problems: list[str] = []
    pool, day = form["pool"].value() or "", form["list"].value() or ""
    history = chosen_pool(pool, found, problems)
    figures = chosen_list(day, history, problems)
    shown = {
        "pool": pool if pool == history.pool.code else "",
        "list": day if day == figures.in_force.isoformat() else "",
    }
    drawn = HistoryForm(request.GET, found, history, shown)
    federations = [(span.federation, span.until) for span in memberships]
    waiting = waiting_elsewhere(found.player, found.pools)
    waits = [(one.game.pk, one.until) for one in waiting]
    stamp = (
        "player",
        *federations,
        *waits,
        *found.titles_stamp,
        *stamp_with_opponents(found),
        *panels_stamp("player"),
    )

    def render_page() -> str:
        federation = federation_names([found.row.federation])[found.row.federation]
        card = player_card(found, federation)
        charts = rating_charts(history.pool.name, drawn.figures, rating_goal(history), drawn.others)
        # Half of the page: the same however its history is drawn, and for readers with a session.
        part = (get_language(), found.player.pk, *stamp)
        context = {
            "player": found,
            "federation": federation,
            "card": card,
            "oembed": card.path,
            "linked_data": person(found, card, federation),
            "embed": embed(
                reverse("embed-player", args=[address]), first_name_first(found.row.name), EMBED_HEIGHT
            ),
            "pools": [
                (pool, found.pools.get(pool.code))
                for pool in all_pools()
                if pool.code in found.pools or found.player.number_in(pool.report_rules.register)
            ],
            "waiting": waiting,
            "memberships": memberships,
            "history": history,
            "explanation": cached(
                ("explanation", figures.list_id, *part),
                partial(render_explanation, request, found, history, figures),
            ),
            "drawn": drawn,
            "charts": charts,
            "live_status": charts.title if requested_fragment(request) else "",
            "ranks": shown_ranks(history),
            "ranks_by_list": ranks_by_list(history),
            "problems": problems,
            "panels": cached(("panels", *part), partial(render_panels, request, found.player)),
        }
        return render_to_string("ratings/player.html", context, request)

    return public_page(
        request,
        stamp,
        render_page,
        status=HTTPStatus.BAD_REQUEST if problems or drawn.errors else HTTPStatus.OK,
    )


def render_explanation(
    request: HttpRequest, found: PublishedPlayer, history: PoolHistory, figures: PlayerHistory
) -> SafeString:
    """How the rating of one list is calculated, with the lists to choose from."""
    explained = rating_explanation(found, figures, GAMES_AT_ONCE)
    games = (game for event in explained.events for game in event.games)
    context = {
        "player": found,
        "history": history,
        "figures": figures,
        "explanation": explained,
        "listed": published_players({game.opponent.player.pk for game in games if game.opponent}),
        "choices": list_choices(request.path, found, history),
    }
    return render_to_string("ratings/player_explanation.html", context, request)


def render_panels(request: HttpRequest, player: Player) -> list[SafeString]:
    """What upper apps show on the page of a player."""
    return [
        render_to_string(panel["template"], {"panel": panel}, request)
        for panel in panels_at("player", player)
    ]


def rating_goal(history: PoolHistory) -> tuple[int, str] | None:
    """The rating that the rules of the newest list name as a goal, and how the chart calls it."""
    rules = history.newest.list.rules
    labels = rule_texts(history.pool.rating_system, rules, "rating_goal")
    return (rules.rating_goal, labels[0].text) if rules.rating_goal and labels else None


def unlisted(request: HttpRequest, address: str) -> HttpResponseBase:
    """A player without a number, at the newest address: the tournaments. Raises Http404 for another player."""
    try:
        found = unlisted_player(address)
    except NotPublishedError as error:
        raise Http404 from error
    current = (found.surviving or found.player).address
    if current != address:
        raise MovedError(reverse("player", args=[current]), request.META["QUERY_STRING"], current)
    player = found.player
    counted = [(one.pk, one.in_force, one.players) for one in found.tournaments]
    stamp = (
        "unlisted player",
        player.pk,
        player.printed_name,
        player.federation_id,
        *player.numbers,
        *counted,
    )

    def render_page() -> str:
        return render_to_string("ratings/player_unlisted.html", {"found": found}, request)

    return public_page(request, stamp, render_page)


def player_at(request: HttpRequest, address: str, *, of_record: bool = False) -> PublishedPlayer:
    """The published player whose address this is. 2 queries, 3 more with merged records.

    Raises Http404 for a player on no published list, `GoneError` for an erased person, and `MovedError` for another
    number of the player. A merged record leads to the surviving one, unless its own figures are asked for
    (`of_record`): those that lists published before the merge stay (decision 0132).
    """
    try:
        found = selectors.find_player(address)
    except ErasedError as error:
        raise GoneError from error
    except NotPublishedError as error:
        raise Http404 from error
    surviving = found.merged_into if not of_record else None
    if (current := (surviving or found.player).address) != address:
        match = request.resolver_match
        assert match is not None  # noqa: S101 (an address led here)
        path = reverse(match.view_name, kwargs={**match.kwargs, "address": current})
        raise MovedError(path, request.META["QUERY_STRING"], current)
    return found


def player_stamp(found: PublishedPlayer) -> tuple[Hashable, ...]:
    """What a page about a player alone depends on: the name as printed, the titles held, the merges, the lists of every
    pool.
    """
    merges = [(merge.other.pk, merge.since, merge.until) for merge in found.merges]
    lists = [
        (pool.newest.list_id, entry.list_id)
        for pool in found.pools.values()
        for entry in (*pool.entries, *pool.upcoming)
    ]
    return (found.row.name, *found.titles.items(), *merges, *lists)


def stamp_with_opponents(found: PublishedPlayer) -> tuple[Hashable, ...]:
    """What a page depends on that names the opponents of a player: also their names. 2 queries."""
    lists = [entry.list for pool in found.pools.values() for entry in (*pool.entries, *pool.upcoming)]
    return (*player_stamp(found), *stamp_of(lists), register_changes())


def rank_labels(history: PoolHistory) -> dict[str, str]:
    """What the ranks of a player are called, in the order in which they are shown."""
    derived = {one.name: gettext(one.title) for one in history.newest.list.rules.derived_lists}
    has_official_list = history.newest.list.declaration.has_official_list
    whole = gettext("Official list") if has_official_list else gettext("All players")
    return {OFFICIAL_RANK: whole, FEDERATION_RANK: gettext("Federation"), **derived}


def shown_ranks(history: PoolHistory) -> list[tuple[str, RankRecord, str]]:
    """The best ranks: label, record, and the address of the list that has the rank, empty for a federation."""
    labels = rank_labels(history)
    pool = history.pool.code
    shown = []
    for record in rank_records(history):
        day, revision = record.entry.in_force, record.entry.list.revision
        if record.name == OFFICIAL_RANK:
            href = reverse("list-revision", args=[pool, day, revision])
        elif record.name == FEDERATION_RANK:
            href = ""
        else:
            href = reverse("list-variant", args=[pool, day, revision, record.name])
        shown.append((labels[record.name], record, href))
    return shown


def ranks_by_list(history: PoolHistory) -> tuple[list[str], list[tuple[PlayerHistory, list[int | None]]]]:
    """The labels of the ranks that the player had, and on each list, newest first, the ranks in their order."""
    names = [record.name for record in rank_records(history)]
    labels = rank_labels(history)
    lists = reversed(history.entries or history.upcoming)
    return [labels[name] for name in names], [
        (entry, [ranks_of(entry).get(name) for name in names]) for entry in lists
    ]


def chosen_pool(asked: str, found: PublishedPlayer, problems: list[str]) -> PoolHistory:
    """The pool asked for, else the first in which the player has a rating."""
    if asked and asked not in found.pools:
        problem = gettext("This player is on no list %(pool)s. The first list is shown.")
        problems.append(problem % {"pool": quoted(asked)})
    return found.pools.get(asked) or next(iter(found.pools.values()))


def chosen_list(asked: str, history: PoolHistory, problems: list[str]) -> PlayerHistory:
    """The figures on the list of the day asked for, else on the last one in force that says something new."""
    figures = None
    if asked:
        try:
            figures = history.on(date.fromisoformat(asked)) if ISO_DATE.fullmatch(asked) else None
        except ValueError:
            figures = None
        if figures is None:
            problem = gettext("This player is on no list of %(day)s. The last list with news is shown.")
            problems.append(problem % {"day": quoted(asked)})
    return figures or history.last_eventful


def list_choices(path: str, found: PublishedPlayer, history: PoolHistory) -> list[tuple[PlayerHistory, str]]:
    """The lists whose calculation can be shown, newest first, with their addresses."""
    first_pool = next(iter(found.pools.values())).pool.code
    pool = "" if history.pool.code == first_pool else history.pool.code
    shown_first = history.last_eventful
    return [
        (
            entry,
            address_with(
                path, {"pool": pool, "list": "" if entry is shown_first else entry.in_force.isoformat()}
            ),
        )
        for entry in reversed([*history.entries, *history.upcoming])
    ]
