"""What the answers about tournaments, their games and standings are made of."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateField,
    DictField,
    FloatField,
    IntegerField,
    Serializer,
    URLField,
)

from reporting.web.api.fields import AddressField, OptionalChoiceField, OptionalTextField

COLOURS = ("white", "black")
COMING_STATES = ("announced", "waiting")


@extend_schema_field({"type": "string", "format": "duration"})
class DurationField(serializers.DurationField):
    """A time as ISO 8601 has it, such as P0DT01H20M00S."""

    def __init__(self, **named: Any) -> None:
        super().__init__(format="iso-8601", **named)


class SessionSerializer(Serializer[Any]):
    """A part of a time control; the last one with a number of moves is repeated."""

    time = DurationField()
    moves = IntegerField(allow_null=True, help_text="null for the rest of the game.")


class TimeControlSerializer(Serializer[Any]):
    """A time control. One that is not known in full has no text and no sessions."""

    text = OptionalTextField(help_text="As in report files, such as 80+30.")
    sessions = SessionSerializer(many=True)
    increment = DurationField(allow_null=True, help_text="Added for each move.")
    increment_from = IntegerField(allow_null=True, help_text="The first move for which it is added.")
    time_for_60_moves = DurationField(
        allow_null=True, help_text="Of a player; it decides the tempo. null if it is not known."
    )


class TournamentPartSerializer(Serializer[Any]):
    """A part of a tournament that is reported in several, and the list that counts its games."""

    part = IntegerField()
    games = IntegerField(help_text="Played ones.")
    pool = CharField()
    in_force = DateField()
    revision = IntegerField()
    report_sha256 = CharField()
    excluded_by = IntegerField(allow_null=True)


class TournamentSerializer(Serializer[Any]):
    """A tournament of a published list."""

    code = CharField()
    part = IntegerField(
        required=False,
        help_text="Only where the rating system has tournaments in parts: in a list of tournaments each is a row, and a"
        " tournament alone has its last one.",
    )
    parts = TournamentPartSerializer(
        many=True, required=False, help_text="All parts; only as `part`, and of a tournament alone."
    )
    name = CharField()
    place = OptionalTextField()
    country = OptionalTextField()
    played_from = DateField()
    played_to = DateField()
    system = OptionalTextField()
    time_controls = TimeControlSerializer(many=True, help_text="Of a session those of a round in order.")
    players = IntegerField()
    pool = CharField(help_text="Of its list; that of a session is the first one.")
    in_force = DateField(help_text="Of the list that counts it.")
    report_sha256 = CharField(help_text="Of the report file that was counted.")
    excluded_by = IntegerField(
        allow_null=True,
        help_text="The revision of that list that excludes the tournament; null while the newest one counts it.",
    )
    url = AddressField()


class EntryRatingSerializer(Serializer[Any]):
    """The rating at the start of a tournament and what its games changed, in one pool."""

    pool = CharField()
    part = IntegerField(
        required=False, help_text="Only where lists count several parts: one whose games these are."
    )
    in_force = DateField(
        required=False, help_text="Only of games that waited: the day of the later list that counts them."
    )
    rating = IntegerField(allow_null=True)
    change = FloatField(
        allow_null=True, help_text="At most four decimals; null without one, and for a first rating."
    )
    counted_games = IntegerField()


class TournamentEntrySerializer(Serializer[Any]):
    """A player of a tournament: number, place and points of the report, the rating at its start and the change."""

    number = IntegerField()
    place = IntegerField(allow_null=True)
    player = CharField(
        allow_null=True, help_text="The player in addresses; null for a player on no published list."
    )
    name = CharField()
    federation = OptionalTextField()
    title = OptionalTextField(help_text="As the list prints it.")
    points = IntegerField(help_text="In halves of a win: the sum of the games, pauses included.")
    ratings = EntryRatingSerializer(many=True)


class GameSerializer(Serializer[Any]):
    """A game: the numbers of both players in the tournament, null for a pause. Points in halves of a win."""

    part = IntegerField(required=False, help_text="Only where lists count several parts of the tournament.")
    round = IntegerField()
    number = IntegerField(help_text="Of the game in its round.")
    white = IntegerField(allow_null=True)
    white_player = CharField(allow_null=True, help_text="White in addresses.")
    black = IntegerField(allow_null=True)
    black_player = CharField(allow_null=True, help_text="Black in addresses.")
    white_points = IntegerField()
    black_points = IntegerField()
    played = BooleanField()


class GamesSerializer(Serializer[Any]):
    """A page of games, with the address of the next one."""

    next = URLField(allow_null=True)
    results = GameSerializer(many=True)


@extend_schema_field(
    {
        "type": "object",
        "additionalProperties": {
            "oneOf": [{"type": ["number", "null"]}, {"type": "array", "items": {"type": ["number", "null"]}}]
        },
    }
)
class TieBreaksField(DictField):
    """The values of tie-breaks."""


class StandingSerializer(Serializer[Any]):
    """A player, or a team, in the standings of a tournament; points on its own scale."""

    place = IntegerField(allow_null=True, help_text="null for a player who is not classified")
    number = IntegerField(help_text="In the tournament; the place in the list of teams for a team.")
    player = CharField(
        allow_null=True,
        help_text="The player in addresses; null for a team and a player on no published list.",
    )
    name = CharField()
    points = FloatField()
    tie_breaks = TieBreaksField(
        help_text="By key; a number with at most four decimals, or a list of them; null without a value."
    )


class AwaitedListSerializer(Serializer[Any]):
    """A list that will count a tournament: its pool, and its date of application where that is known."""

    pool = CharField()
    in_force = DateField(allow_null=True)


class ComingTournamentSerializer(Serializer[Any]):
    """A tournament that no published list counts."""

    id = IntegerField(help_text="The same from the announcement on.")
    state = ChoiceField(COMING_STATES)
    code = CharField(allow_null=True, help_text="The tournament in addresses; null for an announced one.")
    name = CharField()
    place = OptionalTextField()
    country = OptionalTextField()
    played_from = DateField()
    played_to = DateField()
    discipline = OptionalTextField(help_text="100 or 64 squares.")
    time_controls = TimeControlSerializer(many=True)
    lists = AwaitedListSerializer(many=True, help_text="Those that will count it; none of an announced one.")
    stars = IntegerField(
        allow_null=True, help_text="Of an announced World Cup event, as approved; null without."
    )
    prize_money = IntegerField(
        allow_null=True, help_text="The sum of its prizes in euros; null without stars."
    )
    page = AddressField(help_text="The address of a page that has it.")


class CrosstableCellSerializer(Serializer[Any]):
    """A game of a player: points in halves of a win; `sign` is + of a plus draw, − of a minus draw."""

    round = IntegerField()
    opponent = IntegerField(allow_null=True, help_text="The number of the opponent; null for a pause.")
    opponent_player = CharField(allow_null=True, help_text="The opponent in addresses.")
    colour = ChoiceField(COLOURS)
    points = IntegerField()
    played = BooleanField()
    sign = OptionalChoiceField(("+", "−"))


class CrosstableLineSerializer(Serializer[Any]):
    """A player of a tournament with all games, by place, then points, then number."""

    number = IntegerField()
    place = IntegerField(allow_null=True)
    player = CharField(
        allow_null=True, help_text="The player in addresses; null for a player on no published list."
    )
    name = CharField()
    points = IntegerField()
    games = CrosstableCellSerializer(many=True)
