"""The rating changes of a report if it alone counted now, as engine input of one tournament."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np

from ratings.federations.knsb.inputs.knsb_columns import KINDS_OF_POOLS, players_of
from ratings.federations.knsb.inputs.lists import lists_of_days, merged_rows, read_ratings, read_rows
from ratings.federations.knsb.inputs.results import last_known
from ratings.federations.knsb.rules.columns import KINDS, SOURCES
from ratings.federations.knsb.rules.engine import KnsbCalculation, calculate
from ratings.federations.knsb.rules.engine_input import (
    EventColumns,
    GameColumns,
    KnsbColumns,
    PlayerColumns,
    RatingColumns,
)
from ratings.federations.knsb.rules.parameters import KnsbRules
from ratings.federations.registry import edition_in_force
from ratings.inputs.calculation_inputs import inputs_if_frozen
from ratings.models import HeldRow, Period, RatingList
from ratings.rules.columns import NO_DAY, Integers
from ratings.rules.days import day_number
from ratings.rules.values import ExpectedChange
from reporting.federations.knsb.details import KnsbDetails
from reporting.models import Player, PlayerMerge
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.report import ReadReport, ReportedGame

FIRST_NEW_PLAYER_ID = 2**31

DatedGame = tuple[ReportedGame, date]


def expected_changes(
    lists: Sequence[RatingList],
    details: TournamentDetails,
    read: ReadReport,
    players: Mapping[int, Player | None],
    assumed: Mapping[int, int],
) -> dict[int, ExpectedChange]:
    """Rate a report alone, for a list on the day after its last game and after the newest of these lists.

    Players are those of the matching. One without a KNSB number has no change, nor has one whose games would wait, nor
    one whom the newest list holds: that rating is the office's alone (R84b). One with a rating that is `assumed` counts
    as if the newest list had it with the most games. Every player counts as a member. The dates of the tournament must
    be known. 13 queries, 3 for each list of FIDE that is used and 2 for each of the newest day.
    """
    assert isinstance(details, KnsbDetails)  # noqa: S101 (those of reports to the KNSB)
    assert details.played_to is not None  # noqa: S101 (asked of the caller)
    games = [
        (game, details.day_of(game) or details.played_to)
        for game in read.games
        if game.played and game.white in players and game.black in players
    ]
    if not games:
        return {}
    in_force = max(lists[-1].in_force, *(day for _, day in games)) + timedelta(days=1)
    rules: Any = edition_in_force(lists[-1].pool.rating_system, in_force)
    ids = {
        number: FIRST_NEW_PLAYER_ID + number if player is None else player.pk
        for number, player in players.items()
    }
    events, played = _event(details, in_force), _games(details, games, ids)
    columns = columns_of(rules, lists[-1], in_force, events, played, keys=np.unique(list(ids.values())))
    if assumed:
        columns = _with_assumed(rules, columns, {ids[number]: rating for number, rating in assumed.items()})
    calculation = calculate(rules, columns)
    held = _held_players(lists[-1], set(ids.values()))
    return {
        number: change
        for number, player in ids.items()
        if player not in held and (change := _expected(calculation, player))
    }


def _held_players(newest: RatingList, players: Collection[int]) -> set[int]:
    """Which of these players would start from a held row, also one of a merged record (R84b). 3 queries."""
    merges = PlayerMerge.objects.filter(undone_at=None, surviving__in=players)
    merged = dict(merges.values_list("duplicate", "surviving"))
    rows = HeldRow.objects.filter(list=newest, player__in=[*players, *merged])
    held = {merged.get(player, player) for player in rows.values_list("player", flat=True)}
    return held - set(newest.rows.filter(player__in=held).values_list("player", flat=True))


def columns_of(
    rules: KnsbRules,
    newest: RatingList,
    in_force: date,
    events: EventColumns,
    played: GameColumns,
    *,
    keys: Integers,
) -> KnsbColumns:
    """The engine's input of a list after the newest one: these tournaments and games, and the lists as a calculation
    reads them, for the players with these keys, which rise; those from `FIRST_NEW_PLAYER_ID` on are in no register.
    """
    tempo = KINDS.index(newest.pool.code)
    period = Period(pool=newest.pool, in_force=in_force, closing=in_force - timedelta(days=1))
    inputs = inputs_if_frozen(period, ())
    persons = {merge.duplicate_id: merge.surviving_id for merge in inputs.merges}
    registered = keys[keys < FIRST_NEW_PLAYER_ID]
    days = [events.first_day, played.day, played.planned_day[played.planned_day != NO_DAY]]
    known = last_known(inputs.lists, registered, persons)
    read = lists_of_days(
        inputs,
        KINDS_OF_POOLS[tempo],
        np.concatenate([*days, [day_number(newest.in_force)]]),
        known.list,
    )
    duplicates = [duplicate for duplicate, surviving in persons.items() if surviving in registered]
    rows = read_rows(
        [one.pk for _, one in read if isinstance(one, RatingList)], [*registered.tolist(), *duplicates]
    )
    rows = merged_rows(rows, persons, rules.largest_n_v)
    in_register = players_of(registered, inputs, rows, known, [one for _, one in read])
    new = keys[registered.size :]
    nothing, no_list = np.zeros_like(new), np.full_like(new, -1)
    others = PlayerColumns(
        new, nothing, nothing, nothing, nothing > 0, nothing > 0, nothing, no_list, nothing, nothing, nothing
    )
    return KnsbColumns(
        tempo=tempo,
        in_force=day_number(in_force),
        previous_day=day_number(newest.in_force),
        players=PlayerColumns.joined([in_register, others]),
        memberships=None,
        lists=tuple(one for one, _ in read),
        ratings=read_ratings(read, rows, in_register),
        events=events,
        games=played,
    )


def _event(details: KnsbDetails, in_force: date) -> EventColumns:
    assert details.played_from is not None  # noqa: S101 (asked of the caller)
    assert details.played_to is not None  # noqa: S101
    days = [day_number(day) for day in (details.played_from, details.played_to, in_force)]
    flags = (details.is_abroad, details.fide_processed, bool(details.admit))
    return EventColumns(
        *np.array([[1], [1], [1], *([day] for day in days)]), *np.array([[flag] for flag in flags])
    )


def _games(details: KnsbDetails, games: Sequence[DatedGame], ids: Mapping[int, int]) -> GameColumns:
    def planned(turn: int) -> int:
        return day_number(details.rounds[turn - 1]) if turn <= len(details.rounds) else NO_DAY

    rows = [
        (
            line, 0, game.round, line, ids[game.white], ids[game.black], game.white_points, planned(game.round),
            day_number(day),
        )
        for line, (game, day) in enumerate(games, start=1)
    ]  # fmt: skip
    return GameColumns(*np.array(rows, dtype=np.int64).T)


def _with_assumed(rules: KnsbRules, columns: KnsbColumns, ratings: Mapping[int, int]) -> KnsbColumns:
    """The input as if the newest list of the pool had these ratings of players (keys)."""
    players, assumed = columns.players, np.array(sorted(ratings), dtype=np.int64)
    rating = np.array([ratings[player] for player in assumed.tolist()], dtype=np.int64)
    place = next(
        place
        for place, one in enumerate(columns.lists)
        if (one.kind, one.day) == (columns.tempo, columns.previous_day)
    )
    at = np.searchsorted(players.player, assumed)
    numbers, previous = players.register_number.copy(), players.previous.copy()
    published = players.was_published.copy()
    numbers[at], previous[at], published[at] = assumed, rating, True  # any number but 0
    most = np.full_like(assumed, rules.largest_n_v)
    nothing = np.zeros_like(assumed)
    given = RatingColumns(nothing + place, assumed, rating, most, nothing, most, nothing + NO_DAY)
    remaining = columns.ratings.rows(~np.isin(columns.ratings.player, assumed))
    rows = RatingColumns.joined([remaining, given])
    return replace(
        columns,
        players=replace(players, register_number=numbers, previous=previous, was_published=published),
        ratings=rows.rows(np.lexsort((rows.player, rows.list))),
    )


def _expected(calculation: KnsbCalculation, player: int) -> ExpectedChange | None:
    """The change of a player (key); None for one whose games do not count, or wait."""
    rows, changes = calculation.rows, calculation.changes
    own = np.flatnonzero(changes.player == player)
    if not own.size:
        return None
    row = int(np.flatnonzero(rows.player == player)[0])
    source = SOURCES[changes.own_from[own[0]]]
    rating, before = int(rows.rating[row]), int(rows.previous[row])
    return ExpectedChange(
        own=int(changes.own[own[0]]) if source in KINDS else None,
        rating=before or None,
        games=own.size,
        performance_e4=int(rows.lpr_e3[row]) * 10,
        change=rating - before if before else None,
        after=rating,
        provisional=source not in KINDS,
    )
