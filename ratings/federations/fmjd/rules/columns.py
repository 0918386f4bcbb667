"""What the engine of Annex 9 is given and what it gives back: columns, one array a field.

0 means "no rating".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ratings.rules.columns import Columns, Flags, Integers

PROVISIONAL: Final = 0
CHANGE: Final = 1
METHODS: Final = ("provisional", "change")
"""The words of ``ChangeColumns.method``: a provisional performance (art. 3.3.2) or ΔR (art. 3.2.2)."""


@dataclass(frozen=True, eq=False)
class EventColumns(Columns):
    """One row per tournament of the period; other tables name an event by its row here.

    A session has one row per time control of its games in the pool (R25): the same tournament with other seconds.
    ``number`` is the one R5 falls back on when last days are equal; ``seconds_for_60_moves`` follows R6;
    ``basis`` is the number of the list whose ratings are used (R8), as in ``BasisColumns.basis``.
    """

    tournament: Integers
    first_day: Integers
    last_day: Integers
    number: Integers
    seconds_for_60_moves: Integers
    basis: Integers


@dataclass(frozen=True, eq=False)
class GameColumns(Columns):
    """One row per line of results.

    ``event`` is a row of ``EventColumns``; ``white`` and ``black`` are player ids, 0 for a pause; ``day``
    is the day of its round where known, else the tournament's last day (R12). ``played`` is false for
    forfeits, pauses and games not played: they count for no player (art. 5.3, R8).
    """

    event: Integers
    white: Integers
    black: Integers
    white_points: Integers
    black_points: Integers
    played: Flags
    day: Integers


@dataclass(frozen=True, eq=False)
class BasisColumns(Columns):
    """One row per rating on a list that some event of the period uses (art. 5.2, R8)."""

    basis: Integers
    player: Integers
    rating: Integers


@dataclass(frozen=True, eq=False)
class PlayerColumns(Columns):
    """One row per player who is on the previous list or has a game, rising by player id.

    ``rating`` is the whole number on the previous list (0: not on it); ``games`` the counted games in all
    before this period; ``first_2300_day`` the day the first list of the pool that showed 2300 or more
    came into force (``NEVER``); ``last_game_day`` the last counted game before (``NO_DAY``);
    ``games_3_years`` the counted games of earlier lists within 3 years of *this* closing date. For these
    three, of each list one revision counts, the newest (R5a).
    ``carried`` are the points put to that rating before anything of the period is added: by corrections of
    earlier lists, and where records of one person were merged or are two again (R24); where they take the
    whole rating away the player starts without one.
    """

    player: Integers
    rating: Integers
    games: Integers
    first_2300_day: Integers
    last_game_day: Integers
    games_3_years: Integers
    carried: Integers

    @property
    def start(self) -> Integers:
        """The whole rating a player's period starts from (R9); 0: none."""
        return self.rating + self.carried


@dataclass(frozen=True, eq=False)
class ParticipationColumns(Columns):
    """One row per player and event with at least one game played, rising by player and event.

    ``own`` is the rating on the event's basis list (0: not on it). ``games``, ``opponents_sum`` and
    ``points`` (W) are of counted games: played, against an opponent on that list (R8).
    ``unrated_games`` were played against others. ``first_day`` and ``last_day`` are of counted games
    (``NO_DAY`` without one); ``games_in_3_years`` are the counted games within 3 years of closing (R12).
    """

    player: Integers
    event: Integers
    own: Integers
    games: Integers
    opponents_sum: Integers
    points: Integers
    unrated_games: Integers
    first_day: Integers
    last_day: Integers
    games_in_3_years: Integers


@dataclass(frozen=True, eq=False)
class ChangeColumns(Columns):
    """One row per player and event with a counted game, in the order player, then R5's order.

    ``method`` is ``PROVISIONAL`` or ``CHANGE``; ``sequence`` counts a player's events from 0.
    ``own_e4`` is the rating used: the list's (R8), or the running value where ``own_is_running`` says so
    (of a provisional player, and of one who is not on the event's basis list); 0 for a first result.
    ``average_e4`` is Rc. ``expected_percentage_e4``, ``expected_score_e4``, ``k``, ``development`` and
    ``delta_e4`` belong to ``CHANGE`` and are 0 otherwise. ``performance_e4`` is within R4's limits when
    provisional (``performance_limited`` says whether they moved it) and without limits otherwise.
    ``before_e4`` and ``after_e4`` are the running value around the event (0: none before);
    ``games_before`` the counted games before it.
    """

    player: Integers
    event: Integers
    sequence: Integers
    method: Integers
    own_e4: Integers
    own_is_running: Flags
    games: Integers
    opponents_sum: Integers
    average_e4: Integers
    points: Integers
    expected_percentage_e4: Integers
    expected_score_e4: Integers
    k: Integers
    development: Integers
    delta_e4: Integers
    performance_e4: Integers
    performance_limited: Flags
    games_before: Integers
    unrated_games: Integers
    before_e4: Integers
    after_e4: Integers
    first_day: Integers
    last_day: Integers


@dataclass(frozen=True, eq=False)
class StoredChangeColumns(ChangeColumns):
    """The changes as they are stored: with the tournament of each, and the list its ratings come from (R8).

    ``seconds_for_60_moves`` is 0 but for the games of a session (R25).
    """

    tournament: Integers
    basis: Integers
    seconds_for_60_moves: Integers


@dataclass(frozen=True, eq=False)
class RatedColumns(Columns):
    """One row per player with a rating after the period, rising by player id.

    ``rating`` is the whole number published (R9); ``previous`` that of the previous list (0: new);
    ``change`` their difference (0 and without meaning when new); ``period_games`` and ``games`` the
    counted games of the period and of all; ``games_3_years`` and ``last_game_day`` as R12 counts them;
    ``reached_2300`` whether any list of the pool, this one included, showed 2300 or more (R5, R5a).
    """

    player: Integers
    rating: Integers
    previous: Integers
    change: Integers
    period_games: Integers
    games: Integers
    games_3_years: Integers
    last_game_day: Integers
    reached_2300: Flags
