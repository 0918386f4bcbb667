"""A Swiss tournament as a report, to be written in a format of reports."""

from collections.abc import Iterable, Mapping

from reporting.rules.pairing.tournament import PAUSE, PairedGame, Result, Tournament
from reporting.rules.report import ReadReport, ReportedGame, ReportedInfo, ReportedPlayer


def as_report(
    tournament: Tournament, *, name: str, names: Mapping[int, str], more: Iterable[PairedGame] = ()
) -> ReadReport:
    """Return the players and the games of a tournament, and `more` games; a player without a name is numbered.

    A game that is still open has no points and counts as played.
    """
    return ReadReport(
        format="trf16",
        encoding="utf-8",
        info=ReportedInfo(name=name, system="swiss"),
        players=tuple(
            ReportedPlayer(
                number=player.number,
                name=names.get(player.number, f"Player {player.number}"),
                rating_printed=player.rating,
            )
            for player in tournament.players
        ),
        games=tuple(_reported(game) for game in (*tournament.games, *more)),
    )


def _reported(game: PairedGame) -> ReportedGame:
    white, black = (0, 0) if game.result is Result.OPEN else game.result.points
    is_pause = game.black == PAUSE
    return ReportedGame(
        round=game.round,
        white=game.white,
        black=game.black,
        white_points=white,
        black_points=0 if is_pause else black,
        played=not is_pause and not game.result.is_forfeit,
    )
