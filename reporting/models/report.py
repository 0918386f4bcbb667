from collections.abc import Mapping
from datetime import date
from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.models.result_set import ResultSet, part_code
from reporting.rules.details.known_details import detail_label
from reporting.rules.findings.finding_list import Finding, FindingCounts, Severity, count_findings
from reporting.rules.lifecycle import LIFECYCLE, ReportState, Turn
from reporting.rules.regulations.editions import report_due

STATE_LABELS: Mapping[ReportState, Promise] = {
    ReportState.DRAFT: _("Draft"),
    ReportState.SUBMITTED: _("Submitted"),
    ReportState.ACCEPTED: _("Accepted"),
    ReportState.RETURNED: _("Returned"),
    ReportState.REJECTED: _("Rejected"),
    ReportState.WITHDRAWN: _("Withdrawn"),
}
TURN_LABELS: Mapping[Turn, Promise] = {
    Turn.REFEREE: _("Referee"),
    Turn.VISITOR: _("Visitor"),
    Turn.OFFICE: _("Office"),
    Turn.NONE: _("Nothing"),
}
"""For whom a report or a request waits."""


class Report(models.Model):
    """A referee's report of one tournament; its states are the table in reporting/rules/lifecycle.py (R23)."""

    State = ReportState

    result_set = models.ForeignKey(
        "reporting.ResultSet",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="reports",
        help_text="Known once the report is submitted; a draft may not say it.",
    )
    announcement = models.ForeignKey(
        "reporting.Tournament",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="reports",
        help_text="The announced tournament that this report is about.",
    )
    corrects = models.ForeignKey(
        "reporting.Tournament",
        to_field="code",
        db_column="corrects_code",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="corrections",
        help_text="The accepted tournament that this report corrects.",
    )
    state = models.CharField(
        max_length=10, choices=list(STATE_LABELS.items()), default=ReportState.DRAFT.value, db_index=True
    )
    submitted_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="reports")
    first_submitted_at = models.DateTimeField(null=True, blank=True)
    received_on = models.DateField(
        null=True,
        blank=True,
        help_text="The day it reached the office by another way, until the end of that day.",
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
                fields=["result_set"],
                condition=Q(state="accepted"),
                name="report_one_accepted_per_result_set",
            ),
            models.CheckConstraint(
                condition=~Q(state="accepted") | Q(accepted_version__isnull=False),
                name="report_accepted_has_version",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "withdrawn"]) | Q(result_set__isnull=False),
                name="report_submitted_has_result_set",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "withdrawn"]) | Q(first_submitted_at__isnull=False),
                name="report_submitted_has_instant",
            ),
        ]

    def __str__(self) -> str:
        return f"report {self.pk} ({self.state})"

    @property
    def corrected_part(self) -> str:
        """What a submitted correction corrects (`part_code`); empty where it corrects nothing."""
        if self.corrects_id is None:
            return ""
        return part_code(self.corrects_id, self.submitted_result_set.part)

    @property
    def received(self) -> date:
        """The day on which a submitted report reached the office, in the office's time zone (R11).

        Decided by its first submission, or by the day on which it came another way.
        """
        assert self.first_submitted_at is not None  # noqa: S101 (the database ensures it for submitted reports)
        return self.received_on or timezone.localdate(self.first_submitted_at)

    @property
    def registered(self) -> date | None:
        """The day on which the results of a submitted report were registered; None where its regulations know none."""
        return self.submitted_result_set.details.registered_on(self.received)

    @property
    def submitted_result_set(self) -> ResultSet:
        """The result set of a submitted report."""
        assert self.result_set is not None  # noqa: S101 (the database ensures it for submitted reports)
        return self.result_set

    @property
    def due(self) -> date | None:
        """The last day on which a submitted report is in time (R11); None where its regulations set none."""
        result_set = self.submitted_result_set
        return report_due(result_set.played_to, result_set.discipline, result_set.rating_system)

    @property
    def days_late(self) -> int:
        """Days from the last day in time to the day it was received; 0 or less if it is in time (R11).

        The first report of the tournament decides: a correction is never late (R11a), nor one without such a day.
        """
        return 0 if self.corrects_id is not None or self.due is None else (self.received - self.due).days

    @property
    def turn(self) -> Turn:
        """Who has to act next."""
        return LIFECYCLE[ReportState(self.state)].turn

    @property
    def turn_label(self) -> Promise:
        return TURN_LABELS[self.turn]

    @property
    def turn_tone(self) -> str:
        """Style of the tag that names whose turn it is; with a space before it, empty for the plain one."""
        return {Turn.OFFICE: " tag--stamp", Turn.NONE: " tag--good"}.get(self.turn, "")

    @property
    def state_tone(self) -> str:
        """Style of the tag that names the state, as `turn_tone`."""
        tones = {"submitted": " tag--stamp", "accepted": " tag--good", "rejected": " tag--bad"}
        return tones.get(self.state, "")


