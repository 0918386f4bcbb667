"""Endpoints of players on published lists: search, history, how a rating was calculated."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from django import forms
from django.http import Http404, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ratings.models import Change, GameChanges, PlayerHistory, RatingList
from ratings.published.api.columns import typed_value
from ratings.published.api.serializers.players import (
    ExplanationSerializer,
    HistorySerializer,
    PlayerSerializer,
    WholePlayerSerializer,
)
from ratings.published.selectors import players as selectors
from ratings.published.selectors.players import FoundPlayer, PlayerFilters
from ratings.published.selectors.rating_explanation import (
    PlayerEvent,
    PlayerGame,
    RatingExplanation,
    rating_explanation,
)
from ratings.published.views.players.players import player_at, player_stamp, stamp_with_opponents
from ratings.queries.addresses import list_key, published_players
from ratings.queries.lists import find_pool, lists_of_today
from ratings.rules.declared import Kind
from ratings.rules.values import ExplanationStep
from reporting.register.selectors.register import register_changes
from reporting.register.selectors.titles import title_changes
from reporting.rules.register.titles import all_titles
from reporting.web.api.endpoints import PublicView
from reporting.web.api.errors import values_in_answer
from reporting.web.api.fields import row_pages
from reporting.web.api.parameters import SearchRowsForm
from reporting.web.query_params import KnownField, WholeNumberField

ADDRESS = r"([a-z]{2,8}-)?[1-9][0-9]{0,9}"
POOL = r"\A[a-z0-9-]{1,30}\Z"
MOST_IDS, MOST_RATING = 100, 9_999
NO_PLAYER = gettext_lazy("There is no such player on a published list.")
NO_POOL = gettext_lazy("There is no such pool. /api/v1/pools/ has them all.")


class PlayersForm(SearchRowsForm):
    """Which players: a search, and filters that one of their lists fits."""

    ids = forms.RegexField(
        rf"\A{ADDRESS}(,{ADDRESS}){{0,{MOST_IDS - 1}}}\Z",
        required=False,
        help_text=f"At most {MOST_IDS} players in addresses, with commas. Merged records are not found.",
    )
    pool = KnownField(POOL, find_pool, NO_POOL, help_text="On the list of this pool.")
    federation = forms.RegexField(r"\A[A-Z]{3}\Z", required=False, help_text="As the list prints it.")
    title = forms.ChoiceField(
        required=False,
        choices=lambda: [(code, code) for code in all_titles()],
        help_text="Held today, in any discipline.",
    )
    min_rating = WholeNumberField(required=False, min_value=0, max_value=MOST_RATING)
    max_rating = WholeNumberField(required=False, min_value=0, max_value=MOST_RATING)

    @property
    def filters(self) -> PlayerFilters | None:
        """The filters; None without any."""
        asked = self.cleaned_data
        found = PlayerFilters(
            addresses=tuple(filter(None, asked["ids"].split(","))),
            pool=asked["pool"],
            federation=asked["federation"],
            title=asked["title"],
            least_rating=asked["min_rating"],
            most_rating=asked["max_rating"],
        )
        return None if found == PlayerFilters() else found


class PlayersView(PublicView):
    """The players of the lists of today."""

    parameters = PlayersForm

    @extend_schema(operation_id="listPlayers", responses=row_pages(PlayerSerializer))
    def get(self, request: Request) -> HttpResponseBase:
        """The players on the lists of today.

        Order: by name; for a search the likeliest first.
        """
        form = self.read(request)
        today = lists_of_today()
        stamp = today.stamp

        def make() -> Any:
            search, asked, filters = form.search, form.rows, form.filters
            players, total = selectors.found_players(
                today.shown,
                stamp,
                search.typed,
                search.number,
                among=filters and selectors.players_among(today.shown, filters),
                first=asked.start,
                most=asked.stop - asked.start,
            )
            rows = [player_in_answer(found, today.shown) for found in players]
            return self.rows(request, form, total, PlayerSerializer(rows, many=True).data)

        numbers = (register_changes(),) if form.cleaned_data["ids"] else ()
        return self.answer(request, (*stamp, *title_changes(), *numbers), make)


def player_in_answer(found: FoundPlayer, lists: Sequence[RatingList]) -> dict[str, Any]:
    address = found.list.report_rules.register.address(found.row["register_number"])
    return {
        **found.row,
        "player": address,
        "ratings": {one.pool.code: found.ratings[one.pk] for one in lists if one.pk in found.ratings},
        "url": reverse("api-player", args=(address,)),
    }


class PlayerView(PublicView):
    """A player."""

    nothing_found = NO_PLAYER

    @extend_schema(operation_id="retrievePlayer", responses=WholePlayerSerializer)
    def get(self, request: Request, address: str) -> HttpResponseBase:
        """A player as on the newest list in force, with the title held today and the numbers in registers."""
        self.read(request)
        found = player_at(request._request, address)

        def make() -> Any:
            # As `WholePlayerSerializer` describes it, which would take as long as reading the player.
            row, own = found.row, found.player.address
            return {
                "player": own,
                "name": row.name,
                "federation": row.federation,
                "title": found.title or None,
                "birth_year": row.birth_year,
                "ratings": {code: pool.newest.rating for code, pool in found.pools.items()},
                "url": reverse("api-player", args=(own,)),
                "sex": row.sex or None,
                "lists": {code: list_key(pool.newest.list) for code, pool in found.pools.items()},
                "numbers": [
                    {"register": number.register.code, "number": str(number.value)}
                    for number in found.player.all_numbers
                ],
                "last_game": found.last_game,
                "page": reverse("player", args=(own,)),
            }

        numbers = sorted(found.player.numbers.items())
        return self.answer(request, (*player_stamp(found), *numbers), make)


class HistoryView(PublicView):
    """A player on every list."""

    nothing_found = NO_PLAYER

    @extend_schema(operation_id="listPlayerHistory", responses=HistorySerializer(many=True))
    def get(self, request: Request, address: str) -> HttpResponseBase:
        """A player on every published list of every pool, in its newest revision.

        Order: pool by pool, each from its oldest list on.
        """
        self.read(request)
        found = player_at(request._request, address, of_record=True)

        def make() -> Any:
            entries = [entry for pool in found.pools.values() for entry in (*pool.entries, *pool.upcoming)]
            return HistorySerializer([history_in_answer(entry) for entry in entries], many=True).data

        return self.answer(request, player_stamp(found), make)


def history_in_answer(entry: PlayerHistory) -> dict[str, Any]:
    names = ("in_force", "rating", "change", "period_games", "games", "rank", "official_rank")
    return {
        "pool": entry.list.pool.code,
        "revision": entry.list.revision,
        **{name: getattr(entry, name) for name in names},
    }


class ExplanationView(PublicView):
    """How a player's rating on a list was calculated."""

    nothing_found = gettext_lazy("There is no such player on a published list of this pool and day.")

    @extend_schema(operation_id="retrieveRatingExplanation", responses=ExplanationSerializer)
    def get(self, request: Request, address: str, pool: str, in_force: date) -> HttpResponseBase:
        """How a player's rating on a list was calculated: by tournaments, each with its steps and games (R9).

        Where a system rates by game, each game is an object with its own figures and steps."""
        self.read(request)
        found = player_at(request._request, address, of_record=True)
        history = found.pools.get(pool)
        figures = history.on(in_force) if history else None
        if figures is None:
            raise Http404

        def make() -> Any:
            explained = rating_explanation(found, figures)
            opponents = [game.opponent for event in explained.events for game in event.games]
            known = published_players({opponent.player.pk for opponent in opponents if opponent})
            printed = printed_numbers(explained)
            return ExplanationSerializer(
                {
                    "list": list_key(explained.rating_list),
                    "rating": explained.rating,
                    "previous": explained.previous,
                    "based_on": list_key(explained.based_on),
                    "changes": [
                        answer
                        for event in explained.events
                        for answer in changes_in_answer(event, explained.rating_list, known, printed)
                    ],
                    "carried": [
                        {"list": list_key(one.revision), "rating": one.rating, "games": one.games}
                        for one in explained.carried
                    ],
                    "steps": [step_in_answer(step) for step in explained.steps[:-1]],
                    "total": explained.total and step_in_answer(explained.total),
                }
            ).data

        return self.answer(request, stamp_with_opponents(found), make, modified=figures.list.published_at)


