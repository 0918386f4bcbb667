from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class Anomaly(models.Model):
    """Something in a draft that a rating officer must give a word to before he can approve it.

    Written with the draft and never changed. `data` are what it is about, whole numbers and days by name, as
    ratings/production/find_anomalies.py writes them.
    """

    class Kind(models.TextChoices):
        JUMP = "jump", "Large jump"
        FEW_GAMES = "few_games", "Few games"
        LATE = "late", "Late report"
        EXCLUDED = "excluded", "Left out"
        CORRECTED = "corrected", "Corrected report"
        LOOK_ALIKE = "look_alike", "Looks like another"

    list = models.ForeignKey("ratings.RatingList", on_delete=models.PROTECT, related_name="anomalies")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    # Without constraints in the database: they would lock rows that others change while a calculation reads its
    # snapshot, and end it. Neither players nor reports are ever deleted.
    player = models.ForeignKey(
        "reporting.Player",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_constraint=False,
    )
    report = models.ForeignKey(
        "reporting.Report",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_constraint=False,
    )
    data = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "anomalies"
        constraints = [
            models.UniqueConstraint(
                fields=["list", "kind", "player", "report"], nulls_distinct=False, name="anomaly_once"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["jump", "few_games"], player__isnull=False, report__isnull=True)
                | Q(
                    kind__in=["late", "excluded", "corrected", "look_alike"],
                    player__isnull=True,
                    report__isnull=False,
                ),
                name="anomaly_has_its_subject",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} in list {self.list_id}"


class AnomalyAnswer(models.Model):
    """The word given to an anomaly; append-only, the newest one holds."""

    anomaly = models.ForeignKey(Anomaly, on_delete=models.PROTECT, related_name="answers")
    text = models.TextField()
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="anomaly_answer_has_text")]

    def __str__(self) -> str:
        return f"answer to anomaly {self.anomaly_id}"