class ReportVersion(models.Model):
    """One submission, stored byte for byte. The database refuses every change (reporting/migrations/sql)."""

    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveSmallIntegerField()
    filename = models.CharField(max_length=200)
    content = models.BinaryField()
    reading = models.BinaryField(
        default=b"", help_text="The data read from it, compressed (reporting/formats/reader_process.py)."
    )
    sha256 = models.CharField(max_length=64, db_index=True)
    sidecar = models.BinaryField(default=b"", help_text="The tournament details as uploaded, TOML (R25).")
    format = models.CharField(max_length=20)
    encoding = models.CharField(max_length=20)
    findings = models.JSONField(default=list)
    errors = models.PositiveSmallIntegerField(default=0)
    warnings = models.PositiveSmallIntegerField(default=0)
    name = models.CharField(max_length=80, blank=True, default="", help_text="Of the tournament, as read.")
    played_to = models.DateField(null=True, blank=True, help_text="Day of the last round, as read.")
    players = models.PositiveIntegerField(default=0, help_text="As read.")
    games = models.PositiveIntegerField(default=0, help_text="Played games, as read.")
    results = models.JSONField(
        default=dict, help_text="Players and results by name, to compare with other reports (R21)."
    )
    created_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["report", "number"], name="report_version_number_unique")
        ]

    def __str__(self) -> str:
        return f"report {self.report_id} version {self.number}"

    @property
    def counts(self) -> FindingCounts:
        """The findings counted as people read them. 1 query where neither they nor `error_findings` were fetched."""
        stored: list[dict[str, Any]] | None = getattr(self, "error_findings", None)
        if stored is None:
            stored = [found for found in self.findings if found["severity"] == Severity.ERROR]
        return count_findings(map(Finding.from_json, stored), warnings=self.warnings)


class ReportStep(models.Model):
    """A submission or an acceptance of a version: who and when (docs/decisions/0095-who-has-acted-on-a-report.md).

    The database refuses every change, and an acceptance by a person who acted on the report since the last one.
    """

    class Move(models.TextChoices):
        SUBMIT = "submit", _("Submitted")
        ACCEPT = "accept", _("Accepted")

    version = models.ForeignKey(ReportVersion, on_delete=models.PROTECT, related_name="steps")
    move = models.CharField(max_length=6, choices=Move.choices)
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"{self.move} of version {self.version_id}"


class MatchedPlayers(models.Model):
    """Who of the register the players of a version are: a figure that can be made again, stored because it is costly.

    It counts as long as the register has not changed since (`RegisterChange`), and the code that made it.
    """

    version = models.OneToOneField(
        ReportVersion, primary_key=True, on_delete=models.PROTECT, related_name="matched_players"
    )
    register_changes = models.BigIntegerField(
        help_text="Rows of RegisterChange before the players were matched."
    )
    matched_by = models.CharField(max_length=16, help_text="Digest of the code that matched them.")
    players = models.JSONField(help_text="One object for each player, in the order of the report.")

    class Meta:
        verbose_name_plural = "matched players"

    def __str__(self) -> str:
        return f"players of version {self.version_id}"


class WarningComment(models.Model):
    """The comment on one warning of one version (R21)."""

    version = models.ForeignKey(ReportVersion, on_delete=models.PROTECT, related_name="comments")
    finding = models.PositiveSmallIntegerField(help_text="Index of the finding in the version's findings.")
    text = models.TextField()
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "finding"], name="comment_one_per_warning")]

    def __str__(self) -> str:
        return f"comment on finding {self.finding} of version {self.version_id}"


class DraftComments(models.Model):
    """The comments on warnings of a report as typed so far; the submission makes `WarningComment` of them (R21).

    `version` is the number of the version on whose findings they were typed.
    """

    report = models.OneToOneField(
        Report, primary_key=True, on_delete=models.CASCADE, related_name="draft_comments"
    )
    version = models.PositiveIntegerField()
    single = models.JSONField(
        default=dict, help_text="Index of a finding in the version's findings → the comment."
    )
    of_kinds = models.JSONField(default=dict, help_text="Code → the comment on all findings of the code.")
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name_plural = "draft comments"

    def __str__(self) -> str:
        return f"comments on version {self.version} of report {self.report_id}, not submitted"


class LookAlikeDecision(models.Model):
    """What the accepting officer decided about a report that looks like an accepted one (R21): correction or not.

    The newest decision on a version and a tournament counts. The database refuses every change
    (reporting/migrations/sql).
    """

    version = models.ForeignKey(ReportVersion, on_delete=models.PROTECT, related_name="look_alike_decisions")
    tournament = models.ForeignKey(
        "reporting.Tournament",
        to_field="code",
        db_column="tournament_code",
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The tournament that the report looks like.",
    )
    is_correction = models.BooleanField(
        help_text="Whether the report corrects it; otherwise it is a different tournament."
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
    """A remark of the office on a version that it returns or rejects (R23).

    A remark is general, or about a line, or about a tournament detail. The database refuses every change
    (reporting/migrations/sql).
    """

    version = models.ForeignKey(ReportVersion, on_delete=models.PROTECT, related_name="remarks")
    line = models.PositiveIntegerField(null=True, blank=True, help_text="Of the file, from 1.")
    field = models.CharField(max_length=40, blank=True, help_text="Name of the tournament detail.")
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
        """What it is about, in the language in use: `Line 12`, `Detail Town`, empty for a general remark."""
        if self.line:
            return gettext("Line %(line)s") % {"line": self.line}
        return gettext("Detail %(name)s") % {"name": detail_label(self.field)} if self.field else ""


class ReportNote(models.Model):
    """A note of the office to the people of a report, or of them to the office; it changes no state of the report.

    The database refuses every change (reporting/migrations/sql).
    """

    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="notes")
    text = models.TextField()
    from_office = models.BooleanField(
        help_text="Whether a person of the office wrote it, about another person's report."
    )
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="note_has_text")]

    def __str__(self) -> str:
        return f"note {self.pk} on report {self.report_id}"
