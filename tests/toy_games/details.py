"""What reports of the toy league say of a tournament in addition to what all reports say."""

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import ClassVar

from reporting.rules.details.detail_declaration import declared
from reporting.rules.details.detail_kinds import Kind
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.report import PointsScale, ReadReport


class Division(StrEnum):
    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, kw_only=True)
class LeagueDetails(TournamentDetails):
    """Points as in chess: a win is one, a draw half a point. A tournament may be reported in parts."""

    fixed_points_scale: ClassVar[PointsScale | None] = PointsScale.HALVES
    table: ClassVar[str] = "league.LeagueResultSetDetails"
    uses: ClassVar[frozenset[str] | None] = frozenset({"part"})

    division: Division | None = field(
        default=None,
        metadata=declared(
            Kind.CHOICE,
            "Division",
            "division of the league",
            example='"first"',
            choices=Division,
            asked_after="system",
            public=True,
        ),
    )

    def counting_day(self, received: date, read: ReadReport | None = None) -> date | None:
        """The day of the last round; of a part, which goes on, that of its last game."""
        if self.part is None or read is None:
            return self.played_to
        return max(
            (day for game in read.games if (day := game.finished_on or game.started_on)), default=received
        )
