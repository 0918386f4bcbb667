"""Two players compared: ratings over time in one drawing, games against each other, common tournaments."""

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import date
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from ratings.models import PlayerHistory, Pool
from ratings.published.selectors.player_tournaments import (
    Meeting,
    PlayedTournament,
    Score,
    met_opponents,
    player_tournaments,
)
from ratings.published.selectors.players import FoundPlayer, PublishedPlayer, find_player, found_players
from ratings.published.views.list_query import address as address_with
from ratings.published.views.players.players import stamp_with_opponents
from ratings.published.views.statistics.charts import Charts, compared_charts
from ratings.queries.lists import NotPublishedError, lists_of_today
from reporting.register.selectors.titles import title_changes
from reporting.web.forms import StyledFormMixin
from reporting.web.http_cache import public_page
from reporting.web.query_params import MAX_SEARCH_LENGTH, SearchForm, declare_parameters, quoted
from reporting.web.values import first_name_first

ADDRESS = re.compile(r"(?:[a-z]{2,8}-)?[1-9][0-9]{0,9}")
CANDIDATES = 10


class CompareForm(StyledFormMixin, forms.Form):
    """The two players, by number or name, and the pool whose ratings are drawn, one of both players."""

    first = forms.CharField(label=_("First player"), required=False, max_length=MAX_SEARCH_LENGTH)
    second = forms.CharField(label=_("Second player"), required=False, max_length=MAX_SEARCH_LENGTH)
    pool = forms.SlugField(
        required=False,
        max_length=30,
        widget=forms.HiddenInput,
        error_messages={"invalid": _("There is no such list.")},
    )

    def require_pool_of(self, first: PublishedPlayer, second: PublishedPlayer) -> None:
        """Refuse a pool in which the two have no ratings to compare. No query."""
        asked = self.cleaned_data["pool"]
        if asked and asked not in first.pools.keys() & second.pools.keys():
            problem = gettext("These players are not both on a list %(pool)s.")
            self.add_error("pool", problem % {"pool": quoted(asked)})
            self.cleaned_data["pool"] = ""


@dataclass(frozen=True)
class Side:
    """One of the two: the player of a number, or those found by a name; `problem` where it is neither.

    `status` is that of the page with it: 404 for an unknown number. `stamp` is what the answer depends on.
    """

    player: PublishedPlayer | None = None
    candidates: Sequence[FoundPlayer] = ()
    total: int = 0
    problem: str = ""
    status: HTTPStatus = HTTPStatus.OK
    stamp: tuple[Hashable, ...] = ()


@login_not_required
@require_safe
@declare_parameters(CompareForm, lasting=("first", "second"))
def compare(request: HttpRequest) -> HttpResponseBase:
    """Two players side by side. A name that one player has leads to the address with the numbers of both."""
    form = CompareForm(request.GET)
    if not form.is_valid():
        context = {"form": form, "sides": [], "is_refused_query": True}
        page = render_to_string("ratings/players_compare.html", context, request)
        return public_page(request, ("compare",), lambda: page, status=HTTPStatus.BAD_REQUEST)
    asked = {name: form.cleaned_data[name].strip() for name in ("first", "second")}
    other = Side(problem=gettext("Enter a player to compare with.") if any(asked.values()) else "")
    sides = {name: find_side(typed) if typed else other for name, typed in asked.items()}
    numbers = {
        name: side.player.player.address if side.player else asked[name] for name, side in sides.items()
    }
    if numbers != asked:
        return HttpResponseRedirect(
            address_with(request.path, {**numbers, "pool": form.cleaned_data["pool"]})
        )
    first, second = sides["first"], sides["second"]
    status = max(first.status, second.status)
    if first.player and second.player:
        form.require_pool_of(first.player, second.player)
        status = HTTPStatus.BAD_REQUEST if form.errors else status
    for name, side in sides.items():
        if side.problem:
            form.add_error(name, side.problem)
    is_one_player = first.player is not None and asked["first"] == asked["second"]
    if is_one_player:
        form.add_error("second", gettext("Choose two different players."))

    def href(**values: str) -> str:
        return address_with(request.path, {**asked, **values})

    def render_page() -> str:
        context: dict[str, Any] = {
            "form": form,
            "is_refused_query": bool(form.errors),
            "sides": [
                (side, [(found, href(**{name: address_of(found)})) for found in side.candidates])
                for name, side in sides.items()
            ],
        }
        if first.player and second.player and not is_one_player:
            compared = Compared(first.player, second.player)
            pool = compared.pool(form.cleaned_data["pool"])
            context |= {
                "compared": compared,
                "pool": pool,
                "pools": [(one, href(pool=one.code)) for one in compared.common_pools],
                "charts": pool and compared.charts(pool),
                "by_day": compared.by_day(pool) if pool else (),
            }
        return render_to_string("ratings/players_compare.html", context, request)

    return public_page(request, ("compare", *first.stamp, *second.stamp), render_page, status=status)


