from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from reporting.regulations import announcement_days


class Announcement(models.Model):
    """A competition made known to the office before its first round (Annex 9 art. 1.2.1.3, R11).

    Announced in time is decided by `announced_on`. What it says of the competition is taken over into the facts of
    its report.
    """

    name = models.CharField(max_length=80)
    place = models.CharField(max_length=60, blank=True)
    country = models.ForeignKey(
        "reporting.Federation", on_delete=models.PROTECT, related_name="announcements"
    )
    played_from = models.DateField()
    played_to = models.DateField()
    discipline = models.CharField(max_length=3)
    time_control = models.CharField(max_length=40)
    system = models.CharField(max_length=12, blank=True)
    announced_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="announcements")
    announced_on = models.DateField(help_text="The day it reached the office, in the office's zone.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(
        null=True, blank=True, help_text="When whoever announced it was last reminded of its report."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(played_from__lte=F("played_to")), name="announcement_dates_in_order"
            ),
            models.CheckConstraint(
                condition=Q(discipline__in=["100", "64"]), name="announcement_discipline_known"
            ),
        ]
        indexes = [models.Index(fields=["played_from"], name="announcement_order")]

    def __str__(self) -> str:
        return f"{self.name}, {self.played_from}"

    @property
    def notice_days(self) -> int:
        """Days from the announcement to the first round; below zero when it was made known afterwards."""
        return (self.played_from - self.announced_on).days

    @property
    def required_notice_days(self) -> int:
        """Days of notice that the edition of its first round asks for."""
        return announcement_days(self.played_from)

    @property
    def is_in_time(self) -> bool:
        """Whether it was announced as early as the edition of its first round asks (R11)."""
        return self.notice_days >= self.required_notice_days
