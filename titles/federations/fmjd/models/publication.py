from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

OF_WHAT = ("kind", "section", "women", "day", "championship")
"""The columns that say what a publication is of; with the revision they are its permanent address."""


class Publication(models.Model):
    """What the federation publishes of the World Cup and of places, by two persons, and never changes (R71c, U27).

    The states are in titles/rules/publication_lifecycle.py. `inputs` is the text of a file from which the rows follow;
    `sha256` is the digest of the figures file, which has the rows and the digest of the inputs, and no names.
    """

    class Kind(models.TextChoices):
        CLASSIFICATION = "classification", _("World Cup classification")
        PARTICIPANTS = "participants", _("List of participants")
        RESERVES = "reserves", _("Reserve list")

    class State(models.TextChoices):
        REQUESTED = "requested", _("Being calculated")
        DRAFT = "draft", _("Draft")
        APPROVED = "approved", _("Approved")
        PUBLISHED = "published", _("Published")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    kind = models.CharField(max_length=14, choices=Kind.choices)
    section = models.CharField(max_length=3, blank=True, help_text="`100` or `64`: of a classification.")
    women = models.BooleanField(default=False, help_text="Of a classification.")
    day = models.DateField(null=True, help_text="Of a classification.")
    championship = models.SlugField(max_length=40, blank=True, help_text="The code of a championship.")
    revision = models.PositiveSmallIntegerField(default=1)
    reason = models.TextField(blank=True, help_text="Why there is a revision; empty for the first.")
    state = models.CharField(max_length=9, choices=State.choices, default=State.REQUESTED)
    edition = models.CharField(max_length=30, blank=True)
    inputs = models.TextField(blank=True)
    input_sha256 = models.CharField(max_length=64, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    requested_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    requested_at = models.DateTimeField(db_default=Now(), editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True, help_text="The exception of the last attempt, for a developer.")
    approved_by = models.ForeignKey("reporting.User", null=True, on_delete=models.PROTECT, related_name="+")
    approved_at = models.DateTimeField(null=True)
    approved_sha256 = models.CharField(max_length=64, blank=True)
    published_by = models.ForeignKey("reporting.User", null=True, on_delete=models.PROTECT, related_name="+")
    published_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=OF_WHAT,
                condition=Q(state__in=["requested", "draft", "approved"]),
                nulls_distinct=False,
                name="publication_one_draft",
            ),
            models.UniqueConstraint(
                fields=[*OF_WHAT, "revision"],
                condition=~Q(state="withdrawn"),
                nulls_distinct=False,
                name="publication_revision_once",
            ),
            models.CheckConstraint(
                condition=Q(
                    kind="classification", day__isnull=False, section__in=["100", "64"], championship=""
                )
                | (~Q(kind="classification") & ~Q(championship="") & Q(day=None, section="", women=False)),
                name="publication_says_of_what",
            ),
            models.CheckConstraint(
                condition=Q(revision=1, reason="") | (Q(revision__gt=1) & ~Q(reason="")),
                name="publication_revised_with_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["requested", "withdrawn"]) | ~Q(sha256=""),
                name="publication_has_figures",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["approved", "published"])
                | Q(approved_by__isnull=False, approved_at__isnull=False, approved_sha256=F("sha256")),
                name="publication_approved_by_someone",
            ),
            models.CheckConstraint(
                condition=~Q(state="published")
                | (
                    Q(published_by__isnull=False, published_at__isnull=False)
                    & ~Q(approved_by=F("published_by"))
                ),
                name="publication_published_by_another",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.section or self.championship} {self.day or ''} r{self.revision} ({self.state})"


class PublicationRow(models.Model):
    """A row of a publication: its figures as the kind of the publication has them, and whose they are."""

    publication = models.ForeignKey(Publication, on_delete=models.PROTECT, related_name="rows")
    position = models.PositiveSmallIntegerField(help_text="From 1, in the order of the publication.")
    player = models.ForeignKey(
        "reporting.Player",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="None: an open place.",
    )
    values = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["publication", "position"], name="publication_position_once")
        ]

    def __str__(self) -> str:
        return f"{self.publication_id}/{self.position}"
