"""What pages read about tournaments and the people in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reporting.models import Entry, Game, Tournament


@dataclass(frozen=True)
class Cell:
    """One player's game of one round: his points and colour, and against whom."""

    game: Game
    points: int
    white: bool
    opponent: Entry | None

    @property
    def played(self) -> bool:
        return self.game.played


@dataclass(frozen=True)
class Line:
    """A player's line of the crosstable: his games by round, in the order of `Crosstable.rounds`."""

    entry: Entry
    points: int
    cells: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Crosstable:
    """A tournament round by round, its players by place, then points, then number."""

    rounds: Sequence[int]
    lines: Sequence[Line]
    games: int
    double_rounds: bool


def crosstable(tournament: Tournament) -> Crosstable:
    """Everybody's games by rounds. 2 queries.

    A round of one player may hold several games (mini-matches). Points are the sum of the games, a pause
    included; the place is the report's.
    """
    entries = list(
        Entry.objects.filter(tournament_id=tournament.pk).select_related("player").order_by("number")
    )
    by_key = {entry.pk: entry for entry in entries}
    games = list(Game.objects.filter(tournament_id=tournament.pk).order_by("round", "pk"))
    rounds = sorted({game.round for game in games})
    cells: dict[tuple[int, int], list[Cell]] = {}
    for game in games:
        for own, other, points, white in (
            (game.white_id, game.black_id, game.white_points, True),
            (game.black_id, game.white_id, game.black_points, False),
        ):
            if own is not None:
                opponent = None if other is None else by_key[other]
                cells.setdefault((own, game.round), []).append(Cell(game, points, white, opponent))
    lines = [_line(entry, rounds, cells) for entry in entries]
    lines.sort(key=lambda line: (line.entry.place or len(lines) + 1, -line.points, line.entry.number))
    played = sum(game.played for game in games)
    return Crosstable(rounds, lines, played, any(len(each) > 1 for each in cells.values()))


def _line(entry: Entry, rounds: Sequence[int], cells: Mapping[tuple[int, int], list[Cell]]) -> Line:
    own = [cells.get((entry.pk, number), []) for number in rounds]
    return Line(entry, sum(cell.points for games in own for cell in games), own)
