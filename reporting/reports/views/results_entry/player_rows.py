"""The rows of players of results entry: as stored, as sent, with names and numbers of the register."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from reporting.formats.tables.field_parsers import NUMBER_DIGITS
from reporting.register.selectors.register import players_by_number
from reporting.reports.forms import as_text
from reporting.reports.services.enter_results import ResultsGrid
from reporting.reports.views.results_entry.file import (
    MAX_ROWS,
    CellField,
    Row,
    TextField,
    WholeNumberField,
    text_problem,
)
from reporting.rules.details.detail_kinds import parse_day
from reporting.rules.register.registers import LARGEST_NUMBER, Register, first_register
from reporting.rules.register.sexes import sex_code
from reporting.rules.report import FIRST_DAY, LAST_DAY, ReportedPlayer
from reporting.web.values import day

INITIAL_ROWS = 12
NUMBER = r"[0-9]{1,4}"
MAX_DIGITS = len(str(LARGEST_NUMBER))
"""Digits of a number of any register; `PlayerRow.use_register` sets those of the tournament's."""
NAME_TYPED = re.compile(r"([^0-9,]+),([^,]*)|([^0-9, ]+)")
"""Last name, first name; or the only name (R28)."""
PLAYER_CELLS = {
    "fmjd_id": gettext_lazy("%(number)s or name"),
    "first_name": gettext_lazy("First name"),
    "last_name": gettext_lazy("Last name"),
    "country": gettext_lazy("Country"),
    "born": gettext_lazy("Date of birth"),
    "sex": gettext_lazy("Sex"),
    "place": gettext_lazy("Place"),
}


def no_day() -> str:
    """The message about a text that is not a day of a tournament or of a birth."""
    return gettext("Enter a date like 26/11/2026, from %(first)s to %(last)s.") % {
        "first": day(FIRST_DAY),
        "last": day(LAST_DAY),
    }


class BirthField(CellField):
    """A day on which a player can be born; None for an empty cell."""

    def to_python(self, value: str | None) -> date | None:
        text = super().to_python(value)
        born = parse_day(text) if text else None
        if isinstance(born, str) or (born is not None and not FIRST_DAY <= born <= LAST_DAY):
            raise forms.ValidationError(no_day())
        return born


@dataclass(frozen=True)
class Cell:
    """A field of a row as the template shows it."""

    name: str
    label: str | Promise
    value: str
    message: str
    is_refused: bool


class SexField(CellField):
    """W, M or nothing, as reports write it."""

    def to_python(self, value: str | None) -> str:
        sex = sex_code(value or "")
        if sex is None:
            raise forms.ValidationError(gettext("Choose M, W or nothing."))
        return sex


class NumberOrNameField(WholeNumberField):
    """A number of the register; `fill_in` has taken a name to the fields of names."""

    def to_python(self, value: str | None) -> int | None:
        if re.search(r"[^\W\d_]", value or ""):
            raise forms.ValidationError(gettext("Enter a number, or a name with a comma: Bosch, Lotte."))
        return super().to_python(value)


class PlayerRow(Row):
    """A row of a player."""

    cell_names = tuple(PLAYER_CELLS)
    register: Register | None = None

    number = WholeNumberField(4)
    fmjd_id = NumberOrNameField(MAX_DIGITS)
    first_name = TextField()
    last_name = TextField()
    country = TextField()
    born = BirthField()
    sex = SexField()
    place = WholeNumberField(NUMBER_DIGITS)

    def use_register(self, register: Register) -> None:
        """Let numbers have the digits and the name of this register."""
        self.register = register
        field = self.fields["fmjd_id"]
        if isinstance(field, WholeNumberField):
            field.digits = register.digits

    def clean(self) -> dict[str, Any]:
        if not self.cleaned_data.get("number"):
            self.add_error("fmjd_id", gettext("This row has no number."))
        return self.cleaned_data

    @property
    def player_number(self) -> str:
        """The number of the player in the report, as sent."""
        return self.typed.get(self.add_prefix("number"), "")

    def cells(self) -> list[Cell]:
        """The fields of the player, as the template shows them."""
        shown, blocks = self.messages, self.blocks
        register = self.register or first_register()
        return [
            Cell(
                name,
                PLAYER_CELLS[name] % {"number": gettext(register.number_label)},
                text,
                str(shown.get(name, "")),
                blocks and name in self.errors,
            )
            for name, text in self.entered.items()
        ]

    def player(self, before: ReportedPlayer | None) -> ReportedPlayer:
        """The entered player; other data of the one `before` stays. After `check`."""
        values = self.cleaned_data
        name = f"{values['first_name']} {values['last_name']}".strip()
        same = before is not None and before.number == values["number"]
        return replace(
            before if before is not None and same else ReportedPlayer(values["number"], name),
            name=name,
            fmjd_id=values["fmjd_id"] or None,
            first_name=values["first_name"],
            last_name=values["last_name"],
            federation=values["country"],
            born=values["born"],
            sex=values["sex"],
            place=values["place"] or None,
        )


