"""What a player would have after one more World Cup tournament, the others unchanged (Annex 18)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from ratings.rules.columns import Columns, Integers
from ratings.rules.days import day_number
from titles.federations.fmjd.rules.world_cup.classification import classify
from titles.federations.fmjd.rules.world_cup.parameters import Parameters
from titles.federations.fmjd.rules.world_cup.results import (
    CupParticipationColumns,
    CupTournamentColumns,
    DeclarationColumns,
    results,
)


@dataclass(frozen=True)
class PlannedTournament:
    """A tournament to come: its first and last day, its stars and its number of rounds."""

    first_day: date
    last_day: date
    stars: int
    rounds: int


@dataclass(frozen=True, eq=False)
class ScoreColumns(Columns):
    """A row for each place, and in it for each number of points, from 0 on.

    ``place`` is among those who can have a bonus; the last one means itself and all below, which have none.
    ``result`` are the World Cup points of the tournament, ``total`` those of the classification on its last day, and
    ``rank`` is 1 + the number of others who are ahead by the criteria.
    """

    place: Integers
    points: Integers
    result: Integers
    total: Integers
    rank: Integers


def scores_with(  # noqa: PLR0917
    parameters: Parameters,
    tournaments: CupTournamentColumns,
    participations: CupParticipationColumns,
    declarations: DeclarationColumns,
    player: int,
    planned: PlannedTournament,
    *,
    women: bool,
) -> ScoreColumns:
    """Total and rank of a player by place and points in a planned tournament (Annex 18, Classification; R70, R71).

    Games won there, the last criterion, are as many as the points allow without a draw. Calculated by ``results`` and
    ``classify``: each place with each number of points is a player of its own with the results of the player asked for.
    ``women`` also says for which classification the player has the result: one who declared is open.
    """
    place, points = (
        column.ravel()
        for column in np.meshgrid(
            np.arange(1, len(parameters.bonus) + 2), np.arange(2 * planned.rounds + 1), indexing="ij"
        )
    )
    first_id = int(max(participations.player.max(initial=0), player)) + 1
    copies = first_id + np.arange(place.size)

    # One tournament for each place: the copies share it below as many others as it takes.
    days = [
        np.full(len(parameters.bonus) + 1, day_number(day)) for day in (planned.first_day, planned.last_day)
    ]
    events = CupTournamentColumns(
        number=np.full(days[0].size, tournaments.number.max(initial=0) + 1),
        first_round=days[0],
        last_round=days[1],
        stars=np.full(days[0].size, planned.stars),
        separate=np.zeros(days[0].size, np.bool_),
        women_only=np.zeros(days[0].size, np.bool_),
    )
    above = np.repeat(np.arange(days[0].size), np.arange(days[0].size))
    nth = np.arange(above.size) - above * (above - 1) // 2
    others = _entries(above, first_id + place.size + np.arange(above.size), nth + 1, 0 * above, women=women)
    own = _entries(place - 1, copies, place, points, women=women)
    new = results(parameters, events, CupParticipationColumns.joined([own, others]), declarations).rows(
        slice(place.size)
    )

    found = results(parameters, tournaments, participations, declarations)
    earlier = np.flatnonzero(participations.player == player)
    rows = np.tile(earlier, place.size)
    moved = replace(own, tournament=own.tournament + len(tournaments))
    past = replace(
        participations.rows(rows), player=np.repeat(copies, earlier.size), woman=np.full(rows.size, women)
    )
    standing = classify(
        parameters,
        CupTournamentColumns.joined([tournaments, events]),
        CupParticipationColumns.joined([participations, past, moved]),
        declarations,
        type(found).joined([found, found.rows(rows), new]),
        planned.last_day,
        women=women,
    ).standing
    is_other = (standing.player < first_id) & (standing.player != player)
    before = np.cumsum(is_other) - is_other
    row_of = np.full(first_id + place.size, -1)
    row_of[standing.player] = np.arange(len(standing))
    at = row_of[copies]
    return ScoreColumns(place, points, new.points, standing.points[at], before[standing.rank[at] - 1] + 1)


def _entries(
    tournament: Integers, player: Integers, place: Integers, points: Integers, *, women: bool
) -> CupParticipationColumns:
    """Players of the planned tournament, all with a game and present at its end."""
    return CupParticipationColumns(
        tournament=tournament,
        player=player,
        woman=np.full(player.size, women),
        place=place,
        points=points,
        games=np.ones(player.size, np.int64),
        wins=points // 2,
        absent=np.zeros(player.size, np.bool_),
    )
