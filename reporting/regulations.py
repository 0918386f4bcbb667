"""The numbers of the regulations that reporting asks for: the app that holds the dated editions registers them.

Reporting knows two figures of an edition (R11) and nothing of ratings; `ratings/apps.py` registers the editions.
"""

from collections.abc import Callable
from datetime import date, timedelta

from reporting.rules.checks import Edition

_edition_in_force: list[Callable[[date], Edition]] = []


def register_editions(edition_in_force: Callable[[date], Edition]) -> None:
    """Say which edition of the regulations is in force on a day; the last one registered answers."""
    _edition_in_force[:] = [edition_in_force]


def edition_on(day: date) -> Edition:
    """The edition of the regulations in force on a day. Raises LookupError where no app registered any."""
    if not _edition_in_force:
        raise LookupError("No editions of the regulations are registered: ratings/apps.py does it.")
    return _edition_in_force[0](day)


def report_due(last_round: date) -> date:
    """The last day on which the report of a tournament is in time, by the edition of its last round (R11)."""
    return last_round + timedelta(days=edition_on(last_round).report_days)


def announcement_days(first_round: date) -> int:
    """Days of notice that a tournament asks for, by the edition of its first round (Annex 9 art. 1.2.1.3, R11)."""
    return edition_on(first_round).announcement_days