def stored_cells(grid: ResultsGrid, place: int) -> dict[str, str]:
    """The cells of a saved player, from 0; an unreadable value as it is in the file."""
    player = grid.players[place]
    stored = {
        "fmjd_id": as_text(player.fmjd_id),
        "first_name": player.first_name,
        "last_name": player.last_name,
        "country": player.federation,
        "born": as_text(player.born),
        "sex": player.sex,
        "place": as_text(player.place),
    }
    unread = {name: grid.unread_players.get((place, name)) for name in stored}
    return stored | {name: cell.text for name, cell in unread.items() if cell and not stored[name]}


def stored_rows(grid: ResultsGrid, start: int) -> list[PlayerRow]:
    """The rows of players from a place on, with messages about values that cannot be written or read."""
    rows = []
    for index, player in enumerate(grid.players[start : start + MAX_ROWS], 1):
        cells = stored_cells(grid, start + index - 1) | {"number": str(player.number)}
        rows.append(PlayerRow.of(index, cells, is_saved=True))
        rows[-1].use_register(grid.register)
        rows[-1].check()
    return rows


def unwritable_players(grid: ResultsGrid) -> list[str]:
    """The numbers of saved players whose name or country cannot be written into a file."""
    stored = ((str(player.number), stored_cells(grid, place)) for place, player in enumerate(grid.players))
    return [
        number
        for number, cells in stored
        if any(text_problem(cells[name].strip()) for name in ("first_name", "last_name", "country"))
    ]


def add_rows(rows: list[PlayerRow], more: int, after: int) -> None:
    for _ in range(min(more, MAX_ROWS - len(rows))):
        numbers = [int(row.player_number) for row in rows if re.fullmatch(NUMBER, row.player_number)]
        rows.append(PlayerRow.of(len(rows) + 1, {"number": str(max([*numbers, after]) + 1)}))


def fill_in(rows: Sequence[PlayerRow], register: Register) -> None:
    """Fill in name and country from the register for rows with only a number, or the name typed in its place.

    0 or 1 query.
    """
    for row in rows:
        entered = row.entered
        if (name := NAME_TYPED.fullmatch(entered["fmjd_id"])) and not (
            entered["first_name"] or entered["last_name"]
        ):
            last, first = name[1] or name[3], name[2] or ""
            row.fill_in({"last_name": last.strip(), "first_name": first.strip(), "fmjd_id": ""})
        row.use_register(register)
    number = rf"[0-9]{{1,{register.digits}}}"
    numbers = {text for row in rows if re.fullmatch(number, text := row.entered["fmjd_id"])}
    if not numbers:
        return
    known = players_by_number(register, map(int, numbers))
    for row in rows:
        entered = row.entered
        text = entered["fmjd_id"]
        player = known.get(int(text)) if text in numbers else None
        if text in numbers and player is None:
            row.notes["fmjd_id"] = gettext("No player has this %(number)s.") % {
                "number": gettext(register.number_label)
            }
        if player is not None and not (entered["first_name"] or entered["last_name"]):
            country = entered["country"] or player.federation_id
            row.fill_in({"first_name": player.first_name, "last_name": player.last_name, "country": country})


def players_of(rows: Iterable[PlayerRow], before: Sequence[ReportedPlayer]) -> list[ReportedPlayer]:
    """The entered players; values that cannot be written get a message. Empty rows are ignored.

    `before` are the saved players of the same rows: their other data stays.
    """
    return [
        row.player(before[row.index - 1] if row.index <= len(before) else None)
        for row in rows
        if row.check() and not row.empty
    ]
