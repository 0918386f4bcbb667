"""The games of any pool by Annex 9, list after list. `ASSUMPTIONS` (texts.py) says what is assumed."""

from __future__ import annotations

import numpy as np

from ratings.federations.fmjd.rules.calendar import basis_of
from ratings.federations.fmjd.rules.columns import BasisColumns, EventColumns, GameColumns, PlayerColumns
from ratings.federations.fmjd.rules.engine import participations, rate
from ratings.federations.fmjd.rules.parameters import Parameters
from ratings.rules.columns import NEVER, NO_DAY, Integers
from ratings.rules.compared_games import ComparedGames, ComparedPlayers
from ratings.rules.days import day_of_number


def compare(
    parameters: Parameters,
    players: ComparedPlayers,
    lists: Integers,
    games: ComparedGames,
) -> Integers:
    """The ratings of the players on the last list, 0 for none (art. 3.2, 3.3, 5; R3 to R9). See `Comparison`.

    Every game counts 100 % (art. 1.2.2); the games of a tournament that a list counts are one event (art. 5.3). Ratings
    are those of the list in force on the first day of the tournament (art. 5.2), at the earliest the first of `lists`.
    Raises `ValueError` where the engine does.
    """
    full_seconds = max(
        seconds for seconds, percentage in parameters.classical_development if percentage == 100
    )
    days = [day_of_number(day) for day in lists.tolist()]
    ratings = np.zeros((lists.size, len(players)), dtype=np.int64)
    ratings[0], counted = players.rating, players.games.copy()
    limit = parameters.k_reached_rating
    first_2300_day = np.where(players.rating >= limit, NO_DAY, NEVER)
    nothing = np.zeros_like(counted)
    for place in range(1, lists.size):
        of_list = games.rows(np.flatnonzero(games.list == place))
        tournament, first, event = np.unique(of_list.tournament, return_index=True, return_inverse=True)
        first_day = of_list.first_day[first]
        basis = [basis_of(days[:place], day_of_number(day)) for day in first_day.tolist()]
        events = EventColumns(
            tournament=tournament,
            first_day=first_day,
            last_day=of_list.last_day[first],
            number=tournament,
            seconds_for_60_moves=np.full_like(tournament, full_seconds),
            basis=np.array(basis, dtype=np.int64),
        )
        on_list, listed = np.nonzero(ratings[:place])
        taken_part = participations(
            parameters,
            int(lists[place]),
            events,
            GameColumns(
                event=event,
                white=of_list.white,
                black=of_list.black,
                white_points=of_list.white_points,
                black_points=2 - of_list.white_points,
                played=np.ones(len(of_list), dtype=bool),
                day=of_list.day,
            ),
            BasisColumns(on_list, players.player[listed], ratings[on_list, listed]),
        )
        start = PlayerColumns(
            players.player, ratings[place - 1], counted, first_2300_day, nothing + NO_DAY, nothing, nothing
        )
        _, rated = rate(parameters, start, events, taken_part)
        row = np.searchsorted(players.player, rated.player)
        ratings[place, row], counted[row] = rated.rating, rated.games
        reaches = (ratings[place] >= limit) & (first_2300_day == NEVER)
        first_2300_day = np.where(reaches, lists[place], first_2300_day)
    newest: Integers = ratings[-1]
    return newest
