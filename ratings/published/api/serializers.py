"""What the answers of the API are made of. Codes and values: figures of the regulations as printed, no sentence."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateField,
    DateTimeField,
    DictField,
    FloatField,
    IntegerField,
    JSONField,
    ListField,
    Serializer,
    URLField,
)

from ratings.models import PublicChange
from ratings.published.api.columns import SEXES, ComparedFiguresField, FiguresField
from ratings.published.selectors.rating_explanation import NotCounted
from ratings.publishing.public_changes.of_players import CHANGED
from reporting.rules.findings.finding_list import Severity
from reporting.web.api import AddressField, OptionalChoiceField, OptionalTextField

COLOURS = ("white", "black")
COMING_STATES = ("announced", "waiting")


class ListKeySerializer(Serializer[Any]):
    """A list: its pool, its date of application, its revision, and its lasting address in the API."""

    pool = CharField()
    in_force = DateField()
    revision = IntegerField()
    url = AddressField()


class PoolSerializer(Serializer[Any]):
    """A pool of ratings with its list in force and the next one, if there are."""

    code = CharField(help_text="The pool in addresses.")
    name = CharField()
    system = CharField(help_text="The rating system.")
    discipline = OptionalTextField(help_text="100 or 64 squares.")
    tempo = OptionalTextField(help_text="classical or rapid-blitz, where the rating system has both.")
    in_force = ListKeySerializer(allow_null=True)
    upcoming = ListKeySerializer(allow_null=True)


class SourceListSerializer(Serializer[Any]):
    """The ratings of one kind on a list that a source publishes, as an imported file has them."""

    source = CharField(help_text="The source, such as fide.")  # type: ignore[assignment] # a field takes its place
    in_force = DateField(help_text="The day from which the source says that the list is in force.")
    kind = CharField(help_text="The kind of ratings, such as standard.")
    players = IntegerField(help_text="Players with a rating of this kind.")
    sha256 = CharField(help_text="SHA-256 of the file as it was imported, in hexadecimal.")
    imported_at = DateTimeField()


class FileSerializer(Serializer[Any]):
    """A file of a list: size in bytes, SHA-256 in hexadecimal."""

    name = CharField()
    size = IntegerField()
    sha256 = CharField()
    url = AddressField()


class ListSerializer(Serializer[Any]):
    """A published list in short."""

    pool = CharField()
    in_force = DateField()
    revision = IntegerField()
    closing = DateField(help_text="The closing date.")
    published_at = DateTimeField()
    players = IntegerField(help_text="On the full list.")
    official_players = IntegerField()
    tournaments = IntegerField()
    games = IntegerField()
    sha256 = CharField(help_text="Of figures.csv.")
    url = AddressField()


class WholeListSerializer(ListSerializer):
    """A published list with its files, its edition of the regulations and the list it follows."""

    system = CharField()
    edition = CharField()
    variants = ListField(child=CharField(), help_text="Values of `variant` of its entries.")
    newest_revision = IntegerField()
    input_sha256 = OptionalTextField(help_text="Of what it was calculated from.")
    previous_sha256 = OptionalTextField(help_text="Of figures.csv of the list before.")
    files = FileSerializer(many=True)
    entries = AddressField(help_text="The address of its entries.")
    page = AddressField(help_text="The address of its page.")


@extend_schema_field({"type": "string", "format": "duration"})
class DurationField(serializers.DurationField):
    """A time as ISO 8601 has it, such as P0DT01H20M00S."""

    def __init__(self, **named: Any) -> None:
        super().__init__(format="iso-8601", **named)


class DifferenceSerializer(Serializer[Any]):
    """A player whose figures differ between a revision and the list that it replaces."""

    player = CharField(allow_null=True, help_text="The player in addresses; null for an erased name.")
    name = CharField()
    before = ComparedFiguresField(allow_null=True, help_text="null for a player who was not listed.")
    after = ComparedFiguresField(allow_null=True, help_text="null for a player who is no longer listed.")


class CountedDifferentlySerializer(Serializer[Any]):
    """A tournament that a revision counts differently, with the SHA-256 of the report file."""

    tournament = CharField(help_text="The code of the tournament.")
    before = CharField(allow_null=True, help_text="null where the replaced list does not count it.")
    after = CharField(allow_null=True, help_text="null where the revision excludes it.")


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


class NumberSerializer(Serializer[Any]):
    """A number of a player in a register."""

    register = CharField()
    number = CharField()


class PlayerSerializer(Serializer[Any]):
    """A player found: as on the newest list, with the ratings by pool."""

    player = CharField(help_text="The player in addresses.")
    name = CharField()
    federation = CharField()
    title = OptionalTextField()
    birth_year = IntegerField(allow_null=True)
    ratings = DictField(child=IntegerField(), help_text="By the code of the pool.")
    url = AddressField()


class WholePlayerSerializer(PlayerSerializer):
    """A player, with the numbers in registers and the day of the last counted game."""

    sex = OptionalChoiceField(SEXES)
    lists = DictField(
        child=ListKeySerializer(),
        help_text="By the code of the pool the list that the rating is on: the newest one with the player.",
    )
    numbers = NumberSerializer(many=True)
    last_game = DateField(allow_null=True, help_text="The day of the last counted game.")
    page = AddressField()


class HistorySerializer(Serializer[Any]):
    """A player on one list, in its newest revision."""

    pool = CharField()
    in_force = DateField()
    revision = IntegerField()
    rating = IntegerField()
    change = IntegerField(allow_null=True)
    period_games = IntegerField()
    games = IntegerField()
    rank = IntegerField(help_text="On the full list.")
    official_rank = IntegerField(
        allow_null=True, help_text="null for a player who is not on the official list."
    )


class NoteSerializer(Serializer[Any]):
    """A remark next to a line of a calculation: its code and the values of its sentence."""

    code = CharField()
    values = DictField(child=JSONField())


class StepSerializer(Serializer[Any]):
    """A line of a calculation: code of the figure, symbol, formula with its values, result, article and rulings."""

    code = CharField(help_text="Such as own, average, expected_points, change, performance or new_rating.")
    symbol = OptionalTextField(help_text="As in the regulations.")
    working = OptionalTextField(help_text="To read; the numbers are among the figures of the change.")
    result = CharField(help_text="To read, with a sign where it is added.")
    article = OptionalTextField()
    rulings = ListField(child=CharField())
    list = OptionalTextField(
        help_text="The list that the figure comes from, where it is not the same for all: as files name it."
    )
    notes = NoteSerializer(many=True)


class PlayerGameSerializer(Serializer[Any]):
    """A game of the player. Points are halves of a win, so that a win is 2 in each scale."""

    round = IntegerField()
    colour = ChoiceField(COLOURS)
    opponent_player = CharField(allow_null=True, help_text="The opponent in addresses.")
    opponent_name = CharField(allow_null=True)
    opponent_rating = IntegerField(allow_null=True)
    points = IntegerField()
    counted = BooleanField()
    not_counted = OptionalChoiceField(NotCounted.values, help_text="Why not; null if it counts.")
    played_by = CharField(
        required=False, help_text="The substitute who played it for the player, if one did."
    )
    played_for = CharField(required=False, help_text="Whom the player replaced as a substitute, if anyone.")
    opponent_for = CharField(required=False, help_text="Whom the opponent replaced, if anyone.")


class PlayedGameSerializer(PlayerGameSerializer):
    """A game of the player with its tournament."""

    tournament = CharField(help_text="The code of the tournament.")
    list = ListKeySerializer(help_text="The list that counts the tournament.")
    opponent_federation = OptionalTextField()
    opponent_points = IntegerField(allow_null=True)
    played = BooleanField()


class PlayedTournamentSerializer(Serializer[Any]):
    """A tournament of the player as a list counts it; of a session the games of one time control. Points in halves."""

    tournament = CharField(help_text="The code of the tournament.")
    name = CharField()
    place = OptionalTextField(help_text="Where it was played.")
    country = OptionalTextField()
    played_from = DateField()
    played_to = DateField()
    list = ListKeySerializer(help_text="The list that counts it.")
    time_for_60_moves = DurationField(allow_null=True, help_text="Of a session; null for all games.")
    number = IntegerField(
        allow_null=True,
        help_text="Of the player in the tournament; null where only substitutes played for them.",
    )
    final_place = IntegerField(allow_null=True, help_text="Of the player in the report.")
    players = IntegerField(allow_null=True, help_text="null where only substitutes played for the player.")
    points = IntegerField(help_text="In halves of a win: the sum of the games, pauses included.")
    games = IntegerField(help_text="Pauses included.")
    counted_games = IntegerField()
    change = FloatField(allow_null=True, help_text="Of the rating; null without one, and for a first rating.")
    performance = FloatField(
        allow_null=True, help_text="null without a counted game, or where the rating system has none."
    )
    url = AddressField()


class ScoreSerializer(Serializer[Any]):
    """Games played, by their results."""

    games = IntegerField()
    won = IntegerField()
    drawn = IntegerField()
    lost = IntegerField()


class OpponentSerializer(ScoreSerializer):
    """An opponent with the games played between the two, by the player's results."""

    player = CharField(
        allow_null=True, help_text="The opponent in addresses; null for a player on no published list."
    )
    name = CharField()
    federation = OptionalTextField()
    score = FloatField(allow_null=True, help_text="Points of those for a win in every game, three decimals.")
    last_tournament = CharField(help_text="The code of the tournament in which they met last.")
    last_played = DateField(help_text="Its last day.")


