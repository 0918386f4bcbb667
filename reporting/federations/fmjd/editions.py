"""The numbers of Annexes 2 and 9 that reports ask for, as dated editions. Old editions stay."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from reporting.federations.facet import Edition


@dataclass(frozen=True, kw_only=True)
class FmjdEdition(Edition):
    """`oldest_of_youth` is the highest age of each group of youth that has one, on 31 December of the year of play."""

    oldest_of_youth: Mapping[str, int]


ANNEX_9_2024_04 = FmjdEdition(
    in_force_from=date(2024, 4, 1),
    report_days=7,  # Art. 4.1, R11.
    announcement_days=14,  # Art. 1.2.1.3, R11.
    # Annex 2 art. 3f; R13, R73a.
    oldest_of_youth={"juniors": 19, "cadets": 16, "mini-cadets": 13, "hopes": 10, "young-stars": 8},
    min_rounds=7,  # Annex 2 art. 3a, R21.
)
EDITIONS = (ANNEX_9_2024_04,)
"""All editions held, the oldest first."""
