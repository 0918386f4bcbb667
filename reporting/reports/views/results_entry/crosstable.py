"""Results entry by a crosstable: all rounds on one page, typed, pasted or paired by table."""

import re
from collections.abc import Collection, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from reporting.formats.crosstables.entered_table import (
    CellProblem,
    Place,
    Problem,
    cells_of_games,
    pair_cell,
    read_cell,
    read_entered_table,
)
from reporting.formats.crosstables.pasted_table import PastedTable, PasteProblem, read_pasted_table
from reporting.policies import check_can_upload
from reporting.refusals.domain_error import DomainError
from reporting.reports.services.enter_results import ResultsGrid, with_places
from reporting.reports.views.reports import report_context
from reporting.reports.views.results_entry.file import (
    add_saved_message,
    editable_report,
    loss_sentences,
    rounds_to_enter,
    save_grid,
)
from reporting.reports.views.results_entry.player_rows import unwritable_players
from reporting.reports.views.results_entry.rounds import (
    DOUBLE,
    SINGLE,
    PairingForm,
    missing_of_round,
    pairs_by_table,
)
from reporting.rules.details.sessions import round_name
from reporting.rules.points import HALF_POINT
from reporting.rules.report import MAX_ROUNDS, PAUSE, PointsScale, ReportedGame, ReportedPlayer
from reporting.web.access import LARGE_FORM, OfficeRequest, allow_large_body, require_access
from reporting.web.attempt import Attempt
from reporting.web.error_summary import InvalidField
from reporting.web.paging import build_pager
from reporting.web.query_params import PageForm

SAVE, CHECK, PASTE, MORE = "save", "check", "paste", "more"
MAX_CELLS = 2_500
"""Cells on a page, about 150 bytes each: 200 players of 9 rounds."""
MAX_PASTED = 200_000
CELL = re.compile(r"c-([0-9]{1,4})-([0-9]{1,2})")
POINTS = re.compile(rf"(2|1|{HALF_POINT}|0)x?")
"""What is enough in the cell of a pair of the table, in both scales."""

PROBLEMS: Mapping[CellProblem, str | Promise] = {
    CellProblem.UNREADABLE: gettext_lazy(
        "Enter opponent, colour and points: 12w2, 12b0. A result without a game ends in x: 12w2x."
    ),
    CellProblem.UNKNOWN_NUMBER: gettext_lazy("No player has number %(number)s."),
    CellProblem.OWN_NUMBER: gettext_lazy("This is the player's own number."),
    CellProblem.NO_RESULT: gettext_lazy("The points are missing: 2, 1 or 0; without a game 2x, 1x or 0x."),
    CellProblem.OTHER_OPPONENT: gettext_lazy("The cell of number %(number)s does not have this game."),
    CellProblem.OTHER_GAME: gettext_lazy("One of both already plays another game: see number %(number)s."),
    CellProblem.SAME_COLOUR: gettext_lazy("The cell of number %(number)s has the same colour."),
    CellProblem.RESULTS: gettext_lazy("The cell of number %(number)s has another result."),
}
PASTE_PROBLEMS: Mapping[PasteProblem, str | Promise] = {
    PasteProblem.NO_ROUNDS: gettext_lazy("No heading is the number of a round"),
    PasteProblem.REPEATED_ROUND: gettext_lazy("Two headings are the number of one round"),
    PasteProblem.NO_NUMBER: gettext_lazy("The line does not begin with the number of a player"),
    PasteProblem.UNKNOWN_NUMBER: gettext_lazy("No player on this page has the number"),
    PasteProblem.REPEATED_NUMBER: gettext_lazy("The number is in an earlier line"),
    PasteProblem.TOO_MANY_ROUNDS: gettext_lazy("The line has too many rounds"),
}


class CellsWidget(forms.Widget):
    """Cells by the number of their player and their round, as sent."""

    def value_from_datadict(
        self,
        data: Mapping[str, Any],
        files: Mapping[str, Any],  # noqa: ARG002
        name: str,  # noqa: ARG002
    ) -> dict[Place, str]:
        cells = {(int(match[1]), int(match[2])): data[key] for key in data if (match := CELL.fullmatch(key))}
        return {place: text.strip() for place, text in cells.items()}


