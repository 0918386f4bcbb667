from datetime import date

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateRangeField, RangeOperators
from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Now


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


class MembershipTable(models.Model):
    """A table of all memberships of clubs that a federation has, as it was imported; the newest one is in force.

    Neither it nor its lines ever change: a list names the table that it was calculated from.
    """

    register = models.CharField(max_length=8, help_text="One of reporting/rules/register/registers.py.")
    filename = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    imported_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    imported_at = models.DateTimeField(db_default=Now(), editable=False)
    by_command = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["register", "-id"], name="membership_table_newest")]

    def __str__(self) -> str:
        return f"{self.register} {self.sha256[:8]}"


class ClubMembership(models.Model):
    """A player's membership of a club, in one table: from its first day to its last one, or without an end."""

    table = models.ForeignKey(MembershipTable, on_delete=models.PROTECT, related_name="lines")
    player = models.ForeignKey("reporting.Player", on_delete=models.PROTECT, related_name="club_memberships")
    club = models.CharField(max_length=6, help_text="The club's number, six digits.")
    member_from = models.DateField()
    member_until = models.DateField(null=True, help_text="The last day; empty: no end is known.")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(club__regex=r"^[0-9]{6}$"), name="club_membership_club_number"
            ),
            models.CheckConstraint(
                condition=Q(member_until=None) | Q(member_from__lte=F("member_until")),
                name="club_membership_days_in_order",
            ),
            ExclusionConstraint(
                name="club_membership_one_a_day",
                expressions=[
                    ("table", RangeOperators.EQUAL),
                    ("player", RangeOperators.EQUAL),
                    (DateRange("member_from", "member_until", Value("[]")), RangeOperators.OVERLAPS),
                ],
            ),
        ]

    def __str__(self) -> str:
        return f"player {self.player_id} in {self.club} {self.member_from}–{self.member_until or ''}"
