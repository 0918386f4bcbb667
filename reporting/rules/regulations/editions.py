"""The numbers of the regulations that reporting asks for: each rating system registers its dated editions.

Reporting knows the days of R11 and the ages of youth (R73a) of an edition, and nothing of ratings.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta

from reporting.rules.checks import Edition
from reporting.rules.findings.finding_list import Finding
from reporting.rules.regulations.disciplines import known_system

_editions: dict[str, Callable[[date], Edition]] = {}
_articles: dict[str, Mapping[str, str]] = {}


def register_editions(
    system: str, edition_in_force: Callable[[date], Edition], articles: Mapping[str, str] | None = None
) -> None:
    """Say which edition of the regulations of a rating system, by its code, is in force on a day.

    `articles` are those of its findings by code; None for those of the catalogue.
    """
    _editions[system] = edition_in_force
    if articles is not None:
        _articles[system] = articles


def cited(findings: Iterable[Finding], discipline: str, rating_system: str = "") -> tuple[Finding, ...]:
    """Findings with the articles of a tournament's rating system; without one where it has none for the code."""
    system = known_system(rating_system, discipline)
    articles = _articles.get(system.code) if system else None
    if articles is None:
        return tuple(findings)
    return tuple(replace(finding, article=articles.get(finding.code, "")) for finding in findings)


def edition_on(day: date, discipline: str = "", rating_system: str = "") -> Edition:
    """The edition of the regulations of a tournament's rating system (`known_system`) in force on a day.

    Of the first system where it is not known. Raises LookupError where no system registered any.
    """
    if not _editions:
        raise LookupError("No editions of regulations are registered: no rating system is installed.")
    system = known_system(rating_system, discipline)
    return _editions[system.code if system else next(iter(_editions))](day)


def report_due(last_round: date, discipline: str = "", rating_system: str = "") -> date:
    """The last day on which the report of a tournament is in time, by the edition of its last round (R11)."""
    return last_round + timedelta(days=edition_on(last_round, discipline, rating_system).report_days)


def announcement_days(first_round: date, discipline: str = "", rating_system: str = "") -> int:
    """Days of notice that a tournament requires, by the edition of its first round (R11)."""
    return edition_on(first_round, discipline, rating_system).announcement_days


def oldest_of_youth(
    youth: str, last_round: date, discipline: str = "", rating_system: str = ""
) -> int | None:
    """The highest age in a group of youth, as on 31 December of the year of the last round (Annex 2 art. 3f; R73a).

    By the edition of the last round; None where the group has no such age, or for no group.
    """
    return edition_on(last_round, discipline, rating_system).oldest_of_youth.get(youth) if youth else None
