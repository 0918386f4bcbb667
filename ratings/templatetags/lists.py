"""What pages say of rating lists: pools, numbers of players, where to report an error."""

from collections.abc import Iterable

from django import template
from django.urls import reverse
from django.utils.translation import gettext

from ratings.models import Pool, RatingList
from reporting.models import Player
from reporting.rules.register.registers import first_register

register = template.Library()


@register.filter
def pool_short(pool: Pool) -> str:
    """A pool in a narrow heading: `100`, `100 rapid`."""
    if pool.tempo != "rapid-blitz":
        return pool.discipline or pool.name
    return gettext("%(discipline)s rapid") % {"discipline": pool.discipline}


@register.simple_tag
def number_label(lists: RatingList | Iterable[RatingList] = ()) -> str:
    """What the numbers are called that these lists print; without a list those of the first register."""
    shown = [lists] if isinstance(lists, RatingList) else lists
    labels = {rating_list.report_rules.register.number_label for rating_list in shown}
    if len(labels) > 1:
        return gettext("player number")
    return gettext(labels.pop() if labels else first_register().number_label)


@register.filter
def number_in(player: Player, rating_list: RatingList) -> int | None:
    """A player's number in the register of a list."""
    return player.number_in(rating_list.report_rules.register)


@register.filter
def address_on(number: int, rating_list: RatingList) -> str:
    """The player with a number that a list prints, in addresses."""
    return rating_list.report_rules.register.address(number)


@register.simple_tag
def error_address(figure: str, rating_list: RatingList, code: str = "", number: int | str = "") -> str:
    """Where to report an error in a figure of a list: of a tournament by its code, of a player by the number."""
    about = (figure, rating_list.pool.code, rating_list.in_force.isoformat(), str(rating_list.revision))
    return f"{reverse('request-new')}?about={':'.join(filter(None, (*about, code, str(number))))}"
