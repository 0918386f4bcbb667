"""The differences of a replayed list, drawn on the server: how many players differ by how many points.

This module gives the geometry; templates/office/histogram.html draws it, once for wide windows and once for phones.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext, ngettext

from ratings.office.selectors.replay import ReplayedList
from reporting.web.values import day, signed_number

MOST_BARS_A_SIDE = 8
STEPS = tuple(digit * 10**zeros for zeros in range(5) for digit in (1, 2, 5))
MOST_GUIDES = 4


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


@dataclass(frozen=True)
class Bar:
    """The bar of a group, in units of the view box."""

    group: Group
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Mark:
    """A guide across the drawing or a number below it: its place and its label."""

    at: float
    label: str


@dataclass(frozen=True)
class Plot:
    """A drawing: its size and contents, in units of its view box."""

    kind: str
    width: int
    height: int
    left: float
    right: float
    bottom: float
    middle: float
    guides: Sequence[Mark]
    points: Sequence[Mark]
    bars: Sequence[Bar]


@dataclass(frozen=True)
class Differences:
    """Both drawings, with a title and a description, and the groups drawn, the largest loss first."""

    title: str
    description: str
    groups: Sequence[Group]
    plots: Sequence[Plot]


def difference_plots(found: ReplayedList) -> Differences | None:
    """The drawings of a list's differences, without the players who have none; None where no player differs."""
    if not found.differing:
        return None
    largest = int(np.abs(found.differences).max())
    step = next(step for step in STEPS if largest <= step * MOST_BARS_A_SIDE)
    # Points 1 to `step` are group 1, so that no difference and none at all are never in one bar.
    places = np.sign(found.differences) * -(-np.abs(found.differences) // step)
    sides = int(np.abs(places).max())
    groups = [
        Group(
            *(
                ((place - 1) * step + 1, place * step)
                if place > 0
                else (place * step, (place + 1) * step - 1)
            ),
            players=int(np.count_nonzero(places == place)),
        )
        for place in range(-sides, sides + 1)
        if place
    ]
    drawn = {
        "day": day(found.rating_list.in_force),
        "differing": found.differing,
        "players": found.players,
    }
    return Differences(
        gettext("Differences on the list of %(day)s, in points") % drawn,
        gettext(
            "%(differing)s of %(players)s players differ. Losses are on the left, gains on the right. The table below"
            " has every figure."
        )
        % drawn,
        groups,
        [
            _plot("desktop", groups, step, width=1120, height=280),
            _plot("phone", groups, step, width=360, height=240),
        ],
    )


def _plot(kind: str, groups: Sequence[Group], step: int, *, width: int, height: int) -> Plot:
    left, right, top, bottom = 44.0, width - 16.0, 20.0, height - 28.0
    guides = count_guides(max(group.players for group in groups))
    slot = (right - left) / len(groups)
    sides = len(groups) // 2
    middle = (left + right) / 2

    def y(count: int) -> float:
        return round(bottom - (bottom - top) * count / guides[-1], 1)

    shown = sorted({-sides, -(sides // 2), 0, sides // 2, sides})
    return Plot(
        kind=kind,
        width=width,
        height=height,
        left=left,
        right=right,
        bottom=bottom,
        middle=round(middle, 1),
        guides=[Mark(y(count), str(count)) for count in guides],
        points=[
            Mark(round(middle + place * slot, 1), signed_number(place * step) if place else "0")
            for place in shown
        ],
        bars=[
            Bar(
                group,
                x=round(left + place * slot + slot * 0.1, 1),
                y=y(group.players),
                width=round(slot * 0.8, 1),
                height=round(bottom - y(group.players), 1),
            )
            for place, group in enumerate(groups)
            if group.players
        ],
    )


def count_guides(most: int) -> list[int]:
    """Round numbers of players from 0 to `most` or above, at equal distances, at most `MOST_GUIDES` above 0."""
    step = next(step for step in STEPS if most <= step * MOST_GUIDES)
    return list(range(0, -(-most // step) * step + 1, step))
