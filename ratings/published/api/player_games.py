"""Endpoints of what a player played: tournaments, games, opponents, records."""

from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.http import HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ratings.published.api.players import NO_PLAYER, NO_POOL, POOL, game_in_answer, time_of_clock
from ratings.published.api.serializers.players import (
    OpponentSerializer,
    PlayedGameSerializer,
    PlayedTournamentSerializer,
    PlayerRecordsSerializer,
)
from ratings.published.selectors.player_tournaments import (
    Meeting,
    MetOpponent,
    PlayedTournament,
    best_results,
    met_opponents,
    player_tournaments,
    scores_by_colour,
)
from ratings.published.selectors.players import PoolHistory, rank_records
from ratings.published.views.players.player_pages import MOST_MET_FIRST, SORT_KEYS
from ratings.published.views.players.players import player_at, stamp_with_opponents
from ratings.published.views.tournaments.filter_form import order_choices
from ratings.queries.addresses import list_key, published_players
from ratings.queries.lists import find_pool
from ratings.rules.scaled_numbers import E4
from reporting.web.api.endpoints import PublicView
from reporting.web.api.fields import row_pages
from reporting.web.api.parameters import RowsForm
from reporting.web.query_params import KnownField, WholeNumberField


class PlayedForm(RowsForm):
    """Which tournaments of a player: those of one pool, of one year."""

    pool = KnownField(POOL, find_pool, NO_POOL, help_text="The code of a pool.")
    year = WholeNumberField(required=False, min_value=1000, max_value=9999)

    def chosen(self, played: Sequence[PlayedTournament]) -> list[PlayedTournament]:
        """The tournaments that were asked for."""
        pool, year = self.cleaned_data["pool"], self.cleaned_data["year"]
        return [
            one
            for one in played
            if (not pool or one.rating_list.pool.code == pool)
            and (year is None or one.tournament.counting_day.year == year)
        ]


class PlayerTournamentsView(PublicView):
    """The tournaments of a player."""

    nothing_found = NO_PLAYER
    parameters = PlayedForm

    @extend_schema(operation_id="listPlayerTournaments", responses=row_pages(PlayedTournamentSerializer))
    def get(self, request: Request, address: str) -> HttpResponseBase:
        """The tournaments of a player that published lists count, of a session one for each time control.

        Order: by the last day, the latest first.
        """
        form = self.read(request)
        found = player_at(request._request, address, of_record=True)

        def make() -> Any:
            played = form.chosen(player_tournaments(found))
            rows = [tournament_in_answer(one) for one in played[form.rows]]
            return self.rows(request, form, len(played), PlayedTournamentSerializer(rows, many=True).data)

        return self.answer(request, stamp_with_opponents(found), make)


def tournament_in_answer(played: PlayedTournament) -> dict[str, Any]:
    tournament, change, performance = played.tournament, played.change, played.performance_e4
    added = change.added_e4 if change else None
    return {
        "tournament": tournament.code,
        **{name: getattr(tournament, name) for name in ("name", "place", "played_from", "played_to")},
        "country": tournament.country_id,
        "list": list_key(played.rating_list),
        "time_for_60_moves": time_of_clock(played.clock),
        "number": played.entry and played.entry.number,
        "final_place": played.entry and played.entry.place,
        "players": played.players,
        "points": played.points,
        "games": len(played.own_games),
        "counted_games": change.games if change else 0,
        "change": None if added is None else added / E4,
        "performance": None if performance is None else performance / E4,
        "url": reverse("api-tournament", args=(tournament.code,)),
    }


class PlayerGamesView(PublicView):
    """The games of a player."""

    nothing_found = NO_PLAYER
    parameters = PlayedForm

    @extend_schema(operation_id="listPlayerGames", responses=row_pages(PlayedGameSerializer))
    def get(self, request: Request, address: str) -> HttpResponseBase:
        """The games of a player in tournaments of published lists, pauses too.

        Order: by the last day of the tournament, the latest first; in a tournament by `round`.
        """
        form = self.read(request)
        found = player_at(request._request, address, of_record=True)

        def make() -> Any:
            played = form.chosen(player_tournaments(found))
            meetings = [Meeting(game, one) for one in played for game in one.own_games]
            rows = PlayedGameSerializer(meetings_in_answer(meetings[form.rows]), many=True).data
            return self.rows(request, form, len(meetings), rows)

        return self.answer(request, stamp_with_opponents(found), make)


