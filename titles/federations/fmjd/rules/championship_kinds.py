"""The kinds of official championships: of the world or a continent, by section, tempo, age group, women and teams.

Annex 10 art. 13 and Annex 13 name the competitions; the time for 60 moves separates the tempos (Annex 6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

AREAS: Final = ("world", "european", "african", "asian", "american")
SECTIONS: Final = ("100", "64")
TEMPOS: Final = ("classic", "rapid", "blitz")
YOUTH: Final = ("under-23", "juniors", "cadets", "mini-cadets", "hopes", "young-stars")
GROUPS: Final = ("", *YOUTH, "veterans")
"""The age groups as tournament details name them; empty for all ages."""
WOMEN: Final = "women"
TEAMS: Final = "teams"
OF_COMPETITION: Final = {f"{area}-championship": area for area in AREAS}
"""The area by the value of the detail `competition`."""


@dataclass(frozen=True, slots=True)
class ChampionshipKind:
    """A championship whatever its year: `world-100-classic`, `european-64-blitz-cadets-women`."""

    area: str
    section: str
    tempo: str
    group: str = ""
    women: bool = False
    teams: bool = False

    @property
    def code(self) -> str:
        """What names it in addresses and tables."""
        ends = [name for name, given in ((WOMEN, self.women), (TEAMS, self.teams)) if given]
        return "-".join(filter(None, [self.area, self.section, self.tempo, self.group, *ends]))

    @property
    def order(self) -> tuple[int, int, int, bool, int, bool]:
        """Its place among others: of the world first, all ages before age groups, teams last."""
        return (
            AREAS.index(self.area), SECTIONS.index(self.section), TEMPOS.index(self.tempo), self.teams,
            GROUPS.index(self.group), self.women,
        )  # fmt: skip

    @property
    def has_title_match(self) -> bool:
        """Whether the right to a title match follows from it (Annexes 12 art. 10 and 17 art. 11)."""
        return (self.area, self.section, self.tempo, self.group, self.teams) == (
            "world", "100", "classic", "", False,
        )  # fmt: skip

    @classmethod
    def of(cls, code: str) -> Self:
        """The kind with a code. Raises ValueError where there is none."""
        area, section, tempo, *rest = [*code.split("-"), "", "", ""][: max(3, code.count("-") + 1)]
        teams = rest[-1:] == [TEAMS]
        rest = rest[:-1] if teams else rest
        women = rest[-1:] == [WOMEN]
        kind = cls(area, section, tempo, "-".join(rest[:-1] if women else rest), women, teams)
        known = zip((area, section, tempo, kind.group), (AREAS, SECTIONS, TEMPOS, GROUPS), strict=True)
        if kind.code != code or not all(value in values for value, values in known):
            raise ValueError(code)
        return kind
