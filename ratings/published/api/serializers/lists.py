"""What the answers about pools, lists, sources and federations are made of: codes and values, figures as printed."""

from typing import Any

from rest_framework.serializers import (
    CharField,
    DateField,
    DateTimeField,
    FloatField,
    IntegerField,
    ListField,
    Serializer,
)

from ratings.published.api.columns import ComparedFiguresField
from reporting.web.api.fields import AddressField, OptionalTextField


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
