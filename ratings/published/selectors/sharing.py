"""What feeds and sitemaps list: publications, and the addresses of lists, players and tournaments.

Sitemaps go by ranges of keys, so that a part costs the same whatever the number of players.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Max, Q, QuerySet

from ratings.models import RatingList
from ratings.queries.counted_results import published_lines
from ratings.queries.lists import published
from reporting.models import Federation, Player, Tournament
from reporting.models.register import ERASED_NAME
from reporting.rules.names.normalize_name import normalize_name

FEED_ENTRIES = 50
PART_KEYS = 10_000
"""The keys of a part of a sitemap; the format allows 50,000 addresses."""


def newest_publications(*, corrections: bool) -> Sequence[RatingList]:
    """The lists published last: first revisions, or only corrections of them. 1 query."""
    found = published().filter(correction__isnull=not corrections)
    return list(
        found.select_related("correction__follows__replaces").order_by("-published_at", "-pk")[:FEED_ENTRIES]
    )


def sitemap_parts() -> dict[str, int]:
    """How many parts the sitemap of players and that of tournaments have. 2 queries."""
    last = {
        "players": Player.objects.aggregate(last=Max("pk"))["last"],
        "tournaments": Tournament.objects.aggregate(last=Max("pk"))["last"],
    }
    return {kind: -(-(number or 0) // PART_KEYS) for kind, number in last.items()}


def players_of_part(part: int) -> Sequence[tuple[Player, datetime]]:
    """The players of a part, from 1, who have a page: on a published list, not erased. 1 query.

    Each with the publication of the last list.
    """
    found: QuerySet[Any] = Player.objects.filter(_of_part(part)).exclude(
        sort_name=normalize_name(ERASED_NAME)
    )
    listed = found.annotate(published_at=Max("history__list__published_at")).filter(
        published_at__isnull=False
    )
    return [(one, one.published_at) for one in listed.only("numbers").order_by("pk")]


def tournaments_of_part(part: int) -> Sequence[tuple[str, datetime]]:
    """The codes of the tournaments of a part that a published list counts in some revision. 1 query.

    Each with the publication of the last list that counts it.
    """
    lines = published_lines().filter(_of_part(part, "result_set__tournament__pk"))
    found = lines.order_by("result_set__tournament__pk").values_list("result_set__tournament__code")
    return list(found.annotate(last=Max("published_at")))


def federation_codes() -> Sequence[str]:
    """The federations that have a page. 1 query."""
    return list(Federation.objects.order_by("code").values_list("code", flat=True))


def _of_part(part: int, key: str = "pk") -> Q:
    return Q((f"{key}__gt", (part - 1) * PART_KEYS), (f"{key}__lte", part * PART_KEYS))
