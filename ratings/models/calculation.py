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


class RatingChange(models.Model):
    """The change of one player by one tournament: every figure of Annex 9 art. 3. Partitioned by list, written once.

    Figures ending in `_e4` are those of the regulations times 10 000 (R3). The five figures of art. 3.2 are empty for a
    provisional performance (art. 3.3.2).
    """

    class Method(models.TextChoices):
        PROVISIONAL = "provisional", _("Provisional")
        CHANGE = "change", _("Change")

    pk = models.CompositePrimaryKey("list_id", "player_id", "sequence")
    list = models.ForeignKey("ratings.RatingList", on_delete=models.PROTECT, related_name="changes")
    player = models.ForeignKey("reporting.Player", on_delete=models.PROTECT, related_name="rating_changes")
    sequence = models.SmallIntegerField(help_text="0, 1, … in R5's order.")
    tournament = models.ForeignKey(
        "reporting.Tournament", on_delete=models.PROTECT, related_name="rating_changes"
    )
    basis_list = models.ForeignKey(
        "ratings.RatingList",
        on_delete=models.PROTECT,
        related_name="+",
        help_text="In force on the first day (R8).",
    )
    method = models.CharField(max_length=11)
    own_e4 = models.IntegerField(null=True, help_text="Ro; empty for a first result.")
    own_is_running = models.BooleanField(
        help_text="Ro is the running value, the player not being on the list (R8)."
    )
    before_e4 = models.IntegerField(null=True, help_text="Running value before; empty = none.")
    games_before = models.IntegerField()
    games = models.IntegerField(help_text="N, counted.")
    unrated_games = models.IntegerField(help_text="Played, opponent not on the list: not counted (art. 5.3).")
    opponents_sum = models.IntegerField()
    average_e4 = models.IntegerField(help_text="Rc.")
    points = models.IntegerField(help_text="W, 2-1-0.")
    expected_percentage_e4 = models.IntegerField(null=True, help_text="Pe.")
    expected_score_e4 = models.IntegerField(null=True, help_text="We.")
    k = models.SmallIntegerField(null=True)
    development = models.SmallIntegerField(null=True, help_text="Percentage of K (R6).")
    delta_e4 = models.IntegerField(null=True, help_text="ΔR.")
    performance_e4 = models.IntegerField(help_text="Rp; within 1900 and 2400 where it is provisional (R4).")
    performance_limited = models.BooleanField(help_text="R4's limits moved the performance.")
    after_e4 = models.IntegerField(help_text="Running value after.")
    first_game = models.DateField()
    last_game = models.DateField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    method="provisional",
                    expected_percentage_e4__isnull=True,
                    expected_score_e4__isnull=True,
                    k__isnull=True,
                    development__isnull=True,
                    delta_e4__isnull=True,
                )
                | Q(
                    method="change",
                    own_e4__isnull=False,
                    expected_percentage_e4__isnull=False,
                    expected_score_e4__isnull=False,
                    k__isnull=False,
                    development__isnull=False,
                    delta_e4__isnull=False,
                ),
                name="ratingchange_columns_of_method",
            ),
            models.CheckConstraint(condition=Q(games__gt=0), name="ratingchange_counts_a_game"),
        ]
        indexes = [models.Index(fields=["list", "tournament"], name="ratingchange_tournament")]

    def __str__(self) -> str:
        return f"{self.player_id} at {self.tournament_id}: {self.method}"
