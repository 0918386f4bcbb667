from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from reporting.rules.regulations.editions import announcement_days


class Announcement(models.Model):
    """A tournament announced to the office before its first round (R11).

    `announced_on` decides whether it is in time. Its values become tournament details of the report.
    """

    name = models.CharField(max_length=80)
    place = models.CharField(max_length=60, blank=True)
    country = models.ForeignKey(
        "reporting.Federation", on_delete=models.PROTECT, related_name="announcements"
    )
    played_from = models.DateField()
    played_to = models.DateField()
    rating_system = models.CharField(
        max_length=10, blank=True, help_text="Empty: the first one that rates its discipline."
    )
    discipline = models.CharField(max_length=3, blank=True)
    time_control = models.CharField(max_length=40, blank=True)
    system = models.CharField(max_length=12, blank=True)
    official = models.BooleanField(
        default=False, help_text="Tournament of FMJD or of a confederation, as the office says."
    )
    national_championship = models.CharField(
        max_length=13,
        blank=True,
        help_text="As its federation's official or the office says; empty: not said.",
    )
    announced_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="announcements")
    announced_on = models.DateField(help_text="The day it reached the office, in the office's time zone.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(
        null=True, blank=True, help_text="When the last reminder of its report was sent."
    )

    already_there = False
    """Set by `announce_tournament` where the same announcement was there, and nothing was stored."""

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(played_from__lte=F("played_to")), name="announcement_dates_in_order"
            ),
            models.CheckConstraint(
                condition=~Q(discipline="") | ~Q(rating_system=""),
                name="announcement_has_discipline_or_system",
            ),
        ]
        indexes = [models.Index(fields=["played_from"], name="announcement_order")]

    def __str__(self) -> str:
        return f"{self.name}, {self.played_from}"

    @property
    def notice_days(self) -> int:
        """Days from the announcement to the first round; below zero when it was announced afterwards."""
        return (self.played_from - self.announced_on).days

    @property
    def required_notice_days(self) -> int:
        """Days of notice that the edition in force on the first round requires."""
        return announcement_days(self.played_from, self.discipline, self.rating_system)

    @property
    def is_in_time(self) -> bool:
        """Whether it was announced as early as the edition in force on the first round requires (R11)."""
        return self.notice_days >= self.required_notice_days
