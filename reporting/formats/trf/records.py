"""The records of TRF26 after the tournament: byes (240), points given apart (299), teams (310), national records.

They complete what the lines 001 say, so they are read after all of them. Columns count from 1, as the specification of
FIDE has them (handbook.fide.com/files/handbook/TRF26.pdf, approved on 12 May 2025).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from reporting.formats.tables.field_parsers import NUMBER_DIGITS, read_number, read_program_birth, read_sex
from reporting.formats.tables.table import FieldParser, ReaderFindings, field_text
from reporting.formats.trf.cells import Cells
from reporting.formats.trf.points import PointsColumn, as_printed, read_signed_halves
from reporting.formats.trf.tournament import ARTICLE
from reporting.rules.register.countries import find_country
from reporting.rules.register.registers import LARGEST_NUMBER
from reporting.rules.report import ReportedPlayer
from reporting.rules.sentences import joined

BYES, APART, TEAM = "240", "299", "310"
_TEAM_POINTS = {"320": "bye", "362": "match"}
RECORDS = frozenset({BYES, APART, TEAM, *_TEAM_POINTS})
_BYE_TYPES = frozenset("FHZ")
_ADDED = ""
"""The type of a line 299 whose points are added, a penalty or a bonus."""
_OF_NATIONAL = {"number": (5, 8), "sex": (10, 10), "register_number": (58, 68), "born": (70, 79)}
_NATIONAL_PARSERS: dict[str, FieldParser] = {
    "sex": partial(read_sex, letters=("w", "m"), case="trf16"),
    "born": partial(read_program_birth, article=ARTICLE),
}


def is_national(mark: str) -> bool:
    """Whether a record begins with the code of a federation: a national record (NRS)."""
    return mark.isalpha() and mark.isupper() and find_country(mark) is not None


@dataclass
class Records:
    """The records of one file, read by `add` and used by the other methods in their order."""

    findings: ReaderFindings
    lines: list[tuple[int, str, str]] = field(default_factory=list)
    """Number, mark and text of each record."""
    is_of_teams: bool = False

    def add(self, number: int, line: str, mark: str) -> None:
        self.lines.append((number, mark, line))

    def of(self, mark: str) -> Iterator[tuple[int, str]]:
        return ((number, line) for number, own, line in self.lines if own == mark)

    def read_byes(self, cells: Cells) -> None:
        """Read the byes of line 240 for rounds without a cell; where there is one it says the same, or counts."""
        rounds = max((round_ for _, round_ in cells.cells), default=0)
        for number, line in self.of(BYES):
            kind = line[4:5].upper()
            turn = read_number(line[6:9].strip(), digits=3)
            players = numbers_of(line, 11)
            if self.is_of_teams:
                self.findings.mark_line_unread(number, line, "trf26-of-teams", mark=BYES)
            elif kind not in _BYE_TYPES or not turn or players is None:
                self.add_unreadable(number, line, BYES)
            elif turn > rounds:
                self.findings.mark_line_unread(number, line, "trf26-coming-bye", mark=BYES, round=turn)
            else:
                for player in players:
                    other = cells.add_bye(player, turn, kind, number, line)
                    if other is not None:
                        self.findings.add(
                            "bye-differs",
                            line=number,
                            column=1,
                            found=line,
                            number=player,
                            cell=other,
                            round=turn,
                        )

    def read_points_apart(self, cells: Cells, points: PointsColumn) -> None:
        """Read the points that line 299 gives players apart from the scale; they are no points of a game."""
        for number, line in self.of(APART):
            kind = line[4:5].strip().upper()
            given = read_signed_halves(line[12:17].strip())
            turn = read_number(line[19:22].strip() or "0", digits=3)
            players = numbers_of(line, 24)
            if self.is_of_teams:
                self.findings.add("points-not-read.team-points", line=number, column=1, found=line, about=())
                self.findings.mark_line_unread(number, line, "trf26-of-teams", mark=APART)
                continue
            if kind not in {*"WDLFHZ+-", _ADDED} or given is None or turn is None or players is None:
                self.add_unreadable(number, line, APART)
                continue
            for player in players:
                usual = cells.printed_halves(player, kind, turn)
                points.extra[player] += given if kind == _ADDED else sum(given - halves for halves in usual)
            self.findings.add(
                "points-apart",
                line=number,
                column=1,
                found=line,
                points=as_printed(abs(given)),
                sign="−" if given < 0 else "",
                numbers=joined(players),
                round=turn or "",
                about=(),
            )

    def read_teams(self, players: Sequence[ReportedPlayer]) -> Sequence[ReportedPlayer]:
        """Give the players of a team its rank as their place: an equal place is one team (R52a)."""
        by_number = {player.number for player in players}
        team_of: dict[int, int] = {}
        ranks: dict[int, int] = {}
        for number, line in self.of(TEAM):
            rank = read_number(line[68:71].strip() or "0", digits=3)
            members = numbers_of(line, 74, may_miss=True)
            unknown = [member for member in members or () if member not in by_number]
            if members is None or rank is None:
                self.add_unreadable(number, line, TEAM)
                continue
            if unknown:
                self.findings.add(
                    "team-member-unknown", line=number, column=74, found=joined(unknown), about=()
                )
            ranks[number] = rank
            team_of |= dict.fromkeys(members, number)
        for number, line in self.lines_of_team_points():
            self.findings.add(
                f"points-not-read.{_TEAM_POINTS[line[:3]]}", line=number, column=1, found=line, about=()
            )
        if not ranks:
            return players
        shared = [rank for rank, count in Counter(ranks.values()).items() if rank and count > 1]
        if shared:
            first = next(number for number, rank in ranks.items() if rank == shared[0])
            self.findings.add("team-rank-shared", line=first, column=69, found=str(shared[0]), about=())
        places = {} if shared else ranks
        return [
            replace(player, place=places.get(team_of[player.number]) or None)
            if player.number in team_of
            else player
            for player in players
        ]

    def lines_of_team_points(self) -> Iterator[tuple[int, str]]:
        """Lines 320, and a line 362 with other points than 2, 1 and 0."""
        yield from self.of("320")
        for number, line in self.of("362"):
            if "".join(line[3:].split()).upper() not in {"TW2.0TD1.0TL0.0", "TW2TD1TL0"}:
                yield number, line

    def read_national(self, players: Sequence[ReportedPlayer]) -> Sequence[ReportedPlayer]:
        """Complete sex and birth by the national record of a player, and its number, which counts before FIDE's.

        The rating is not used.
        """
        given: defaultdict[int, dict[str, Any]] = defaultdict(dict)
        known = {player.number: player for player in players}
        for number, mark, line in self.lines:
            if mark in RECORDS:
                continue
            row = {
                name: field_text(name, line[first - 1 : last], number, first)
                for name, (first, last) in _OF_NATIONAL.items()
            }
            player = known.get(read_number(row["number"].text, digits=NUMBER_DIGITS) or 0)
            if player is None:
                self.findings.add("national-record-unknown", line=number, column=5, found=row["number"].text)
            elif row["born"].text and not player.born_year:
                born, year = _NATIONAL_PARSERS["born"](row["born"], self.findings)
                given[player.number] |= {"born": born, "born_year": year} if year else {}
            if player is not None and row["sex"].text and not player.sex:
                given[player.number]["sex"] = _NATIONAL_PARSERS["sex"](row["sex"], self.findings)
            own = read_number(row["register_number"].text, digits=len(str(LARGEST_NUMBER)))
            country = find_country(mark)
            if player is not None and own and country:
                numbers = given[player.number].get("other_numbers", player.other_numbers)
                given[player.number]["other_numbers"] = {country.code: own, **numbers}
            reason = "trf26-national-rating" if own else "trf26-national"
            self.findings.mark_line_unread(number, line, reason, mark=mark)
        return [
            replace(player, **given[player.number]) if player.number in given else player
            for player in players
        ]

    def add_unreadable(self, number: int, line: str, mark: str) -> None:
        self.findings.add("record-unreadable", line=number, column=1, found=line, mark=mark, about=())
        self.findings.mark_line_unread(number, line, "trf26-record", mark=mark)


def numbers_of(line: str, begins: int, *, may_miss: bool = False) -> list[int] | None:
    """The numbers of players or teams from this column on; None where they cannot be read."""
    texts = line[begins - 1 :].split()
    read = [read_number(text, digits=NUMBER_DIGITS) for text in texts]
    found = [one for one in read if one]
    return found if len(found) == len(read) and (found or may_miss) else None
