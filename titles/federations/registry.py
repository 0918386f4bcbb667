"""The rules of titles of this installation. The app of each federation registers its own when Django starts."""

from collections.abc import Sequence
from datetime import date

from django.utils.translation import gettext_lazy

from ratings.federations.registry import MethodLink, register_method_link, register_rulings
from reporting.log.actions import register_values
from reporting.rules.regulations.decisive_places import register_decisive_places
from titles.federations.facet import TitleEdition, TitleRules
from titles.labels import register_texts

_rules: dict[str, TitleRules] = {}
_pages: list[str] = []
_endpoints: list[str] = []


def register_title_rules(rules: TitleRules) -> None:
    """Make the rules of titles of a rating system known for its pools of one tempo.

    Its method pages print their rulings and link to the points of a norm; reports ask for places that decide a title.
    Raises ValueError for a text of a code that has another one.
    """
    _rules[rules.system] = rules
    register_texts(rules.texts)
    labels = rules.texts.words.get("colour", {})
    register_values("colour", [(str(colour), gettext_lazy(label)) for colour, label in labels.items()])
    register_rulings(rules.system, rules.rulings)
    register_decisive_places(rules.system, rules.decisive_places)
    register_method_link(rules.system, MethodLink(gettext_lazy("Points for a norm"), "title-points"))


def all_title_rules() -> Sequence[TitleRules]:
    """The rules of titles of each system, in the order of INSTALLED_APPS."""
    return tuple(_rules.values())


def awarding_systems() -> list[str]:
    """The rating systems whose tournaments bring norms and titles."""
    return sorted(_rules)


def titles_of_norms() -> list[str]:
    """The titles that norms are for, of all systems, each once."""
    return list(dict.fromkeys(title.code for rules in _rules.values() for title in rules.titles))


def colours_of_norms() -> list[str]:
    """The colours of norms, of all systems, each once; of each system the least first."""
    return list(dict.fromkeys(colour for rules in _rules.values() for colour in rules.colours))


def register_pages(addresses: str) -> None:
    """Have pages that only one federation has: the module with their addresses, once."""
    if addresses not in _pages:
        _pages.append(addresses)


def pages_of_federations() -> Sequence[str]:
    """The modules with the addresses of such pages, in the order of INSTALLED_APPS."""
    return tuple(_pages)


def register_endpoints(addresses: str) -> None:
    """Have endpoints that only one federation has: the module with their addresses below `/api/v1/`, once."""
    if addresses not in _endpoints:
        _endpoints.append(addresses)


def endpoints_of_federations() -> Sequence[str]:
    """The modules with the addresses of such endpoints, in the order of INSTALLED_APPS."""
    return tuple(_endpoints)


def rules_of_titles(system: str) -> TitleRules:
    """The rules of titles of one of `awarding_systems`."""
    return _rules[system]


def tempos_with_norms() -> list[tuple[str, str]]:
    """Rating system and tempo of the pools that bring norms; their lists have the rating that a title asks."""
    return sorted((rules.system, rules.tempo) for rules in _rules.values())


def edition_for_pool(system: str, tempo: str, day: date) -> TitleEdition | None:
    """The edition in force on a day for the pools of a rating system and tempo; None where they bring no norms."""
    rules = _rules.get(system)
    return rules.edition_on(day) if rules and rules.tempo == tempo else None
