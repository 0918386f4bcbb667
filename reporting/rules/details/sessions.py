"""Rounds of several games: of sessions, in which each has its own time control (R25, R54), and without rounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from reporting.rules.report import PAUSE, ReadReport


def in_rounds(read: ReadReport, session: Sequence[str], *, has_rounds: bool = True) -> ReadReport:
    """The report with its games in rounds: number in the round and time control of each.

    The file has a round for each game: with three games a round, its rounds 4, 5 and 6 are the games of round 2.
    ``session`` are the time controls of the games of a round, in order; without one nothing changes, unless the rating
    system has no rounds (``has_rounds``): then a game is in its round after the earlier ones of its two players.
    """
    if not session:
        return read if has_rounds else _numbered(read)
    games = []
    for game in read.games:
        turn, number = place_in_rounds(game.round, session)
        games.append(replace(game, round=turn, number=number, time_control=session[number - 1]))
    return replace(read, games=tuple(games))


def _numbered(read: ReadReport) -> ReadReport:
    last: defaultdict[tuple[int, int], int] = defaultdict(int)
    games = []
    for game in read.games:
        sides = [(game.round, number) for number in (game.white, game.black) if number != PAUSE]
        number = 1 + max((last[side] for side in sides), default=0)
        last.update(dict.fromkeys(sides, number))
        games.append(replace(game, number=number))
    return replace(read, games=tuple(games))


def place_in_rounds(round_of_file: int, session: Sequence[str]) -> tuple[int, int]:
    """Round and number in it of the games that the file has in one of its rounds; all from 1."""
    before, place = divmod(round_of_file - 1, len(session) or 1)
    return before + 1, place + 1


def round_name(round_of_file: int, session: Sequence[str]) -> str:
    """A round of the file as people call it: ``3``, in a session with the number of the game: ``1.3``."""
    turn, number = place_in_rounds(round_of_file, session)
    return f"{turn}.{number}" if session else str(turn)
