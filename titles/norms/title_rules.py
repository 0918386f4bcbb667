"""Which pools have rules of titles: the tempo in which a rating system's tournaments bring norms, and the editions."""

from collections.abc import Sequence
from datetime import date

from titles.rules.fmjd.parameters import Parameters, edition_in_force

_editions: dict[tuple[str, str], Sequence[Parameters]] = {}


def register_title_rules(system: str, tempo: str, editions: Sequence[Parameters]) -> None:
    """Make the rules of titles of a rating system known for its pools of one tempo."""
    _editions[system, tempo] = editions


def title_rules(system: str, tempo: str, day: date) -> Parameters | None:
    """The edition in force on a day for the pools of a rating system and tempo; None where they bring no norms."""
    editions = _editions.get((system, tempo))
    return edition_in_force(day, editions) if editions else None
