from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from reporting.rules.lifecycle import ReportState

STATES = [(state.value, state.value.capitalize()) for state in ReportState]


class Report(models.Model):
    """A referee's report of one tournament; its life is the table in reporting/rules/lifecycle.py (R23)."""

    State = ReportState

    tournament = models.ForeignKey(
        "reporting.Tournament",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="reports",
        help_text="Known from the hand-in on; a draft may be too broken to tell.",
    )
    announcement = models.ForeignKey(
        "reporting.Announcement",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="reports",
        help_text="The announced competition that this is the report of.",
    )
    corrects = models.ForeignKey(
        "reporting.Tournament",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="corrections",
        help_text="The tournament that a published list counts and that this report puts right.",
    )
    state = models.CharField(max_length=10, choices=STATES, default=ReportState.DRAFT.value, db_index=True)
    submitted_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="reports")
    first_submitted_at = models.DateTimeField(null=True, blank=True)
    received_on = models.DateField(
        null=True,
        blank=True,
        help_text="The day it reached the office by another way; counts as that day's end.",
    )
    accepted_version = models.OneToOneField(
        "reporting.ReportVersion", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    admitted_reason = models.TextField(
        blank=True, help_text="Why the rating officer admits a late, incomplete or unannounced report (R11)."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"],
                condition=Q(state="accepted"),
                name="report_one_accepted_per_tournament",
            ),
            models.CheckConstraint(
                condition=~Q(state="accepted") | Q(accepted_version__isnull=False),
                name="report_accepted_has_version",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "withdrawn"]) | Q(tournament__isnull=False),
                name="report_submitted_has_tournament",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "withdrawn"]) | Q(first_submitted_at__isnull=False),
                name="report_submitted_has_instant",
            ),
        ]

    def __str__(self) -> str:
        return f"report {self.pk} ({self.state})"


class ReportVersion(models.Model):
    """One submission, kept byte for byte. The database refuses every change (reporting/migrations/sql)."""

    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveSmallIntegerField()
    filename = models.CharField(max_length=200)
    content = models.BinaryField()
    reading = models.BinaryField(
        default=b"", help_text="What was read of it, compressed (reporting/formats/reader_process.py)."
    )
    sha256 = models.CharField(max_length=64, db_index=True)
    sidecar = models.BinaryField(default=b"", help_text="The facts as they came, TOML (R25).")
    format = models.CharField(max_length=20)
    encoding = models.CharField(max_length=20)
    findings = models.JSONField(default=list)
    errors = models.PositiveSmallIntegerField(default=0)
    warnings = models.PositiveSmallIntegerField(default=0)
    name = models.CharField(max_length=80, blank=True, default="", help_text="Of the competition, as read.")
    played_to = models.DateField(null=True, blank=True, help_text="Day of the last round, as read.")
    players = models.PositiveIntegerField(default=0, help_text="As read.")
    games = models.PositiveIntegerField(default=0, help_text="Played, as read.")
    results = models.JSONField(
        default=dict, help_text="Players and results by name, to be held against other reports (R21)."
    )
    created_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["report", "number"], name="report_version_number_unique")
        ]

    def __str__(self) -> str:
        return f"report {self.report_id} version {self.number}"


class WarningComment(models.Model):
    """The word given to one warning of one version (R21)."""

    version = models.ForeignKey(ReportVersion, on_delete=models.PROTECT, related_name="comments")
    finding = models.PositiveSmallIntegerField(help_text="Index of the finding in the version's findings.")
    text = models.TextField()
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "finding"], name="comment_one_per_warning")]

    def __str__(self) -> str:
        return f"answer to finding {self.finding} of version {self.version_id}"


class LookAlikeDecision(models.Model):
    """What an accepting officer decided where a report looks like an accepted one (R21): its correction, or another.

    The newest one of a version and a tournament holds. The database refuses every change (reporting/migrations/sql).
    """

    version = models.ForeignKey(ReportVersion, on_delete=models.PROTECT, related_name="look_alike_decisions")
    tournament = models.ForeignKey(
        "reporting.Tournament",
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The tournament, as first accepted, that the report looks like.",
    )
    is_correction = models.BooleanField(
        help_text="Whether the report corrects it; else it is a different one."
    )
    reason = models.TextField(blank=True, help_text="Why it is a different tournament.")
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(is_correction=True) | ~Q(reason=""), name="different_tournament_has_reason"
            )
        ]

    def __str__(self) -> str:
        return (
            f"{self.version_id} {'corrects' if self.is_correction else 'differs from'} {self.tournament_id}"
        )


class ReviewRemark(models.Model):
    """What the office says of a version that it returns or rejects: in general, of a line or of a fact (R23).

    The database refuses every change (reporting/migrations/sql).
    """

    version = models.ForeignKey(ReportVersion, on_delete=models.PROTECT, related_name="remarks")
    line = models.PositiveIntegerField(null=True, blank=True, help_text="Of the file, from 1.")
    field = models.CharField(max_length=40, blank=True, help_text="Name of the fact.")
    text = models.TextField()
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(line=None) | Q(line__gt=0), name="remark_line_from_one"),
            models.CheckConstraint(condition=Q(line=None) | Q(field=""), name="remark_of_one_place"),
            models.CheckConstraint(condition=~Q(text=""), name="remark_has_text"),
        ]

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.place else self.text

    @property
    def place(self) -> str:
        """What it is about: `Line 12`, `Fact place`, nothing for the whole."""
        return f"Line {self.line}" if self.line else f"Fact {self.field}" if self.field else ""
