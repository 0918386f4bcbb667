from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.fields import ArrayField
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from ratings.federations.facet import Edition, RatingSystem
from ratings.federations.registry import rating_system
from ratings.models.period import PeriodReport
from ratings.rules.declared import Declaration, Unit
from reporting.federations.facet import ReportRules
from reporting.federations.registry import report_rules

if TYPE_CHECKING:
    from ratings.models.changes import Change


class NumbersField(ArrayField):  # type: ignore[type-arg]
    """Thousands of whole numbers, sent as one text: Django and the driver write a list number by number."""

    def get_db_prep_value(self, value: Any, *_: Any, **__: Any) -> Any:
        return f"{{{','.join(map(str, value))}}}" if isinstance(value, list | tuple) else value


class RatingList(models.Model):
    """A rating list: a draft once it is calculated, in force once it is published. Published lists never change.

    Every calculation makes a new list with its own partition of rows and changes; the previous draft becomes
    superseded. The states and moves are in ratings/rules/lifecycle.py; the database refuses a change of a
    published list (ratings/migrations/sql).
    """

    class State(models.TextChoices):
        CALCULATED = "calculated", _("Calculated")
        NORMS_SEARCHED = "norms_searched", _("Norms searched")
        READY = "ready", _("Ready for approval")
        APPROVED = "approved", _("Approved")
        PUBLISHED = "published", _("Published")
        SUPERSEDED = "superseded", _("Superseded")

    pool = models.ForeignKey("ratings.Pool", on_delete=models.PROTECT, related_name="lists")
    period = models.ForeignKey("ratings.Period", null=True, on_delete=models.PROTECT, related_name="lists")
    in_force = models.DateField()
    closing = models.DateField(help_text="Years of activity are counted back from this day (R12).")
    revision = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=14, choices=State.choices, default=State.CALCULATED)
    is_opening = models.BooleanField(default=False)
    system = models.CharField(max_length=10, help_text="The rating system of its pool.")
    edition = models.CharField(max_length=40, help_text="Edition of the rules of the rating system.")
    players = models.PositiveIntegerField(default=0)
    official_players = models.PositiveIntegerField(default=0)
    federations = ArrayField(
        models.CharField(max_length=3), default=list, help_text="The codes of those with a player on it."
    )
    tournaments = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0)
    input_sha256 = models.CharField(max_length=64)
    sha256 = models.CharField(max_length=64, help_text="Digest of the figures file.")
    previous = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="successors")
    previous_sha256 = models.CharField(max_length=64, blank=True)
    correction = models.ForeignKey(
        "ratings.Correction", null=True, blank=True, on_delete=models.PROTECT, related_name="lists"
    )
    input_lists = ArrayField(
        models.BigIntegerField(),
        default=list,
        help_text="The lists it was calculated from, oldest first (R8).",
    )
    other_lists = ArrayField(
        models.BigIntegerField(),
        default=list,
        help_text="The lists of other pools that it was calculated from, by pool, oldest first.",
    )
    source_lists = ArrayField(
        models.BigIntegerField(),
        default=list,
        help_text="The lists of sources that it was calculated from, by source, oldest first.",
    )
    membership_table = models.ForeignKey(
        "reporting.MembershipTable",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The memberships of clubs that it was calculated from; none where none were imported or read.",
    )
    merges = ArrayField(
        models.BigIntegerField(),
        default=list,
        help_text="The merges of players' records that it and the lists it was calculated from are read with (R24).",
    )
    decisions = NumbersField(
        models.BigIntegerField(),
        null=True,
        help_text="The decisions on its tournaments that it counts (R78); none before decisions were recorded.",
    )
    calculated_at = models.DateTimeField(db_default=Now(), editable=False)
    imported_by = models.ForeignKey(
        "reporting.User",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Who uploaded the table of an opening list; none where a command imported it.",
    )
    approved_by = models.ForeignKey("reporting.User", null=True, on_delete=models.PROTECT, related_name="+")
    approved_at = models.DateTimeField(null=True)
    approved_sha256 = models.CharField(max_length=64, blank=True)
    published_by = models.ForeignKey("reporting.User", null=True, on_delete=models.PROTECT, related_name="+")
    published_at = models.DateTimeField(null=True)
    published_sha256 = models.CharField(max_length=64, blank=True)
    by_command = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pool", "in_force", "revision"],
                condition=Q(state="published"),
                name="list_revision_published_once",
            ),
            models.UniqueConstraint(
                fields=["period"],
                condition=~Q(state__in=["published", "superseded"]),
                name="list_one_draft_per_period",
            ),
            models.CheckConstraint(
                condition=Q(state="superseded")
                | Q(
                    state__in=["approved", "published"],
                    approved_by__isnull=False,
                    approved_at__isnull=False,
                    approved_sha256=F("sha256"),
                )
                | (
                    ~Q(state__in=["approved", "published"])
                    & Q(approved_by=None, approved_at=None, approved_sha256="")
                ),
                name="list_approved_by_someone",
            ),
            models.CheckConstraint(
                condition=~Q(state="published")
                | (
                    Q(approved_sha256=F("sha256"), published_sha256=F("sha256"))
                    & Q(approved_by__isnull=False, published_by__isnull=False, published_at__isnull=False)
                    & ~Q(approved_by=F("published_by"))
                ),
                name="list_published_with_two_signatures",
            ),
            models.CheckConstraint(
                condition=~Q(approved_by=F("imported_by")), name="list_approved_by_another_than_its_importer"
            ),
            models.CheckConstraint(
                condition=Q(is_opening=True) | Q(period__isnull=False), name="list_has_period_or_opens"
            ),
            models.CheckConstraint(
                condition=Q(revision__lte=1, correction=None) | Q(revision__gt=1, correction__isnull=False),
                name="list_revision_has_correction",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.address}/r{self.revision} ({self.state})"

    @property
    def rating_system(self) -> RatingSystem:
        return rating_system(self.system)

    @property
    def report_rules(self) -> ReportRules:
        return report_rules(self.system)

    @property
    def declaration(self) -> Declaration:
        """The columns that it has: those declared for its day."""
        return self.rating_system.declaration.on(self.in_force)

    @property
    def is_by_game(self) -> bool:
        """Whether its changes are by game."""
        return self.rating_system.declaration.unit is Unit.GAME

    @property
    def rules(self) -> Edition:
        """The edition of the rules it was calculated by; the newest one where that is unknown."""
        editions = self.rating_system.editions
        return next((rules for rules in editions if rules.id == self.edition), editions[-1])

    @property
    def manifest(self) -> models.QuerySet[PeriodReport]:
        """The lines that this revision counts."""
        return PeriodReport.objects.filter(period=self.period_id, correction=self.correction_id)

    @property
    def replaced(self) -> "RatingList":
        """The list that a revision replaces."""
        assert self.correction is not None  # noqa: S101 (the database ensures it for every revision)
        return self.correction.replaces

    @property
    def rows(self) -> models.QuerySet["ListRow"]:
        """Its rows, in the table of its rating system, unordered."""
        rows: models.QuerySet[ListRow] = self.rating_system.row_model._default_manager.filter(list_id=self.pk)
        return rows

    @property
    def changes(self) -> models.QuerySet["Change"]:
        """Its changes, in the table of its rating system, unordered."""
        changes: models.QuerySet[Change] = self.rating_system.change_model._default_manager.filter(
            list_id=self.pk
        )
        return changes

    @property
    def rows_partition(self) -> str:
        """The table of its rows, a partition of its system's table once it is sealed."""
        return f"{self.rating_system.row_model._meta.db_table}_{self.pk}"

    @property
    def changes_partition(self) -> str:
        """The table of its changes, a partition of its system's table once it is sealed."""
        return f"{self.rating_system.change_model._meta.db_table}_{self.pk}"

    @property
    def address(self) -> str:
        """Pool and date, as in the list's address and in its figures file: `POOL/2026-04-01`."""
        return f"{self.pool.code}/{self.in_force.isoformat()}"


