"""Sessions: rounds of several games, each with its own time control (Annex 3 art. 5.6a; R25, R54)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reporting.rules.report import ReadReport


def in_rounds(read: ReadReport, session: Sequence[str]) -> ReadReport:
    """The report with its games in rounds: number in the round and time control of each.

    The file has a round for each game: with three games a round, its rounds 4, 5 and 6 are the games of round 2.
    ``session`` are the time controls of the games of a round, in order; without one nothing changes.
    """
    if not session:
        return read
    games = []
    for game in read.games:
        before, place = divmod(game.round - 1, len(session))
        games.append(replace(game, round=before + 1, number=place + 1, time_control=session[place]))
    return replace(read, games=tuple(games))
