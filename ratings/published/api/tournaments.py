"""Endpoints of tournaments of published lists: facts, entries, games."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.http import Http404, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.serializers import Serializer

from ratings.published.api.serializers.tournaments import (
    ComingTournamentSerializer,
    CrosstableLineSerializer,
    GamesSerializer,
    StandingSerializer,
    TournamentEntrySerializer,
    TournamentSerializer,
)
from ratings.published.selectors.tournaments.changes import (
    CountedGames,
    PublishedTournament,
    published_tournament,
)
from ratings.published.selectors.tournaments.tables import (
    ComingTournament,
    announced_tournaments,
    calculated_tournaments,
    filtered,
    in_order,
    published_stamp,
    waiting_tournaments,
)
from ratings.published.views.list_query import address
from ratings.published.views.tournaments.filter_form import CalendarForm, TournamentFilterForm, WaitingForm
from ratings.published.views.tournaments.standings import classified, played_or_404
from ratings.queries import tournaments as selectors
from ratings.queries.lists import NotPublishedError, office_today
from ratings.rules.scaled_numbers import E4
from reporting.models import Game
from reporting.refusals.domain_error import DomainError
from reporting.reports.selectors.tournaments import Line
from reporting.rules.details.time_control import TimeControl, TimeControlError, parse_time_control
from reporting.rules.standings.classify import RoundPointsError, TeamsOnlyError, TieBreakNotDefinedError
from reporting.rules.standings.fide import Edition
from reporting.rules.standings.registry import TIE_BREAKS
from reporting.rules.standings.unplayed import METHODS
from reporting.web.api.endpoints import PublicView
from reporting.web.api.fields import row_pages
from reporting.web.api.parameters import DEFAULT_ROWS, MAX_ROWS, RowsForm
from reporting.web.query_params import WholeNumberField

KEYS = "|".join(map(re.escape, TIE_BREAKS))
CURSOR = re.compile(r"\A([0-9]{1,4})-([0-9]{1,5})-([0-9]{1,18})\Z")


NO_TOURNAMENT = gettext_lazy("No published list counts a tournament with this code.")


class TournamentsForm(TournamentFilterForm, RowsForm):
    """Which tournaments: the filters and the order of the page."""


class TournamentsView(PublicView):
    """The tournaments of published lists."""

    parameters = TournamentsForm

    @extend_schema(operation_id="listTournaments", responses=row_pages(TournamentSerializer))
    def get(self, request: Request) -> HttpResponseBase:
        """The tournaments of published lists by the filters of their page.

        Order: by `sort`; without it by the last day, the latest first.
        """
        form = self.read(request)
        stamp = published_stamp()

        def make() -> Any:
            found = calculated_tournaments(stamp, form.filters, form.order).rows
            answers = TournamentSerializer([tournament_in_answer(row) for row in found[form.rows]], many=True)
            return self.rows(request, form, found.count(), answers.data)

        return self.answer(request, stamp, make)


def tournament_in_answer(tournament: Any) -> dict[str, Any]:
    names = (
        "code",
        "name",
        "place",
        "played_from",
        "played_to",
        "system",
        "players",
        "in_force",
        "report_sha256",
        "excluded_by",
    )
    return {
        **{name: getattr(tournament, name) for name in names},
        "country": tournament.country_id,
        "time_controls": time_controls_in_answer(tournament),
        "pool": tournament.pool_code,
        "url": reverse("api-tournament", args=(tournament.code,)),
    } | ({"part": tournament.part} if tournament.may_have_parts else {})


def parts_in_answer(code: str) -> list[dict[str, Any]]:
    """The parts of a tournament with the lists that count them."""
    return [
        {
            "part": part.tournament.part,
            "games": part.tournament.games_played or 0,
            "pool": part.rating_list.pool.code,
            "in_force": part.rating_list.in_force,
            "revision": part.rating_list.revision,
            "report_sha256": part.tournament.report_sha256,
            "excluded_by": part.excluded_by and part.excluded_by.revision,
        }
        for part in selectors.counted_tournament(code).parts
    ]


def time_controls_in_answer(tournament: Any) -> list[dict[str, Any]]:
    """The time controls of a tournament's games; none without a clock."""
    if tournament.session:
        return list(map(time_control_in_answer, tournament.session))
    if not tournament.time_control and tournament.seconds_for_60_moves is None:
        return []
    return [time_control_in_answer(tournament.time_control, tournament.seconds_for_60_moves)]


