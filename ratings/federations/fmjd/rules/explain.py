"""The calculation of a change, step by step, as it is shown to the player.

Each figure is formatted from the stored columns of ``ChangeColumns``; nothing is calculated a second
time. Only the two lines of table IX-1 around a figure are looked up. Steps and notes have codes and
values; their sentences are in the two catalogues of this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

import numpy as np

from ratings.federations.fmjd.rules.columns import PROVISIONAL
from ratings.federations.fmjd.rules.parameters import EDITIONS, Parameters
from ratings.federations.fmjd.rules.tables import E4, LARGEST_DIFFERENCE, RATING_DIFFERENCE_E2
from ratings.rules.scaled_numbers import MINUS, decimals, signed
from reporting.rules.sentences import Plural, Value, sentence

STEPS: Final[Mapping[str, str | Plural]] = {
    "own": "Own rating, list of {list_in_force:date}",
    "own_rating": "Own rating",
    "own_running": "Own rating, running value",
    "average": Plural("Mean of 1 opponent", "Mean of {games} opponents", "games"),
    "difference": "Difference",
    "expected_percentage": "Expected percentage",
    "expected_points": "Expected points",
    "development_factor": "Development factor",
    "change": "Change",
    "performance": "Performance",
    "provisional": "Provisional rating",
    "new_rating": "New rating",
}
"""The name of each step, by its code."""

NOTES: Final[Mapping[str, str | Plural]] = {
    "not_listed": "not on the list of {list_in_force:date}",
    "unrated": Plural(
        "1 unrated opponent is not counted", "{games} unrated opponents are not counted", "games"
    ),
    "largest_difference": "a difference of {difference} or more",
    "k_new": Plural("1 game before, fewer than {limit}", "{games} games before, fewer than {limit}", "games"),
    "k_reached": "has reached {rating}",
    "k_not_reached": "has not reached {rating}",
    "development": "{time}: {percentage} %",
    "development_of_control": "{control}, {time} for 60 moves: {percentage} %",
    "raised": "below {limit}, so {limit}",
    "lowered": "above {limit}, so {limit}",
    "first_result": "the first result counts alone",
}
"""The remarks next to a calculation, by their codes."""


@dataclass(frozen=True, slots=True)
class ExplainedChange:
    """One row of ``ChangeColumns`` as plain values, with what is shown next to it.

    ``list_in_force`` is the day the event's basis list came into force, None for a typed rating; ``time_control`` the
    time control as it is shown (``80 min + 30 s``) and ``seconds_for_60_moves`` its time for 60 moves.
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
    list_in_force: date | None
    time_control: str
    seconds_for_60_moves: int


@dataclass(frozen=True, slots=True)
class Note:
    """A remark next to a calculation: its code in ``NOTES`` and the values of its sentence."""

    code: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        """The sentence, in the language in use."""
        return sentence(NOTES[self.code], self.values)


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the calculation.

    ``code`` names the figure in ``STEPS``, with ``values`` for its name; ``symbol`` is its sign in the
    regulations (``Pe``; empty if it has none), ``working`` the formula with the figures filled in, ``notes``
    are remarks, ``result`` is the figure; ``article`` and ``rulings`` are its sources. No step has a ``list_read``: the
    note under the games links the one list that gives all ratings.
    """

    code: str
    symbol: str
    working: str
    result: str
    article: str
    rulings: tuple[str, ...]
    notes: tuple[Note, ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict)
    list_read: str = ""

    @property
    def name(self) -> str:
        """The name of the figure, in the language in use."""
        return sentence(STEPS[self.code], self.values)


def explain(change: ExplainedChange, parameters: Parameters = EDITIONS[-1]) -> tuple[Step, ...]:
    """The steps of one player's event, in the order of the calculation (art. 3.1 to 3.3, 5.2, 5.3).

    ``parameters`` is the edition the list is calculated by; by default the newest.
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
    """The published rating as the sum of the changes of a period (art. 3.3.1, 6.2; R9).

    ``previous`` is the rating on the previous list (0: none), ``changes`` the player's events in R5's
    order, ``rating`` the published whole number, ``carried`` the points that corrections of earlier lists
    add to the previous rating. After a provisional event the sum starts from its running value.
    """
    start, last = str(previous or carried or previous), (previous + carried) * E4
    terms: list[str] = []
    if previous and carried:
        terms.append(f" {'+' if carried > 0 else MINUS} {abs(carried)}")
    for change in changes:
        last = change.after_e4
        if change.method == PROVISIONAL:
            start, terms = decimals(change.after_e4), []
        else:
            terms.append(f" {'+' if change.delta_e4 >= 0 else MINUS} {decimals(abs(change.delta_e4))}")
    return Step(
        code="new_rating",
        symbol="Rn",
        working=start + "".join(terms) + (f" = {decimals(last) if changes else rating}" if terms else ""),
        result=str(rating),
        article="3.3.1, 6.2",
        rulings=("R9",),
    )


def _hundredths(value_e2: int) -> str:
    whole, rest = divmod(abs(value_e2), 100)
    return f"{MINUS if value_e2 < 0 else ''}{whole}.{rest:02}"


