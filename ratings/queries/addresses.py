"""Which periods, lists and players have a page of their own, and how answers name a list."""

from collections.abc import Collection, Iterable
from datetime import date
from typing import Any

from django.db.models import Q
from django.urls import reverse

from ratings.models import Period, PlayerHistory, RatingList
from reporting.models.register import ERASED_NAME
from reporting.rules.names.normalize_name import normalize_name

PoolDay = tuple[str, date]


def periods_of_the_office(days: Iterable[PoolDay]) -> set[PoolDay]:
    """The pools and days in force, of those given, that have a period. 1 query."""
    return set(Period.objects.filter(_any_of(days)).values_list("pool__code", "in_force"))


def published_days(days: Iterable[PoolDay]) -> set[PoolDay]:
    """The pools and days in force, of those given, that have a published list. 1 query."""
    lists = RatingList.objects.filter(_any_of(days), state=RatingList.State.PUBLISHED)
    return set(lists.values_list("pool__code", "in_force"))


def published_players(players: Collection[int]) -> set[int]:
    """Those of these keys of players who are on a published list and were not erased. 1 query."""
    published = PlayerHistory.objects.filter(list__state=RatingList.State.PUBLISHED)
    own = published.filter(player__in=players).exclude(player__sort_name=normalize_name(ERASED_NAME))
    return set(own.values_list("player_id", flat=True))


def list_key(rating_list: RatingList | None) -> dict[str, Any] | None:
    """A list in an answer about something else."""
    if rating_list is None:
        return None
    key = (rating_list.pool.code, rating_list.in_force, rating_list.revision)
    return {
        "pool": key[0],
        "in_force": key[1],
        "revision": key[2],
        "url": reverse("api-list-revision", args=key),
    }


def _any_of(days: Iterable[PoolDay]) -> Q:
    found = Q(pk=0)
    for pool, in_force in days:
        found |= Q(pool__code=pool, in_force=in_force)
    return found
