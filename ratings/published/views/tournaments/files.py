"""The files of a published tournament: standings as CSV, its games in the formats of reports."""

from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_safe

from ratings.formats.tables import csv_file
from ratings.published.selectors.tournaments.changes import tournament_report
from ratings.published.views.tournaments.played import (
    NOT_DEFINED,
    NOT_OFFERED,
    classified,
    played_or_404,
    stamp_or_404,
)
from ratings.published.views.tournaments.standings import TournamentStandingsForm
from reporting.formats.write_report import REPORT_FILES, rounds_written
from reporting.reports.standings.forms import TIE_BREAK_FIELDS
from reporting.rules.report import PointsScale
from reporting.web.http_cache import generated_file
from reporting.web.query_params import declare_parameters

STANDINGS_COLUMNS = ("place", "number", "name", "federation", "points")


@login_not_required
@require_safe
@declare_parameters(TournamentStandingsForm, *TIE_BREAK_FIELDS)
def standings_file(request: HttpRequest, code: str) -> HttpResponseBase:
    """The standings as CSV, by the parameters of their page; 400 for a choice that cannot be calculated.

    Exact: tie-breaks as whole numbers or fractions, points by the scale of the tournament.
    """
    stamp = stamp_or_404(code)
    form = TournamentStandingsForm(request.GET)
    if not form.is_valid():
        return _refused(form.errors.as_text())
    played = played_or_404(code, form.cleaned_data["round"])
    try:
        found = classified(played, form.keys, form.cleaned_data["unplayed"], form.cleaned_data["edition"])
    except NOT_DEFINED as refused:
        return _refused(f"tie_breaks: {refused}")
    federations = (
        {}
        if played.is_of_teams
        else {number: player.federation_id for number, player in played.players.items()}
    )
    keys = [tie_break.key for tie_break in found.tie_breaks]
    rows = [row | {"federation": federations.get(row["number"], "")} for row in found.to_json()]

    def content() -> bytes:
        columns = (*STANDINGS_COLUMNS, *keys)
        return csv_file(columns, ([_cell(row[name]) for name in columns] for row in rows))

    key = ("standings file", request.get_full_path(), *stamp)
    return generated_file(request, key, f"{code}-standings.csv", "text/csv", content)


@login_not_required
@require_safe
def report_file(request: HttpRequest, code: str, name: str) -> HttpResponseBase:
    """The games of a tournament in a format of reports; 404 for one that cannot have its points."""
    stamp = stamp_or_404(code)

    def content() -> bytes:
        tournament, report = tournament_report(code)
        file = next((file for file in REPORT_FILES if file.name == name), None)
        if file is None:
            raise Http404
        if reason := file.not_offered(tournament.points, rounds_written(report)):
            raise Http404(NOT_OFFERED[reason])
        return file.write(report, PointsScale(tournament.points)).encode()

    suffix = name.rpartition(".")[2]
    return generated_file(request, ("report file", *stamp), f"{code}.{suffix}", "text/plain", content)


def _cell(value: Any) -> Any:
    """A value of several numbers with spaces between them."""
    return " ".join(map(str, value)) if isinstance(value, list) else value


def _refused(problem: str) -> HttpResponse:
    return HttpResponse(problem, "text/plain; charset=utf-8", HTTPStatus.BAD_REQUEST)
