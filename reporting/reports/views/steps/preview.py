"""The step of a report that shows it as the office sees it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from reporting.models import Player
from reporting.policies import check_can_read_reports
from reporting.reports.selectors.rating_lists import rating_lists
from reporting.reports.selectors.substitutes import substitutes_of
from reporting.reports.views.reports import report_context, report_or_404
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.points import draw_sign
from reporting.rules.report import PAUSE, ReadReport, ReportedGame, ReportedPlayer
from reporting.web.access import OfficeRequest, require_access
from reporting.web.paging import Rows, rounds_on_page, rows_on_page


@dataclass(frozen=True)
class PreviewLine:
    """A player with place and results, points as printed and as summed, and the expected change."""

    player: ReportedPlayer
    place: int | None
    known: Player | None
    cells: Sequence[Sequence["PreviewCell"]]
    summed: int
    expected: Any

    @property
    def differs(self) -> bool:
        return self.player.points_printed is not None and self.player.points_printed != self.summed


@dataclass(frozen=True)
class PreviewCell:
    """One result of a round: points, number of the opponent, colour; `sign` is + of a plus draw, − of a minus draw."""

    points: int
    against: int
    white: bool
    played: bool
    sign: str


@require_access(check_can_read_reports, "GET", "HEAD")
def report_preview(request: OfficeRequest, number: int) -> HttpResponse:
    """The report as the office sees it: crosstable, points and expected rating changes."""
    opened = report_or_404(request, number)
    read, details = opened.submission.read, opened.submission.details
    expectation = rating_lists().expected_changes(details, read, opened.players) if details else None
    expected = expectation.players if expectation else {}
    lines, rounds = preview_lines(request, read, details, opened.players, expected)
    context = report_context(request, opened, "preview") | {
        "lines": lines,
        "rounds": rounds,
        "points_scale": opened.submission.points_scale,
        "printed_scale": opened.submission.printed_scale,
        "substitutes": substitutes_of(read, opened.submission.register),
        "expectation": expectation,
    }
    return render(request, "reporting/reports/report_preview.html", context)


def preview_lines(
    request: OfficeRequest | None,
    read: ReadReport,
    details: TournamentDetails | None,
    players: Any,
    expected: Any,
) -> tuple[Rows[PreviewLine], Rows[int]]:
    """A page of the players by place with their results, and the rounds that its crosstable has room for."""
    summed = read.points_summed

    def place(player: ReportedPlayer) -> int | None:
        return details.place_of(player.place) if details else player.place

    ordered = sorted(
        read.players,
        key=lambda player: (place(player) or len(read.players) + 1, -summed[player.number], player.number),
    )
    shown = rows_on_page(request, ordered, anchor="#standings")
    # Once for each number, because a file can have a number on thousands of lines.
    plus_draws = frozenset(details.plus_draws if details else ())
    results = {number: cells(read, number, plus_draws) for number in {player.number for player in shown}}
    lines = [
        PreviewLine(
            player,
            place(player),
            players.get(player.number),
            results[player.number],
            summed[player.number],
            expected.get(player.number),
        )
        for player in shown
    ]
    rounds = rounds_on_page(request, range(1, read.rounds + 1), lines)
    return Rows(lines, shown.first, shown.last, shown.total, shown.pager), rounds


def cells(read: ReadReport, number: int, plus_draws: Collection[tuple[int, ...]]) -> list[list[PreviewCell]]:
    """A player's results by rounds."""
    by_round: list[list[PreviewCell]] = [[] for _ in range(read.rounds)]
    for game in read.games_of.get(number, ()):
        by_round[game.round - 1].append(cell(game, number, plus_draws))
    return by_round


def cell(game: ReportedGame, number: int, plus_draws: Collection[tuple[int, ...]]) -> PreviewCell:
    white = game.white == number
    points = game.white_points if white else game.black_points
    against = game.black if white else game.white
    sign = draw_sign(plus_draws, game.round, game.number, number, against)
    return PreviewCell(points, against, white, game.played or against == PAUSE, sign)
