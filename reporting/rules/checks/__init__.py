"""The checks of R20 and R21 that need no register: relations between the lines of a report, and the calendar.

Readers check single values; here values are checked against each other and against the tournament details. Matching
with the register adds the rest: FMJD-IDs that do not exist, names that differ, look-alikes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType
from typing import Any

from reporting.federations.facet import ReportRules
from reporting.rules.checks.context import NOT_ABOUT_GAMES, CheckContext
from reporting.rules.checks.counting import COUNTING_CHECKS
from reporting.rules.checks.players import PEOPLE_CHECKS, check_new_player, check_numbers
from reporting.rules.checks.results import RESULT_CHECKS
from reporting.rules.checks.standings import check_standings, places_by_tie_breaks
from reporting.rules.checks.tournament import TOURNAMENT_CHECKS
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import Finding, Severity, in_file_order
from reporting.rules.report import ReadReport
from reporting.rules.standings.cross_table import Counting

__all__ = [
    "REPORT_CHECKS",
    "Check",
    "check_games",
    "check_new_player",
    "check_report",
    "places_by_tie_breaks",
]

Check = Callable[[CheckContext], None]
"""Adds its findings to those of the context."""

REPORT_CHECKS: tuple[Check, ...] = (*TOURNAMENT_CHECKS, *PEOPLE_CHECKS, *RESULT_CHECKS, *COUNTING_CHECKS)
"""The checks of every report, whatever its federation."""


def check_report(
    read: ReadReport,
    details: TournamentDetails | None,
    *,
    today: date,
    rules: ReportRules,
    given: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[Finding, ...]:
    """Return the findings about a report as read, without those of its reader, by line and column.

    ``details`` are those of the form completed by the file (``complete_details``); None while the form is not
    filled in or has an error. Then only the file is checked, with the days in ``given``, and details with a name
    there are not missing. ``today`` is the day in the office's zone, on which a report without ``received`` counts
    as received. ``rules`` are those of its federation: the edition of the first round has the days of notice, that
    of the last round the days to report. A file that could not be read at all has no more findings.
    """
    if not read.format:
        return ()
    counting = details.counting if details else Counting()
    context = CheckContext(read, details, today, rules, given, counting)
    for check in rules.checks:
        check(context)
    check_standings(context)  # last, because it needs to know of errors
    return in_file_order(context.findings)


def check_games(
    read: ReadReport,
    details: TournamentDetails | None,
    *,
    today: date,
    rules: ReportRules,
    counting: Counting,
) -> tuple[Finding, ...]:
    """Return the findings that a classification needs: those of the reader and about numbers, results and points.

    With an error among them there is no classification. Errors about a player's name, country and the like are left
    out, as are details of the tournament, which a classification does not need; it needs ``counting``. The other
    arguments are those of ``check_report``.
    """
    context = CheckContext(read, details, today, rules, counting=counting)
    for check in (check_numbers, *RESULT_CHECKS, *COUNTING_CHECKS):
        check(context)
    reader = [
        finding
        for finding in read.findings
        if finding.severity is Severity.ERROR and finding.field not in NOT_ABOUT_GAMES
    ]
    return in_file_order([*reader, *context.findings])
