"""The table of games, CSV or XLSX: one row a game, its players by their numbers in the register and their names.

The first row has the `COLUMNS` in their order, then any of the `OPTIONAL` ones in any order. There is no table of
players: they get tournament numbers in the order in which they first appear. A player without a number is known by the
name, so that one name without a number, in whatever case or accents, is one player. Places in findings are those of
``spreadsheet``: row and cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from reporting.formats.spreadsheets.tables import Table, Tables
from reporting.formats.spreadsheets.workbook import Sheet, cell_name
from reporting.formats.tables.field_parsers import read_date, read_name, read_number
from reporting.formats.tables.table import FieldText, ReaderFindings, find_separator, read_header
from reporting.rules.findings.finding_list import Severity, in_file_order
from reporting.rules.names.normalize_name import normalize_name
from reporting.rules.names.plain_text import plain_text
from reporting.rules.register.registers import LARGEST_NUMBER
from reporting.rules.report import (
    MAX_PLAYERS,
    MAX_ROUNDS,
    RESULT_FIELDS,
    ReadReport,
    ReportedGame,
    ReportedPlayer,
    ReportFormat,
)

FORMAT = "games"

COLUMNS = ("round", "date", "white_id", "white_name", "black_id", "black_name", "result")
OPTIONAL = ("finished", "white_for_id", "black_for_id")
"""The day of the result, and the number of the player whom a substitute replaces."""

_FEWEST_KNOWN = 4
"""Columns of the first row by which a table of games with a fault in that row is recognised."""

_RESULTS = {
    "1-0": (2, 0, True),
    "0-1": (0, 2, True),
    "1/2-1/2": (1, 1, True),
    "+:-": (2, 0, False),
    "-:+": (0, 2, False),
    "-:-": (0, 0, False),
}
"""The points of White and Black in 2-1-0, and whether the game was played, by the result in the file."""

_CELLS_OF_GAME = {
    "round": "round",
    "white": "white_name",
    "black": "black_name",
    "result": "result",
    "started_on": "date",
    "finished_on": "finished",
    "white_for": "white_for_id",
    "black_for": "black_for_id",
}
"""The column of each part of a game that findings of the checks are about."""

_ROUND_DIGITS = 4


def _heading(text: str) -> str:
    return plain_text(text).lower()


def _are_headings(texts: Iterable[str]) -> bool:
    return len({_heading(text) for text in texts}.intersection(COLUMNS)) >= _FEWEST_KNOWN


def _separated(lines: tuple[str, ...]) -> tuple[str, list[str]]:
    """The separator of the first line with text, and its headings; both empty without any of `COLUMNS`."""
    first = next((line for line in lines if line.strip()), "")
    separator = find_separator(first, lambda cell: _heading(cell) in COLUMNS)
    return separator, [cell.strip(' \t"') for cell in first.split(separator)] if separator else []


def recognises(lines: tuple[str, ...]) -> bool:
    """Whether the first line has most columns of a table of games."""
    return _are_headings(_separated(lines)[1])


def sheet_of_games(sheets: Sequence[Sheet]) -> Sheet | None:
    """The first sheet with content, if its first row has most columns of a table of games."""
    sheet = next((sheet for sheet in sheets if sheet.rows), None)
    return sheet if sheet and _are_headings(sheet.rows[min(sheet.rows)].values()) else None


def read_csv(lines: tuple[str, ...], *, encoding: str = "utf-8") -> ReadReport:
    """Read a table of games from the lines of a CSV file.

    Never raises: every fault is a finding with row and cell, and each row that was not used is in ``unread``.
    """
    reading = _Reading()
    table, (separator, _) = Table(FORMAT), _separated(lines)
    for number, line in enumerate(lines, start=1):
        if line.strip(' \t"' + separator):
            reading.tables.add_line(table, number, line, separator)
    return reading.report(table, encoding)


def read_workbook(sheets: Sequence[Sheet], games: Sheet) -> ReadReport:
    """Read a table of games from its sheet, as ``read_csv`` does; each other sheet with content is a finding."""
    reading = _Reading()
    for sheet in sheets:
        if sheet is not games:
            reading.tables.mark_sheet_unread(sheet)
    return reading.report(reading.tables.table_of(games, FORMAT), "utf-8")


@dataclass
class _Reading:
    """The rows read so far: players by number or name, games, and what is wrong."""

    findings: ReaderFindings = field(default_factory=ReaderFindings)
    players: list[ReportedPlayer] = field(default_factory=list)
    by_key: dict[int | str, ReportedPlayer | None] = field(default_factory=dict)
    """The players by number in the register, else by name; None for one over the limit."""
    games: list[ReportedGame] = field(default_factory=list)
    undecided: set[int] = field(default_factory=set)
    cells: dict[tuple[int, int, str], str] = field(default_factory=dict)
    players_unread: int = 0
    tables: Tables = field(init=False)

    def __post_init__(self) -> None:
        self.tables = Tables(self.findings)

    def report(self, table: Table, encoding: str) -> ReadReport:
        places = self.read_headings(table) if table.rows else {}
        for row in list(table.rows)[1:]:
            if places:
                self.read_row(table, row, places)
            else:
                self.mark_row_unread(table, row, "column-missing")
        is_whole = bool(places) and not table.is_paged
        return ReadReport(
            format=FORMAT,
            encoding=encoding,
            players=tuple(self.players),
            games=tuple(self.games),
            unread=tuple(sorted(self.findings.unread, key=lambda piece: (piece.line, piece.column))),
            findings=in_file_order(self.findings),
            undecided=frozenset(self.undecided if is_whole else range(1, len(self.players) + 1)),
            unread_sections=frozenset() if is_whole else frozenset({"players", "results"}),
            unread_players=self.players_unread,
            cells=MappingProxyType(self.cells),
        )

    def mark_row_unread(self, table: Table, row: int, key: str) -> None:
        self.findings.mark_unread(FieldText("", table.unread_row(row), row, 1), key)

    def read_headings(self, table: Table) -> dict[str, int]:
        """The column of each heading; none where one of `COLUMNS` is missing. What is wrong with them is a finding."""
        row, texts = next(iter(table.rows.items()))
        known = (*COLUMNS, *OPTIONAL)
        names = {column: _heading(text) for column, text in texts.items()}
        header = read_header(
            {column: name if name in known else "" for column, name in names.items()}, COLUMNS
        )
        for column in header.unknown:
            self.findings.add(
                "column-unknown.games",
                **table.at(row, column),
                found=texts[column],
                headings=", ".join(known),
            )
        for column in header.repeated:
            self.findings.add("column-repeated", **table.at(row, column), found=texts[column])
        for name in header.missing:
            column = COLUMNS.index(name) + 1
            self.findings.add(
                "column-missing.games", **table.at(row, column), heading=name, headings=", ".join(COLUMNS)
            )
        moved = [at for at, name in enumerate(COLUMNS, start=1) if header.places.get(name) != at]
        if moved and not (header.unknown or header.repeated or header.missing):
            self.findings.add(
                "header-missing.games",
                **table.at(row, moved[0]),
                found=texts.get(moved[0], ""),
                headings=", ".join(COLUMNS),
            )
        return {} if header.missing else header.places

    def read_row(self, table: Table, row: int, places: dict[str, int]) -> None:
        texts, headings = table.rows[row], next(iter(table.rows.values()))
        beyond = next((column for column in texts if column not in headings), None)
        if beyond:
            self.findings.add(
                "field-count.headings", **table.at(row, beyond), found=texts[beyond], columns=max(headings)
            )
            self.players_unread += 2
            self.mark_row_unread(table, row, "too-many-cells")
            return
        fields = {
            name: FieldText(cell_name(table.sheet, row, column), texts.get(column, ""), row, column)
            for name, column in places.items()
        }
        white = self.player_in(fields["white_id"], fields["white_name"])
        black = self.player_in(fields["black_id"], fields["black_name"])
        round_number = self.round_in(fields["round"])
        outcome = _RESULTS.get(fields["result"].text)
        if outcome is None:
            self.findings.add("result-unknown.games", at=fields["result"], results=" ".join(_RESULTS))
        # Whether a day may be missing, the rules of reports say.
        started_on, finished_on = (
            read_date(cell, self.findings, case="games") if cell and cell.text else None
            for cell in (fields["date"], fields.get("finished"))
        )
        white_for, black_for = (
            self.number_in(fields[name]) if name in fields else None
            for name in ("white_for_id", "black_for_id")
        )
        if white is None or black is None or round_number is None or outcome is None:
            self.undecided.update(player.number for player in (white, black) if player)
            self.mark_row_unread(table, row, "result-unreadable")
            return
        for name, heading in _CELLS_OF_GAME.items():
            if heading in fields:
                self.cells[row, places[heading], name] = fields[heading].name
        self.games.append(
            ReportedGame(
                round=round_number,
                white=white.number,
                black=black.number,
                white_points=outcome[0],
                black_points=outcome[1],
                played=outcome[2],
                started_on=started_on,
                finished_on=finished_on,
                white_for=white_for,
                black_for=black_for,
                lines=(row,),
                columns=tuple(places[_CELLS_OF_GAME[name]] for name in RESULT_FIELDS),
            )
        )

    def round_in(self, text: FieldText) -> int | None:
        """A round from 1 to the limit; None, and a finding, for anything else."""
        number = read_number(text.text, digits=_ROUND_DIGITS)
        if not number:
            self.findings.add("round-unreadable", at=text, limit=MAX_ROUNDS)
        elif self.findings.exceeds("limit-rounds", MAX_ROUNDS, number, at=text, about=None):
            return None
        return number or None

    def number_in(self, text: FieldText) -> int | None:
        """A number of a register; None for an empty cell, and with a finding for anything else."""
        number = read_number(text.text, digits=len(str(LARGEST_NUMBER)))
        if text.text and not (number and number <= LARGEST_NUMBER):
            self.findings.add("fmjd-id-unreadable.games", at=text, limit=LARGEST_NUMBER)
            return None
        return number

    def player_in(self, number: FieldText, name: FieldText) -> ReportedPlayer | None:
        """The player of a side, a new one with the next tournament number; None, and a finding, if it is not known."""
        register_number = self.number_in(number)
        if not name.text:
            self.findings.add("name-missing.table", at=name)
        if not name.text or (number.text and not register_number):
            self.players_unread += 1
            return None
        key = register_number or normalize_name(name.text)
        if key not in self.by_key:
            self.by_key[key] = self.new_player(number, name, register_number)
        player = self.by_key[key]
        if player and player.name != name.text and normalize_name(player.name) != normalize_name(name.text):
            self.findings.add(
                "fmjd-id-repeated.games",
                at=name,
                number=register_number,
                name=player.name,
                first_line=player.line,
                about=(player.number,),
            )
        return player

    def new_player(
        self, number: FieldText, name: FieldText, register_number: int | None
    ) -> ReportedPlayer | None:
        """The next player; None over the limit. The country of one without a number is asked as in exports."""
        if self.findings.exceeds(
            "limit-players",
            MAX_PLAYERS,
            len(self.by_key) + 1,
            line=name.line,
            column=name.column,
            field=name.name,
        ):
            self.players_unread += 1
            return None
        is_split = name.text.count(",") == 1 or " " not in name.text
        first_name, last_name = read_name(name, self.findings) if is_split else ("", "")
        if register_number is None:
            self.findings.add("country-missing", Severity.WARNING, at=name._replace(text=""))
        columns = {"fmjd_id": number.column, "name": name.column, "country": name.column}
        self.cells[number.line, number.column, "fmjd_id"] = number.name
        for part in ("name", "country", "born", "sex"):
            self.cells[name.line, name.column, part] = name.name
        player = ReportedPlayer(
            number=len(self.players) + 1,
            name=name.text,
            fmjd_id=register_number,
            first_name=first_name,
            last_name=last_name,
            line=name.line,
            columns=MappingProxyType(columns),
            in_cells=True,
        )
        self.players.append(player)
        return player


READER = ReportFormat("a table of games, as CSV or XLSX", {FORMAT: "table of games"}, recognises, read_csv)
"""A game a line, for leagues and tournaments by correspondence."""
