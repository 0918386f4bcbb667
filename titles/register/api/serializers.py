"""What the answers about titles and norms are made of: codes and values, no sentence."""

from typing import Any

from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateField,
    DictField,
    IntegerField,
    JSONField,
    ListField,
    Serializer,
)

from reporting.web.api.fields import AddressField, OptionalChoiceField, OptionalTextField
from titles.certificates.selectors import Validity
from titles.federations.registry import colours_of_norms
from titles.models import Norm


class TitleSerializer(Serializer[Any]):
    """A title of a player; a day that is not known is null."""

    player = CharField(help_text="The player in addresses.")
    name = CharField()
    federation = CharField()
    title = CharField()
    discipline = CharField()
    awarded_by = CharField(help_text="The rating system.")
    registered_on = DateField(allow_null=True)
    withdrawn_on = DateField(allow_null=True)
    certificate = AddressField(help_text="The address of its certificate.")


class CertificateSerializer(Serializer[Any]):
    """A title or a norm as its certificate says it, and whether that holds now."""

    code = CharField()
    validity = ChoiceField(Validity.values)
    player = CharField(help_text="The player in addresses.")
    name = CharField()
    federation = CharField()
    title = CharField()
    discipline = CharField()
    day = DateField(
        allow_null=True, help_text="Of the registration; of a norm that of the list. null if it is not known."
    )
    withdrawn_on = DateField(allow_null=True)
    tournament = CharField(
        allow_null=True, help_text="The code of the tournament of a norm; null for a title."
    )
    file = AddressField(allow_null=True, help_text="The certificate as PDF; null for one that does not hold.")
    page = AddressField(help_text="The address of its page.")


class NormSerializer(Serializer[Any]):
    """A confirmed norm, or an automatic title, of a published list. Points are 2-1-0."""

    id = IntegerField()
    player = CharField(help_text="The player in addresses.")
    name = CharField()
    tournament = CharField(help_text="The code of the tournament.")
    title = CharField()
    discipline = CharField()
    kind = ChoiceField(Norm.Kind.values)
    colour = OptionalChoiceField([*reversed(colours_of_norms())])
    games = IntegerField(help_text="Games that it brings towards a title.")
    points_scored = IntegerField(allow_null=True)
    points_asked = IntegerField(allow_null=True)
    average_rating = IntegerField(allow_null=True)
    url = AddressField()


class StatementSerializer(Serializer[Any]):
    """One side of a requirement: its code and the values."""

    code = CharField()
    values = DictField(child=JSONField())


class RequirementSerializer(Serializer[Any]):
    """What an article asks and what was found; `colour` where only norms of that colour ask it."""

    article = OptionalTextField()
    asks = StatementSerializer()
    found = StatementSerializer()
    met = BooleanField()
    colour = OptionalTextField()


class WholeNormSerializer(NormSerializer):
    """A norm with what the articles asked."""

    requirements = RequirementSerializer(many=True)


class ProgressSerializer(Serializer[Any]):
    """How far a player is on the way to a title by norms, or to CMF by a rating (3.11.5)."""

    title = CharField()
    is_due = BooleanField()
    norms = ListField(child=IntegerField(), help_text="The norms that count for it.")
    requirements = RequirementSerializer(many=True)
    by_rating = RequirementSerializer(
        many=True, help_text="What it asks without norms (3.11.5); empty but of CMF and CMFF."
    )


class LedgerSerializer(Serializer[Any]):
    """The titles and norms of a player in one discipline of a rating system."""

    discipline = CharField()
    awarded_by = CharField()
    titles = TitleSerializer(many=True)
    norms = NormSerializer(many=True)
    progress = ProgressSerializer(many=True)
