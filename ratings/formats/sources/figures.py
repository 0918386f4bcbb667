"""What is read of a list of a source: for each kind of rating, the players who have one."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ratings.formats.sources.file import ARTICLE
from reporting.rules.findings.finding_list import MAX_FINDINGS, Finding, finding

Number = TypeVar("Number", bound=np.unsignedinteger)

STANDARD, RAPID, BLITZ = "standard", "rapid", "blitz"
FIDE_KINDS = (STANDARD, RAPID, BLITZ)
LARGEST_NUMBER = 999_999_999
MOST_RATING = 4000
MOST_FACTOR = 99
MOST_TITLES = 255


@dataclass(frozen=True, eq=False)
class SourceFigures:
    """The players of a file by rising number, one array a column; of each kind ratings (0: none) and coefficients K.

    The title of a player is its place among `titles`, the first of which is none. The arrays are as small as their
    numbers allow: a file has millions.
    """

    layout: str
    number: NDArray[np.uint32]
    title: NDArray[np.uint8]
    titles: tuple[str, ...]
    rating: Mapping[str, NDArray[np.uint16]]
    k_factor: Mapping[str, NDArray[np.uint8]]


@dataclass
class SourceLines:
    """What is read of a file, in its order, part by part: `figures` puts the parts together."""

    layout: str
    kinds: Sequence[str]
    number: list[NDArray[np.uint32]] = field(default_factory=list)
    title: list[NDArray[np.uint8]] = field(default_factory=list)
    line: list[NDArray[np.uint32]] = field(default_factory=list)
    rating: dict[str, list[NDArray[np.uint16]]] = field(default_factory=lambda: defaultdict(list))
    k_factor: dict[str, list[NDArray[np.uint8]]] = field(default_factory=lambda: defaultdict(list))
    titles: dict[str, int] = field(default_factory=lambda: {"": 0})
    findings: list[Finding] = field(default_factory=list)

    def figures(self) -> SourceFigures | None:
        """The players by number; None where there are findings, to which numbers used twice are added."""
        number = _joined(self.number, np.uint32)
        order = np.argsort(number, kind="stable")
        number = number[order]
        repeated = 1 + np.flatnonzero((number[1:] == number[:-1]) & (number[1:] > 0))
        if repeated.size:
            line = _joined(self.line, np.uint32)[order]
            for place in repeated[:MAX_FINDINGS].tolist():
                found = str(number[place])
                self.findings.append(
                    finding("id-repeated", line=int(line[place]), column=1, article=ARTICLE, found=found)
                )
        if not self.findings and not any(part.any() for kind in self.kinds for part in self.rating[kind]):
            self.findings.append(finding("table-empty", line=1, column=1, article=ARTICLE))
        if len(self.titles) > MOST_TITLES:
            titles = len(self.titles) - 1
            self.findings.append(
                finding(
                    "source-titles", line=1, column=1, article=ARTICLE, found=titles, most=MOST_TITLES - 1
                )
            )
        if self.findings:
            return None
        return SourceFigures(
            self.layout,
            number,
            _joined(self.title, np.uint8)[order],
            tuple(self.titles),
            {kind: _joined(self.rating[kind], np.uint16)[order] for kind in self.kinds},
            {kind: _joined(self.k_factor[kind], np.uint8)[order] for kind in self.kinds},
        )


def _joined(parts: Sequence[NDArray[Number]], dtype: type[Number]) -> NDArray[Number]:
    return np.concatenate(parts) if parts else np.empty(0, dtype)