def time_control_in_answer(text: str, seconds: int | None = None) -> dict[str, Any]:
    """A time control with its parts; without them, and with these seconds for 60 moves, where it cannot be read."""
    try:
        control = parse_time_control(text)
    except TimeControlError:
        control = TimeControl(())
    else:
        seconds = control.seconds_for_60_moves
    added = control.added_seconds
    return {
        "text": text,
        "sessions": [
            {"time": timedelta(seconds=session.seconds), "moves": session.moves}
            for session in control.sessions
        ],
        "increment": timedelta(seconds=added) if added else None,
        "increment_from": control.added_from if added else None,
        "time_for_60_moves": None if seconds is None else timedelta(seconds=seconds),
    }


def tournament_or_404(code: str) -> tuple[Any, tuple[Any, ...]]:
    """A tournament of a published list as its newest revision counts it, and the stamp of what is said about it."""
    try:
        stamp = selectors.tournament_stamp(code)
    except NotPublishedError as error:
        raise Http404 from error
    # A session has a row for each pool (R25); after a correction one pool can count an earlier report.
    found = (
        selectors.published_tournaments()
        .filter(tournament__code=code)
        .order_by("-part", "-pk", "pool_code")
        .first()
    )
    if found is None:
        raise Http404
    if found.part > 1:
        found.players = selectors.counted_tournament(code).tournament.players
    return found, stamp


class TournamentView(PublicView):
    """A tournament."""

    nothing_found = NO_TOURNAMENT

    @extend_schema(operation_id="retrieveTournament", responses=TournamentSerializer)
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """A tournament as the newest revision of its list counts it."""
        self.read(request)
        found, stamp = tournament_or_404(code)

        def make() -> Any:
            parts = {"parts": parts_in_answer(code)} if found.may_have_parts else {}
            return TournamentSerializer(tournament_in_answer(found) | parts).data

        return self.answer(request, stamp, make)


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


class CalendarRowsForm(CalendarForm, RowsForm):
    """Which announced tournaments: the filters and the order of the page."""


class WaitingRowsForm(WaitingForm, RowsForm):
    """Which waiting tournaments: the filters and the order of the page."""


COMING_PAGES = row_pages(ComingTournamentSerializer)


class ComingView(PublicView):
    """Tournaments that no published list counts."""

    def coming(self, request: Request, every: Sequence[ComingTournament], page: str) -> HttpResponseBase:
        """Those of these tournaments that the form asks for; `page` is the name of the page that has them."""
        form = self.read(request)

        def make() -> Any:
            found, _ = filtered(every, form.filters)
            rows = in_order(found, form.order)
            answers = [coming_in_answer(row, page) for row in rows[form.rows]]
            return self.rows(request, form, len(rows), ComingTournamentSerializer(answers, many=True).data)

        return self.answer(request, tuple(map(repr, every)), make)


class CalendarView(ComingView):
    """The calendar."""

    parameters = CalendarRowsForm

    @extend_schema(operation_id="listCalendar", responses=COMING_PAGES)
    def get(self, request: Request) -> HttpResponseBase:
        """The announced tournaments from today on, by the filters of their page.

        Order: by `sort`; without it by the first day.
        """
        return self.coming(request, announced_tournaments(office_today()), "tournaments-calendar")


