"""The time controls of tournaments, as pages and files show them."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext

from ratings.models import RatingList
from reporting.models import ResultSet
from reporting.rules.details.time_control import TimeControlError, minutes_text, parse_time_control


def clocks_in_list(tournament: ResultSet, rating_list: RatingList) -> list[tuple[str, int | None]]:
    """The time controls of a tournament's games in the pool of a list, as written, with their seconds (R25).

    The longest time first; None without a clock. Only a session has several: controls with the same time are one.
    """
    if not tournament.session:
        return [(tournament.time_control, tournament.seconds_for_60_moves)]
    rules, tempo = rating_list.rules, rating_list.pool.tempo
    controls: dict[int | None, list[str]] = {seconds: [] for seconds in tournament.seconds_of_games}
    for control in dict.fromkeys(tournament.session):
        controls[parse_time_control(control).seconds_for_60_moves].append(control)
    return [
        (", ".join(of_time), seconds)
        for seconds, of_time in controls.items()
        if rules.tempo(seconds) == tempo
    ]


def clock_label(control: str, seconds: int | None) -> str:
    """A time control as it is shown: `80 min + 30 s`; the minutes alone where it is not known.

    Empty for a tournament without a clock.
    """
    try:
        return parse_time_control(control).words
    except TimeControlError:
        return control or ("" if seconds is None else minutes_text(seconds))


def clock_calculation(control: str, seconds: int | None) -> str:
    """A time control with its time for 60 moves: `80 min + 60 moves × 30 s = 110 min …` (R6).

    Empty without a clock.
    """
    try:
        return parse_time_control(control).calculation_text()
    except TimeControlError:
        return (
            ""
            if seconds is None
            else gettext("%(minutes)s for 60 moves") % {"minutes": minutes_text(seconds)}
        )


def time_control_label(tournament: ResultSet) -> str:
    """The time control of a tournament as it is shown; of a session those of a round in order (R25)."""
    if tournament.session:
        return ", ".join(parse_time_control(control).words for control in tournament.session)
    return clock_label(tournament.time_control, tournament.seconds_for_60_moves)


def have_clocks(tournaments: Iterable[Any]) -> bool:
    """Whether one of these tournaments was played with a clock: only then tables have a column for it."""
    return any(seconds is not None for tournament in tournaments for seconds in tournament.seconds_of_games)
