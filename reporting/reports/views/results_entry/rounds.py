"""Results entry by rounds: the games of a report; saving sums the points."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from reporting.policies import check_can_upload
from reporting.reports.services.enter_results import ResultsGrid, UnreadResult, with_places
from reporting.reports.views.reports import report_context
from reporting.reports.views.results_entry.file import (
    MAX_ROWS,
    MORE_ROWS,
    ChosenField,
    Row,
    WholeNumberField,
    add_saved_message,
    editable_report,
    loss_sentences,
    requested_page,
    rounds_to_enter,
    save_grid,
    sent_row_forms,
)
from reporting.reports.views.results_entry.player_rows import unwritable_players
from reporting.rules.details.sessions import place_in_rounds, round_name
from reporting.rules.points import result_text
from reporting.rules.regulations.berger import MAX_PLAYERS, MIN_PLAYERS, berger_rounds
from reporting.rules.report import (
    MAX_ROUNDS,
    PAUSE,
    PAUSE_POINTS,
    RESULTS,
    PointsScale,
    ReportedGame,
)
from reporting.web.access import LARGE_FORM, OfficeRequest, allow_large_body, require_access
from reporting.web.attempt import Attempt
from reporting.web.error_summary import InvalidField
from reporting.web.paging import build_pager

NEXT, CHECK, MORE = "next", "check", "more"
SINGLE, DOUBLE = "berger", "berger-double"
"""Tables that pair a round robin."""
MAX_NAMES = 1_000
"""Players whose names the page has for its script; of more, names appear after saving."""
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
    is_given: bool


class GameRow(Row):
    """A row of a game. `players` are the names of the players by their numbers; `pairs` are those of a table."""

    cell_names = GAME_CELLS
    players: Mapping[str, str] = MappingProxyType({})
    pairs: Collection[tuple[str, str]] = ()

    white = WholeNumberField(4)
    black = WholeNumberField(4)
    result = ChosenField((*RESULTS, PAUSE_RESULT), gettext_lazy("Choose the result."))

    def clean(self) -> dict[str, Any]:
        """The check of the report decides whether games are possible."""
        white, black = (self.cleaned_data.get(side) or PAUSE for side in SIDES)
        if self.cleaned_data.get("result") == PAUSE_RESULT:
            if (white == PAUSE) == (black == PAUSE):
                self.add_error("result", gettext("A pause has one number: the player with the pause."))
            return self.cleaned_data
        for side, player in zip(SIDES, (white, black), strict=True):
            if player == PAUSE and side not in self.errors:
                self.add_error(
                    side,
                    gettext("Enter the number of the player. For a pause, choose “pause” as the result."),
                )
        return self.cleaned_data

    def game(self, round_number: int) -> ReportedGame:
        """The entered game. After `check`."""
        white, black = (self.cleaned_data[side] or PAUSE for side in SIDES)
        result = self.cleaned_data["result"]
        if result == PAUSE_RESULT:
            points = (PAUSE_POINTS, 0) if white else (0, PAUSE_POINTS)
            return ReportedGame(round_number, white, black, *points, played=False)
        return ReportedGame(
            round_number, white, black, int(result[0]), int(result[2]), played=result[1] == "-"
        )

    def sides(self) -> list[Side]:
        """The fields of the two players."""
        entered, shown, given = self.entered, self.messages, self.waits
        return [
            Side(
                side,
                label,
                entered[side],
                shown.get(side, "") or self.unknown(entered[side]),
                self.players.get(entered[side], ""),
                given,
            )
            for side, label in SIDES.items()
        ]

    def unknown(self, number: str) -> str:
        """The message for a number that no player has; empty for others."""
        digits = number.lstrip("0")
        is_known = not digits.isdecimal() or digits in self.players
        return "" if is_known else gettext("No player has this number.")

    @property
    def waits(self) -> bool:
        """Whether it is a pair of the table without a result: it is not saved yet."""
        entered = self.entered
        return not entered["result"] and (entered["white"], entered["black"]) in self.pairs

    def field_to_type(self) -> str:
        """The first field that is not complete; empty where there is none."""
        entered = self.entered
        is_pause = entered["result"] == PAUSE_RESULT and (entered["white"] or entered["black"])
        return next((name for name in GAME_CELLS if not entered[name] and not is_pause), "")

    @property
    def has_other_result(self) -> bool:
        """Whether the result is not one of the choices."""
        return bool(self.entered["result"]) and self.entered["result"] not in (*RESULTS, PAUSE_RESULT)


class PairingForm(forms.Form):
    """The table for the pairs of a round robin."""

    pairing = forms.ChoiceField(required=False, choices=[(SINGLE, SINGLE), (DOUBLE, DOUBLE)])

    def chosen(self, name: str, other: Any = "") -> Any:
        """The value of a field, or another one where it has none that can be used."""
        self.full_clean()
        return self.cleaned_data.get(name) or other


class RoundForm(forms.Form):
    """The pressed button of a round, and whether to fill in the places."""

    action = forms.ChoiceField(required=False, choices=[(name, name) for name in (NEXT, CHECK, MORE)])
    places = forms.BooleanField(required=False)


def result_choices(scale: PointsScale) -> list[tuple[str, str | Promise]]:
    """The results to choose from, as the file has them, each with its text by the scale of the tournament."""
    return [
        *((result, result_text(int(result[0]), int(result[2]), scale, sign=result[1])) for result in RESULTS),
        (PAUSE_RESULT, gettext_lazy("pause")),
    ]


@allow_large_body(LARGE_FORM)
@require_access(check_can_upload, "GET", "HEAD", "POST")
def grid_round(request: OfficeRequest, number: int, round_number: int) -> HttpResponse:
    """The games of one round; saving makes the next version and sums the points."""
    if not 1 <= round_number <= MAX_ROUNDS:
        raise Http404(gettext("A report has rounds from 1 to %(most)s.") % {"most": MAX_ROUNDS})
    opened, grid = editable_report(request, number)
    before = [game for game in grid.games if game.round == round_number]
    unread = grid.unread_results.get(round_number, ())
    page, pages = requested_page(request, len(before) + len(unread))
    start = (page - 1) * MAX_ROWS
    form = RoundForm(request.POST)
    form.full_clean()
    action, places = form.cleaned_data.get("action", ""), form.cleaned_data["places"]
    pairing = PairingForm(request.GET).chosen("pairing")
    pairs = pairs_of_round(grid, pairing, round_number)
    if request.method == "POST":
        rows = sent_row_forms(GameRow, request.POST)
    else:
        rows = stored_game_rows(before, unread, start, len(grid.players))
        fill_in_pairs(rows, [] if unread or page > 1 else missing_of_round(pairs, before))
    for row in rows:
        row.pairs = {(str(white), str(black)) for white, black in pairs}
    unwritable = unwritable_players(grid)
    attempt = Attempt()
    save = action in (NEXT, CHECK)
    if save:
        games = games_of((row for row in rows if not row.waits), round_number)
        if not unwritable and not any(row.blocks for row in rows):
            of_round = [*before[:start], *games, *before[start + MAX_ROWS :]]
            all_games = with_round(grid.games, round_number, of_round)
            players = with_places(opened, grid.players, all_games) if places else grid.players
            with attempt:
                version = save_grid(request, opened, grid, players=players, games=all_games)
                name = round_name(round_number, opened.session)
                add_saved_message(request, gettext("Round %(number)s") % {"number": name}, version)
                saved = replace(grid, games=all_games).read
                is_last = len(rounds_to_enter(saved, round_number, opened.session)) == round_number
                if action == CHECK or (is_last and not pairs_of_round(grid, pairing, round_number + 1)):
                    return redirect("report-file", number)
                following = reverse("report-results-entry-round", args=(number, round_number + 1))
                return redirect(f"{following}?pairing={pairing}" if pairing else following)
    if action == MORE:
        more = min(MORE_ROWS, MAX_ROWS - len(rows))
        rows += [GameRow.of(len(rows) + index, {}) for index in range(1, more + 1)]
    names = {str(player.number): player.name for player in grid.players}
    for row in rows:
        row.players = names
    has_faults = save and (bool(unwritable) or any(row.blocks for row in rows))
    here = {row.entered[side] for row in rows for side in ("white", "black")}
    points = grid.read.points_summed
    context = report_context(request, opened, "file") | {
        "problem": attempt.refusal,
        "here": round_number,
        "round_name": round_name(round_number, opened.session),
        "place": (place := place_in_rounds(round_number, opened.session)),
        "time_control": opened.session[place[1] - 1] if opened.session else "",
        "rounds_to_enter": rounds_to_enter(grid.read, round_number, opened.session),
        "rows": rows,
        "focus": first_to_type(rows),
        "keeps_focus": True,
        "invalid_fields": invalid_results(rows, round_name(round_number, opened.session)),
        "names": names if len(names) <= MAX_NAMES else {},
        "is_paired": any(row.waits for row in rows),
        "tables": [] if before or unread or pairing else tables_of_round(grid, round_number),
        "can_add_rows": len(rows) < MAX_ROWS,
        "results": result_choices(opened.submission.points_scale),
        "points_scale": opened.submission.points_scale,
        "players": [
            (player, points[player.number])
            for player in grid.players
            if len(grid.players) <= MAX_ROWS or str(player.number) in here
        ],
        "places": places,
        "has_faults": has_faults,
        "unwritable": unwritable,
        "grid": grid,
        "losses": loss_sentences(grid.losses_on_save(round_number=round_number)),
        "page": page,
        "pages": pages,
        "pager": build_pager(page, pages, pages * MAX_ROWS, lambda page: f"?page={page or 1}"),
    }
    status = HTTPStatus.BAD_REQUEST if has_faults else attempt.status
    return render(request, "reporting/results_entry/results_entry_round.html", context, status=status)


def fill_in_pairs(rows: Sequence[GameRow], missing: Sequence[tuple[int, int]]) -> None:
    """Fill in the pairs of a table that a round has no game of, in the empty rows."""
    for row, (white, black) in zip([row for row in rows if row.empty], missing, strict=False):
        row.fill_in({"white": str(white), "black": str(black)})


def with_round(
    games: Sequence[ReportedGame], round_number: int, of_round: Sequence[ReportedGame]
) -> list[ReportedGame]:
    """The games of a report, by rounds, with these in one of them."""
    others = [game for game in games if game.round != round_number]
    return sorted([*others, *of_round], key=lambda game: game.round)


def invalid_results(rows: Sequence[GameRow], name: str) -> list[InvalidField]:
    """The fields of a round, by its name, with a result that cannot be used."""
    label = gettext("Round %(round)s, table %(table)s, result")
    return [
        InvalidField(
            f"result-{row.index}",
            label % {"round": name, "table": row.index},
            str(row.messages["result"]),
        )
        for row in rows
        if row.messages.get("result")
    ]


def pairs_by_table(grid: ResultsGrid, pairing: str) -> list[list[tuple[int, int]]]:
    """The rounds of the chosen table; none without a choice, or for a number of players that has no table."""
    numbers = sorted({player.number for player in grid.players})
    if not pairing or not MIN_PLAYERS <= len(numbers) <= MAX_PLAYERS:
        return []
    return berger_rounds(numbers, double=pairing == DOUBLE)


def pairs_of_round(grid: ResultsGrid, pairing: str, round_number: int) -> list[tuple[int, int]]:
    """The pairs of a round of the chosen table."""
    return dict(enumerate(pairs_by_table(grid, pairing), 1)).get(round_number, [])


def tables_of_round(
    grid: ResultsGrid, round_number: int
) -> Sequence[tuple[str, str | Promise, list[tuple[int, int]]]]:
    """The table that has this round of a round robin, with its name and the pairs."""
    names = {SINGLE: gettext_lazy("Single round robin"), DOUBLE: gettext_lazy("Double round robin")}
    rounds = ((code, name, pairs_of_round(grid, code, round_number)) for code, name in names.items())
    return [table for table in rounds if table[2] and grid.info.system == "round-robin"][:1]


def missing_of_round(
    pairs: Sequence[tuple[int, int]], games: Sequence[ReportedGame]
) -> list[tuple[int, int]]:
    """The pairs of a table that a round has no game of; none where it has a game of other pairs."""
    saved = {(game.white, game.black) for game in games if not game.is_pause}
    return [pair for pair in pairs if pair not in saved] if saved <= set(pairs) else []


def first_to_type(rows: Sequence[GameRow]) -> tuple[str, int]:
    """The field to start with, and its row: the first one with an error, or the first one that is not complete."""
    refused = ((next(iter(row.errors)), row.index) for row in rows if row.blocks)
    empty = ((name, row.index) for row in rows if (name := row.field_to_type()))
    return next(refused, None) or next(empty, ("", 0))


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
    rows = []
    for index, (values, notes) in enumerate(shown, 1):
        rows.append(GameRow.of(index, values, is_saved=True))
        rows[-1].notes |= notes
    return rows


def games_of(rows: Iterable[GameRow], round_number: int) -> list[ReportedGame]:
    """The entered games; incomplete rows get a message."""
    return [row.game(round_number) for row in rows if row.check() and not row.empty]
