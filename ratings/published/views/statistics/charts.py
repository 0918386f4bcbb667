"""Charts drawn on the server: lines of ratings or ranks, bars, histograms.

This module gives the geometry, in units of the view box: once for wide windows and once for phones, so that text there
is as large as that of the page. templates/ratings/chart.html draws it. Where static/js/plot.js runs, it draws lines of
ratings over it.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from types import MappingProxyType

import numpy as np
from django.core.serializers.json import DjangoJSONEncoder
from django.utils.translation import gettext, ngettext

from ratings.models import PlayerHistory
from ratings.published.selectors.statistics.distribution import ROUND_STEPS, difference_ranges
from ratings.rules.columns import Integers
from reporting.web.values import day, month, signed_number

SIZES = (("desktop", 1120, 280), ("phone", 360, 240))
"""Kind, width, height."""
SCATTER_SIZES = (("desktop", 1120, 560), ("phone", 360, 300))
SPOT = 5
"""How far the spots of a scatter chart are apart."""
LEFT, TOP = 44.0, 20.0

LEAST_SPAN = 40
RATING_STEPS = (10, 20, 40, 50, 100, 200, 250, 500, 1000)
MOST_GUIDES = 4
MAX_DOTS = 60
LEAST_RANKS = 5
"""A chart of ranks reaches down to this rank at least."""
GOAL_LABEL_WIDTH = 145
LABEL_HEIGHT = 15

Line = Sequence[tuple[date, int]]
"""A value by day, the oldest first."""


@dataclass(frozen=True)
class Mark:
    """A guide across the chart or a label below it: its place and its text."""

    at: float
    label: str


@dataclass(frozen=True)
class Label:
    """The place of the goal's label; with `ends` the text ends there, else it begins there."""

    x: float
    y: float
    ends: bool


@dataclass(frozen=True)
class Bar:
    """A bar, with its tooltip; `down` where it counts losses."""

    x: float
    y: float
    width: float
    height: float
    label: str
    down: bool


@dataclass(frozen=True)
class Dot:
    """A value of a line: its place, and its tooltip."""

    x: float
    y: float
    label: str
    last: bool


@dataclass(frozen=True)
class DrawnLine:
    """A line: the path, the dots, the last dot, and the label next to that with its height; empty for none."""

    path: str
    dots: Sequence[Dot]
    last: Dot
    label: str
    label_y: float


@dataclass(frozen=True)
class Spot:
    """Players of nearly the same two ratings: the place, and the radius, which grows with their number."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True)
class Group:
    """The players who differ by `first` to `last` points."""

    first: int
    last: int
    players: int

    @property
    def points(self) -> str:
        if self.first == self.last:
            return signed_number(self.first)
        return gettext("%(first)s to %(last)s") % {
            "first": signed_number(self.first),
            "last": signed_number(self.last),
        }

    @property
    def label(self) -> str:
        return ngettext("%(points)s: %(players)s player", "%(points)s: %(players)s players", self.players) % {
            "points": self.points,
            "players": self.players,
        }


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A drawing of one size."""

    kind: str
    width: int
    height: int
    right: float
    guides: Sequence[Mark]
    labels: Sequence[Mark]
    left: float = LEFT
    axis: str = ""
    bars: Sequence[Bar] = ()
    spots: Sequence[Spot] = ()
    lines: Sequence[DrawnLine] = ()
    goal: float | None = None
    goal_label: Label | None = None


@dataclass(frozen=True)
class Charts:
    """The drawings of the same values, with a title and a description, and what static/js/plot.js reads.

    `script_values` is JSON: the days in force, oldest first; for each line its name and its ratings on these days, null
    where it is on no list; the ratings at the guides; the name and the rating of the goal. Empty for other charts.
    """

    title: str
    charts: Sequence[Chart]
    description: str = ""
    goal_text: str = ""
    script_values: str = ""


