"""What reports to the toy federation say of a tournament in addition to what all reports say."""

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import ClassVar

from reporting.rules.details.detail_declaration import declared
from reporting.rules.details.detail_kinds import Kind
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.report import PointsScale, ReadReport


class Pieces(StrEnum):
    WOOD = "wood"
    PLASTIC = "plastic"


@dataclass(frozen=True, kw_only=True)
class ToyDetails(TournamentDetails):
    """With what pieces it was played (art. 6), and when it was registered (art. 7)."""

    table: ClassVar[str] = "toy.ToyResultSetDetails"
    fixed_points_scale: ClassVar[PointsScale | None] = PointsScale.HALVES
    uses: ClassVar[frozenset[str] | None] = frozenset({"announced", "received", "points", "standings"})

    pieces: Pieces | None = field(
        default=None,
        metadata=declared(
            Kind.CHOICE,
            "Pieces",
            "what the pieces are made of",
            example='"wood"',
            choices=Pieces,
            asked_after="system",
            public=True,
        ),
    )
    registered: date | None = field(
        default=None,
        metadata=declared(
            Kind.DAY,
            "Day of registration",
            "day on which the federation registered the report",
            example="2026-11-20",
            asked_after="pieces",
        ),
    )

    def counting_day(self, received: date, read: ReadReport | None = None) -> date | None:
        """The day of registration; without one that of the last game, if games have days (art. 7)."""
        games = () if read is None else read.games
        days = [day for game in games if (day := game.finished_on or game.started_on)]
        return self.registered or max(days, default=self.played_to)
