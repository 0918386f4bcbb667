"""The numbers of the regulations that reporting asks for: each rating system registers its dated editions.

Reporting knows two figures of an edition (R11) and nothing of ratings.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta

from reporting.rules.checks import Edition
from reporting.rules.findings import Finding

_editions: dict[str, Callable[[date], Edition]] = {}
_articles: dict[str, Mapping[str, str]] = {}


def register_editions(
    disciplines: Iterable[str],
    edition_in_force: Callable[[date], Edition],
    articles: Mapping[str, str] | None = None,
) -> None:
    """Say which edition of the regulations of these disciplines is in force on a day.

    `articles` are those of its findings by code; None for those of the catalogue.
    """
    names = list(disciplines)
    _editions.update(dict.fromkeys(names, edition_in_force))
    if articles is not None:
        _articles.update(dict.fromkeys(names, articles))


def cited(findings: Iterable[Finding], discipline: str) -> tuple[Finding, ...]:
    """Findings with the articles of a discipline's regulations; without one where they have none for its code."""
    articles = _articles.get(discipline)
    if articles is None:
        return tuple(findings)
    return tuple(replace(finding, article=articles.get(finding.code, "")) for finding in findings)


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
