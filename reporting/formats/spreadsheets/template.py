"""The empty template of a report for a spreadsheet program, as XLSX and CSV; ``spreadsheet`` reads the filled-in file.

A referee fills in the fields of Annex 9 art. 11. The XLSX template offers the words of a list in the cell and explains
each column when one of its cells is selected, so that the sheets have nothing but headings and values.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import xlsxwriter

from reporting.formats.annex_9.article_11 import SYSTEMS
from reporting.formats.spreadsheets.form import INFO_ROWS, PLAYER_COLUMNS, RESULT_COLUMNS, TABLES
from reporting.formats.tables.field_parsers import TITLES
from reporting.rules.report import MAX_GAMES, MAX_PLAYERS, RESULTS

CREATED = datetime(2000, 1, 1)
"""XLSX has a creation date; a fixed one keeps the bytes the same."""

LISTS: Mapping[str, tuple[str, ...]] = {
    "system": tuple(SYSTEMS),
    "national_championship": ("yes", "no"),
    "women_championship": ("yes", "no"),
    "title": TITLES,
    "sex": ("M", "W"),
    "result": RESULTS,
}
"""The words offered for a field. A title comes from the register, so other ones are allowed."""

NOTES: Mapping[str, Mapping[str, str]] = {
    "info": {
        "name": "Name of the tournament, at most 30 characters.",
        "played_from": "Day of the first round: DD/MM/YYYY.",
        "played_to": "Day of the last round: DD/MM/YYYY.",
        "system": "SWISS, ROUND (all play all), TEAMS or OTHER.",
        "national_championship": "yes only for the final of a national championship.",
        "women_championship": "yes or no.",
        "referee": "Name of the main referee, at most 25 characters.",
        "place": "Town, at most 30 characters.",
        "country": "Code of the country, for example NED.",
        "winner": "Name of the winner, at most 25 characters.",
        "remarks": "Anything else in English, such as reasons for decisions of the referee.",
    },
    "players": {
        "number": "Tournament number, from 1. The results use it.",
        "fmjd_id": "Number in the FMJD register. Empty for a new player; then enter sex and date of birth.",
        "last_name": "Surname in full, English letters, at most 17.",
        "first_name": "First name in full, English letters, at most 17, no initials.",
        "title": "FMJD title, can be empty.",
        "country": "Code of the federation, for example NED.",
        "sex": "M or W; can be empty if there is an FMJD-ID.",
        "born": "DD/MM/YYYY; required without FMJD-ID and in youth and veterans' tournaments.",
        "place": "Final place, each one once. Empty while the tournament is not finished.",
        "points": "Sum of the results: 2 for a win or a pause, 1 for a draw. Write the number, no formula.",
        "local_id": "Number in your federation, at most 6 characters, can be empty.",
    },
    "results": {
        "round": "Round, from 1. One row for each game.",
        "white": "Tournament number of the player with white. 0 for a pause.",
        "black": "Tournament number of the player with black. 0 for a pause.",
        "result": "2-0 white won, 1-1 draw, 0-2 black won; 2x0 0x2 1x1 0x0 if the referee decided "
        "without a game. A pause is 2-0 for its player.",
    },
}
"""The explanation of each field."""

_DATES = frozenset({"played_from", "played_to", "born"})
_WIDTHS = {"last_name": 20, "first_name": 20, "born": 12}
_COLUMNS = {"players": (PLAYER_COLUMNS, MAX_PLAYERS), "results": (RESULT_COLUMNS, MAX_GAMES)}
_GENERAL = "# No formulas, no merged cells, nothing hidden. A row that begins with # is not read."


def template_xlsx() -> bytes:
    """Return the template as an XLSX file: the sheets Info, Players and Results, always the same bytes."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True, "strings_to_formulas": False}) as book:
        book.set_properties({"title": "Tournament report", "created": CREATED})
        heading = book.add_format({"bold": True, "bottom": 1})
        day = book.add_format({"num_format": "dd/mm/yyyy", "align": "left"})
        # As text: a program would read 1-1 as the first of January.
        text = book.add_format({"num_format": "@"})
        sheet = book.add_worksheet(TABLES["info"])
        sheet.set_column(0, 0, 24)
        sheet.set_column(1, 1, 40, text)
        sheet.write_row(0, 0, ("Key", "Value"), heading)
        for row, (name, key) in enumerate(INFO_ROWS.items(), start=1):
            sheet.write_string(row, 0, key)
            sheet.write_blank(row, 1, None, day if name in _DATES else text)
            sheet.data_validation(row, 1, row, 1, _validation("info", name))
        sheet.write_string(len(INFO_ROWS) + 2, 0, _GENERAL)
        for table, (columns, most) in _COLUMNS.items():
            sheet = book.add_worksheet(TABLES[table])
            sheet.freeze_panes(1, 0)
            sheet.write_row(0, 0, list(columns.values()), heading)
            for column, name in enumerate(columns):
                cell_format = day if name in _DATES else text if name in ("result", "local_id") else None
                sheet.set_column(column, column, _WIDTHS.get(name, 9), cell_format)
                sheet.data_validation(1, column, most, column, _validation(table, name))
    return out.getvalue()


def template_csv() -> bytes:
    """Return the template as a CSV file in ASCII with semicolons: three tables, each after lines that explain it."""
    lines = [_GENERAL]
    for table, fields in {"info": INFO_ROWS, "players": PLAYER_COLUMNS, "results": RESULT_COLUMNS}.items():
        lines += ["", TABLES[table], *(f"# {fields[name]}: {note}" for name, note in NOTES[table].items())]
        lines += [f"{key};" for key in fields.values()] if table == "info" else [";".join(fields.values())]
    return ("\n".join(lines) + "\n").encode("ascii")


def _validation(table: str, name: str) -> dict[str, Any]:
    message = {"input_message": NOTES[table][name]}
    if name not in LISTS:
        return {"validate": "any", **message}
    strict = "information" if name == "title" else "stop"
    return {"validate": "list", "source": list(LISTS[name]), "error_type": strict, **message}
