"""Tables of rating differences, for tie-breaks by performance: a rating system registers its own."""

from collections.abc import Sequence

_of_system: dict[str, Sequence[int]] = {}


def register_rating_differences(system: str, differences_e2: Sequence[int]) -> None:
    """Make the table of a rating system known: in hundredths, for 0 % to 100 %."""
    _of_system[system] = differences_e2


def rating_differences_e2(system: str) -> Sequence[int]:
    """The table of a rating system; empty where it has none."""
    return _of_system.get(system, ())
