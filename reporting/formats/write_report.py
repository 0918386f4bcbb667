"""The results of a tournament in the formats in which reports are read."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from reporting.formats.annex_9.fmjd import write_fmjd
from reporting.formats.trf.write_trf16 import write_trf16
from reporting.rules.report import MAX_ROUNDS, PointsScale, ReadReport, ReportedGame


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


class NotOffered(StrEnum):
    """Why a tournament is not offered in a format."""

    HALF_POINTS = "half-points"
    ROUNDS = "rounds"


@dataclass(frozen=True)
class ReportFile:
    """A format in which tournaments are offered: file name, name of the format, writer, whether it has half points."""

    name: str
    format: str
    write: Callable[[ReadReport, PointsScale], str]
    has_half_points: bool = False

    def not_offered(self, scale: PointsScale | str, rounds: int) -> NotOffered | None:
        """Why a tournament of this scale cannot be written; ``rounds`` has one for each game of a session."""
        if rounds > MAX_ROUNDS:
            return NotOffered.ROUNDS
        return None if self.has_half_points or scale == PointsScale.WHOLE else NotOffered.HALF_POINTS


REPORT_FILES = (
    ReportFile(
        "games.trf", "TRF16", lambda report, scale: write_trf16(report, scale=scale), has_half_points=True
    ),
    ReportFile("report.txt", "FMJD", _write_article_11),
)


def rounds_written(report: ReadReport) -> int:
    """The rounds of a report in a file: several games of a round (R25) are rounds of their own."""
    return report.rounds * max((game.number for game in report.games), default=1)
