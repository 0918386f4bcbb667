from datetime import date

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from reporting.federations.registry import rules_of_report
from reporting.models.accounts import User
from reporting.rules.details.decided_items import OVER_AGE, decided_of
from reporting.rules.regulations.editions import announcement_days


class TournamentManager(models.Manager["Tournament"]):
    def announced(self) -> models.QuerySet["Tournament"]:
        """Those that were announced, withdrawn ones too."""
        return self.filter(announced_on__isnull=False)


class Tournament(models.Model):
    """Who plays when: known from the announcement on (R11), else from its first report.

    `announced_on` decides whether it is announced in time. What was announced becomes tournament details of its report;
    what reports say of the tournament are its `ResultSet`s.
    """

    code: "models.SlugField[str | None, str]" = models.SlugField(  # type: ignore[misc]  # read once reported
        max_length=80,
        unique=True,
        null=True,
        blank=True,
        help_text="Its address, which never changes; empty until a report is submitted.",
    )
    name = models.CharField(max_length=80)
    place = models.CharField(max_length=60, blank=True)
    country = models.ForeignKey(
        "reporting.Federation", null=True, blank=True, on_delete=models.PROTECT, related_name="tournaments"
    )
    played_from = models.DateField(help_text="As planned; without an announcement as first reported.")
    played_to = models.DateField(help_text="The same.")
    rating_system = models.CharField(
        max_length=10, blank=True, help_text="Empty: the first one that rates its discipline."
    )
    discipline = models.CharField(max_length=3, blank=True)
    time_control = models.CharField(max_length=40, blank=True)
    system = models.CharField(max_length=12, blank=True)
    official = models.BooleanField(
        default=False,
        help_text="Tournament of the federation of its system or of a confederation, as the office says.",
    )
    national_championship = models.CharField(
        max_length=13,
        blank=True,
        help_text="As its federation's official or the office says; empty: not said.",
    )
    announced_by: models.ForeignKey[User, User] = models.ForeignKey(  # type: ignore[misc]  # read of announced ones
        "reporting.User", null=True, blank=True, on_delete=models.PROTECT, related_name="announcements"
    )
    announced_on: "models.DateField[date, date]" = models.DateField(  # type: ignore[misc]  # read of announced ones
        null=True,
        blank=True,
        help_text="The day it reached the office, in the office's time zone; empty: not announced.",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(
        null=True, blank=True, help_text="When the last reminder of its report was sent."
    )

    already_there = False
    """Set by `announce_tournament` where the same announcement was there, and nothing was stored."""

    objects = TournamentManager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(played_from__lte=F("played_to")), name="tournament_dates_in_order"
            ),
            models.CheckConstraint(
                condition=~Q(discipline="") | ~Q(rating_system=""),
                name="tournament_has_discipline_or_system",
            ),
            models.CheckConstraint(
                condition=Q(announced_on=None, announced_by=None)
                | Q(announced_on__isnull=False, announced_by__isnull=False, country__isnull=False),
                name="tournament_announced_by_someone",
            ),
            models.CheckConstraint(
                condition=Q(code__isnull=False) | Q(announced_on__isnull=False),
                name="tournament_announced_or_reported",
            ),
        ]
        indexes = [models.Index(fields=["played_from"], name="tournament_order")]

    def __str__(self) -> str:
        return f"{self.name}, {self.played_from}"

    @property
    def notice_days(self) -> int:
        """Days from the announcement to the first round; below zero when it was announced afterwards."""
        return (self.played_from - self.announced_on).days

    @property
    def counting_day(self) -> date:
        """The day by which its list would be found if it was reported on the planned day of its last round."""
        rules = rules_of_report(self.rating_system, self.discipline)
        planned = rules.details(
            rating_system=self.rating_system,
            discipline=self.discipline,
            played_from=self.played_from,
            played_to=self.played_to,
        )
        return planned.counting_day(self.played_to) or self.played_to

    @property
    def required_notice_days(self) -> int | None:
        """Days of notice that the edition in force on the first round requires; None where it requires none."""
        return announcement_days(self.played_from, self.discipline, self.rating_system)

    @property
    def is_in_time(self) -> bool:
        """Whether it was announced as early as the edition in force on the first round requires (R11)."""
        return self.required_notice_days is None or self.notice_days >= self.required_notice_days


class TournamentDecision(models.Model):
    """What the office or the Council decided of a tournament, which its report only proposes (R78).

    It counts for every report of the tournament; the newest one on an item counts. `about` is what it
    depends on: the main referee whose level it is, the players over the age that it admits (R77a, R73a). The database
    refuses every change (reporting/migrations/sql).
    """

    tournament = models.ForeignKey(
        Tournament,
        to_field="code",
        db_column="tournament_code",
        on_delete=models.PROTECT,
        related_name="decisions",
    )
    item = models.CharField(max_length=16, help_text="One of the table `decided_items`.")
    value = models.CharField(max_length=24, blank=True, help_text="`yes`, `no`, or a value of the detail.")
    about = models.TextField(blank=True, default="")
    reason = models.TextField(blank=True)
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"{self.item} of tournament {self.tournament_id}: {self.value}"

    def is_about(self, result_set: object) -> bool:
        """Whether it counts for a result set, or a row of one: a referee's level only for that referee (R77a)."""
        of = decided_of(self.item)
        return not of or self.about == getattr(result_set, of)

    @property
    def players(self) -> frozenset[int]:
        """The players (ids) that a decision on players over the age is about; none of another decision."""
        return frozenset(map(int, self.about.split())) if self.item == OVER_AGE.name else frozenset()
