"""What the answers of the API are made of. Codes and values: figures of the regulations as printed, no sentence."""

from typing import Any

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
from ratings.published.selectors.players import NotCounted
from ratings.publishing.public_changes.of_players import CHANGED
from reporting.rules.findings.finding_list import Severity
from reporting.web.api import AddressField

SEXES = ("W", "M")
COLOURS = ("white", "black")


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
    discipline = CharField(allow_blank=True, help_text="100 or 64 squares.")
    tempo = CharField(
        allow_blank=True, help_text="classical or rapid-blitz, where the rating system has both."
    )
    in_force = ListKeySerializer(allow_null=True)
    upcoming = ListKeySerializer(allow_null=True)


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
    input_sha256 = CharField(allow_blank=True, help_text="Of what it was calculated from.")
    previous_sha256 = CharField(
        allow_blank=True, help_text="Of figures.csv of the list before; empty without one."
    )
    files = FileSerializer(many=True)
    entries = AddressField(help_text="The address of its entries.")
    page = AddressField(help_text="The address of its page.")


class EntrySerializer(Serializer[Any]):
    """A player on a list, as printed. `rank` is the rank on the variant asked for."""

    rank = IntegerField()
    player = CharField(allow_null=True, help_text="The player in addresses; null for an erased name.")
    number = IntegerField(help_text="In the register of the rating system.")
    name = CharField()
    federation = CharField()
    sex = ChoiceField(SEXES, allow_blank=True)
    birth_year = IntegerField(allow_null=True)
    title = CharField(allow_blank=True)
    rating = IntegerField()
    change = IntegerField(allow_null=True, help_text="Against the list before; null for a new player.")
    period_games = IntegerField()
    games = IntegerField()
    figures = DictField(help_text="The columns of the rating system's own, by their names in files.")


class NumberSerializer(Serializer[Any]):
    """A number of a player in a register."""

    register = CharField()
    number = CharField()


class PlayerSerializer(Serializer[Any]):
    """A player found: as on the newest list, with the ratings by pool."""

    player = CharField(help_text="The player in addresses.")
    name = CharField()
    federation = CharField()
    title = CharField(allow_blank=True)
    birth_year = IntegerField(allow_null=True)
    ratings = DictField(child=IntegerField(), help_text="By the code of the pool.")
    url = AddressField()


class WholePlayerSerializer(PlayerSerializer):
    """A player, with the numbers in registers and the day of the last counted game."""

    sex = ChoiceField(SEXES, allow_blank=True)
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
    symbol = CharField(allow_blank=True, help_text="As in the regulations; empty for a figure without one.")
    working = CharField(
        allow_blank=True, help_text="To read; the numbers are among the figures of the change."
    )
    result = CharField(help_text="To read, with a sign where it is added.")
    article = CharField()
    rulings = ListField(child=CharField())
    notes = NoteSerializer(many=True)


class PlayerGameSerializer(Serializer[Any]):
    """A game of the player. Points are halves of a win, so that a win is 2 in each scale."""

    round = IntegerField()
    colour = ChoiceField(COLOURS)
    opponent = CharField(allow_null=True, help_text="The opponent in addresses.")
    opponent_name = CharField(allow_null=True)
    opponent_rating = IntegerField(allow_null=True)
    points = IntegerField()
    counted = BooleanField()
    not_counted = ChoiceField(NotCounted.values, allow_blank=True, help_text="Why not; empty if it counts.")


class PlayerChangeSerializer(Serializer[Any]):
    """What a tournament did to the rating: the calculation, and the games. Without a counted game it has no figures."""

    tournament = CharField(help_text="The code of the tournament.")
    time_control = CharField(
        allow_blank=True, help_text="Of the games of a session that count here; else empty."
    )
    basis = ListKeySerializer(allow_null=True, help_text="The list whose ratings were used.")
    figures = DictField(
        child=JSONField(), help_text="The columns of changes.csv: whole numbers, or texts with four decimals."
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
    total = StepSerializer(allow_null=True, help_text="The last line; null on an opening list.")


class TournamentSerializer(Serializer[Any]):
    """A tournament of a published list."""

    code = CharField()
    name = CharField()
    place = CharField(allow_blank=True)
    country = CharField(allow_null=True)
    played_from = DateField()
    played_to = DateField()
    system = CharField(allow_blank=True)
    time_control = CharField(allow_blank=True)
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
    rating = IntegerField(allow_null=True)
    change = CharField(allow_null=True, help_text="Four decimals; null without one, and for a first rating.")
    counted_games = IntegerField()


class TournamentEntrySerializer(Serializer[Any]):
    """A player of a tournament: number, place and points of the report, the rating at its start and the change."""

    number = IntegerField()
    place = IntegerField(allow_null=True)
    player = CharField(
        allow_null=True, help_text="The player in addresses; null for a player on no published list."
    )
    name = CharField()
    title = CharField(allow_blank=True, help_text="As the list prints it.")
    points = IntegerField(help_text="In halves of a win: the sum of the games, pauses included.")
    ratings = EntryRatingSerializer(many=True)


class GameSerializer(Serializer[Any]):
    """A game: the numbers of both players in the tournament, null for a pause. Points in halves of a win."""

    round = IntegerField()
    number = IntegerField(help_text="Of the game in its round.")
    white = IntegerField(allow_null=True)
    black = IntegerField(allow_null=True)
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


class StandingSerializer(Serializer[Any]):
    """A player, or a team, in the standings of a tournament; points on its own scale."""

    place = IntegerField(allow_null=True, help_text="null for a player who is not classified")
    number = IntegerField(help_text="In the tournament; the place in the list of teams for a team.")
    name = CharField()
    points = FloatField()
    tie_breaks = DictField(
        help_text="By key; a number with at most four decimals, or a list of them; null without a value."
    )


class FederationSerializer(Serializer[Any]):
    """A federation in the ranking of a list; rank 0 means too few players on the official list."""

    code = CharField()
    name = CharField()
    rank = IntegerField()
    players = IntegerField()
    counted = IntegerField()
    mean = CharField(help_text="Of the ratings of its best players, four decimals.")


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
    about = CharField()
    article = CharField()


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
    article = CharField()
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


class AnnouncedTournamentSerializer(Serializer[Any]):
    """An announced tournament."""

    name = CharField()
    place = CharField(allow_blank=True)
    country = CharField()
    played_from = DateField()
    played_to = DateField()
    discipline = CharField(allow_blank=True, help_text="100 or 64 squares.")
    time_controls = ListField(child=CharField())


class CrosstableCellSerializer(Serializer[Any]):
    """A game of a player: points in halves of a win; `sign` is + of a plus draw, − of a minus draw."""

    round = IntegerField()
    opponent = IntegerField(allow_null=True, help_text="The number of the opponent; null for a pause.")
    colour = ChoiceField(COLOURS)
    points = IntegerField()
    played = BooleanField()
    sign = ChoiceField(("+", "−"), allow_blank=True)


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
    """The place of a federation in the ranking of a list (R13); rank 0 means too few players."""

    list = ListKeySerializer()
    rank = IntegerField()
    players = IntegerField()
    mean = CharField()


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
