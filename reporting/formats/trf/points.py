"""The points column of a TRF16 file: it counts in 2-1-0 or in 1-0.5-0, and the file does not say which."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from reporting.formats.tables.field_parsers import add_points_finding
from reporting.formats.tables.table import FieldText, ReaderFindings
from reporting.rules.report import PointsScale, ReportedPlayer

_HALVES = re.compile(r"([0-9]{1,3})(?:\.([05]))?")
_HALVES_A_POINT = {PointsScale.FMJD: 2, PointsScale.HALVES: 1}
"""Printed halves for each point of 2-1-0."""


@dataclass
class PointsColumn:
    """The printed points. First read those of every player, then ``settle`` their scale."""

    findings: ReaderFindings
    halves: dict[int, int] = field(default_factory=dict)
    """Printed points in halves by the line of the player."""

    def read(self, field: FieldText) -> None:
        written = _HALVES.fullmatch(field.text)
        if written:
            self.halves[field.line] = 2 * int(written.group(1)) + (written.group(2) == "5")
        else:
            add_points_finding(field, self.findings, case="trf16")

    def settle(
        self,
        chosen: PointsScale,
        players: Sequence[ReportedPlayer],
        *,
        summed: Mapping[int, int],
        unsure: Set[int],
    ) -> list[ReportedPlayer]:
        """Return the players with their points in 2-1-0, if the column counts in the chosen scale.

        Half points, or more totals that are right in the other scale, show that it does not: then one error says
        what to choose, and no points are used. ``summed`` are the sums of the results, in 2-1-0, by number; ``unsure``
        are the numbers whose sum is not known.
        """
        right: defaultdict[PointsScale, set[int]] = defaultdict(set)
        decided = [player for player in players if player.line in self.halves and player.number not in unsure]
        for player in decided:
            for scale in PointsScale:
                if self.halves[player.line] == summed[player.number] * _HALVES_A_POINT[scale]:
                    right[scale].add(player.line)
        other = PointsScale.HALVES if chosen is PointsScale.FMJD else PointsScale.FMJD
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
            printed = _as_printed(self.halves.pop(player.line))
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
            found=_as_printed(self.halves[player.line]),
            chosen=str(chosen),
            other=str(other),
            about=(),
        )


def _as_printed(halves: int) -> str:
    return f"{halves // 2}.{5 * (halves % 2)}"
