"""The Tournament Report File of FIDE, version 2016 (TRF16): writer. `trf16.py` has the columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from reporting.rules.points import points_text
from reporting.rules.report import PAUSE, PointsScale, ReadReport, ReportedGame, ReportedPlayer

_SYSTEMS = {
    "swiss": "Individual: Swiss-System",
    "round-robin": "Individual: Round-Robin",
    "teams": "Team: Round-Robin",
}
_LETTERS = {
    (2, 0, True): "1",
    (1, 1, True): "=",
    (0, 2, True): "0",
    (2, 0, False): "+",
    (0, 2, False): "-",
    (0, 0, False): "-",
    (1, 1, False): "D",
    (0, 0, True): " ",  # paired, and not played yet
}
"""Own points, the opponent's, whether a game was played → the letter of a result."""
_BYES = {2: "U", 1: "H", 0: "Z"}
_NOT_PAIRED = " " * 10
_NAME_LENGTH, _TITLE_LENGTH, _POINTS_LENGTH = 33, 3, 4


def write_trf16(report: ReadReport, *, scale: PointsScale = PointsScale.WHOLE) -> str:
    """A report as TRF16, lines ended by ``\\n``; `read_trf16` with the same scale reads the same games.

    The points column counts in ``scale``. A name is cut after 33 characters, and a title of more than three letters is
    left out: their columns have no more. The number is FIDE's, where a player has one. Of a date of birth only the year
    is written. Several games of a round (R25) are rounds of their own, in their order: at most MAX_ROUNDS, so that each
    value fits into its columns.
    """
    info = report.info
    games_a_round = max((game.number for game in report.games), default=1)
    rounds = report.rounds * games_a_round
    cells: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for game in report.games:
        turn = (game.round - 1) * games_a_round + game.number
        for number, cell in _cells(game):
            cells[number][turn] = cell
    points = report.points_summed
    head = {
        "012": info.name,
        "022": info.place,
        "032": info.country_code,
        "042": _day(info.played_from),
        "052": _day(info.played_to),
        "062": str(len(report.players)),
        "092": _SYSTEMS.get(info.system, ""),
        "102": info.referee,
        "122": info.time_control,
    }
    lines = [f"{mark} {text}" for mark, text in head.items() if text]
    if info.rounds and len(info.rounds) == report.rounds:
        days = [day for day in info.rounds for _ in range(games_a_round)]
        lines.append(f"132{'':88}" + "  ".join(day.strftime("%y/%m/%d") for day in days))
    lines += [
        _player(player, points_text(points[player.number], scale, in_file=True))
        + "".join(cells[player.number].get(turn, _NOT_PAIRED) for turn in range(1, rounds + 1)).rstrip()
        for player in report.players
    ]
    return "\n".join(lines) + "\n"


def _cells(game: ReportedGame) -> Sequence[tuple[int, str]]:
    """The players of a game, each with the ten columns of the round."""
    if game.is_pause:
        number, points = (
            (game.white, game.white_points) if game.white != PAUSE else (game.black, game.black_points)
        )
        return [(number, f"0000 - {_BYES[points]}  ")]
    return [
        (own, f"{other:>4} {colour} {_LETTERS[gained, lost, game.played]}  ")
        for own, other, colour, gained, lost in (
            (game.white, game.black, "w", game.white_points, game.black_points),
            (game.black, game.white, "b", game.black_points, game.white_points),
        )
    ]


def _player(player: ReportedPlayer, points: str) -> str:
    """The columns 1 to 91 of a line 001."""
    name = f"{player.last_name}, {player.first_name}" if player.first_name else player.name
    title = player.title if len(player.title) <= _TITLE_LENGTH else ""
    born = f"{player.born_year}/00/00" if player.born_year else ""
    # Three digits leave no room for the decimal, which their column can do without.
    whole = points if "." in points or len(points) > _POINTS_LENGTH - 2 else f"{points}.0"
    return (
        f"001 {player.number:>4} {player.sex.lower():1}{title:>3} {name[:_NAME_LENGTH]:<33} "
        f"{player.rating_printed or '':>4} {player.federation_code:<3} {player.other_numbers.get('fide', ''):>11} "
        f"{born:<10} {whole:>4} "
        f"{player.place or '':>4}  "
    )


def _day(day: date | None) -> str:
    return day.strftime("%Y/%m/%d") if day else ""
