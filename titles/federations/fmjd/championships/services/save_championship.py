"""A championship is created, and its days, title match and previous championship are changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import Q

from reporting.log.audit import Actor, record
from reporting.models import Player, Sex
from reporting.refusals.domain_error import DomainError
from reporting.rules.sentences import joined
from titles.federations.fmjd.championships.title_match import match_before
from titles.federations.fmjd.models import Championship
from titles.federations.fmjd.rules.world_cup.parameters import edition_in_force
from titles.federations.fmjd.world_cup.inputs import accepted_results, players_by_id, previous_championship
from titles.policies import check_can_manage_championships


@dataclass(frozen=True, kw_only=True)
class ChampionshipValues:
    """What the office says of a championship; players by FMJD-ID, `previous` is the code of a tournament."""

    place: str = ""
    organiser: str = ""
    first_day: date
    council_day: date
    champion: int | None = None
    opponent: int | None = None
    match_played: bool = False
    refused: Sequence[int] = ()
    previous: str = ""
    extra_places: int = 0


@transaction.atomic
def create_championship(*, kind: Championship.Kind, values: ChampionshipValues, by: Actor) -> Championship:
    """Create a championship of the year of its first day, with the address `world-2027` or `women-2027`.

    Title match and previous championship are those of champions and medals where `values` have none (decision 0245).
    Raises DomainError `championship_exists`, those of `change_championship`, `forbidden`.
    """
    check_can_manage_championships(by.user)
    year = values.first_day.year
    if not (values.champion or values.opponent or values.refused or values.previous):
        before = match_before(year, women=kind == Championship.Kind.WOMEN_20)
        values = replace(values, **asdict(before)) if before else values
    code = f"{'women' if kind == Championship.Kind.WOMEN_20 else 'world'}-{year}"
    championship, is_new = Championship.objects.get_or_create(
        code=code,
        defaults={
            "kind": kind,
            "year": year,
            "created_by": by.user,
            **_columns(values, kind),
        },
    )
    if not is_new:
        raise DomainError("championship_exists", championship=code)
    record(
        by=by,
        action="championship.create",
        subject=f"championship {code}",
        after={"kind": kind.value, **_logged(values)},
    )
    return championship


@transaction.atomic
def change_championship(
    *, championship: Championship, values: ChampionshipValues, by: Actor, seen: int | None = None
) -> Championship:
    """Change what the office says of a championship; the same values again change nothing.

    `seen` is the version that the person saw (R24a).

    Raises DomainError `championship_year`, `championship_council_day`, `championship_match`,
    `championship_extra_places`, `name_unknown`, `name_other_sex`, `previous_unknown`, `previous_other_kind`,
    `preview_changed`, `forbidden`.
    """
    check_can_manage_championships(by.user)
    championship = lock_championship(championship, seen)
    if values.first_day.year != championship.year:
        raise DomainError("championship_year", year=str(championship.year))
    before = _logged(values_of(championship))
    columns = _columns(values, Championship.Kind(championship.kind))
    after = _logged(values)
    changed = [name for name in after if after[name] != before[name]]
    if not changed:
        return championship
    for name, value in columns.items():
        setattr(championship, name, value)
    championship.version += 1
    championship.save(update_fields=[*columns, "version"])
    record(
        by=by,
        action="championship.change",
        subject=f"championship {championship.code}",
        before={name: before[name] for name in changed},
        after={name: after[name] for name in changed},
    )
    return championship


def lock_championship(championship: Championship, seen: int | None) -> Championship:
    """The championship, locked until the end of the transaction. Raises DomainError `preview_changed`. 1 query."""
    locked = Championship.objects.select_for_update().get(pk=championship.pk)
    if seen is not None and seen != locked.version:
        raise DomainError("preview_changed")
    return locked


def _columns(values: ChampionshipValues, kind: Championship.Kind) -> dict[str, Any]:
    """The columns of a championship, once the values fit each other and the register."""
    women = kind == Championship.Kind.WOMEN_20
    try:
        edition_in_force(values.first_day).extra_items(kind, values.extra_places)
    except KeyError:
        raise DomainError("championship_extra_places") from None
    if values.council_day > values.first_day:
        raise DomainError("championship_council_day")
    if values.opponent is None and values.match_played:
        raise DomainError("championship_match")
    if values.opponent is not None and values.opponent == values.champion:
        raise DomainError("championship_match.same")
    numbers = [number for number in (values.champion, values.opponent, *values.refused) if number is not None]
    players = players_by_id(numbers)
    if unknown := [number for number in numbers if number not in players]:
        raise DomainError("name_unknown", players=joined(unknown))
    if women and (others := [number for number in numbers if players[number].sex != Sex.WOMAN]):
        raise DomainError("name_other_sex", players=joined(others))
    if values.previous and not accepted_results(Q(tournament=values.previous)):
        raise DomainError("previous_unknown", tournament=values.previous)
    if values.previous and not previous_championship(values.previous, women=women):
        raise DomainError("previous_other_kind", tournament=values.previous)
    return {
        "place": values.place,
        "organiser": values.organiser,
        "first_day": values.first_day,
        "council_day": values.council_day,
        "champion": players.get(values.champion or 0),
        "opponent": players.get(values.opponent or 0),
        "match_played": values.match_played,
        "refused": list(values.refused),
        "previous_id": values.previous or None,
        "extra_places": values.extra_places,
    }


def values_of(championship: Championship) -> ChampionshipValues:
    """What the office says of a championship now."""
    return ChampionshipValues(
        place=championship.place,
        organiser=championship.organiser,
        first_day=championship.first_day,
        council_day=championship.council_day,
        champion=_number(championship.champion),
        opponent=_number(championship.opponent),
        match_played=championship.match_played,
        refused=championship.refused,
        previous=str(championship.previous_id or ""),
        extra_places=championship.extra_places,
    )


def _number(player: Player | None) -> int | None:
    return int(player.numbers["fmjd"]) if player else None


def _logged(values: ChampionshipValues) -> dict[str, Any]:
    return {
        name: value.isoformat() if isinstance(value, date) else list(value) if name == "refused" else value
        for name, value in asdict(values).items()
    }
