"""The players and games of a report file as the engine of forecasts is given them."""

from collections.abc import Mapping

from reporting.models import Player
from reporting.rules.report import PAUSE, ReadReport
from titles.federations.facet import Entrant
from titles.federations.registry import titles_of_norms
from titles.rules.forecast import ForecastGame


def reported_entrants(read: ReadReport, players: Mapping[int, Player | None]) -> list[Entrant]:
    """The players as the file gives them, in its order; those of the register are named."""
    return [
        Entrant(
            player.name[:80],
            player.federation_code,
            player.sex if player.sex in ("M", "W") else "",
            (player.title,) if player.title in titles_of_norms() else (),
            player.rating_printed or 0,
            players.get(player.number),
        )
        for player in read.players
    ]


def reported_games(read: ReadReport) -> list[ForecastGame]:
    """The games between two players of the file, each a row of its players."""
    rows = {player.number: row for row, player in enumerate(read.players)}
    return [
        (game.round, rows[game.white], rows[game.black], game.white_points, game.black_points, game.played)
        for game in read.games
        if PAUSE not in (game.white, game.black)
        and game.white != game.black
        and {game.white, game.black} <= rows.keys()
        and {game.white_points, game.black_points} <= {0, 1, 2}
    ]


def games_to_come(number: int, games: list[ForecastGame], rounds: int) -> list[ForecastGame]:
    """The pairs of a round robin that have not met in the file; twice where there are rounds for it (art. 4.5.8)."""
    cycle = number - 1 + number % 2
    times = max(rounds // cycle, 1) if cycle > 0 else 0
    met: dict[tuple[int, int], int] = {}
    for _, white, black, *_ in games:
        pair = (min(white, black), max(white, black))
        met[pair] = met.get(pair, 0) + 1
    return [
        (rounds, one, other, 0, 0, False)
        for one in range(number)
        for other in range(one + 1, number)
        for _ in range(times - met.get((one, other), 0))
    ]
