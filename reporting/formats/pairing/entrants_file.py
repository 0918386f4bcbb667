"""Who is in a round robin or in the championship of 40, as JSON (docs/reference/pairing-file.md)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, TypeVar

from reporting.formats.pairing.json_places import Placed
from reporting.formats.pairing.json_reader import JsonReader, read_json_file
from reporting.formats.pairing.pairing_file import MAX_NUMBER, MAX_RATING
from reporting.rules.findings.finding_list import Finding, FindingList, in_file_order
from reporting.rules.regulations.berger import MAX_PLAYERS, MIN_PLAYERS
from reporting.rules.regulations.championship_of_40 import (
    ENTRANTS,
    FINALISTS,
    GROUPS,
    PROMOTED,
    Entrant,
    Finalist,
)

OPTION_48: Final = 48
"""Players of a championship that the regulations allow without saying how it is played."""

Row = TypeVar("Row")


def read_round_robin(content: bytes) -> tuple[dict[int, str] | None, tuple[Finding, ...]]:
    """Read the federation of each player by number, empty without one; None where there are findings."""
    findings = FindingList()
    file = read_json_file(content, findings)
    federations: dict[int, str] = {}
    if file is not None:
        reader = _Reader(file.lines, findings)
        entries = reader.entries(file.value, ("players",), ("players",), "")
        if "players" in entries:
            federations = dict(
                reader.rows(
                    entries["players"],
                    ("number", "federation"),
                    ("number",),
                    range(MIN_PLAYERS, MAX_PLAYERS + 1),
                    lambda number, row: (number, reader.text("NED", "federation", row.get("federation"))),
                )
            )
    return (None if tuple(findings) else federations), in_file_order(findings)


def read_championship(
    content: bytes,
) -> tuple[tuple[Entrant, ...] | tuple[Finalist, ...] | None, tuple[Finding, ...]]:
    """Read the 40 entrants of the championship, or its 12 finalists; None where there are findings."""
    findings = FindingList()
    file = read_json_file(content, findings)
    rows: tuple[Entrant, ...] | tuple[Finalist, ...] = ()
    if file is not None:
        reader = _Reader(file.lines, findings)
        is_final = isinstance(file.value.value, dict) and "finalists" in file.value.value
        name = "finalists" if is_final else "players"
        entries = reader.entries(file.value, (name,), (name,), "")
        if name in entries:
            rows = reader.finalists(entries[name]) if is_final else reader.entrants(entries[name])
    return (None if tuple(findings) else rows), in_file_order(findings)


class _Reader(JsonReader):
    """Reads rows of players, each with a number of its own."""

    def rows(
        self,
        placed: Placed,
        known: Collection[str],
        needed: Collection[str],
        counts: Collection[int],
        row_of: Callable[[int, dict[str, Placed]], Row],
    ) -> tuple[Row, ...]:
        """The rows of a list, of which there are as many as `counts` allows."""
        listed = self.items(placed, "players")
        if isinstance(placed.value, list) and len(listed) not in counts:
            self.note(
                "pairing-count-wrong",
                placed.offset,
                "players",
                found=str(len(listed)),
                allowed=f"{min(counts)}–{max(counts)}" if len(counts) > 1 else str(min(counts)),
            )
        numbers: set[int] = set()
        rows = []
        for item in listed[:MAX_PLAYERS]:
            entries = self.entries(item, known, needed, "players")
            number = self.whole(1, MAX_NUMBER, "number", entries["number"]) if "number" in entries else None
            if number in numbers:
                self.note("pairing-number-repeated", entries["number"].offset, "number", found=str(number))
            if number is not None and all(name in entries for name in needed):
                numbers.add(number)
                rows.append(row_of(number, entries))
        return tuple(rows)

    def entrants(self, placed: Placed) -> tuple[Entrant, ...]:
        """The players of a championship (Appendix B1)."""
        if isinstance(placed.value, list) and len(placed.value) == OPTION_48:
            self.note("championship-too-large", placed.offset, "players", found=str(OPTION_48))
            return ()
        return self.rows(
            placed,
            ("number", "rating", "country"),
            ("number", "rating"),
            (ENTRANTS,),
            lambda number, row: Entrant(
                number,
                self.whole(1, MAX_RATING, "rating", row["rating"]) or 0,
                self.text("NED", "country", row.get("country")),
            ),
        )

    def finalists(self, placed: Placed) -> tuple[Finalist, ...]:
        """The players of a final: three of each group, with their places in it."""
        groups = {group: group for group in GROUPS}
        taken: set[tuple[str, int]] = set()

        def finalist(number: int, row: dict[str, Placed]) -> Finalist:
            group = self.choice(groups, "group", row["group"]) or ""
            place = self.whole(1, PROMOTED, "place", row["place"]) or 0
            if (group, place) in taken and group and place:
                self.note(
                    "championship-place-repeated", row["place"].offset, "place", found=f"{group}{place}"
                )
            taken.add((group, place))
            return Finalist(number, group, place, self.text("NED", "country", row.get("country")))

        return self.rows(
            placed,
            ("number", "group", "place", "country"),
            ("number", "group", "place"),
            (FINALISTS,),
            finalist,
        )
