"""What pages say of rating lists: pools, numbers of players, where to report an error."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import template
from django.urls import reverse
from django.utils.translation import gettext

from ratings.models import Pool, RatingList
from ratings.queries.time_controls import have_clocks
from reporting.federations.registry import all_report_rules, report_rules
from reporting.models import Player
from reporting.models.result_set import part_code
from reporting.rules.register import registers

register = template.Library()


@register.filter
def pool_short(pool: Pool) -> str:
    """A pool in a narrow heading: `100`, `100 rapid`."""
    if pool.tempo != "rapid-blitz":
        return pool.discipline or pool.name
    return gettext("%(discipline)s rapid") % {"discipline": pool.discipline}


@register.simple_tag
def number_label(lists: RatingList | Iterable[RatingList] = ()) -> str:
    """What the numbers are called that these lists print; without a list those of all lists."""
    shown = [lists] if isinstance(lists, RatingList) else lists
    labels = {rating_list.report_rules.register.number_label for rating_list in shown}
    return gettext(labels.pop() if len(labels) == 1 else registers.number_label())


@register.filter
def prints(rating_list: RatingList, name: str) -> bool:
    """Whether a list prints a column of its rows."""
    declared = rating_list.declaration
    return name in {*declared.figures, *declared.list_file, *declared.list_page}


@register.filter
def by_system(rows: Iterable[Sequence[Any]]) -> list[tuple[str, list[Sequence[Any]]]]:
    """Rows that begin with a pool or a list, by the federation of its rating system; one that is alone has no name.

    The systems are in the order of INSTALLED_APPS.
    """
    groups: dict[str, list[Sequence[Any]]] = {rules.system: [] for rules in all_report_rules()}
    for row in rows:
        groups[row[0].system].append(row)
    shown = [(report_rules(system).name, found) for system, found in groups.items() if found]
    return shown if len(shown) > 1 else [("", found) for _, found in shown]


register.filter(have_clocks)


@register.filter
def number_in(player: Player, rating_list: RatingList) -> int | None:
    """A player's number in the register of a list."""
    return player.number_in(rating_list.report_rules.register)


@register.filter
def address_on(number: int, rating_list: RatingList) -> str:
    """The player with a number that a list prints, in addresses."""
    return rating_list.report_rules.register.address(number)


@register.simple_tag
def error_address(
    figure: str, rating_list: RatingList, code: str = "", number: int | str = "", part: int | str = ""
) -> str:
    """Where to report an error in a figure of a list: of a tournament by its code, of a player by the number.

    Of a tournament in parts by the code of the part, which `part` from 2 on is added to.
    """
    code = part_code(code, int(part or 1)) if code else ""
    about = (figure, rating_list.pool.code, rating_list.in_force.isoformat(), str(rating_list.revision))
    return f"{reverse('request-new')}?about={':'.join(filter(None, (*about, code, str(number))))}"