class ListRow(models.Model):
    """A player on a list, as printed: what the rows of all rating systems have.

    The table of each system is partitioned by list and written once, in the calculation's transaction; the functions
    on partitions rely on these columns (ratings/migrations/sql/partitions.sql).
    """

    pk = models.CompositePrimaryKey("list_id", "position")
    list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="+")
    position = models.IntegerField(help_text="1, 2, … by rating, then number in the register.")
    name_position = models.IntegerField(help_text="1, 2, … by name (R13: the full list is alphabetical).")
    official_position = models.IntegerField(
        null=True, help_text="1, 2, … on the official list; empty = not on it."
    )
    player = models.ForeignKey("reporting.Player", on_delete=models.PROTECT, related_name="+")
    register_number = models.IntegerField(help_text="In the register of its system.")
    name = models.CharField(max_length=130)
    sort_name = models.CharField(max_length=130)
    federation = models.CharField(max_length=3)
    sex = models.CharField(max_length=1)
    birth_year = models.SmallIntegerField(null=True)
    title = models.CharField(max_length=4)
    rating = models.IntegerField()
    change = models.IntegerField(null=True, help_text="Against the list before; empty for a new player.")
    period_games = models.IntegerField()
    games = models.IntegerField()
    last_game = models.DateField(null=True)
    category = models.CharField(
        max_length=1, db_default="", help_text="A letter; empty in a system without categories."
    )
    rank = models.IntegerField()
    official_rank = models.IntegerField(null=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.position}. {self.name} {self.rating}"


class HeldRow(models.Model):
    """A player whom a list holds: kept for later lists, and on no page of readers, in no file, rank, API or history.

    The office sees it, and the digest of the list covers it (decision 0156). Written with the draft, never changed.
    """

    pk = models.CompositePrimaryKey("list_id", "player_id")
    list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="held_rows")
    player = models.ForeignKey("reporting.Player", on_delete=models.PROTECT, related_name="+")
    values = models.JSONField(
        encoder=DjangoJSONEncoder, help_text="Column → value, those that the system declares of held rows."
    )

    def __str__(self) -> str:
        return f"{self.player_id} held by list {self.list_id}"


