"""The rating systems of this installation. The app of each system registers it when Django starts."""

from ratings.systems.protocol import RatingSystem
from reporting.regulations import register_editions
from reporting.rules.disciplines import register_disciplines
from reporting.rules.registers import add_register

_systems: dict[str, RatingSystem] = {}


def register_system(system: RatingSystem) -> None:
    """Make a rating system known under its code, which its pools and lists name.

    Reports may name its disciplines and the numbers of its register, and are in time by its editions.
    """
    _systems[system.code] = system
    register_disciplines(system.disciplines)
    add_register(system.register, system.disciplines)
    register_editions(system.disciplines, system.rules_on)


def rating_system(code: str) -> RatingSystem:
    """The rating system of this code. Raises LookupError where no app registered it."""
    if code not in _systems:
        raise LookupError(f"No rating system {code!r} is registered: its app is missing in INSTALLED_APPS.")
    return _systems[code]


def rating_systems() -> tuple[RatingSystem, ...]:
    """All rating systems, in the order of INSTALLED_APPS."""
    return tuple(_systems.values())


def system_of_discipline(discipline: str) -> RatingSystem:
    """The rating system that rates tournaments of a discipline. Raises LookupError where there is none."""
    for system in _systems.values():
        if discipline in system.disciplines:
            return system
    raise LookupError(f"No rating system rates the discipline {discipline!r}.")
