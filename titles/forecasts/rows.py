"""A forecast as pages show it: a row a player, with what each norm asks in the games to come."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from titles.federations.fmjd.rules.columns import TITLES
from titles.federations.fmjd.rules.forecast import Forecast, points_by_ratings
from titles.federations.fmjd.rules.norms import BY_RESULT
from titles.federations.fmjd.rules.parameters import Parameters
from titles.forecasts.field import Entrant
from titles.rules.requirement import Requirement


@dataclass(frozen=True)
class OpenRequirement:
    """What a norm asks of the opponents to come, what is certain already, and what they can give at best."""

    certain: Requirement
    best: Requirement


@dataclass(frozen=True)
class ForecastNorm:
    """A title of Annex 10 for one player.

    `points` in `games` to come; None where no norm is possible any more. `by_average` has the least average rating of
    the opponents not known yet, 0 for any, with the points that it asks. `prevents` are the requirements out of reach,
    `open` those that depend on these opponents; `red_prevents` those that leave a black norm only.
    """

    title: str
    points: int | None
    games: int
    is_red_possible: bool
    by_average: Sequence[tuple[int, int]]
    open: Sequence[OpenRequirement]
    prevents: Sequence[Requirement]
    red_prevents: Sequence[Requirement]


@dataclass(frozen=True)
class ForecastRow:
    """A player of the forecast with the titles examined, the highest first."""

    entrant: Entrant
    points: int
    norms: Sequence[ForecastNorm]

    @property
    def possible(self) -> list[ForecastNorm]:
        return [norm for norm in self.norms if norm.points is not None]

    @property
    def impossible(self) -> list[ForecastNorm]:
        return [norm for norm in self.norms if norm.points is None]


@dataclass(frozen=True)
class TitleRow:
    """A title for the whole field: for how many players it is possible, the least points, and what prevents it.

    `closest` is the player whom the fewest requirements prevent, where it is possible for none.
    """

    title: str
    players: int
    red_players: int
    fewest_points: int
    games: int
    closest: ForecastRow | None
    prevents: Sequence[Requirement]


def forecast_rows(parameters: Parameters, entrants: Sequence[Entrant], found: Forecast) -> list[ForecastRow]:
    """The players in the order of the field. A women's title is examined for women only."""
    possible: dict[tuple[int, int], tuple[int, bool]] = {}
    columns = (found.possible.participation, found.possible.title, found.possible.red, found.possible.points)
    for row, title, red, points in zip(*(column.tolist() for column in columns), strict=True):
        before = possible.get((row, title))
        possible[row, title] = (before[0], True) if before else (points, red)
    examined = {title: found.examination.examined(title) for title in BY_RESULT}
    asked = {title: _asked(found, title, len(entrants)) for title in BY_RESULT}
    return [
        ForecastRow(
            entrant,
            int(found.certain.groups.counts.points[row]),
            [
                _norm(
                    parameters,
                    found,
                    row,
                    title,
                    possible=possible.get((row, title)),
                    asked=asked[title][row],
                )
                for title in BY_RESULT
                if examined[title][row]
            ],
        )
        for row, entrant in enumerate(entrants)
    ]


def _asked(found: Forecast, title: int, rows: int) -> list[list[OpenRequirement]]:
    """What a title asks of each player, as it is certain and at best; of all at once: row by row takes five times."""
    asked: list[list[OpenRequirement]] = [[] for _ in range(rows)]
    conditions = zip(found.certain.conditions[title], found.examination.conditions[title], strict=True)
    for both in conditions:
        columns = (condition.requirements(np.arange(rows)) for condition in both)
        for of_row, certain, best in zip(asked, *columns, strict=True):
            if certain and best:
                of_row.append(OpenRequirement(certain, best))
    return asked


def _norm(
    parameters: Parameters,
    found: Forecast,
    row: int,
    title: int,
    *,
    possible: tuple[int, bool] | None,
    asked: Sequence[OpenRequirement],
) -> ForecastNorm:
    games = int(found.open_games[row])
    return ForecastNorm(
        title=TITLES[title],
        points=possible[0] if possible else None,
        games=int(found.games[row]),
        is_red_possible=bool(possible and possible[1]),
        by_average=[
            (-(-least // games), points)
            for least, points in points_by_ratings(parameters, found, row, title)
            if possible
        ],
        open=[
            each
            for each in asked
            if each.best.met and not each.certain.met and each.best.asks.code not in ("points", "category")
        ],
        prevents=[each.best for each in asked if not each.best.met and each.best.colour != "red"],
        red_prevents=[each.best for each in asked if not each.best.met and each.best.colour == "red"],
    )


def title_rows(rows: Sequence[ForecastRow]) -> list[TitleRow]:
    """Each title for the whole field, the highest first; those examined for no player are not listed."""
    found = []
    for title in (TITLES[number] for number in BY_RESULT):
        norms = [(row, norm) for row in rows for norm in row.norms if norm.title == title]
        if not norms:
            continue
        possible = [norm for _, norm in norms if norm.points is not None]
        closest, nearest = min(norms, key=lambda pair: len(pair[1].prevents))
        found.append(
            TitleRow(
                title,
                len(possible),
                sum(norm.is_red_possible for norm in possible),
                min((norm.points or 0 for norm in possible), default=0),
                nearest.games,
                None if possible else closest,
                () if possible else nearest.prevents,
            )
        )
    return found