class WaitingView(ComingView):
    """The tournaments that wait for calculation."""

    parameters = WaitingRowsForm

    @extend_schema(operation_id="listWaitingTournaments", responses=COMING_PAGES)
    def get(self, request: Request) -> HttpResponseBase:
        """The tournaments with an accepted report that no published list counts yet, by the filters of their page.

        Order: by `sort`; without it by the first day.
        """
        return self.coming(request, waiting_tournaments(), "tournaments-waiting")


def coming_in_answer(row: ComingTournament, page: str) -> dict[str, Any]:
    names = ("name", "place", "country", "played_from", "played_to", "discipline")
    return {
        "id": row.key,
        "state": "waiting" if row.code else "announced",
        "code": row.code or None,
        **{name: getattr(row, name) for name in names},
        "time_controls": list(map(time_control_in_answer, row.time_controls)),
        "lists": [{"pool": pool.code, "in_force": day} for pool, day in row.lists],
        "stars": row.event.stars if row.event else None,
        "prize_money": row.event.prize_money if row.event else None,
        "page": address(reverse(page), {"q": row.name}),
    }


class StandingsForm(forms.Form):
    """The regulations by which a tournament is classified, and the last round that counts."""

    tie_breaks = forms.RegexField(
        rf"\A({KEYS})(,({KEYS})){{0,4}}\Z",
        required=False,
        help_text="At most five keys in order, with commas; without any those of the tournament's details, else of its "
        f"federation, if any (R50 to R60e, C.07 of FIDE): {', '.join(TIE_BREAKS)}.",
        error_messages={
            "invalid": gettext_lazy("At most five of these, with commas: %(known)s.")
            % {"known": ", ".join(TIE_BREAKS)}
        },
    )
    unplayed = forms.ChoiceField(
        required=False,
        choices=[(key, key) for key in METHODS],
        help_text="How unplayed games count in tie-breaks; without it as the tournament's details say.",
    )
    edition = forms.ChoiceField(
        required=False,
        choices=[(one.value, one.value) for one in Edition],
        help_text="Of FIDE's C.07, for its keys; without it that of the tournament's last day.",
    )
    round = WholeNumberField(
        required=False, min_value=1, max_value=99, help_text="The standings after this round."
    )

    @property
    def keys(self) -> list[str]:
        """The tie-breaks in order, each once."""
        return list(dict.fromkeys(filter(None, self.cleaned_data["tie_breaks"].split(","))))


class StandingsView(PublicView):
    """The standings of a tournament."""

    nothing_found = NO_TOURNAMENT

    parameters = StandingsForm

    @extend_schema(operation_id="listTournamentStandings", responses=StandingSerializer(many=True))
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """The standings by chosen tie-breaks, with the exact values behind the places.

        Order: by place, those who are not classified last.
        """
        form = self.read(request)
        asked = form.cleaned_data
        _, stamp = tournament_or_404(code)

        def make() -> Any:
            played = played_or_404(code, asked["round"])
            if (asked["round"] or 0) > played.rounds:
                raise NotFound(gettext("The tournament has %(rounds)s rounds.") % {"rounds": played.rounds})
            try:
                found = classified(played, form.keys, asked["unplayed"], asked["edition"])
            except RoundPointsError as refused:
                raise DomainError("round_points_only", keys=str(refused)) from None
            except TieBreakNotDefinedError as refused:
                raise DomainError("tie_break_not_defined", keys=str(refused)) from None
            except TeamsOnlyError as refused:
                raise DomainError("tie_break_of_teams", keys=str(refused)) from None
            fixed = ("number", "name", "points", "place")
            addresses = {} if played.is_of_teams else selectors.player_addresses(played.found)
            rows = [
                {name: row[name] for name in fixed}
                | {"player": addresses.get(row["number"])}
                | {"tie_breaks": {key: value for key, value in row.items() if key not in fixed}}
                for row in found.to_json()
            ]
            return StandingSerializer(rows, many=True).data

        return self.answer(request, stamp, make)


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
