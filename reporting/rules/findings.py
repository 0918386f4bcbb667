"""Findings: what is to be said about a report, with the place, the article and what to do (R22).

A finding is about data. It is collected, never raised, so that one reading of a file tells the referee
everything at once. Its code is stable: pages, answers and tests refer to it, so a code is never renamed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import StrEnum
from typing import Any, TypedDict, Unpack

LONGEST_TEXT_SHOWN = 120
"""Characters of a file repeated in a finding; a line of a megabyte is not repeated in full."""

LONGEST_SENTENCE = 1_000
"""Characters of a message, of what is expected or of a suggestion: names of a file can stand in them."""

MOST_NAMED = 8
"""Lines, rounds or players that a message counts up."""

MOST_TOLD_APART = 3
"""Findings that say the same, told one by one."""

MOST_OF_ONE_KIND = 5
"""Findings of one kind that found different things, told one by one."""

MOST_FINDINGS_KEPT = 1_000
"""Findings kept of one file. A page with more helps nobody; the last one then says that there were more."""


class Severity(StrEnum):
    """How much a finding weighs: an error stops handing in, a warning asks for a word (R20, R21)."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Code:
    """A code of the catalogue: what it is about and the article that is cited with it."""

    about: str
    article: str


_READABLE = "Annex 9 art. 4.1, 11; R22"
_FORM = "Annex 9 art. 11; R20"
_INTERPRETED = "Annex 9 art. 11; R21"
_CROSSTABLE = "Annex 9 art. 4.1; R20"

