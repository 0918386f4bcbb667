"""Values of a JSON file, and a finding with line and column for each one that does not fit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, TypeVar

from reporting.formats.pairing.json_places import (
    Lines,
    PlacedList,
    PlacedObject,
    PlacesNeededError,
    UnreadableJsonError,
    read_json,
    read_json_without_places,
)
from reporting.rules.findings.finding_list import FindingList

MAX_BYTES: Final = 4_000_000
"""Bytes of a file: some 2,000 players in 20 rounds."""

Read = TypeVar("Read")


class JsonReader:
    """Reads values, and notes each one that does not fit; what is wrong becomes None.

    A value is given by the list or the object that has it, its holder, and its key there. Most files have no findings,
    and the places of all values take most of the time of reading: so a file is first read without them. The first
    finding ends that, and the same checks then go through the file with its places.
    """

    def __init__(self, findings: FindingList) -> None:
        self.findings = findings
        self._lines = Lines("")

    def read(self, content: bytes, check: Callable[[list[Any]], Read]) -> Read | None:
        """Return what a check makes of the value of JSON in UTF-8, which it gets as the only item of a list.

        None with a finding where it is no JSON or more than `MAX_BYTES`.
        """
        if len(content) > MAX_BYTES:
            self.findings.add("pairing-file-too-large", line=1, column=1, limit=MAX_BYTES)
            return None
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as problem:
            before = content[: problem.start].decode("utf-8-sig", errors="replace")
            line, column = Lines(before).place(len(before))
            self.findings.add("json-unreadable", line=line, column=column, found="")
            return None
        try:
            return check(read_json_without_places(text))
        except PlacesNeededError:
            self._lines = Lines(text)
        try:
            root = read_json(text)
        except UnreadableJsonError as problem:
            line, column = self._lines.place(problem.offset)
            self.findings.add("json-unreadable", line=line, column=column, found=text[problem.offset :][:20])
            return None
        return check(root)

    def note(self, code: str, holder: Any, key: str | int, field: str, **values: Any) -> None:
        """Add a finding at the place of a value."""
        self._note_at(_placed(holder).offset(key), code, field, **values)

    def _note_at(self, offset: int, code: str, field: str, **values: Any) -> None:
        if not self.findings.full:  # a file can have millions, and lines and columns of them all take seconds
            line, column = self._lines.place(offset)
            self.findings.add(code, line=line, column=column, field=field, **values)

    def wrong(self, holder: Any, key: str | int, field: str, allowed: str) -> None:
        found = holder[key]
        if isinstance(found, dict | list):
            found = "{…}" if isinstance(found, dict) else "[…]"
        elif found is None or isinstance(found, bool):
            found = {None: "null", True: "true", False: "false"}[found]
        self.note("pairing-value-wrong", holder, key, field, found=str(found), allowed=allowed)

    def entries(
        self, holder: Any, key: str | int, known: Collection[str], needed: Iterable[str], field: str
    ) -> dict[str, Any]:
        """The entries of an object by name."""
        found = holder[key]
        if not isinstance(found, dict):
            self.wrong(holder, key, field, "{ … }")
            return {}
        for name in found:
            if name not in known:
                at = _placed(found).places[name][0]
                self._note_at(at, "pairing-name-unknown", field, found=name, allowed=", ".join(known))
        if isinstance(found, PlacedObject):
            for name, at in found.repeated:
                self._note_at(at, "pairing-name-repeated", field, found=name)
        for name in needed:
            if name not in found:
                self.note("pairing-entry-missing", holder, key, name, found="", allowed=name)
        return found

    def whole(
        self, least: int, most: int, holder: Any, key: str | int, field: str | None = None
    ) -> int | None:
        """A whole number in a range; its field is its key unless given."""
        value = holder[key]
        if type(value) is int and least <= value <= most:
            return value
        self.wrong(holder, key, field or str(key), f"{least}–{most}")
        return None

    def choice(self, allowed: Mapping[str, Any], holder: Any, key: str) -> Any:
        value = holder[key]
        if not isinstance(value, str) or value not in allowed:
            self.wrong(holder, key, key, ", ".join(f'"{value}"' for value in allowed))
            return None
        return allowed[value]

    def text(self, example: str, holder: Any, key: str) -> str:
        value = holder.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.wrong(holder, key, key, f'"{example}"')
            return ""
        return value.strip()

    def items(self, holder: Any, key: str, field: str | None = None) -> list[Any]:
        """The items of a list, none where there is no such entry; its field is its key unless given."""
        if key not in holder:
            return []
        value = holder[key]
        if not isinstance(value, list):
            self.wrong(holder, key, field or key, "[ … ]")
            return []
        return value


def _placed(holder: Any) -> Any:
    """Return an object or a list that has places. Raises `PlacesNeededError` where it was read without them."""
    if isinstance(holder, PlacedList | PlacedObject):
        return holder
    raise PlacesNeededError
