"""The results of a tournament as files that programs read: what a reader downloads, an office can upload."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from reporting.formats.annex_9.fmjd import write_fmjd
from reporting.formats.trf.write_trf16 import write_trf16
from reporting.rules.report import PointsScale, ReadReport, ReportedGame


def _write_article_11(report: ReadReport, scale: PointsScale) -> str:  # noqa: ARG001 (it counts in 2-1-0)
    """The format of Annex 9 art. 11. A comma in a field becomes a space; several games of a round (R25) are rounds."""
    games_a_round = max((game.number for game in report.games), default=1)
    return write_fmjd(
        report.info,
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


REPORT_FILES: Mapping[str, Callable[[ReadReport, PointsScale], str]] = {
    "games.trf": lambda report, scale: write_trf16(report, scale=scale),
    "report.txt": _write_article_11,
}
"""Name of a file → its writer, from a report and the scale of the tournament's points."""


def report_files(scale: PointsScale | str) -> list[str]:
    """The files of a tournament with this scale: the format of art. 11 has no half points."""
    return [name for name in REPORT_FILES if name != "report.txt" or scale == PointsScale.FMJD]
