from datetime import date

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateRangeField, RangeOperators
from django.db import models
from django.db.models import F, Func, Q


class DateRange(Func):
    """The days from the first argument up to, not including, the second; an end without a day is open."""

    function = "daterange"
    output_field = DateRangeField()


class FederationMembership(models.Model):
    """The federation of a player from one day to another. Days without a row do not exist.

    Only triggers of the player's row write these rows (reporting/migrations/sql/memberships.sql). The row without
    `until` has the federation of `Player`. A row with `since` equal to `until` was replaced by a later statement: it
    counts on no day and stays as a trace.
    """

    player = models.ForeignKey("reporting.Player", on_delete=models.PROTECT, related_name="memberships")
    federation = models.ForeignKey("reporting.Federation", on_delete=models.PROTECT, related_name="+")
    since = models.DateField(
        null=True, help_text="The first day; empty where no earlier federation is known."
    )
    until = models.DateField(null=True, help_text="The first day in another federation; empty: a member now.")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(since=None) | Q(until=None) | Q(since__lte=F("until")),
                name="membership_days_in_order",
            ),
            ExclusionConstraint(
                name="membership_no_overlap",
                expressions=[
                    ("player", RangeOperators.EQUAL),
                    (DateRange("since", "until"), RangeOperators.OVERLAPS),
                ],
            ),
        ]
        indexes = [models.Index(fields=["until"], condition=Q(until__isnull=False), name="membership_ended")]

    def __str__(self) -> str:
        days = (str(day or "") for day in (self.since, self.until))
        return f"player {self.player_id} of {self.federation_id} {'–'.join(days)}"

    def includes(self, day: date) -> bool:
        """Whether the player belonged to the federation on a day."""
        return (self.since is None or self.since <= day) and (self.until is None or day < self.until)
