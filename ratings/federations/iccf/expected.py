"""The rating changes of a report if it alone counted now, as engine input of one tournament."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np

from ratings.federations.iccf.inputs.iccf_columns import lists_of_days, named, players_of
from ratings.federations.iccf.inputs.lists import read_ratings, read_rows, resumed_rows
from ratings.federations.iccf.rules.columns import FROM, METHODS
from ratings.federations.iccf.rules.engine import IccfCalculation, calculate
from ratings.federations.iccf.rules.engine_input import (
    EventColumns,
    GameColumns,
    IccfColumns,
    ParticipantColumns,
    PlayerColumns,
    RatingColumns,
)
from ratings.federations.iccf.rules.formulas import limited_opponent, performance
from ratings.federations.iccf.rules.parameters import KINDS, IccfRules
from ratings.federations.registry import edition_in_force
from ratings.inputs.calculation_inputs import CalculationInputs, inputs_if_frozen
from ratings.inputs.starting_ratings import starting_ratings
from ratings.models import Period, RatingList
from ratings.rules.columns import NO_DAY
from ratings.rules.days import day_number
from ratings.rules.scaled_numbers import E4
from ratings.rules.values import ExpectedChange
from reporting.federations.iccf.details import IccfDetails
from reporting.models import Player
from reporting.register.selectors.register import players_by_number
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.report import ReadReport, ReportedGame

FIRST_NEW_PLAYER_ID = 2**31


def expected_changes(
    lists: Sequence[RatingList],
    details: TournamentDetails,
    read: ReadReport,
    players: Mapping[int, Player | None],
    assumed: Mapping[int, int],
) -> dict[int, ExpectedChange]:
    """Rate a report alone, for a list after the newest of these.

    Players are those of the matching. One without an ICCF number has no change, nor has a player replaced whom the
    report does not name. One with a rating that is `assumed` counts as if all lists had it with the most games. The
    first day of the tournament must be known. Nothing is expected without its kind. 9 queries, 1 more with substitutes,
    and those of merges.
    """
    assert isinstance(details, IccfDetails)  # noqa: S101 (those of reports to the ICCF)
    assert details.played_from is not None  # noqa: S101 (asked of the caller)
    games = [game for game in read.games if game.played and game.white in players and game.black in players]
    if not games or details.kind is None or (details.kind == "other" and details.level is None):
        return {}
    newest = lists[-1]
    in_force = newest.in_force + timedelta(days=1)
    period = Period(pool=newest.pool, in_force=in_force, closing=newest.in_force)
    ids = {
        number: FIRST_NEW_PLAYER_ID + number if player is None else player.pk
        for number, player in players.items()
    }
    rules: Any = edition_in_force(newest.pool.rating_system, in_force)
    columns = _columns(inputs_if_frozen(period, ()), rules, details, games, ids)
    if assumed:
        columns = _with_assumed(rules, columns, {ids[number]: rating for number, rating in assumed.items()})
    calculation = calculate(rules, columns)
    return {number: change for number, player in ids.items() if (change := _expected(calculation, player))}


def _columns(
    inputs: CalculationInputs,
    rules: IccfRules,
    details: IccfDetails,
    games: Sequence[ReportedGame],
    ids: Mapping[int, int],
) -> IccfColumns:
    """The engine's input: this tournament, and the lists as a calculation reads them. The key of each player by number
    in `ids`; keys from `FIRST_NEW_PLAYER_ID` on are in no register.
    """
    assert details.played_from is not None  # noqa: S101 (asked of the caller)
    assert details.kind is not None  # noqa: S101 (asked before)
    first_day = day_number(details.played_from)
    played = _games(games, ids, inputs, details.played_from)
    events = EventColumns(
        *np.array(
            [
                [1],
                [1],
                [details.part or 1],
                [0],
                [first_day],
                [KINDS.index(details.kind)],
                [details.level or 0],
            ]
        )
    )
    named_players = np.unique(np.concatenate([[*ids.values()], played.white_for, played.black_for]))
    keys = named_players[named_players > 0]
    registered, new = keys[keys < FIRST_NEW_PLAYER_ID], keys[keys >= FIRST_NEW_PLAYER_ID]
    lists = lists_of_days(inputs.lists, np.append(played.first_day, first_day))
    begun = starting_ratings(inputs)
    rows = resumed_rows(read_rows(inputs, lists), inputs, begun, lists)
    rows = rows.rows(np.isin(rows.player, registered))
    previous = rows.rows(rows.list == len(lists) - 1)
    in_register = players_of(inputs, rules, begun, previous, registered)
    nothing = np.zeros_like(new)
    others = PlayerColumns(
        new, nothing, nothing, nothing, nothing, nothing + NO_DAY, nothing, nothing, nothing
    )
    return IccfColumns(
        in_force=day_number(inputs.period.in_force),
        players=PlayerColumns.joined([in_register, others]),
        lists=named(lists),
        ratings=read_ratings(rows, registered),
        events=events,
        participants=ParticipantColumns(np.zeros_like(keys), keys),
        games=played,
    )


def _games(
    games: Sequence[ReportedGame], ids: Mapping[int, int], inputs: CalculationInputs, first_day: date
) -> GameColumns:
    """The games; each that names no day began on the first of the tournament (R91a)."""
    numbers = {number for game in games for number in (game.white_for, game.black_for) if number}
    replaced = players_by_number(inputs.period.pool.report_rules.register, numbers) if numbers else {}

    def substituted(number: int | None, at_board: tuple[int, int]) -> int:
        player = replaced.get(number)
        return 0 if player is None or player.pk in at_board else player.pk

    rows = []
    for line, game in enumerate(games, start=1):
        at_board = ids[game.white], ids[game.black]
        began = day_number(game.started_on or first_day)
        rows.append(
            (
                line, 0, game.round, line, *at_board, substituted(game.white_for, at_board),
                substituted(game.black_for, at_board), game.white_points, began, began,
            )
        )  # fmt: skip
    return GameColumns(*np.array(rows, dtype=np.int64).T)


def _with_assumed(rules: IccfRules, columns: IccfColumns, ratings: Mapping[int, int]) -> IccfColumns:
    """The input as if all lists had these ratings of players (keys), with the most games that k knows."""
    players, assumed = columns.players, np.array(sorted(ratings), dtype=np.int64)
    rating = np.array([ratings[player] for player in assumed.tolist()], dtype=np.int64)
    at = np.searchsorted(players.player, assumed)
    number, games = players.register_number.copy(), players.games.copy()
    before, shown = players.rating.copy(), players.previous.copy()
    number[at], games[at] = assumed, rules.many_games  # any number but 0
    before[at], shown[at] = rating, rating
    remaining = columns.ratings.rows(~np.isin(columns.ratings.player, assumed))
    of_lists = [
        RatingColumns(np.full_like(assumed, place), assumed, rating) for place in range(len(columns.lists))
    ]
    rows = RatingColumns.joined([remaining, *of_lists])
    return replace(
        columns,
        players=replace(players, register_number=number, games=games, rating=before, previous=shown),
        ratings=rows.rows(np.lexsort((rows.player, rows.list))),
    )


def _expected(calculation: IccfCalculation, player: int) -> ExpectedChange | None:
    """The change of a player (key); None for one without a counted game."""
    rows, changes, rules = calculation.rows, calculation.changes, calculation.rules
    own = np.flatnonzero(changes.player == player)
    if not own.size:
        return None
    row = int(np.flatnonzero(rows.player == player)[0])
    rating, before = int(rows.rating[row]), int(rows.previous[row])
    limited = limited_opponent(rules, changes.own[own], changes.opponent_rating[own])
    of_report = performance(limited.sum(), own.size, changes.points[own].sum())
    return ExpectedChange(
        own=int(changes.own[own[0]]) if FROM[changes.own_from[own[0]]] == "list" else None,
        rating=before or None,
        games=own.size,
        performance_e4=int(of_report) * E4,
        change=rating - before if before else None,
        after=rating,
        provisional=METHODS[rows.method[row]] != "6",
    )
