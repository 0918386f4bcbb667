"""How the time control of a report is calculated."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from reporting.reports.selectors.rating_lists import rating_lists
from reporting.rules.details.time_control import TimeControlError, parse_time_control
from reporting.rules.details.tournament_details import TournamentDetails


@dataclass(frozen=True)
class TimeControlSummary:
    """How a time control is calculated, its pool, its rating system, and the percentage that multiplies K (R6).

    `game` is the place of the game in its round, from 1, in a session (R25); 0 in another tournament.
    """

    calculation_text: str
    pool: str
    system: Any
    development: int | None
    game: int = 0


def time_control_summary(details: TournamentDetails | None) -> list[TimeControlSummary]:
    """One summary; of a session one a game of a round. None at all while the details have errors."""
    if details is None or details.seconds_of_games == (None,):
        return []
    weighed = {games.seconds: games for games in rating_lists().weighed_games(details)}
    if details.session:
        controls = [parse_time_control(control) for control in details.session]
        return [
            _summary(control.calculation_text(), games, place)
            for place, control in enumerate(controls, start=1)
            for games in [weighed[control.seconds_for_60_moves]]
        ]
    (games,) = weighed.values()
    try:
        calculation_text = parse_time_control(details.time_control).calculation_text()
    except TimeControlError:
        calculation_text = gettext("%(minutes)s minutes for 60 moves") % {
            "minutes": details.minutes_for_60_moves
        }
    return [_summary(calculation_text, games)]


def _summary(calculation_text: str, games: Any, place: int = 0) -> TimeControlSummary:
    pool = games.pool
    return TimeControlSummary(calculation_text, pool.name, pool.rating_system, games.weight_percentage, place)
