"""Tables of rating differences, for tie-breaks by performance: a rating system registers its own."""

from collections.abc import Sequence

from reporting.federations.registry import rules_of_report

_of_system: dict[str, Sequence[int]] = {}


def register_rating_differences(system: str, differences_e2: Sequence[int]) -> None:
    """Make the table of a rating system known: in hundredths, for 0 % to 100 %."""
    _of_system[system] = differences_e2


def rating_differences_e2(rating_system: str, discipline: str) -> Sequence[int]:
    """The table for the tie-breaks of a report (`rules_of_report`); empty where its system has none."""
    return _of_system.get(rules_of_report(rating_system, discipline).system, ())
