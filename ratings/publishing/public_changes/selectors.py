"""The feed of changes, for the API, the Atom feed and webhooks."""

from typing import Any

from django.db.models import Max, QuerySet
from django.urls import reverse

from ratings.models import PublicChange
from ratings.queries.addresses import list_key


def newest_number() -> int:
    """The number of the newest change; 0 where there is none. 1 query."""
    return PublicChange.objects.aggregate(newest=Max("number"))["newest"] or 0


def changes() -> QuerySet[PublicChange]:
    """The changes with what they are about, in no order. 1 query."""
    return PublicChange.objects.select_related("list__pool", "player", "merged_into", "tournament")


def change_values(change: PublicChange) -> dict[str, Any]:
    """A change as the API and webhooks tell it. No query, if the change was read with what it is about."""
    return {
        "number": change.number,
        "at": change.at,
        "event": change.event,
        "list": list_key(change.list),
        "player": change.player and change.player.address,
        "merged_into": change.merged_into and change.merged_into.address,
        "tournament": change.tournament_id,
        "title": change.title or None,
        "discipline": change.discipline or None,
        "changed": change.changed,
        "page": change.page or None,
        "url": _address_of(change),
    }


def _address_of(change: PublicChange) -> str:
    """Where to read what a change is about."""
    if change.player is not None:
        return reverse("api-player", args=[change.player.address])
    if change.tournament_id is not None:
        return reverse("api-tournament", args=[change.tournament_id])
    if change.page:
        return reverse("api-index") + change.page.removeprefix("/")
    key = list_key(change.list)
    assert key is not None  # noqa: S101 (a constraint: a change has one of the four)
    return str(key["url"])
