"""Which pools have rules of titles: the tempo in which a rating system's tournaments bring norms, and the editions."""

from collections.abc import Sequence
from datetime import date

from titles.federations.fmjd.rules.parameters import Parameters, edition_in_force

_editions: dict[tuple[str, str], Sequence[Parameters]] = {}


def register_title_rules(system: str, tempo: str, editions: Sequence[Parameters]) -> None:
    """Make the rules of titles of a rating system known for its pools of one tempo."""
    _editions[system, tempo] = editions


def awarding_systems() -> list[str]:
    """The rating systems whose tournaments bring norms and titles."""
    return sorted({system for system, _ in _editions})


def tempos_with_norms() -> list[tuple[str, str]]:
    """Rating system and tempo of the pools that bring norms; their lists have the rating that a title asks."""
    return sorted(_editions)


def edition_of_titles(system: str, day: date) -> Parameters:
    """The edition in force on a day for the titles of one of `awarding_systems`."""
    return next(edition_in_force(day, editions) for (of, _), editions in _editions.items() if of == system)


def title_rules(system: str, tempo: str, day: date) -> Parameters | None:
    """The edition in force on a day for the pools of a rating system and tempo; None where they bring no norms."""
    editions = _editions.get((system, tempo))
    return edition_in_force(day, editions) if editions else None
