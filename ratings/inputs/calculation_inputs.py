"""The inputs of a calculation by name: the manifest, earlier lists, carried corrections and merged player records."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from django.db import connection
from django.db.models import Q, QuerySet
from psycopg import sql

from ratings.inputs.read_columns import numbers
from ratings.inputs.result_columns import ResultColumns
from ratings.models import Correction, Period, PeriodReport, RatingList, rows_of_lists
from ratings.rules.values import CorrectionDifference
from reporting.models import Entry, Player, PlayerMerge
from reporting.refusals.domain_error import DomainError
from reporting.reports.decisions.selectors import decisions_in_force
from reporting.rules.details.decided_items import OVER_AGE, decided_of, known_items

FAR_FUTURE = date(9999, 12, 31)


def lists_in_force(pool_id: int, before: date = FAR_FUTURE) -> list[RatingList]:
    """The newest published revision of each list of a pool that came into force before a day, oldest first."""
    newest = (
        RatingList.objects.filter(pool_id=pool_id, state=RatingList.State.PUBLISHED, in_force__lt=before)
        .order_by("in_force", "-revision")
        .distinct("in_force")
    )
    return list(newest)


@dataclass(frozen=True)
class CalculationInputs:
    """What a list is calculated from, by name: reports, lists, corrections and merges.

    `lists` are those that ratings and counts are read from, oldest first; the ratings start from the last one, the
    previous list. `carried` are the corrections whose difference is added to that start. Lists and entries are
    read with `merges`: what belongs to a duplicate counts for the surviving record (R24). `decisions` (ids) say what
    counts of the tournaments for norms and titles (R78); None for a list of before decisions were recorded.
    """

    period: Period
    tournaments: tuple[int, ...]
    lists: tuple[RatingList, ...]
    carried: tuple[Correction, ...]
    merges: tuple[PlayerMerge, ...]
    decisions: tuple[int, ...] | None

    @property
    def previous(self) -> RatingList:
        return self.lists[-1]

    @cached_property
    def results(self) -> ResultColumns:
        """What is stored of the rounds of the tournaments, read once for ratings and norms."""
        return ResultColumns(self.tournaments)

    def undone_merges(self) -> tuple[PlayerMerge, ...]:
        """The merges that the previous list was read with and this one is not. 0 or 1 query."""
        return merges_by_id(set(self.previous.merges) - {merge.pk for merge in self.merges})


def inputs_of_period(period: Period, correction: Correction | None) -> CalculationInputs:
    """What the list of a frozen period, or the revision that a correction asks for, is calculated from now.

    A list uses the newest revisions of earlier lists, and carries every correction of them that its predecessors do
    not contain. A revision whose difference is carried into the next list uses the same lists as the one it replaces,
    so that it differs by the correction alone; one after which all later lists are revised uses the newest.
    A list is read with the merges in force, a revision with those of the list it replaces (see `_merges_of_revision`).
    5 to 13 queries. Raises ValueError when the pool has no list yet.
    """
    tournaments = _result_sets(period.manifest.filter(correction=correction))
    if correction is None:
        return inputs_if_frozen(period, tournaments)
    newest = tuple(lists_in_force(period.pool_id, period.in_force))
    replaced = correction.replaces
    carried = tuple(_carried_by(replaced.pk))
    if correction.later == Correction.Later.CARRY:
        lists = lists_by_id(replaced.input_lists)
        return CalculationInputs(
            period,
            tournaments,
            lists,
            carried,
            _merges_of_revision(replaced, lists, tournaments),
            _decisions_in_force(tournaments),
        )
    missing = {correction.pk for correction in uncarried_corrections(newest)}
    return CalculationInputs(
        period,
        tournaments,
        newest,
        tuple(correction for correction in carried if correction.pk in missing),
        _merges_of_revision(replaced, newest, tournaments),
        _decisions_in_force(tournaments),
    )


def inputs_if_frozen(period: Period, tournaments: Sequence[int]) -> CalculationInputs:
    """What the first list of a period is calculated from if its manifest is these tournaments, ordered by number.

    For a frozen period, and for one still open: what its list would be if it were frozen now. 4 queries, 2 more where
    records are merged, 1 more where corrections are carried.
    """
    newest = tuple(lists_in_force(period.pool_id, period.in_force))
    carried = uncarried_corrections(newest)
    merges = merges_in_force(newest, tournaments, carried)
    return CalculationInputs(
        period, tuple(tournaments), newest, carried, merges, _decisions_in_force(tournaments)
    )


def inputs_of_list(rating_list: RatingList) -> CalculationInputs:
    """What a calculated list was made from, as it was then. 3 queries, 1 more where it was read with merges."""
    assert rating_list.period is not None  # noqa: S101 (the database ensures it for every list but an opening one)
    return CalculationInputs(
        rating_list.period,
        _result_sets(rating_list.manifest),
        lists_by_id(rating_list.input_lists),
        tuple(_carried_by(rating_list.pk)),
        merges_by_id(rating_list.merges),
        None if rating_list.decisions is None else tuple(rating_list.decisions),
    )


def _decisions_in_force(tournaments: Sequence[int]) -> tuple[int, ...]:
    return tuple(decisions_in_force(tournaments).values_list("pk", flat=True))


DecidedRow = tuple[str, str, str, str]
"""A decision that a list counts: the code of the tournament, item, value, the admitted players by their numbers."""


def decided_rows(inputs: CalculationInputs) -> list[DecidedRow]:
    """The decisions that count, by code and item; not the level of a referee who is no longer that of the report.

    0 queries without decisions, else 1, and 1 more with admitted players (R73a, R77a, R78).
    """
    if not inputs.decisions:
        return []
    details = sorted({name for item in known_items() if (name := decided_of(item))})
    with connection.connection.cursor() as cursor:
        cursor.execute(
            sql.SQL(DECIDED).format(
                details=sql.SQL(", ").join(sql.Identifier("result_set", name) for name in details),
                decisions=numbers(inputs.decisions),
                of=numbers(inputs.tournaments),
            )
        )
        # A set: a tournament in parts has a result set for each.
        rows = {
            row[:4]
            for row in cursor
            if not (of := decided_of(row[1])) or row[3] == row[4 + details.index(of)]
        }
    admitted = {row: list(map(int, row[3].split())) for row in rows if row[1] == OVER_AGE.name}
    register = inputs.period.pool.report_rules.register
    found = Player.objects.filter(pk__in={player for players in admitted.values() for player in players})
    numbers_of = {player.pk: player.number_in(register) or 0 for player in found}
    return sorted(
        (*row[:3], " ".join(map(str, sorted(numbers_of[player] for player in admitted.get(row, ())))))
        for row in rows
    )


DECIDED = """
SELECT decision.tournament_code, decision.item, decision.value, decision.about, {details}
FROM reporting_tournamentdecision decision
JOIN reporting_resultset result_set ON result_set.code = decision.tournament_code AND result_set.id = ANY({of})
WHERE decision.id = ANY({decisions})
"""


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
    met = _players_on(lists, duplicates)
    met.update(
        Entry.objects.filter(player__in=duplicates, result_set__in=tournaments).values_list(
            "player", flat=True
        )
    )
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


def _merges_of_revision(
    replaced: RatingList, lists: Sequence[RatingList], tournaments: Sequence[int]
) -> tuple[PlayerMerge, ...]:
    """The merges that a revision is read with: those of the replaced list, and some that are in force now.

    A merge of the replaced list that was undone since is excluded where an included report names the duplicate: the
    report says whose games they are. Of the merges in force it has those of the previous list, and those by which an
    included report names a surviving record on none of the lists read: it starts from the duplicate's rating. Players
    of other reports do not matter: a revision differs by the correction alone.
    """
    included = set(tournaments).difference(_result_sets(replaced.manifest))
    named = set(Entry.objects.filter(result_set__in=included).values_list("player", flat=True))
    remaining = [
        merge
        for merge in merges_by_id(replaced.merges)
        if merge.undone_at is None or merge.duplicate_id not in named
    ]
    ends = {number for merge in remaining for number in (merge.duplicate_id, merge.surviving_id)}
    unrated = named - _players_on(lists, named)
    since = PlayerMerge.objects.filter(Q(pk__in=lists[-1].merges) | Q(surviving__in=unrated), undone_at=None)
    more = [merge for merge in since if not {merge.duplicate_id, merge.surviving_id} & ends]
    return tuple(sorted([*remaining, *more], key=lambda merge: merge.pk))


def _players_on(lists: Sequence[RatingList], players: Collection[int]) -> set[int]:
    """Which of these players (ids) are on one of the lists. It reads the rows: a replaced list has no histories.

    1 query, or none for no players.
    """
    if not players:
        return set()
    return {
        number
        for rows in rows_of_lists(lists)
        for number in rows.filter(player__in=players).values_list("player", flat=True)
    }


def merges_by_id(numbers: Iterable[int]) -> tuple[PlayerMerge, ...]:
    """These merges, oldest first, including those undone since. 1 query, or none for none."""
    wanted = list(numbers)
    merges = PlayerMerge.objects.filter(pk__in=wanted).select_related("duplicate", "surviving").order_by("pk")
    return tuple(merges) if wanted else ()


def _result_sets(lines: QuerySet[PeriodReport]) -> tuple[int, ...]:
    return tuple(lines.order_by("result_set_id").values_list("result_set_id", flat=True))


def lists_by_id(numbers: Sequence[int]) -> tuple[RatingList, ...]:
    """These lists, in the order of the numbers. 1 query."""
    found = RatingList.objects.in_bulk(list(numbers))
    return tuple(found[number] for number in numbers)


def _carried_by(list_id: int) -> list[Correction]:
    return list(
        Correction.objects.filter(carried_into__list=list_id).select_related("replaces").order_by("pk")
    )


def list_chain(rating_list: RatingList) -> dict[date, RatingList]:
    """The list and the lists before it that it was calculated from: day they came into force → revision. 1 query."""
    every = {one.pk: one for one in RatingList.objects.filter(pool_id=rating_list.pool_id)}
    line: dict[date, RatingList] = {}
    link: RatingList | None = rating_list
    while link is not None:
        line[link.in_force] = link
        link = every.get(link.previous_id) if link.previous_id else None
    return line


def uncarried_corrections(lists: Sequence[RatingList]) -> tuple[Correction, ...]:
    """The corrections of earlier lists that the last of these neither contains nor has carried. 2 queries."""
    if not lists:
        return ()
    line = list_chain(lists[-1])
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
class LastRating:
    """Rating and games of a record, and the list that shows it last."""

    rating: int
    games: int
    list: RatingList


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
                *begun.taken[merge.duplicate_id], shown.list if shown else before_merge
            )
    since = min(merged_on.values())
    for into in (one for one in reversed(line) if one.in_force >= since):
        for correction in _carried_by(into.pk):
            held = merges_by_id(merges_added_by_corrections([correction]))
            moved: list[tuple[int, int | None, int]] = [
                (difference.player, difference.rating, difference.games)
                for difference in _difference_rows(_pairs([correction]), previous, held)
            ]
            moved += _losses_of_duplicates(correction.replaces, [merge.duplicate_id for merge in held])
            for record, rating, games in moved:
                before = found.get(record)
                if record not in merged_on or into.in_force < merged_on[record]:
                    continue
                if before is None:
                    revision = correction.lists.get(state=RatingList.State.PUBLISHED)
                    before = LastRating(0, 0, revision)
                left = before.games + games
                # Without its first result no sum says what the later games of a record alone had made.
                rating_left = before.rating if left > 0 else 0
                found[record] = LastRating(
                    rating_left if rating is None else before.rating + rating, left, before.list
                )
    return {record: stood for record, stood in found.items() if stood.rating > 0}


def _losses_of_duplicates(replaced: RatingList, records: Sequence[int]) -> list[tuple[int, int | None, int]]:
    """What the events of a list gave to records, with the sign of taking it back: (record, rating, games).

    No rating where the record had none before. 2 queries.
    """
    changes = replaced.changes.filter(player__in=records, sequence=0)
    before = dict(changes.values_list("player", "before_e4"))
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

    `start` has rating and games of those whose records are merged, or are two again: `ends` that it lacks start without
    either. `rating_of` says whose rating each surviving record starts from, `taken` with which rating and games each
    duplicate went. `differences` are put to these, and to the rows of all others.
    """

    ends: frozenset[int]
    start: dict[int, tuple[int, int]]
    rating_of: dict[int, int]
    taken: dict[int, tuple[int, int]]
    standing: dict[int, LastRating]
    differences: list[CorrectionDifference]


