"""Edits pieces of a report file in place; all other bytes stay the same."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from reporting.formats.text.decode import UNREADABLE, clean_line, marked_body
from reporting.rules.findings.catalogue import EDIT_PROBLEMS
from reporting.rules.findings.finding_list import FindingList
from reporting.rules.names.plain_text import compose
from reporting.rules.report import ENCODINGS
from reporting.rules.sentences import Value, sentence

_LINE_END = re.compile(r"(\r\n?|\n)")


@dataclass(frozen=True)
class Edit:
    """Replace ``length`` characters of a line from ``column`` on (both from 1) by ``text``."""

    line: int
    column: int
    length: int
    text: str


class EditError(ValueError):
    """A piece that cannot be edited: the key of the reason and its values."""

    def __init__(self, key: str, **values: Value) -> None:
        super().__init__(key)
        self.key = key
        self.values = values

    def __str__(self) -> str:
        """The sentence for people, in the language of the page."""
        return sentence(EDIT_PROBLEMS[self.key], self.values)


def apply_edits(content: bytes, encoding: str, edits: Iterable[Edit]) -> bytes:
    """Return a file with pieces of its lines replaced, in its own encoding and with its own line ends.

    Lines and columns are those of ``decode.DecodedText`` (composed, NFC). Only different
    characters of a piece are written, so one that is shown as U+FFFD stays the same. Raises EditError for a
    piece that does not exist, two pieces that overlap, a text of several lines, or one that the encoding does not have.
    """
    _, body = marked_body(content)
    mark = content.removesuffix(body)
    pieces = _LINE_END.split(body.decode(encoding))
    lines = pieces[::2]
    by_line: defaultdict[int, list[Edit]] = defaultdict(list)
    for edit in edits:
        by_line[edit.line].append(edit)
    for number, line_edits in by_line.items():
        if not 1 <= number <= len(lines):
            raise EditError("no-line", line=number)
        lines[number - 1] = apply_edits_to_line(lines[number - 1], number, line_edits)
    pieces[::2] = lines
    try:
        return mark + "".join(pieces).encode(encoding)
    except UnicodeEncodeError as problem:
        letter = problem.object[problem.start]
        raise EditError(
            "no-encoding", letter=letter, encoding=ENCODINGS.get(encoding, encoding.upper())
        ) from None


def apply_edits_to_line(raw: str, number: int, edits: Iterable[Edit]) -> str:
    """Return a line, without its end, with its pieces replaced from right to left.

    Raises EditError like ``apply_edits``.
    """
    line = compose(raw)
    seen = clean_line(number, raw, FindingList())
    last = min(len(line), len(seen))
    for edit in sorted(edits, key=lambda edit: edit.column, reverse=True):
        start = edit.column - 1
        if not 0 <= start <= start + edit.length <= last:
            raise EditError("changed", line=number)
        if any(letter in edit.text for letter in "\r\n"):
            raise EditError("several-lines", line=number)
        piece = seen[start : start + edit.length]
        before = _common_length(piece, edit.text)
        after = _common_length(piece[before:][::-1], edit.text[before:][::-1])
        middle = edit.text[before : len(edit.text) - after]
        if UNREADABLE in middle:
            raise EditError("unreadable", line=number, letter=UNREADABLE)
        line = line[: start + before] + middle + line[start + edit.length - after :]
        last = start
    return line


def _common_length(text: str, other: str) -> int:
    """Return the length of the common beginning of two texts."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, other, strict=False)))
