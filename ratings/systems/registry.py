"""The rating systems of this installation. The app of each system registers it when Django starts."""

from django.utils.translation import gettext_lazy

from ratings.systems.protocol import RatingSystem
from reporting.log.actions import register_values
from reporting.regulations import register_editions
from reporting.rules.disciplines import register_disciplines

_systems: dict[str, RatingSystem] = {}


def register_system(system: RatingSystem) -> None:
    """Make a rating system known under its code, which its pools and lists name.

    Reports may name its disciplines, and are in time by its editions.
    """
    _systems[system.code] = system
    register_disciplines(system.disciplines)
    register_editions(system.disciplines, system.rules_on, system.finding_articles)
    register_values("kind", [(kind, gettext_lazy(label)) for kind, label in system.anomaly_kinds.items()])


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
