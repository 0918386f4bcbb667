"""What feeds and sitemaps list: publications, and the addresses of lists, players and tournaments.

Sitemaps go by ranges of keys, so that a part costs the same whatever the number of players.
"""

from collections.abc import Sequence

from django.db.models import Exists, Max, OuterRef, Q

from ratings.models import PlayerHistory, RatingList
from ratings.queries.counted_results import published_lines
from ratings.queries.lists import published
from reporting.models import Federation, Player, ResultSet
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
        "tournaments": ResultSet.objects.aggregate(last=Max("pk"))["last"],
    }
    return {kind: -(-(number or 0) // PART_KEYS) for kind, number in last.items()}


def players_of_part(part: int) -> Sequence[Player]:
    """The players of a part, from 1, who have a page: on a published list, not erased. 1 query."""
    listed = PlayerHistory.objects.filter(player=OuterRef("pk"), list__state=RatingList.State.PUBLISHED)
    found = Player.objects.filter(_of_part(part)).exclude(sort_name=normalize_name(ERASED_NAME))
    return list(found.filter(Exists(listed)).only("numbers").order_by("pk"))


def tournaments_of_part(part: int) -> Sequence[str]:
    """The codes of the tournaments of a part that a published list counts in some revision. 1 query."""
    lines = published_lines().filter(result_set=OuterRef("pk"))
    found = ResultSet.objects.filter(_of_part(part)).filter(Exists(lines))
    return list(found.order_by("pk").values_list("tournament__code", flat=True))


def federation_codes() -> Sequence[str]:
    """The federations that have a page. 1 query."""
    return list(Federation.objects.order_by("code").values_list("code", flat=True))


def _of_part(part: int) -> Q:
    return Q(pk__gt=(part - 1) * PART_KEYS, pk__lte=part * PART_KEYS)
