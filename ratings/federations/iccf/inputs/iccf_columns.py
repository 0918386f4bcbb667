"""What an ICCF list is calculated from, read as columns: reports, lists by date, all games ever, the register."""

from collections.abc import Sequence

import numpy as np
from psycopg import sql

from ratings.federations.iccf.inputs.lists import Rows, read_past, read_ratings, read_rows, resumed_rows
from ratings.federations.iccf.inputs.results import read_events, read_games, read_participants
from ratings.federations.iccf.rules.engine_input import IccfColumns, ListRead, PlayerColumns
from ratings.federations.iccf.rules.parameters import IccfRules
from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.inputs.read_columns import read_columns
from ratings.inputs.register import register_of
from ratings.inputs.starting_ratings import StartingRatings, starting_ratings
from ratings.models import RatingList
from ratings.rules.columns import NO_DAY, Integers, places
from ratings.rules.days import day_number


def read_iccf_columns(inputs: CalculationInputs, rules: IccfRules) -> tuple[IccfColumns, int]:
    """Read the inputs, and the number of games of the reports. 7 or 8 queries whatever the number of players, and those
    of `starting_ratings`.

    Raises ValueError when the pool has no list yet.
    """
    if not inputs.lists:
        raise ValueError(f"pool {inputs.period.pool_id} has no list")
    events = read_events(inputs)
    games, game_count = read_games(inputs, events)
    participants = read_participants(inputs, events, games)
    read = lists_of_days(inputs.lists, np.concatenate([games.first_day, events.first_day]))
    begun = starting_ratings(inputs)
    rows = resumed_rows(read_rows(inputs, read), inputs, begun, read)
    previous = rows.rows(rows.list == len(read) - 1)
    player = np.unique(
        np.concatenate([previous.player, participants.player, np.array([*begun.start], dtype=np.int64)])
    )
    columns = IccfColumns(
        in_force=day_number(inputs.period.in_force),
        players=players_of(inputs, rules, begun, previous, player),
        lists=named(read),
        ratings=read_ratings(rows, player),
        events=events,
        participants=participants,
        games=games,
    )
    return columns, game_count


def players_of(
    inputs: CalculationInputs, rules: IccfRules, begun: StartingRatings, previous: Rows, player: Integers
) -> PlayerColumns:
    """These players (keys, rising) by the register and the previous list, which has no others. 2 queries."""
    here = places(player, previous.player)
    rating, count = np.zeros((2, player.size), dtype=np.int64)
    rating[here], count[here] = previous.rating, previous.games
    last_game = np.full_like(player, NO_DAY)
    last_game[here] = previous.last_game
    resumed = [merge.duplicate_id for merge in inputs.undone_merges()]
    shown = np.where(np.isin(player, resumed), 0, rating)
    for one in begun.ends:
        at = player == one
        rating[at], count[at] = begun.start.get(one, (0, 0))
    past = read_past(inputs, rules, player[(count > 0) & (count < rules.fixed_games)])
    of_past = np.zeros((3, player.size), dtype=np.int64)
    of_past[:, places(player, past.player)] = past.games, past.opponents, past.points
    return PlayerColumns(player, _numbers(inputs, player), shown, rating, count, last_game, *of_past)


def named(read: Sequence[RatingList]) -> tuple[ListRead, ...]:
    return tuple(ListRead(day_number(one.in_force), f"{one.address}/r{one.revision}") for one in read)


def lists_of_days(lists: Sequence[RatingList], days: Integers) -> list[RatingList]:
    """The lists that are newest on one of the days, before the earliest that one (R91); and the previous list."""
    in_force = [day_number(one.in_force) for one in lists]
    newest = set(np.maximum(np.searchsorted(in_force, days, side="right") - 1, 0).tolist())
    return [one for place, one in enumerate(lists) if place in newest or place == len(lists) - 1]


def _numbers(inputs: CalculationInputs, player: Integers) -> Integers:
    """The ICCF numbers of players, 0 for none. 1 query."""
    query = sql.SQL(NUMBERS).format(register=register_of(inputs, player.tolist()))
    _, number = read_columns(query, 2, rising=1)
    return number


NUMBERS = "SELECT id, coalesce((numbers->>'iccf')::int, 0) FROM {register} record"
