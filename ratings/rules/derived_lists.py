"""Lists taken from a calculated list: women, age groups, federations. The edition of the rules says which there are."""

from __future__ import annotations

from dataclasses import dataclass

from ratings.rules.columns import Columns, Integers


def gettext_noop(text: str) -> str:
    """Marks a text for translation; pages translate it when they show it."""
    return text


@dataclass(frozen=True, slots=True)
class DerivedList:
    """One special list of art. 6 (R13): who is on it, and what it is called.

    ``name`` is the word of commands and addresses, ``title`` the heading of the page. ``sex`` is ``"W"``
    or empty; ``oldest`` and ``youngest`` are ages as on 31 December of the list's year, ``None`` where
    there is no limit.
    """

    name: str
    title: str
    sex: str = ""
    oldest: int | None = None
    youngest: int | None = None


FEDERATION = "federation:"
"""How the list of one federation is named: ``federation:NED``."""


def birth_years(derived: DerivedList, year: int) -> tuple[int | None, int | None]:
    """The first and the last year of birth on a derived list of that year (R13).

    Ages are as on 31 December of the list's year, the year of its date of application: the juniors
    (up to 19) of 2027 are born in 2008 or later, the veterans (60 and over) in 1967 or earlier.
    ``None`` where there is no limit.
    """
    first = None if derived.oldest is None else year - derived.oldest
    last = None if derived.youngest is None else year - derived.youngest
    return first, last


@dataclass(frozen=True, eq=False)
class FederationColumns(Columns):
    """The ranking of federations: one row a federation.

    ``federation`` is its number as given; ``players`` how many of its players were counted and ``total``
    the sum of their ratings, so that ``total / players`` is the mean exactly; ``mean_e4`` is that mean to
    4 decimals. ``rank`` is 1 + the number of federations with a higher mean; 0 for a federation with too
    few players.
    """

    rank: Integers
    federation: Integers
    players: Integers
    total: Integers
    mean_e4: Integers
