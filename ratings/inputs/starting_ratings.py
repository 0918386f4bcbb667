"""What the players of a list start from: the previous list, carried corrections, merged records and undone merges."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db import connection
from psycopg import sql

from ratings.inputs.calculation_inputs import CalculationInputs, carried_by, inputs_of_list
from ratings.inputs.held_rows import held_rows
from ratings.inputs.in_force import (
    list_chain,
    lists_in_force,
    merges_added_by_corrections,
    merges_by_id,
    merges_in_force,
    uncarried_corrections,
)
from ratings.models import Correction, RatingList
from ratings.rules.values import CorrectionDifference
from reporting.models import PlayerMerge
from reporting.refusals.domain_error import DomainError


def carry_conflicts(revision: RatingList) -> set[int]:
    """Players (ids) whose corrections could not be carried after the publication of a draft revision.

    None where all later lists are revised.
    """
    correction = revision.correction
    assert correction is not None  # noqa: S101 (the database ensures it for every revision)
    lists = [
        revision if one.in_force == revision.in_force else one for one in lists_in_force(revision.pool_id)
    ]
    left = uncarried_corrections(lists)
    if lists[-1].pk != revision.pk:
        if correction.later == Correction.Later.REVISE:
            return set()
        # Two persons on the revision, one on later lists: no sum of points separates them there.
        undone = merges_by_id(set(correction.replaces.merges) - set(revision.merges))
        if undone:
            return {merge.duplicate_id for merge in undone}
        left = (*left, correction)
    merges = merges_in_force(lists, (), left)
    undone = merges_by_id(set(lists[-1].merges) - {merge.pk for merge in merges})
    found = _difference_rows(_pairs(left, revision), lists[-1], merges)
    return _beyond_any_sum(found, left, {merge.duplicate_id for merge in undone})


def carried_differences(inputs: CalculationInputs) -> list[CorrectionDifference]:
    """What each carried correction adds to each player's start. 0 queries, or 1 and 1 a correction.

    Raises DomainError `carry_impossible` where the previous list cannot carry one (`carry_conflicts`).
    """
    if not inputs.carried:
        return []
    found = _difference_rows(_pairs(inputs.carried), inputs.previous, inputs.merges)
    lost = _beyond_any_sum(found, inputs.carried, {merge.duplicate_id for merge in inputs.undone_merges()})
    if lost:
        raise DomainError(
            "carry_impossible.later_list", players=len(lost), in_force=inputs.carried[0].replaces.in_force
        )
    return found


def _beyond_any_sum(
    found: Sequence[CorrectionDifference], corrections: Sequence[Correction], resuming: Collection[int]
) -> set[int]:
    """Players (ids) whose corrections no sum of points can carry.

    A correction added or removed the player, and a later list or correction changes the player too; or the previous
    list does not have a player who was neither added nor removed and whose merge was not undone. Several corrections
    of one list count as one: a player removed by the first and added by the second was neither.
    """
    day = {correction.pk: correction.replaces.in_force for correction in corrections}
    by_list: defaultdict[int, dict[date, list[CorrectionDifference]]] = defaultdict(dict)
    for difference in found:
        by_list[difference.player].setdefault(day[difference.correction], []).append(difference)
    lost = set()
    for player, lists in by_list.items():
        for chain in lists.values():
            is_added = chain[0].added and not chain[-1].removed
            is_removed = chain[-1].removed and not chain[0].added
            is_changed = not (chain[0].added or chain[-1].removed)
            if (
                (is_added and (chain[0].on_previous_list or len(lists) > 1))
                or (is_removed and (chain[0].changed_since or len(lists) > 1))
                or ((is_removed or is_changed) and not chain[0].on_previous_list and player not in resuming)
            ):
                lost.add(player)
    return lost


def _pairs(corrections: Sequence[Correction], draft: RatingList | None = None) -> list[tuple[int, int, int]]:
    """Each correction with the list it replaces and its published revision, or the draft of its own. 1 query."""
    revisions = RatingList.objects.filter(
        correction__in=[correction.pk for correction in corrections], state=RatingList.State.PUBLISHED
    )
    new = {revision.correction_id: revision.pk for revision in revisions}
    if draft is not None:
        new[draft.correction_id] = draft.pk
    return [(correction.pk, correction.replaces_id, new[correction.pk]) for correction in corrections]


def _difference_rows(
    pairs: Sequence[tuple[int, int, int]], previous: RatingList, merges: Sequence[PlayerMerge]
) -> list[CorrectionDifference]:
    """The differences of each player between each pair of lists (correction, replaced list, revision)."""

    duplicates, surviving = [merge.duplicate_id for merge in merges], [merge.surviving_id for merge in merges]

    def rows_of(rating_list: int) -> sql.Composed:
        return sql.SQL(MERGED_ROWS).format(
            rows=sql.Identifier(previous.rating_system.row_model._meta.db_table),
            list=sql.Literal(rating_list),
            duplicates=sql.Literal(duplicates),
            surviving=sql.Literal(surviving),
        )

    found = []
    with connection.cursor() as cursor:
        for correction, replaced, revision in pairs:
            old, new, listed = rows_of(replaced), rows_of(revision), rows_of(previous.pk)
            cursor.execute(sql.SQL(DIFFERENCES).format(old=old, new=new, listed=listed))
            found += [CorrectionDifference(correction, *row) for row in cursor.fetchall()]
    return found


@dataclass(frozen=True)
class TakenRating:
    """With which rating and games a duplicate went into a merge, and what that did to the surviving record.

    A held row counts only where neither record is on the list, the surviving record's own first: one that did not
    `count` gave it nothing. `replaced` are rating and games of its own held row, which gave way to a row on the list.
    """

    rating: int
    games: int
    is_held: bool = False
    counted: bool = True
    replaced: tuple[int, int] = (0, 0)


@dataclass(frozen=True, kw_only=True)
class LastRating(TakenRating):
    """The same with the list that shows or holds the record last, and the one before the merge."""

    list: RatingList
    before_merge: RatingList


def last_ratings(undone: Sequence[PlayerMerge], previous: RatingList) -> dict[int, LastRating]:
    """The start of each duplicate (id) of an undone merge after `previous`: what the first list with the merge took
    from it, and the corrections of it that were carried by that list and since.

    A revision read with one of these merges, where the list it replaces was not, counts everything for the surviving
    record: what the replaced list gave the duplicate is subtracted, and stays with the surviving record. 1 query, those
    of `starting_ratings` for the first list with each merge, 2 more for each of those corrections and 2 for all of
    them; none for no merge.
    """
    if not undone:
        return {}
    line = sorted(list_chain(previous).values(), key=lambda rating_list: rating_list.in_force, reverse=True)
    found: dict[int, LastRating] = {}
    merged_on: dict[int, date] = {}
    for merge in undone:
        without = next(place for place, one in enumerate(line) if merge.pk not in one.merges)
        before_merge, first = line[without], line[without - 1]
        merged_on[merge.duplicate_id] = first.in_force
        begun = starting_ratings(inputs_of_list(first))
        if merge.duplicate_id in begun.taken:
            shown = begun.standing.get(merge.duplicate_id)
            found[merge.duplicate_id] = LastRating(
                **vars(begun.taken[merge.duplicate_id]),
                list=shown.list if shown else before_merge,
                before_merge=before_merge,
            )
    since = min(merged_on.values())
    for into in (one for one in reversed(line) if one.in_force >= since):
        for correction in carried_by(into.pk):
            added = merges_by_id(merges_added_by_corrections([correction]))
            moved: list[tuple[int, int | None, int]] = [
                (difference.player, difference.rating, difference.games)
                for difference in _difference_rows(_pairs([correction]), previous, added)
            ]
            moved += _losses_of_duplicates(correction.replaces, [merge.duplicate_id for merge in added])
            for record, rating, games in moved:
                before = found.get(record)
                if record not in merged_on or into.in_force < merged_on[record]:
                    continue
                if before is None:
                    revision = correction.lists.get(state=RatingList.State.PUBLISHED)
                    before = LastRating(0, 0, list=revision, before_merge=revision)
                left = before.games + games
                # Without its first result no sum says what the later games of a record alone had made.
                rating_left = before.rating if left > 0 else 0
                found[record] = replace(
                    before, rating=rating_left if rating is None else before.rating + rating, games=left
                )
    return {record: stood for record, stood in found.items() if stood.rating > 0}


def _losses_of_duplicates(replaced: RatingList, records: Sequence[int]) -> list[tuple[int, int | None, int]]:
    """What the events of a list gave to records, with the sign of taking it back: (record, rating, games).

    No rating where the record had none before. 2 queries.
    """
    changes = replaced.changes.filter(player__in=records, sequence=0)
    before = dict(changes.values_list("player", replaced.declaration.before))
    rows = replaced.rows.filter(player__in=before)
    return [
        (record, None if (start := before[record]) is None else start // 10_000 - rating, -games)
        for record, rating, games in rows.values_list("player", "rating", "period_games")
    ]


def _opened_with(inputs: CalculationInputs, player: int) -> bool:
    """Whether the opening list shows a player: only there a rating needs no counted game. 1 query."""
    return inputs.lists[0].rows.filter(player=player).exists()


@dataclass(frozen=True)
class StartingRatings:
    """What the players of a list start from, where that is not their own row on the list before (R24, decision 0014).

    `start` has rating and games of those whose records are merged, or are two again, and of those whom that list holds:
    `ends` that it lacks start without either. `resumed` has them of records that are two again, before merges are read;
    0 and 0 for none. `rating_of` says whose rating on that list each surviving record starts from, `taken` with which
    rating and games each duplicate went. `differences` are put to these, and to the rows of all others.
    """

    ends: frozenset[int]
    start: dict[int, tuple[int, int]]
    resumed: dict[int, tuple[int, int]]
    rating_of: dict[int, int]
    taken: dict[int, TakenRating]
    standing: dict[int, LastRating]
    differences: list[CorrectionDifference]


def starting_ratings(inputs: CalculationInputs) -> StartingRatings:
    """The start of each player: the previous list with corrections, held rows, merges and undone merges.

    After an undone merge the duplicate starts from its last rating and games, held or not; the surviving record keeps
    its rating and loses these games if it had them, and with its last game the rating too, unless the opening list
    rates it; its own held row comes back if a row of the duplicate had replaced it (decision 0211). Games that lists
    counted for it during the merge stay with it. Queries of `carried_differences` and `last_ratings`, 1 more where
    there are merges, 1 more in a system that holds players. Raises DomainError `carry_impossible`.
    """
    differences = carried_differences(inputs)
    undone = inputs.undone_merges()
    ends = frozenset(
        number for merge in (*undone, *inputs.merges) for number in (merge.duplicate_id, merge.surviving_id)
    )
    standing = last_ratings(undone, inputs.previous)
    start: dict[int, tuple[int, int]] = {}
    if ends:
        rows = inputs.previous.rows.filter(player__in=ends)
        start = {
            number: (rating, games) for number, rating, games in rows.values_list("player", "rating", "games")
        }
    held = {row["player_id"]: (row["rating"], row["games"]) for row in held_rows(inputs.previous)}
    gone = set()
    for merge in reversed(undone):  # as they are undone: the last one first
        if stood := standing.get(merge.duplicate_id):
            (held if stood.is_held else start)[merge.duplicate_id] = stood.rating, stood.games
            of_survivor = start if merge.surviving_id in start else held
            rating, games = of_survivor.pop(merge.surviving_id, (0, 0))
            left = games - stood.games * stood.counted
            moved = sum(one.games for one in differences if one.player == merge.surviving_id)
            if left + moved > 0:
                of_survivor[merge.surviving_id] = rating, left + stood.replaced[1]
            elif stood.replaced[0]:
                held[merge.surviving_id] = stood.replaced
            elif _opened_with(inputs, merge.surviving_id):
                of_survivor[merge.surviving_id] = rating, left
            elif rating:
                gone.add(merge.surviving_id)
    resumed = {
        number: start.get(number) or held.get(number, (0, 0))
        for merge in undone
        for number in (merge.duplicate_id, merge.surviving_id)
    }
    rating_of = {number: number for number in start}
    taken = {}
    for merge in inputs.merges:
        duplicate, surviving = merge.duplicate_id, merge.surviving_id
        if duplicate in start:
            rating, games = start.pop(duplicate)
            taken[duplicate] = TakenRating(rating, games, replaced=held.pop(surviving, (0, 0)))
            rating_of.setdefault(surviving, duplicate)
            own, more = start.get(surviving, (0, 0))
            start[surviving] = own or rating, games + more
        elif duplicate in held:
            rating, games = held.pop(duplicate)
            counted = surviving not in start and surviving not in held
            taken[duplicate] = TakenRating(rating, games, is_held=True, counted=counted)
            if counted:
                held[surviving] = rating, games
    return StartingRatings(
        ends,
        held | start,
        resumed,
        rating_of,
        taken,
        standing,
        [difference for difference in differences if difference.player not in gone - start.keys()],
    )


# A list read with merges: the rating of the surviving record, else of the first merged one; the games of all.
MERGED_ROWS = """(
    SELECT coalesce(merged.surviving, row.player_id) AS player_id,
        (array_agg(row.rating ORDER BY merged.turn NULLS FIRST))[1] AS rating,
        sum(row.games)::int AS games
    FROM {rows} row
    LEFT JOIN unnest({duplicates}::bigint[], {surviving}::bigint[]) WITH ORDINALITY
        AS merged (duplicate, surviving, turn)
        ON merged.duplicate = row.player_id
    WHERE row.list_id = {list} GROUP BY 1
)"""


DIFFERENCES = """
SELECT player_id, coalesce(new.rating, 0) - coalesce(old.rating, 0), coalesce(new.games, 0) - coalesce(old.games, 0),
    old.rating IS NULL, new.rating IS NULL, listed.rating IS NOT NULL,
    listed.rating IS NOT NULL AND (listed.rating, listed.games) IS DISTINCT FROM (old.rating, old.games)
FROM {old} old
FULL JOIN {new} new USING (player_id)
LEFT JOIN {listed} listed USING (player_id)
WHERE (old.rating, old.games) IS DISTINCT FROM (new.rating, new.games)
ORDER BY player_id
"""
