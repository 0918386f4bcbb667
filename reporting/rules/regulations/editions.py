"""The numbers of the regulations that reporting asks for, by the edition of a tournament's rating system."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta

from reporting.federations.facet import Edition, edition_in_force
from reporting.federations.registry import (
    all_report_rules,
    article_of,
    known_rules,
    rules_of_report,
)
from reporting.rules.findings.catalogue.details import PARTS
from reporting.rules.findings.finding_list import Finding
from reporting.rules.standings.registry import TIE_BREAKS


def cited(findings: Iterable[Finding], discipline: str = "", rating_system: str = "") -> tuple[Finding, ...]:
    """Findings, which cite the first federation, with the articles of the report's; none where it has none.

    None either while the federation of the report is not known, unless only one is installed. A format cites the first
    federation too, by the documents that this one cites; any other article of a format, or a tie-break's, stays. What
    is wrong with a part cites the article of the detail `part`, where the federation has one.
    """
    installed = all_report_rules()
    rules = installed[0] if len(installed) == 1 else known_rules(rating_system, discipline)
    if rules and (of_parts := article_of(rules, "detail.part")):
        findings = [
            replace(found, article=of_parts) if found.article == PARTS else found for found in findings
        ]
    if rules is installed[0]:
        return tuple(findings)
    documents = {_document(article) for article in installed[0].articles.values()}
    tie_breaks = {tie_break.article for tie_break in TIE_BREAKS.values()}
    return tuple(
        replace(found, article=article_of(rules, found.key) if rules else "")
        if not found.article or (_document(found.article) in documents and found.article not in tie_breaks)
        else found
        for found in findings
    )


def _document(article: str) -> str:
    """The document that an article is of, which is named before it."""
    return article.partition(" art. ")[0]


def edition_on(day: date, discipline: str = "", rating_system: str = "") -> Edition:
    """The edition of the regulations of a report (`rules_of_report`) in force on a day."""
    return edition_in_force(rules_of_report(rating_system, discipline).editions, day)


def report_due(last_round: date, discipline: str = "", rating_system: str = "") -> date | None:
    """The last day on which the report of a tournament is in time, by the edition of its last round (R11).

    None where the edition sets none.
    """
    days = edition_on(last_round, discipline, rating_system).report_days
    return None if days is None else last_round + timedelta(days=days)


def announcement_days(first_round: date, discipline: str = "", rating_system: str = "") -> int | None:
    """Days of notice that a tournament requires, by the edition of its first round (R11); None where it sets none."""
    return edition_on(first_round, discipline, rating_system).announcement_days
