from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import ExtractYear, Now
from django.utils.translation import gettext_lazy as _

from titles.rules.lifecycle import PlaceMove


class Championship(models.Model):
    """A world championship whose places are filled by Annex 17 or 12 (R74).

    Its places are calculated from these values, its steps and lots, lists and accepted reports; none is stored before
    a list of participants is made. Every act on it locks its row and counts `version` up, so that two officers who
    saw the same page do not both act.
    """

    class Kind(models.TextChoices):
        WORLD_20 = "world-20", _("World Championship, 20 players")
        WORLD_40 = "world-40", _("World Championship, 40 players")
        WOMEN_20 = "women-20", _("Women’s World Championship, 20 players")

    code = models.SlugField(max_length=12, unique=True, help_text="Its address, `world-2027`.")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    year = models.PositiveSmallIntegerField()
    place = models.CharField(max_length=80, blank=True, help_text="The place, or places, of play.")
    organiser = models.CharField(max_length=80, blank=True)
    first_day = models.DateField()
    council_day = models.DateField(
        help_text="The day from which the reserve list replaces players who withdraw (R74c)."
    )
    champion = models.ForeignKey(
        "reporting.Player", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    opponent = models.ForeignKey(
        "reporting.Player",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Of the champion in the title match.",
    )
    match_played = models.BooleanField(default=False)
    refused = ArrayField(
        models.PositiveIntegerField(),
        default=list,
        blank=True,
        help_text="The FMJD-IDs of players who refused the title match.",
    )
    previous = models.ForeignKey(
        "reporting.Tournament",
        to_field="code",
        db_column="previous",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The previous championship, whose final classification item 2 follows.",
    )
    extra_places = models.PositiveSmallIntegerField(default=0, help_text="By Option 24 or 48 (R74d).")
    version = models.PositiveIntegerField(default=1)
    created_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(year=ExtractYear("first_day")), name="championship_begins_in_its_year"
            ),
            models.CheckConstraint(
                condition=Q(council_day__lte=F("first_day")), name="championship_withdrawals_before_it"
            ),
            models.CheckConstraint(
                condition=Q(match_played=False) | Q(opponent__isnull=False), name="championship_match_of_two"
            ),
            models.CheckConstraint(
                condition=Q(extra_places=0)
                | Q(kind="women-20", extra_places__lte=4)
                | Q(kind="world-40", extra_places=8),
                name="championship_extra_places_of_its_option",
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def women(self) -> bool:
        return self.kind == self.Kind.WOMEN_20

    @property
    def title(self) -> str:
        """Its name, as pages say it."""
        return f"{self.get_kind_display()}, {self.year}"


class PlaceStep(models.Model):
    """What became of a player in a championship: named, confirmed, declined. Append-only; the newest one holds.

    The moves are those of titles/rules/lifecycle.py. The names of an item are taken in the order of their steps.
    """

    class Move(models.TextChoices):
        NAME = PlaceMove.NAME, _("Named")
        REMOVE = PlaceMove.REMOVE, _("Name removed")
        CONFIRM = PlaceMove.CONFIRM, _("Confirmed")
        DECLINE = PlaceMove.DECLINE, _("Withdrawn")
        UNDO = PlaceMove.UNDO, _("Answer undone")

    championship = models.ForeignKey(Championship, on_delete=models.PROTECT, related_name="steps")
    player = models.ForeignKey("reporting.Player", on_delete=models.PROTECT, related_name="+")
    move = models.CharField(max_length=7, choices=Move.choices)
    item = models.PositiveSmallIntegerField(null=True, help_text="Of a name, and of one removed.")
    on = models.DateField(help_text="The day on which the office was informed.")
    reason = models.TextField(blank=True)
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(move__in=["name", "remove"], item__isnull=False)
                | (~Q(move__in=["name", "remove"]) & Q(item=None)),
                name="place_step_names_for_an_item",
            ),
            models.CheckConstraint(
                condition=~Q(move__in=["remove", "undo"]) | ~Q(reason=""),
                name="place_step_undone_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.move} of player {self.player_id} in {self.championship_id}"


class DrawnLot(models.Model):
    """The order that a lot gave to players who are equal in a source of the reserve list (R72a). Append-only."""

    class Source(models.TextChoices):
        WORLD_CUP = "world-cup", _("World Cup")
        RATING = "rating", _("Rating")

    championship = models.ForeignKey(Championship, on_delete=models.PROTECT, related_name="lots")
    source = models.CharField(max_length=9, choices=Source.choices)
    players = ArrayField(models.PositiveIntegerField(), help_text="FMJD-IDs in the order drawn.")
    on = models.DateField()
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(players__len__gte=2), name="lot_of_two_players_or_more")
        ]

    def __str__(self) -> str:
        return f"lot of {self.championship_id}, {self.source}"


class StandingDecision(models.Model):
    """Whether a federation is in good standing in a year; the newest one holds, without one it is. Append-only."""

    federation = models.ForeignKey("reporting.Federation", on_delete=models.PROTECT, related_name="+")
    year = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField(help_text="1, 2 … of the federation and year.")
    is_good = models.BooleanField()
    reason = models.TextField(blank=True)
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["federation", "year", "number"], name="standing_decided_in_turn"),
            models.CheckConstraint(condition=~Q(reason=""), name="standing_decided_with_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.federation_id} in {self.year}: {'good' if self.is_good else 'not good'} standing"
