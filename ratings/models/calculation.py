from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class CalculationRun(models.Model):
    """A requested calculation. The row is the job; a message to the worker only wakes it."""

    class State(models.TextChoices):
        REQUESTED = "requested", _("Requested")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")

    period = models.ForeignKey("ratings.Period", on_delete=models.PROTECT, related_name="runs")
    correction = models.ForeignKey(
        "ratings.Correction", null=True, blank=True, on_delete=models.PROTECT, related_name="runs"
    )
    state = models.CharField(max_length=9, choices=State.choices, default=State.REQUESTED, db_index=True)
    requested_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    requested_at = models.DateTimeField(db_default=Now(), editable=False)
    by_command = models.BooleanField(default=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    code_version = models.CharField(max_length=40, blank=True)
    list = models.OneToOneField(
        "ratings.RatingList", null=True, blank=True, on_delete=models.PROTECT, related_name="run"
    )
    stages = models.JSONField(default=dict, help_text="Stage → [rows, milliseconds].")
    error = models.TextField(
        blank=True, help_text="The exception of the last failed attempt, for a developer."
    )
    refusal = models.JSONField(
        default=dict, help_text="Key and values where it was a refusal; a page makes the sentence."
    )
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["period"], condition=Q(state="requested"), name="run_one_requested_per_period"
            ),
            models.CheckConstraint(
                condition=~Q(state="done") | Q(list__isnull=False), name="run_done_has_list"
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.pk} ({self.state})"


class OpeningImport(models.Model):
    """A table of an opening list that waits for the worker, which makes the draft of it and deletes this row.

    Where it cannot, the row stays with the refusal until another table replaces it.
    """

    pool = models.OneToOneField("ratings.Pool", on_delete=models.PROTECT, related_name="opening_import")
    in_force = models.DateField()
    content = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    filename = models.CharField(max_length=200)
    requested_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    requested_at = models.DateTimeField(db_default=Now(), editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    refusal = models.JSONField(
        default=dict, help_text="Key and values where no draft was made; a page makes the sentence."
    )

    def __str__(self) -> str:
        return f"{self.filename} ({self.sha256[:8]})"
