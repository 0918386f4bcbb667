"""The stored results of accepted reports, compared with the versions that were accepted."""

from collections.abc import Iterable

from django.db.models.functions import Coalesce

from reporting.models import Report, ReportVersion
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.read_file import unpack_reading
from reporting.rules.details.sessions import in_rounds
from reporting.rules.report import PAUSE


def refuse_changed_results(reports: Iterable[Report]) -> None:
    """Refuse accepted reports whose lines and games are not those of the accepted version any more.

    Nothing of the application changes them after the acceptance; SQL could. Who of the register a line is was decided
    by the acceptance and is not in the file. 3 queries for each report. Raises DomainError `results_changed`.
    """
    for report in reports:
        tournament = report.tournament
        version = report.accepted_version_id
        assert tournament is not None and version is not None  # noqa: PT018, S101 (both are set for accepted reports)
        reading = ReportVersion.objects.values_list("reading", flat=True).get(pk=version)
        read = in_rounds(unpack_reading(bytes(reading)).read, tournament.session)
        games = [
            (
                game.round,
                game.number,
                game.white,
                game.black,
                game.white_points,
                game.black_points,
                game.played,
            )
            for game in read.games
        ]
        stored_games = tournament.games.values_list(
            "round",
            "number",
            Coalesce("white__number", PAUSE),
            Coalesce("black__number", PAUSE),
            "white_points",
            "black_points",
            "played",
        )
        lines = [player.number for player in read.players]
        stored_lines = tournament.entries.values_list("number", flat=True)
        if sorted(stored_lines) != sorted(lines) or sorted(stored_games) != sorted(games):
            raise DomainError("results_changed", tournament=tournament.name)
