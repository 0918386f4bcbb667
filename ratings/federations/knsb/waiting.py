"""The games that wait for the first list of a pool that can show a player."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np

from ratings.federations.knsb.expected import columns_of
from ratings.federations.knsb.inputs.results import Reported, read_events, read_games
from ratings.federations.knsb.models import KnsbListRow
from ratings.federations.knsb.rules.columns import KINDS
from ratings.federations.knsb.rules.games import sides
from ratings.federations.knsb.rules.validity import ValidRatings
from ratings.federations.registry import edition_in_force
from ratings.models import Pool, RatingList
from ratings.rules.days import day_number, day_of_number, months_before
from reporting.models import Player


def waiting_games(pool: Pool, player: Player, counted: Mapping[int, date]) -> Mapping[int, date]:
    """Keys of the games with the last day of a list that can count them: the calculation date and the months for which
    the edition lets games wait (art. 5.2; R81b).

    None of a player with an R_i, from whichever list, and only games whose opponent counts by article 6. 2 queries for
    a player with a klassiek rating that is valid in the pool; else 13, 3 for each list of FIDE that is used and 2 for
    each of the newest day.
    """
    tempo = KINDS.index(pool.code)
    published = RatingList.objects.filter(state=RatingList.State.PUBLISHED).order_by("-in_force", "-revision")
    newest = published.filter(pool=pool).select_related("pool").first()
    if newest is None:
        return {}
    in_force = newest.in_force + timedelta(days=1)
    rules: Any = edition_in_force(pool.rating_system, in_force)
    klassiek = published.filter(pool__code="knsb-klassiek").values("pk")[:1]
    rated = KnsbListRow.objects.filter(list_id__in=klassiek, rating__gte=rules.least_klassiek_rating)
    if rated.filter(player=player).exists():
        return {}
    reported = Reported(
        np.array(sorted(counted), dtype=np.int64),
        np.array([day_number(counted[key]) for key in sorted(counted)], dtype=np.int64),
    )
    nothing = np.zeros(0, dtype=np.int64)
    events = read_events(reported, reported)
    games = read_games(events, (nothing, nothing, nothing), {})
    met = np.unique(np.concatenate([games.white, games.black]))
    columns = columns_of(rules, newest, in_force, events, games, keys=met)
    players, valid = columns.players, ValidRatings(rules, columns)
    here = int(np.searchsorted(players.player, player.pk))
    numbered = np.maximum(
        players.register_number, players.player == player.pk
    )  # as with a number to come (R84d)
    if valid.of_period_before()[here] >= 0:
        return {}
    columns = replace(columns, players=replace(players, register_number=numbered))
    side = sides(rules, columns, valid, players.was_published)
    waits = side.own == here
    return {
        game: months_before(day_of_number(day), -rules.waiting_months[tempo])
        for game, day in zip(
            games.game[side.game[waits]].tolist(), side.calculation_day[waits].tolist(), strict=True
        )
    }
