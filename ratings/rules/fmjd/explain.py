"""The working of a change, step by step, as it is shown to the player (design: every figure can be traced).

Each figure is formatted from the stored columns of ``ChangeColumns``; nothing is calculated a second
time. Only the two lines of table IX-1 between which a figure lies are looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np

from ratings.rules.fmjd.columns import PROVISIONAL
from ratings.rules.fmjd.parameters import EDITIONS, Parameters
from ratings.rules.fmjd.tables import E4, LARGEST_DIFFERENCE, RATING_DIFFERENCE_E2

_MINUS: Final = "−"  # the true minus, U+2212
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, slots=True)
class ExplainedChange:
    """One row of ``ChangeColumns`` as plain values, with the words that stand beside it.

    ``list_in_force`` is the day the event's basis list came into force; ``time_control`` the time control
    in words (``80 min + 30 s``) and ``seconds_for_60_moves`` what it comes to.
    """

    method: int
    own_e4: int
    own_is_running: bool
    games: int
    opponents_sum: int
    average_e4: int
    points: int
    expected_percentage_e4: int
    expected_score_e4: int
    k: int
    development: int
    delta_e4: int
    performance_e4: int
    performance_limited: bool
    games_before: int
    unrated_games: int
    before_e4: int
    after_e4: int
    list_in_force: date
    time_control: str
    seconds_for_60_moves: int


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the working.

    ``what`` names the figure, ``symbol`` is its sign in the law (``Pe``; empty if it has none),
    ``working`` the formula with the figures filled in, ``note`` a remark beside it, ``result`` the
    figure; ``article`` and ``rulings`` say by what.
    """

    what: str
    symbol: str
    working: str
    result: str
    article: str
    rulings: tuple[str, ...]
    note: str = ""


def explain(change: ExplainedChange, parameters: Parameters = EDITIONS[-1]) -> tuple[Step, ...]:
    """The working of one player's event, in the order it is calculated (art. 3.1 to 3.3, 5.2, 5.3).

    ``parameters`` is the edition the list was calculated by; by default the newest.
    """
    if change.method == PROVISIONAL:
        return (_average(change), _performance(change, parameters), _weighted(change))
    return (
        _own(change),
        _average(change),
        _difference(change),
        _expected_percentage(change),
        _expected_points(change),
        _development_factor(change, parameters),
        _change(change),
    )


def explain_new_rating(
    previous: int, changes: Sequence[ExplainedChange], rating: int, carried: int = 0
) -> Step:
    """How the changes of a period make the published rating (art. 3.3.1, 6.2; R9).

    ``previous`` is the rating on the previous list (0: none), ``changes`` the player's events in R5's
    order, ``rating`` the whole number published, ``carried`` the points that corrections of earlier lists
    put to the previous rating. After a provisional event the sum starts from its running value.
    """
    start, last = str(previous or carried or previous), (previous + carried) * E4
    terms: list[str] = []
    if previous and carried:
        terms.append(f" {'+' if carried > 0 else _MINUS} {abs(carried)}")
    for change in changes:
        last = change.after_e4
        if change.method == PROVISIONAL:
            start, terms = decimals(change.after_e4), []
        else:
            terms.append(f" {'+' if change.delta_e4 >= 0 else _MINUS} {decimals(abs(change.delta_e4))}")
    return Step(
        what="New rating",
        symbol="Rn",
        working=start + "".join(terms) + (f" = {decimals(last) if changes else rating}" if terms else ""),
        result=str(rating),
        article="3.3.1, 6.2",
        rulings=("R9",),
    )


def decimals(value_e4: int) -> str:
    """A figure with its 4 decimals and a true minus: ``63.6842``, ``−2.2788``."""
    whole, rest = divmod(abs(value_e4), E4)
    return f"{_MINUS if value_e4 < 0 else ''}{whole}.{rest:04}"


def signed(value_e4: int) -> str:
    """A change with its sign: ``+0.6315``, ``−2.2788``, ``0.0000``."""
    return ("+" if value_e4 > 0 else "") + decimals(value_e4)


def _hundredths(value_e2: int) -> str:
    whole, rest = divmod(abs(value_e2), 100)
    return f"{_MINUS if value_e2 < 0 else ''}{whole}.{rest:02}"