class RegisterRow(models.Model):
    """What a list was calculated from of a player's record, as the register had it (decision 0200).

    Written with the draft, never changed. Recalculations, revisions and files of the list read it in place of the
    register.
    """

    pk = models.CompositePrimaryKey("list_id", "player_id")
    list = models.ForeignKey(
        RatingList,
        on_delete=models.PROTECT,
        related_name="register_rows",
        db_index=False,  # the primary key begins with it
    )
    player = models.ForeignKey("reporting.Player", on_delete=models.PROTECT, related_name="+")
    numbers = models.JSONField(help_text="Code of a register → the player's number in it.")
    birth_year = models.PositiveSmallIntegerField(null=True)
    federation = models.CharField(max_length=3, help_text="That of the closing day (R12).")

    def __str__(self) -> str:
        return f"{self.player_id} as list {self.list_id} read the register"


def rows_of_lists(lists: Iterable[RatingList]) -> "list[models.QuerySet[ListRow]]":
    """The rows of these lists, unordered: one queryset a rating system."""
    numbers: dict[str, list[int]] = {}
    for rating_list in lists:
        numbers.setdefault(rating_list.system, []).append(rating_list.pk)
    return [
        rating_system(system).row_model._default_manager.filter(list_id__in=keys)
        for system, keys in numbers.items()
    ]


class PlayerHistory(models.Model):
    """A player's figures on each published list, newest revision: what a player's page reads in one range."""

    pk = models.CompositePrimaryKey("player_id", "list_id")
    # Copied from the rows of the list, whose keys are checked, in the request that publishes: checked row by row
    # once more they are half of its time. The rows stay, and so does whom they name.
    player = models.ForeignKey(
        "reporting.Player",
        on_delete=models.PROTECT,
        related_name="history",
        db_constraint=False,
        db_index=False,  # the primary key begins with it
    )
    list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="+", db_constraint=False)
    in_force = models.DateField()
    rating = models.IntegerField()
    change = models.IntegerField(null=True)
    period_games = models.IntegerField()
    games = models.IntegerField()
    category = models.CharField(max_length=1)
    rank = models.IntegerField()
    official_rank = models.IntegerField(null=True)
    federation_rank = models.IntegerField(
        null=True, help_text="Among the players of the same federation on the official list."
    )
    derived_ranks = models.JSONField(
        default=dict, db_default={}, help_text="Name of a derived list (R13) → the rank on it."
    )

    class Meta:
        verbose_name_plural = "player histories"

    def __str__(self) -> str:
        return f"{self.player_id} {self.in_force}: {self.rating}"


class PublishedFile(models.Model):
    """A file of a list, made with its draft; of a published list never changed (ratings/migrations/sql).

    The signed and chained file is `figures.csv`, which carries no name. Files with names are derived from the
    list's rows: erasing a person empties those (size 0), and the worker makes them again.
    """

    list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="files")
    name = models.CharField(max_length=40)
    content_type = models.CharField(max_length=80)
    content = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    size = models.PositiveIntegerField(help_text="Bytes.")
    has_names = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["list", "name"], name="published_file_name_unique")]

    def __str__(self) -> str:
        return f"{self.list_id}/{self.name}"


class CompressedFile(models.Model):
    """The content of a published file as it is sent to readers who accept its encoding.

    The worker makes it after the publication; the function that erases a name deletes those of the files it empties.
    """

    file = models.ForeignKey(PublishedFile, on_delete=models.PROTECT, related_name="compressed")
    encoding = models.CharField(max_length=4, help_text="As in `Content-Encoding`.")
    content = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["file", "encoding"], name="compressed_file_encoding_unique")
        ]

    def __str__(self) -> str:
        return f"{self.file_id}.{self.encoding}"


class CarriedCorrection(models.Model):
    """A correction of an earlier list whose difference a list took over, because the lists between were not revised."""

    list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="carried")
    correction = models.ForeignKey(
        "ratings.Correction", on_delete=models.PROTECT, related_name="carried_into"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["list", "correction"], name="carried_once")]

    def __str__(self) -> str:
        return f"correction {self.correction_id} in list {self.list_id}"


class CarriedDifference(models.Model):
    """What the carried corrections of a list put to one player's start, together: rating and counted games."""

    list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="carried_differences")
    # As with anomalies: a constraint would lock rows that others change. The list's own rows name the player too.
    player = models.ForeignKey(
        "reporting.Player", on_delete=models.PROTECT, related_name="+", db_constraint=False
    )
    rating = models.IntegerField(help_text="Points added to the rating of the list before.")
    games = models.IntegerField(help_text="Counted games added to those of the list before.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["list", "player"], name="carried_player_once")]

    def __str__(self) -> str:
        return f"{self.player_id} in list {self.list_id}: {self.rating:+}"
