"""What R20 and R21 say of a report that needs no register: relations between its lines, and the calendar.

Readers find what is wrong with a single value; here the values are held against each other and against the
facts of the form. Matching to the register adds what is left: FMJD-IDs that do not exist, names that differ,
look-alikes.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from reporting.rules.checks.context import CheckContext, Edition
from reporting.rules.checks.players import PEOPLE_CHECKS, check_new_player
from reporting.rules.checks.results import RESULT_CHECKS
from reporting.rules.checks.tournament import TOURNAMENT_CHECKS
from reporting.rules.findings import Finding, in_file_order
from reporting.rules.report import ReadReport
from reporting.rules.tournament_details import TournamentDetails

__all__ = ["Edition", "check_new_player", "check_report"]


def check_report(
    read: ReadReport, details: TournamentDetails | None, *, today: date, edition_on: Callable[[date], Edition]
) -> tuple[Finding, ...]:
    """Return the findings about a report as read, without those of its reader, by line and column.

    ``details`` are the facts of the form completed by the file (``facts.merge``); None while the form is not
    filled, then only what the file says is checked. ``today`` is the day in the office's zone, on which a
    report without ``received`` counts as handed in. ``edition_on`` gives the edition of
    the regulations in force on a day: that of the first round says how early a tournament is announced, that of
    the last round how late it is reported. A file of which nothing could be read gives nothing more.
    """
    if not read.format:
        return ()
    context = CheckContext(read, details, today, edition_on)
    for check in (*TOURNAMENT_CHECKS, *PEOPLE_CHECKS, *RESULT_CHECKS):
        check(context)
    return in_file_order(context.findings)