def _own_text(change: ExplainedChange) -> str:
    return decimals(change.own_e4) if change.own_is_running else str(change.own_e4 // E4)


def _own(change: ExplainedChange) -> Step:
    if change.list_in_force is None:
        return Step("own_rating", "Ro", "", _own_text(change), "5.2", ("R8",))
    day = {"list_in_force": change.list_in_force.isoformat()}
    return Step(
        code="own_running" if change.own_is_running else "own",
        symbol="Ro",
        working="",
        result=_own_text(change),
        article="5.2",
        rulings=("R8",),
        notes=(Note("not_listed", day),) if change.own_is_running else (),
        values=day,
    )


def _average(change: ExplainedChange) -> Step:
    return Step(
        code="average",
        symbol="Rc",
        working=f"{change.opponents_sum} / {change.games}",
        result=decimals(change.average_e4),
        article="5.2, 5.3",
        rulings=("R8",),
        notes=(Note("unrated", {"games": change.unrated_games}),) if change.unrated_games else (),
        values={"games": change.games},
    )


def _difference(change: ExplainedChange) -> Step:
    return Step(
        code="difference",
        symbol="",
        working=f"{_own_text(change)} {MINUS} {decimals(change.average_e4)}",
        result=decimals(change.own_e4 - change.average_e4),
        article="3.2.1",
        rulings=("R2",),
    )


def _expected_percentage(change: ExplainedChange) -> Step:
    difference = change.own_e4 - change.average_e4
    notes: tuple[Note, ...] = ()
    if abs(difference) >= LARGEST_DIFFERENCE * E4:
        working = "100" if difference > 0 else "0"
        notes = (Note("largest_difference", {"difference": LARGEST_DIFFERENCE}),)
    else:
        upper = RATING_DIFFERENCE_E2[50:] * 100
        step = int(np.searchsorted(upper, abs(difference), side="right")) - 1
        low, high = (_hundredths(int(RATING_DIFFERENCE_E2[50 + step + n])) for n in (0, 1))
        working = f"{50 + step} + ({decimals(abs(difference))} {MINUS} {low}) / ({high} {MINUS} {low})"
        if difference < 0:
            working = f"100 {MINUS} ({working})"
    return Step(
        code="expected_percentage",
        symbol="Pe",
        working=working,
        result=decimals(change.expected_percentage_e4),
        article="2.4.1, IX-1",
        rulings=("R2", "R3"),
        notes=notes,
    )


def _expected_points(change: ExplainedChange) -> Step:
    return Step(
        code="expected_points",
        symbol="We",
        working=f"{decimals(change.expected_percentage_e4)} × 2 × {change.games} / 100",
        result=decimals(change.expected_score_e4),
        article="3.2.1",
        rulings=("R3",),
    )


def _reduced_k(change: ExplainedChange) -> str:
    """K times the development percentage, as it is shown: 10, 6, 7.5."""
    whole, rest = divmod(change.k * change.development, 100)
    return f"{whole}.{rest:02}".rstrip("0").rstrip(".")


def _development_factor(change: ExplainedChange, parameters: Parameters) -> Step:
    if change.games_before < parameters.k_new_games:
        reason = Note("k_new", {"games": change.games_before, "limit": parameters.k_new_games})
    else:
        code = "k_reached" if change.k == parameters.k_reached else "k_not_reached"
        reason = Note(code, {"rating": parameters.k_reached_rating})
    classical = change.seconds_for_60_moves >= parameters.pool_threshold_seconds
    return Step(
        code="development_factor",
        symbol="K",
        working=f"{change.k} × {change.development} %",
        result=_reduced_k(change),
        article=f"3.2.3, {'1.2.2.1' if classical else '1.2.2.2'}",
        rulings=("R5", "R6"),
        notes=(reason, _development(change)),
    )


def _development(change: ExplainedChange) -> Note:
    minutes, rest = divmod(change.seconds_for_60_moves, 60)
    time = {0: f"{minutes} min", 30: f"{minutes}.5 min"}.get(rest, f"{minutes} min {rest} s")
    values: dict[str, Value] = {
        "control": change.time_control,
        "time": time,
        "percentage": change.development,
    }
    return Note("development" if change.time_control == time else "development_of_control", values)


def _change(change: ExplainedChange) -> Step:
    return Step(
        code="change",
        symbol="ΔR",
        working=(
            f"0.5 × {_reduced_k(change)} × ({change.points} {MINUS} {decimals(change.expected_score_e4)})"
        ),
        result=signed(change.delta_e4),
        article="3.2.2",
        rulings=("R3",),
    )


def _performance(change: ExplainedChange, parameters: Parameters) -> Step:
    whole, rest = divmod(50 * change.points, change.games)
    difference = int(RATING_DIFFERENCE_E2[whole])
    sign = MINUS if difference < 0 else "+"
    working = f"{decimals(change.average_e4)} {sign} {_hundredths(abs(difference))}"
    if rest:
        higher, lower = (_hundredths(int(RATING_DIFFERENCE_E2[whole + n])) for n in (1, 0))
        if difference < 0:
            higher, lower = lower.removeprefix(MINUS), higher.removeprefix(MINUS)
        share = f"100 × {change.points} / {2 * change.games}"
        working += f" + ({share} {MINUS} {whole}) × ({higher} {MINUS} {lower})"
    notes: tuple[Note, ...] = ()
    if change.performance_limited:
        raised = change.performance_e4 == parameters.minimum_performance * E4
        limit = parameters.minimum_performance if raised else parameters.maximum_performance
        notes = (Note("raised" if raised else "lowered", {"limit": limit}),)
    return Step(
        code="performance",
        symbol="R1",
        working=working,
        result=decimals(change.performance_e4),
        article="3.1, 3.3.2",
        rulings=("R4",),
        notes=notes,
    )


def _weighted(change: ExplainedChange) -> Step:
    first = change.own_e4 == 0 or change.games_before == 0
    working = ""
    if not first:
        working = (
            f"({change.games_before} × {decimals(change.own_e4)} + {change.games} × "
            f"{decimals(change.performance_e4)}) / ({change.games_before} + {change.games})"
        )
    return Step(
        code="provisional",
        symbol="Rp",
        working=working,
        result=decimals(change.after_e4),
        article="3.3.2",
        rulings=("R7",),
        notes=(Note("first_result"),) if first else (),
    )
