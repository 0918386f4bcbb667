"""The levels of the titles that players held on a day, as columns."""

from collections.abc import Sequence

import numpy as np
from psycopg import sql

from ratings.inputs.read_columns import numbers, read_columns
from ratings.rules.columns import NEVER, NO_DAY, Integers, looked_up
from titles.federations.facet import ladders_of
from titles.federations.registry import rules_of_titles

# Each title of these players, as a place in an array, with its discipline, a place in another, and its days.
HELD = """
SELECT player_id, array_position({disciplines}::text[], discipline::text) - 1,
    array_position({titles}::text[], title::text) - 1,
    coalesce(registered_on - date '1970-01-01', {always}), coalesce(withdrawn_on - date '1970-01-01', {never})
FROM reporting_playertitle
WHERE awarded_by = {awarded_by} AND discipline = ANY({disciplines}) AND player_id = ANY({players})
"""


def levels_held(
    system: str, disciplines: Sequence[str], discipline: Integers, day: Integers, player: Integers
) -> dict[str, Integers]:
    """By ladder of a rating system, the level of the highest title that players held; 0 for none. 1 query.

    Each player has a discipline, a place in `disciplines`, and a day.
    """
    titles = rules_of_titles(system).titles
    owner, of_discipline, title, registered, withdrawn = read_columns(
        sql.SQL(HELD).format(
            disciplines=sql.Literal(list(disciplines)),
            titles=sql.Literal([title.code for title in titles]),
            always=sql.Literal(NO_DAY),
            never=sql.Literal(NEVER),
            awarded_by=sql.Literal(system),
            players=numbers(np.unique(player).tolist()),
        ),
        5,
        rising=1,
    )
    # Each participation with each title of its player.
    titled, first, held_titles = np.unique(owner, return_index=True, return_counts=True)
    begin, number = (looked_up(titled, column, player, otherwise=0) for column in (first, held_titles))
    of = np.repeat(np.arange(player.size), number)
    row = np.arange(of.size) - np.repeat(np.cumsum(number) - number - begin, number)
    held = (of_discipline[row] == discipline[of]) & (registered[row] <= day[of]) & (withdrawn[row] > day[of])
    of, title = of[held], title[row[held]]
    ladders = ladders_of(titles)
    levels = np.zeros((len(ladders), player.size), np.int64)
    ladder = np.array([ladders.index(title.ladder) for title in titles])
    level = np.array([title.level for title in titles])
    np.maximum.at(levels, (ladder[title], of), level[title])
    return dict(zip(ladders, levels, strict=True))
