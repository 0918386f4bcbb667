"""What a time control does to a game's weight, and to which pool it sends the game (art. 1.2.2, R6)."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ratings.federations.fmjd.rules.parameters import DevelopmentSteps, Parameters
from ratings.rules.columns import Integers

Tempo = Literal["classical", "rapid-blitz"]


def tempo(parameters: Parameters, seconds: int) -> Tempo:
    """The pool's tempo for a time control of so many seconds for the first 60 moves (art. 1.2.2.2, R6).

    Thirty minutes is classical. Raises ``ValueError`` when the time is not above zero.
    """
    if seconds <= 0:
        raise ValueError("the time for the first 60 moves must be above zero")
    return "classical" if seconds >= parameters.pool_threshold_seconds else "rapid-blitz"


def development_percentage(parameters: Parameters, seconds: ArrayLike) -> Integers:
    """The percentage that multiplies K (art. 1.2.2.1, 1.2.2.2, 3.2.3; R6), in whole percent.

    ``seconds`` for the first 60 moves, whole, any shape; the answer has the same shape. Raises
    ``ValueError`` when a time is not above zero.
    """
    times = np.asarray(seconds).astype(np.int64)
    if np.any(times <= 0):
        raise ValueError("the time for the first 60 moves must be above zero")
    return np.where(
        times >= parameters.pool_threshold_seconds,
        _step(parameters.classical_development, times),
        _step(parameters.rapid_blitz_development, times),
    )


def _step(steps: DevelopmentSteps, times: Integers) -> Integers:
    rising = sorted(steps)
    least = np.array([seconds for seconds, _ in rising], dtype=np.int64)
    percentages = np.array([percentage for _, percentage in rising], dtype=np.int64)
    return percentages[np.maximum(np.searchsorted(least, times, side="right") - 1, 0)]
