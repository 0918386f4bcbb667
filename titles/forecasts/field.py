"""The field of a tournament as the engine of forecasts is given it: people by rating list and register, details."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy as np

from ratings.federations.days import day_number
from ratings.inputs.calculation_inputs import lists_in_force
from ratings.models import Pool, RatingList
from reporting.models import Player, PlayerTitle
from titles.federations.fmjd.rules.columns import (
    AGES,
    CHAMPIONSHIPS,
    COMPETITIONS,
    NO_TITLE,
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
from titles.federations.fmjd.rules.norms import Input
from titles.federations.fmjd.rules.parameters import Parameters
from titles.federations.registry import title_rules

MAX_ENTRANTS = 200
"""Players of a forecast; a page shows all of them."""


@dataclass(frozen=True)
class Entrant:
    """A player of a field: federation a code, `titles` those held, `rating` 0 for none, `sex` M, W or empty."""

    name: str
    federation: str = ""
    sex: str = ""
    titles: tuple[str, ...] = ()
    rating: int = 0
    player: Player | None = None


@dataclass(frozen=True)
class Basis:
    """The pool whose norms are forecast, its rules of titles today, and the list in force whose ratings count."""

    pool: Pool
    parameters: Parameters
    rating_list: RatingList | None


def find_basis(section: str, today: date) -> Basis | None:
    """The basis of forecasts of a section, None where no pool has rules of titles. 2 queries."""
    for pool in Pool.objects.filter(discipline=section).order_by("code"):
        parameters = title_rules(pool.system, pool.tempo, today)
        if parameters:
            in_force = [each for each in lists_in_force(pool.pk) if each.in_force <= today]
            return Basis(pool, parameters, in_force[-1] if in_force else None)
    return None


def with_register(entrants: Sequence[Entrant], basis: Basis, today: date) -> list[Entrant]:
    """The entrants with rating, titles, sex and federation of list and register, if registered. 2 queries."""
    known = [entrant.player.pk for entrant in entrants if entrant.player]
    ratings: dict[int, int] = {}
    if basis.rating_list:
        ratings = dict(basis.rating_list.rows.filter(player__in=known).values_list("player", "rating"))
    titles: dict[int, list[str]] = {}
    held = PlayerTitle.objects.held_on(today).filter(
        player__in=known, awarded_by=basis.pool.system, section=basis.pool.discipline
    )
    for player, title in held.values_list("player", "title"):
        titles.setdefault(player, []).append(title)
    return [
        entrant
        if entrant.player is None
        else replace(
            entrant,
            federation=entrant.player.federation_id or entrant.federation,
            sex=entrant.player.sex or entrant.sex,
            titles=tuple(titles.get(entrant.player.pk, ())),
            rating=ratings.get(entrant.player.pk, 0),
        )
        for entrant in entrants
    ]


def field_input(
    entrants: Sequence[Entrant],
    details: Mapping[str, Any],
    development: int,
    games: Iterable[tuple[int, int, int, int, int, bool]] = (),
) -> Input:
    """One tournament for the engine; `games` are round, rows of white and black, their points, played.

    What only the end decides is taken as done (in time, Council), and a round a day is assumed.
    """
    codes = {"": 0}
    federation = [codes.setdefault(entrant.federation, len(codes)) for entrant in entrants]
    today = day_number(date(2026, 1, 1))
    rounds = int(details["rounds"])
    row = {
        "tournament": 1,
        "section": int(details["discipline"]),
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
    found = list(games)
    numbers = np.arange(rounds, dtype=np.int64)
    turn, white, black, white_points, black_points = (
        np.array([game[place] for game in found], np.int64) for place in range(5)
    )
    played = np.array([game[5] for game in found], bool)
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