def printed_numbers(explained: RatingExplanation) -> dict[int, int | None]:
    """Other players of the games (ids) → their numbers as the list read them (decision 0200). 1 query, or none.

    Empty for a list that read nothing of the register.
    """
    declaration = explained.rating_list.declaration
    relations = [column.relation for column in declaration.changes if column.kind is Kind.PLAYER]
    changes = [game.change for event in explained.events for game in event.games if game.change]
    players = {getattr(change, f"{relation}_id") for change in changes for relation in relations}
    number = f"numbers__{explained.rating_list.report_rules.register.code}"
    stored = explained.rating_list.register_rows.filter(player__in=players)
    return dict(stored.values_list("player", number)) if players else {}


def changes_in_answer(
    event: PlayerEvent, rating_list: RatingList, known: Collection[int], printed: Mapping[int, int | None]
) -> Iterator[dict[str, Any]]:
    """The change of a tournament with its games; in a system that rates by game an object a game."""
    changes: list[tuple[Change | None, Sequence[ExplanationStep], Sequence[PlayerGame]]]
    if isinstance(event.change, GameChanges):
        changes = [(game.change, game.steps, [game]) for game in event.games]
    else:
        changes = [(event.change, event.steps, event.games)]
    for change, steps, games in changes:
        yield {
            "tournament": event.tournament.code,
            "time_for_60_moves": time_of_clock(event.clock),
            "basis": list_key(event.basis),
            "figures": change and figures_in_answer(change, rating_list, printed),
            "steps": [step_in_answer(step) for step in steps],
            "games": [game_in_answer(game, known) for game in games],
        }


