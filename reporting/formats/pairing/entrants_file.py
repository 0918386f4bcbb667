"""Who is in a round robin or in the championship of 40, as JSON (docs/reference/pairing-file.md)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final, TypeVar

from reporting.formats.pairing.json_reader import JsonReader
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
    reader = _Reader(findings)
    federations = reader.read(content, reader.federations)
    return (None if tuple(findings) else federations), in_file_order(findings)


def read_championship(
    content: bytes,
) -> tuple[tuple[Entrant, ...] | tuple[Finalist, ...] | None, tuple[Finding, ...]]:
    """Read the 40 entrants of the championship, or its 12 finalists; None where there are findings."""
    findings = FindingList()
    reader = _Reader(findings)
    rows = reader.read(content, reader.championship)
    return (None if tuple(findings) else rows), in_file_order(findings)


class _Reader(JsonReader):
    """Reads rows of players, each with a number of its own."""

    def federations(self, root: list[Any]) -> dict[int, str]:
        """The federations of the players of a round robin by number."""
        entries = self.entries(root, 0, ("players",), ("players",), "")
        return dict(
            self.rows(
                entries,
                "players",
                known=("number", "federation"),
                needed=("number",),
                counts=range(MIN_PLAYERS, MAX_PLAYERS + 1),
                row_of=lambda number, row: (number, self.text("NED", row, "federation")),
            )
        )

    def championship(self, root: list[Any]) -> tuple[Entrant, ...] | tuple[Finalist, ...]:
        """The players of a championship, or those of its final."""
        is_final = isinstance(root[0], dict) and "finalists" in root[0]
        name = "finalists" if is_final else "players"
        entries = self.entries(root, 0, (name,), (name,), "")
        return self.finalists(entries) if is_final else self.entrants(entries)

    def rows(
        self,
        holder: dict[str, Any],
        key: str,
        *,
        known: Collection[str],
        needed: Collection[str],
        counts: Collection[int],
        row_of: Callable[[int, dict[str, Any]], Row],
    ) -> tuple[Row, ...]:
        """The rows of a list, of which there are as many as `counts` allows."""
        listed = self.items(holder, key, "players")
        if isinstance(holder.get(key), list) and len(listed) not in counts:
            self.note(
                "pairing-count-wrong",
                holder,
                key,
                "players",
                found=str(len(listed)),
                allowed=f"{min(counts)}–{max(counts)}" if len(counts) > 1 else str(min(counts)),
            )
        numbers: set[int] = set()
        rows = []
        for place in range(min(len(listed), MAX_PLAYERS)):
            entries = self.entries(listed, place, known, needed, "players")
            number = self.whole(1, MAX_NUMBER, entries, "number") if "number" in entries else None
            if number in numbers:
                self.note("pairing-number-repeated", entries, "number", "number", found=str(number))
            if number is not None and all(name in entries for name in needed):
                numbers.add(number)
                rows.append(row_of(number, entries))
        return tuple(rows)

    def entrants(self, values: dict[str, Any]) -> tuple[Entrant, ...]:
        """The players of a championship (Appendix B1)."""
        if isinstance(values.get("players"), list) and len(values["players"]) == OPTION_48:
            self.note("championship-too-large", values, "players", "players", found=str(OPTION_48))
            return ()
        return self.rows(
            values,
            "players",
            known=("number", "rating", "country"),
            needed=("number", "rating"),
            counts=(ENTRANTS,),
            row_of=lambda number, row: Entrant(
                number,
                self.whole(1, MAX_RATING, row, "rating") or 0,
                self.text("NED", row, "country"),
            ),
        )

    def finalists(self, values: dict[str, Any]) -> tuple[Finalist, ...]:
        """The players of a final: three of each group, with their places in it."""
        groups = {group: group for group in GROUPS}
        taken: set[tuple[str, int]] = set()

        def finalist(number: int, row: dict[str, Any]) -> Finalist:
            group = self.choice(groups, row, "group") or ""
            place = self.whole(1, PROMOTED, row, "place") or 0
            if (group, place) in taken and group and place:
                self.note("championship-place-repeated", row, "place", "place", found=f"{group}{place}")
            taken.add((group, place))
            return Finalist(number, group, place, self.text("NED", row, "country"))

        return self.rows(
            values,
            "finalists",
            known=("number", "group", "place", "country"),
            needed=("number", "group", "place"),
            counts=(FINALISTS,),
            row_of=finalist,
        )
