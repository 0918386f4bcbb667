"""The games of any pool by the rules of the KNSB, list after list. `ASSUMPTIONS` (texts.py) says what is assumed."""

from __future__ import annotations

import numpy as np

from ratings.federations.knsb.rules.engine import calculate
from ratings.federations.knsb.rules.engine_input import (
    EventColumns,
    GameColumns,
    KnsbColumns,
    ListRead,
    PlayerColumns,
    RatingColumns,
)
from ratings.federations.knsb.rules.parameters import TEMPOS, KnsbRules
from ratings.rules.columns import NO_DAY, Integers
from ratings.rules.compared_games import ComparedGames, ComparedPlayers


def compare(
    rules: KnsbRules, tempo: str, players: ComparedPlayers, lists: Integers, games: ComparedGames
) -> Integers:
    """The ratings of the players on the last list, 0 for none (art. 2 to 13). See `Comparison`.

    No FIDE list is read (art. 4), every player is a member with a number (11), no bonus is given (9.1). N_v of the
    start is the number of games, at most 100 (7.1). All games are played at home (12.2) and count at any age (13);
    games of a player who was never published wait from the first of the lists on (5.2, R81b).
    """
    ratings, n_v, counted = (np.zeros((lists.size, len(players)), dtype=np.int64) for _ in range(3))
    last_game = np.full_like(ratings, NO_DAY)
    ratings[0], counted[0], n_v[0] = (
        players.rating,
        players.games,
        np.clip(players.games, 1, rules.largest_n_v),
    )
    key, first, event_of = np.unique(
        games.tournament * lists.size + games.list, return_index=True, return_inverse=True
    )
    events = _events(games.rows(first), lists)
    order = np.argsort(event_of, kind="stable")
    event_of, games = event_of[order], games.rows(order)
    both = [np.searchsorted(players.player, side) for side in (games.white, games.black)]
    for place in range(1, lists.size):
        was_published = np.any(ratings[:place] > 0, axis=0)
        # Earlier games count for those who waited alone: of the other events none is read again.
        is_read = np.zeros(key.size, dtype=bool)
        for side in both:
            is_read[event_of[~was_published[side]]] = True
        is_read = (is_read & (events.part < place)) | (events.part == place)
        chosen, game = np.flatnonzero(is_read), np.flatnonzero(is_read[event_of])
        on_list, listed = np.nonzero(ratings[:place])
        calculated = calculate(
            rules,
            KnsbColumns(
                tempo=TEMPOS.index(tempo),
                in_force=int(lists[place]),
                previous_day=int(lists[place - 1]),
                players=_players(players, ratings[:place]),
                memberships=None,
                lists=tuple(ListRead(TEMPOS.index(tempo), day, "") for day in lists[:place].tolist()),
                ratings=RatingColumns(
                    list=on_list,
                    player=players.player[listed],
                    rating=ratings[on_list, listed],
                    n_v=n_v[on_list, listed],
                    k_factor=np.zeros_like(listed),
                    games=counted[on_list, listed],
                    last_game=last_game[on_list, listed],
                ),
                events=events.rows(chosen),
                games=_games(games, game, np.searchsorted(chosen, event_of[game])),
            ),
        ).rows
        row = np.searchsorted(players.player, calculated.player)
        ratings[place, row], n_v[place, row] = calculated.rating, calculated.n_v
        counted[place, row], last_game[place, row] = calculated.games, calculated.last_game_day
    on_newest: Integers = ratings[-1]
    return on_newest


def _events(games: ComparedGames, lists: Integers) -> EventColumns:
    """The parts of tournaments, one a list, by a game of each: played at home, and admitted at any age."""
    no = np.zeros(len(games), dtype=bool)
    return EventColumns(
        result_set=np.arange(len(games)),
        number=games.tournament,
        part=games.list,
        first_day=games.first_day,
        last_day=games.last_day,
        in_force=lists[games.list],
        is_abroad=no,
        is_fide_processed=no,
        is_admitted=~no,
    )


def _players(players: ComparedPlayers, ratings: Integers) -> PlayerColumns:
    """The players before a list, by their ratings on all lists before it."""
    size, nothing = len(players), np.zeros(len(players), dtype=np.int64)
    was_published = np.any(ratings > 0, axis=0)
    newest = len(ratings) - 1 - np.argmax(ratings[::-1] > 0, axis=0)
    return PlayerColumns(
        player=players.player,
        register_number=np.arange(1, size + 1),
        fide_number=nothing,
        birth_year=players.birth_year,
        is_foreign=players.is_foreign,
        was_published=was_published,
        previous=ratings[-1],
        last_known_list=np.where(was_published, newest, -1),
        last_known_rating=ratings[newest, np.arange(size)],
        games_elsewhere=nothing,
        title=nothing,
    )


def _games(games: ComparedGames, places: Integers, event: Integers) -> GameColumns:
    """The games in these places, each with the place of its event."""
    return GameColumns(
        game=places,
        event=event,
        round=games.round[places],
        line=places,
        white=games.white[places],
        black=games.black[places],
        white_points=games.white_points[places],
        planned_day=np.full_like(places, NO_DAY),
        day=games.day[places],
    )