class RankRecordSerializer(Serializer[Any]):
    """The best rank of the player in one ranking, and the first list with it."""

    ranking = CharField(help_text="official, federation, or a derived list such as women.")
    best = IntegerField()
    list = ListKeySerializer()
    now = IntegerField(allow_null=True, help_text="On the newest list; null for a player who is not in it.")


class PoolRecordsSerializer(Serializer[Any]):
    """The highest rating and the best ranks of the player in one pool."""

    pool = CharField()
    highest = IntegerField()
    highest_list = ListKeySerializer(help_text="The first list with it.")
    ranks = RankRecordSerializer(many=True)


class PlayerRecordsSerializer(Serializer[Any]):
    """The records of the player; the best performance is one in at least five counted games."""

    pools = PoolRecordsSerializer(many=True)
    score_white = ScoreSerializer()
    score_black = ScoreSerializer()
    score_all = ScoreSerializer()
    first_places = PlayedTournamentSerializer(many=True)
    best_performance = PlayedTournamentSerializer(allow_null=True)
    largest_gain = PlayedTournamentSerializer(allow_null=True)
    best_win = PlayedGameSerializer(
        allow_null=True, help_text="Against the opponent with the highest rating."
    )


class PlayerChangeSerializer(Serializer[Any]):
    """What a tournament did to the rating: the calculation, and the games. Without a counted game it has no figures."""

    tournament = CharField(help_text="The code of the tournament.")
    time_for_60_moves = DurationField(
        allow_null=True, help_text="Of a session only the games with this time; null for all games."
    )
    basis = ListKeySerializer(allow_null=True, help_text="The list whose ratings were used.")
    figures = FiguresField(
        allow_null=True, help_text="The columns of changes.csv; null without a counted game."
    )
    steps = StepSerializer(many=True)
    games = PlayerGameSerializer(many=True)


