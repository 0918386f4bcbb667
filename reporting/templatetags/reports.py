"""What pages say of a report: its format, its encoding, its details and results, the numbers of its findings."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext

from reporting.formats.detect import format_labels
from reporting.messages.labels import in_part, name_with_part
from reporting.rules.details.known_details import detail_label
from reporting.rules.details.time_control import minutes_text
from reporting.rules.points import points_text
from reporting.rules.report import ENCODINGS
from reporting.web.values import finding_counts, in_scale

register = template.Library()
register.filter(detail_label)
register.filter(in_scale)
register.filter(in_part)
register.filter(name_with_part)
register.simple_tag(finding_counts)


@register.filter
def format_label(key: str) -> str:
    """What a reader calls the format of a report: `spreadsheet` is `spreadsheet template`."""
    labels = format_labels()
    return gettext(labels[key]) if key in labels else key


@register.filter
def encoding_label(key: str) -> str:
    """What a reader calls an encoding: `cp1251` is `Cyrillic (Windows-1251)`."""
    return gettext(ENCODINGS[key]) if key in ENCODINGS else key.upper()


@register.filter
def minutes(seconds: int | None) -> str:
    """The time for 60 moves: `110 min`; empty without a clock."""
    return "" if seconds is None else minutes_text(seconds)


@register.filter
def doubled(number: int) -> int:
    """The points of this many games in halves: two a game."""
    return 2 * number


@register.simple_tag
def game_in_words(cell: Any, scale: str, numbers: Mapping[int, int] | None = None) -> str:
    """A game in a cell of a crosstable as it is read aloud: `white against 44, draw`.

    The cell has points in halves, `played`, `white`, and `against`: the number of the opponent, 0 in a pause. With
    `numbers` it has the `opponent`, or None, whose number they give. A plus or minus draw has its `sign`.
    """
    opponent = cell.against if numbers is None else cell.opponent and numbers[cell.opponent.pk]
    points = points_text(cell.points, scale)
    if not opponent:
        return gettext("pause, points: %(points)s") % {"points": points}
    result = {2: gettext("win"), 1: gettext("draw"), 0: gettext("loss")}.get(cell.points, points)
    if cell.sign:
        result = gettext("plus draw") if cell.sign == "+" else gettext("minus draw")
    if not cell.played:
        result = gettext("%(result)s without a game") % {"result": result}
    if cell.white:
        return gettext("white against %(number)s, %(result)s") % {"number": opponent, "result": result}
    return gettext("black against %(number)s, %(result)s") % {"number": opponent, "result": result}
