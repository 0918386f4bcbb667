"""The rounds of a report typed in a grid: its games, with the points summed anew at each saving."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from http import HTTPStatus

from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from reporting.errors import DomainError
from reporting.formats.article_11 import RESULTS
from reporting.formats.fmjd import FORMAT
from reporting.formats.values import (
    MOST_ROUNDS,
    PAUSE,
    POINTS_OF_A_PAUSE,
    ReadReport,
    ReportedGame,
    ReportedPlayer,
)
from reporting.policies import may_upload
from reporting.views.guarded import LARGE_FORM, accepts, guarded_page, refusal_of, status_of
from reporting.views.reports import shell
from reporting.views.typed_reports import (
    MORE_ROWS,
    MOST_TYPED,
    Row,
    keep,
    tell_saved,
    turns,
    typed_report,
    whole,
)

GAME_CELLS = ("white", "black", "result")
PAUSE_RESULT = "pause"


@accepts(LARGE_FORM)
@guarded_page(may_upload, "GET", "HEAD", "POST")
def grid_round(request: HttpRequest, number: int, turn: int) -> HttpResponse:
    """The games of one round; each saving is the next version, with the points summed anew."""
    if not 1 <= turn <= MOST_ROUNDS:
        raise Http404(f"A report has rounds from 1 to {MOST_ROUNDS}.")
    opened = typed_report(request, number)
    read = opened.submission.read
    rows = games_typed(request) if request.method == "POST" else games_stored(read, turn)
    problem: DomainError | None = None
    save = "next" in request.POST or "check" in request.POST
    if save:
        games = games_of(rows, turn)
        if not any(row.blocks for row in rows):
            others = [game for game in read.games if game.round != turn]
            everything = sorted([*others, *games], key=lambda game: game.round)
            players = list(read.players)
            if "places" in request.POST:
                players = with_places(players, everything)
            try:
                version = keep(request, opened, read.info, players, everything)
                tell_saved(request, f"Round {turn}", version)
                if "check" in request.POST or turn == MOST_ROUNDS:
                    return redirect("report-file", number)
                return redirect("report-grid-round", number, turn + 1)
            except (DomainError, OperationalError) as refusal:
                problem = refusal_of(refusal)
    if "more" in request.POST:
        rows += [Row(len(rows) + each, "", dict.fromkeys(GAME_CELLS, "")) for each in range(1, MORE_ROWS + 1)]
    names = {str(player.number): player.name for player in read.players}
    for row in rows:
        for side in ("white", "black"):
            row.told.setdefault(f"{side}_name", names.get(row.typed[side], ""))
    wrong = any(row.blocks for row in rows)
    context = shell(request, opened, "file") | {
        "problem": problem,
        "turn": turn,
        "turns": turns(read, turn),
        "rows": rows,
        "results": RESULTS,
        "players": [(player, read.points_summed[player.number]) for player in read.players],
        "places": "places" in request.POST,
        "wrong": wrong,
    }
    status = status_of(problem) if problem else HTTPStatus.BAD_REQUEST if wrong else HTTPStatus.OK
    return render(request, "reporting/grid_round.html", context, status=status)


def games_stored(read: ReadReport, turn: int) -> list[Row]:
    """The games of a round as they stand, with empty rows for those still to come."""
    rows = [
        Row(
            index,
            "",
            {
                "white": str(game.white or ""),
                "black": str(game.black or ""),
                "result": PAUSE_RESULT if game.is_pause else game.result,
            },
        )
        for index, game in enumerate((each for each in read.games if each.round == turn), 1)
    ]
    for index in range(len(rows) + 1, (len(read.players) + 1) // 2 + 1):
        rows.append(Row(index, "", dict.fromkeys(GAME_CELLS, "")))
    return rows


def games_typed(request: HttpRequest) -> list[Row]:
    rows = []
    for index in range(1, MOST_TYPED + 1):
        if f"white-{index}" not in request.POST:
            break
        rows.append(
            Row(index, "", {name: request.POST.get(f"{name}-{index}", "").strip() for name in GAME_CELLS})
        )
    return rows


def games_of(rows: Iterable[Row], turn: int) -> list[ReportedGame]:
    """The games typed; a row that is not whole is told. Whether they can be is for the check of the report."""
    games = []
    for row in rows:
        if row.empty:
            continue
        white, black = (whole(row, side, row.typed[side], 4) or PAUSE for side in ("white", "black"))
        result = row.typed["result"]
        if result == PAUSE_RESULT:
            if (white == PAUSE) == (black == PAUSE):
                row.refuse("result", "A pause has one number: that of the player who has it.")
                continue
            points = (POINTS_OF_A_PAUSE, 0) if white else (0, POINTS_OF_A_PAUSE)
            games.append(ReportedGame(turn, white, black, *points, played=False))
            continue
        for side, player in (("white", white), ("black", black)):
            if player == PAUSE and side not in row.told:
                row.refuse(side, "The player’s number; for a pause choose “pause” as the result.")
        if result not in RESULTS:
            row.refuse("result", "Choose the result.")
        if not row.blocks:
            played = result[1] == "-"
            games.append(ReportedGame(turn, white, black, int(result[0]), int(result[2]), played))
    return games


def with_places(players: Sequence[ReportedPlayer], games: Sequence[ReportedGame]) -> list[ReportedPlayer]:
    """Places where the points alone decide, none for those who share theirs.

    How equals are parted is for the rules of the competition, which a sum does not know: their places are typed.
    """
    points = ReadReport(FORMAT, "", players=tuple(players), games=tuple(games)).points_summed
    sums = list(points.values())
    return [
        replace(player, place=1 + sum(other > mine for other in sums) if sums.count(mine) == 1 else None)
        for player, mine in ((player, points[player.number]) for player in players)
    ]
