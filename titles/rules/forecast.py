"""What a forecast of norms says: the points that they still ask, and the requirements that are open or out of reach."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from titles.rules.requirement import Requirement

ForecastGame = tuple[int, int, int, int, int, bool]
"""Round, the rows of white and of black among the entrants, the points of each (2-1-0), whether it was played."""


@dataclass(frozen=True, slots=True)
class PointsNeeded:
    """What a norm asks in a category: the least Rm (0: any), the percentage, the points.

    ``to_come`` is the least average rating of the opponents not given (0: any), None where all are given;
    ``is_reached`` says that the category is certain.
    """

    category: str
    least: int
    points: int
    to_come: int | None
    is_reached: bool


@dataclass(frozen=True)
class OpenRequirement:
    """What a norm asks of the opponents to come, what is certain already, and what they can give at best."""

    certain: Requirement
    best: Requirement


@dataclass(frozen=True)
class ForecastNorm:
    """A title that results bring norms for, of one player.

    `points` in `games` to come; None where no norm is possible any more. `colour` is the highest possible one, empty
    for none. `by_average` has the least average rating of the opponents not known yet, 0 for any, with the points that
    it asks. `prevents` are the requirements out of reach, `open` those that depend on these opponents;
    `colour_prevents`, by colour, those that leave a lower one only.
    """

    title: str
    points: int | None
    games: int
    colour: str
    by_average: Sequence[tuple[int, int]]
    open: Sequence[OpenRequirement]
    prevents: Sequence[Requirement]
    colour_prevents: Mapping[str, Sequence[Requirement]]
