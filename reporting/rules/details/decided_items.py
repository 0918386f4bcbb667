"""What only the federation can say of a tournament: the report proposes, an official decides (R78).

These are the details that say so (`decided_by`), and the players over the age (R73a).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Final

from reporting.federations.registry import all_report_rules
from reporting.rules.details.detail_declaration import Detail
from reporting.rules.details.detail_kinds import Kind
from reporting.rules.details.known_details import details_of
from reporting.rules.details.tournament_details import TournamentDetails

YES: Final = "yes"
NO: Final = "no"

COUNCIL: Final = "title_council"

OVER_AGE: Final = Detail(
    name="over_age",
    kind=Kind.YES_OR_NO,
    label="Players over the age admitted",
    about="players over the age admitted",
    example="true",
    decided_by="office",
)
"""Decided where a report has players over the age, though no report proposes it."""


def items_of(kind: type[TournamentDetails]) -> Mapping[str, Detail]:
    """What is decided of the tournaments of a federation, by name: first what the title council decides."""
    details = details_of(kind)
    decided = [
        details[one.name] for one in fields(kind) if one.name in details and details[one.name].decided_by
    ]
    decided.sort(key=lambda item: item.decided_by != COUNCIL)
    return {item.name: item for item in (*decided, OVER_AGE)}


def known_items() -> Mapping[str, Detail]:
    """What is decided of the tournaments of all installed federations, by name."""
    found: dict[str, Detail] = {}
    for rules in all_report_rules():
        for name, item in items_of(rules.details).items():
            found.setdefault(name, item)
    return found


@cache
def decided_of(item: str) -> str:
    """The name of the detail that a decision on an item depends on, empty for none."""
    return known_items()[item].decided_of


def council_items() -> list[str]:
    """The names of what the title council decides."""
    return [name for name, item in known_items().items() if item.decided_by == COUNCIL]


def values_of(item: Detail) -> tuple[str, ...]:
    """The values that can be decided."""
    if item.kind is Kind.YES_OR_NO:
        return (YES, NO)
    return (*(choice for choice in item.choices or () if choice), "")


def labelled_values(item: Detail) -> Mapping[str, str]:
    """The values that can be decided with their labels, in plain English."""
    labels = {YES: "Yes", NO: "No"} | dict(item.labelled_choices())
    neutral = "Not known" if "None" in labels.values() else "None"
    return {value: labels.get(value, neutral) for value in values_of(item)}


def neutral_value(item: Detail) -> str:
    """The value of a tournament of which nothing was proposed: it needs no decision."""
    return NO if item.kind is Kind.YES_OR_NO else ""


def decided_value(value: object) -> str:
    """A value of a detail as it is decided."""
    if isinstance(value, bool):
        return YES if value else NO
    return "" if value is None else str(value)