class CarriedSerializer(Serializer[Any]):
    """What the correction of an earlier list adds to the rating and to the games."""

    list = ListKeySerializer(help_text="The revision of the earlier list.")
    rating = IntegerField()
    games = IntegerField()


class ExplanationSerializer(Serializer[Any]):
    """How a player's rating on a list was calculated: from the previous one by the changes and what is carried."""

    list = ListKeySerializer()
    rating = IntegerField()
    previous = IntegerField(allow_null=True, help_text="The rating on the list before; null without one.")
    based_on = ListKeySerializer(
        allow_null=True, help_text="The list before, if another revision of it has replaced it since."
    )
    changes = PlayerChangeSerializer(many=True)
    carried = CarriedSerializer(many=True)
    steps = StepSerializer(
        many=True,
        help_text="The lines before the last one, in a system that shows several: the first is where the list starts.",
    )
    total = StepSerializer(allow_null=True, help_text="The last line; null on an opening list.")


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


class PublicChangeSerializer(Serializer[Any]):
    """A change of what is published: what was done, and what it is about. It has no name and no value of a person."""

    number = IntegerField(help_text="1 is the first change; the numbers have no gaps.")
    at = DateTimeField(help_text="When it was done; not in the order of the numbers.")
    event = ChoiceField(PublicChange.Event.values)
    list = ListKeySerializer(
        allow_null=True,
        help_text="Of a tournament the list that counts or excludes it, of a merge the first that reads it.",
    )
    player = CharField(allow_null=True, help_text="The player in addresses; of a merge the duplicate record.")
    merged_into = CharField(allow_null=True, help_text="The surviving record.")
    tournament = CharField(allow_null=True, help_text="The tournament in addresses.")
    title = CharField(allow_null=True)
    discipline = CharField(allow_null=True, help_text="Of the title.")
    changed = ListField(
        child=ChoiceField([*CHANGED]), help_text="What changed of a player; the next list prints it."
    )
    url = AddressField(help_text="What it is about. A tournament answers there once a list counts it.")


