"""The numbers of the regulations that reporting asks for: each rating system registers its dated editions.

Reporting knows two figures of an edition (R11) and nothing of ratings.
"""

from collections.abc import Callable, Iterable
from datetime import date, timedelta

from reporting.rules.checks import Edition

_editions: dict[str, Callable[[date], Edition]] = {}


def register_editions(disciplines: Iterable[str], edition_in_force: Callable[[date], Edition]) -> None:
    """Say which edition of the regulations of these disciplines is in force on a day."""
    _editions.update(dict.fromkeys(disciplines, edition_in_force))


def edition_on(day: date, discipline: str = "") -> Edition:
    """The edition of a discipline's regulations in force on a day; of the first discipline where it is not known.

    Raises LookupError where no system registered any.
    """
    if not _editions:
        raise LookupError("No editions of regulations are registered: no rating system is installed.")
    return _editions.get(discipline, next(iter(_editions.values())))(day)


def report_due(last_round: date, discipline: str = "") -> date:
    """The last day on which the report of a tournament is in time, by the edition of its last round (R11)."""
    return last_round + timedelta(days=edition_on(last_round, discipline).report_days)


def announcement_days(first_round: date, discipline: str = "") -> int:
    """Days of notice that a tournament requires, by the edition of its first round (R11)."""
    return edition_on(first_round, discipline).announcement_days
