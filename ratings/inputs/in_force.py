"""Which lists, merged player records and corrections the next list of a pool is read with."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date

from django.db.models import Q

from ratings.models import Correction, HeldRow, Pool, RatingList, rows_of_lists
from reporting.models import Entry, PlayerMerge

FAR_FUTURE = date(9999, 12, 31)


def lists_in_force(pool_id: int, before: date = FAR_FUTURE) -> list[RatingList]:
    """The newest published revision of each list of a pool that came into force before a day, oldest first."""
    newest = (
        RatingList.objects.filter(pool_id=pool_id, state=RatingList.State.PUBLISHED, in_force__lt=before)
        .order_by("in_force", "-revision")
        .distinct("in_force")
    )
    return list(newest)


def lists_of_other_pools(pool: Pool, before: date) -> tuple[RatingList, ...]:
    """The newest published revision of each list of the system's other pools that came into force before a day.

    By pool, oldest first. 1 query.
    """
    published = RatingList.objects.filter(
        pool__system=pool.system, state=RatingList.State.PUBLISHED, in_force__lt=before
    ).exclude(pool=pool)
    newest = published.order_by("pool__code", "in_force", "-revision").distinct("pool__code", "in_force")
    return tuple(newest.select_related("pool"))


def lists_by_id(numbers: Sequence[int]) -> tuple[RatingList, ...]:
    """These lists, in the order of the numbers. 1 query."""
    found = RatingList.objects.select_related("pool").in_bulk(list(numbers))
    return tuple(found[number] for number in numbers)


def list_chain(rating_list: RatingList) -> dict[date, RatingList]:
    """The list and the lists before it that it was calculated from: day they came into force → revision. 1 query."""
    return _chain(rating_list, _lists_of_pool(rating_list.pool_id))


def _lists_of_pool(pool_id: int) -> dict[int, RatingList]:
    return {one.pk: one for one in RatingList.objects.filter(pool_id=pool_id)}


def _chain(rating_list: RatingList, every: Mapping[int, RatingList]) -> dict[date, RatingList]:
    line: dict[date, RatingList] = {}
    link: RatingList | None = rating_list
    while link is not None:
        line[link.in_force] = link
        link = every.get(link.previous_id) if link.previous_id else None
    return line


def uncarried_corrections(lists: Sequence[RatingList]) -> tuple[Correction, ...]:
    """The corrections of earlier lists that the last of these neither contains nor has carried. 1 query, 1 more where
    earlier lists have published revisions.
    """
    if not lists:
        return ()
    every = _lists_of_pool(lists[-1].pool_id)
    if not any(
        one.correction_id and one.state == RatingList.State.PUBLISHED and one.in_force < lists[-1].in_force
        for one in every.values()
    ):
        return ()
    line = _chain(lists[-1], every)
    published = (
        Correction.objects.filter(
            replaces__pool_id=lists[-1].pool_id,
            replaces__in_force__lt=lists[-1].in_force,
            lists__state=RatingList.State.PUBLISHED,
        )
        .exclude(carried_into__list__in=[rating_list.pk for rating_list in line.values()])
        .select_related("replaces")
        .order_by("pk")
    )
    return tuple(
        correction
        for correction in published
        if line[correction.replaces.in_force].revision <= correction.replaces.revision
    )


def merges_in_force(
    lists: Sequence[RatingList], tournaments: Sequence[int], carried: Sequence[Correction]
) -> tuple[PlayerMerge, ...]:
    """The merges that the next list is read with, oldest first: of records on a list of the pool or in one of the
    tournaments. 1 query, 2 more where records are merged at all, 1 more where corrections are carried.

    A merge of the previous list stays until it is undone. A merge that a carried correction added stays for this list
    even if it was undone since. Another merge of the record that goes by it, and a merge by which the record that it
    keeps goes itself, waits for the next list.
    """
    held = merges_added_by_corrections(carried)
    merges = tuple(PlayerMerge.objects.filter(Q(undone_at=None) | Q(pk__in=held)).order_by("pk"))
    if not merges or not lists:
        return ()
    duplicates = [merge.duplicate_id for merge in merges]
    met = players_on(lists, duplicates)
    named = Entry.objects.filter(player__in=duplicates)
    counted = Q(result_set__in=tournaments)
    if lists[0].is_by_game:  # a game may wait for a later list
        counted |= Q(result_set__manifest_lines__period__pool=lists[0].pool_id)
    met.update(named.filter(counted).values_list("player", flat=True))
    gone = {merge.duplicate_id for merge in merges if merge.pk in held}
    kept = {merge.surviving_id for merge in merges if merge.pk in held}
    return tuple(
        merge
        for merge in merges
        if merge.pk in held
        or (
            merge.duplicate_id not in gone | kept
            and merge.surviving_id not in gone
            and (merge.duplicate_id in met or merge.pk in lists[-1].merges)
        )
    )


def merges_added_by_corrections(corrections: Sequence[Correction]) -> set[int]:
    """The merges (ids) that the published revisions of these corrections were read with, the lists replaced not.

    Only a list read with them too can tell what those corrections changed for whom. 1 query, or none for none.
    """
    replaced = {correction.pk: correction.replaces for correction in corrections}
    if not replaced:
        return set()
    revisions = RatingList.objects.filter(correction__in=replaced, state=RatingList.State.PUBLISHED)
    return {
        number
        for revision in revisions
        for number in revision.merges
        if revision.correction_id and number not in replaced[revision.correction_id].merges
    }


def merges_by_id(numbers: Iterable[int]) -> tuple[PlayerMerge, ...]:
    """These merges, oldest first, including those undone since. 1 query, or none for none."""
    wanted = list(numbers)
    merges = PlayerMerge.objects.filter(pk__in=wanted).select_related("duplicate", "surviving").order_by("pk")
    return tuple(merges) if wanted else ()


def players_on(lists: Sequence[RatingList], players: Collection[int]) -> set[int]:
    """Which of these players (ids) one of the lists has or holds. It reads the rows: a replaced list has no histories.

    1 query, 1 more in a system that holds players; none for no players.
    """
    if not players:
        return set()
    found = {
        number
        for rows in rows_of_lists(lists)
        for number in rows.filter(player__in=players).values_list("player", flat=True)
    }
    if any(rating_list.declaration.held for rating_list in lists):
        held = HeldRow.objects.filter(list__in=[rating_list.pk for rating_list in lists], player__in=players)
        found.update(held.values_list("player", flat=True))
    return found
