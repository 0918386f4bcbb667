"""Endpoints of the players of a tournament: with rating and change, and with their games."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.serializers import Serializer

from ratings.published.api.serializers.tournaments import CrosstableLineSerializer, TournamentEntrySerializer
from ratings.published.api.tournaments.facts import NO_TOURNAMENT, tournament_or_404
from ratings.published.selectors.tournaments.changes import (
    CountedGames,
    PublishedTournament,
    published_tournament,
)
from ratings.queries import tournaments as selectors
from ratings.rules.scaled_numbers import E4
from reporting.reports.selectors.tournaments import Line
from reporting.web.api.endpoints import PublicView
from reporting.web.api.fields import row_pages
from reporting.web.api.parameters import RowsForm


class PlayersOfTournamentView(PublicView):
    """The players of a tournament, by place."""

    nothing_found = NO_TOURNAMENT

    parameters = RowsForm

    def players(
        self,
        request: Request,
        code: str,
        serializer: type[Serializer[Any]],
        in_answer: Callable[[PublishedTournament, Line, Mapping[int, str | None]], dict[str, Any]],
    ) -> HttpResponseBase:
        """A page of the players, each as `in_answer` says it by the addresses of all players of the tournament."""
        form = self.read(request)
        found, stamp = tournament_or_404(code)

        def make() -> Any:
            asked, rows = form.rows, []
            if asked.start < found.players:
                shown = published_tournament(code, asked.start, asked.stop - asked.start)
                addresses = selectors.player_addresses(shown)
                rows = [in_answer(shown, line, addresses) for line in shown.crosstable.lines]
            return self.rows(request, form, found.players, serializer(rows, many=True).data)

        return self.answer(request, stamp, make)


class TournamentEntriesView(PlayersOfTournamentView):
    """The players of a tournament."""

    @extend_schema(operation_id="listTournamentEntries", responses=row_pages(TournamentEntrySerializer))
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """The players of a tournament with rating and change.

        Order: by place, those without one last; then by points, the most first; then by number.
        """
        return self.players(request, code, TournamentEntrySerializer, entry_in_answer)


def entry_in_answer(
    shown: PublishedTournament, line: Line, addresses: Mapping[int, str | None]
) -> dict[str, Any]:
    return {
        "number": line.entry.number,
        "place": line.entry.place,
        "player": addresses[line.entry.number],
        "name": line.entry.player.printed_name,
        "federation": line.entry.player.federation_id,
        "title": shown.listed.get(line.entry.player.pk),
        "points": line.points,
        "ratings": [
            rating_in_answer(games, line.entry.player.pk)
            for games in shown.counted
            if line.entry.player.pk in games.figures
        ],
    }


def rating_in_answer(games: CountedGames, player: int) -> dict[str, Any]:
    figures = games.figures[player]
    added = figures.change.added_e4 if figures.change else None
    return {
        "pool": games.rating_list.pool.code,
        "rating": figures.rating,
        "change": None if added is None else added / E4,
        "counted_games": figures.change.games if figures.change else 0,
        **({"part": games.part} if games.part else {}),
        **({"in_force": games.rating_list.in_force} if games.waited else {}),
    }


class CrosstableView(PlayersOfTournamentView):
    """The crosstable of a tournament."""

    @extend_schema(operation_id="listTournamentCrosstable", responses=row_pages(CrosstableLineSerializer))
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """The players of a tournament with the games of each.

        Order: by place, those without one last; then by points, the most first; then by number.
        """
        return self.players(request, code, CrosstableLineSerializer, line_in_answer)


def line_in_answer(_: PublishedTournament, line: Line, addresses: Mapping[int, str | None]) -> dict[str, Any]:
    return {
        "number": line.entry.number,
        "place": line.entry.place,
        "player": addresses[line.entry.number],
        "name": line.entry.player.printed_name,
        "points": line.points,
        "games": [
            {
                "round": cell.game.round,
                "opponent": cell.opponent and cell.opponent.number,
                "opponent_player": cell.opponent and addresses[cell.opponent.number],
                "colour": "white" if cell.white else "black",
                "points": cell.points,
                "played": cell.played,
                "sign": cell.sign,
            }
            for of_round in line.cells
            for cell in of_round
        ],
    }
