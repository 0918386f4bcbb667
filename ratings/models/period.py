from __future__ import annotations

from datetime import timedelta

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import F, Func, Q
from django.db.models.functions import Now
from django.utils import formats, timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.federations.facet import RatingSystem
from ratings.federations.registry import rating_system
from ratings.rules.days import CalendarPeriod
from reporting.federations.facet import ReportRules
from reporting.federations.registry import report_rules


class TimestampRange(Func):
    """`tstzrange(since, before)`: half-open, as both instants of a period are meant."""

    function = "tstzrange"
    output_field = DateTimeRangeField()


class Pool(models.Model):
    """One list with its own ratings: rating system, discipline, tempo."""

    code = models.SlugField(max_length=30, unique=True)
    system = models.CharField(max_length=10, help_text="The code of the rating system.")
    discipline = models.CharField(max_length=3)
    tempo = models.CharField(max_length=12)
    name = models.CharField(max_length=60)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["system", "discipline", "tempo"], name="pool_once"),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def rating_system(self) -> RatingSystem:
        return rating_system(self.system)

    @property
    def report_rules(self) -> ReportRules:
        return report_rules(self.system)


class Period(models.Model):
    """The reports of one list. Both instants are half-open, made from the office's zone (R10, R11)."""

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        FROZEN = "frozen", _("Frozen")
        PUBLISHED = "published", _("Published")
        CORRECTING = "correcting", _("Correcting")

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="periods")
    closing = models.DateField(help_text="Closing date: the last day on which a last round belongs to it.")
    in_force = models.DateField(help_text="Date of application of its list.")
    played_since = models.DateTimeField()
    played_before = models.DateTimeField(help_text="00:00 on the day after the closing date.")
    freezes_at = models.DateTimeField(help_text="00:00 on the 8th day after the closing date.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    frozen_at = models.DateTimeField(null=True, blank=True)
    frozen_by = models.ForeignKey("reporting.User", null=True, on_delete=models.PROTECT, related_name="+")
    freeze_reason = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pool", "in_force"], name="period_in_force_unique"),
            models.CheckConstraint(
                condition=Q(played_since__lt=F("played_before"), freezes_at__gte=F("played_before")),
                name="period_instants_in_order",
            ),
            models.CheckConstraint(
                condition=Q(state="open") | Q(frozen_at__isnull=False, frozen_by__isnull=False),
                name="period_frozen_by_someone",
            ),
            ExclusionConstraint(
                name="period_no_overlap",
                expressions=[
                    ("pool", RangeOperators.EQUAL),
                    (TimestampRange("played_since", "played_before"), RangeOperators.OVERLAPS),
                ],
            ),
            models.UniqueConstraint(
                fields=["pool"], condition=Q(state="frozen"), name="period_one_frozen_per_pool"
            ),
            models.UniqueConstraint(
                fields=["pool"], condition=Q(state="correcting"), name="period_one_correcting_per_pool"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pool.code} closing {self.closing}"

    @property
    def days(self) -> CalendarPeriod:
        """Its days, in the office's time zone."""
        return CalendarPeriod(
            closing=self.closing,
            played_before=self.closing + timedelta(days=1),
            freezes_on=timezone.localdate(self.freezes_at, timezone.get_default_timezone()),
            in_force=self.in_force,
        )

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def is_published(self) -> bool:
        return self.state == self.State.PUBLISHED

    @property
    def is_correcting(self) -> bool:
        """Whether a revision of its published list is being made."""
        return self.state == self.State.CORRECTING


class PastQuarters(models.Model):
    """A rating officer's decision to calculate past quarters of a pool, one after another.

    `first` and `last` are the days from which the first and the last of their lists are in force. Without it the
    scheduler opens no past period (decision 0024).
    """

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="past_quarters")
    first = models.DateField()
    last = models.DateField()
    reason = models.TextField()
    confirmed_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    confirmed_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(first__lte=F("last")), name="pastquarters_in_order"),
            models.CheckConstraint(condition=~Q(reason=""), name="pastquarters_has_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.pool_id}: {self.first} to {self.last}"


class Correction(models.Model):
    """Why and how the next revision replaces a published list; requested by a rating officer.

    `later` says what happens to later lists: the difference is carried into the next list to be calculated, or all of
    them are revised in order, each by a correction that `follows` the previous one.
    """

    class Later(models.TextChoices):
        CARRY = "carry", _("Carry the difference into the next list")
        REVISE = "revise", _("Revise all later lists in order")

        @property
        def help_text(self) -> str:
            """What the choice does, for the form."""
            return str(LATER_HELP[self])

    replaces = models.ForeignKey("ratings.RatingList", on_delete=models.PROTECT, related_name="corrections")
    reason = models.TextField(
        help_text="Printed with the revision. One that follows another has the reason of the first."
    )
    later = models.CharField(max_length=6, choices=Later.choices, default=Later.CARRY)
    follows = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="followed_by"
    )
    requested_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    requested_at = models.DateTimeField(db_default=Now(), editable=False)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["replaces"], condition=Q(withdrawn_at=None), name="correction_one_per_list"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="correction_has_reason"),
            models.CheckConstraint(
                condition=Q(follows=None) | Q(later="revise"), name="correction_follows_revised"
            ),
        ]

    def __str__(self) -> str:
        return f"correction {self.pk} of list {self.replaces_id}"

    @property
    def printed_reason(self) -> str:
        """The reason, and which revision it follows: `Follows revision 2 of the list of 1 Apr 2026: …`.

        Needs `follows__replaces`.
        """
        if self.follows is None:
            return self.reason
        replaced = self.follows.replaces
        return gettext("Follows revision %(revision)s of the list of %(day)s: %(reason)s") % {
            "revision": replaced.revision + 1,
            "day": formats.date_format(replaced.in_force, "j M Y"),
            "reason": self.reason,
        }


LATER_HELP = {
    Correction.Later.CARRY: _(
        "Later lists do not change. The next list to be calculated starts from the corrected ratings."
    ),
    Correction.Later.REVISE: _(
        "All later lists are recalculated, one after another. Each revision is checked, approved and published."
    ),
}


class PeriodReport(models.Model):
    """A line of the manifest of a frozen period: a report version that its list counts. Never changed.

    A correction has its own manifest. The database ensures that a tournament does not count in two periods at a time,
    nor twice in one (ratings/migrations/sql).
    """

    period = models.ForeignKey(Period, on_delete=models.PROTECT, related_name="manifest")
    correction = models.ForeignKey(
        Correction, null=True, blank=True, on_delete=models.PROTECT, related_name="manifest"
    )
    result_set = models.ForeignKey(
        "reporting.ResultSet", on_delete=models.PROTECT, related_name="manifest_lines"
    )
    version = models.ForeignKey(
        "reporting.ReportVersion", on_delete=models.PROTECT, related_name="manifest_lines"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["period", "correction", "result_set"],
                nulls_distinct=False,
                name="periodreport_result_set_once",
            ),
            models.UniqueConstraint(
                fields=["period", "correction", "version"],
                nulls_distinct=False,
                name="periodreport_version_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.period_id}: {self.result_set_id}"
