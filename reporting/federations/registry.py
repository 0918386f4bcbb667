"""The rules of reports of this installation. The app of each federation registers its own when Django starts."""

from collections.abc import Sequence

from reporting.federations.facet import ReportRules
from reporting.rules.checks import REPORT_CHECKS, Check
from reporting.rules.regulations.disciplines import known_system

_rules: dict[str, ReportRules] = {}


def register_report_rules(rules: ReportRules) -> None:
    """Make the rules of reports of a rating system known."""
    _rules[rules.system] = rules


def all_report_rules() -> Sequence[ReportRules]:
    """The rules of reports of each system that has its own, in the order of INSTALLED_APPS."""
    return tuple(_rules.values())


def report_rules(system: str) -> ReportRules | None:
    """The rules of reports of a rating system; None where it has none of its own."""
    return _rules.get(system)


def report_checks(rating_system: str, discipline: str) -> Sequence[Check]:
    """The checks of a report, by the rating system of its tournament (`known_system`).

    While that is not known, those of the first federation; of a system without rules of its own, those of all reports.
    """
    system = known_system(rating_system, discipline)
    rules = _rules.get(system.code) if system else next(iter(_rules.values()), None)
    return rules.checks if rules else REPORT_CHECKS
