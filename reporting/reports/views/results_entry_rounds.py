"""The rounds of a report typed in a grid: its games, with the points summed anew at each saving."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from http import HTTPStatus

from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from reporting.errors import DomainError
from reporting.formats.annex_9.article_11 import RESULTS
from reporting.formats.annex_9.fmjd import FORMAT
from reporting.policies import may_upload
from reporting.reports.services.enter_results import UnreadResult
from reporting.reports.views.reports import shell
from reporting.reports.views.results_entry import rows_of
from reporting.reports.views.results_entry_file import (
    MORE_ROWS,
    MOST_TYPED,
    Row,
    keep,
    page_in,
    tell_saved,
    turns,
    typed_report,
    whole,
)
from reporting.rules.report import (
    MOST_ROUNDS,
    PAUSE,
    POINTS_OF_A_PAUSE,
    ReadReport,
    ReportedGame,
    ReportedPlayer,
)
from reporting.web.access import LARGE_FORM, accepts, guarded_page, refusal_of, status_of
from reporting.web.paging import pager_of

GAME_CELLS = ("white", "black", "result")
PAUSE_RESULT = "pause"


@accepts(LARGE_FORM)
@guarded_page(may_upload, "GET", "HEAD", "POST")
def grid_round(request: HttpRequest, number: int, turn: int) -> HttpResponse:
    """The games of one round; each saving is the next version, with the points summed anew."""
    if not 1 <= turn <= MOST_ROUNDS:
        raise Http404(f"A report has rounds from 1 to {MOST_ROUNDS}.")
    opened, grid = typed_report(request, number)
    before = [game for game in grid.games if game.round == turn]
    unread = grid.unread_results.get(turn, ())
    page, pages = page_in(request, len(before) + len(unread))
    start = (page - 1) * MOST_TYPED
    posted = request.method == "POST"
    rows = games_typed(request) if posted else games_stored(before, unread, start, len(grid.players))
    unfit = [
        row
        for row in rows_of(grid, 0, len(grid.players))
        if row.told.keys() & {"first_name", "last_name", "country"}
    ]
    problem: DomainError | None = None
    save = "next" in request.POST or "check" in request.POST
    if save:
        games = games_of(rows, turn)
        if not unfit and not any(row.blocks for row in rows):
            others = [game for game in grid.games if game.round != turn]
            mine = [*before[:start], *games, *before[start + MOST_TYPED :]]
            everything = sorted([*others, *mine], key=lambda game: game.round)
            players = grid.players
            if "places" in request.POST:
                players = with_places(players, everything)
            try:
                version = keep(request, opened, grid, players=players, games=everything)
                tell_saved(request, f"Round {turn}", version)
                if "check" in request.POST or turn == MOST_ROUNDS:
                    return redirect("report-file", number)
                return redirect("report-grid-round", number, turn + 1)
            except (DomainError, OperationalError) as refusal:
                problem = refusal_of(refusal)
    if "more" in request.POST:
        more = min(MORE_ROWS, MOST_TYPED - len(rows))
        rows += [Row(len(rows) + each, "", dict.fromkeys(GAME_CELLS, "")) for each in range(1, more + 1)]
    names = {str(player.number): player.name for player in grid.players}
    for row in rows:
        for side in ("white", "black"):
            row.told.setdefault(f"{side}_name", names.get(row.typed[side], ""))
    wrong = save and (bool(unfit) or any(row.blocks for row in rows))
    here = {row.typed[side] for row in rows for side in ("white", "black")}
    points = grid.read.points_summed
    context = shell(request, opened, "file") | {
        "problem": problem,
        "turn": turn,
        "turns": turns(grid.read, turn),
        "rows": rows,
        "may_add": len(rows) < MOST_TYPED,
        "results": [*RESULTS, PAUSE_RESULT],
        "players": [
            (player, points[player.number])
            for player in grid.players
            if len(grid.players) <= MOST_TYPED or str(player.number) in here
        ],
        "places": "places" in request.POST,
        "wrong": wrong,
        "unfit": unfit,
        "grid": grid,
        "left_behind": grid.left_behind(turn=turn),
        "page": page,
        "pages": pages,
        "pager": pager_of(page, pages, pages * MOST_TYPED, lambda page: f"?page={page or 1}"),
    }
    status = status_of(problem) if problem else HTTPStatus.BAD_REQUEST if wrong else HTTPStatus.OK
    return render(request, "reporting/grid_round.html", context, status=status)


def games_stored(
    games: Sequence[ReportedGame], unread: Sequence[UnreadResult], start: int, players: int
) -> list[Row]:
    """The games of a page of a round as they stand, then results that could not be read, then empty rows."""
    cells: list[tuple[dict[str, str], dict[str, str]]] = [
        (
            {
                "white": str(game.white or ""),
                "black": str(game.black or ""),
                "result": PAUSE_RESULT if game.is_pause else game.result,
            },
            {},
        )
        for game in games
    ]
    cells += [
        ({name: each.fields[name] for name in GAME_CELLS}, {each.field: each.message}) for each in unread
    ]
    shown = cells[start : start + MOST_TYPED]
    empty = min(MOST_TYPED, max((players + 1) // 2 - start, 0 if shown else MORE_ROWS)) - len(shown)
    shown += [(dict.fromkeys(GAME_CELLS, ""), {}) for _ in range(empty)]
    return [Row(index, "", typed, told) for index, (typed, told) in enumerate(shown, 1)]


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
