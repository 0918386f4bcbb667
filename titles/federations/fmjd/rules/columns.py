"""What the engine of Annex 10 is given: columns, one array a field, for all tournaments of a period at once.

A code is the place of a word in one of the tuples here; ``UNKNOWN`` where the detail is not known. The words
are those of the tournament details. A rating of 0 means "no rating", a federation of 0 "not known".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from ratings.rules.columns import Columns, Flags, Integers

UNKNOWN: Final = -1

SYSTEMS: Final = ("swiss", "round-robin", "teams", "other")
COMPETITIONS: Final = (
    "",
    "world-championship",
    "european-championship",
    "african-championship",
    "asian-championship",
    "american-championship",
    "world-cup",
)
CHAMPIONSHIPS: Final = ("no", "qualification", "final")
"""National championship: only its final is one here (R30b)."""
AGES: Final = ("", "under-23", "juniors", "cadets", "mini-cadets", "hopes", "young-stars")
REFEREES: Final = ("none", "national", "international", "fmjd")
"""Levels of the main referee (art. 4.4.1.5)."""

SEXES: Final = ("", "M", "W")
SEX_UNKNOWN, MAN, WOMAN = range(3)

LEVELS: Final = ("", "CMF", "MF", "MI", "GMI")
NO_TITLE, CMF, MF, MI, GMI = range(5)
TITLES: Final = ("CMF", "MF", "MI", "GMI", "CMFF", "MFF", "MIF", "GMIF")
"""The titles of the preamble: open ones, then women's. In 64 squares they are the same, with their own
norms.
"""

OPEN_LADDER: Final = ""
WOMEN_LADDER: Final = "women"
"""The ladders of titles as the register names them: a woman holds a title of each (R33)."""

BLACK: Final = "black"
RED: Final = "red"
COLOURS: Final = (BLACK, RED)
"""The colours of norms (art. 4.4): a red norm meets what a black one asks too."""

CATEGORIES: Final = (
    "", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII",
    "XVIII", "XIX",
)  # fmt: skip
"""The categories of table X-2, from 1 on."""


def code_of(words: Sequence[str], word: str) -> int:
    """The code of a word of the tournament details; ``UNKNOWN`` for another: it is asked for (R30c)."""
    return words.index(word) if word in words else UNKNOWN


def title_code(level: int, women: bool) -> int:
    """The place of a title in ``TITLES`` (preamble)."""
    return level - 1 + (len(LEVELS) - 1) * women


Title = TypeVar("Title", int, Integers)


def title_level(title: Title) -> Title:
    """The level of a title of ``TITLES``: 1 for CMF and CMFF to 4 for GMI and GMIF (preamble)."""
    return title % (len(LEVELS) - 1) + 1


def is_women_title(title: int) -> bool:
    """Whether a title of ``TITLES`` is one of the women's titles, F (preamble)."""
    return title >= len(LEVELS) - 1


@dataclass(frozen=True, eq=False)
class TournamentColumns(Columns):
    """One row per tournament; other tables name a tournament by its row here.

    ``tournament`` is the caller's number; ``discipline`` 100 or 64. ``federation`` is that of the organiser;
    ``first_day`` and ``last_day`` are ``NO_DAY`` where unknown; ``rounds`` is the number of rounds.
    ``development`` is the percentage of classical games (Annex 9 art. 1.2.2.1; 0: rapid or blitz).
    ``system``, ``competition``, ``championship``, ``age`` and ``referee`` are codes; all may be ``UNKNOWN``.
    ``official``: the report calls it a competition of FMJD or of a confederation. ``announced``: 14 days
    before, or exempt, or admitted; ``in_time``: reported in time, or admitted late (R30d, R11).
    ``council_approved``: art. 4.2.8.
    """

    tournament: Integers
    discipline: Integers
    federation: Integers
    first_day: Integers
    last_day: Integers
    rounds: Integers
    development: Integers
    system: Integers
    competition: Integers
    championship: Integers
    age: Integers
    referee: Integers
    official: Flags
    women_only: Flags
    veterans: Flags
    announced: Flags
    in_time: Flags
    council_approved: Flags


@dataclass(frozen=True, eq=False)
class RoundColumns(Columns):
    """One row per round whose day is known (art. 4.2.6, R30c)."""

    tournament: Integers
    round: Integers
    day: Integers


@dataclass(frozen=True, eq=False)
class ParticipationColumns(Columns):
    """One row per player and tournament; games name a player by the row here.

    ``sex`` is a code of ``SEXES``; ``title`` and ``women_title`` are the levels (``LEVELS``) of the open and
    of the women's title of the discipline, held on the day of the first round; ``rating`` is that of the list in
    force that day (R8); ``place`` the final place, shared by players with the same number where art. 5.11
    leaves it open, 0 for a player who is not classified. ``over_age``: over the age of a youth tournament, and not
    admitted by the office (Annex 2 art. 3f; R73a).
    """

    tournament: Integers
    player: Integers
    federation: Integers
    sex: Integers
    title: Integers
    women_title: Integers
    rating: Integers
    place: Integers
    over_age: Flags


@dataclass(frozen=True, eq=False)
class GameColumns(Columns):
    """One row per game.

    ``white`` and ``black`` are rows of ``ParticipationColumns``, -1 for a pause; points are 2-1-0. ``played``
    is false for regulatory results, pauses and games not played (art. 4.5.8, R31).
    """

    round: Integers
    white: Integers
    black: Integers
    white_points: Integers
    black_points: Integers
    played: Flags
