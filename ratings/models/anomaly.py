from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class Anomaly(models.Model):
    """Something in a draft that a rating officer must answer before the draft can be approved.

    About a report, of a kind below; or of a kind of the list's system (`anomaly_kinds`), about a player, a report or
    the whole list. Written with the draft and never changed. `data` has its values by name, whole numbers and days, as
    ratings/production/find_anomalies.py writes them.
    """

    class Kind(models.TextChoices):
        LATE = "late", _("Admitted report")
        EXCLUDED = "excluded", _("Excluded report")
        CORRECTED = "corrected", _("Corrected report")
        LOOK_ALIKE = "look_alike", _("Similar tournaments")

    # The index of `anomaly_once` begins with the list. A trigger ensures once a statement that the list is there
    # (sql/corrections.sql): a constraint would look it up at the commit for each row.
    list = models.ForeignKey(
        "ratings.RatingList",
        on_delete=models.PROTECT,
        related_name="anomalies",
        db_constraint=False,
        db_index=False,
    )
    kind = models.CharField(max_length=10)
    # Without constraints in the database: they would lock rows that other transactions change while a calculation
    # reads its snapshot, and abort it. Players and reports are never deleted.
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
                condition=(
                    ~Q(kind__in=["late", "excluded", "corrected", "look_alike"])
                    & (Q(player__isnull=True) | Q(report__isnull=True))
                )
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

    @property
    def is_of_system(self) -> bool:
        """Whether the rules of the list's system found it, which have its texts."""
        return self.kind not in self.Kind.values

    @property
    def kind_label(self) -> str:
        """The kind in the language in use. Needs `list` where it is of a system."""
        if self.is_of_system:
            return gettext(self.list.rating_system.explanation.anomaly_kinds[self.kind])
        return str(self.Kind(self.kind).label)


class AnomalyAnswer(models.Model):
    """The answer to an anomaly; append-only, the newest one is valid."""

    anomaly = models.ForeignKey(Anomaly, on_delete=models.PROTECT, related_name="answers")
    text = models.TextField()
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="anomaly_answer_has_text")]

    def __str__(self) -> str:
        return f"answer to anomaly {self.anomaly_id}"
