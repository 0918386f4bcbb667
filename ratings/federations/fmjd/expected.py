"""The rating changes of a report if it alone counted now, as engine input of one tournament."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from ratings.federations.fmjd.rules.edition import FmjdCalculation
from ratings.federations.fmjd.rules.parameters import Parameters, edition_in_force
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


@dataclass(frozen=True)
class _Listed:
    """What the lists have of the players of a report, of merged records for the surviving one (R24).

    With the assumed ratings of players who are on no list.
    """

    ratings: dict[int, int]
    """On the list that the report counts on."""
    newest: dict[int, dict[str, Any]]
    """The rows of the newest list."""
    printed: dict[int, int]
    """The ratings of the newest list as printed, before merges."""
    reached: dict[int, date]
    """The first day in force of a rating from which K is lower."""

    def first_2300(self, player: int) -> int:
        """The day since which K is lower; `NEVER` for none."""
        if player not in self.newest:
            return NEVER
        if player in self.reached:
            return day_number(self.reached[player])
        return DAY_BEFORE_FIRST_LIST if self.newest[player]["reached_2300"] else NEVER


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
    basis = lists[basis_of([published.in_force for published in lists], details.played_from)]
    ids = {
        number: FIRST_NEW_PLAYER_ID + number if player is None else player.pk
        for number, player in players.items()
    }
    parameters = edition_in_force(details.played_to)
    listed = _listed(lists, basis, [player.pk for player in players.values() if player], parameters)
    for number, rating in assumed.items():
        listed.ratings[ids[number]] = listed.printed[ids[number]] = rating
        listed.newest[ids[number]] = {
            "rating": rating,
            "games": max(parameters.provisional_games, parameters.k_new_games),
            "reached_2300": rating >= parameters.k_reached_rating,
        }
    last_day = day_number(details.played_to)
    times = [
        seconds
        for seconds in details.seconds_of_games
        if seconds is not None
        if not details.session or tempo(parameters, seconds) == lists[0].pool.tempo
    ]
    parts = [(1, day_number(details.played_from), last_day, 1, seconds, basis.pk) for seconds in times]
    player_ids = sorted(set(ids.values()))
    calculated = EngineInput(
        parameters=parameters,
        closing_day=last_day,
        in_force=details.played_to,
        events=EventColumns(*np.array(parts, dtype=np.int64).T),
        codes=("",) * len(times),
        games=_game_columns(details, read, ids, times, last_day),
        basis=BasisColumns(
            np.full(len(listed.ratings), basis.pk, dtype=np.int64),
            np.array(list(listed.ratings), dtype=np.int64),
            np.array(list(listed.ratings.values()), dtype=np.int64),
        ),
        players=_player_columns(player_ids, listed),
        register_numbers=np.zeros(len(player_ids), dtype=np.int64),
    ).calculate()
    return _changes_by_number(calculated, ids, listed)


def _listed(
    lists: Sequence[RatingList], basis: RatingList, registered: Sequence[int], parameters: Parameters
) -> _Listed:
    """What these lists have of the registered players and of the records merged into theirs. 4 queries."""
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
    reached = dict(
        PlayerHistory.objects.filter(player_id__in=[*newest], rating__gte=parameters.k_reached_rating)
        .filter(list_id__in=[published.pk for published in lists])
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
    return _Listed(ratings, newest, printed, reached)


def _player_columns(player_ids: Sequence[int], listed: _Listed) -> PlayerColumns:
    """The players as the newest list has them; zeros for newcomers."""
    known = [listed.newest.get(player) for player in player_ids]
    return PlayerColumns(
        player=np.array(player_ids, dtype=np.int64),
        rating=np.array([row["rating"] if row else 0 for row in known], dtype=np.int64),
        games=np.array([row["games"] if row else 0 for row in known], dtype=np.int64),
        first_2300_day=np.array([listed.first_2300(player) for player in player_ids], dtype=np.int64),
        last_game_day=np.full(len(player_ids), NO_DAY, dtype=np.int64),
        games_3_years=np.zeros(len(player_ids), dtype=np.int64),
        carried=np.zeros(len(player_ids), dtype=np.int64),
    )


def _game_columns(
    details: TournamentDetails, read: ReadReport, ids: Mapping[int, int], times: Sequence[int], last_day: int
) -> GameColumns:
    """The games between these players at these times for 60 moves, each time an event."""
    event_of = {
        control: times.index(seconds)
        for control in details.session
        if (seconds := parse_time_control(control).seconds_for_60_moves) in times
    } or {"": 0}
    games = [
        game for game in read.games if {game.white, game.black} <= set(ids) and game.time_control in event_of
    ]
    return GameColumns(
        event=np.array([event_of[game.time_control] for game in games], dtype=np.int64),
        white=np.array([ids[game.white] for game in games], dtype=np.int64),
        black=np.array([ids[game.black] for game in games], dtype=np.int64),
        white_points=np.array([game.white_points for game in games], dtype=np.int64),
        black_points=np.array([game.black_points for game in games], dtype=np.int64),
        played=np.array([game.played for game in games], dtype=bool),
        day=np.full(len(games), last_day, dtype=np.int64),
    )


def _changes_by_number(
    calculated: FmjdCalculation, ids: Mapping[int, int], listed: _Listed
) -> dict[int, ExpectedChange]:
    """The calculated changes by the numbers of the report."""
    changes, rows = calculated.changes, calculated.rows
    whole = dict(zip(rows.player.tolist(), rows.rating.tolist(), strict=True))
    place_of = {player: place for place, player in enumerate(changes.player.tolist())}
    expected = {}
    for number, player in ids.items():
        if player in place_of:
            place = place_of[player]
            expected[number] = ExpectedChange(
                own=listed.ratings.get(player),
                rating=listed.newest[player]["rating"] if player in listed.newest else None,
                games=int(changes.games[changes.player == player].sum()),
                performance_e4=int(changes.performance_e4[place]),
                change=whole[player] - listed.printed[player] if player in listed.printed else None,
                after=whole[player],
                provisional=bool(changes.method[place] == PROVISIONAL),
            )
    return expected
