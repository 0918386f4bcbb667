"""What answers about publications are made of."""

from typing import Any

from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateField,
    DateTimeField,
    IntegerField,
    ListField,
    Serializer,
)

from reporting.web.api.fields import AddressField, OptionalTextField
from titles.federations.fmjd.rules.world_cup.qualification import Source
from titles.federations.fmjd.world_cup.forms import SECTIONS
from titles.rules.lifecycle import PlaceState

CLASSIFICATIONS = ("open", "women")
LISTS = ("participants", "reserves")
NAME = "In the register of today."
BY_LOT = "Whether a lot that is not drawn yet decides."


class PublishedSerializer(Serializer[Any]):
    """A revision of what is published."""

    revision = IntegerField(help_text="1 is the first; a correction makes the next one.")
    is_newest = BooleanField(help_text="Whether no later revision is published.")
    published_at = DateTimeField(help_text="The second signature.")
    rows = IntegerField(help_text="How many it has.")
    sha256 = CharField(help_text="SHA-256 of `figures.json`, which both persons signed.")
    url = AddressField(help_text="Its rows.")
    page = AddressField(help_text="Its permanent address for readers.")


class PublishedClassificationSerializer(PublishedSerializer):
    """A published classification of the World Cup."""

    section = ChoiceField([code for code, _label in SECTIONS])
    classification = ChoiceField(CLASSIFICATIONS)
    day = DateField(help_text="On which the results of the window count.")


class PublishedListSerializer(PublishedSerializer):
    """A published list of participants or reserve list."""

    championship = CharField(help_text="The code of the championship, such as world-2027.")
    kind = ChoiceField(LISTS)


class PublicationFileSerializer(Serializer[Any]):
    """A file of a publication."""

    name = CharField()
    sha256 = OptionalTextField(help_text="null for a file that follows from the others.")
    url = AddressField()


class RevisionSerializer(Serializer[Any]):
    """A published revision."""

    revision = IntegerField()
    reason = OptionalTextField(help_text="Why there is a revision; null for the first.")
    published_at = DateTimeField()
    url = AddressField()


class WholePublicationSerializer(Serializer[Any]):
    """What a revision has besides."""

    edition = CharField(help_text="Of the regulations.")
    input_sha256 = CharField(help_text="SHA-256 of the file that it follows from.")
    approved_at = DateTimeField(help_text="The first signature.")
    reason = OptionalTextField(help_text="Why there is a revision; null for the first.")
    files = PublicationFileSerializer(many=True)
    revisions = RevisionSerializer(many=True, help_text="All of them, the newest first.")
    differences = AddressField(allow_null=True, help_text="What it changed; null for the first revision.")


class CupResultSerializer(Serializer[Any]):
    """A result of a player in the window of a classification."""

    tournament = CharField(help_text="Its code.")
    last_round = DateField()
    stars = IntegerField()
    place = IntegerField(help_text="Final place.")
    bonus_place = IntegerField(allow_null=True, help_text="Among those who can have a bonus; null without.")
    tp = IntegerField(help_text="Points of the final table, in 2-1-0.")
    factor = IntegerField(help_text="By the stars.")
    bonus = IntegerField()
    points = IntegerField(help_text="`bonus` and `factor` times `tp`.")
    wins = IntegerField()
    counts = BooleanField(help_text="Whether it is one of the best.")
    absent = BooleanField(help_text="From the closing ceremony: 0 points.")


class ClassificationRowSerializer(Serializer[Any]):
    """A row of a classification."""

    fmjd_id = IntegerField()
    name = CharField(help_text=NAME)
    federation = CharField(help_text="On the day of the classification.")
    rank = IntegerField(help_text="Players who are equal in all criteria share it.")
    points = IntegerField(help_text="Of the results that count.")
    first = IntegerField(help_text="Number of first bonus places.")
    second = IntegerField()
    third = IntegerField()
    last_result = IntegerField(help_text="Points of the latest result that counts.")
    wins = IntegerField()
    equal = BooleanField(help_text="Whether another row has the same rank.")
    results = CupResultSerializer(many=True, help_text="All in the window, the best first.")


class ParticipantSerializer(Serializer[Any]):
    """A place of a championship."""

    fmjd_id = IntegerField(allow_null=True, help_text="null for a place that is open.")
    name = OptionalTextField(help_text=NAME)
    federation = OptionalTextField()
    number = IntegerField(help_text="Of the place, in the order of the items.")
    item = IntegerField(help_text="Of the appendix that has the places.")
    kind = CharField(help_text="What the item is for.")
    source = ChoiceField([one.value for one in Source])  # type: ignore[assignment]  # a field of that name
    by_lot = BooleanField(help_text=BY_LOT)
    state = ChoiceField([one.value for one in PlaceState])
    good_standing = BooleanField(help_text="Of the federation.")
    withdrawn = ListField(child=IntegerField(), help_text="FMJD-IDs of the players who withdrew from it.")


class ReserveSerializer(Serializer[Any]):
    """A row of a reserve list."""

    fmjd_id = IntegerField()
    name = CharField(help_text=NAME)
    federation = OptionalTextField()
    position = IntegerField()
    source = ChoiceField(["rating", "world-cup"])  # type: ignore[assignment]  # a field of that name
    rank = IntegerField(help_text="In the source.")
    by_lot = BooleanField(help_text=BY_LOT)
    good_standing = BooleanField(help_text="Of the federation.")


class ClassificationDifferenceSerializer(Serializer[Any]):
    """What a revision changed for a player in a classification: the row before and after, null where there is none."""

    before = ClassificationRowSerializer(allow_null=True)
    after = ClassificationRowSerializer(allow_null=True)


class ParticipantDifferenceSerializer(Serializer[Any]):
    """What a revision changed for a place of a championship: the row before and after, null where there is none."""

    before = ParticipantSerializer(allow_null=True)
    after = ParticipantSerializer(allow_null=True)


class ReserveDifferenceSerializer(Serializer[Any]):
    """What a revision changed for a player in a reserve list: the row before and after, null where there is none."""

    before = ReserveSerializer(allow_null=True)
    after = ReserveSerializer(allow_null=True)
