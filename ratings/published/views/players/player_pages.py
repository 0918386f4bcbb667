"""Pages below that of a player: all tournaments, the opponents, the games of one, and the same as files."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase, QueryDict
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from ratings.formats.tables import csv_file
from ratings.published.selectors.player_tournaments import (
    MetOpponent,
    PlayedTournament,
    best_results,
    met_opponents,
    player_tournaments,
    scores_by_colour,
)
from ratings.published.selectors.players import PublishedPlayer
from ratings.published.selectors.rating_explanation import PlayerGame, explained_games
from ratings.published.views.list_query import address as address_with
from ratings.published.views.players.players import player_at, player_stamp, stamp_with_opponents
from ratings.queries.addresses import published_players
from reporting.rules.points import points_text
from reporting.web.forms import StyledFormMixin, set_choices
from reporting.web.http_cache import generated_file, public_page
from reporting.web.paging import ROWS_PER_PAGE, Row, Rows, rows_on_page
from reporting.web.panels import panels_at
from reporting.web.query_params import PageForm, WholeNumberField, declare_parameters
from reporting.web.sorting import SortColumn, SortForm, sort_headings


class PlayedForm(StyledFormMixin, forms.Form):
    """Which tournaments of a player: those of one pool, of one year."""

    pool = forms.ChoiceField(
        label=_("List"),
        required=False,
        error_messages={"invalid_choice": _("This player is on no such list.")},
    )
    year = WholeNumberField(
        label=_("Year"),
        required=False,
        min_value=1000,
        max_value=9999,
        widget=forms.Select,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), _("This is not a year.")),
    )

    def __init__(self, data: QueryDict, player: PublishedPlayer) -> None:
        super().__init__(data)
        pools = [(code, pool.pool.name) for code, pool in player.pools.items()]
        set_choices(self, "pool", [("", _("All")), *pools])

    def offer_years(self, years: list[int]) -> None:
        """Let the reader choose one of these years."""
        set_choices(self, "year", [("", _("All")), *((year, year) for year in years)])


@login_not_required
@require_safe
@declare_parameters(PlayedForm, "page")
def played(request: HttpRequest, address: str) -> HttpResponseBase:
    """All tournaments of a player that published lists count, newest first, and the best results."""
    found = player_at(request, address, of_record=True)
    form = PlayedForm(request.GET, found)
    is_valid, page = form.is_valid(), PageForm(request.GET).number_or_400

    def render_page() -> str:
        every = player_tournaments(found)
        years = sorted({one.tournament.counting_day.year for one in every}, reverse=True)
        pool, year = form.cleaned_data.get("pool"), form.cleaned_data.get("year")
        form.offer_years(years if year is None or year in years else [year, *years])
        shown = [
            one
            for one in every
            if (not pool or one.rating_list.pool.code == pool)
            and (year is None or one.tournament.counting_day.year == year)
        ]
        best = best_results(shown)
        beaten = best.win and best.win.game.opponent
        has_places = any(one.entry is not None and one.entry.place for one in shown)
        has_performances = any(one.performance_e4 is not None for one in shown)
        context = {
            "player": found,
            "form": form,
            "rows": rows_or_404(request, shown, page),
            "best": best,
            "listed": published_players([beaten.player.pk] if beaten else []),
            "several_pools": len(found.pools) > 1,
            "has_places": has_places,
            "has_performances": has_performances,
            "columns": 4 + has_places + has_performances,
            "panels": panels_at("player-tournaments", found.player),
        }
        return render_to_string("ratings/player_tournaments.html", context, request)

    stamp = ("player tournaments", *found.titles_stamp, *stamp_with_opponents(found))
    return public_page(
        request, stamp, render_page, status=HTTPStatus.OK if is_valid else HTTPStatus.BAD_REQUEST
    )


def rows_or_404(
    request: HttpRequest, rows: Sequence[Row], page: int, *, most: int = ROWS_PER_PAGE
) -> Rows[Row]:
    """The rows of this page of at most so many. Raises `Http404` for a page after the last one."""
    if page > max(-(-len(rows) // most), 1):
        raise Http404
    return rows_on_page(request, rows, most=most)


OPPONENT_COLUMNS = (
    SortColumn("name", _("Opponent")),
    SortColumn("", _("Fed."), _("Federation"), style="table__wide"),
    SortColumn("games", _("Games"), style="table__num"),
    SortColumn("", _("Won"), style="table__num table__wide"),
    SortColumn("", _("Drawn"), style="table__num table__wide"),
    SortColumn("", _("Lost"), style="table__num table__wide"),
    SortColumn("score", _("Score"), style="table__num"),
    SortColumn("last", _("Last met"), style="table__wide"),
)
SORT_KEYS: Mapping[str, Callable[[MetOpponent], Any]] = {
    "name": lambda met: met.player.sort_name,
    "games": lambda met: met.score.games,
    "score": lambda met: met.score.permille,
    "last": lambda met: met.meetings[0].played.tournament.counting_day,
}
MOST_MET_FIRST = "-games"


@login_not_required
@require_safe
@declare_parameters(SortForm, "page")
def opponents(request: HttpRequest, address: str) -> HttpResponseBase:
    """The opponents of a player with the score against each, and the scores by colour."""
    found = player_at(request, address, of_record=True)
    form = SortForm(request.GET, SORT_KEYS)
    is_valid, page = form.is_valid(), PageForm(request.GET).number_or_400
    sort = form.order or MOST_MET_FIRST

    def render_page() -> str:
        played = player_tournaments(found)
        met = met_opponents(played)
        met.sort(key=SORT_KEYS[sort.removeprefix("-")], reverse=sort.startswith("-"))
        rows = rows_or_404(request, met, page)

        def href(sort: str) -> str:
            return address_with(request.path, {"sort": "" if sort == MOST_MET_FIRST else sort})

        context = {
            "player": found,
            "problem": "" if is_valid else gettext("Order ignored: this table cannot be sorted like that."),
            "scores": scores_by_colour(played),
            "rows": rows,
            "listed": published_players([one.player.pk for one in rows]),
            "headings": list(sort_headings(OPPONENT_COLUMNS, sort, href, ("games", "score", "last"))),
        }
        return render_to_string("ratings/player_opponents.html", context, request)

    stamp = ("player opponents", *stamp_with_opponents(found))
    return public_page(
        request, stamp, render_page, status=HTTPStatus.OK if is_valid else HTTPStatus.BAD_REQUEST
    )


GAMES_A_PAGE = 20


@login_not_required
@require_safe
@declare_parameters("page")
def games(request: HttpRequest, address: str, pool: str, in_force: date, code: str) -> HttpResponseBase:
    """The games of a player in a tournament, each with its calculation, on a list whose system rates by game."""
    found = player_at(request, address, of_record=True)
    figures = found.pools[pool].on(in_force) if pool in found.pools else None
    if figures is None or not figures.list.is_by_game:
        raise Http404
    page = PageForm(request.GET).number_or_400

    def render_page() -> str:
        events = explained_games(found.player, figures.list, code)
        if not events:
            raise Http404
        every = [(event, game) for event in events for game in event.games]
        rows = rows_or_404(request, every, page, most=GAMES_A_PAGE)
        opponents = {game.opponent.player.pk for _, game in rows if game.opponent}
        context = {
            "player": found,
            "figures": figures,
            "list": figures.list,
            "tournament": events[0].tournament,
            "rows": rows,
            "listed": published_players(opponents),
        }
        return render_to_string("ratings/player_games.html", context, request)

    return public_page(request, ("player games", *stamp_with_opponents(found)), render_page)


HISTORY_COLUMNS = (
    "pool", "in_force", "revision", "rating", "change", "period_games", "games", "category", "rank", "official_rank",
    "federation_rank",
)  # fmt: skip
GAME_COLUMNS = (
    "pool", "in_force", "tournament", "name", "played_from", "played_to", "round", "colour", "opponent",
    "opponent_name", "opponent_federation", "opponent_rating", "points", "opponent_points", "played", "counted",
)  # fmt: skip


@login_not_required
@require_safe
def history_file(request: HttpRequest, address: str) -> HttpResponseBase:
    """A player's figures on every published list as CSV, pool by pool, oldest first.

    After the columns that all lists have, the ranks on the derived lists.
    """
    found = player_at(request, address, of_record=True)

    def content() -> bytes:
        figures = HISTORY_COLUMNS[3:]
        histories = found.pools.values()
        derived = {one.name: None for pool in histories for one in pool.newest.list.rules.derived_lists}
        return csv_file(
            (*HISTORY_COLUMNS, *(f"{name.replace('-', '_')}_rank" for name in derived)),
            [
                (
                    code,
                    entry.in_force,
                    entry.list.revision,
                    *(getattr(entry, name) for name in figures),
                    *(entry.derived_ranks.get(name) for name in derived),
                )
                for code, pool in found.pools.items()
                for entry in (*pool.entries, *pool.upcoming)
            ],
        )

    name = f"{found.player.address}-history.csv"
    return generated_file(request, ("history", *player_stamp(found)), name, "text/csv", content)


@login_not_required
@require_safe
def games_file(request: HttpRequest, address: str) -> HttpResponseBase:
    """A player's games in tournaments of published lists as CSV, newest tournament first.

    Points are those of the tournament's scale; the opponent's rating is that of the calculation, empty without one.
    """
    found = player_at(request, address, of_record=True)

    def content() -> bytes:
        return csv_file(
            GAME_COLUMNS,
            (game_cells(one, game) for one in player_tournaments(found) for game in one.own_games),
        )

    name = f"{found.player.address}-games.csv"
    return generated_file(request, ("games", *stamp_with_opponents(found)), name, "text/csv", content)


def game_cells(one: PlayedTournament, game: PlayerGame) -> tuple[Any, ...]:
    """A line of the file of games."""
    tournament, person = one.tournament, game.opponent and game.opponent.player
    other_points = game.game.black_points if game.white else game.game.white_points
    return (
        one.rating_list.pool.code,
        one.rating_list.in_force,
        tournament.code,
        tournament.name,
        tournament.played_from,
        tournament.played_to,
        game.game.turn,
        "" if person is None else "white" if game.white else "black",
        person and person.address,
        person and person.printed_name,
        person and person.federation_id,
        game.opponent_rating,
        points_text(game.points, tournament.points, in_file=True),
        "" if person is None else points_text(other_points, tournament.points, in_file=True),
        int(game.game.played),
        int(game.counted),
    )
