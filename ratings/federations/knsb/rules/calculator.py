"""The games of one player in one tempo, calculated by the engine from ratings and results alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from ratings.federations.knsb.rules.columns import LIMITS, SOURCES
from ratings.federations.knsb.rules.engine import calculate
from ratings.federations.knsb.rules.engine_input import (
    EventColumns,
    GameColumns,
    KnsbColumns,
    ListRead,
    PlayerColumns,
    RatingColumns,
)
from ratings.federations.knsb.rules.explain import ExplainedGame, ExplainedList
from ratings.federations.knsb.rules.parameters import TEMPOS, KnsbRules
from ratings.rules.columns import NO_DAY
from ratings.rules.days import day_number, months_before

PLAYER = 1
"""The id of the player; the opponents have those that follow."""


@dataclass(frozen=True, slots=True)
class CalculatedList:
    """The row and the games of the player as the engine gives them."""

    row: ExplainedList
    games: Sequence[ExplainedGame]


def calculate_games(
    rules: KnsbRules,
    *,
    in_force: date,
    rating: int,
    n_v: int,
    birth_year: int,
    results: Sequence[tuple[int, int]],
    tempo: str = TEMPOS[0],
    youth: Collection[int] = (),
) -> CalculatedList | None:
    """The only games of a list for one player; None without a counted one (art. 3 to 9; R80 to R82a).

    `rating` and `n_v` are those of the list a month before; 0 for none: then the games give a start rating (art. 5.1 b)
    as if they were enough for a first publication (art. 11.2). `results` are pairs of an opponent's rating (0: none)
    and the player's points, 2, 1 or 0. Opponents are adults of the list; those of the games with a number in `youth`,
    from 1, are youth players with the most games at which k is halved. `birth_year` is 0 where it is not known.
    """
    columns = _columns(
        rules,
        in_force,
        own=(rating, n_v, birth_year),
        results=results,
        tempo=tempo,
        youth=youth,
    )
    calculated = calculate(rules, columns)
    rows, changes = calculated.rows, calculated.changes
    if not len(changes):
        return None
    limit = int(rows.limit[0])
    row = ExplainedList(
        rating=int(rows.rating[0]),
        r_i=int(rows.r_i[0]),
        r_i_from="" if rating else SOURCES[rows.r_i_from[0]],
        sum_e10=int(rows.sum_e10[0]),
        lpr_e3=int(rows.lpr_e3[0]),
        bonus_e4=int(rows.bonus_e4[0]),
        limited_by=" ".join(article for bit, article in enumerate(LIMITS) if limit >> bit & 1),
    )
    games = [
        ExplainedGame(
            own_rating=int(changes.own[place]),
            own_from="" if rating else SOURCES[changes.own_from[place]],
            opponent_rating=int(changes.opponent_rating[place]),
            n_v_e4=int(changes.n_v_e4[place]),
            k_e6=int(changes.k_e6[place]),
            expected_e10=int(changes.expected_e10[place]),
            points=int(changes.points[place]),
            added_e10=int(changes.added_e10[place]),
        )
        for place in range(len(changes))
    ]
    return CalculatedList(row, games)


def _columns(
    rules: KnsbRules,
    in_force: date,
    *,
    own: tuple[int, int, int],
    results: Sequence[tuple[int, int]],
    tempo: str,
    youth: Collection[int],
) -> KnsbColumns:
    """What the engine reads: one list before, one tournament on its last day. `own` are rating, N_v and birth year."""
    rating, n_v, birth_year = own
    previous, day = day_number(months_before(in_force, 1)), day_number(in_force) - 1
    ratings = np.array([rating, *(opponent for opponent, _ in results)], dtype=np.int64)
    ids = np.arange(PLAYER, PLAYER + ratings.size)
    nothing = np.zeros_like(ids)
    is_player = ids == PLAYER
    is_youth = np.isin(ids - PLAYER, list(youth))
    youngest = in_force.year - rules.youth_age
    players = PlayerColumns(
        player=ids,
        register_number=is_player.astype(np.int64),
        fide_number=nothing,
        birth_year=np.where(is_player, birth_year, np.where(is_youth, youngest, 0)),
        is_foreign=nothing > 0,
        was_published=ratings > 0,
        previous=ratings,
        last_known_list=nothing - 1,
        last_known_rating=nothing,
        games_elsewhere=np.full_like(ids, rules.publication_games),
        title=nothing,
    )
    rated = np.flatnonzero(ratings)
    on_list = nothing[rated]
    listed = RatingColumns(
        on_list,
        ids[rated],
        ratings[rated],
        np.where(is_player, n_v, np.where(is_youth, rules.halving_n_v - 1, rules.largest_n_v))[rated],
        on_list,
        on_list,
        on_list + NO_DAY,
    )
    events = EventColumns(*np.array([[1], [1], [1], [day], [day], [day + 1]]), *np.zeros((3, 1), dtype=bool))
    points = np.array([own for _, own in results], dtype=np.int64)
    number = np.arange(1, points.size + 1)
    one = np.ones_like(points)
    games = GameColumns(number, one - 1, one, number, one * PLAYER, ids[1:], points, one * NO_DAY, one * day)
    return KnsbColumns(
        tempo=TEMPOS.index(tempo),
        in_force=day + 1,
        previous_day=previous,
        players=players,
        memberships=None,
        lists=(ListRead(TEMPOS.index(tempo), previous, ""),),
        ratings=listed,
        events=events,
        games=games,
    )
