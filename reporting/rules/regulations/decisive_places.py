"""Places on which a title depends: the rules of titles of a rating system register them (R52)."""

from collections.abc import Callable

from reporting.federations.registry import known_rules
from reporting.rules.details.tournament_details import TournamentDetails

_of_system: dict[str, Callable[[TournamentDetails, int], frozenset[int]]] = {}


def register_decisive_places(system: str, places: Callable[[TournamentDetails, int], frozenset[int]]) -> None:
    """Make the places known that decide in tournaments of a rating system, by details and participants."""
    _of_system[system] = places


def decisive_places(details: TournamentDetails, participants: int) -> frozenset[int]:
    """The places n that bring a player more than place n + 1 does, a title or a norm (R52); empty without rules."""
    rules = known_rules(details.rating_system, details.discipline)
    places = _of_system.get(rules.system) if rules else None
    return places(details, participants) if places else frozenset()
