"""The columns of ICCF lists and changes, as the engine calculates them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ratings.rules.columns import Columns, Integers, ListColumns, Words

METHODS: Final = ("", "5-all", "5-period", "6")
"""Formula 5 over all games ever (items 14, 15) or over those of the period (item 16), or formula 6."""

FROM: Final = ("list", "assumed")
"""Whether a rating is that of the list in force on the day the game began, or the assumed one (items 8, 11)."""

STATUSES: Final = ("not fixed", "fixed")
"""Whether a rating rests on enough games to be fixed (items 6, 15, 16)."""

SUBSTITUTES: Final = ("", "substitute", "replaced")
"""Whether a game counts for the substitute who finished it, or for the player replaced (item 18 a)."""


@dataclass(frozen=True, eq=False)
class IccfChangeColumns(Columns):
    """One row a counted game of a player, by player and sequence (tournament number, part, round, line).

    `black` is 1 or 0; `points` 2, 1 or 0. `first_day` is the day the game began, `last_day` that of its result. `own`
    and `opponent_rating` are as in force on the first day, `own_list` and `opponent_list` places in `lists`, 0 for an
    assumed rating; `opponent` is whom the game is counted against (item 18 b). `method`, `substitute` and both `_from`
    are places in their words. Of formula 6 alone: `k_e6` is k = r · g times 10⁶, `expected_e2` We times 100, `added_e8`
    k · (W − We) times 10⁸, all exact; 0 by formula 5.
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
    own: Integers
    own_from: Integers
    own_list: Integers
    opponent_rating: Integers
    opponent_from: Integers
    opponent_list: Integers
    method: Integers
    k_e6: Integers
    expected_e2: Integers
    added_e8: Integers
    substitute: Integers
    lists: Words


@dataclass(frozen=True, eq=False)
class IccfListColumns(ListColumns):
    """A row of a list.

    `method` is that of the rating, 0 without games in the period; `k_e6` is k times 10⁶, 0 without games and for
    formula 5 over all games. `status` is a place in `STATUSES`, by the games after the list. Of a rating by formula 5
    `formula_games`, `opponents_sum` and `points_sum` are the number of its games, the sum of the limited ratings of the
    opponents, and the points in halves (Rc, p, D and F follow from them); 0 else.
    """

    method: Integers
    k_e6: Integers
    status: Integers
    formula_games: Integers
    opponents_sum: Integers
    points_sum: Integers