CODES: dict[str, Code] = {
    # the bytes
    "file-empty": Code("the file holds no text", _READABLE),
    "file-too-large": Code("a file over the limit", _READABLE),
    "file-too-costly": Code("a file that takes too much time or memory to read", _READABLE),
    "archive-refused": Code("an archive or a compressed file", _READABLE),
    "format-unknown": Code("no form that is read here", _READABLE),
    "workbook-refused": Code("a workbook with macros, encrypted or unpacking to too much", _READABLE),
    "workbook-unreadable": Code("a workbook that is damaged", _READABLE),
    "encoding-unknown": Code("the chosen code page is not offered", _READABLE),
    "encoding-unreadable": Code("bytes that are not text in this encoding", _READABLE),
    "line-end-unknown": Code("a carriage return without a line feed", _READABLE),
    "line-too-long": Code("a line too long to be one of a report", _READABLE),
    "character-forbidden": Code("a control, hidden or private character", _READABLE),
    "findings-cut": Code("more findings than are kept", _READABLE),
    "limit-players": Code("players over the limit", _READABLE),
    "limit-rounds": Code("rounds over the limit", _READABLE),
    "limit-games": Code("games over the limit", _READABLE),
    # the structure of art. 11
    "section-missing": Code("one of the three sections is not there", _FORM),
    "section-repeated": Code("a section that was there before", _FORM),
    "section-out-of-order": Code("sections in another order", _FORM),
    "section-not-closed": Code("a section without its end tag", _FORM),
    "section-end-unexpected": Code("an end tag without its section", _FORM),
    "tag-unknown": Code("a tag that the form does not have", _FORM),
    "text-outside-section": Code("text before, between or after the sections", _FORM),
    "line-unreadable": Code("a line of the Info section without =, or one that is not CSV", _FORM),
    "key-unknown": Code("a key that the form does not have", _FORM),
    "key-repeated": Code("a key that was there before", _FORM),
    "remark-not-closed": Code("a remark without its end tag", _FORM),
    "field-count": Code("a line with too many or too few fields", _FORM),
    # the cells of a spreadsheet
    "formula-refused": Code("a cell with a formula", _FORM),
    "cells-merged": Code("merged cells", _FORM),
    "hidden-part": Code("a hidden sheet, row or column", _INTERPRETED),
    "sheet-unknown": Code("a sheet that the form does not have", _INTERPRETED),
    "separator-unclear": Code("neither semicolons nor commas part all cells", _FORM),
    "column-repeated": Code("a heading that was there before", _FORM),
    # the values
    "type-unknown": Code("a type of competition that the form does not have", _FORM),
    "yes-or-no-unknown": Code("neither Y nor N", _FORM),
    "date-unreadable": Code("a date not written DD/MM/YYYY", _FORM),
    "date-unknown": Code("a day that is not in the calendar, or not of 1900 to 2100", _FORM),
    "country-missing": Code("no country", _FORM),
    "country-unknown": Code("a country that is not known", _FORM),
    "fmjd-id-unreadable": Code("an FMJD-ID that is not a number of up to 5 digits", _FORM),
    "number-missing": Code("a player without tournament number", _FORM),
    "number-unreadable": Code("a tournament number that is not a number from 1", _FORM),
    "place-unreadable": Code("a place that is not a number", _FORM),
    "points-missing": Code("a player without points", _FORM),
    "points-unreadable": Code("points that are not a whole number", _FORM),
    "sex-unknown": Code("neither W nor M", _FORM),
    "round-unreadable": Code("a round that is not a number from 1", _FORM),
    "result-unknown": Code("a result that the form does not have", _FORM),
    "pause-without-player": Code("a result of a pause against a pause", _FORM),
    "pause-result": Code("a pause that does not give 2 points", _FORM),
    # the crosstable
    "header-missing": Code("a crosstable without its line of column names", _CROSSTABLE),
    "column-missing": Code("a column that is needed", _CROSSTABLE),
    "column-unknown": Code("a column that is not known", "Annex 9 art. 4.1; R21"),
    "place-out-of-order": Code("a place that is not the line of the table", _CROSSTABLE),
    "name-missing": Code("a player without name", "Annex 9 art. 4.2.5, 11; R20"),
    "name-not-split": Code("a name that does not say which part is the surname", "Annex 9 art. 4.2.2; R21"),
    "title-unknown": Code("a title that FMJD does not have", "Annex 10 art. 1; R21"),
    "rating-unreadable": Code("a rating column that is not a category and a rating", "Annex 9 art. 6.3; R21"),
    "cell-unreadable": Code("a cell that is not opponent, colour and result", _CROSSTABLE),
    "opponent-unknown": Code("a cell that names a place not in the table", _CROSSTABLE),
    "cells-disagree": Code("the two cells of a game contradict each other", _CROSSTABLE),
    "forfeit-undecided": Code("regulatory results that the totals do not decide", "Annex 9 art. 11; R8, R20"),
    "pause-undecided": Code("empty cells that the total does not decide", "Annex 9 art. 11; R20"),
    # the lines of TRF16
    "columns-shifted": Code("fields that have moved to other columns", _CROSSTABLE),
    "half-point-bye": Code("a bye of half a point, which no pause gives", "Annex 9 art. 11; R20"),
    "game-not-rated": Code("a game of less than one move", "Annex 9 art. 5.3, 11; R8, R21"),
    "points-scale-differs": Code(
        "a points column that counts otherwise than the form says", "Annex 9 art. 11; R20, R25"
    ),
    "player-count-differs": Code("another number of players than the file says", "Annex 9 art. 4.1; R21"),
    # the report as a whole
    "corrects-unknown": Code("a correction of a tournament that nobody reported", "Annex 9 art. 6.2a; R23"),
    "number-repeated": Code("a tournament number used twice", _FORM),
    "number-unknown": Code("a result of a number that no player has", _FORM),
    "fmjd-id-repeated": Code("an FMJD-ID used twice", _FORM),
    "self-play": Code("a player against himself", _FORM),
    "paired-twice": Code("a player twice in one round", _FORM),
    "points-differ": Code("points that are not the sum of the results", _FORM),
    "place-repeated": Code("a place used twice", _FORM),
    "shared-places-differ": Code(
        "shared places that the players of the report do not have", "Annex 3 art. 5.11; R25, R52"
    ),
    "place-missing": Code("a player without place in a finished competition", _INTERPRETED),
    "dates-reversed": Code("the last day before the first", _FORM),
    "end-in-future": Code("a last round that is still to come", "Annex 9 art. 4.1; R20"),
    "born-missing": Code("no date of birth where one is asked", "Annex 9 art. 4.2.2.7, 11; R20"),
    "born-after-start": Code("born after the first day of the competition", _FORM),
    "born-unlikely": Code("an unlikely age", _INTERPRETED),
    "sex-missing": Code("no sex where it is asked", _FORM),
    "name-outside-alphabet": Code("a name outside the English alphabet", "Annex 9 art. 4.2.5.1, 11; R20"),
    "name-too-long": Code("a name over 17 letters", "Annex 9 art. 4.2.5.1, 11; R20"),
    "name-shortened": Code("a shortened name", "Annex 9 art. 4.2.5.2; R20"),
    "text-too-long": Code("a text over its maximum length", _FORM),
    "text-outside-alphabet": Code("a text outside the English alphabet", "Annex 9 art. 4.2.4, 11; R21"),
    "met-before": Code("two players meet again in a Swiss", "Annex 5 art. 3; R21"),
    "colours-uneven": Code("very uneven colours", "Annex 5 art. 3; R21"),
    "few-rounds": Code("fewer than 7 rounds", "Annex 2 art. 3a; R21"),
    "winner-not-first": Code("the winner is not the player in place 1", _INTERPRETED),
    "places-contradict-points": Code("more points and a lower place", _INTERPRETED),
    "no-players": Code("a report without players", _FORM),
    "no-games": Code("a report without games", _FORM),
    "round-missing": Code("a round without games", "Annex 9 art. 4.7; R21"),
    "game-missing": Code("a player who lacks a game or leaves before the end", "Annex 9 art. 4.7; R21"),
    "result-missing": Code(
        "a player without game or pause in a round who has one in a later round", "Annex 9 art. 4.7; R11, R21"
    ),
    "not-announced": Code(
        "not announced as many days before the first round as the regulations ask",
        "Annex 9 art. 1.2.1.3; R11, R21",
    ),
    "received-in-future": Code("a day of receipt that is still to come", "Annex 9 art. 4.1; R20"),
    "service-not-paid": Code("a table whose rating service is not paid", "Annex 9 art. 4.2.1b; R11, R21"),
    "late-report": Code("reported after the last day in time", "Annex 9 art. 4.1, 4.5; R11, R21"),
    "round-dates-differ": Code("days of rounds that do not fit the report", "Annex 9 art. 4.1.1; R20"),
    "player-facts-unknown": Code("the form names a number that no player has", "Annex 9 art. 4.1.1; R20"),
    # against the register
    "fmjd-id-unknown": Code("an FMJD-ID that no player has", "Annex 9 art. 4.2.2.1, 11; R20"),
    "register-differs": Code("the register says another thing of the player", "Annex 9 art. 4.2.2; R21"),
    "birth-date-differs": Code(
        "a date of birth that differs from the register, said at submission", "Annex 9 art. 4.2.2; R21, R22a"
    ),
    "fmjd-id-merged": Code("the number of an earlier record of a player", "Annex 9 art. 4.2.2.1; R24"),
    "looks-registered": Code(
        "a player without FMJD-ID who looks like a registered one", "Annex 9 art. 4.2.2.1; R21, R24"
    ),
    "looks-reported": Code("a tournament that looks like one already reported", "Annex 9 art. 4.1; R21"),
    "same-file": Code(
        "a file that another report has too, said to the office alone", "Annex 9 art. 4.1; R21, R23"
    ),
    "player-not-identified": Code(
        "a name that is not one player of the register", "Annex 9 art. 4.2.2.1; R20"
    ),
    "player-entered-twice": Code("one person entered twice", "Annex 9 art. 11; R20"),
    # the form beside the file
    "facts-unreadable": Code("facts that are not TOML", "Annex 9 art. 4.1.1; R22"),
    "fact-unknown": Code("a fact that is not asked", "Annex 9 art. 4.1.1; R22"),
    "fact-unreadable": Code("a fact of the wrong kind, too long or out of range", "Annex 9 art. 4.1.1; R22"),
    "fact-missing": Code("a fact that is needed", "Annex 9 art. 4.1.1; R22"),
    "facts-contradict": Code("two facts that contradict each other", "Annex 9 art. 4.1.1; R22"),
    "facts-differ": Code("the form says another thing than the file", "Annex 9 art. 4.1.1; R22"),
}
"""The catalogue of codes. Each has a test that names its line and column."""