def rating_charts(
    name: str,
    history: Sequence[PlayerHistory],
    goal: tuple[int, str] | None,
    others: Mapping[str, Sequence[PlayerHistory]] = MappingProxyType({}),
) -> Charts:
    """A player's ratings in the pool of this name. `history` has at least one list, the oldest first.

    `goal` is a rating marked by a line where it is within the chart, with its label. `others` are the ratings in other
    pools, by the name of the pool, drawn as lines next to it.
    """
    first, last = history[0], history[-1]
    if first is last:
        title = gettext("Rating on the list of %(month)s") % {"month": month(first.in_force)}
        description = gettext("%(rating)s, the only list so far.") % {"rating": first.rating}
    else:
        months = {"first": month(first.in_force), "last": month(last.in_force)}
        title = gettext("Rating by list, %(first)s to %(last)s") % months
        ratings = [entry.rating for entry in history]
        description = gettext(
            "From %(first)s to %(last)s, lowest %(lowest)s, highest %(highest)s. The table below has every figure."
        ) % {"first": first.rating, "last": last.rating, "lowest": min(ratings), "highest": max(ratings)}
    if others:
        description += " " + gettext("The other lines are %(pools)s.") % {"pools": ", ".join(others)}
    return _rating_charts(title, description, [(name, history), *others.items()], goal)


def compared_charts(
    first: Sequence[PlayerHistory], second: Sequence[PlayerHistory], names: Sequence[str]
) -> Charts:
    """Two players' ratings in one pool. Each has at least one list, the oldest first."""
    days = sorted({entry.in_force for entry in (*first, *second)})
    values = {"name": names[0], "other": names[1], "first": month(days[0]), "last": month(days[-1])}
    return _rating_charts(
        gettext("Ratings of %(name)s and %(other)s by list, %(first)s to %(last)s") % values,
        gettext("The table below has every figure."),
        list(zip(names, (first, second), strict=True)),
    )


def _rating_charts(
    title: str,
    description: str,
    histories: Sequence[tuple[str, Sequence[PlayerHistory]]],
    goal: tuple[int, str] | None = None,
) -> Charts:
    goal_rating, goal_name = goal or (None, "")
    lines = [[(entry.in_force, entry.rating) for entry in history] for _name, history in histories]
    ratings = [rating for line in lines for _, rating in line]
    charts = [
        _line_chart(
            (kind, width, height),
            lines,
            axis_ticks(min(ratings), max(ratings), at_most=6 if height > 250 else 5),
            right=54,
            foot=28,
            most_labels=labels,
            gaps=labels + 0.5,
            most_dots=MAX_DOTS,
            goal=goal_rating,
        )
        for (kind, width, height), labels in zip(SIZES, (8, 3), strict=True)
    ]
    days = sorted({in_force for line in lines for in_force, _ in line})
    script_values = {
        "label": gettext("List of"),
        "days": [{"in_force": each, "day": day(each), "month": month(each)} for each in days],
        "lines": [
            {"name": name, "ratings": [dict(line).get(each) for each in days]}
            for (name, _history), line in zip(histories, lines, strict=True)
        ],
        "guides": [int(guide.label) for guide in charts[0].guides],
        "goal": None if charts[0].goal is None else {"name": goal_name, "rating": goal_rating},
    }
    return Charts(
        title,
        charts,
        description,
        f"{goal_rating}: {goal_name}",
        json.dumps(script_values, cls=DjangoJSONEncoder),
    )


