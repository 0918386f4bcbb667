from typing import Any

from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from reporting.federations.registry import all_report_rules, known_rules
from reporting.models.register import Player
from reporting.rules.details.known_details import DETAILS, has_parts, own_details
from reporting.rules.details.shared_details import NationalChampionship, System
from reporting.rules.details.time_control import parse_time_control
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.points import result_text
from reporting.rules.report import PointsScale


def _choices(name: str) -> list[tuple[str, Any]]:
    """The choices of a detail as its declaration has them."""
    return [(value, gettext_lazy(label)) for value, label in DETAILS[name].labelled_choices()]


def part_code(code: str, part: int) -> str:
    """A part of a tournament in one word: its code, from part 2 on with the part (`2025-league:2`)."""
    return code if part == 1 else f"{code}:{part}"


class ResultSet(models.Model):
    """What one report says of a tournament: details, entries, rounds and games (docs/reference/tournament-details.md).

    It is written when the report is submitted, and written again when it is submitted again. While its report is
    accepted the database refuses every change (reporting/migrations/sql). A corrected report has a result set of its
    own, the next revision of the same part of the tournament.
    """

    tournament = models.ForeignKey(
        "reporting.Tournament",
        to_field="code",
        db_column="code",
        on_delete=models.PROTECT,
        related_name="result_sets",
    )
    part = models.PositiveSmallIntegerField(default=1, db_default=1, help_text="Of the tournament, from 1.")
    revision = models.PositiveSmallIntegerField(
        default=0, help_text="0 = as first accepted; n = its nth corrected report, with its own results."
    )
    name = models.CharField(max_length=80)
    place = models.CharField(max_length=60, blank=True)
    country = models.ForeignKey(
        "reporting.Federation", null=True, blank=True, on_delete=models.PROTECT, related_name="result_sets"
    )
    played_from = models.DateField()
    played_to = models.DateField()
    counting_day = models.DateField(
        help_text="By which its list is found, as its rating system answers (`TournamentDetails.counting_day`)."
    )
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
    youth_only = models.BooleanField(
        default=False, help_text="For a group of youth, by the details of its federation."
    )
    veterans = models.BooleanField(default=False)
    announced = models.DateField(null=True, blank=True)
    referee = models.CharField(max_length=60, blank=True)
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
            models.UniqueConstraint(
                fields=["tournament", "part", "revision"], name="result_set_revision_once"
            ),
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
    def code(self) -> str:
        """The code of its tournament. No query."""
        return self.tournament_id

    is_in_parts = False
    """Whether its tournament has a later part; as `mark_parts` found it, for pages that name part 1 too."""

    @property
    def part_code(self) -> str:
        """The code of its tournament with its part (`part_code`). No query."""
        return part_code(self.code, self.part)

    @property
    def may_have_parts(self) -> bool:
        """Whether its federation takes reports of a tournament in parts. No query."""
        rules = known_rules(self.rating_system, self.discipline)
        return rules is not None and has_parts(rules.details)

    @property
    def seconds_of_games(self) -> tuple[int | None, ...]:
        """The times for 60 moves of its games, the longest first; more than one only with a session (R25).

        None for a tournament without a clock.
        """
        times = {parse_time_control(text).seconds_for_60_moves for text in self.session}
        return tuple(sorted(times, reverse=True)) or (self.seconds_for_60_moves,)

    @property
    def own_details(self) -> "OwnDetails | None":
        """The details that only its federation has; None where that has none.

        1 query, none after `select_related(*own_relations())`.
        """
        rules = known_rules(self.rating_system, self.discipline)
        return getattr(self, relation_of(rules.details)) if rules and rules.details.table else None

    @property
    def details(self) -> TournamentDetails:
        """The details on which its standings depend (R52), and those of its federation. Queries as `own_details`."""
        own = self.own_details
        rules = known_rules(self.rating_system, self.discipline)
        kind = rules.details if rules else TournamentDetails
        return kind(
            rating_system=self.rating_system,
            discipline=self.discipline,
            played_from=self.played_from,
            played_to=self.played_to,
            system=System(self.system) if self.system else None,
            national_championship=NationalChampionship(self.national_championship),
            session=tuple(self.session),
            round_scores=tuple(map(tuple, self.round_scores)),
            plus_draws=tuple(map(tuple, self.plus_draws)),
            decided_ties=tuple(map(tuple, self.decided_ties)),
            women_only=self.women_only,
            veterans=self.veterans,
            **({} if own is None else own.values),
        )


class OwnDetails(models.Model):
    """The details of a result set that only one federation has: a column for each that is not private.

    The app of the federation derives a table; its `TournamentDetails` name it. It is protected as the result set is
    (`RegisterOwnDetails`).
    """

    result_set = models.OneToOneField(
        ResultSet, primary_key=True, on_delete=models.CASCADE, related_name="own_%(app_label)s"
    )

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.label} {self.result_set_id}"

    @property
    def values(self) -> dict[str, Any]:
        """The values by name, as `TournamentDetails` have them. No query."""
        columns = {column.name for column in self._meta.concrete_fields}
        kinds = (rules.details for rules in all_report_rules() if rules.details.table == self._meta.label)
        return {
            name: detail.stored(getattr(self, name))
            for kind in kinds
            for name, detail in own_details(kind).items()
            if name in columns
        }


def own_table(kind: type[TournamentDetails]) -> type[OwnDetails]:
    """The table of the details of one federation, which has one."""
    return apps.get_model(kind.table)


def relation_of(kind: type[TournamentDetails]) -> str:
    """The attribute of a result set that has the details of one federation."""
    return f"own_{kind.table.partition('.')[0]}"


def own_relations() -> list[str]:
    """The details of each federation that has any of its own, for `select_related`."""
    return [relation_of(rules.details) for rules in all_report_rules() if rules.details.table]


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
    player: models.ForeignKey[Player | None, Player] = models.ForeignKey(  # type: ignore[misc]  # read of accepted ones
        "reporting.Player",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="entries",
        help_text="Empty until the report is accepted.",
    )
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
    white_for = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="The number in the register of the player whom a substitute replaces.",
    )
    black_for = models.PositiveIntegerField(null=True, blank=True, help_text="The same for Black.")

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
