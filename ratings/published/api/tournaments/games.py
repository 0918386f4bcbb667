"""The endpoint of the games of a tournament, page by page with a cursor."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpResponseBase
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ratings.published.api.serializers.tournaments import GamesSerializer
from ratings.published.api.tournaments.facts import NO_TOURNAMENT, tournament_or_404
from ratings.queries import tournaments as selectors
from reporting.models import Game
from reporting.web.api.endpoints import PublicView
from reporting.web.api.parameters import DEFAULT_ROWS, MAX_ROWS
from reporting.web.query_params import WholeNumberField

CURSOR = re.compile(r"\A([0-9]{1,4})-([0-9]{1,5})-([0-9]{1,18})\Z")


class GamesForm(forms.Form):
    """Which games: `limit` of them after the one that the cursor names."""

    limit = WholeNumberField(
        required=False,
        min_value=1,
        max_value=MAX_ROWS,
        help_text=f"Games of the answer; {DEFAULT_ROWS} by default.",
    )
    cursor = forms.RegexField(
        CURSOR,
        required=False,
        help_text="From `next` of the page before.",
        error_messages={"invalid": gettext_lazy("This is no cursor: follow `next` of the page before.")},
    )


class GamesView(PublicView):
    """The games of a tournament."""

    nothing_found = NO_TOURNAMENT

    parameters = GamesForm

    @extend_schema(operation_id="listTournamentGames", responses=GamesSerializer)
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """The games of a tournament, page by page with a cursor.

        Order: by round, then by `number`.
        """
        form = self.read(request)
        found, stamp = tournament_or_404(code)
        most = form.cleaned_data["limit"] or DEFAULT_ROWS

        def make() -> Any:
            counted = selectors.counted_tournament(code)
            results = counted.results if counted.has_parts else [found.pk]
            rows = list(games_after(results, form.cleaned_data["cursor"])[: most + 1])
            players = selectors.players_in_addresses(counted, results)
            parts = {part.tournament.pk: part.tournament.part for part in counted.parts}
            following = rows[most - 1] if len(rows) > most else None
            cursor = f"{following.round}-{following.number}-{following.pk}" if following else ""
            return GamesSerializer(
                {
                    "next": self.address_with(request, limit=most, cursor=cursor) if cursor else None,
                    "results": [
                        ({"part": parts[game.result_set_id]} if counted.has_parts else {})
                        | game_in_answer(game, players)
                        for game in rows[:most]
                    ],
                }
            ).data

        return self.answer(request, stamp, make)


def games_after(results: Sequence[int], cursor: str) -> QuerySet[Game]:
    """The games of these result sets by rounds, after the one of a cursor: round, number in its round, key."""
    games = Game.objects.filter(result_set__in=results).order_by("round", "number", "pk")
    if place := CURSOR.match(cursor):
        turn, number, key = map(int, place.groups())
        games = games.filter(
            Q(round__gt=turn) | Q(round=turn, number__gt=number) | Q(round=turn, number=number, pk__gt=key)
        )
    return games


def game_in_answer(game: Game, players: Mapping[int | None, tuple[int, str | None]]) -> dict[str, Any]:
    (white, white_player), (black, black_player) = (
        players.get(entry, (None, None)) for entry in (game.white_id, game.black_id)
    )
    return {
        "round": game.round,
        "number": game.number,
        "white": white,
        "white_player": white_player,
        "black": black,
        "black_player": black_player,
        "white_points": game.white_points,
        "black_points": game.black_points,
        "played": game.played,
    }
