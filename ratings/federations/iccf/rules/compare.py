"""The games of any pool by the rules of the ICCF, list after list. `ASSUMPTIONS` (texts.py) says what is assumed."""

from __future__ import annotations

import numpy as np

from ratings.federations.iccf.rules.engine import calculate
from ratings.federations.iccf.rules.engine_input import (
    EventColumns,
    GameColumns,
    IccfColumns,
    ListRead,
    ParticipantColumns,
    PlayerColumns,
    RatingColumns,
)
from ratings.federations.iccf.rules.formulas import ALL_GAMES
from ratings.federations.iccf.rules.parameters import KINDS, IccfRules
from ratings.rules.columns import NO_DAY, Integers
from ratings.rules.compared_games import ComparedGames, ComparedPlayers


def compare(
    rules: IccfRules,
    tempo: str,  # noqa: ARG001 (correspondence chess has one pool)
    players: ComparedPlayers,
    lists: Integers,
    games: ComparedGames,
) -> Integers:
    """The ratings of the players on the last list, 0 for none (items 5 to 17). See `Comparison`.

    All is played on the server: each list counts its games (item 12). Players without a rating have that of friendly
    matches (item 11, R93); a game begins on its day (item 8); a rating on fewer than 30 games stands as so many draws
    against itself (items 14, 15; R92a); there are no substitutes (item 18).
    """
    size, nothing = len(players), np.zeros(len(players), dtype=np.int64)
    ratings = np.zeros((lists.size, size), dtype=np.int64)
    ratings[0], counted, last_game = players.rating, players.games.copy(), nothing + NO_DAY
    past_games = np.where(players.rating > 0, players.games, 0)
    past_opponents, past_points = past_games * players.rating, past_games.copy()
    for place in range(1, lists.size):
        of_list = games.rows(np.flatnonzero(games.list == place))
        tournament, first, event = np.unique(of_list.tournament, return_index=True, return_inverse=True)
        on_list, listed = np.nonzero(ratings[:place])
        no_game, line = np.zeros_like(of_list.white), np.arange(len(of_list))
        calculated = calculate(
            rules,
            IccfColumns(
                in_force=int(lists[place]),
                players=PlayerColumns(
                    player=players.player,
                    register_number=np.arange(1, size + 1),
                    previous=ratings[place - 1],
                    rating=ratings[place - 1],
                    games=counted,
                    last_game=last_game,
                    past_games=past_games,
                    past_opponents=past_opponents,
                    past_points=past_points,
                ),
                lists=tuple(ListRead(day, "") for day in lists[:place].tolist()),
                ratings=RatingColumns(on_list, players.player[listed], ratings[on_list, listed]),
                events=EventColumns(
                    result_set=tournament,
                    number=tournament,
                    part=np.ones_like(tournament),
                    earlier_parts=np.zeros_like(tournament),
                    first_day=of_list.first_day[first],
                    kind=np.full_like(tournament, KINDS.index("friendly")),
                    level=np.zeros_like(tournament),
                ),
                participants=ParticipantColumns.joined([]),
                games=GameColumns(
                    game=line,
                    event=event,
                    round=of_list.round,
                    line=line,
                    white=of_list.white,
                    black=of_list.black,
                    white_for=no_game,
                    black_for=no_game,
                    white_points=of_list.white_points,
                    first_day=of_list.day,
                    last_day=of_list.day,
                ),
            ),
        ).rows
        row = np.searchsorted(players.player, calculated.player)
        ratings[place, row] = calculated.rating
        counted[row], last_game[row] = calculated.games, calculated.last_game_day
        by_all_games = calculated.rows(np.flatnonzero(calculated.method == ALL_GAMES))
        row = np.searchsorted(players.player, by_all_games.player)
        past_games[row], past_opponents[row] = by_all_games.formula_games, by_all_games.opponents_sum
        past_points[row] = by_all_games.points_sum
    newest: Integers = ratings[-1]
    return newest
