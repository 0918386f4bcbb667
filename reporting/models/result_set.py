from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy

from reporting.rules.details.decided_items import DecidedItem
from reporting.rules.details.time_control import parse_time_control
from reporting.rules.details.tournament_details import (
    DETAILS,
    Competition,
    NationalChampionship,
    System,
    TournamentDetails,
    Youth,
)
from reporting.rules.points import result_text
from reporting.rules.report import PointsScale


def _choices(name: str) -> list[tuple[str, Any]]:
    """The choices of a detail as its declaration has them."""
    return [(value, gettext_lazy(label)) for value, label in DETAILS[name].labelled_choices()]


class ResultSet(models.Model):
    """A tournament with the details of its report (docs/reference/tournament-details.md).

    Results that a list counted never change: a corrected report of the same tournament is a row of its own with the
    same code, and with its own entries and games.
    """

    code = models.SlugField(max_length=80)
    revision = models.PositiveSmallIntegerField(
        default=0, help_text="0 = as first accepted; n = its nth corrected report, with its own results."
    )
    name = models.CharField(max_length=80)
    place = models.CharField(max_length=60, blank=True)
    country = models.ForeignKey(
        "reporting.Federation", null=True, blank=True, on_delete=models.PROTECT, related_name="tournaments"
    )
    played_from = models.DateField()
    played_to = models.DateField()
    number = models.PositiveIntegerField(help_text="Order among tournaments that end on one day (R5).")
    rating_system = models.CharField(
        max_length=10, blank=True, help_text="Empty: the first one that rates its discipline."
    )
    discipline = models.CharField(
        max_length=3,
        blank=True,
        help_text="One of the disciplines of its rules of reports; empty where the rating system does not ask for it.",
    )
    time_control = models.CharField(max_length=40, blank=True)
    seconds_for_60_moves = models.PositiveIntegerField(
        null=True, blank=True, help_text="Per player, for the first 60 moves (R6); empty: without a clock."
    )
    session = ArrayField(
        models.CharField(max_length=40),
        default=list,
        blank=True,
        help_text="Time controls of the games of a round, in order; empty: one game, by the tournament's (R25).",
    )
    points = models.CharField(
        max_length=7,
        choices=_choices("points"),
        default=PointsScale.WHOLE.value,
        help_text="The scale by which its points, which are stored in halves, are printed.",
    )
    system = models.CharField(max_length=12, choices=_choices("system"))
    official = models.BooleanField(default=False)
    national_championship = models.CharField(
        max_length=13, choices=_choices("national_championship"), default=NationalChampionship.NO.value
    )
    women_only = models.BooleanField(default=False)
    youth = models.CharField(max_length=12, blank=True)
    veterans = models.BooleanField(default=False)
    competition = models.CharField(max_length=24, blank=True)
    council_approved = models.BooleanField(default=False)
    rating_service_paid = models.BooleanField(default=False)
    world_cup_stars = models.PositiveSmallIntegerField(null=True, blank=True)
    announced = models.DateField(null=True, blank=True)
    referee = models.CharField(max_length=60, blank=True)
    referee_level = models.CharField(max_length=13, blank=True)
    standings = ArrayField(models.CharField(max_length=30), default=list, blank=True)
    unplayed = models.CharField(max_length=30, blank=True)
    round_scores = models.JSONField(
        default=list,
        blank=True,
        help_text="Points of winner and loser of a round by the game that decided it.",
    )
    plus_draws = models.JSONField(
        default=list,
        blank=True,
        help_text="Round, game of the round, number with the advantage, its opponent.",
    )
    decided_ties = models.JSONField(
        default=list, blank=True, help_text="Numbers of tied players in the order that was decided."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["code", "revision"], name="result_set_revision_once"),
            models.CheckConstraint(
                condition=Q(played_from__lte=F("played_to")), name="result_set_dates_in_order"
            ),
            models.CheckConstraint(condition=Q(seconds_for_60_moves__gt=0), name="result_set_has_time"),
            models.CheckConstraint(
                condition=~Q(discipline="") | ~Q(rating_system=""), name="result_set_has_discipline_or_system"
            ),
            models.CheckConstraint(
                condition=Q(points__in=[scale.value for scale in PointsScale]), name="result_set_points_known"
            ),
        ]
        indexes = [models.Index(fields=["played_to", "number"], name="result_set_order")]

    def __str__(self) -> str:
        return self.code

    @property
    def seconds_of_games(self) -> tuple[int | None, ...]:
        """The times for 60 moves of its games, the longest first; more than one only with a session (R25).

        None for a tournament without a clock.
        """
        times = {parse_time_control(text).seconds_for_60_moves for text in self.session}
        return tuple(sorted(times, reverse=True)) or (self.seconds_for_60_moves,)

    @property
    def details_of_standings(self) -> TournamentDetails:
        """The details on which its standings depend (R52)."""
        return TournamentDetails(
            rating_system=self.rating_system,
            discipline=self.discipline,
            played_from=self.played_from,
            system=System(self.system) if self.system else None,
            national_championship=NationalChampionship(self.national_championship),
            session=tuple(self.session),
            round_scores=tuple(map(tuple, self.round_scores)),
            plus_draws=tuple(map(tuple, self.plus_draws)),
            decided_ties=tuple(map(tuple, self.decided_ties)),
            competition=Competition(self.competition),
            women_only=self.women_only,
            youth=Youth(self.youth),
            veterans=self.veterans,
        )