RULED: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "R20",
        "a section missing or out of order",
        ("section-missing", "section-out-of-order", "section-repeated", "section-not-closed"),
    ),
    ("R20", "wrong number of fields", ("field-count",)),
    (
        "R20",
        "a tournament number missing, repeated or unknown in a result",
        ("number-missing", "number-unreadable", "number-repeated", "number-unknown"),
    ),
    ("R20", "a result not among 2-0 0-2 1-1 2x0 0x2 1x1 0x0", ("result-unknown",)),
    ("R20", "a player twice in one round, or against himself", ("paired-twice", "self-play")),
    (
        "R20",
        "points that differ from the sum of the results (a pause gives 2)",
        ("points-differ", "pause-result"),
    ),
    (
        "R20",
        "dates that do not exist or are the wrong way round",
        ("date-unknown", "date-unreadable", "dates-reversed"),
    ),
    (
        "R20",
        "a name with characters outside the English alphabet (letters, space, hyphen, apostrophe), over 17 letters, "
        "or shortened (a single letter, a full stop, a slash)",
        ("name-outside-alphabet", "name-too-long", "name-shortened"),
    ),
    ("R20", "text over its maximum length", ("text-too-long",)),
    ("R20", "an unknown country", ("country-unknown", "country-missing")),
    ("R20", "a place used twice in an individual competition that is finished", ("place-repeated",)),
    ("R20", "an FMJD-ID that does not exist", ("fmjd-id-unknown", "player-not-identified")),
    (
        "R20",
        "no date of birth for a player without FMJD-ID or in a youth or veterans' competition",
        ("born-missing",),
    ),
    ("R20", "no sex for a player without FMJD-ID", ("sex-missing",)),
    (
        "R21",
        "name, country, birth or sex differs from the register",
        ("register-differs", "birth-date-differs"),
    ),
    ("R21", "the same two players meet twice in a Swiss", ("met-before",)),
    ("R21", "colours very uneven", ("colours-uneven",)),
    ("R21", "fewer than 7 rounds", ("few-rounds",)),
    ("R21", "the winner is not the player in place 1", ("winner-not-first",)),
    ("R21", "place order contradicts the points", ("places-contradict-points",)),
    ("R21", "a player without ID looks like a registered one", ("looks-registered",)),
    ("R21", "the tournament looks like one already reported", ("looks-reported",)),
    ("R21", "the report is late", ("late-report",)),
    ("R21", "a round or a game is missing", ("round-missing", "game-missing", "result-missing")),
    ("R21", "not announced in time (R11)", ("not-announced",)),
)
"""Ruling, phrase and the codes that carry it out: every phrase of R20 and R21, in their words and order."""

