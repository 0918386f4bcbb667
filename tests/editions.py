"""Other editions of Annex 9, for replays."""

from dataclasses import replace

from ratings.federations.fmjd.rules.edition import FmjdRules
from ratings.federations.fmjd.rules.parameters import ANNEX_9_2024_04


def edition(name: str = "annex-9-other-1", **numbers: int) -> FmjdRules:
    """The edition of 2024 with other numbers."""
    return FmjdRules(replace(ANNEX_9_2024_04, id=name, **numbers))  # type: ignore[arg-type]


K_20 = edition("annex-9-k-20", k_standard=20)
