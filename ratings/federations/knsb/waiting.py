"""The games of a player on no list that wait for the first one (art. 5.2, R81b)."""

from collections.abc import Mapping
from datetime import date

import numpy as np

from ratings.federations.knsb.inputs.results import Reported, read_events, read_games
from ratings.federations.knsb.rules.columns import KINDS
from ratings.federations.knsb.rules.games import calculation_days, games_in_time
from ratings.federations.knsb.rules.parameters import EDITIONS
from ratings.models import Pool
from ratings.rules.days import day_number, day_of_number, months_before
from reporting.models import Player


def waiting_games(pool: Pool, player: Player, counted: Mapping[int, date]) -> Mapping[int, date]:
    """Keys of the games with the last day of a list that can count them: the calculation date and the months for which
    the edition lets games wait. 6 queries.

    None of a player with a FIDE number, whose rating of FIDE may be R_i: then games do not wait. None abroad.
    """
    if "fide" in player.numbers:
        return {}
    rules, tempo = EDITIONS[-1], KINDS.index(pool.code)
    reported = Reported(
        np.array(sorted(counted), dtype=np.int64),
        np.array([day_number(counted[key]) for key in sorted(counted)], dtype=np.int64),
    )
    nothing = np.zeros(0, dtype=np.int64)
    events = read_events(reported, reported)
    games = read_games(events, (nothing, nothing, nothing), {})
    days = calculation_days(rules, tempo, events, games)
    waits = ((games.white == player.pk) | (games.black == player.pk)) & games_in_time(rules, events, games)
    waits &= ~events.is_abroad[games.event]
    return {
        game: months_before(day_of_number(day), -rules.waiting_months[tempo])
        for game, day in zip(games.game[waits].tolist(), days[waits].tolist(), strict=True)
    }
