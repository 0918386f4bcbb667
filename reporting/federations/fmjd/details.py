"""What reports to the FMJD say of a tournament in addition to what all reports say."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from enum import StrEnum
from typing import ClassVar

from reporting.federations.facet import edition_in_force
from reporting.federations.fmjd.editions import EDITIONS
from reporting.rules.details.detail_declaration import declared
from reporting.rules.details.detail_kinds import Kind
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.report import PointsScale
from reporting.rules.standings.cross_table import Counting


class Youth(StrEnum):
    """The age group of a youth tournament (R37a), empty for none."""

    UNDER_23 = "under-23"
    JUNIORS = "juniors"
    CADETS = "cadets"
    MINI_CADETS = "mini-cadets"
    HOPES = "hopes"
    YOUNG_STARS = "young-stars"
    NONE = ""


class RefereeLevel(StrEnum):
    """The level of the main referee."""

    FMJD = "fmjd"
    INTERNATIONAL = "international"
    NATIONAL = "national"
    NONE = "none"


class Competition(StrEnum):
    """The official competition, for automatic titles, empty for none."""

    WORLD_CHAMPIONSHIP = "world-championship"
    EUROPEAN_CHAMPIONSHIP = "european-championship"
    AFRICAN_CHAMPIONSHIP = "african-championship"
    ASIAN_CHAMPIONSHIP = "asian-championship"
    AMERICAN_CHAMPIONSHIP = "american-championship"
    WORLD_CUP = "world-cup"
    NONE = ""


class WorldCupStars(StrEnum):
    """The stars of a World Cup event; whole numbers in a file."""

    ONE = "1"
    THREE = "3"
    FIVE = "5"
    SEVEN = "7"
    NINE = "9"


class WorldCupGroups(StrEnum):
    """How the organiser of a World Cup event plays men and women (Annex 18 condition 4), empty for none."""

    ONE = "one"
    SEPARATE = "separate"
    NONE = ""


@dataclass(frozen=True, kw_only=True)
class FmjdDetails(TournamentDetails):
    """The details of a report by Annex 9, with those on which Annexes 2, 10 and 18 depend."""

    required: ClassVar[frozenset[str]] = frozenset({"discipline", "time_control"})
    table: ClassVar[str] = "fmjd_reports.ResultSetDetails"
    fixed_points_scale: ClassVar[PointsScale | None] = PointsScale.WHOLE
    default_tie_breaks: ClassVar[tuple[str, ...] | None] = None
    uses: ClassVar[frozenset[str] | None] = frozenset(one.name for one in fields(TournamentDetails)) - {
        "part"  # Annex 9 knows one report of a tournament
    }

    official: bool = field(
        default=False,
        metadata=declared(
            Kind.YES_OR_NO,
            "FMJD or confederation tournament",
            "tournament of FMJD or of a confederation",
            example="false",
            decided_by="office",
        ),
    )
    announced: date | None = field(
        default=None,
        metadata=declared(
            Kind.DAY,
            "Day the announcement reached the office",
            "day it was announced to FMJD",
            example="2026-09-30",
            help="Only for an announcement that reached the office before today",
        ),
    )
    youth: Youth = field(
        default=Youth.NONE,
        metadata=declared(
            Kind.CHOICE,
            "Youth",
            "age group of a youth tournament",
            example='"juniors"',
            choices=Youth,
            after="women_only",
            asked_after="women_only",
        ),
    )
    competition: Competition = field(
        default=Competition.NONE,
        metadata=declared(
            Kind.CHOICE,
            "Official competition",
            "official competition, for automatic titles",
            example='"world-cup"',
            choices=Competition,
            after="rounds",
            asked_after="veterans",
            decided_by="office",
        ),
    )
    council_approved: bool = field(
        default=False,
        metadata=declared(
            Kind.YES_OR_NO,
            "Approved by the Council",
            "approved by the Council for norms and titles",
            example="true",
            after="competition",
            decided_by="title_council",
        ),
    )
    rating_service_paid: bool = field(
        default=False,
        metadata=declared(
            Kind.YES_OR_NO,
            "Rating service paid",
            "the rating service is paid (table form only)",
            example="true",
            after="council_approved",
            asked_after="shared_places",
        ),
    )
    world_cup_stars: int | None = field(
        default=None,
        metadata=declared(
            Kind.NUMBER_CHOICE,
            "World Cup stars",
            "stars of a World Cup event",
            example="5",
            choices=WorldCupStars,
            after="rating_service_paid",
            asked_after="competition",
            decided_by="office",
        ),
    )
    world_cup_groups: WorldCupGroups = field(
        default=WorldCupGroups.NONE,
        metadata=declared(
            Kind.CHOICE,
            "World Cup groups",
            "one group for all of a World Cup event, or separate tournaments for women and men",
            example='"one"',
            choices=WorldCupGroups,
            after="world_cup_stars",
            asked_after="competition",
        ),
    )
    absent_from_closing: tuple[int, ...] = field(
        default=(),
        metadata=declared(
            Kind.NUMBERS,
            "Absent from the closing ceremony",
            "tournament numbers of players who were absent from the closing ceremony of a World Cup event",
            example="[4, 12]",
            help="Only for a World Cup event: tournament numbers, for example 4, 12",
            after="world_cup_groups",
            asked_after="competition",
        ),
    )
    referee_level: RefereeLevel | None = field(
        default=None,
        metadata=declared(
            Kind.CHOICE,
            "Level of the main referee",
            "level of the main referee",
            example='"fmjd"',
            choices=RefereeLevel,
            choice_labels={"fmjd": "FMJD"},
            after="referee",
            asked_after="system",
            decided_by="office",
            decided_of="referee",
        ),
    )

    @property
    def counting(self) -> Counting:
        """A world championship of all ages has an order of tie-breaks of its own (R52)."""
        of_all_ages = not (self.women_only or self.youth or self.veterans)
        is_world_championship = self.competition == Competition.WORLD_CHAMPIONSHIP and of_all_ages
        return replace(super().counting, is_world_championship=is_world_championship)

    @property
    def youth_only(self) -> bool:
        return bool(self.youth)

    @property
    def needs_sex(self) -> bool:
        """A World Cup event where men can play: open and women's classification differ, also in an open tournament
        with one for women beside it (R70c)."""
        return self.competition == Competition.WORLD_CUP and not self.women_only

    @property
    def oldest(self) -> int | None:
        """By the edition of the last round (R73a); none for a group without such an age."""
        if self.played_to is None:
            return None
        return edition_in_force(EDITIONS, self.played_to).oldest_of_youth.get(self.youth)

    @classmethod
    def is_official(cls, decided: Mapping[str, str]) -> bool:
        """An official competition is one too."""
        return super().is_official(decided) or bool(decided["competition"])
