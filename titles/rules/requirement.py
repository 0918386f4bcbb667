"""What an article asks, what was found, and whether that meets it: codes and values, not sentences.

The texts of a federation have the sentences (titles/federations/<code>/texts.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ratings.rules.columns import Flags, Integers

Value = int | str

MISSING: Final = "missing"
"""The code of what was found where a detail is not known; ``detail`` names it."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One side of a requirement: a code of the catalogue and the values of its sentence."""

    code: str
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Requirement:
    """What an article asks of a norm or a title and what was found.

    ``colour`` is that of norms where only these ask it, else empty.
    """

    article: str
    asks: Statement
    found: Statement
    met: bool
    colour: str = ""


NOT_ASKED, IS_MET, IS_UNMET, FIRST_MISSING = range(4)
"""The first figure of a requirement; from ``FIRST_MISSING`` on the place of the missing detail is added."""


@dataclass(frozen=True, slots=True)
class RequirementLayout:
    """What the figures of a requirement mean: its state, then the values that it asks, then those found.

    ``asks`` and ``found`` have the names of the values, ``details`` those of the details that can be missing;
    ``words`` turns values that are codes into words, by name.
    """

    code: str
    article: str
    colour: str
    asks: Sequence[str]
    found: Sequence[str]
    details: Sequence[str]
    words: Mapping[str, Sequence[str]]

    @property
    def width(self) -> int:
        """The number of figures."""
        return 1 + len(self.asks) + len(self.found)

    def requirement(self, figures: Sequence[int]) -> Requirement | None:
        """The requirement that was stored as these figures; None where it was not asked."""
        state, asked, found = figures[0], figures[1 : 1 + len(self.asks)], figures[1 + len(self.asks) :]
        if state == NOT_ASKED:
            return None
        values = self._values(self.found, found)
        if state >= FIRST_MISSING:
            shown = Statement(MISSING, {"detail": self.details[state - FIRST_MISSING], **values})
        else:
            shown = Statement(self.code, values)
        asks = Statement(self.code, self._values(self.asks, asked))
        return Requirement(self.article, asks, shown, state == IS_MET, self.colour)

    def _values(self, names: Sequence[str], figures: Sequence[int]) -> dict[str, Value]:
        return {
            name: self.words[name][figure] if name in self.words else figure
            for name, figure in zip(names, figures, strict=True)
        }


def requirements_of_figures(
    layouts: Sequence[RequirementLayout], figures: Sequence[int]
) -> tuple[Requirement, ...]:
    """The requirements that are asked, from the figures of ``figures_of`` (art. 3 and 4)."""
    found, at = [], 0
    for layout in layouts:
        row = layout.requirement(figures[at : at + layout.width])
        at += layout.width
        if row is not None:
            found.append(row)
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Condition:
    """One requirement of all groups at once.

    ``asks`` and ``found`` are columns by the names of the values, which ``words`` turns from codes into
    words. ``applies`` says which groups it is asked of (none given: all). ``missing`` has, by the name of a
    detail, the groups for which it is not known: they do not meet the condition.
    """

    code: str
    article: str
    met: Flags
    asks: Mapping[str, Integers] = field(default_factory=dict)
    found: Mapping[str, Integers] = field(default_factory=dict)
    applies: Flags | None = None
    missing: Mapping[str, Flags] = field(default_factory=dict)
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    colour: str = ""

    def __post_init__(self) -> None:
        met = self.met
        for unknown in self.missing.values():
            met = met & ~unknown
        object.__setattr__(self, "met", met)

    @property
    def unmet(self) -> Flags:
        """Where it is asked and not met."""
        return ~self.met if self.applies is None else self.applies & ~self.met

    @property
    def met_or_not_asked(self) -> Flags:
        """Where it does not prevent anything."""
        return ~self.unmet

    @property
    def layout(self) -> RequirementLayout:
        """What its figures mean."""
        return RequirementLayout(
            self.code,
            self.article,
            self.colour,
            tuple(self.asks),
            tuple(self.found),
            tuple(self.missing),
            {name: tuple(words) for name, words in self.words.items()},
        )

    def figures(self, groups: Integers) -> Integers:
        """The figures of each of these groups, a row a group; only zeros where it is not asked."""
        state = np.where(self.met[groups], IS_MET, IS_UNMET)
        for place, unknown in reversed(list(enumerate(self.missing.values()))):
            state = np.where(unknown[groups], FIRST_MISSING + place, state)
        columns = (column[groups] for column in (*self.asks.values(), *self.found.values()))
        figures = np.stack([state, *columns], axis=1).astype(np.int64, copy=False)
        if self.applies is not None:
            figures[~self.applies[groups]] = 0
        return figures

    def requirement(self, group: int) -> Requirement | None:
        """The requirement of one group; None where it is not asked."""
        return self.requirements(np.array([group]))[0]

    def requirements(self, groups: Integers) -> list[Requirement | None]:
        """The requirements of these groups; None where it is not asked."""
        layout = self.layout
        return [layout.requirement(figures) for figures in self.figures(groups).tolist()]


def layouts_of(conditions: Sequence[Condition]) -> tuple[RequirementLayout, ...]:
    """What the figures of ``figures_of`` mean (art. 3 and 4)."""
    return tuple(each.layout for each in conditions)


def figures_of(conditions: Sequence[Condition], groups: Integers) -> Integers:
    """What the conditions ask of each of these groups and what was found, as numbers, a row a group (art. 3, 4)."""
    return np.concatenate([each.figures(groups) for each in conditions], axis=1)


def requirements_of_group(conditions: Sequence[Condition], group: int) -> tuple[Requirement, ...]:
    """What the conditions ask of one group, without those that are not asked (art. 3 and 4)."""
    rows = (each.requirement(group) for each in conditions)
    return tuple(row for row in rows if row is not None)