class ChangesSerializer(Serializer[Any]):
    """Changes in the order of their numbers, and the address of the next ones; null after the newest."""

    newest = IntegerField(help_text="The number of the newest change; 0 without any.")
    next = URLField(allow_null=True)
    results = PublicChangeSerializer(many=True)


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


class FederationSerializer(Serializer[Any]):
    """A federation in the ranking of a list; without a rank it has too few players on the official list."""

    code = CharField()
    name = CharField()
    rank = IntegerField(allow_null=True)
    players = IntegerField()
    counted = IntegerField()
    mean = FloatField(help_text="Of the ratings of its best players, at most four decimals.")


class RankingSerializer(Serializer[Any]):
    """The ranking of federations on an official list: of all players, and of women."""

    list = ListKeySerializer()
    size = IntegerField(help_text="How many of its best players count.")
    all_players = FederationSerializer(many=True)
    women = FederationSerializer(many=True)


class CatalogueFindingSerializer(Serializer[Any]):
    """A code of a finding, with its article and its sentence."""

    code = CharField()
    severity = ChoiceField([severity.value for severity in Severity])
    about = OptionalTextField()
    article = OptionalTextField()


class EndpointSerializer(Serializer[Any]):
    """An endpoint: its operation in the OpenAPI file, its method, its address with names of parameters in braces."""

    operation = CharField()
    method = CharField()
    path = CharField()


class IndexSerializer(Serializer[Any]):
    """What the API has."""

    openapi = AddressField(help_text="The OpenAPI file.")
    reference = AddressField(help_text="The page that describes it.")
    endpoints = EndpointSerializer(many=True)


class RefusalSerializer(Serializer[Any]):
    """A code of a refusal, with its sentence; values are in braces."""

    code = CharField()
    message = CharField()


class RulingSerializer(Serializer[Any]):
    """A ruling: the article it reads, its text."""

    id = CharField()
    system = CharField()
    article = OptionalTextField()
    text = CharField()


class EditionSerializer(Serializer[Any]):
    """An edition of a system's regulations with its numbers, by their names in the code.

    A table is a list of rows; closing days are pairs of [month, day]: closing date, date of application.
    """

    system = CharField()
    edition = CharField()
    source: Any = CharField()
    in_force_from = DateField()
    parameters = DictField(child=JSONField())


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


class FederationRankSerializer(Serializer[Any]):
    """The place of a federation in the ranking of a list (R13); without a rank it has too few players."""

    list = ListKeySerializer()
    rank = IntegerField(allow_null=True)
    players = IntegerField()
    mean = FloatField()


class FederationKeySerializer(Serializer[Any]):
    """A federation."""

    code = CharField()
    name = CharField()
    url = AddressField()


class WholeFederationSerializer(FederationKeySerializer):
    """A federation with its national ratings officials and its places in the rankings of the lists of today."""

    national_officials = ListField(
        child=CharField(), help_text="Names of those who chose to be named; empty for a federation without."
    )
    rankings = FederationRankSerializer(many=True)
    page = AddressField(help_text="The address of its page.")


class FoundTournamentSerializer(Serializer[Any]):
    """A tournament that a search finds."""

    code = CharField()
    name = CharField()
    place = OptionalTextField()
    country = OptionalTextField()
    played_from = DateField()
    played_to = DateField()
    url = AddressField()


class FoundSerializer(Serializer[Any]):
    """What a search finds: the first of each kind, and how many players and tournaments there are in all."""

    players = PlayerSerializer(many=True)
    player_count = IntegerField()
    tournaments = FoundTournamentSerializer(many=True)
    tournament_count = IntegerField()
    federations = FederationKeySerializer(many=True)
