"""The line of a player's ratings, drawn on the server: one drawing for wide windows and one for phones.

Only geometry is worked out here; what is drawn is in templates/ratings/plot.html. A drawing of a phone's own
keeps its text at the size of the page's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from ratings.models import PlayerHistory
from ratings.templatetags.figures import MONTHS

GOAL = 2300
LEAST_SPAN = 40
STEPS = (10, 20, 40, 50, 100, 200, 250, 500, 1000)
MAX_DOTS = 60
GOAL_LABEL_WIDTH = 145


@dataclass(frozen=True)
class Mark:
    """A guide across the drawing or a word under it: where, and what it says."""

    at: float
    words: str


@dataclass(frozen=True)
class Label:
    """Label on the drawing: where they end or begin, and which of it."""

    x: float
    y: float
    ends: bool


@dataclass(frozen=True)
class Dot:
    """One list: where its rating lies, and the sentence for who points at it."""

    x: float
    y: float
    words: str
    last: bool


@dataclass(frozen=True)
class Plot:
    """A drawing: its size, and everything on it in units of its view box."""

    kind: str
    width: int
    height: int
    left: float
    right: float
    guides: Sequence[Mark]
    days: Sequence[Mark]
    days_at: float
    goal: float | None
    goal_words: Label | None
    path: str
    dots: Sequence[Dot]
    last: Dot
    rating: int

    @property
    def view_box(self) -> str:
        return f"0 0 {self.width} {self.height}"


@dataclass(frozen=True)
class History:
    """Both drawings, and what they show in a sentence."""

    title: str
    description: str
    plots: Sequence[Plot]


def history_plots(figures: Sequence[PlayerHistory]) -> History:
    """The drawings of a player's ratings in one pool, oldest list first; at least one list."""
    first, last = figures[0], figures[-1]
    if first is last:
        title = f"Rating on the list of {_month(first.in_force)}"
        description = f"{first.rating}, the only list so far."
    else:
        title = f"Rating by list, {_month(first.in_force)} to {_month(last.in_force)}"
        ratings = [each.rating for each in figures]
        description = (
            f"From {first.rating} to {last.rating}, lowest {min(ratings)}, highest {max(ratings)}. "
            "The table below has every figure."
        )
    return History(
        title,
        description,
        [
            _plot("desk", figures, width=1120, height=280, labels=8),
            _plot("phone", figures, width=360, height=240, labels=3),
        ],
    )


def _plot(kind: str, figures: Sequence[PlayerHistory], *, width: int, height: int, labels: int) -> Plot:
    left, right, top, bottom = 44.0, width - 54.0, 20.0, height - 28.0
    ratings = [each.rating for each in figures]
    ticks = axis_ticks(min(ratings), max(ratings), at_most=6 if height > 250 else 5)
    lowest, highest = ticks[0], ticks[-1]
    first, last = figures[0].in_force.toordinal(), figures[-1].in_force.toordinal()

    def x(day: date) -> float:
        if first == last:
            return (left + right) / 2
        return round(left + (right - left) * (day.toordinal() - first) / (last - first), 1)

    def y(rating: float) -> float:
        return round(bottom - (bottom - top) * (rating - lowest) / (highest - lowest), 1)

    dots = [
        Dot(
            x(each.in_force),
            y(each.rating),
            f"{_month(each.in_force)}: {each.rating}",
            last=each is figures[-1],
        )
        for each in figures
    ]
    goal = y(GOAL) if lowest < GOAL < highest else None
    shown = label_places([dot.x for dot in dots], labels, least_gap=(right - left) / (labels + 0.5))
    return Plot(
        kind=kind,
        width=width,
        height=height,
        left=left,
        right=right,
        guides=[Mark(y(tick), str(tick)) for tick in ticks],
        days=[Mark(dots[place].x, _month(figures[place].in_force)) for place in shown],
        days_at=height - 6,
        goal=goal,
        goal_words=None if goal is None else label_position(goal, left, right, dots),
        path="M" + "L".join(f"{dot.x} {dot.y}" for dot in dots),
        dots=dots if len(dots) <= MAX_DOTS else dots[-1:],
        last=dots[-1],
        rating=ratings[-1],
    )


def label_position(goal: float, left: float, right: float, dots: Sequence[Dot]) -> Label:
    """Where the words of the goal's line stand furthest from the ratings: at an end of it, above or below."""

    def room(words: Label) -> float:
        near, far = (
            (words.x - GOAL_LABEL_WIDTH, words.x) if words.ends else (words.x, words.x + GOAL_LABEL_WIDTH)
        )
        middle = words.y - 4
        # Every tenth of the line between two lists that runs over the words, and the lists themselves.
        heights = [
            abs(one.y + (other.y - one.y) * part / 10 - middle)
            for one, other in zip(dots, [*dots[1:], dots[-1]], strict=True)
            for part in range(11)
            if near - 6 <= one.x + (other.x - one.x) * part / 10 <= far + 6
        ]
        return min(heights, default=float("inf"))

    places = [Label(x, goal + y, ends) for x, ends in ((right, True), (left, False)) for y in (-6, 16)]
    return max(places, key=room)


def axis_ticks(lowest: int, highest: int, at_most: int) -> list[int]:
    """Round ratings from below the lowest to above the highest, evenly apart, at most so many."""
    middle = (lowest + highest) / 2
    low = min(lowest, int(middle - LEAST_SPAN / 2))
    high = max(highest, int(middle + LEAST_SPAN / 2))
    for step in STEPS:
        first, last = low // step * step, -(-high // step) * step
        if (last - first) // step < at_most:
            return list(range(first, last + step, step))
    raise ValueError(f"no step for ratings from {lowest} to {highest}")


def label_places(places: Sequence[float], most: int, least_gap: float) -> list[int]:
    """Which dots get their day under them: from the last one back, none nearer than the gap."""
    shown = [len(places) - 1]
    for place in range(len(places) - 2, -1, -1):
        if len(shown) < most and places[shown[-1]] - places[place] >= least_gap:
            shown.append(place)
    return shown[::-1]


def _month(day: date) -> str:
    return f"{MONTHS[day.month - 1]} {day.year}"
