"""The numbers of Annexes 2 and 9 that reports ask for, as dated editions. Old editions stay."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from reporting.federations.facet import Edition
from reporting.rules.details.shared_details import System


class CupSystem(NamedTuple):
    """A system of a World Cup event for so many players; ``most_players`` None for no limit.

    ``rounds`` are those of a Swiss tournament, for a round robin how often two players meet.
    """

    least_players: int
    most_players: int | None
    system: System
    rounds: tuple[int, ...]

    def rounds_with(self, players: int) -> Sequence[int]:
        """The rounds with so many players; of a round robin those of a full table, as often as two players meet."""
        of_table = players - 1 + players % 2
        if self.system == System.ROUND_ROBIN:
            return [meetings * of_table for meetings in self.rounds]
        return self.rounds


class CupPrizes(NamedTuple):
    """The least prizes of a World Cup event in euros, first place first."""

    open: tuple[int, ...]
    women: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class FmjdEdition(Edition):
    """`oldest_of_youth` is the highest age of each group of youth that has one, on 31 December of the year of play.

    A tournament is classic from so many seconds for 60 moves on (`classic_seconds`), else rapid (`rapid_seconds`), else
    blitz. `youth_players` are those that a federation sends to a group of a classic world youth championship; a World
    Cup event with fewer stars than `world_cup_other_systems_from` has these tie-breaks, and one of the systems for its
    number of players.

    `world_cup_prizes` are the least ones by stars; the entry fee is at most `world_cup_fee` euros. The months are those
    before the first round until which another system is announced, the regulations are delivered, the stars go up.
    """

    oldest_of_youth: Mapping[str, int]
    youth_players: int
    classic_seconds: int
    rapid_seconds: int
    world_cup_tie_breaks: tuple[str, ...]
    world_cup_other_systems_from: int
    world_cup_systems: tuple[CupSystem, ...]
    world_cup_prizes: Mapping[int, CupPrizes]
    world_cup_fee: int
    world_cup_other_system_months: int
    world_cup_regulations_months: int
    world_cup_more_stars_months: int


ANNEX_9_2024_04 = FmjdEdition(
    in_force_from=date(2024, 4, 1),
    report_days=7,  # Art. 4.1, R11.
    announcement_days=14,  # Art. 1.2.1.3, R11.
    # Annex 2 art. 3f; R13, R73a.
    oldest_of_youth={"juniors": 19, "cadets": 16, "mini-cadets": 13, "hopes": 10, "young-stars": 8},
    min_rounds=7,  # Annex 2 art. 3a, R21.
    youth_players=3,  # Annex 13 art. 5.2, R73a.
    # Annex 13 art. 8, R73.
    classic_seconds=30 * 60,
    rapid_seconds=15 * 60,
    # Annex 18 conditions 1, 3 and 5, R70f.
    world_cup_tie_breaks=("short", "plus", "baliakin", "full"),
    world_cup_other_systems_from=5,
    world_cup_systems=(
        CupSystem(18, None, System.SWISS, (9, 10)),
        CupSystem(11, 18, System.SWISS, (7,)),
        CupSystem(7, 10, System.ROUND_ROBIN, (1,)),
        CupSystem(2, 6, System.ROUND_ROBIN, (2,)),
    ),
    # Annex 18 Appendix A; one star has no prescribed prizes.
    world_cup_prizes={
        3: CupPrizes((1200, 900, 800, 600, 450, 350, 250, 150), (600, 400, 300)),
        5: CupPrizes((2000, 1400, 1000, 700, 600, 500, 400, 300, 200, 100), (1000, 700, 500, 300, 200, 100)),
        7: CupPrizes(
            (3000, 2400, 2000, 1500, 1300, 1000, 800, 700, 600, 500),
            (1400, 1100, 800, 700, 550, 450, 350, 350, 250, 250),
        ),
        9: CupPrizes(
            (6000, 4000, 2500, 1500, 1100, 1000, 900, 800, 700, 600, 500, 400),
            (2500, 2000, 1500, 1000, 800, 700, 550, 400, 300, 250),
        ),
    },
    world_cup_fee=60,  # Annex 18 condition 13, R70f.
    world_cup_other_system_months=6,  # Condition 5.
    world_cup_regulations_months=4,  # Condition 19.
    world_cup_more_stars_months=3,  # Condition 11.
)
EDITIONS = (ANNEX_9_2024_04,)
"""All editions held, the oldest first."""
