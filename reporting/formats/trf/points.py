"""The points of a TRF file: what line 162 says of them, and the points column, which counts in 2-1-0 or in 1-½-0."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from reporting.formats.tables.field_parsers import add_points_finding
from reporting.formats.tables.table import FieldText, ReaderFindings
from reporting.rules.points import parse_points
from reporting.rules.report import PointsScale, ReportedPlayer

_RESULT_POINTS = re.compile(r"([A-Z]) *([0-9]{1,2}(?:\.[0-9])?)")
_RESULTS = "WDLAPX"
"""The results of line 162: win, draw, loss, absence, bye by the pairing, unknown."""

PROGRAM_POINTS: Mapping[str, tuple[int, ...]] = {
    **{"BBW": (2, 4), "BBD": (1, 2), "BBU": (2, 4)},
    **dict.fromkeys(("BBL", "BBZ", "BBF"), (0,)),
    "XXS": (),
}
"""Lines of pairing programs that set the points of a result, in halves those of 1-½-0 and 2-1-0; XXS sets several."""

_HALVES_A_POINT = {PointsScale.WHOLE: 2, PointsScale.HALVES: 1}
"""Printed halves for each point of 2-1-0."""
_WIN, _DRAW = 2, 1


def read_signed_halves(text: str) -> int | None:
    """Points with or without a minus before them, in halves."""
    halves = parse_points(text.removeprefix("-").strip())
    return halves if halves is None or not text.startswith("-") else -halves


@dataclass
class PointSystem:
    """What a file says of its points, in printed halves: line 162 of TRF26, read before the results.

    Where it says nothing, the points column shows by its sums how it counts (decision 0090).
    """

    findings: ReaderFindings
    halves: dict[str, int] = field(default_factory=dict)
    """Printed halves of a result of line 162."""
    place: tuple[int, int] | None = None

    def read(self, value: FieldText) -> None:
        """Read line 162: letters, each with its points; the defaults of the others follow from a win and a draw."""
        found = {
            letter: parse_points(points) for letter, points in _RESULT_POINTS.findall(value.text.upper())
        }
        rest = _RESULT_POINTS.sub("", value.text.upper()).strip()
        given = {letter: halves for letter, halves in found.items() if halves is not None}
        if rest or given != found or not set(given) <= set(_RESULTS):
            self.findings.add("points-system-unreadable", at=value)
            self.findings.mark_unread(value, "trf26-points")
            return
        self.halves = {"W": 2, "D": 1, "L": 0, "A": 0} | given
        self.place = value.line, value.column
        if self.scale is None:
            won, drawn, lost = (as_printed(self.halves[letter]) for letter in "WDL")
            self.findings.add("points-system-unknown", at=value, won=won, drawn=drawn, lost=lost)

    @property
    def scale(self) -> PointsScale | None:
        """The scale that the file names; None where it names none, or another one."""
        own = tuple(self.halves.get(letter) for letter in "WDL")
        named = (scale for scale, halves in _HALVES_A_POINT.items() if own == (halves * 2, halves, 0))
        return next(named, None)

    @property
    def is_other(self) -> bool:
        """Whether the file names a scale that is neither 2-1-0 nor 1-½-0."""
        return bool(self.halves) and self.scale is None

    def printed(self, letter: str, scale: PointsScale) -> int:
        """Printed halves of a result of line 162."""
        usual = {"W": _WIN, "P": _WIN, "D": _DRAW}.get(letter, 0) * _HALVES_A_POINT[scale]
        return self.halves.get(letter, self.halves.get("W", usual) if letter == "P" else usual)

    def bye(self, letter: str, usual: int) -> int:
        """Points in 2-1-0 of a bye by the pairing (``P``) or an absence (``A``), where line 162 gives other ones."""
        halves = self.halves.get(letter)
        if halves is None or self.scale is None:
            return usual
        points, rest = divmod(halves, _HALVES_A_POINT[self.scale])
        return usual if rest or points > _WIN else points


@dataclass
class PointsColumn:
    """The printed points. First read those of every player, then ``settle`` their scale.

    ``extra`` are printed halves that a player has beyond the results, by number (lines 162 and 299 of TRF26).
    """

    findings: ReaderFindings
    halves: dict[int, int] = field(default_factory=dict)
    """Printed points in halves by the line of the player."""
    extra: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))

    def read(self, field: FieldText) -> None:
        halves = parse_points(field.text)
        if halves is None:
            add_points_finding(field, self.findings, case="trf16")
        else:
            self.halves[field.line] = halves

    def fitting(
        self, players: Sequence[ReportedPlayer], *, summed: Mapping[int, int], unsure: Set[int]
    ) -> PointsScale | None:
        """The scale in which every total is the sum of the results; None where none is, or both are."""
        decided = [player for player in players if player.line in self.halves and player.number not in unsure]
        exact = [
            scale
            for scale in PointsScale
            if decided and all(self.is_sum(player, summed[player.number], scale) for player in decided)
        ]
        return exact[0] if len(exact) == 1 else None

    def is_sum(self, player: ReportedPlayer, summed: int, scale: PointsScale) -> bool:
        printed = self.halves[player.line] - self.extra[player.number]
        return printed == summed * _HALVES_A_POINT[scale]

    def settle(
        self,
        chosen: PointsScale,
        players: Sequence[ReportedPlayer],
        *,
        summed: Mapping[int, int],
        unsure: Set[int],
    ) -> list[ReportedPlayer]:
        """Return the players with their points in 2-1-0, if the column counts in the chosen scale.

        Half points, or more totals that are right in the other scale, show that it does not: then one error proposes
        the other one, and no points are used. ``summed`` are the sums of the results, in 2-1-0, by number; ``unsure``
        are the numbers whose sum is not known. A player with extra points has none, where they are the sum with these.
        """
        right: defaultdict[PointsScale, set[int]] = defaultdict(set)
        decided = [player for player in players if player.line in self.halves and player.number not in unsure]
        for player in decided:
            for scale in PointsScale:
                if self.is_sum(player, summed[player.number], scale):
                    right[scale].add(player.line)
        other = PointsScale.HALVES if chosen is PointsScale.WHOLE else PointsScale.WHOLE
        for player in players:
            if self.extra[player.number] and player.line in right[chosen]:
                del self.halves[player.line]
        uneven = [
            player
            for player in players
            if player.line in self.halves and self.halves[player.line] % _HALVES_A_POINT[chosen]
        ]
        fits, fits_other = len(right[chosen]), len(right[other])
        if fits_other > fits or (uneven and fits_other >= fits):
            differing = [player for player in decided if player.line not in right[chosen]]
            self.add_other_scale_finding((uneven or differing)[0], chosen, other)
            return list(players)
        for player in uneven:
            printed = as_printed(self.halves.pop(player.line))
            field = FieldText("points", printed, player.line, player.column("points"))
            add_points_finding(field, self.findings, case="trf16")
        return [
            replace(player, points_printed=self.halves[player.line] // _HALVES_A_POINT[chosen])
            if player.line in self.halves
            else player
            for player in players
        ]

    def add_other_scale_finding(
        self, player: ReportedPlayer, chosen: PointsScale, other: PointsScale
    ) -> None:
        self.findings.add(
            "points-scale-differs",
            line=player.line,
            column=player.column("points"),
            field="points",
            found=as_printed(self.halves[player.line]),
            chosen=str(chosen),
            other=str(other),
            about=(),
            asked_detail="points",
            proposed_value=str(other),
        )

    def add_taken_note(self, players: Sequence[ReportedPlayer], scale: PointsScale) -> None:
        """Tell that the file does not name its scale and that all its totals fit this one."""
        first = next(player for player in players if player.line in self.halves)
        self.findings.add(
            "points-scale-taken",
            line=first.line,
            column=first.column("points"),
            field="points",
            found=as_printed(self.halves[first.line]),
            scale=str(scale),
            about=(),
        )


def as_printed(halves: int) -> str:
    return f"{halves // 2}.{5 * (halves % 2)}"
