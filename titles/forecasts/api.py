"""The endpoint that predicts what a tournament brings: rating changes, and norms by result. Nothing is stored.

Ratings are those of `expected_changes`, as on the review of a report; norms those of a forecast, by the same rules.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import (
    BooleanField,
    CharField,
    FloatField,
    IntegerField,
    Serializer,
)

from ratings.office.selectors.expected import expected_changes
from ratings.published.api.players import ADDRESS
from ratings.published.api.serializers.lists import ListKeySerializer
from ratings.queries.addresses import list_key
from ratings.rules.scaled_numbers import E4
from ratings.rules.values import ExpectedChange
from reporting.formats.tournament_details.reader import details_from_values
from reporting.models import Player
from reporting.reports.api import bodies
from reporting.reports.views.reports import hold_place
from reporting.rules.details.known_details import known_details
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import finding
from reporting.rules.register.countries import country_code
from reporting.rules.report import MAX_ROUNDS, ReadReport, ReportedGame, ReportedPlayer
from reporting.web.api.endpoints import PublicView
from reporting.web.api.errors import UnfitValuesError
from reporting.web.api.fields import OptionalTextField
from reporting.web.api.parameters import shortened
from reporting.web.api.throttling import SourceThrottle
from titles.federations.facet import Entrant, ForecastRow
from titles.federations.registry import titles_of_norms
from titles.forecasts.field import MAX_ENTRANTS, find_basis, forecast_field
from titles.forecasts.forms import MAX_RATING, DetailsForm
from titles.forecasts.read_entrants import players_at
from titles.forecasts.read_games import reported_games
from titles.forecasts.views import MAX_FORECASTS
from titles.register.api.norms import requirement_in_answer
from titles.register.api.serializers import RequirementSerializer

MOST_GAMES = 5_000
MOST_BYTES = 600_000
"""Of a prediction with so many games. Figures of this product."""
DAYS = ("played_from", "played_to")

UNKNOWN_PLAYER = gettext_noop("No player on a published list has this address.")
REPEATED = gettext_noop("This is there more than once.")
OF_REGISTER = gettext_noop("The register has this of the player. Leave it out.")
UNKNOWN_COUNTRY = gettext_noop("This country is unknown.")
NOT_A_NUMBER = gettext_noop("No player of the tournament has this number.")
NO_OPPONENT = gettext_noop("A player does not play themselves.")
POINTS = gettext_noop("The points of a game that was played add up to 2.")
TWO_GAMES = gettext_noop("This player has another game in this round.")
MORE_ROUNDS = gettext_noop("The tournament has %(rounds)s rounds.")
FEW_PLAYERS = gettext_noop("A tournament has two players at least.")


def details_schema() -> bodies.Schema:
    """The details that a forecast asks, and the days that say which lists and editions count."""
    names = (*(name for name in DetailsForm().names if name != "rounds"), *DAYS)
    properties = {name: bodies.detail_schema(known_details()[name]) for name in names}
    rounds = {"type": "integer", "minimum": 1, "maximum": MAX_ROUNDS, "description": "The number of rounds."}
    return bodies.object_of(
        {**properties, "rounds": rounds}, "discipline", "time_control", "rounds", "country"
    )


POINTS_OF_GAME: bodies.Schema = {"type": "integer", "minimum": 0, "maximum": 2}
PLAYER = bodies.object_of(
    {
        "number": bodies.NUMBER,
        "player": {
            "type": "string",
            "pattern": f"^{ADDRESS}$",
            "description": "The player in addresses. One without it is not in the register.",
        },
        "rating": {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_RATING,
            "description": "Of a player without an address: as if the list had it, after enough games."
            " Without it the player has no rating.",
        },
        "name": bodies.text(80),
        "federation": {
            "type": "string",
            "pattern": "^[A-Z]{3}$",
            "description": "Of a player without an address, as are sex and title.",
        },
        "sex": {"type": "string", "enum": ["M", "W"]},
        "title": {"type": "string", "enum": titles_of_norms()},
    },
    "number",
)
GAME = bodies.object_of(
    {
        "round": {"type": "integer", "minimum": 1, "maximum": MAX_ROUNDS},
        "white": bodies.NUMBER,
        "black": bodies.NUMBER,
        "white_points": POINTS_OF_GAME,
        "black_points": POINTS_OF_GAME,
        "played": {"type": "boolean", "default": True},
    },
    "round", "white", "black", "white_points", "black_points",
)  # fmt: skip
TOURNAMENT_SCHEMA = bodies.object_of(
    {
        "details": details_schema(),
        "players": bodies.list_of(PLAYER, MAX_ENTRANTS),
        "games": bodies.list_of(GAME, MOST_GAMES),
    },
    "details", "players", "games",
)  # fmt: skip


class PredictedNormSerializer(Serializer[Any]):
    """A title that results bring norms for. What only the end decides, as an admission, is taken as given."""

    title = CharField()
    made = BooleanField(
        help_text="Whether the results bring the norm: no round is left, and nothing is missing."
    )
    colour = OptionalTextField(help_text="The highest possible one.")
    points_needed = IntegerField(
        allow_null=True, help_text="In the games that are left, 2-1-0; null where no norm is possible."
    )
    games_left = IntegerField()
    prevents = RequirementSerializer(many=True, help_text="What is out of reach.")


class PredictedPlayerSerializer(Serializer[Any]):
    """A player with what the tournament alone changes; null for one without a counted game."""

    number = IntegerField()
    player = CharField(allow_null=True, help_text="The player in addresses.")
    name = OptionalTextField()
    own_rating = IntegerField(
        allow_null=True, help_text="On the list that the tournament takes ratings from."
    )
    rating = IntegerField(allow_null=True, help_text="On the newest list.")
    games = IntegerField(allow_null=True, help_text="Those that count.")
    performance = FloatField(allow_null=True)
    change = IntegerField(allow_null=True)
    new_rating = IntegerField(allow_null=True)
    provisional = BooleanField(allow_null=True, help_text="Whether the tournament makes the rating itself.")
    norms = PredictedNormSerializer(many=True)


class PredictionSerializer(Serializer[Any]):
    """What a tournament brings its players."""

    pool = CharField()
    list = ListKeySerializer(allow_null=True, help_text="The list that its ratings are from.")
    edition = CharField(help_text="Of the rules of rating.")
    weight_percentage = IntegerField(help_text="How much its games count.")
    title_edition = OptionalTextField(help_text="Of the rules of titles; null where there are no norms.")
    rounds_left = IntegerField()
    players = PredictedPlayerSerializer(many=True)


@dataclass(frozen=True)
class SentTournament:
    """A tournament as it was sent, without a finding."""

    form: DetailsForm
    details: TournamentDetails
    read: ReadReport
    players: Mapping[int, Player | None]
    ratings: Mapping[int, int]
    entrants: Sequence[Entrant]

    @property
    def rounds_left(self) -> int:
        rounds: int = self.form.cleaned_data["rounds"]
        return rounds - self.read.rounds


class PredictThrottle(SourceThrottle):
    """As many predictions as forecasts on the pages, counted with those."""

    act = "norm-forecast"

    @property
    def most(self) -> int:
        return MAX_FORECASTS


class PredictView(PublicView):
    """The prediction of a tournament, also for the scripts of other sites."""

    throttle_classes = (PredictThrottle,)
    parser_classes: tuple[type[BaseParser], ...] = (bodies.BodyParser,)
    http_method_names = ["post", "options"]  # noqa: RUF012 (as Django declares it)

    @extend_schema(
        operation_id="predictTournament",
        request={"application/json": TOURNAMENT_SCHEMA},
        responses={
            200: PredictionSerializer,
            422: OpenApiResponse({"$ref": "#/components/schemas/Error"}, "Values that do not fit together."),
        },
    )
    def post(self, request: Request) -> Response:
        """Predict the rating changes and norms of a tournament, finished or running. Nothing is stored.

        By the engine of the lists and the rules of norms by result, as if the tournament alone counted on the newest
        list. Ratings are those of the list in force on `played_from`, which is today by default. 422 names all values
        that do not fit together.
        """
        self.read(request)
        hold_place(request._request)
        sent = bodies.validated(request.data, TOURNAMENT_SCHEMA)
        tournament = sent_tournament(sent)
        answer = PredictionSerializer(predicted(tournament)).data
        return Response(answer, headers={"Cache-Control": "private, no-store"})


def sent_tournament(sent: Mapping[str, Any]) -> SentTournament:
    """The tournament. At most 6 queries. Raises UnfitValuesError with what does not fit."""
    given = {name: value for name, value in sent["details"].items() if value is not None}
    form = DetailsForm({name: field.initial for name, field in DetailsForm().fields.items()} | given)
    first = given.get("played_from") or timezone.localdate().isoformat()
    days = {"played_from": first, "played_to": given.get("played_to") or first}
    details, found = details_from_values(
        {name: given[name] for name in ("discipline", "time_control") if name in given} | days
    )
    if details and details.played_from and details.played_to and details.played_to < details.played_from:
        ends = details.played_to.isoformat()
        found = (finding("dates-reversed", field="played_to", played_from=first, played_to=ends),)
    known = players_at(player["player"] for player in sent["players"] if "player" in player)
    findings = [
        *(
            unfit(f"details.{name}", str(given.get(name, "")), str(message))
            for name, messages in form.errors.items()
            for message in messages
        ),
        *(
            unfit(f"details.{problem.field}", problem.found, problem.message)
            | {"expected": problem.expected, "suggestion": problem.suggestion}
            for problem in found
            if problem.field not in form.errors and (problem.field in given or problem.field not in DAYS)
        ),
        *unfit_players(sent["players"], known),
        *unfit_games(
            sent["games"], {player["number"] for player in sent["players"]}, sent["details"]["rounds"]
        ),
    ]
    if findings or details is None:
        raise UnfitValuesError(findings)
    players = {player["number"]: known.get(player.get("player", "")) for player in sent["players"]}
    return SentTournament(
        form,
        details,
        ReadReport(
            format="",
            encoding="",
            players=tuple(
                ReportedPlayer(player["number"], player.get("name", "")) for player in sent["players"]
            ),
            games=tuple(
                ReportedGame(
                    **{
                        name: game[name]
                        for name in ("round", "white", "black", "white_points", "black_points")
                    },
                    played=game.get("played", True),
                )
                for game in sent["games"]
            ),
        ),
        players,
        {player["number"]: player["rating"] for player in sent["players"] if "rating" in player},
        [
            Entrant(
                player.get("name", ""),
                country_code(player.get("federation", "")),
                player.get("sex", ""),
                (player["title"],) if "title" in player else (),
                player.get("rating", 0),
                players[player["number"]],
            )
            for player in sent["players"]
        ],
    )


def unfit(field: str, found: object, message: str) -> dict[str, str]:
    return {"code": "bad_value", "field": field, "found": shortened(str(found)), "message": message}


def unfit_players(
    players: Sequence[Mapping[str, Any]], known: Mapping[str, Player]
) -> Iterator[dict[str, str]]:
    """What does not fit of the players."""
    if len(players) < 2:
        yield unfit("players", len(players), gettext(FEW_PLAYERS))
    numbers = Counter(player["number"] for player in players)
    persons = Counter(known[player["player"]].pk for player in players if player.get("player") in known)
    for place, player in enumerate(players):
        of, address = f"players.{place}", player.get("player")
        if numbers[player["number"]] > 1:
            yield unfit(f"{of}.number", player["number"], gettext(REPEATED))
        if address is None:
            if (code := player.get("federation")) and not country_code(code):
                yield unfit(f"{of}.federation", code, gettext(UNKNOWN_COUNTRY))
            continue
        for name in ("rating", "federation", "sex", "title"):
            if name in player:
                yield unfit(f"{of}.{name}", player[name], gettext(OF_REGISTER))
        if address not in known:
            yield unfit(f"{of}.player", address, gettext(UNKNOWN_PLAYER))
        elif persons[known[address].pk] > 1:
            yield unfit(f"{of}.player", address, gettext(REPEATED))


def unfit_games(
    games: Sequence[Mapping[str, Any]], numbers: set[int], rounds: int
) -> Iterator[dict[str, str]]:
    """What does not fit of the games."""
    sides = ("white", "black")
    of_round = Counter((game["round"], number) for game in games for number in {game[side] for side in sides})
    for place, game in enumerate(games):
        of = f"games.{place}"
        if game["round"] > rounds:
            yield unfit(f"{of}.round", game["round"], gettext(MORE_ROUNDS) % {"rounds": rounds})
        if game["white"] == game["black"]:
            yield unfit(f"{of}.black", game["black"], gettext(NO_OPPONENT))
        for side in sides:
            if game[side] not in numbers:
                yield unfit(f"{of}.{side}", game[side], gettext(NOT_A_NUMBER))
            elif of_round[game["round"], game[side]] > 1:
                yield unfit(f"{of}.{side}", game[side], gettext(TWO_GAMES))
        total = game["white_points"] + game["black_points"]
        if game.get("played", True) and total != 2:
            yield unfit(f"{of}.white_points", game["white_points"], gettext(POINTS))


def predicted(tournament: SentTournament) -> dict[str, Any]:
    """The prediction. At most 12 queries."""
    day = tournament.details.played_from
    assert day is not None  # noqa: S101 (today by default)
    expected = expected_changes(
        tournament.details, tournament.read, tournament.players, ratings=tournament.ratings
    )
    basis = find_basis(tournament.details.discipline, day)
    norms: Sequence[ForecastRow] = ()
    if basis is not None:
        norms = forecast_field(
            basis,
            tournament.entrants,
            tournament.form.details(),
            reported_games(tournament.read),
            tournament.read.rounds,
            day,
        )
    return {
        "pool": expected.pool.code,
        "list": list_key(expected.basis),
        "edition": expected.rules.id,
        "weight_percentage": expected.weight_percentage,
        "title_edition": basis and basis.edition.id,
        "rounds_left": tournament.rounds_left,
        "players": [
            predicted_player(
                sent.number,
                entrant,
                expected.players.get(sent.number),
                norms[place] if norms else None,
            )
            for place, (sent, entrant) in enumerate(
                zip(tournament.read.players, tournament.entrants, strict=True)
            )
        ],
    }


def predicted_player(
    number: int, entrant: Entrant, change: ExpectedChange | None, row: ForecastRow | None
) -> dict[str, Any]:
    return {
        "number": number,
        "player": entrant.player and entrant.player.address,
        "name": entrant.player.printed_name if entrant.player else entrant.name,
        "own_rating": change and change.own,
        "rating": change and change.rating,
        "games": change and change.games,
        "performance": change and change.performance_e4 / E4,
        "change": change and change.change,
        "new_rating": change and change.after,
        "provisional": change and change.provisional,
        "norms": [
            {
                "title": norm.title,
                "made": norm.points == 0 and norm.games == 0,
                "colour": norm.colour,
                "points_needed": norm.points,
                "games_left": norm.games,
                "prevents": [requirement_in_answer(requirement) for requirement in norm.prevents],
            }
            for norm in (row.norms if row else ())
        ],
    }
