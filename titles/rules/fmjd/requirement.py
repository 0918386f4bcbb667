"""What an article asks, what was found, and whether that meets it: codes and values, not sentences.

``titles/labels.py`` has the sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ratings.systems.columns import Flags, Integers

Value = int | str

BLACK: Final = "black"
RED: Final = "red"
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

    ``colour`` is ``red`` or ``black`` where only norms of that colour ask it, else empty.
    """

    article: str
    asks: Statement
    found: Statement
    met: bool
    colour: str = ""


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

    def requirement(self, group: int) -> Requirement | None:
        """The requirement of one group; None where it is not asked."""
        if self.applies is not None and not self.applies[group]:
            return None
        found = Statement(self.code, self._values(self.found, group))
        for detail, unknown in self.missing.items():
            if unknown[group]:
                found = Statement(MISSING, {"detail": detail, **found.values})
                break
        asks = Statement(self.code, self._values(self.asks, group))
        return Requirement(self.article, asks, found, bool(self.met[group]), self.colour)

    def _values(self, columns: Mapping[str, Integers], group: int) -> dict[str, Value]:
        values: dict[str, Value] = {}
        for name, column in columns.items():
            value = int(column[group])
            values[name] = self.words[name][value] if name in self.words else value
        return values
