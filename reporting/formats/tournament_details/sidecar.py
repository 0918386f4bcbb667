"""The sidecar file of a report: tournament details, read from TOML and written as it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import tomli_w

from reporting.formats.text.decode import marked_body, with_line_feeds
from reporting.formats.tournament_details.reader import DetailsReader
from reporting.rules.details.known_details import details_type, known_details, private_details
from reporting.rules.details.shared_details import NewPlayer
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import Finding, FindingList
from reporting.rules.report import Encoding, PointsScale
from reporting.rules.standings.cross_table import Counting

MAX_DETAILS_BYTES = 64_000
"""Bytes of a sidecar file."""

_TOMLLIB_PLACE = re.compile(r" ?\(at line ([0-9]{1,9}), column ([0-9]{1,9})\)")
"""Where tomllib stopped, in its message."""


@dataclass(frozen=True)
class Sidecar:
    """The bytes of a sidecar file (TOML in UTF-8, or in UTF-16 with a byte order mark), read once.

    ``values`` are those of the file as they are written, right or wrong; none if it is not TOML. ``details`` are None
    if there is an error. ``findings`` are all findings at once, each with the name of its detail in ``field``. Their
    ``line`` is None, because that would be a line of the report; ``found`` has line and column of the sidecar. Those
    about the entry of one player have its number in ``about``.

    The choices for reading the report file and the people count even if other details are missing or wrong, so that a
    file can be looked at, and its players matched, before the form is filled in.
    """

    content: bytes
    values: Mapping[str, Any]
    details: TournamentDetails | None
    findings: tuple[Finding, ...]
    encoding: Encoding | None = None
    points: PointsScale | None = None
    """The scale of the file's points column as the details say; None where the file decides (decision 0090)."""
    fmjd_ids: Mapping[int, int | str] = field(default_factory=dict)
    """By tournament number, those that can be read."""
    counting: Counting = field(default_factory=Counting)
    """How rounds and ties count, of what can be read."""
    newcomers: Mapping[int, NewPlayer] = field(default_factory=dict)
    """The new players by tournament number, those that can be read."""
    readable: Mapping[str, Any] = field(default_factory=dict)
    """The values that can be read, by the names of their details."""

    @property
    def entered(self) -> frozenset[str]:
        """The names of the details that have a value, right or wrong."""
        return frozenset(
            name
            for name, value in self.values.items()
            if (value.strip() if isinstance(value, str) else value != [])
        )

    @property
    def given(self) -> frozenset[str]:
        """The names of the details whose value can be used."""
        return self.entered - {finding.field for finding in self.findings}


def read_sidecar(content: bytes, *, in_file: Collection[str] = ()) -> Sidecar:
    """Read a sidecar file; the details `in_file` are those of the report file. Never raises (R22)."""
    findings = FindingList()
    text = _text(content, findings)
    values = None if text is None else _toml(text, findings)
    if text is None or values is None:
        return Sidecar(content, {}, None, tuple(findings))
    kind = details_type(values)
    reader = DetailsReader(kind, _lines_of_keys(text), in_file)
    details, found = reader.read_all(values)
    valid = reader.details
    return Sidecar(
        content,
        values,
        details,
        found,
        valid.get("encoding"),
        valid.get("points"),
        valid.get("players", {}),
        kind(**valid).counting,
        valid.get("newcomers", {}),
        valid,
    )


def read_details(content: bytes) -> tuple[TournamentDetails | None, tuple[Finding, ...]]:
    """Return the details of a sidecar file, or None if there is an error, and all findings. Never raises."""
    sidecar = read_sidecar(content)
    return sidecar.details, sidecar.findings


def write_details(values: Mapping[str, Any]) -> bytes:
    """Return the values as a sidecar file (TOML, UTF-8), in the order of the reference table, unknown names last.

    Values are written as they are, right or wrong; `read_details` checks them. Empty texts, lists and tables are
    omitted. Raises TypeError for a value that TOML does not have.
    """
    order = {name: place for place, name in enumerate(known_details())}
    given = {
        name: {str(number): entry for number, entry in value.items()} if isinstance(value, Mapping) else value
        for name, value in values.items()
        if value not in (None, "") and not (isinstance(value, list | tuple | Mapping) and not value)
    }
    return tomli_w.dumps(
        dict(sorted(given.items(), key=lambda item: order.get(item[0], len(order))))
    ).encode()


def detail_values(content: bytes) -> dict[str, Any]:
    """Return the values of a sidecar file as they are written; none if it is not TOML."""
    text = _text(content, FindingList())
    return {} if text is None else _toml(text, FindingList()) or {}


def without_private_details(content: bytes) -> bytes:
    """Return a sidecar file without the private details; empty if it is not TOML."""
    hidden = private_details()
    return write_details(
        {name: value for name, value in detail_values(content).items() if name not in hidden}
    )


def _text(content: bytes, findings: FindingList) -> str | None:
    """The text of a sidecar file; None, and a finding, where it is too long or no text."""
    if len(content) > MAX_DETAILS_BYTES:
        findings.add("details-unreadable.size", field="details", size=len(content), limit=MAX_DETAILS_BYTES)
        return None
    codec, body = marked_body(content)
    try:
        return with_line_feeds(body.decode(codec or Encoding.UTF_8))
    except UnicodeDecodeError as problem:
        before = with_line_feeds(body[: problem.start].decode(codec or Encoding.UTF_8, errors="replace"))
        findings.add(
            "details-unreadable.encoding",
            field="details",
            line_found=before.count("\n") + 1,
            column_found=len(before) - (before.rfind("\n") + 1) + 1,
        )
    return None


def _toml(text: str, findings: FindingList) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError) as problem:
        # tomllib gives ValueError also for numbers of thousands of digits, RecursionError for deep nesting.
        place = _TOMLLIB_PLACE.search(str(problem))
        findings.add(
            "details-unreadable",
            field="details",
            line_found=int(place[1]) if place else 1,
            column_found=int(place[2]) if place else 1,
            problem=_TOMLLIB_PLACE.sub("", str(problem)),
        )
    return None


def _lines_of_keys(text: str) -> dict[str, tuple[int, int]]:
    """Return line and column of each key at the top of a TOML file; tomllib does not give them."""
    found: dict[str, tuple[int, int]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        written = line.strip()
        if written.startswith("[") and written.rstrip("]").lstrip("[").strip():
            name = written.strip("[] ")
        elif "=" in written:
            name = written.partition("=")[0].strip().strip("\"'")
        else:
            continue
        found.setdefault(name, (number, len(line) - len(line.lstrip()) + 1))
    return found
