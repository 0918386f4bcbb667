"""The feed of changes, for the API and the Atom feed."""

from django.db.models import Max, QuerySet

from ratings.models import PublicChange


def newest_number() -> int:
    """The number of the newest change; 0 where there is none. 1 query."""
    return PublicChange.objects.aggregate(newest=Max("number"))["newest"] or 0


def changes() -> QuerySet[PublicChange]:
    """The changes with what they are about, in no order. 1 query."""
    return PublicChange.objects.select_related("list__pool", "player", "merged_into", "tournament")
