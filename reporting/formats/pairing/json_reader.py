"""Values of a JSON file, and a finding with line and column for each one that does not fit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from reporting.formats.pairing.json_places import Lines, Placed, UnreadableJsonError, read_json
from reporting.rules.findings.finding_list import FindingList

MAX_BYTES: Final = 4_000_000
"""Bytes of a file: some 2,000 players in 20 rounds."""


class JsonFile(NamedTuple):
    """What a file holds, and the lines in which its values are found."""

    value: Placed
    lines: Lines


def read_json_file(content: bytes, findings: FindingList) -> JsonFile | None:
    """Return the value of JSON in UTF-8, None with a finding where it is no JSON or more than `MAX_BYTES`."""
    if len(content) > MAX_BYTES:
        findings.add("pairing-file-too-large", line=1, column=1, limit=MAX_BYTES)
        return None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        before = content[: problem.start].decode("utf-8-sig", errors="replace")
        line, column = Lines(before).place(len(before))
        findings.add("json-unreadable", line=line, column=column, found="")
        return None
    lines = Lines(text)
    try:
        return JsonFile(read_json(text), lines)
    except UnreadableJsonError as problem:
        line, column = lines.place(problem.offset)
        findings.add("json-unreadable", line=line, column=column, found=text[problem.offset :][:20])
        return None


class JsonReader:
    """Reads values, and notes each one that does not fit; what is wrong becomes None."""

    def __init__(self, lines: Lines, findings: FindingList) -> None:
        self.lines = lines
        self.findings = findings

    def note(self, code: str, at: int, field: str, **values: Any) -> None:
        line, column = self.lines.place(at)
        self.findings.add(code, line=line, column=column, field=field, **values)

    def wrong(self, placed: Placed, field: str, allowed: str) -> None:
        found = placed.value
        if isinstance(found, dict | list):
            found = "{…}" if isinstance(found, dict) else "[…]"
        elif found is None or isinstance(found, bool):
            found = {None: "null", True: "true", False: "false"}[found]
        self.note("pairing-value-wrong", placed.offset, field, found=str(found), allowed=allowed)

    def entries(
        self, placed: Placed, known: Collection[str], needed: Iterable[str], field: str
    ) -> dict[str, Placed]:
        """The entries of an object by name."""
        if not isinstance(placed.value, dict):
            self.wrong(placed, field, "{ … }")
            return {}
        for name, (at, _) in placed.value.items():
            if name not in known:
                self.note("pairing-name-unknown", at, field, found=name, allowed=", ".join(known))
        for name, at in placed.repeated:
            self.note("pairing-name-repeated", at, field, found=name)
        for name in needed:
            if name not in placed.value:
                self.note("pairing-entry-missing", placed.offset, name, found="", allowed=name)
        return {name: value for name, (_, value) in placed.value.items()}

    def whole(self, least: int, most: int, field: str, placed: Placed) -> int | None:
        value = placed.value
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.wrong(placed, field, f"{least}–{most}")
            return None
        return value

    def choice(self, allowed: Mapping[str, Any], field: str, placed: Placed) -> Any:
        if not isinstance(placed.value, str) or placed.value not in allowed:
            self.wrong(placed, field, ", ".join(f'"{value}"' for value in allowed))
            return None
        return allowed[placed.value]

    def text(self, example: str, field: str, placed: Placed | None) -> str:
        if placed is None or placed.value is None:
            return ""
        if not isinstance(placed.value, str):
            self.wrong(placed, field, f'"{example}"')
            return ""
        return placed.value.strip()

    def items(self, placed: Placed | None, field: str) -> list[Placed]:
        if placed is None:
            return []
        if not isinstance(placed.value, list):
            self.wrong(placed, field, "[ … ]")
            return []
        return placed.value
