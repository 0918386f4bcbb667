"""What the index, the search, the feed of changes and the catalogues are made of."""

from typing import Any

from rest_framework.serializers import (
    CharField,
    ChoiceField,
    DateField,
    DateTimeField,
    DictField,
    IntegerField,
    JSONField,
    ListField,
    Serializer,
    URLField,
)

from ratings.models import PublicChange
from ratings.published.api.serializers.lists import FederationKeySerializer, ListKeySerializer
from ratings.published.api.serializers.players import PlayerSerializer
from ratings.publishing.public_changes.of_players import CHANGED
from reporting.rules.findings.finding_list import Severity
from reporting.web.api.fields import AddressField, OptionalTextField


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
    page = AddressField(allow_null=True, help_text="The permanent page of what is published besides lists.")
    url = AddressField(help_text="What it is about. A tournament answers there once a list counts it.")


class ChangesSerializer(Serializer[Any]):
    """Changes in the order of their numbers, and the address of the next ones; null after the newest."""

    newest = IntegerField(help_text="The number of the newest change; 0 without any.")
    next = URLField(allow_null=True)
    results = PublicChangeSerializer(many=True)


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
