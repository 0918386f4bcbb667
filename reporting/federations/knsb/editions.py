"""The numbers of the Rekenregels that reports ask for, as dated editions. Old editions stay."""

from dataclasses import dataclass
from datetime import date

from reporting.federations.facet import Edition


@dataclass(frozen=True, kw_only=True)
class KnsbEdition(Edition):
    """A tournament of more than `short_days` needs the day of each game (art. 4.1)."""

    short_days: int


REKENREGELS_2024_10 = KnsbEdition(
    in_force_from=date(2024, 10, 1),
    report_days=None,  # The text sets no day to report and none to announce.
    announcement_days=None,
    short_days=30,  # Art. 4.1, R80d: first and last day included.
)
EDITIONS = (REKENREGELS_2024_10,)
"""All editions held, the oldest first."""