def rank_charts(name: str, ranks: Line) -> Charts | None:
    """A line of ranks, the oldest first, rank 1 at the top; `name` is in the title. None for fewer than two."""
    if len(ranks) < 2:
        return None
    values = {"name": name, "first": month(ranks[0][0]), "last": month(ranks[-1][0])}
    lowest = max(LEAST_RANKS, *(rank for _, rank in ranks))
    guides = sorted({1, *count_guides(lowest)} - {0}, reverse=True)
    charts = [
        _line_chart(size, [ranks], guides, right=24, foot=34, most_labels=labels // 2 + 1, gaps=labels / 1.5)
        for size, labels in zip(SIZES, (14, 5), strict=True)
    ]
    return Charts(gettext("%(name)s, %(first)s to %(last)s") % values, charts)


def _line_chart(
    size: tuple[str, int, int],
    lines: Sequence[Line],
    guides: Sequence[int],
    *,
    right: int,
    foot: int,
    most_labels: int,
    gaps: float,
    most_dots: int | None = None,
    goal: int | None = None,
) -> Chart:
    """Lines between the first guide, at the bottom, and the last one. `right` and `foot` are the room beside and below.

    The months below are at least the width through `gaps` apart. With `most_dots` longer lines have the last dot only,
    and each line the label of its last value.
    """
    kind, width, height = size
    ends, y = width - float(right), _scale(height - float(foot), guides[0], guides[-1])
    days = sorted({each for line in lines for each, _ in line})
    first, last = days[0].toordinal(), days[-1].toordinal()

    def x(each: date) -> float:
        if first == last:
            return (LEFT + ends) / 2
        return round(LEFT + (ends - LEFT) * (each.toordinal() - first) / (last - first), 1)

    dots = [
        [
            Dot(x(each), y(value), f"{month(each)}: {value}", last=place == len(line))
            for place, (each, value) in enumerate(line, start=1)
        ]
        for line in lines
    ]
    places = [x(each) for each in days]
    shown = label_places(places, most_labels, least_gap=(ends - LEFT) / gaps)
    goal_at = y(goal) if goal is not None and guides[0] < goal < guides[-1] else None
    return Chart(
        kind=kind,
        width=width,
        height=height,
        right=ends,
        guides=[Mark(y(value), str(value)) for value in guides],
        labels=[Mark(places[place], month(days[place])) for place in shown],
        lines=[
            DrawnLine(
                path="M" + "L".join(f"{dot.x} {dot.y}" for dot in own),
                dots=own if most_dots is None or len(own) <= most_dots else own[-1:],
                last=own[-1],
                label=str(line[-1][1]) if most_dots else "",
                label_y=label_y,
            )
            for line, own, label_y in zip(lines, dots, label_heights(dots), strict=True)
        ],
        goal=goal_at,
        goal_label=None if goal_at is None else label_position(goal_at, ends, dots[0]),
    )


def bar_charts(title: str, groups: Sequence[tuple[str, int]]) -> Charts | None:
    """A bar for each group, a label and a number; None without one."""
    if not groups:
        return None
    bars = [(f"{label}: {number}", number, False) for label, number in groups]
    charts = []
    for size, labels in zip(SIZES, (14, 5), strict=True):
        every = -(-len(groups) // labels)
        below = [(place + 0.5, label) for place, (label, _) in enumerate(groups) if place % every == 0]
        charts.append(_bar_chart(size, bars, below, inset=0.08))
    return Charts(title, charts)


def difference_groups(differences: Integers) -> list[Group]:
    """The differences of players by points (`difference_ranges`), without players who have none."""
    return [Group(*found) for found in difference_ranges(differences)]


def histogram(title: str, description: str, groups: Sequence[Group]) -> Charts:
    """How many players differ by how many points, losses on the left. Has at least one group a side."""
    sides, step = len(groups) // 2, groups[-1].last // (len(groups) // 2)
    shown = sorted({-sides, -(sides // 2), 0, sides // 2, sides})
    below = [(place + sides, signed_number(place * step) if place else "0") for place in shown]
    bars = [(group.label, group.players, group.last < 0) for group in groups]
    charts = [_bar_chart(size, bars, below, inset=0.1, has_axis=True) for size in SIZES]
    return Charts(title, charts, description)


def scatter_charts(title: str, description: str, across: Integers, up: Integers) -> Charts:
    """A spot for the players of nearly the same two ratings, by one across and by the other up; the line is where both
    are equal. Has at least one player."""
    ticks = axis_ticks(int(min(across.min(), up.min())), int(max(across.max(), up.max())), at_most=6)
    span, charts = ticks[-1] - ticks[0], []
    for kind, width, height in SCATTER_SIZES:
        right, bottom = width - 16.0, height - 28.0
        y = _scale(bottom, ticks[0], ticks[-1])
        wide, high = int((right - LEFT) / SPOT), int((bottom - TOP) / SPOT)
        cells = np.stack([(across - ticks[0]) * wide // span, (up - ticks[0]) * high // span], axis=1)
        found, players = np.unique(cells, axis=0, return_counts=True)
        charts.append(
            Chart(
                kind=kind,
                width=width,
                height=height,
                right=right,
                guides=[Mark(y(tick), str(tick)) for tick in ticks],
                labels=[
                    Mark(round(LEFT + (right - LEFT) * (tick - ticks[0]) / span, 1), str(tick))
                    for tick in ticks
                ],
                axis=f"M{LEFT} {bottom}L{right} {TOP}",
                spots=[
                    Spot(
                        x=round(LEFT + (right - LEFT) * (column + 0.5) / wide, 1),
                        y=round(bottom - (bottom - TOP) * (row + 0.5) / high, 1),
                        radius=min(1.5 + number.bit_length() / 2, SPOT),
                    )
                    for (column, row), number in zip(found.tolist(), players.tolist(), strict=True)
                ],
            )
        )
    return Charts(title, charts, description)


def _bar_chart(
    size: tuple[str, int, int],
    bars: Sequence[tuple[str, int, bool]],
    labels: Sequence[tuple[float, str]],
    *,
    inset: float,
    has_axis: bool = False,
) -> Chart:
    """Bars of a tooltip, a number and whether it counts losses. Labels are at a number of bars from the left.

    `inset` is the part of a bar's room that is free on each side.
    """
    kind, width, height = size
    right, bottom = width - 16.0, height - 28.0
    guides = count_guides(max(number for _, number, _ in bars))
    slot, y = (right - LEFT) / len(bars), _scale(bottom, 0, guides[-1])
    middle = round((LEFT + right) / 2, 1)
    return Chart(
        kind=kind,
        width=width,
        height=height,
        right=right,
        guides=[Mark(y(number), str(number)) for number in guides],
        labels=[Mark(round(LEFT + slot * place, 1), label) for place, label in labels],
        axis=f"M{LEFT} {bottom}H{right}M{middle} {bottom}v6" if has_axis else "",
        bars=[
            Bar(
                x=round(LEFT + slot * (place + inset), 1),
                y=y(number),
                width=round(slot * (1 - 2 * inset), 1),
                height=round(bottom - y(number), 1),
                label=label,
                down=down,
            )
            for place, (label, number, down) in enumerate(bars)
            if number
        ],
    )


def _scale(bottom: float, lowest: int, highest: int) -> Callable[[int], float]:
    """The height of a value in a chart whose top is the highest one."""
    return lambda value: round(bottom - (bottom - TOP) * (value - lowest) / ((highest - lowest) or 1), 1)


def label_heights(dots: Sequence[Sequence[Dot]]) -> list[float]:
    """Where the last rating of each line is written: next to its dot, below that of a line that ends as high."""
    heights = [own[-1].y for own in dots]
    order = sorted(range(len(heights)), key=heights.__getitem__)
    for upper, lower in pairwise(order):
        lacking = heights[upper] + LABEL_HEIGHT - heights[lower]
        if lacking > 0:
            heights[lower] += lacking
    return heights


def label_position(goal: float, right: float, dots: Sequence[Dot]) -> Label:
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

    places = [Label(x, goal + y, ends) for x, ends in ((right, True), (LEFT, False)) for y in (-6, 16)]
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
    for step in RATING_STEPS:
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


def count_guides(most: int) -> list[int]:
    """Round numbers from 0 to `most` or above, at equal distances, at most `MOST_GUIDES` above 0."""
    step = next(step for step in ROUND_STEPS if most <= step * MOST_GUIDES)
    return list(range(0, -(-most // step) * step + 1, step))