OF_ONE_PLAYER = frozenset(
    {
        "born-missing",
        "sex-missing",
        "name-not-split",
        "fmjd-id-unknown",
        "fmjd-id-merged",
        "birth-date-differs",
        "looks-registered",
        "register-differs",
        "player-not-identified",
        "player-entered-twice",
    }
)
"""Codes that are settled player by player: each is asked where the player is."""

NAME_RULES = frozenset({"name-outside-alphabet", "name-too-long", "name-shortened"})
"""Codes of R20's rules on names: errors in the form of art. 11, warnings in the exports of programs.

In an export they stay warnings for a player who is matched to the register; for one who is not,
``checks.check_new_player`` gives them as errors.
"""


CELL = re.compile(r"(?:(?P<sheet>.+)!)?(?P<column>[A-Z]{1,3})(?P<row>[1-9][0-9]{0,6})")
"""The name of a cell, ``Players!E7`` or in a CSV file ``E7``, as findings have it for their field."""


def sheet_anchor(sheet: str, row: int) -> str:
    """Return the fragment of a row of a sheet on a page that shows the file."""
    return f"row-{re.sub('[^A-Za-z0-9]+', '-', sheet)}-{row}"


@dataclass(frozen=True)
class Finding:
    """One message about a report.

    ``line`` and ``column`` count from 1, columns in characters; both are None for a finding about the form
    or the report as a whole. ``field`` names the field of the line or of the form. ``message`` says what is
    wrong, ``found`` and ``expected`` what stands there and what belongs there, ``suggestion`` what to do.
    ``about`` are the tournament numbers of the players it is about, None where its line says that; what is printed
    and kept has their names in the message instead.
    """

    severity: Severity
    code: str
    line: int | None
    column: int | None
    field: str | None
    found: str
    expected: str
    article: str
    message: str
    suggestion: str
    about: tuple[int, ...] | None = dataclass_field(default=None, compare=False, repr=False)

    @property
    def cell(self) -> re.Match[str] | None:
        """The cell of a spreadsheet that it is about, in its groups sheet, column and row; None for other forms."""
        return CELL.fullmatch(self.field or "")

    @property
    def place(self) -> str:
        """Where it stands, as a person looks for it: the cell, else line and column; empty for the form."""
        if self.cell:
            return self.field or ""
        column = f", column {self.column}" if self.column else ""
        return f"line {self.line}{column}" if self.line else ""

    @property
    def anchor(self) -> str:
        """The fragment of its line, or of its row of a sheet, on a page that shows the file."""
        if self.cell and self.cell["sheet"]:
            return sheet_anchor(self.cell["sheet"], int(self.cell["row"]))
        return f"L{self.line}"

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Finding:
        """Return the finding that `to_json` wrote."""
        return cls(**{**values, "severity": Severity(values["severity"])})

    def to_json(self) -> dict[str, Any]:
        """Return the finding as the object of the command line and the API."""
        return {
            "severity": self.severity.value,
            "code": self.code,
            "line": self.line,
            "column": self.column,
            "field": self.field,
            "found": self.found,
            "expected": self.expected,
            "article": self.article,
            "message": self.message,
            "suggestion": self.suggestion,
        }


