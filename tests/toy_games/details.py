"""What reports of the toy league say of a tournament in addition to what all reports say."""

from dataclasses import dataclass
from typing import ClassVar

from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.report import PointsScale


@dataclass(frozen=True, kw_only=True)
class LeagueDetails(TournamentDetails):
    """Points as in chess: a win is one, a draw half a point."""

    fixed_points_scale: ClassVar[PointsScale | None] = PointsScale.HALVES
    uses: ClassVar[frozenset[str] | None] = frozenset()
