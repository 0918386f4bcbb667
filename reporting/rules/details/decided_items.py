"""What only the federation can say of a tournament: the report proposes, the office or the Council decides (R78)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from reporting.rules.details.tournament_details import Competition, RefereeLevel, WorldCupStars

YES: Final = "yes"
NO: Final = "no"


class DecidedItem(StrEnum):
    """What is decided (R73a, R77a, R78)."""

    COUNCIL_APPROVED = "council_approved"
    OFFICIAL = "official"
    COMPETITION = "competition"
    WORLD_CUP_STARS = "world_cup_stars"
    REFEREE_LEVEL = "referee_level"
    OVER_AGE = "over_age"

    @property
    def values(self) -> tuple[str, ...]:
        """The values that can be decided."""
        return _VALUES.get(self, (YES, NO))

    @property
    def neutral(self) -> str:
        """The value of a tournament of which nothing was proposed: it needs no decision."""
        return NO if NO in self.values else ""


_VALUES: Final = {
    DecidedItem.COMPETITION: tuple(Competition),
    DecidedItem.WORLD_CUP_STARS: (*WorldCupStars, ""),
    DecidedItem.REFEREE_LEVEL: (*RefereeLevel, ""),
}
