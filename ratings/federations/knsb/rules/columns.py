"""The columns of KNSB lists and changes, as the engine calculates them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ratings.rules.columns import Columns, Integers, ListColumns, Words

SOURCES: Final = (
    "",
    "knsb-klassiek",
    "knsb-rapid",
    "knsb-blitz",
    "fide-klassiek",
    "fide-rapid",
    "fide-blitz",
    "5.1a",
    "5.1b",
    "6.1b",
    "6.3",
)
"""Where a rating comes from: lists by pool and FIDE's kind, start ratings, last known rating, performance (TLPR)."""

KINDS: Final = SOURCES[1:7]
"""The kinds of lists that ratings are read from."""


@dataclass(frozen=True, eq=False)
class KnsbChangeColumns(Columns):
    """One row a counted game of a player with a row, by player and sequence.

    The sequence is that of calculation date, tournament number, part, round and line. `black` is 1 or 0; `points` 2, 1
    or 0. `own_from` and `opponent_from` are places in `SOURCES`, `own_list` and `opponent_list` places in `lists`, the
    addresses of the lists read after an empty word for none. `n_v_e4` is times 10⁴, `k_e6` times 10⁶, `expected_e10`
    and `added_e10` times 10¹⁰ (R80, R81h). `waited` is 1 for a game of an earlier report (R81b).
    """

    player: Integers
    sequence: Integers
    tournament: Integers
    game: Integers
    opponent: Integers
    black: Integers
    games: Integers
    points: Integers
    first_day: Integers
    last_day: Integers
    calculation_day: Integers
    own: Integers
    own_from: Integers
    own_list: Integers
    opponent_rating: Integers
    opponent_from: Integers
    opponent_list: Integers
    n_v_e4: Integers
    k_e6: Integers
    expected_e10: Integers
    added_e10: Integers
    waited: Integers
    lists: Words


LIMITS: Final = ("9.2.1", "9.2.2", "9.1", "2")
"""The articles that can change a figure, in their order; a row has the sum of 1, 2, 4, 8 of those that did."""


@dataclass(frozen=True, eq=False)
class KnsbListColumns(ListColumns):
    """A row of a list.

    `n_v` is that of the new list (R81g, R84), `r_i` R_i (without a counted game the rating of the list before, R82b; 0
    on an opening list), `r_i_from` its place in `SOURCES`, `r_i_list` its place in `lists`, which has an empty word for
    none. `sum_e10` is R_tt times 10¹⁰, `lpr_e3` the LPR times 10³; both without meaning where `period_games` is 0.
    `bonus_e4` are the points added by 9.1 times 10⁴. `limit` is the sum of the bits of `LIMITS`. `title` is the place
    among the titles of FIDE (declaration.py). `club` is the number of the club on the day of the list, 0 for none.
    """

    n_v: Integers
    r_i: Integers
    r_i_from: Integers
    r_i_list: Integers
    sum_e10: Integers
    bonus_e4: Integers
    lpr_e3: Integers
    limit: Integers
    title: Integers
    club: Integers
    lists: Words


@dataclass(frozen=True, eq=False)
class KnsbHeldColumns(Columns):
    """A row that is kept and not published: published before, left out for membership alone (R84b)."""

    player: Integers
    register_number: Integers
    rating: Integers
    games: Integers
    last_game_day: Integers
    n_v: Integers