class TournamentDecision(models.Model):
    """What the office or the Council decided of a tournament, which its report only proposes (R78).

    It counts for every report of the tournament, by its code; the newest one on an item counts. `about` is what it
    depends on: the main referee whose level it is, the players over the age that it admits (R77a, R73a). The database
    refuses every change (reporting/migrations/sql).
    """

    tournament = models.ForeignKey(ResultSet, on_delete=models.PROTECT, related_name="decisions")
    item = models.CharField(max_length=16, choices=[(item.value, item.value) for item in DecidedItem])
    value = models.CharField(max_length=24, blank=True, help_text="`yes`, `no`, or a value of the detail.")
    about = models.TextField(blank=True, default="")
    reason = models.TextField(blank=True)
    by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(item__in=[item.value for item in DecidedItem]),
                name="tournament_decision_item_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.item} of tournament {self.tournament_id}: {self.value}"

    def is_about(self, referee: str) -> bool:
        """Whether it counts for a report with this main referee (R77a)."""
        return self.item != DecidedItem.REFEREE_LEVEL or self.about == referee

    @property
    def players(self) -> frozenset[int]:
        """The players (ids) that a decision on players over the age is about; none of another decision."""
        return frozenset(map(int, self.about.split())) if self.item == DecidedItem.OVER_AGE else frozenset()


class Round(models.Model):
    """A round and the day on which it was played, if the report says it."""

    result_set = models.ForeignKey(ResultSet, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    played_on = models.DateField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["result_set", "number"], name="round_number_unique")]

    def __str__(self) -> str:
        return f"{self.result_set_id} round {self.number}"


class Entry(models.Model):
    """A player in a tournament: the record of the register and the values printed in the report.

    One player can have two, with no round in which both play: a newcomer on two lines of the report (R24a).
    """

    result_set = models.ForeignKey(ResultSet, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey("reporting.Player", on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    points_printed = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="In halves: a win is 2."
    )
    reported_name = models.CharField(max_length=80)
    reported_federation = models.CharField(max_length=20, blank=True)
    reported_title = models.CharField(max_length=10, blank=True)
    reported_rating = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["result_set", "number"], name="entry_number_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.result_set_id} number {self.number}"


class Game(models.Model):
    """One game. A pause has only one player; an unplayed game is not rated.

    Each game of a session has its own clock (R25); in other tournaments games have the tournament's.
    """

    result_set = models.ForeignKey(ResultSet, on_delete=models.CASCADE, related_name="games")
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField(default=1, db_default=1, help_text="In its round, from 1.")
    time_control = models.CharField(max_length=40, blank=True, default="", db_default="")
    seconds_for_60_moves = models.PositiveIntegerField(
        null=True, blank=True, help_text="Per player, for the first 60 moves (R6); empty: the tournament's."
    )
    white = models.ForeignKey(Entry, null=True, on_delete=models.CASCADE, related_name="games_as_white")
    black = models.ForeignKey(Entry, null=True, on_delete=models.CASCADE, related_name="games_as_black")
    white_points = models.PositiveSmallIntegerField(help_text="In halves: a win is 2.")
    black_points = models.PositiveSmallIntegerField(help_text="In halves: a win is 2.")
    played = models.BooleanField()
    started_on = models.DateField(
        null=True,
        blank=True,
        help_text="The game's own day, where the report has it; else that of its round.",
    )
    finished_on = models.DateField(null=True, blank=True, help_text="The day of its result; empty as above.")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(white__isnull=False) | Q(black__isnull=False), name="game_has_a_player"
            ),
            models.CheckConstraint(
                condition=Q(played=False)
                | Q(white__isnull=False, black__isnull=False, white_points=2 - F("black_points")),
                name="game_played_shares_two_points",
            ),
            models.CheckConstraint(
                condition=Q(white_points__lte=2, black_points__lte=2), name="game_points_at_most_two"
            ),
            models.CheckConstraint(condition=~Q(white=F("black")), name="game_has_two_different_players"),
            models.CheckConstraint(condition=Q(number__gt=0), name="game_number_from_one"),
            models.CheckConstraint(
                condition=Q(time_control="", seconds_for_60_moves=None)
                | Q(~Q(time_control=""), seconds_for_60_moves__isnull=False, seconds_for_60_moves__gt=0),
                name="game_has_whole_clock",
            ),
            models.CheckConstraint(
                condition=Q(started_on__isnull=True)
                | Q(finished_on__isnull=True)
                | Q(started_on__lte=F("finished_on")),
                name="game_days_in_order",
            ),
        ]
        indexes = [models.Index(fields=["result_set", "round"], name="game_result_set_round")]

    def __str__(self) -> str:
        return f"{self.result_set_id} round {self.round}: {self.result_in(PointsScale.WHOLE)}"

    @property
    def turn(self) -> str:
        """The round; in a session with the number of the game in it: `2.3`."""
        return f"{self.round}.{self.number}" if self.time_control else str(self.round)

    def result_in(self, scale: PointsScale | str, *, in_file: bool = False) -> str:
        """The result by the scale of its tournament: `2-0`, or `1-0`, `½-½`; with `x` for an unplayed game."""
        sign = "-" if self.played else "x"
        return result_text(self.white_points, self.black_points, scale, sign=sign, in_file=in_file)
