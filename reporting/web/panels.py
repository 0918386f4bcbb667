"""Panels: what an upper app shows on a page of a lower one, which does not know that app."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Panel:
    """A template that a page includes, and the `panel` it reads, made from what the page is about.

    `stamp` is what the panel depends on, besides what its page depends on; empty for nothing.
    """

    template: str
    context: Callable[[Any], Mapping[str, Any]]
    stamp: Callable[[], tuple[Hashable, ...]] = tuple


_panels: dict[str, dict[str, Panel]] = {}


def register_panel(place: str, panel: Panel) -> None:
    """Show a panel at a place, the name of a page, below those registered before; each template once."""
    _panels.setdefault(place, {})[panel.template] = panel


def panels_at(place: str, about: Any) -> list[Mapping[str, Any]]:
    """The panels of a place about something, each with its `template`. The queries are those of the panels."""
    return [{"template": panel.template, **panel.context(about)} for panel in _panels.get(place, {}).values()]


def panels_stamp(place: str) -> tuple[Hashable, ...]:
    """What the panels of a place depend on, for a public page. The queries are those of the panels."""
    return tuple(panel.stamp() for panel in _panels.get(place, {}).values())
