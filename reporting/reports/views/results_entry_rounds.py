"""Results entry by rounds: the games of a report; saving sums the points."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from reporting.formats.annex_9.article_11 import RESULTS
from reporting.formats.annex_9.fmjd import FORMAT
from reporting.policies import check_can_upload
from reporting.reports.services.enter_results import UnreadResult
from reporting.reports.views.reports import report_context
from reporting.reports.views.results_entry import stored_rows
from reporting.reports.views.results_entry_file import (
    MAX_ROWS,
    MORE_ROWS,
    Row,
    add_saved_message,
    editable_report,
    loss_sentences,
    parse_whole_number,
    requested_page,
    round_numbers,
    save_grid,
)
from reporting.rules.points import result_text
from reporting.rules.report import (
    MAX_ROUNDS,
    PAUSE,
    PAUSE_POINTS,
    PointsScale,
    ReadReport,
    ReportedGame,
    ReportedPlayer,
)
from reporting.web.access import LARGE_FORM, allow_large_body, require_access
from reporting.web.attempt import Attempt
from reporting.web.paging import build_pager

GAME_CELLS = ("white", "black", "result")
PAUSE_RESULT = "pause"
SIDES = {"white": gettext_lazy("White"), "black": gettext_lazy("Black")}


@dataclass(frozen=True)
class Side:
    """The number of a player of a game: a field with the name of the player of this number."""

    name: str
    label: str | Promise
    value: str
    message: str | Promise
    player: str


@dataclass
class GameRow(Row):
    """A row of a round as it was entered; `players` are the names of the players by their numbers."""

    players: Mapping[str, str] = field(default_factory=dict)

    def sides(self) -> list[Side]:
        """The fields of the two players."""
        return [
            Side(
                side,
                label,
                self.entered[side],
                self.messages.get(side, ""),
                self.players.get(self.entered[side], ""),
            )
            for side, label in SIDES.items()
        ]

    @property
    def has_other_result(self) -> bool:
        """Whether the result is not one of the choices."""
        return bool(self.entered["result"]) and self.entered["result"] not in (*RESULTS, PAUSE_RESULT)


def result_choices(scale: PointsScale) -> list[tuple[str, str | Promise]]:
    """The results to choose from, as the file has them, each with its text by the scale of the tournament."""
    return [
        *((result, result_text(int(result[0]), int(result[2]), scale, sign=result[1])) for result in RESULTS),
        (PAUSE_RESULT, gettext_lazy("pause")),
    ]


@allow_large_body(LARGE_FORM)
@require_access(check_can_upload, "GET", "HEAD", "POST")
def grid_round(request: HttpRequest, number: int, round_number: int) -> HttpResponse:
    """The games of one round; saving makes the next version and sums the points."""
    if not 1 <= round_number <= MAX_ROUNDS:
        raise Http404(gettext("A report has rounds from 1 to %(most)s.") % {"most": MAX_ROUNDS})
    opened, grid = editable_report(request, number)
    before = [game for game in grid.games if game.round == round_number]
    unread = grid.unread_results.get(round_number, ())
    page, pages = requested_page(request, len(before) + len(unread))
    start = (page - 1) * MAX_ROWS
    posted = request.method == "POST"
    rows = posted_game_rows(request) if posted else stored_game_rows(before, unread, start, len(grid.players))
    unwritable = [
        row.number
        for row in stored_rows(grid, 0, len(grid.players))
        if row.messages.keys() & {"first_name", "last_name", "country"}
    ]
    attempt = Attempt()
    save = "next" in request.POST or "check" in request.POST
    if save:
        games = games_of(rows, round_number)
        if not unwritable and not any(row.blocks for row in rows):
            others = [game for game in grid.games if game.round != round_number]
            of_round = [*before[:start], *games, *before[start + MAX_ROWS :]]
            all_games = sorted([*others, *of_round], key=lambda game: game.round)
            players = grid.players
            if "places" in request.POST:
                players = with_places(players, all_games)
            with attempt:
                version = save_grid(request, opened, grid, players=players, games=all_games)
                add_saved_message(request, gettext("Round %(number)s") % {"number": round_number}, version)
                if "check" in request.POST or round_number == MAX_ROUNDS:
                    return redirect("report-file", number)
                return redirect("report-results-entry-round", number, round_number + 1)
    if "more" in request.POST:
        more = min(MORE_ROWS, MAX_ROWS - len(rows))
        rows += [
            GameRow(len(rows) + index, "", dict.fromkeys(GAME_CELLS, "")) for index in range(1, more + 1)
        ]
    names = {str(player.number): player.name for player in grid.players}
    for row in rows:
        row.players = names
    has_faults = save and (bool(unwritable) or any(row.blocks for row in rows))
    here = {row.entered[side] for row in rows for side in ("white", "black")}
    points = grid.read.points_summed
    context = report_context(request, opened, "file") | {
        "problem": attempt.refusal,
        "round_number": round_number,
        "round_numbers": round_numbers(grid.read, round_number),
        "rows": rows,
        "can_add_rows": len(rows) < MAX_ROWS,
        "results": result_choices(opened.submission.points_scale),
        "points_scale": opened.submission.points_scale,
        "players": [
            (player, points[player.number])
            for player in grid.players
            if len(grid.players) <= MAX_ROWS or str(player.number) in here
        ],
        "places": "places" in request.POST,
        "has_faults": has_faults,
        "unwritable": unwritable,
        "grid": grid,
        "losses": loss_sentences(grid.losses_on_save(round_number=round_number)),
        "page": page,
        "pages": pages,
        "pager": build_pager(page, pages, pages * MAX_ROWS, lambda page: f"?page={page or 1}"),
    }
    status = HTTPStatus.BAD_REQUEST if has_faults else attempt.status
    return render(request, "reporting/results_entry_round.html", context, status=status)


def stored_game_rows(
    games: Sequence[ReportedGame], unread: Sequence[UnreadResult], start: int, players: int
) -> list[GameRow]:
    """The saved games of a page of a round, then results that are not readable, then empty rows."""
    cells: list[tuple[dict[str, str], dict[str, str | Promise]]] = [
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
        ({name: result.fields[name] for name in GAME_CELLS}, {result.field: result.finding.message})
        for result in unread
    ]
    shown = cells[start : start + MAX_ROWS]
    empty = min(MAX_ROWS, max((players + 1) // 2 - start, 0 if shown else MORE_ROWS)) - len(shown)
    shown += [(dict.fromkeys(GAME_CELLS, ""), {}) for _ in range(empty)]
    return [GameRow(index, "", values, messages) for index, (values, messages) in enumerate(shown, 1)]


def posted_game_rows(request: HttpRequest) -> list[GameRow]:
    rows = []
    for index in range(1, MAX_ROWS + 1):
        if f"white-{index}" not in request.POST:
            break
        rows.append(
            GameRow(index, "", {name: request.POST.get(f"{name}-{index}", "").strip() for name in GAME_CELLS})
        )
    return rows


def games_of(rows: Iterable[GameRow], round_number: int) -> list[ReportedGame]:
    """The entered games; incomplete rows get a message. The check of the report decides whether games are possible."""
    games = []
    for row in rows:
        if row.empty:
            continue
        white, black = (
            parse_whole_number(row, side, row.entered[side], 4) or PAUSE for side in ("white", "black")
        )
        result = row.entered["result"]
        if result == PAUSE_RESULT:
            if (white == PAUSE) == (black == PAUSE):
                row.refuse("result", gettext("A pause has one number: the player with the pause."))
                continue
            points = (PAUSE_POINTS, 0) if white else (0, PAUSE_POINTS)
            games.append(ReportedGame(round_number, white, black, *points, played=False))
            continue
        for side, player in (("white", white), ("black", black)):
            if player == PAUSE and side not in row.messages:
                row.refuse(
                    side,
                    gettext("Enter the number of the player. For a pause, choose “pause” as the result."),
                )
        if result not in RESULTS:
            row.refuse("result", gettext("Choose the result."))
        if not row.blocks:
            played = result[1] == "-"
            games.append(ReportedGame(round_number, white, black, int(result[0]), int(result[2]), played))
    return games


def with_places(players: Sequence[ReportedPlayer], games: Sequence[ReportedGame]) -> list[ReportedPlayer]:
    """Places by points; players with equal points get none.

    The rules of the tournament decide the order of equal players, so the referee enters their places.
    """
    points = ReadReport(FORMAT, "", players=tuple(players), games=tuple(games)).points_summed
    sums = list(points.values())
    return [
        replace(player, place=1 + sum(other > total for other in sums) if sums.count(total) == 1 else None)
        for player, total in ((player, points[player.number]) for player in players)
    ]