class PlaceForm(PairingForm):
    """What the address of the page asks for: also so many rounds, and the focus on a cell."""

    rounds = forms.IntegerField(required=False, min_value=1, max_value=MAX_ROUNDS)
    at = forms.RegexField(rf"\A{CELL.pattern}\Z", required=False)


class CrosstableForm(PlaceForm):
    """The cells of a page, the pressed button, a table to paste, and whether to fill in the places."""

    action = forms.ChoiceField(required=False, choices=[(name, name) for name in (SAVE, CHECK, PASTE, MORE)])
    cells = forms.Field(required=False, widget=CellsWidget)
    pasted = forms.CharField(required=False, max_length=MAX_PASTED, strip=False)
    places = forms.BooleanField(required=False)


@allow_large_body(LARGE_FORM)
@require_access(check_can_upload, "GET", "HEAD", "POST")
def grid_crosstable(request: OfficeRequest, number: int) -> HttpResponse:
    """All games of a report; saving makes the next version and sums the points."""
    opened, grid = editable_report(request, number)
    scale = opened.submission.points_scale
    asked = PlaceForm(request.GET)
    form = CrosstableForm(request.POST)
    action = form.chosen("action")
    pairing = (form if request.method == "POST" else asked).chosen("pairing")
    table = pairs_by_table(grid, pairing)
    columns = columns_shown(grid, table, form.chosen("rounds", asked.chosen("rounds", 0)), action)
    by_number = {player.number: player for player in grid.players}
    text = form.chosen("pasted") if action == PASTE else ""
    columns = max(columns, read_pasted_table(text, numbers=by_number, scale=scale).rounds)
    sent = {
        (player, turn): text
        for (player, turn), text in form.chosen("cells", {}).items()
        if player in by_number and turn
    }
    rows = MAX_CELLS // (-(-columns // 10) * 10)
    pages = max(1, -(-len(by_number) // rows))
    page = min(PageForm(request.GET).number or 1, pages)
    # What was sent is shown again, also where a round more would leave room for fewer players.
    shown = [by_number[player] for player in dict.fromkeys(player for player, _ in sent)]
    shown = shown or list(by_number.values())[(page - 1) * rows : page * rows]
    pasted = read_pasted_table(text, numbers={player.number for player in shown}, scale=scale)
    stored = cells_of_games(grid.games, scale)
    sent = with_pairs(sent, missing_pairs(table, grid.games, {}), by_number)
    cells = stored | sent | pasted.cells
    cells |= missing_pairs(table, grid.games, cells)
    pairs = {(turn, *pair) for turn, of_round in enumerate(table, 1) for pair in of_round}
    changed = {place: text for place, text in cells.items() if text != stored.get(place)}
    entered = read_entered_table(grid.games, changed, numbers=by_number, scale=scale, pairs=pairs)
    unwritable = unwritable_players(grid)
    attempt = Attempt()
    save = action in (SAVE, CHECK)
    if save and not entered.problems and not unwritable:
        games = sorted(entered.games, key=lambda game: game.round)
        players = with_places(opened, grid.players, games) if form.chosen("places") else grid.players
        with attempt:
            version = save_grid(request, opened, grid, players=players, games=games)
            add_saved_message(request, gettext("Crosstable"), version)
            if action == CHECK:
                return redirect("report-file", number)
            shown_again = {"pairing": pairing, "rounds": columns, "at": form.chosen("at"), "page": page}
            query = {name: value for name, value in shown_again.items() if value}
            return redirect(reverse("report-results-entry-crosstable", args=(number,), query=query))
    is_pasted = action == PASTE and "pasted" not in form.errors
    if action == PASTE and not is_pasted:
        attempt.refuse(DomainError("unreadable", most=MAX_PASTED))
    # A problem is shown when something was saved or pasted: pairs without a result wait for it.
    problems = entered.problems if save or is_pasted else {}
    filled = filled_holes(pasted.holes, entered.games, cells, scale)
    cells |= filled
    context = report_context(request, opened, "file") | {
        "problem": attempt.refusal,
        "here": "crosstable",
        "rounds_to_enter": rounds_to_enter(grid.read, 1, opened.session),
        "rounds": [(turn, round_name(turn, opened.session)) for turn in range(1, columns + 1)],
        "lines": entry_lines(
            shown,
            columns=columns,
            cells=cells,
            stored=stored,
            problems=problems,
            grid=grid,
            scale=scale,
            at=asked.chosen("at"),
        ),
        "invalid_fields": invalid_cells(problems, grid.players),
        "keeps_focus": True,
        "has_faults": save and bool(problems or unwritable),
        "unwritable": unwritable,
        "paste": paste_result(pasted, filled, problems, cells) if is_pasted else None,
        "pasted": "\n".join(line for line, _ in pasted.unused) if is_pasted else form["pasted"].value() or "",
        "tables": tables_to_choose(grid),
        "offers_pairing": grid.info.system == "round-robin" and not grid.games and not pairing,
        "pairing": pairing,
        "filled": sum(
            cells.get((white, turn)) == pair_cell(black, is_white=True) for turn, white, black in pairs
        ),
        "places": form.chosen("places"),
        "columns": columns,
        "can_add_rounds": columns < MAX_ROUNDS,
        "points_scale": scale,
        "grid": grid,
        "losses": loss_sentences(grid.losses_on_save()),
        "page": page,
        "pages": pages,
        "pager": build_pager(page, pages, pages * rows, lambda page: f"?page={page or 1}&rounds={columns}"),
    }
    status = HTTPStatus.BAD_REQUEST if save and (problems or unwritable) else attempt.status
    return render(request, "reporting/results_entry/results_entry_crosstable.html", context, status=status)


def with_pairs(
    sent: Mapping[Place, str], waiting: Mapping[Place, str], numbers: Collection[int]
) -> dict[Place, str]:
    """The sent cells; those of pairs of the table that wait for a result are of these pairs."""
    return {
        place: with_points(waiting[place], text, numbers) if place in waiting else text
        for place, text in sent.items()
    }


def with_points(pair: str, text: str, numbers: Collection[int]) -> str:
    """The cell of a pair of the table after its points were typed alone, or before the pair: `1` in `10w` is `10w1`.

    What begins with the number of a player (`110w`) is another pair.
    """
    if POINTS.fullmatch(text):
        return f"{pair}{text}"
    first = text.removesuffix(pair)
    if first == text or not POINTS.fullmatch(first):
        return text
    is_number = first != "0" and first.isdecimal() and int(first + pair.rstrip("wb")) in numbers
    return text if is_number else f"{pair}{first}"


def columns_shown(grid: ResultsGrid, table: Sequence[Any], asked: int, action: str) -> int:
    """The rounds of the page: those with a game and the next one, those of the table, those of the details."""
    days = grid.details.get("rounds", ())
    planned = len(pairs_by_table(grid, SINGLE)) if grid.info.system == "round-robin" else 0
    least = max(grid.read.rounds, len(days)) or max(planned, 1)
    if not days and grid.read.rounds and not planned:
        least += 1
    return min(max(least, planned, len(table), asked + (action == MORE)), MAX_ROUNDS)


def missing_pairs(
    table: Sequence[Sequence[tuple[int, int]]], games: Sequence[ReportedGame], cells: Mapping[Place, str]
) -> dict[Place, str]:
    """The pairs of the table in rounds that have no game of another table, where both cells are empty."""
    added = {}
    for turn, pairs in enumerate(table, 1):
        for white, black in missing_of_round(pairs, [game for game in games if game.round == turn]):
            if not cells.get((white, turn)) and not cells.get((black, turn)):
                added[white, turn] = pair_cell(black, is_white=True)
                added[black, turn] = pair_cell(white, is_white=False)
    return added


def filled_holes(
    holes: Collection[Place], games: Sequence[ReportedGame], cells: Mapping[Place, str], scale: PointsScale
) -> dict[Place, str]:
    """The texts of empty cells of a pasted table whose game is in the cell of the opponent."""
    made = cells_of_games(games, scale) if holes else {}
    return {place: made[place] for place in holes if not cells.get(place) and place in made}


def tables_to_choose(grid: ResultsGrid) -> list[tuple[str, str, list[list[tuple[int, int]]]]]:
    """The tables for this number of players, each with its name and its rounds; none for a Swiss tournament."""
    names = {SINGLE: gettext("Single round robin"), DOUBLE: gettext("Double round robin")}
    tables = ((code, name, pairs_by_table(grid, code)) for code, name in names.items())
    return [(code, name, rounds) for code, name, rounds in tables if rounds and grid.info.system != "swiss"]


def entry_lines(
    players: Sequence[ReportedPlayer],
    *,
    columns: int,
    cells: Mapping[Place, str],
    stored: Mapping[Place, str],
    problems: Mapping[Place, Problem],
    grid: ResultsGrid,
    scale: PointsScale,
    at: str,
) -> list[tuple[ReportedPlayer, int, list[SafeString]]]:
    """A line for each player: points as saved, and the cells; one of them has the focus."""
    names = {player.number: player.name for player in grid.players}
    points = grid.read.points_summed
    sentences = {True: gettext("White against %(name)s"), False: gettext("Black against %(name)s")}
    places = [(player.number, turn) for turn in range(1, columns + 1) for player in players]
    asked = CELL.fullmatch(at)
    saved = (int(asked[1]), int(asked[2])) if asked else None
    first_empty = next((place for place in places if not has_result(cells.get(place, ""))), None)
    focus = min(problems, default=None, key=lambda place: (place[1], place[0])) or saved or first_empty

    def title(text: str) -> str:
        halves = (read_cell(text, scale) if text else None) or ()
        return ", ".join(
            sentences[half.is_white] % {"name": names[half.opponent]}
            for half in halves
            if half.opponent != PAUSE and half.opponent in names
        )

    def cell(place: Place) -> SafeString:
        """The attributes of the input: a template would take twice as long to render 2,000 of them."""
        text, (number, turn) = cells.get(place, ""), place
        name = f"c-{number}-{turn}"
        is_new = bool(text) and text != stored.get(place)
        attributes = {
            "class": "cells__input cells__input--new" if is_new else "cells__input",
            "id": name,
            "name": name,
            "value": text,
            "aria-labelledby": f"r{turn} p{number}",
        }
        if against := title(text):
            attributes["title"] = against
        if place in problems:
            attributes |= {"aria-invalid": "true", "aria-describedby": f"{name}-message"}
        return flatatt(attributes | {"autofocus": place == focus})

    return [
        (player, points[player.number], [cell((player.number, turn)) for turn in range(1, columns + 1)])
        for player in players
    ]


def has_result(text: str) -> bool:
    """Whether a cell has more than a pair."""
    return bool(text) and not text.endswith(("w", "b"))


def invalid_cells(problems: Mapping[Place, Problem], players: Sequence[ReportedPlayer]) -> list[InvalidField]:
    """For each problem its cell, where that is, and its sentence."""
    names = {player.number: player.name for player in players}
    where = gettext("Round %(round)s, number %(number)s, %(name)s")
    return [
        InvalidField(
            f"c-{number}-{turn}",
            where % {"round": turn, "number": number, "name": names.get(number, "")},
            str(PROBLEMS[problem.kind]) % problem.values,
        )
        for (number, turn), problem in sorted(problems.items(), key=lambda item: (item[0][1], item[0][0]))
    ]


def paste_result(
    pasted: PastedTable,
    filled: Collection[Place],
    problems: Collection[Place],
    cells: Mapping[Place, str],
) -> dict[str, Any]:
    """What a pasted table filled in, which cells it left empty, and which lines were not used."""
    return {
        "cells": len(pasted.cells),
        "empty": [place for place in pasted.holes if not cells.get(place) and place not in problems],
        "filled": list(filled),
        "unused": [(line, PASTE_PROBLEMS[problem]) for line, problem in pasted.unused],
    }
