"""Drawings of statistics, made on the server: each once for wide windows and once for phones.

This module gives the geometry; templates/ratings/drawings.html draws it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext

from ratings.office.views.histogram import Mark, count_guides
from ratings.published.views.players.plot import Dot, label_places
from reporting.web.values import month

SIZES = (("desktop", 1120, 280, 14), ("phone", 360, 240, 5))
"""Kind, width, height, most labels below."""

LEAST_RANKS = 5
"""A drawing of ranks reaches down to this rank at least."""


@dataclass(frozen=True)
class Bar:
    """A bar in units of the view box, with its tooltip."""

    x: float
    y: float
    width: float
    height: float
    label: str


@dataclass(frozen=True)
class Drawing:
    """A drawing of bars, or of dots on a line: its size and contents, in units of its view box."""

    kind: str
    width: int
    height: int
    left: float
    right: float
    guides: Sequence[Mark]
    labels: Sequence[Mark]
    bars: Sequence[Bar] = ()
    path: str = ""
    dots: Sequence[Dot] = ()


@dataclass(frozen=True)
class Drawings:
    """The drawings of the same figures, with their title."""

    title: str
    drawings: Sequence[Drawing]


def bar_drawings(title: str, groups: Sequence[tuple[str, int]]) -> Drawings | None:
    """A bar for each group, a label and a number; None without one."""
    if not groups:
        return None
    return Drawings(title, [_bars(groups, *size) for size in SIZES])


def _bars(groups: Sequence[tuple[str, int]], kind: str, width: int, height: int, labels: int) -> Drawing:
    left, right, top, bottom = 44.0, width - 16.0, 20.0, height - 28.0
    guides = count_guides(max(number for _, number in groups))
    slot = (right - left) / len(groups)
    every = -(-len(groups) // labels)

    def y(number: int) -> float:
        return round(bottom - (bottom - top) * number / (guides[-1] or 1), 1)

    return Drawing(
        kind,
        width,
        height,
        left,
        right,
        guides=[Mark(y(number), str(number)) for number in guides],
        labels=[
            Mark(round(left + slot * (place + 0.5), 1), label)
            for place, (label, _) in enumerate(groups)
            if place % every == 0
        ],
        bars=[
            Bar(
                round(left + slot * (place + 0.08), 1),
                y(number),
                round(slot * 0.84, 1),
                round(bottom - y(number), 1),
                f"{label}: {number}",
            )
            for place, (label, number) in enumerate(groups)
            if number
        ],
    )


def rank_drawings(ranks: Sequence[tuple[date, int]]) -> Drawings | None:
    """A line of ranks by day, the oldest first, rank 1 at the top; None for fewer than two."""
    if len(ranks) < 2:
        return None
    months = {"first": month(ranks[0][0]), "last": month(ranks[-1][0])}
    title = gettext("Rank by list, %(first)s to %(last)s") % months
    return Drawings(title, [_ranks(ranks, *size) for size in SIZES])


def _ranks(ranks: Sequence[tuple[date, int]], kind: str, width: int, height: int, labels: int) -> Drawing:
    left, right, top, bottom = 44.0, width - 24.0, 20.0, height - 34.0
    lowest = max(LEAST_RANKS, *(rank for _, rank in ranks))
    guides = sorted({1, *count_guides(lowest)} - {0})
    begins, ends = ranks[0][0].toordinal(), ranks[-1][0].toordinal()

    def y(rank: int) -> float:
        return round(top + (bottom - top) * (rank - 1) / max(guides[-1] - 1, 1), 1)

    dots = [
        Dot(
            round(left + (right - left) * (day.toordinal() - begins) / (ends - begins), 1),
            y(rank),
            f"{month(day)}: {rank}",
            last=day == ranks[-1][0],
        )
        for day, rank in ranks
    ]
    shown = label_places([dot.x for dot in dots], labels // 2 + 1, least_gap=(right - left) / labels * 1.5)
    return Drawing(
        kind,
        width,
        height,
        left,
        right,
        guides=[Mark(y(rank), str(rank)) for rank in guides],
        labels=[Mark(dots[place].x, month(ranks[place][0])) for place in shown],
        path="M" + "L".join(f"{dot.x} {dot.y}" for dot in dots),
        dots=dots,
    )
