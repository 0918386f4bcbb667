"""Pages of a published tournament: rating changes, crosstable, rounds, norms."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

from ratings.published.selectors.rating_explanation import replaced_players
from ratings.published.selectors.tournaments.changes import PublishedTournament, published_tournament
from ratings.published.views.list_query import address
from ratings.published.views.tournaments.played import Played, head, played_or_404, stamp_or_404
from ratings.queries.list_rows import PAGE_ROWS, NoSuchPageError
from ratings.queries.time_controls import clock_label
from ratings.queries.tournaments import CountedPart
from reporting.models import Entry, Player
from reporting.reports.selectors.tournaments import Cell, Line
from reporting.rules.points import draw_sign, points_text
from reporting.rules.report import PAUSE, ReportedGame
from reporting.web.http_cache import full_address, public_page
from reporting.web.paging import Rows, build_pager, rounds_on_page, rows_on_page
from reporting.web.query_params import PageForm, declare_parameters


@login_not_required
@require_safe
@declare_parameters("page")
def changes(request: HttpRequest, code: str) -> HttpResponseBase:
    """The rating changes of a published tournament."""
    return tournament_page(request, code, "ratings/tournament_changes.html", ("changes",), lambda _: {})


@login_not_required
@require_safe
@declare_parameters("page", "rounds")
def crosstable(request: HttpRequest, code: str) -> HttpResponseBase:
    """The results of a published tournament in a crosstable: by rounds, or by opponents where rounds say little."""

    def more(found: PublishedTournament) -> dict[str, Any]:
        table = found.crosstable
        played = [cell.game for line in table.lines for games in line.cells for cell in games]
        replaced = replaced_players(played, found.rating_list.report_rules.register)
        by_opponents = (
            not found.rating_list.report_rules.has_rounds
            and len(table.lines) == len(table.numbers) <= MOST_OPPONENTS
            and any(len(games) > 1 for line in table.lines for games in line.cells)
        )
        return {
            "opponents": opponents_table(found, replaced) if by_opponents else None,
            "part_of": {part.tournament.pk: part for part in found.parts} if found.has_parts else {},
            "substitutes": substitutes(found, replaced),
            "rounds": rounds_on_page(request, table.rounds, table.lines),
            "full_address": full_address(request),
        }

    return tournament_page(request, code, "ratings/tournament_crosstable.html", ("crosstable",), more)


MOST_OPPONENTS = 40
"""The most players of a table that has a column for each of them."""


@dataclass(frozen=True)
class OpponentGame:
    """A game in a crosstable by opponents: the cell, its part, and whom substitutes replace, None for no substitute."""

    cell: Cell
    part: CountedPart
    own_for: Player | None
    opponent_for: Player | None


def substitutes(
    found: PublishedTournament, replaced: Mapping[int | None, Player]
) -> list[tuple[Player, Player, Player]]:
    """Each substitute on the page with the player replaced and the opponent, by line and round. No query."""
    return [
        (line.entry.player, replaced[replaced_number], cell.opponent.player)
        for line in found.crosstable.lines
        for games in line.cells
        for cell in games
        if cell.opponent is not None
        and (replaced_number := cell.game.white_for if cell.white else cell.game.black_for) in replaced
    ]


def opponents_table(
    found: PublishedTournament, replaced: Mapping[int | None, Player]
) -> list[tuple[Line, list[tuple[Entry, list[OpponentGame]]]]]:
    """Each line with its games against each player of the table, in the order of the lines; open games are none.

    `replaced` are the players whom substitutes replace, by their numbers. No query.
    """
    lines = found.crosstable.lines
    parts = {part.tournament.pk: part for part in found.parts}
    cells = [(line, cell) for line in lines for games in line.cells for cell in games]
    games: dict[tuple[int, int], list[OpponentGame]] = {}
    for line, cell in cells:
        if cell.opponent is not None:
            numbers = [cell.game.white_for, cell.game.black_for]
            own, other = (replaced.get(number) for number in (numbers if cell.white else numbers[::-1]))
            game = OpponentGame(cell, parts[cell.game.result_set_id], own, other)
            games.setdefault((line.entry.pk, cell.opponent.pk), []).append(game)
    return [
        (line, [(other.entry, games.get((line.entry.pk, other.entry.pk), [])) for other in lines])
        for line in lines
    ]


def tournament_page(
    request: HttpRequest,
    code: str,
    template: str,
    stamp: tuple[Any, ...],
    more: Callable[[PublishedTournament], Mapping[str, Any]],
) -> HttpResponseBase:
    """A page of a tournament's players by place, a hundred at a time."""
    own_stamp = stamp_or_404(code)
    page = PageForm(request.GET).number_or_400

    def render_page() -> str:
        try:
            found = published_tournament(code, (page - 1) * PAGE_ROWS)
        except NoSuchPageError as error:
            raise Http404 from error
        table = found.crosstable

        def href(page: str) -> str:
            return address(request.path, {"page": page})

        context = {
            **head(found),
            "table": table,
            "players": Rows(
                table.lines,
                table.first + 1,
                table.first + len(table.lines),
                len(table.numbers),
                build_pager(page, found.pages, len(table.numbers), href),
            ),
        }
        return render_to_string(template, {**context, **more(found)}, request)

    return public_page(request, ("tournament", *own_stamp, *stamp), render_page)


