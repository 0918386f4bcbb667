"""The rating changes of a report if it alone counted now, as engine input of one tournament."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np
from django.db.models import Min

from ratings.federations.fmjd.engine_input import EngineInput
from ratings.federations.fmjd.models import FmjdListRow
from ratings.federations.fmjd.rules.calendar import basis_of
from ratings.federations.fmjd.rules.columns import (
    PROVISIONAL,
    BasisColumns,
    EventColumns,
    GameColumns,
    PlayerColumns,
)
from ratings.federations.fmjd.rules.development import tempo
from ratings.federations.fmjd.rules.parameters import edition_in_force
from ratings.models import PlayerHistory, RatingList
from ratings.rules.columns import NEVER, NO_DAY
from ratings.rules.days import day_number
from ratings.rules.values import ExpectedChange
from reporting.models import Player, PlayerMerge
from reporting.rules.details.time_control import parse_time_control
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.report import ReadReport

FIRST_NEW_PLAYER_ID = 2**31
DAY_BEFORE_FIRST_LIST = -(10**6)


def expected_changes(
    lists: Sequence[RatingList],
    details: TournamentDetails,
    read: ReadReport,
    players: Mapping[int, Player | None],
    assumed: Mapping[int, int],
) -> dict[int, ExpectedChange]:
    """Rate a report alone on the newest of these lists; merged records count for the surviving one, as the next list
    reads them (R24). Of a session the games of the pool of these lists count, those of each time control as an event
    of its own (R25). 4 queries, 1 more for a session.

    Players are those of the matching; one without a player of the register counts as a newcomer, or with the rating
    that is `assumed` for the number. The dates of the tournament must be known.
    """
    assert details.played_from is not None  # noqa: S101 (asked of the caller)
    assert details.played_to is not None  # noqa: S101
    basis = lists[basis_of([each.in_force for each in lists], details.played_from)]
    ids = {
        number: FIRST_NEW_PLAYER_ID + number if player is None else player.pk
        for number, player in players.items()
    }
    registered = [player.pk for player in players.values() if player]
    merges = PlayerMerge.objects.filter(surviving__in=registered, undone_at=None).order_by("pk")
    merged = dict(merges.values_list("duplicate", "surviving"))
    rows = FmjdListRow.objects.filter(player_id__in=[*registered, *merged])
    ratings = dict(rows.filter(list_id=basis.pk).values_list("player_id", "rating"))
    newest: dict[int, dict[str, Any]] = {
        row["player_id"]: dict(row)
        for row in rows.filter(list_id=lists[-1].pk).values(
            "player_id", "rating", "games", "reached_2300", "last_game"
        )
    }
    parameters = edition_in_force(details.played_to)
    reached = dict(
        PlayerHistory.objects.filter(player_id__in=[*newest], rating__gte=parameters.k_reached_rating)
        .filter(list_id__in=[each.pk for each in lists])
        .values_list("player_id")
        .annotate(Min("in_force"))
    )
    printed = {number: row["rating"] for number, row in newest.items()}
    for duplicate, surviving in merged.items():
        if duplicate in ratings:
            ratings.setdefault(surviving, ratings.pop(duplicate))
        if duplicate in newest:
            row = newest.pop(duplicate)
            own = newest.setdefault(surviving, row | {"games": 0})
            own["games"] += row["games"]
            own["reached_2300"] |= row["reached_2300"]
        if duplicate in reached:
            reached[surviving] = min(reached.get(surviving, date.max), reached.pop(duplicate))

    for number, rating in assumed.items():
        ratings[ids[number]] = printed[ids[number]] = rating
        newest[ids[number]] = {
            "rating": rating,
            "games": max(parameters.provisional_games, parameters.k_new_games),
            "reached_2300": rating >= parameters.k_reached_rating,
        }

    def first_2300(player: int) -> int:
        if player in reached:
            return day_number(reached[player])
        return DAY_BEFORE_FIRST_LIST if newest[player]["reached_2300"] else NEVER

    player_ids = sorted(set(ids.values()))
    last_day = day_number(details.played_to)
    known = [newest.get(player) for player in player_ids]
    columns = PlayerColumns(
        player=np.array(player_ids, dtype=np.int64),
        rating=np.array([row["rating"] if row else 0 for row in known], dtype=np.int64),
        games=np.array([row["games"] if row else 0 for row in known], dtype=np.int64),
        first_2300_day=np.array(
            [first_2300(player) if player in newest else NEVER for player in player_ids], dtype=np.int64
        ),
        last_game_day=np.full(len(player_ids), NO_DAY, dtype=np.int64),
        games_3_years=np.zeros(len(player_ids), dtype=np.int64),
        carried=np.zeros(len(player_ids), dtype=np.int64),
    )
    times = [
        seconds
        for seconds in details.seconds_of_games
        if seconds is not None
        if not details.session or tempo(parameters, seconds) == lists[0].pool.tempo
    ]
    first_day = day_number(details.played_from)
    parts = [(1, first_day, last_day, 1, seconds, basis.pk) for seconds in times]
    events = EventColumns(*np.array(parts, dtype=np.int64).T)
    event_of = {
        control: times.index(seconds)
        for control in details.session
        if (seconds := parse_time_control(control).seconds_for_60_moves) in times
    } or {"": 0}
    games = [
        game for game in read.games if {game.white, game.black} <= set(ids) and game.time_control in event_of
    ]
    results = GameColumns(
        event=np.array([event_of[game.time_control] for game in games], dtype=np.int64),
        white=np.array([ids[game.white] for game in games], dtype=np.int64),
        black=np.array([ids[game.black] for game in games], dtype=np.int64),
        white_points=np.array([game.white_points for game in games], dtype=np.int64),
        black_points=np.array([game.black_points for game in games], dtype=np.int64),
        played=np.array([game.played for game in games], dtype=bool),
        day=np.full(len(games), last_day, dtype=np.int64),
    )
    rated = list(ratings.items())
    listed = BasisColumns(
        np.full(len(rated), basis.pk, dtype=np.int64),
        np.array([player for player, _ in rated], dtype=np.int64),
        np.array([rating for _, rating in rated], dtype=np.int64),
    )
    expectation = EngineInput(
        parameters=parameters,
        closing_day=last_day,
        in_force=details.played_to,
        events=events,
        codes=("",) * len(times),
        games=results,
        basis=listed,
        players=columns,
        register_numbers=np.zeros(len(player_ids), dtype=np.int64),
    ).calculate()
    changes, listed_rows = expectation.changes, expectation.rows
    whole = dict(zip(listed_rows.player.tolist(), listed_rows.rating.tolist(), strict=True))
    place_of = {player: place for place, player in enumerate(changes.player.tolist())}
    expected = {}
    for number, player in ids.items():
        if player in place_of:
            place = place_of[player]
            before = newest[player]["rating"] if player in newest else None
            expected[number] = ExpectedChange(
                own=ratings.get(player),
                rating=before,
                games=int(changes.games[changes.player == player].sum()),
                performance_e4=int(changes.performance_e4[place]),
                change=whole[player] - printed[player] if player in printed else None,
                after=whole[player],
                provisional=bool(changes.method[place] == PROVISIONAL),
            )
    return expected
