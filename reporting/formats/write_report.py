"""The results of a tournament in the formats in which reports are read."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from reporting.formats.annex_9.fmjd import write_fmjd
from reporting.formats.trf.write_trf16 import write_trf16
from reporting.rules.report import PointsScale, ReadReport, ReportedGame


def _write_article_11(report: ReadReport, scale: PointsScale) -> str:  # noqa: ARG001 (it counts in 2-1-0)
    """The format of Annex 9 art. 11. A comma in a field becomes a space; several games of a round (R25) are rounds."""
    games_a_round = max((game.number for game in report.games), default=1)
    winners = [player for player in report.players if player.place == 1]
    winner = f"{winners[0].first_name} {winners[0].last_name}".strip() if len(winners) == 1 else ""
    return write_fmjd(
        replace(report.info, winner=winner),
        [
            replace(
                player,
                first_name=_without_commas(player.first_name),
                last_name=_without_commas(player.last_name),
                federation=player.federation_code,
                points_printed=report.points_summed[player.number],
            )
            for player in report.players
        ],
        [_in_own_round(game, games_a_round) for game in report.games],
    )


def _in_own_round(game: ReportedGame, games_a_round: int) -> ReportedGame:
    return replace(game, round=(game.round - 1) * games_a_round + game.number)


def _without_commas(text: str) -> str:
    return " ".join(text.replace(",", " ").split())


@dataclass(frozen=True)
class ReportFile:
    """A format in which a tournament is offered: file name, name of the format, writer."""

    name: str
    format: str
    write: Callable[[ReadReport, PointsScale], str]


_TRF16 = ReportFile("games.trf", "TRF16", lambda report, scale: write_trf16(report, scale=scale))
_ARTICLE_11 = ReportFile("report.txt", "FMJD", _write_article_11)


def report_files(scale: PointsScale | str) -> list[ReportFile]:
    """The formats that have the points of a tournament with this scale: that of art. 11 has no half points."""
    return [_TRF16, _ARTICLE_11] if scale == PointsScale.FMJD else [_TRF16]
