"""Team tournaments: matches between teams, individual points, points by boards (Annex 3 art. 5.11.2; R52a)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reporting.rules.report import ReadReport
from reporting.rules.standings.cross_table import DRAW, NONE, WIN, Booleans, CrossTable, Integers, Kind
from reporting.rules.standings.exact import Column


class NotTeamMatchesError(ValueError):
    """In a round the players of one team met players of several teams, or of their own; `number` is one of them."""

    def __init__(self, round_: int, number: int) -> None:
        super().__init__(f"round {round_}, number {number}")
        self.round = round_
        self.number = number


class NoTeamsError(ValueError):
    """A player has no place, which in a team tournament is that of the team (art. 11); `number` is that player."""

    def __init__(self, number: int) -> None:
        super().__init__(str(number))
        self.number = number


def team_table(table: CrossTable, read: ReadReport) -> CrossTable:
    """Return the matches of the teams, 2-1-0 by the individual points of a match: one row a team.

    An equal place of the report is one team and the team's number; its boards follow the tournament numbers (R52a). A
    team is called by the federation of its players, if they have one. It is a round robin where each team met each
    other one. Raises `NoTeamsError` and `NotTeamMatchesError`.
    """
    places = np.array([player.place or 0 for player in read.players], dtype=np.int64)
    if (places == 0).any():
        raise NoTeamsError(int(table.numbers[(places == 0).argmax()]))
    numbers, team = np.unique(places, return_inverse=True)
    shape = (len(numbers), table.rounds)
    opponents = np.full(shape, NONE, dtype=np.int64)
    kinds = np.full(shape, Kind.ABSENT, dtype=np.int64)
    individual = np.zeros(shape, dtype=np.int64)
    np.add.at(individual, team, table.gained)
    met = np.where(table.paired, team[table.opponents], NONE)
    for own in range(len(numbers)):
        rows = np.flatnonzero(team == own)
        for turn in range(table.rounds):
            others = met[rows, turn]
            paired = others != NONE
            if paired.any():
                opponents[own, turn] = others[paired][0]
                if own in others or (others[paired] != opponents[own, turn]).any():
                    raise NotTeamMatchesError(turn + 1, int(table.numbers[rows[paired.argmax()]]))
                is_played = (table.kinds[rows, turn] == Kind.PLAYED).any()
                kinds[own, turn] = Kind.PLAYED if is_played else Kind.FORFEIT
            elif (table.kinds[rows, turn] == Kind.PAUSE).any():
                kinds[own, turn] = Kind.PAUSE
    against = np.where(opponents == NONE, 0, individual[opponents, np.arange(table.rounds)])
    points = np.where(individual > against, WIN, np.where(individual == against, DRAW, 0))
    points[kinds == Kind.ABSENT] = 0
    points[kinds == Kind.PAUSE] = WIN
    return CrossTable(
        numbers=numbers,
        names=tuple(_name(read, team == own, int(number)) for own, number in enumerate(numbers)),
        ratings=np.full(len(numbers), NONE, dtype=np.int64),
        opponents=opponents,
        kinds=kinds,
        points=points,
        colours=np.zeros(shape, dtype=np.int64),
        round_robin=_is_round_robin(opponents),
        boards=_boards(table, team),
        halves_a_board_point=table.halves_a_point,
    )


def individual(table: CrossTable) -> Column:
    """The individual points of a team (art. 5.11.2.2.1, 1)."""
    points = _of_teams(table).sum(axis=1)
    return Column(points, np.full(len(points), table.halves_a_board_point, dtype=np.int64))


def boards(table: CrossTable) -> Column:
    """The points at the first board, if needed at the second, and so on (art. 5.11.2.2.1, 2)."""
    points = _of_teams(table)
    return Column(points, np.full(len(points), table.halves_a_board_point, dtype=np.int64))


def _of_teams(table: CrossTable) -> Integers:
    if table.boards is None:
        raise TypeError("not the table of a team tournament")
    return table.boards


def _boards(table: CrossTable, team: Integers) -> Integers:
    """The points of each team's players, in the order of their tournament numbers."""
    order = np.lexsort((table.numbers, team))
    of_team = np.split(table.scores[order], np.flatnonzero(np.diff(team[order])) + 1)
    points = np.zeros((len(of_team), max(map(len, of_team), default=0)), dtype=np.int64)
    for own, scores in enumerate(of_team):
        points[own, : len(scores)] = scores
    return points


def _is_round_robin(opponents: Integers) -> bool:
    met: Booleans = np.zeros((len(opponents), len(opponents)), dtype=bool)
    rows, turns = np.nonzero(opponents != NONE)
    met[rows, opponents[rows, turns]] = True
    return bool((met | np.eye(len(opponents), dtype=bool)).all())


def _name(read: ReadReport, members: Booleans, number: int) -> str:
    players: Sequence[str] = [
        player.federation_code or player.federation
        for player, own in zip(read.players, members, strict=True)
        if own
    ]
    return players[0] if len(set(players)) == 1 and players[0] else str(number)