def _own_text(change: ExplainedChange) -> str:
    return decimals(change.own_e4) if change.own_is_running else str(change.own_e4 // E4)


def _own(change: ExplainedChange) -> Step:
    day = change.list_in_force
    on = f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
    return Step(
        what="Own rating, running value" if change.own_is_running else f"Own rating, list of {on}",
        symbol="Ro",
        working="",
        result=_own_text(change),
        article="5.2",
        rulings=("R8",),
        note=f"not on the list of {on}" if change.own_is_running else "",
    )


def _average(change: ExplainedChange) -> Step:
    opponents = "1 opponent" if change.games == 1 else f"{change.games} opponents"
    note = ""
    if change.unrated_games == 1:
        note = "one opponent, unrated, is not counted"
    elif change.unrated_games > 1:
        note = f"{change.unrated_games} opponents, unrated, are not counted"
    return Step(
        what=f"Mean of {opponents}",
        symbol="Rc",
        working=f"{change.opponents_sum} / {change.games}",
        result=decimals(change.average_e4),
        article="5.2, 5.3",
        rulings=("R8",),
        note=note,
    )


def _difference(change: ExplainedChange) -> Step:
    return Step(
        what="Difference",
        symbol="",
        working=f"{_own_text(change)} {_MINUS} {decimals(change.average_e4)}",
        result=decimals(change.own_e4 - change.average_e4),
        article="3.2.1",
        rulings=("R2",),
    )


def _expected_percentage(change: ExplainedChange) -> Step:
    difference = change.own_e4 - change.average_e4
    if abs(difference) >= LARGEST_DIFFERENCE * E4:
        working = "100" if difference > 0 else "0"
        note = f"a difference of {LARGEST_DIFFERENCE} or more"
    else:
        upper = RATING_DIFFERENCE_E2[50:] * 100
        step = int(np.searchsorted(upper, abs(difference), side="right")) - 1
        low, high = (_hundredths(int(RATING_DIFFERENCE_E2[50 + step + n])) for n in (0, 1))
        working = f"{50 + step} + ({decimals(abs(difference))} {_MINUS} {low}) / ({high} {_MINUS} {low})"
        note = ""
        if difference < 0:
            working = f"100 {_MINUS} ({working})"
    return Step(
        what="Expected percentage",
        symbol="Pe",
        working=working,
        result=decimals(change.expected_percentage_e4),
        article="2.4.1, IX-1",
        rulings=("R2", "R3"),
        note=note,
    )


def _expected_points(change: ExplainedChange) -> Step:
    return Step(
        what="Expected points",
        symbol="We",
        working=f"{decimals(change.expected_percentage_e4)} × 2 × {change.games} / 100",
        result=decimals(change.expected_score_e4),
        article="3.2.1",
        rulings=("R3",),
    )


def _reduced_k(change: ExplainedChange) -> str:
    """K times the development percentage as it is written: 10, 6, 7.5."""
    whole, rest = divmod(change.k * change.development, 100)
    return f"{whole}.{rest:02}".rstrip("0").rstrip(".")


def _development_factor(change: ExplainedChange, parameters: Parameters) -> Step:
    reached = parameters.k_reached_rating
    if change.games_before < parameters.k_new_games:
        reason = f"{change.games_before} games before, fewer than {parameters.k_new_games}"
    elif change.k == parameters.k_reached:
        reason = f"has reached {reached}"
    else:
        reason = f"has not reached {reached}"
    classical = change.seconds_for_60_moves >= parameters.pool_threshold_seconds
    return Step(
        what="Development factor",
        symbol="K",
        working=f"{change.k}, {reason}; {_time(change)}: {change.development} %",
        result=_reduced_k(change),
        article=f"3.2.3, {'1.2.2.1' if classical else '1.2.2.2'}",
        rulings=("R5", "R6"),
    )


def _time(change: ExplainedChange) -> str:
    minutes, rest = divmod(change.seconds_for_60_moves, 60)
    text = {0: f"{minutes} min", 30: f"{minutes}.5 min"}.get(rest, f"{minutes} min {rest} s")
    return text if change.time_control == text else f"{change.time_control}, {text} for 60 moves"


def _change(change: ExplainedChange) -> Step:
    return Step(
        what="Change",
        symbol="ΔR",
        working=(
            f"0.5 × {_reduced_k(change)} × ({change.points} {_MINUS} {decimals(change.expected_score_e4)})"
        ),
        result=signed(change.delta_e4),
        article="3.2.2",
        rulings=("R3",),
    )


def _performance(change: ExplainedChange, parameters: Parameters) -> Step:
    whole, rest = divmod(50 * change.points, change.games)
    difference = int(RATING_DIFFERENCE_E2[whole])
    sign = _MINUS if difference < 0 else "+"
    working = f"{decimals(change.average_e4)} {sign} {_hundredths(abs(difference))}"
    if rest:
        higher, lower = (_hundredths(int(RATING_DIFFERENCE_E2[whole + n])) for n in (1, 0))
        if difference < 0:
            higher, lower = lower.removeprefix(_MINUS), higher.removeprefix(_MINUS)
        share = f"100 × {change.points} / {2 * change.games}"
        working += f" + ({share} {_MINUS} {whole}) × ({higher} {_MINUS} {lower})"
    limit = parameters.minimum_performance
    note = ""
    if change.performance_limited:
        if change.performance_e4 == limit * E4:
            note = f"below {limit}, so {limit}"
        else:
            note = f"above {parameters.maximum_performance}, so {parameters.maximum_performance}"
    return Step(
        what="Performance",
        symbol="R1",
        working=working,
        result=decimals(change.performance_e4),
        article="3.1, 3.3.2",
        rulings=("R4",),
        note=note,
    )


def _weighted(change: ExplainedChange) -> Step:
    first = change.own_e4 == 0 or change.games_before == 0
    working, note = "", ""
    if first:
        note = "a first result stands alone"
    else:
        working = (
            f"({change.games_before} × {decimals(change.own_e4)} + {change.games} × "
            f"{decimals(change.performance_e4)}) / ({change.games_before} + {change.games})"
        )
    return Step(
        what="Provisional rating",
        symbol="Rp",
        working=working,
        result=decimals(change.after_e4),
        article="3.3.2",
        rulings=("R7",),
        note=note,
    )
