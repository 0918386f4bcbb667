from collections.abc import Sequence

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from titles.rules.requirement import Requirement, RequirementLayout, requirements_of_figures


class NormLayout(models.Model):
    """What the figures of norms of a list mean: the layouts of their requirements, one after the other.

    Norms that were asked the same share one; it is written with them and never changed.
    """

    list = models.ForeignKey("ratings.RatingList", on_delete=models.PROTECT, related_name="+")
    requirements = models.JSONField(
        help_text="Objects with the fields of RequirementLayout (titles/rules/requirement.py)."
    )

    def __str__(self) -> str:
        return f"layout {self.pk} of list {self.list_id}"

    @property
    def layouts(self) -> Sequence[RequirementLayout]:
        """One for each requirement."""
        return [RequirementLayout(**row) for row in self.requirements]


class Norm(models.Model):
    """A norm or an automatic title that a tournament of a list brought a player.

    Written with the draft of the list, or as a claim while it is a draft, and never changed: what the title council
    decides is a `NormDecision`. What was asked and found is in `figures`, by `layout`, as whole numbers: a search of a
    quarter writes thousands. `requirements` reads them.
    `opponents` are those met, as they were when the list was calculated.
    """

    class Kind(models.TextChoices):
        RESULT = "result", _("Norm by result")
        PLACE = "place", _("Norm by place")
        TITLE = "title", _("Automatic title")

    class Origin(models.TextChoices):
        FOUND = "found", _("Found")
        NEAR_MISS = "near_miss", _("One requirement unmet")
        ON_REQUEST = "on_request", _("Possible with a won game ignored")
        CLAIMED = "claimed", _("Claimed")

    # A trigger ensures once a statement that the list is there (sql/norms.sql): a constraint would look it up at the
    # commit for each row.
    list = models.ForeignKey(
        "ratings.RatingList",
        on_delete=models.PROTECT,
        related_name="norms",
        db_constraint=False,
    )
    # Without constraints in the database: as those of anomalies, they would lock rows that others change meanwhile.
    # The index of `norm_once` begins with the player.
    player = models.ForeignKey(
        "reporting.Player",
        on_delete=models.PROTECT,
        related_name="norms",
        db_constraint=False,
        db_index=False,
    )
    result_set = models.ForeignKey(
        "reporting.ResultSet", on_delete=models.PROTECT, related_name="norms", db_constraint=False
    )
    discipline = models.CharField(max_length=3, help_text="The discipline of the tournament.")
    title = models.CharField(max_length=4, help_text="One of reporting/rules/register/titles.py.")
    kind = models.CharField(max_length=6, choices=Kind.choices)
    origin = models.CharField(max_length=10, choices=Origin.choices)
    colour = models.CharField(
        max_length=5,
        blank=True,
        help_text="One of its federation; empty for a title, or where norms have none.",
    )
    games = models.PositiveSmallIntegerField(help_text="Games that it brings towards a title.")
    is_needed = models.BooleanField(
        db_default=True,
        default=True,
        help_text="Not where the player held this title or a higher one at the closing date of the list (R41).",
    )
    points_scored = models.PositiveSmallIntegerField(null=True, help_text="2-1-0; by result only.")
    points_asked = models.PositiveSmallIntegerField(null=True, help_text="2-1-0; by result only.")
    average_rating = models.PositiveSmallIntegerField(null=True, help_text="Rm of the opponents met.")
    category = models.PositiveSmallIntegerField(null=True, help_text="Of table X-2, from 1 on.")
    ignored_game = models.ForeignKey(
        "reporting.Game",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_constraint=False,
        db_index=False,
        help_text="The won game that it needs ignored.",
    )
    layout = models.ForeignKey(
        NormLayout,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_constraint=False,
        db_index=False,
        help_text="What the figures mean; none for a title without requirements.",
    )
    figures = ArrayField(models.SmallIntegerField())
    opponents = ArrayField(
        models.BigIntegerField(),
        default=tuple,
        help_text="Two numbers for each game played (titles/rules/met_opponents.py); zeros after the last.",
    )
    claimed_by = models.ForeignKey(
        "reporting.User",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        help_text="Of a claim.",
    )
    claim_reason = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            # Not the discipline, which is that of the tournament: each column is written again in its index.
            models.UniqueConstraint(
                fields=["player", "list", "result_set", "title", "kind", "origin", "colour"],
                name="norm_once",
            ),
            models.CheckConstraint(condition=~Q(title=""), name="norm_names_a_title"),
            models.CheckConstraint(
                condition=Q(origin="on_request", ignored_game__isnull=False)
                | (~Q(origin="on_request") & Q(ignored_game__isnull=True)),
                name="norm_ignores_a_game_on_request",
            ),
            models.CheckConstraint(
                condition=(Q(origin="claimed", claimed_by__isnull=False) & ~Q(claim_reason=""))
                | (~Q(origin="claimed") & Q(claimed_by__isnull=True, claim_reason="")),
                name="norm_claimed_with_a_reason",
            ),
        ]
        indexes = [
            models.Index(
                fields=["ignored_game"], condition=Q(ignored_game__isnull=False), name="norm_ignoring_game"
            ),
            models.Index(fields=["list"], condition=Q(claimed_by__isnull=False), name="norm_claimed"),
        ]

    def __str__(self) -> str:
        return f"{self.title} {self.colour} of player {self.player_id} in {self.result_set_id}"

    @property
    def requirements(self) -> tuple[Requirement, ...]:
        """What was asked and found; those of one colour too. 1 query where the layout is not read yet."""
        return requirements_of_figures(self.layout.layouts, self.figures) if self.layout else ()


class NormDecision(models.Model):
    """What the title council decided about a norm before its list was approved; append-only, the newest counts."""

    norm = models.ForeignKey(Norm, on_delete=models.PROTECT, related_name="decisions")
    is_confirmed = models.BooleanField()
    reason = models.TextField(blank=True)
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(is_confirmed=True) | ~Q(reason=""), name="norm_refused_with_a_reason"
            )
        ]

    def __str__(self) -> str:
        return f"{'confirmed' if self.is_confirmed else 'refused'}: norm {self.norm_id}"
