"""What reports to the toy federation say of a tournament in addition to what all reports say."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from reporting.rules.details.detail_kinds import Kind
from reporting.rules.details.tournament_details import TournamentDetails, declared
from reporting.rules.report import PointsScale


class Pieces(StrEnum):
    WOOD = "wood"
    PLASTIC = "plastic"


@dataclass(frozen=True, kw_only=True)
class ToyDetails(TournamentDetails):
    """With what pieces it was played (art. 6)."""

    table: ClassVar[str] = "toy.ToyResultSetDetails"
    fixed_points_scale: ClassVar[PointsScale | None] = PointsScale.HALVES

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
