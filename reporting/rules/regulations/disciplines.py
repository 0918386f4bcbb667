"""What reporting knows of the rating systems: each one registers itself with its disciplines and what it asks for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reporting.rules.report import PointsScale


@dataclass(frozen=True, kw_only=True)
class KnownSystem:
    """A rating system as reports see it.

    `disciplines`: value in reports (at most 3 characters) → label in plain English. `required_details` are names of
    tournament details, of `discipline` and `time_control`, that its reports must have. `points_scale` is the scale of
    points that its regulations fix; None where each tournament has its own. `rating_differences_e2` is its table of
    rating differences, in hundredths, for 0 % to 100 %, empty without one.
    """

    code: str
    name: str
    disciplines: Mapping[str, str]
    required_details: frozenset[str]
    points_scale: PointsScale | None
    rating_differences_e2: Sequence[int] = ()


_systems: dict[str, KnownSystem] = {}


def register_known_system(system: KnownSystem) -> None:
    """Make a rating system and its disciplines known to reports."""
    _systems[system.code] = system


def system_labels() -> Mapping[str, str]:
    """The registered rating systems: code → name, in the order of INSTALLED_APPS."""
    return {system.code: system.name for system in _systems.values()}


def discipline_labels() -> Mapping[str, str]:
    """The registered disciplines: value → label, in the order of INSTALLED_APPS."""
    return {value: label for system in _systems.values() for value, label in system.disciplines.items()}


def known_system(rating_system: str, discipline: str) -> KnownSystem | None:
    """The rating system of a tournament: the named one; where none is named, the first that rates its discipline.

    None where there is no such system.
    """
    if rating_system:
        return _systems.get(rating_system)
    return next((system for system in _systems.values() if discipline in system.disciplines), None)