def shown(text: str) -> str:
    """Return text of a file as it may be repeated to people: short, and without hidden characters."""
    cut = text[:LONGEST_TEXT_SHOWN]
    if not cut.isprintable():
        cut = "".join(letter if letter.isprintable() else f"<U+{ord(letter):04X}>" for letter in cut)
    return cut + "…" if len(text) > LONGEST_TEXT_SHOWN else cut


def counted_up(values: Sequence[object]) -> str:
    """Return values as a message counts them up: the first eight, and how many more there are."""
    named = ", ".join(str(value) for value in values[:MOST_NAMED])
    return named if len(values) <= MOST_NAMED else f"{named} and {len(values) - MOST_NAMED} more"


def name_character(letter: str) -> str:
    """Return what a character is called, for one who cannot see it: ``U+202E, RIGHT-TO-LEFT OVERRIDE``."""
    name = unicodedata.name(letter, "")
    return f"U+{ord(letter):04X}, {name}" if name else f"U+{ord(letter):04X}"


class Details(TypedDict, total=False):
    """Where a finding stands and what it says beside its message; see ``Finding``."""

    line: int | None
    column: int | None
    field: str | None
    found: str
    expected: str
    suggestion: str
    article: str
    about: tuple[int, ...] | None


def error(code: str, message: str, **details: Unpack[Details]) -> Finding:
    """Return a finding that stops handing in (R20); the article is the catalogue's unless another is given.

    Raises KeyError for a code outside the catalogue: that is a fault of the program, not of the file.
    """
    return _finding(Severity.ERROR, code, message, details)


def warning(code: str, message: str, **details: Unpack[Details]) -> Finding:
    """Return a finding that asks for the referee's word or the officer's eye (R21), as ``error`` does."""
    return _finding(Severity.WARNING, code, message, details)


