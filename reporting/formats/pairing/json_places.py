"""JSON with the place of every value, so that a finding can name line and column."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder
from typing import Any, Final

MAX_DEPTH: Final = 6
"""Lists and objects inside each other; a pairing has four."""

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?![0-9.eE])")
_SPACE = re.compile(r"[ \t\n\r]*")
_TEXT: Final = JSONDecoder()
_WORDS: Final = {"true": True, "false": False, "null": None}


@dataclass(frozen=True)
class Placed:
    """A value of a JSON text and where it begins: `offset` in characters from 0.

    `value` is a text, a whole number, true, false or None; of a list its `Placed` items; of an object by name the place
    of the name and its value. `repeated` are names of an object that it has again, with their places.
    """

    value: Any
    offset: int
    repeated: tuple[tuple[str, int], ...] = ()


class UnreadableJsonError(ValueError):
    """Text that is no JSON from `offset` on, or has what no pairing needs: fractions, more than `MAX_DEPTH` levels."""

    def __init__(self, offset: int) -> None:
        super().__init__(str(offset))
        self.offset = offset


def read_json(text: str) -> Placed:
    """Return the value of a JSON text with all places. Raises `UnreadableJsonError`."""
    placed, end = _read(text, _after_space(text, 0), 0)
    if end != len(text):
        raise UnreadableJsonError(end)
    return placed


class Lines:
    """Where the lines of a text begin, so that thousands of findings cost no more than one."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def _after_space(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]  # it matches everywhere


def _read(text: str, at: int, depth: int) -> tuple[Placed, int]:
    """Return the value that begins at an offset, and the offset after it and the space that follows."""
    first = text[at : at + 1]
    if first and first in "[{" and depth < MAX_DEPTH:
        return _read_inside(text, at, depth, is_object=first == "{")
    if first == '"':
        value, end = _text(text, at)
        return Placed(value, at), _after_space(text, end)
    if found := _NUMBER.match(text, at):
        return Placed(int(found[0]), at), _after_space(text, found.end())
    for word, meaning in _WORDS.items():
        if text.startswith(word, at):
            return Placed(meaning, at), _after_space(text, at + len(word))
    raise UnreadableJsonError(at)


def _read_inside(text: str, start: int, depth: int, *, is_object: bool) -> tuple[Placed, int]:
    items: list[Placed] = []
    named: dict[str, tuple[int, Placed]] = {}
    repeated: list[tuple[str, int]] = []
    closing = "}" if is_object else "]"
    at = _after_space(text, start + 1)
    if text[at : at + 1] == closing:
        return Placed(named if is_object else items, start), _after_space(text, at + 1)
    while True:
        name, name_at = "", at
        if is_object:
            if text[at : at + 1] != '"':
                raise UnreadableJsonError(at)
            name, at = _text(text, at)
            at = _after_space(text, at)
            if text[at : at + 1] != ":":
                raise UnreadableJsonError(at)
            at = _after_space(text, at + 1)
        value, at = _read(text, at, depth + 1)
        if is_object and name in named:
            repeated.append((name, name_at))
        elif is_object:
            named[name] = name_at, value
        else:
            items.append(value)
        separator = text[at : at + 1]
        if separator == closing:
            placed = Placed(named if is_object else items, start, tuple(repeated))
            return placed, _after_space(text, at + 1)
        if separator != ",":
            raise UnreadableJsonError(at)
        at = _after_space(text, at + 1)


def _text(text: str, at: int) -> tuple[str, int]:
    try:
        value, end = _TEXT.raw_decode(text, at)
    except JSONDecodeError as problem:
        raise UnreadableJsonError(min(problem.pos, len(text))) from None
    return str(value), end
