"""Sentences of standings: tie-breaks, methods for unplayed games, and what a round counted as."""

from collections.abc import Mapping
from fractions import Fraction

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from reporting.rules.standings.cross_table import Kind
from reporting.rules.standings.exact import Counted, decimal

COUNTED: Mapping[Counted, Promise] = {
    Counted.GAME: gettext_lazy("game"),
    Counted.SCHEDULED_OPPONENT: gettext_lazy("scheduled opponent"),
    Counted.NOTHING: gettext_lazy("no opponent: 0"),
    Counted.SELF: gettext_lazy("draw against oneself"),
    Counted.VIRTUAL_OPPONENT: gettext_lazy("virtual opponent"),
    Counted.OWN_SCORE: gettext_lazy("opponent with the player’s own score"),
    Counted.DUMMY: gettext_lazy("dummy"),
    Counted.AVERAGE: gettext_lazy("average of the opponents played"),
    Counted.ACTUAL_SCORE: gettext_lazy("actual score of the opponent"),
    Counted.LEFT_OUT: gettext_lazy("not counted"),
}

KINDS: Mapping[Kind, Promise] = {
    Kind.PLAYED: gettext_lazy("game"),
    Kind.FORFEIT: gettext_lazy("forfeit"),
    Kind.PAUSE: gettext_lazy("pause"),
    Kind.HALF_POINT_BYE: gettext_lazy("half-point bye"),
    Kind.ABSENT: gettext_lazy("missed round"),
}


def value_text(value: Fraction | list[Fraction]) -> str:
    """Return a value as people read it: whole, with at most four decimals, or several of them."""
    if isinstance(value, list):
        return " ".join(map(value_text, value)) or "–"
    return f"{decimal(value):f}".rstrip("0").rstrip(".")
