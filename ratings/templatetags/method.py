"""Links between the pages of a rating system's method and figures that it explains."""

from collections.abc import Sequence

from django import template
from django.urls import reverse
from django.utils.http import urlencode

from ratings.federations.method import Result, calculator_values
from ratings.federations.registry import MethodLink
from ratings.federations.registry import method_links as registered_links
from ratings.models import RatingList
from ratings.published.selectors.rating_explanation import PlayerEvent
from reporting.models import ResultSet
from reporting.rules.details.time_control import parse_time_control

register = template.Library()


@register.filter
def method_links(system: str) -> Sequence[MethodLink]:
    """The pages of upper apps about the method of a system."""
    return registered_links(system)


@register.simple_tag
def calculator_address(event: PlayerEvent, rating_list: RatingList) -> str:
    """The calculator with the values of a player's tournament; empty where they cannot be typed."""
    method, change = rating_list.rating_system.explanation.method, event.change
    if method is None or change is None:
        return ""
    player = method.values_of_change(
        rating_list.rules, change, typed_time_control(event.tournament, change.clock)
    )
    if player is None:
        return ""
    results = [
        Result(game.opponent_rating, game.points, game.opponent.player.printed_name)
        for game in event.games
        if game.counted and game.opponent and game.opponent_rating
    ]
    query = urlencode(calculator_values(player, results))
    return f"{reverse('method-calculator', args=[rating_list.system])}?{query}"


def typed_time_control(tournament: ResultSet, clock: int | None) -> str:
    """The time control as it is typed; of a session the one with this time for 60 moves (R25)."""
    controls = (
        control for control in tournament.session if parse_time_control(control).seconds_for_60_moves == clock
    )
    return next(controls, tournament.time_control)