def _finding(severity: Severity, code: str, message: str, details: Details) -> Finding:
    return Finding(
        severity=severity,
        code=code,
        line=details.get("line"),
        column=details.get("column"),
        field=details.get("field"),
        found=shown(details.get("found", "")),
        expected=details.get("expected", "")[:LONGEST_SENTENCE],
        article=details.get("article") or CODES[code].article,
        message=message[:LONGEST_SENTENCE],
        suggestion=details.get("suggestion", "")[:LONGEST_SENTENCE],
        about=details.get("about"),
    )


class FindingList:
    """Findings being collected. Past MOST_FINDINGS_KEPT no more are kept, so that no file costs minutes."""

    def __init__(self) -> None:
        self._kept: list[Finding] = []

    @property
    def full(self) -> bool:
        """Whether nothing more is kept."""
        return len(self._kept) > MOST_FINDINGS_KEPT

    def error(self, code: str, message: str, **details: Unpack[Details]) -> None:
        """Keep an error; see ``error``."""
        if not self.full:
            self._kept.append(_finding(Severity.ERROR, code, message, details))

    def warning(self, code: str, message: str, **details: Unpack[Details]) -> None:
        """Keep a warning; see ``warning``."""
        if not self.full:
            self._kept.append(_finding(Severity.WARNING, code, message, details))

    def extend(self, findings: Iterable[Finding]) -> None:
        """Keep findings that were collected apart."""
        for finding in findings:
            if self.full:
                return
            self._kept.append(finding)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._kept)


def alike(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Return findings in groups that are told as one, in the order of the first of each.

    Together are those that say the same of the same text, seven players with one wrong country code; those of one
    kind on one line; and those of one kind whatever they found, where there are more. What is asked of each player
    by himself (OF_ONE_PLAYER) and what has no line stays apart.
    """
    groups = [[finding] for finding in findings]
    for most, says in (
        (MOST_TOLD_APART, lambda each: (each.severity, each.code, each.message, each.expected, each.found)),
        (MOST_TOLD_APART, lambda each: (each.severity, each.code, each.line)),
        (MOST_OF_ONE_KIND, lambda each: (each.severity, each.code, each.message, each.expected)),
    ):
        together: dict[object, list[list[Finding]]] = {}
        for turn, group in enumerate(groups):
            apart = group[0].line is None or group[0].code in OF_ONE_PLAYER
            together.setdefault(turn if apart else says(group[0]), []).append(group)
        groups = []
        for same in together.values():
            merged = [finding for group in same for finding in group]
            groups += [merged] if len(merged) > most else same
    return sorted(groups, key=lambda group: _position(group[0]))


def in_file_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings by line and column, those of the form last, each once, no more than are kept."""
    return no_more_than_kept(each_once(findings))


def each_once(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings by line and column, those of the form last.

    A warning falls away where the same is said as an error.
    """
    ordered: list[Finding] = []
    said: set[tuple[object, ...]] = set()
    for finding in sorted(dict.fromkeys(findings), key=_position):
        place = (finding.code, finding.line, finding.column, finding.field)
        if finding.severity is Severity.ERROR:
            said.add(place)
        elif place in said:
            continue
        ordered.append(finding)
    return ordered


def no_more_than_kept(ordered: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the first MOST_FINDINGS_KEPT findings, and one that says so where there are more."""
    if len(ordered) <= MOST_FINDINGS_KEPT:
        return tuple(ordered)
    kept, first_left_out = ordered[:MOST_FINDINGS_KEPT], ordered[MOST_FINDINGS_KEPT]
    near = first_left_out if first_left_out.line else kept[-1]
    return (
        *kept,
        error(
            "findings-cut",
            f"There are more findings; the first {MOST_FINDINGS_KEPT:,} are shown.",
            line=near.line or 1,
            column=near.column or 1,
            found=f"more than {MOST_FINDINGS_KEPT:,} findings",
            expected=f"at most {MOST_FINDINGS_KEPT:,}",
            suggestion="Mend the first ones and check again; often one fault causes all the others.",
            about=(),
        ),
    )


def _position(finding: Finding) -> tuple[bool, int, int, bool, str, str]:
    return (
        finding.line is None,
        finding.line or 0,
        finding.column or 0,
        finding.severity is not Severity.ERROR,
        finding.code,
        finding.field or "",
    )
