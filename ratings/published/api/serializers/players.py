"""What the answers about players, their games and their changes are made of."""

from typing import Any

from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateField,
    DictField,
    FloatField,
    IntegerField,
    JSONField,
    ListField,
    Serializer,
)

from ratings.published.api.columns import SEXES, FiguresField
from ratings.published.api.serializers.lists import ListKeySerializer
from ratings.published.api.serializers.tournaments import COLOURS, DurationField
from ratings.published.selectors.rating_explanation import NotCounted
from reporting.web.api.fields import AddressField, OptionalChoiceField, OptionalTextField


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
