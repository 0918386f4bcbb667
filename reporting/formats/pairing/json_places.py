"""JSON with the place of every value, so that a finding can name line and column, and quickly without places."""

from __future__ import annotations

import re
from bisect import bisect_right
from json import JSONDecodeError, JSONDecoder
from typing import Any, Final, NoReturn

MAX_DEPTH: Final = 6
"""Lists and objects inside each other; a pairing has four."""

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?![0-9.eE])")
_SPACE = re.compile(r"[ \t\n\r]*")
_TEXT: Final = JSONDecoder()
_WORDS: Final = {"true": True, "false": False, "null": None}


class PlacedList(list[Any]):
    """A list of a JSON text; `offsets` is where its items begin, in characters from 0."""

    __slots__ = ("offsets",)

    def __init__(self) -> None:
        super().__init__()
        self.offsets: list[int] = []

    def offset(self, index: int) -> int:
        """Return where an item begins."""
        return self.offsets[index]


class PlacedObject(dict[str, Any]):
    """An object of a JSON text; `places` has by name where the name begins, and where its value does.

    Of a name that it has again the first value counts; `repeated` are the others, with the places of their names.
    """

    __slots__ = ("places", "repeated")

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[str, tuple[int, int]] = {}
        self.repeated: tuple[tuple[str, int], ...] = ()

    def offset(self, name: str) -> int:
        """Return where the value of a name begins."""
        return self.places[name][1]


class PlacesNeededError(Exception):
    """A text read without places that has something to find: only `read_json` can judge it."""


class UnreadableJsonError(ValueError):
    """Text that is no JSON from `offset` on, or has what no pairing needs: fractions, more than `MAX_DEPTH` levels."""

    def __init__(self, offset: int) -> None:
        super().__init__(str(offset))
        self.offset = offset


def read_json(text: str) -> PlacedList:
    """Return a list of one item, the value of a JSON text, with all places. Raises `UnreadableJsonError`.

    Values are texts, whole numbers, true, false, None, `PlacedList` and `PlacedObject`.
    """
    root = PlacedList()
    start = _after_space(text, 0)
    value, end = _read(text, start, 0)
    if end != len(text):
        raise UnreadableJsonError(end)
    root.append(value)
    root.offsets.append(start)
    return root


def read_json_without_places(text: str) -> list[Any]:
    """Return what `read_json` does as plain lists and objects, many times as fast. Raises `PlacesNeededError`.

    It counts neither digits nor levels: the checks must go through all values, and find those with too many.
    """
    try:
        return [_PLAIN.decode(text)]
    except (ValueError, RecursionError):
        raise PlacesNeededError from None


def _object_without_repeated_names(entries: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(entries)
    if len(named) != len(entries):
        raise PlacesNeededError
    return named


def _refuse(_number: str) -> NoReturn:
    raise PlacesNeededError


_PLAIN: Final = JSONDecoder(
    object_pairs_hook=_object_without_repeated_names, parse_float=_refuse, parse_constant=_refuse
)


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


def _read(text: str, at: int, depth: int) -> tuple[Any, int]:
    """Return the value that begins at an offset, and the offset after it and the space that follows."""
    first = text[at : at + 1]
    if first == "[" and depth < MAX_DEPTH:
        return _read_list(text, at, depth)
    if first == "{" and depth < MAX_DEPTH:
        return _read_object(text, at, depth)
    if first == '"':
        value, end = _text(text, at)
        return value, _after_space(text, end)
    if found := _NUMBER.match(text, at):
        return int(found[0]), _after_space(text, found.end())
    for word, meaning in _WORDS.items():
        if text.startswith(word, at):
            return meaning, _after_space(text, at + len(word))
    raise UnreadableJsonError(at)


def _read_list(text: str, start: int, depth: int) -> tuple[PlacedList, int]:
    items = PlacedList()
    at = _after_space(text, start + 1)
    if text[at : at + 1] == "]":
        return items, _after_space(text, at + 1)
    while True:
        items.offsets.append(at)
        value, at = _read(text, at, depth + 1)
        items.append(value)
        if text[at : at + 1] == "]":
            return items, _after_space(text, at + 1)
        at = _after(",", text, at)


def _read_object(text: str, start: int, depth: int) -> tuple[PlacedObject, int]:
    named = PlacedObject()
    repeated: list[tuple[str, int]] = []
    at = _after_space(text, start + 1)
    if text[at : at + 1] == "}":
        return named, _after_space(text, at + 1)
    while True:
        name_at = at
        if text[at : at + 1] != '"':
            raise UnreadableJsonError(at)
        name, at = _text(text, at)
        value_at = _after(":", text, _after_space(text, at))
        value, at = _read(text, value_at, depth + 1)
        if name in named:
            repeated.append((name, name_at))
        else:
            named[name] = value
            named.places[name] = name_at, value_at
        if text[at : at + 1] == "}":
            named.repeated = tuple(repeated)
            return named, _after_space(text, at + 1)
        at = _after(",", text, at)


def _after(separator: str, text: str, at: int) -> int:
    """Return the offset after a separator and the space that follows."""
    if text[at : at + 1] != separator:
        raise UnreadableJsonError(at)
    return _after_space(text, at + 1)


def _text(text: str, at: int) -> tuple[str, int]:
    try:
        value, end = _TEXT.raw_decode(text, at)
    except JSONDecodeError as problem:
        raise UnreadableJsonError(min(problem.pos, len(text))) from None
    return str(value), end