def time_of_clock(clock: int | None) -> timedelta | None:
    """The time for 60 moves of a session's games, in seconds, as a duration."""
    return None if clock is None else timedelta(seconds=clock)


def figures_in_answer(
    change: Change, rating_list: RatingList, printed: Mapping[int, int | None]
) -> dict[str, Any]:
    """The figures of a change as `FiguresField` describes them: those of `changes.csv`."""
    declaration, on_list = rating_list.rating_system.declaration, rating_list.declaration.change_file
    register = rating_list.report_rules.register
    figures: dict[str, Any] = {}
    for name in declaration.change_file:
        column = declaration.change_column(name)
        is_whole = bool(column.whole_unless) and not getattr(change, column.whole_unless)
        value = getattr(change, name) if name in on_list else None
        if column.kind is Kind.PLAYER and value is not None:
            player = getattr(change, column.relation)
            value = printed[player.pk] if player.pk in printed else player.number_in(register)
        figures[column.in_files] = typed_value(column, value, is_whole=is_whole)
    return figures


def step_in_answer(step: ExplanationStep) -> dict[str, Any]:
    figures = ("code", "symbol", "working", "result", "article", "rulings")
    notes = [{"code": note.code, "values": values_in_answer(note.values)} for note in step.notes]
    return {**{name: getattr(step, name) for name in figures}, "list": step.list_read, "notes": notes}


def game_in_answer(game: PlayerGame, known: Collection[int]) -> dict[str, Any]:
    """A game; the opponent has an address among the published players `known`."""
    opponent = game.opponent
    substitutes = {name: getattr(game, name) for name in ("played_by", "played_for", "opponent_for")}
    return {
        "round": game.game.round,
        "colour": "white" if game.white else "black",
        "opponent_player": opponent.player.address if opponent and opponent.player.pk in known else None,
        "opponent_name": opponent.player.printed_name if opponent else None,
        "opponent_rating": game.opponent_rating,
        "points": game.points,
        "counted": game.counted,
        "not_counted": game.not_counted_reason,
        **{name: player.printed_name for name, player in substitutes.items() if player is not None},
    }
