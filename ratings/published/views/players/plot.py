"""Lines of ratings, drawn on the server: of one player in several pools, or of two players in one.

This module gives the geometry of one drawing for wide windows and one for phones; templates/ratings/plot.html draws it.
Phones have their own drawing, so that its text is as large as that of the page.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from types import MappingProxyType

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.translation import gettext

from ratings.models import PlayerHistory
from reporting.web.values import day, month

LEAST_SPAN = 40
STEPS = (10, 20, 40, 50, 100, 200, 250, 500, 1000)
MAX_DOTS = 60
GOAL_LABEL_WIDTH = 145
LABEL_HEIGHT = 15


@dataclass(frozen=True)
class Mark:
    """A guide across the drawing or a month below it: its place and its label."""

    at: float
    label: str


@dataclass(frozen=True)
class Label:
    """The place of the goal's label; with `ends` the text ends there, else it begins there."""

    x: float
    y: float
    ends: bool


@dataclass(frozen=True)
class Dot:
    """One list: the place of its rating, and its tooltip."""

    x: float
    y: float
    label: str
    last: bool


@dataclass(frozen=True)
class Line:
    """The ratings of one player: the path, the dots, the place of the last rating and that of its label."""

    path: str
    dots: Sequence[Dot]
    last: Dot
    label_y: float
    rating: int


@dataclass(frozen=True)
class Plot:
    """A drawing: its size and contents, in units of its view box."""

    kind: str
    width: int
    height: int
    left: float
    right: float
    guides: Sequence[Mark]
    days: Sequence[Mark]
    days_at: float
    goal: float | None
    goal_label: Label | None
    lines: Sequence[Line]

    @property
    def view_box(self) -> str:
        return f"0 0 {self.width} {self.height}"


@dataclass(frozen=True)
class History:
    """Both drawings, with a title and a description, and the figures that static/js/plot.js reads.

    `figures` is JSON: the days in force, oldest first; for each line its name and its ratings on these days, null where
    it is on no list; the ratings at the guides; the name and the rating of the goal.
    """

    title: str
    description: str
    plots: Sequence[Plot]
    goal_text: str
    figures: str


def history_plots(
    name: str,
    figures: Sequence[PlayerHistory],
    goal: tuple[int, str] | None,
    others: Mapping[str, Sequence[PlayerHistory]] = MappingProxyType({}),
) -> History:
    """The drawings of a player's ratings in the pool of this name. `figures` has at least one list, the oldest first.

    `goal` is a rating marked by a line where it is within the drawing, with its label. `others` are the ratings in
    other pools, by the name of the pool, drawn as lines next to it.
    """
    first, last = figures[0], figures[-1]
    if first is last:
        title = gettext("Rating on the list of %(month)s") % {"month": month(first.in_force)}
        description = gettext("%(rating)s, the only list so far.") % {"rating": first.rating}
    else:
        months = {"first": month(first.in_force), "last": month(last.in_force)}
        title = gettext("Rating by list, %(first)s to %(last)s") % months
        ratings = [entry.rating for entry in figures]
        description = gettext(
            "From %(first)s to %(last)s, lowest %(lowest)s, highest %(highest)s. The table below has every figure."
        ) % {"first": first.rating, "last": last.rating, "lowest": min(ratings), "highest": max(ratings)}
    if others:
        description += " " + gettext("The other lines are %(pools)s.") % {"pools": ", ".join(others)}
    return _history(title, description, [(name, figures), *others.items()], goal)


def compared_plots(
    first: Sequence[PlayerHistory], second: Sequence[PlayerHistory], names: Sequence[str]
) -> History:
    """The drawings of two players' ratings in one pool. Each has at least one list, the oldest first."""
    days = sorted({entry.in_force for entry in (*first, *second)})
    values = {"name": names[0], "other": names[1], "first": month(days[0]), "last": month(days[-1])}
    return _history(
        gettext("Ratings of %(name)s and %(other)s by list, %(first)s to %(last)s") % values,
        gettext("The table below has every figure."),
        list(zip(names, (first, second), strict=True)),
    )


def _history(
    title: str,
    description: str,
    lines: Sequence[tuple[str, Sequence[PlayerHistory]]],
    goal: tuple[int, str] | None = None,
) -> History:
    goal_rating, goal_name = goal or (None, "")
    histories = [entries for _name, entries in lines]
    plots = [
        _plot("desktop", histories, goal_rating, width=1120, height=280, labels=8),
        _plot("phone", histories, goal_rating, width=360, height=240, labels=3),
    ]
    days = sorted({entry.in_force for entries in histories for entry in entries})
    by_day = [{entry.in_force: entry.rating for entry in entries} for entries in histories]
    figures = {
        "label": gettext("List of"),
        "days": [{"in_force": each, "day": day(each), "month": month(each)} for each in days],
        "lines": [
            {"name": name, "ratings": [ratings.get(each) for each in days]}
            for (name, _entries), ratings in zip(lines, by_day, strict=True)
        ],
        "guides": [int(guide.label) for guide in plots[0].guides],
        "goal": None if plots[0].goal is None else {"name": goal_name, "rating": goal_rating},
    }
    return History(
        title, description, plots, f"{goal_rating}: {goal_name}", json.dumps(figures, cls=DjangoJSONEncoder)
    )


