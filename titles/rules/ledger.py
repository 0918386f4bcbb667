"""What a ledger of norms is made of: norms, titles gained, and how the norms are shared out over the titles."""

from __future__ import annotations

from dataclasses import dataclass

from titles.rules.requirement import Requirement


@dataclass(frozen=True, slots=True, order=True)
class LedgerNorm:
    """A norm of one player: the caller's key of its tournament, the title as its place among the titles of the rules,
    its colour, its games.
    """

    tournament: int
    title: int
    colour: str
    games: int


@dataclass(frozen=True, slots=True)
class Award:
    """A title held (its place among the titles of the rules), and whether it was gained through norms or otherwise."""

    title: int
    through_norms: bool


@dataclass(frozen=True, slots=True)
class Share:
    """The norms that serve one title, by tournament, and how many more it asks."""

    title: int
    norms: tuple[LedgerNorm, ...]
    norms_missing: int


@dataclass(frozen=True, slots=True)
class TitleLedger:
    """Where a player stands on the way to one title.

    ``share`` has the norms for it, ``held`` those that serve titles already gained through norms. ``requirements``
    say what the title asks and what was found; it is due when all are met. ``by_rating`` is what it asks without
    norms; empty where no rating gives it.
    """

    title: int
    share: Share
    held: tuple[Share, ...]
    requirements: tuple[Requirement, ...]
    by_rating: tuple[Requirement, ...] = ()

    @property
    def is_due(self) -> bool:
        """Whether norms give the title."""
        return all(each.met for each in self.requirements)
