from datetime import date
from typing import Self

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import RangeOperators
from django.db import models
from django.db.models import F, Q

from reporting.models.membership import DateRange


class PlayerTitleQuerySet(models.QuerySet["PlayerTitle"]):
    def held_on(self, day: date) -> Self:
        """The titles that count on a day."""
        return self.filter(
            Q(registered_on=None) | Q(registered_on__lte=day), Q(withdrawn_on=None) | Q(withdrawn_on__gt=day)
        )


class PlayerTitle(models.Model):
    """A title of a player, which counts from its registration (R40).

    A player has one title of a ladder (open, women's) of an awarder in a discipline on a day; lists print the highest.
    A row stays; it ends by `withdrawn_on`, also where a higher title replaces it. A row with both days equal was an
    error and counts on no day.
    """

    player = models.ForeignKey("reporting.Player", on_delete=models.PROTECT, related_name="titles")
    awarded_by = models.CharField(max_length=10, help_text="The code of a rating system.")
    discipline = models.CharField(max_length=3, help_text="One of the disciplines of its rules of reports.")
    title = models.CharField(max_length=4, help_text="One of reporting/rules/register/titles.py.")
    ladder = models.CharField(
        max_length=10,
        blank=True,
        default="",
        help_text="Titles of several ladders are held next to each other (R33).",
    )
    registered_on = models.DateField(null=True, help_text="The first day; empty where it is not known.")
    withdrawn_on = models.DateField(null=True, help_text="The first day without the title; empty: held now.")

    objects = PlayerTitleQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(title=""), name="player_title_named"),
            models.CheckConstraint(
                condition=Q(registered_on=None)
                | Q(withdrawn_on=None)
                | Q(registered_on__lte=F("withdrawn_on")),
                name="player_title_days_in_order",
            ),
            ExclusionConstraint(
                name="player_title_one_of_a_kind",
                expressions=[
                    ("player", RangeOperators.EQUAL),
                    ("awarded_by", RangeOperators.EQUAL),
                    ("discipline", RangeOperators.EQUAL),
                    ("ladder", RangeOperators.EQUAL),
                    (DateRange("registered_on", "withdrawn_on"), RangeOperators.OVERLAPS),
                ],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title} of player {self.player_id}"