def _plot(
    kind: str,
    histories: Sequence[Sequence[PlayerHistory]],
    goal_rating: int | None,
    *,
    width: int,
    height: int,
    labels: int,
) -> Plot:
    left, right, top, bottom = 44.0, width - 54.0, 20.0, height - 28.0
    ratings = [entry.rating for figures in histories for entry in figures]
    ticks = axis_ticks(min(ratings), max(ratings), at_most=6 if height > 250 else 5)
    lowest, highest = ticks[0], ticks[-1]
    lists = sorted({entry.in_force for figures in histories for entry in figures})
    first, last = lists[0].toordinal(), lists[-1].toordinal()

    def x(day: date) -> float:
        if first == last:
            return (left + right) / 2
        return round(left + (right - left) * (day.toordinal() - first) / (last - first), 1)

    def y(rating: float) -> float:
        return round(bottom - (bottom - top) * (rating - lowest) / (highest - lowest), 1)

    dots = [
        [
            Dot(
                x(entry.in_force),
                y(entry.rating),
                f"{month(entry.in_force)}: {entry.rating}",
                last=entry is figures[-1],
            )
            for entry in figures
        ]
        for figures in histories
    ]
    goal = y(goal_rating) if goal_rating is not None and lowest < goal_rating < highest else None
    places = [x(day) for day in lists]
    shown = label_places(places, labels, least_gap=(right - left) / (labels + 0.5))
    return Plot(
        kind=kind,
        width=width,
        height=height,
        left=left,
        right=right,
        guides=[Mark(y(tick), str(tick)) for tick in ticks],
        days=[Mark(places[place], month(lists[place])) for place in shown],
        days_at=height - 6,
        goal=goal,
        goal_label=None if goal is None else label_position(goal, left, right, dots[0]),
        lines=[
            Line(
                path="M" + "L".join(f"{dot.x} {dot.y}" for dot in own),
                dots=own if len(own) <= MAX_DOTS else own[-1:],
                last=own[-1],
                label_y=label_y,
                rating=figures[-1].rating,
            )
            for figures, own, label_y in zip(histories, dots, label_heights(dots), strict=True)
        ],
    )


def label_heights(dots: Sequence[Sequence[Dot]]) -> list[float]:
    """Where the last rating of each line is written: next to its dot, below that of a line that ends as high."""
    heights = [own[-1].y for own in dots]
    order = sorted(range(len(heights)), key=heights.__getitem__)
    for upper, lower in pairwise(order):
        lacking = heights[upper] + LABEL_HEIGHT - heights[lower]
        if lacking > 0:
            heights[lower] += lacking
    return heights


def label_position(goal: float, left: float, right: float, dots: Sequence[Dot]) -> Label:
    """The place of the goal's label that is furthest from the ratings: at an end of its line, above or below."""

    def room(label: Label) -> float:
        near, far = (
            (label.x - GOAL_LABEL_WIDTH, label.x) if label.ends else (label.x, label.x + GOAL_LABEL_WIDTH)
        )
        middle = label.y - 4
        # Every tenth of the line between two lists that crosses the label, and the lists themselves.
        heights = [
            abs(one.y + (other.y - one.y) * part / 10 - middle)
            for one, other in zip(dots, [*dots[1:], dots[-1]], strict=True)
            for part in range(11)
            if near - 6 <= one.x + (other.x - one.x) * part / 10 <= far + 6
        ]
        return min(heights, default=float("inf"))

    places = [Label(x, goal + y, ends) for x, ends in ((right, True), (left, False)) for y in (-6, 16)]
    return max(places, key=room)


def sparkline(ratings: Sequence[int], width: int = 120, height: int = 28) -> str:
    """The path of a small line without axes in a box of this size; empty for fewer than two ratings."""
    if len(ratings) < 2:
        return ""
    lowest, span = min(ratings), max(max(ratings) - min(ratings), 1)
    step = (width - 4) / (len(ratings) - 1)
    places = (
        f"{2 + step * place:.1f} {height - 2 - (height - 4) * (rating - lowest) / span:.1f}"
        for place, rating in enumerate(ratings)
    )
    return "M" + "L".join(places)


def axis_ticks(lowest: int, highest: int, at_most: int) -> list[int]:
    """Round ratings from below the lowest to above the highest, at equal distances, at most `at_most`."""
    middle = (lowest + highest) / 2
    low = min(lowest, int(middle - LEAST_SPAN / 2))
    high = max(highest, int(middle + LEAST_SPAN / 2))
    for step in STEPS:
        first, last = low // step * step, -(-high // step) * step
        if (last - first) // step < at_most:
            return list(range(first, last + step, step))
    raise ValueError(f"no step for ratings from {lowest} to {highest}")


def label_places(places: Sequence[float], most: int, least_gap: float) -> list[int]:
    """The dots with their month below them: from the last one back, at least `least_gap` apart."""
    shown = [len(places) - 1]
    for place in range(len(places) - 2, -1, -1):
        if len(shown) < most and places[shown[-1]] - places[place] >= least_gap:
            shown.append(place)
    return shown[::-1]
