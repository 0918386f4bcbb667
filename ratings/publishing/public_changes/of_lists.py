"""What a publication changes: the list, the tournaments that it counts or excludes, the merges that it is the first to
read.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from ratings.models import PublicChange, RatingList
from ratings.publishing.public_changes.registry import change_of
from ratings.queries.lists import published
from ratings.queries.revisions import manifest_changes
from reporting.models import LogEntry, PlayerMerge

Event = PublicChange.Event
ACTIONS = ("list.publish",)


def find_changes(entries: Sequence[LogEntry]) -> Iterator[PublicChange]:
    """The list first, then its tournaments in their order (R5), then merges. 4 or 5 queries a list."""
    for entry in entries:
        pool, _, in_force = entry.subject.removeprefix("list ").partition("/")
        rating_list = published().get(pool__code=pool, in_force=in_force, sha256=entry.after["sha256"])
        is_first = rating_list.correction_id is None
        yield change_of(entry, Event.LIST_PUBLISHED if is_first else Event.LIST_CORRECTED, list=rating_list)
        for code, event in _counted(rating_list) if is_first else _counted_otherwise(rating_list):
            yield change_of(entry, event, list=rating_list, tournament_id=code)
        for merge in _merges_first_read(rating_list):
            yield change_of(
                entry,
                Event.PLAYER_MERGED,
                list=rating_list,
                player_id=merge.duplicate_id,
                merged_into_id=merge.surviving_id,
            )


def _counted(rating_list: RatingList) -> Iterator[tuple[str, str]]:
    if rating_list.period_id is None:  # an opening list
        return
    lines = rating_list.manifest.order_by("result_set__played_to", "result_set__number")
    for code in dict.fromkeys(lines.values_list("result_set__tournament__code", flat=True)):
        yield code, Event.TOURNAMENT_CALCULATED


def _counted_otherwise(revision: RatingList) -> Iterator[tuple[str, str]]:
    events = (
        (
            change.line.result_set.tournament_id,
            Event.TOURNAMENT_CALCULATED if change.after else Event.TOURNAMENT_EXCLUDED,
        )
        for change in manifest_changes(revision)
    )
    yield from dict.fromkeys(events)


def _merges_first_read(rating_list: RatingList) -> Iterator[PlayerMerge]:
    """The merges that no list published before is read with, of records that have an address (decision 0132)."""
    before = published().filter(published_at__lt=rating_list.published_at)
    known = set(chain.from_iterable(before.values_list("merges", flat=True)))
    merges = PlayerMerge.objects.filter(pk__in=set(rating_list.merges) - known)
    listed = merges.filter(duplicate__history__list__state=RatingList.State.PUBLISHED)
    yield from listed.distinct().order_by("pk")
