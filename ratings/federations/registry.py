"""The rating systems of this installation. The app of each system registers it when Django starts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from ratings.federations.facet import Edition, RatingSystem
from ratings.rules.values import RuleText
from reporting.federations.registry import known_rules, report_rules
from reporting.log.actions import register_values
from reporting.rules.regulations.rulings import Ruling


class MethodLink(NamedTuple):
    """A page of an upper app that the method pages of a system link to: its label, and the name of its address,
    which takes the code of the system."""

    label: Promise
    page: str


class MoreRulings(NamedTuple):
    """Rulings that go with those of a system, on other articles: of reports and tie-breaks, of titles.

    An article that is not of the system's own regulations is written with their name.
    """

    heading: Promise
    rulings: tuple[Ruling, ...]


class MethodSection(NamedTuple):
    """A section of a method page that the system's app adds: its template, and what that needs."""

    template: str
    context: Callable[[], Mapping[str, object]]


SitemapLocations = Callable[[], Sequence[tuple[str, datetime | None]]]
"""Gives the addresses of pages, each with its last publication."""

_systems: dict[str, RatingSystem] = {}
_method_links: dict[str, list[MethodLink]] = {}
_more_rulings: dict[str, list[MoreRulings]] = {}
_method_sections: dict[str, MethodSection] = {}
_sitemap_pages: dict[str, None] = {}
_sitemap_parts: dict[str, SitemapLocations] = {}


def register_system(system: RatingSystem) -> None:
    """Make a rating system known under its code, which its pools and lists name."""
    _systems[system.code] = system
    kinds = system.explanation.anomaly_kinds
    register_values("kind", [(kind, gettext_lazy(label)) for kind, label in kinds.items()])


def register_method_link(system: str, link: MethodLink) -> None:
    """Have the method pages of a rating system link to a page of an upper app; once each."""
    registered = _method_links.setdefault(system, [])
    if link not in registered:
        registered.append(link)


def method_links(system: str) -> Sequence[MethodLink]:
    """The registered pages, in the order of registration."""
    return tuple(_method_links.get(system, ()))


def register_sitemap_pages(*pages: str) -> None:
    """Have the sitemap name pages of an upper app that every reader can open: names of addresses; once each."""
    _sitemap_pages.update(dict.fromkeys(pages))


def sitemap_pages() -> Sequence[str]:
    """The registered pages, in the order of registration."""
    return tuple(_sitemap_pages)


def register_sitemap_part(kind: str, locations: SitemapLocations) -> None:
    """Have the sitemap a part of its own for pages of an upper app that come with publications."""
    _sitemap_parts[kind] = locations


def registered_sitemap_parts() -> Mapping[str, SitemapLocations]:
    """The registered parts, in the order of registration."""
    return _sitemap_parts


def register_method_section(system: str, section: MethodSection) -> None:
    """Have the method page of a rating system show a section after its worked examples."""
    _method_sections[system] = section


def method_section(system: str) -> MethodSection | None:
    """The registered section, None without one."""
    return _method_sections.get(system)


def register_rulings(system: str, more: MoreRulings) -> None:
    """Have the method page and the API of a rating system print more rulings after its own; once each."""
    registered = _more_rulings.setdefault(system, [])
    if more not in registered:
        registered.append(more)


def more_rulings(system: str) -> Sequence[MoreRulings]:
    """The rulings on reports of a system, then those that upper apps registered, in the order of registration."""
    rulings = report_rules(system).rulings
    heading = gettext_lazy("Rulings on reports and tie-breaks")
    of_reports = [MoreRulings(heading, rulings)] if rulings else []
    return (*of_reports, *_more_rulings.get(system, ()))


def rating_system(code: str) -> RatingSystem:
    """The rating system of this code. Raises LookupError where no app registered it."""
    if code not in _systems:
        raise LookupError(f"No rating system {code!r} is registered: its app is missing in INSTALLED_APPS.")
    return _systems[code]


def rating_systems() -> tuple[RatingSystem, ...]:
    """All rating systems, in the order of INSTALLED_APPS."""
    return tuple(_systems.values())


def edition_in_force(system: RatingSystem, day: date) -> Edition:
    """The edition of a system in force on a day: the newest that began on or before it; before the first, the first."""
    begun = (edition for edition in system.editions if edition.in_force_from <= day)
    return max(begun, key=lambda edition: edition.in_force_from, default=system.editions[0])


def rule_texts(system: RatingSystem, rules: Edition, code: str, **values: object) -> list[RuleText]:
    """The text that a system has for a code, with the numbers of an edition; none where it has none."""
    found = system.explanation.texts.get(code)
    return [replace(found, text=gettext(found.text) % {**rules.numbers, **values})] if found else []


def system_of_games(rating_system_code: str, discipline: str) -> RatingSystem:
    """The rating system of a tournament: the named one, else the first that rates its discipline.

    Raises LookupError where there is none.
    """
    known = known_rules(rating_system_code, discipline)
    if known is None:
        raise LookupError(f"No rating system {rating_system_code!r} rates the discipline {discipline!r}.")
    return rating_system(known.system)
