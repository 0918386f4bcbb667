"""The basis of a forecast: pool, edition and rating list, and the entrants by list and register."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from ratings.federations.registry import edition_in_force
from ratings.inputs.in_force import lists_in_force
from ratings.models import Pool, RatingList
from reporting.models import PlayerTitle
from reporting.rules.details.time_control import parse_time_control
from titles.federations.facet import Entrant, ForecastRow, TitleEdition
from titles.federations.registry import edition_for_pool
from titles.forecasts.read_games import games_to_come
from titles.rules.forecast import ForecastGame

MAX_ENTRANTS = 200
"""Players of a forecast; a page shows all of them."""


@dataclass(frozen=True)
class Basis:
    """The pool whose norms are forecast, its rules of titles today, and the list in force whose ratings count."""

    pool: Pool
    edition: TitleEdition
    rating_list: RatingList | None


def find_basis(discipline: str, today: date) -> Basis | None:
    """The basis of forecasts of a discipline, None where no pool has rules of titles. 2 queries."""
    for pool in Pool.objects.filter(discipline=discipline).order_by("code"):
        edition = edition_for_pool(pool.system, pool.tempo, today)
        if edition:
            in_force = [each for each in lists_in_force(pool.pk) if each.in_force <= today]
            return Basis(pool, edition, in_force[-1] if in_force else None)
    return None


def forecast_field(  # noqa: PLR0917
    basis: Basis,
    entrants: Sequence[Entrant],
    details: Mapping[str, Any],
    games: list[ForecastGame],
    rounds_played: int,
    day: date,
) -> list[ForecastRow]:
    """What each entrant still needs for norms, by list and register of a day; `details` of a valid form. 2 queries."""
    seconds = parse_time_control(details["time_control"]).seconds_for_60_moves
    development = edition_in_force(basis.pool.rating_system, day).weight_percentage(seconds)
    round_robin = details["system"] == "round-robin"
    return basis.edition.forecast(
        with_register(entrants, basis, day),
        details,
        development,
        games,
        games_to_come(len(entrants), games, details["rounds"]) if round_robin else [],
        0 if round_robin else details["rounds"] - rounds_played,
    )


def with_register(entrants: Sequence[Entrant], basis: Basis, today: date) -> list[Entrant]:
    """The entrants with rating, titles, sex and federation of list and register, if registered. 2 queries."""
    known = [entrant.player.pk for entrant in entrants if entrant.player]
    ratings: dict[int, int] = {}
    if basis.rating_list:
        ratings = dict(basis.rating_list.rows.filter(player__in=known).values_list("player", "rating"))
    titles: dict[int, list[str]] = {}
    held = PlayerTitle.objects.held_on(today).filter(
        player__in=known, awarded_by=basis.pool.system, discipline=basis.pool.discipline
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