def starting_ratings(inputs: CalculationInputs) -> StartingRatings:
    """The start of each player: the previous list with corrections, merges and undone merges.

    After an undone merge the duplicate starts from its last rating and games; the surviving record keeps its rating and
    loses these games, and with its last game the rating too, unless the opening list rates it. Games that lists counted
    for it during the merge stay with it. Queries of `carried_differences` and `last_ratings`, 1 more where there are
    merges. Raises DomainError `carry_impossible`.
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
    gone = set()
    for merge in undone:
        if stood := standing.get(merge.duplicate_id):
            start[merge.duplicate_id] = stood.rating, stood.games
            rating, games = start.pop(merge.surviving_id, (0, 0))
            moved = sum(one.games for one in differences if one.player == merge.surviving_id)
            if games - stood.games + moved > 0 or _opened_with(inputs, merge.surviving_id):
                start[merge.surviving_id] = rating, games - stood.games
            elif rating:
                gone.add(merge.surviving_id)
    rating_of = {number: number for number in start}
    taken = {}
    for merge in inputs.merges:
        rating, games = start.pop(merge.duplicate_id, (0, 0))
        if rating:
            taken[merge.duplicate_id] = rating, games
            rating_of.setdefault(merge.surviving_id, merge.duplicate_id)
            own, more = start.get(merge.surviving_id, (0, 0))
            start[merge.surviving_id] = own or rating, games + more
    return StartingRatings(
        ends,
        start,
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