GAME_PAGES = [f"page-{game}" for game in range(2, 100)]
"""The pages of the second game of a session and of those after it: a file has at most 99 rounds, a game is one."""


class RoundForm(forms.Form):
    """The round that is shown; without one the last."""

    round = forms.IntegerField(label=gettext_lazy("Round"), required=False, min_value=1, max_value=99)


@dataclass(frozen=True)
class RoundGame:
    """A game of a round: its players, None for no opponent, and how it ended; whom substitutes replace."""

    white: Any
    black: Any
    result: str
    note: str
    white_for: Player | None
    black_for: Player | None


@login_not_required
@require_safe
@declare_parameters(RoundForm, "page", *GAME_PAGES, lasting=("round",))
def rounds(request: HttpRequest, code: str) -> HttpResponseBase:
    """The games of one round of a published tournament; 400 where the address does not name a round."""
    stamp = stamp_or_404(code)
    form = RoundForm(request.GET)
    is_valid = form.is_valid()

    def render_page() -> str:
        played = played_or_404(code)
        shown = form.cleaned_data.get("round") or played.rounds
        if shown > max(played.rounds, 1):
            raise Http404
        context = {
            **head(played.found),
            "form": form,
            "round": shown,
            "rounds": range(1, played.rounds + 1),
            "parts": parts_of_round(request, played, shown),
            "has_cards": not played.is_of_teams,
        }
        return render_to_string("ratings/tournament_rounds.html", context, request)

    status = HTTPStatus.OK if is_valid else HTTPStatus.BAD_REQUEST
    return public_page(request, ("rounds", *stamp), render_page, status=status)


def parts_of_round(request: HttpRequest, played: Played, turn: int) -> list[tuple[str, Rows[RoundGame]]]:
    """The games of a round on a page; of a session in parts, each with its time control (R25).

    Where a federation has no rounds, the games of one player in a round are no session: all are in one part.
    """
    controls = played.tournament.session or [""]
    plus_draws = frozenset(map(tuple, played.tournament.plus_draws))
    of_round = [game for game in played.report.games if game.round == turn]
    has_rounds = played.rating_list.report_rules.has_rounds
    numbers = sorted({game.number if has_rounds else 1 for game in of_round})
    replaced = replaced_players(of_round, played.rating_list.report_rules.register)
    parts = []
    for number in numbers:
        games = [
            shown_game(played, game, plus_draws, replaced)
            for game in of_round
            if not has_rounds or game.number == number
        ]
        control = controls[number - 1] if number <= len(controls) else ""
        rows = rows_on_page(request, games, "page" if number == 1 else f"page-{number}")
        parts.append((clock_label(control, None), rows))
    return parts


def shown_game(
    played: Played,
    game: ReportedGame,
    plus_draws: Collection[tuple[int, ...]],
    replaced: Mapping[int | None, Player],
) -> RoundGame:
    """A game with its result as the crosstable has it: + and − of a plus draw, x without a game."""
    players = {player.number: player for player in played.report.players}
    scale = played.tournament.points

    def points(own: int, other: int, halves: int) -> str:
        return points_text(halves, scale) + draw_sign(plus_draws, game.round, game.number, own, other)

    white = points(game.white, game.black, game.white_points)
    black = points(game.black, game.white, game.black_points)
    note = ""
    if game.is_pause:
        result, note = (black if game.white == PAUSE else white), gettext("pause")
    else:
        result = f"{white} {'–' if game.played else 'x'} {black}"
        if not game.played:
            note = gettext("not played")
        elif draw_sign(plus_draws, game.round, game.number, game.white, game.black):
            note = gettext("plus draw")
    return RoundGame(
        players.get(game.white),
        players.get(game.black),
        result,
        note,
        replaced.get(game.white_for),
        replaced.get(game.black_for),
    )