def find_side(typed: str) -> Side:
    """The player of a number or name.

    6 or 7 queries for a number; 3 or 4 for a name, and those for a number where one player has the name.
    """
    if ADDRESS.fullmatch(typed):
        try:
            player = find_player(typed)
        except NotPublishedError:
            problem = gettext("No published list has a player %(typed)s.") % {"typed": quoted(typed)}
            return Side(problem=problem, status=HTTPStatus.NOT_FOUND)
        return Side(player, stamp=stamp_with_opponents(player))
    search = SearchForm({"q": typed}).search
    today = lists_of_today()
    if search.problem:
        return Side(problem=search.problem, status=HTTPStatus.BAD_REQUEST)
    stamp = today.stamp
    candidates, total = found_players(
        today.shown, stamp, " ".join(search.words), search.number, most=CANDIDATES
    )
    problem = "" if total else gettext("No players on the lists match %(typed)s.") % {"typed": quoted(typed)}
    if total == 1:
        return find_side(address_of(candidates[0]))
    return Side(candidates=candidates, total=total, problem=problem, stamp=(*stamp, *title_changes()))


def address_of(found: FoundPlayer) -> str:
    return found.list.report_rules.register.address(found.row["register_number"])


@dataclass(frozen=True)
class ListFigures:
    """The figures of both on the lists of a day; None for who is not on one."""

    in_force: date
    first: PlayerHistory | None
    second: PlayerHistory | None


class Compared:
    """What the page shows of two players, the first one's results first. 7 to 9 queries for each."""

    def __init__(self, first: PublishedPlayer, second: PublishedPlayer) -> None:
        self.players = (first, second)
        self.pools = [
            (pool, [player.pools.get(pool.code) for player in self.players])
            for pool in {one.pool: None for player in self.players for one in player.pools.values()}
        ]
        self.common_pools = [pool for pool, both in self.pools if all(both)]
        played, played_by_other = player_tournaments(first), player_tournaments(second)
        met = next((met for met in met_opponents(played) if met.player.pk == second.player.pk), None)
        self.meetings: Sequence[Meeting] = met.meetings if met else ()
        self.score = Score.of(meeting.game for meeting in self.meetings)
        by_other = {counted_games(one): one for one in played_by_other}
        self.common: Sequence[tuple[PlayedTournament, PlayedTournament]] = [
            (one, other) for one in played if (other := by_other.get(counted_games(one)))
        ]

    def pool(self, code: str) -> Pool | None:
        """The common pool asked for, else the first one; None without a common pool."""
        first = next(iter(self.common_pools), None)
        return next((pool for pool in self.common_pools if pool.code == code), first)

    def histories(self, pool: Pool) -> list[Sequence[PlayerHistory]]:
        """The figures of both in a common pool, oldest first."""
        both = (player.pools[pool.code] for player in self.players)
        return [history.entries or history.upcoming for history in both]

    def charts(self, pool: Pool) -> Charts:
        """Both lines of ratings."""
        first, second = self.histories(pool)
        return compared_charts(first, second, [first_name_first(player.row.name) for player in self.players])

    def by_day(self, pool: Pool) -> list[ListFigures]:
        """The figures of both by list, newest first."""
        first, second = ({entry.in_force: entry for entry in entries} for entries in self.histories(pool))
        days = sorted({*first, *second}, reverse=True)
        return [ListFigures(day, first.get(day), second.get(day)) for day in days]


def counted_games(played: PlayedTournament) -> tuple[int, int, str]:
    """The tournament, and of a session the list and the time control."""
    return played.tournament.pk, played.rating_list.pk, played.time_control
