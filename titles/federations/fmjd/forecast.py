"""A forecast by Annex 10: the field as columns of the engine, and its answer as a row a player."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np

from ratings.rules.days import day_number
from titles.federations.facet import Entrant, ForecastRow
from titles.federations.fmjd.rules.columns import (
    AGES,
    BLACK,
    CHAMPIONSHIPS,
    COMPETITIONS,
    NO_TITLE,
    RED,
    REFEREES,
    SEXES,
    SYSTEMS,
    TITLES,
    GameColumns,
    ParticipationColumns,
    RoundColumns,
    TournamentColumns,
    is_women_title,
    title_level,
)
from titles.federations.fmjd.rules.forecast import Forecast, forecast, points_by_ratings
from titles.federations.fmjd.rules.norms import BY_RESULT, Input
from titles.federations.fmjd.rules.parameters import Parameters
from titles.rules.forecast import ForecastGame, ForecastNorm, OpenRequirement


def forecast_rows(  # noqa: PLR0917
    parameters: Parameters,
    entrants: Sequence[Entrant],
    details: Mapping[str, Any],
    development: int,
    played: Sequence[ForecastGame],
    to_come: Sequence[ForecastGame],
    open_games: int,
) -> list[ForecastRow]:
    """The players in the order of the field. A women's title is examined for women only."""
    given = _field_input(entrants, details, development, [*played, *to_come])
    scheduled = np.arange(len(given.games)) >= len(played)
    found = forecast(parameters, given, scheduled, np.full(len(entrants), open_games))
    possible: dict[tuple[int, int], tuple[int, bool]] = {}
    columns = (found.possible.participation, found.possible.title, found.possible.red, found.possible.points)
    for row, title, red, points in zip(*(column.tolist() for column in columns), strict=True):
        before = possible.get((row, title))
        possible[row, title] = (before[0], True) if before else (points, red)
    examined = {title: found.examination.examined(title) for title in BY_RESULT}
    requirements = {title: _requirements(found, title, len(entrants)) for title in BY_RESULT}
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
                    requirements=requirements[title][row],
                )
                for title in BY_RESULT
                if examined[title][row]
            ],
        )
        for row, entrant in enumerate(entrants)
    ]


def _field_input(
    entrants: Sequence[Entrant],
    details: Mapping[str, Any],
    development: int,
    games: Sequence[ForecastGame],
) -> Input:
    """One tournament for the engine. What only the end decides is taken as done (in time, Council), and a round a day
    is assumed.
    """
    codes = {"": 0}
    federation = [codes.setdefault(entrant.federation, len(codes)) for entrant in entrants]
    today = day_number(date(2026, 1, 1))
    rounds = int(details["rounds"])
    row = {
        "tournament": 1,
        "discipline": int(details["discipline"]),
        "federation": codes.setdefault(details["country"], len(codes)),
        "first_day": today,
        "last_day": today + rounds - 1,
        "rounds": rounds,
        "development": development,
        "system": SYSTEMS.index(details["system"]),
        "competition": COMPETITIONS.index(details["competition"]),
        "championship": CHAMPIONSHIPS.index(details["national_championship"] or "no"),
        "age": AGES.index(details["youth"]),
        "referee": REFEREES.index(details["referee_level"]),
        "official": details["official"],
        "women_only": details["women_only"],
        "veterans": False,
        "announced": True,
        "in_time": True,
        "council_approved": True,
    }
    numbers = np.arange(rounds, dtype=np.int64)
    turn, white, black, white_points, black_points = (
        np.array([game[place] for game in games], np.int64) for place in range(5)
    )
    played = np.array([game[5] for game in games], bool)
    return Input(
        TournamentColumns(*(np.array([row[name]]) for name in TournamentColumns.__dataclass_fields__)),
        RoundColumns(np.zeros(rounds, np.int64), numbers + 1, numbers + today),
        ParticipationColumns(
            tournament=np.zeros(len(entrants), np.int64),
            player=np.arange(len(entrants)),
            federation=np.array(federation, np.int64),
            sex=np.array([SEXES.index(entrant.sex) for entrant in entrants], np.int64),
            title=_levels(entrants, women=False),
            women_title=_levels(entrants, women=True),
            rating=np.array([entrant.rating for entrant in entrants], np.int64),
            place=np.zeros(len(entrants), np.int64),
            over_age=np.zeros(len(entrants), bool),
        ),
        GameColumns(turn, white, black, white_points, black_points, played),
    )


def _levels(entrants: Sequence[Entrant], *, women: bool) -> Any:
    """The highest level of the titles of one kind; 0 for none."""
    held = ([TITLES.index(title) for title in entrant.titles] for entrant in entrants)
    return np.array(
        [
            max((title_level(title) for title in titles if is_women_title(title) == women), default=NO_TITLE)
            for titles in held
        ],
        np.int64,
    )


def _requirements(found: Forecast, title: int, rows: int) -> list[list[OpenRequirement]]:
    """What a title asks of each player, as it is certain and at best; of all at once: row by row takes five times."""
    requirements: list[list[OpenRequirement]] = [[] for _ in range(rows)]
    conditions = zip(found.certain.conditions[title], found.examination.conditions[title], strict=True)
    for both in conditions:
        columns = (condition.requirements(np.arange(rows)) for condition in both)
        for of_row, certain, best in zip(requirements, *columns, strict=True):
            if certain and best:
                of_row.append(OpenRequirement(certain, best))
    return requirements


def _norm(
    parameters: Parameters,
    found: Forecast,
    row: int,
    title: int,
    *,
    possible: tuple[int, bool] | None,
    requirements: Sequence[OpenRequirement],
) -> ForecastNorm:
    games = int(found.open_games[row])
    unmet = [requirement.best for requirement in requirements if not requirement.best.met]
    red = [requirement for requirement in unmet if requirement.colour == RED]
    return ForecastNorm(
        title=TITLES[title],
        points=possible[0] if possible else None,
        games=int(found.games[row]),
        colour="" if possible is None else RED if possible[1] else BLACK,
        by_average=[
            (-(-least // games), points)
            for least, points in points_by_ratings(parameters, found, row, title)
            if possible
        ],
        open=[
            requirement
            for requirement in requirements
            if requirement.best.met
            and not requirement.certain.met
            and requirement.best.asks.code not in ("points", "category")
        ],
        prevents=[requirement for requirement in unmet if requirement.colour != RED],
        colour_prevents={RED: red} if red else {},
    )