def meetings_in_answer(meetings: Sequence[Meeting]) -> list[dict[str, Any]]:
    """Games with their tournaments. 1 query."""
    opponents = [meeting.game.opponent for meeting in meetings]
    known = published_players({opponent.player.pk for opponent in opponents if opponent})
    return [
        {
            "tournament": meeting.played.tournament.code,
            "list": list_key(meeting.played.rating_list),
            **game_in_answer(meeting.game, known),
            "opponent_federation": opponent.player.federation_id if opponent else None,
            "opponent_points": (
                meeting.game.game.black_points if meeting.game.white else meeting.game.game.white_points
            )
            if opponent
            else None,
            "played": meeting.game.game.played,
        }
        for meeting, opponent in zip(meetings, opponents, strict=True)
    ]


class OpponentsForm(RowsForm):
    """Which opponents, in which order."""

    sort = forms.ChoiceField(required=False, choices=order_choices(SORT_KEYS))


class PlayerOpponentsView(PublicView):
    """The opponents of a player."""

    nothing_found = NO_PLAYER
    parameters = OpponentsForm

    @extend_schema(operation_id="listPlayerOpponents", responses=row_pages(OpponentSerializer))
    def get(self, request: Request, address: str) -> HttpResponseBase:
        """The opponents of a player in games played, with the score against each.

        Order: by `sort`; without it by games, the most first; then by name.
        """
        form = self.read(request)
        sort = form.cleaned_data["sort"] or MOST_MET_FIRST
        found = player_at(request._request, address, of_record=True)

        def make() -> Any:
            met = met_opponents(player_tournaments(found))
            met.sort(key=SORT_KEYS[sort.removeprefix("-")], reverse=sort.startswith("-"))
            shown = met[form.rows]
            known = published_players({one.player.pk for one in shown})
            rows = OpponentSerializer([opponent_in_answer(one, known) for one in shown], many=True).data
            return self.rows(request, form, len(met), rows)

        return self.answer(request, stamp_with_opponents(found), make)


def opponent_in_answer(met: MetOpponent, known: Collection[int]) -> dict[str, Any]:
    score, last = met.score, met.meetings[0].played.tournament
    permille = score.permille
    return {
        "player": met.player.address if met.player.pk in known else None,
        "name": met.player.printed_name,
        "federation": met.player.federation_id,
        **{name: getattr(score, name) for name in ("games", "won", "drawn", "lost")},
        "score": None if permille is None else permille / 1000,
        "last_tournament": last.code,
        "last_played": last.played_to,
    }


class PlayerRecordsView(PublicView):
    """The records of a player."""

    nothing_found = NO_PLAYER

    @extend_schema(operation_id="retrievePlayerRecords", responses=PlayerRecordsSerializer)
    def get(self, request: Request, address: str) -> HttpResponseBase:
        """The highest ratings and best ranks of a player, the scores by colour, and the best results."""
        self.read(request)
        found = player_at(request._request, address, of_record=True)

        def make() -> Any:
            played = player_tournaments(found)
            best = best_results(played)
            (win,) = meetings_in_answer([best.win]) if best.win else [None]
            scores = scores_by_colour(played)
            return PlayerRecordsSerializer(
                {
                    "pools": [pool_in_answer(pool) for pool in found.pools.values()],
                    **{f"score_{colour}": scores[colour] for colour in ("white", "black", "all")},
                    "first_places": list(map(tournament_in_answer, best.first_places)),
                    "best_performance": best.performance and tournament_in_answer(best.performance),
                    "largest_gain": best.gain and tournament_in_answer(best.gain),
                    "best_win": win,
                }
            ).data

        return self.answer(request, stamp_with_opponents(found), make)


def pool_in_answer(history: PoolHistory) -> dict[str, Any]:
    return {
        "pool": history.pool.code,
        "highest": history.highest.rating,
        "highest_list": list_key(history.highest.list),
        "ranks": [
            {
                "ranking": record.name,
                "best": record.best,
                "list": list_key(record.entry.list),
                "now": record.now,
            }
            for record in rank_records(history)
        ],
    }
