"""The stored results of accepted reports, compared with the versions that were accepted."""

from collections import defaultdict
from collections.abc import Iterable

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef
from django.db.models.functions import Coalesce

from reporting.models import Entry, Game, Report, ReportVersion
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.read_file import unpack_reading
from reporting.rules.details.sessions import in_rounds
from reporting.rules.report import PAUSE


def refuse_changed_results(reports: Iterable[Report]) -> None:
    """Refuse accepted reports whose lines and games are not those of the accepted version any more.

    Nothing of the application changes them after the acceptance; SQL could. Who of the register a line is was decided
    by the acceptance and is not in the file. 2 queries. Raises DomainError `results_changed`.
    """
    tournaments = {
        report.accepted_version_id: report.tournament
        for report in reports
        if report.accepted_version_id and report.tournament  # both are set for accepted reports
    }
    stored_games = defaultdict(list)
    for tournament_id, *game in Game.objects.filter(tournament__in=tournaments.values()).values_list(
        "tournament",
        "round",
        "number",
        Coalesce("white__number", PAUSE),
        Coalesce("black__number", PAUSE),
        "white_points",
        "black_points",
        "played",
    ):
        stored_games[tournament_id].append(tuple(game))
    entries = Entry.objects.filter(tournament=OuterRef("report__tournament")).order_by()
    versions = ReportVersion.objects.filter(pk__in=tournaments).annotate(
        stored_lines=ArraySubquery(entries.values("number"))
    )
    for version, reading, stored_lines in (
        versions.order_by("pk").values_list("pk", "reading", "stored_lines").iterator(chunk_size=50)
    ):
        tournament = tournaments[version]
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
        lines = [player.number for player in read.players]
        if sorted(stored_lines) != sorted(lines) or sorted(stored_games[tournament.pk]) != sorted(games):
            raise DomainError("results_changed", tournament=tournament.name)
