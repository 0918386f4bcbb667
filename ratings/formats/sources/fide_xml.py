"""The list of FIDE as XML, read in blocks: a `player` at a time, never the whole file.

A document type, and so an entity, is refused. What a player has besides number, title, ratings and coefficients is not
looked at.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final
from xml.parsers import expat

import numpy as np

from ratings.formats.sources.figures import (
    BLITZ,
    LARGEST_NUMBER,
    MOST_FACTOR,
    MOST_RATING,
    MOST_TITLES,
    RAPID,
    STANDARD,
    SourceLines,
)
from ratings.formats.sources.file import ARTICLE, SourceRefusedError
from reporting.rules.findings.finding_list import MAX_FINDINGS, finding

ROOT, PLAYER = "playerslist", "player"
NUMBER, TITLE = "fideid", "title"
OF_KIND: Final = {
    STANDARD: ("rating", "k"),
    RAPID: ("rapid_rating", "rapid_k"),
    BLITZ: ("blitz_rating", "blitz_k"),
}
NUMBERS: Final = {
    NUMBER: (1, LARGEST_NUMBER),
    **{rating: (0, MOST_RATING) for rating, _ in OF_KIND.values()},
    **{factor: (0, MOST_FACTOR) for _, factor in OF_KIND.values()},
}
"""The elements with a number that are read, each with the least and the largest one."""
REQUIRED: Final = (NUMBER, *(rating for rating, _ in OF_KIND.values()))
LONGEST_VALUE = 100


def read_xml(blocks: Iterable[bytes], kind: str, progress: Callable[[int], None]) -> SourceLines:
    """As `read_text`; `progress` is given the number of players of each block. Raises SourceRefusedError."""
    if kind:
        raise SourceRefusedError("source-kind-given", found=kind)
    reading = _Reading()
    try:
        for block in blocks:
            reading.parser.Parse(block, False)
            progress(reading.take_players())
            if len(reading.lines.findings) >= MAX_FINDINGS:
                break
        else:
            reading.parser.Parse(b"", True)
    except expat.ExpatError as problem:
        found = expat.ErrorString(problem.code)
        raise SourceRefusedError(
            "source-xml-unreadable", line=problem.lineno, column=problem.offset + 1, found=found
        ) from problem
    return reading.lines


class _Reading:
    """The players so far, and the one whose elements come in."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse_declaration
        self.parser.EntityDeclHandler = self._refuse_declaration
        self.parser.StartElementHandler = self._begin
        self.parser.EndElementHandler = self._end
        self.lines = SourceLines("xml", tuple(OF_KIND))
        self.players: list[tuple[int, ...]] = []
        self.depth = 0
        self.line = 0
        self.values: dict[str, str] = {}
        self.text: list[str] = []

    def _refuse_declaration(self, *_: object) -> None:
        raise SourceRefusedError("source-xml-refused", **self._place())

    def _place(self) -> dict[str, int]:
        return {"line": self.parser.CurrentLineNumber, "column": self.parser.CurrentColumnNumber + 1}

    def _begin(self, name: str, _: object) -> None:
        self.depth += 1
        if self.depth == 1 and name != ROOT:
            raise SourceRefusedError(
                "source-layout-unknown", **self._place(), found=f"<{name}>", heading=f"<{ROOT}>"
            )
        if self.depth == 2:
            if name != PLAYER:
                raise SourceRefusedError(
                    "source-layout-unknown", **self._place(), found=f"<{name}>", heading=f"<{PLAYER}>"
                )
            self.values = {}
            self.line = self.parser.CurrentLineNumber
        elif self.depth == 3 and (name in NUMBERS or name == TITLE):
            self.text = []
            self.parser.CharacterDataHandler = self._add_text

    def _add_text(self, text: str) -> None:
        if sum(map(len, self.text)) < LONGEST_VALUE:
            self.text.append(text[:LONGEST_VALUE])

    def _end(self, name: str) -> None:
        if self.depth == 3 and self.parser.CharacterDataHandler is not None:
            self.parser.CharacterDataHandler = None
            self.values[name] = "".join(self.text).strip()
        elif self.depth == 2:
            self._add_player()
        self.depth -= 1

    def _add_player(self) -> None:
        missing = [name for name in REQUIRED if name not in self.values]
        for name in missing:
            self._add("source-element-missing", name)
        numbers = [self._number(name) for name in NUMBERS if name not in missing]
        if not missing:
            titles = self.lines.titles
            title = min(titles.setdefault(self.values.get(TITLE, ""), len(titles)), MOST_TITLES)
            self.players.append((self.line, title, *numbers))

    def take_players(self) -> int:
        """Put the players read since the last time into columns; answers how many."""
        count = len(self.players)
        columns = np.array(self.players, dtype=np.uint32).reshape(count, 2 + len(NUMBERS)).T
        line, title, *numbers = columns
        by_name = dict(zip(NUMBERS, numbers, strict=True))
        self.lines.line.append(line)
        self.lines.title.append(title.astype(np.uint8))
        self.lines.number.append(by_name[NUMBER])
        for kind, (rating, k_factor) in OF_KIND.items():
            self.lines.rating[kind].append(by_name[rating].astype(np.uint16))
            self.lines.k_factor[kind].append(by_name[k_factor].astype(np.uint8))
        self.players = []
        return count

    def _number(self, name: str) -> int:
        """The number in an element, 0 for an empty one that may be; a finding and 0 for anything else."""
        text = self.values.get(name, "")
        least, most = NUMBERS[name]
        if not text and not least:
            return 0
        if not (text.isascii() and text.isdecimal() and least <= int(text) <= most):
            self._add("number-unreadable.csv", name, found=text, least=least, most=most)
            return 0
        return int(text)

    def _add(self, key: str, field: str, **given: Any) -> None:
        findings = self.lines.findings
        if len(findings) < MAX_FINDINGS:
            findings.append(finding(key, line=self.line, column=1, field=field, article=ARTICLE, **given))
