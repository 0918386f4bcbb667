"""The inputs of a calculation by name: manifest, lists of this and other pools and of sources, corrections, merges …"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from django.db import connection
from django.db.models import Q, QuerySet
from psycopg import sql

from ratings.federations.facet import EngineInput
from ratings.inputs.in_force import (
    lists_by_id,
    lists_in_force,
    lists_of_other_pools,
    merges_by_id,
    merges_in_force,
    players_on,
    uncarried_corrections,
)
from ratings.inputs.listed_ratings import ListedRatings
from ratings.inputs.read_columns import number_rows, numbers
from ratings.inputs.result_columns import ResultColumns
from ratings.inputs.source_lists import source_lists_by_id, source_lists_of_day
from ratings.models import Correction, ListValues, Period, PeriodReport, Pool, RatingList, SourceList
from reporting.models import Entry, MembershipTable, Player, PlayerMerge, ResultSet
from reporting.register.memberships import clubs_on, newest_table
from reporting.reports.decisions.selectors import decisions_in_force
from reporting.rules.details.decided_items import OVER_AGE, decided_of, known_items


@dataclass(frozen=True)
class CalculationInputs:
    """What a list is calculated from, by name: reports, lists, corrections and merges.

    `lists` are those that ratings and counts are read from, oldest first; the ratings start from the last one, the
    previous list. `carried` are the corrections whose difference is added to that start. Lists and entries are
    read with `merges`: what belongs to a duplicate counts for the surviving record (R24). `decisions` (ids) say what
    counts of the tournaments for norms and titles (R78); None for a list of before decisions were recorded.

    Only for a system that declares it: `other_lists` are those of its other pools, of earlier days, and `sources` those
    of sources, whose figures `source_figures` reads; `values` what the officer decided for this list, by rising lines;
    `memberships` the table of memberships of clubs, None while none was imported: then every player is a member.
    The register is read as `register_of` has read it, None: as it is now (`ratings/inputs/register.py`).
    """

    period: Period
    tournaments: tuple[int, ...]
    lists: tuple[RatingList, ...]
    carried: tuple[Correction, ...]
    merges: tuple[PlayerMerge, ...]
    decisions: tuple[int, ...] | None
    other_lists: tuple[RatingList, ...] = ()
    sources: tuple[SourceList, ...] = ()
    values: tuple[tuple[int, ...], ...] = ()
    memberships: MembershipTable | None = None
    register_of: RatingList | None = None

    @property
    def previous(self) -> RatingList:
        return self.lists[-1]

    @cached_property
    def results(self) -> ResultColumns:
        """What is stored of the rounds of the tournaments, read once for ratings and norms."""
        return ResultColumns(self.tournaments)

    @cached_property
    def ratings(self) -> ListedRatings:
        """The ratings on the lists, each list read once for ratings and norms."""
        return ListedRatings(self.period.pool.rating_system)

    @cached_property
    def players_read(self) -> set[int]:
        """The players whose records in the register were read so far: what was read of them is stored with the list."""
        return set()

    def digest(self, engine_input: EngineInput) -> str:
        """The SHA-256 of all inputs: that of the engine's input, with what was read besides its pool, if anything."""
        of_engine = engine_input.digest()
        more = list(self._read_besides())
        return hashlib.sha256("".join([f"{of_engine}\n", *more]).encode()).hexdigest() if more else of_engine

    def _read_besides(self) -> Iterator[str]:
        """A line for each list of another pool or a source, and for each line of the values."""
        for other in self.other_lists:
            yield f"pool\t{other.address}/r{other.revision}\t{other.sha256}\n"
        for source in self.sources:
            yield f"source\t{source.address}\t{source.kind}\t{source.sha256}\n"
        for line in self.values:
            yield "\t".join(["values", *map(str, line)]) + "\n"
        if self.memberships is not None:
            yield f"memberships\t{self.memberships.register}\t{self.memberships.sha256}\n"

    def last_days(self) -> Mapping[int, date]:
        """Key of the result set of a later part → the last day of its tournament, as part 1 says (U19). 1 query or 2.

        Part 1 is that of this list, else of the newest list that is read and counts it: a later correction of part 1
        changes no list that was calculated before. Without one the part is left out, and its own day is all there is.
        """
        parts = ResultSet.objects.filter(pk__in=self.tournaments, part__gt=1).values_list("pk", "tournament")
        later = dict(parts)
        if not later:
            return {}
        places = {(one.period_id, one.correction_id): place for place, one in enumerate(self.lists, start=1)}
        lines = PeriodReport.objects.filter(result_set__part=1, result_set__tournament__in=later.values())
        found: dict[int, tuple[int, date]] = {}
        for tournament, result_set, played_to, period, correction in lines.values_list(
            "result_set__tournament", "result_set", "result_set__played_to", "period", "correction"
        ):
            is_own = result_set in self.tournaments
            place = len(places) + 1 if is_own else places.get((period, correction), 0)
            if place:
                found[tournament] = max(found.get(tournament, (0, played_to)), (place, played_to))
        return {part: found[tournament][1] for part, tournament in later.items() if tournament in found}

    def clubs_on(self, day: date) -> Mapping[int, int]:
        """Key of a player → the number of the club on a day, by the table of memberships. 1 query, none without it.

        What belongs to a merged record counts for the surviving one.
        """
        if self.memberships is None:
            return {}
        surviving = {merge.duplicate_id: merge.surviving_id for merge in self.merges}
        clubs = {player: int(club) for player, club in clubs_on(self.memberships, day).items()}
        of_merged = {surviving[player]: club for player, club in clubs.items() if player in surviving}
        return of_merged | {player: club for player, club in clubs.items() if player not in surviving}

    def undone_merges(self) -> tuple[PlayerMerge, ...]:
        """The merges that the previous list was read with and this one is not. 0 or 1 query."""
        return merges_by_id(set(self.previous.merges) - {merge.pk for merge in self.merges})


def inputs_of_period(period: Period, correction: Correction | None) -> CalculationInputs:
    """What the list of a frozen period, or the revision that a correction asks for, is calculated from now.

    A list uses the newest revisions of earlier lists, and carries every correction of them that its predecessors do
    not contain. A revision whose difference is carried into the next list uses the same lists as the one it replaces,
    so that it differs by the correction alone; one after which all later lists are revised uses the newest.
    A list is read with the merges in force, a revision with those of the list it replaces (see `_merges_of_revision`).
    A revision reads the same lists of other pools and of sources as the one it replaces, the same values, the same
    memberships, and the register as that one read it, of other players as it is now. 5 to 13 queries, up to 5 more for
    what a system reads besides its pool. Raises ValueError when the pool has no list.
    """
    tournaments = _result_sets(period.manifest.filter(correction=correction))
    if correction is None:
        return inputs_if_frozen(period, tournaments)
    newest = tuple(lists_in_force(period.pool_id, period.in_force))
    replaced = correction.replaces
    carried = tuple(carried_by(replaced.pk))
    besides = _besides_of_list(replaced)
    if correction.later == Correction.Later.CARRY:
        lists = lists_by_id(replaced.input_lists)
        return CalculationInputs(
            period,
            tournaments,
            lists,
            carried,
            _merges_of_revision(replaced, lists, tournaments),
            _decisions_in_force(tournaments),
            *besides,
        )
    missing = {correction.pk for correction in uncarried_corrections(newest)}
    return CalculationInputs(
        period,
        tournaments,
        newest,
        tuple(correction for correction in carried if correction.pk in missing),
        _merges_of_revision(replaced, newest, tournaments),
        _decisions_in_force(tournaments),
        *besides,
    )


def inputs_if_frozen(period: Period, tournaments: Sequence[int]) -> CalculationInputs:
    """What the first list of a period is calculated from if its manifest is these tournaments, ordered by number.

    For a frozen period, and for one still open: what its list would be if it were frozen now. 4 queries, 2 more where
    records are merged, 1 more where corrections are carried, up to 4 for what a system reads besides its pool.
    """
    newest = tuple(lists_in_force(period.pool_id, period.in_force))
    carried = uncarried_corrections(newest)
    merges = merges_in_force(newest, tournaments, carried)
    declaration = period.pool.rating_system.declaration
    return CalculationInputs(
        period,
        tuple(tournaments),
        newest,
        carried,
        merges,
        _decisions_in_force(tournaments),
        lists_of_other_pools(period.pool, period.in_force) if declaration.reads_pools else (),
        source_lists_of_day(declaration.sources, period.in_force),
        values_of_list(period.pool, period.in_force),
        newest_table(period.pool.report_rules.register) if declaration.reads_memberships else None,
    )


def inputs_of_list(rating_list: RatingList) -> CalculationInputs:
    """What a calculated list was made from, as it was then. 3 queries, 1 more where it was read with merges.

    Up to 4 more for what its system reads besides its pool.
    """
    assert rating_list.period is not None  # noqa: S101 (the database ensures it for every list but an opening one)
    return CalculationInputs(
        rating_list.period,
        _result_sets(rating_list.manifest),
        lists_by_id(rating_list.input_lists),
        tuple(carried_by(rating_list.pk)),
        merges_by_id(rating_list.merges),
        None if rating_list.decisions is None else tuple(rating_list.decisions),
        *_besides_of_list(rating_list),
    )


def _besides_of_list(
    rating_list: RatingList,
) -> tuple[
    tuple[RatingList, ...],
    tuple[SourceList, ...],
    tuple[tuple[int, ...], ...],
    MembershipTable | None,
    RatingList,
]:
    """What a calculated list was read from besides its pool: lists of other pools, of sources, values, memberships.

    And the list itself, which has what was read of the register.
    """
    return (
        lists_by_id(rating_list.other_lists) if rating_list.other_lists else (),
        source_lists_by_id(rating_list.source_lists),
        values_of_list(rating_list.pool, rating_list.in_force),
        rating_list.membership_table,
        rating_list,
    )


def values_of_list(pool: Pool, in_force: date) -> tuple[tuple[int, ...], ...]:
    """What the officer has decided for the list of a day, by rising lines. 1 query, none for a system without."""
    if not pool.rating_system.declaration.values:
        return ()
    values = ListValues.objects.filter(pool=pool, in_force=in_force).first()
    return tuple(map(tuple, values.rows)) if values else ()


def _decisions_in_force(tournaments: Sequence[int]) -> tuple[int, ...]:
    return tuple(decisions_in_force(number_rows(tournaments)).values_list("pk", flat=True))


DecidedRow = tuple[str, str, str, str]
"""A decision that a list counts: the code of the tournament, item, value, the admitted players by their numbers."""


def decided_rows(inputs: CalculationInputs) -> list[DecidedRow]:
    """The decisions that count, by code and item; not the level of a referee who is no longer that of the report.

    0 queries without decisions, else 1, and 1 more with admitted players (R73a, R77a, R78).
    """
    if not inputs.decisions:
        return []
    about = [(name, detail) for name in known_items() if (detail := decided_of(name))]
    with connection.connection.cursor() as cursor:
        cursor.execute(
            sql.SQL(DECIDED).format(
                is_of_another=sql.SQL("").join(
                    sql.SQL(" OR decision.item = {} AND decision.about <> {}").format(
                        sql.Literal(name), sql.Identifier("result_set", detail)
                    )
                    for name, detail in about
                ),
                over_age=sql.Literal(OVER_AGE.name),
                decisions=numbers(inputs.decisions),
                of=numbers(inputs.tournaments),
            )
        )
        rows: list[DecidedRow] = cursor.fetchall()
    admitted = {row: list(map(int, row[3].split())) for row in rows if row[3]}
    if admitted:
        register = inputs.period.pool.report_rules.register
        found = Player.objects.filter(pk__in={player for players in admitted.values() for player in players})
        numbers_of = {player.pk: player.number_in(register) or 0 for player in found}
        rows = [
            (*row[:3], " ".join(map(str, sorted(numbers_of[player] for player in admitted.get(row, ())))))
            for row in rows
        ]
    return sorted(rows)


# Once, although a tournament in parts has a result set for each.
DECIDED = """
SELECT DISTINCT decision.tournament_code, decision.item, decision.value,
    CASE decision.item WHEN {over_age} THEN decision.about ELSE '' END
FROM reporting_tournamentdecision decision
JOIN reporting_resultset result_set ON result_set.code = decision.tournament_code AND result_set.id = ANY({of})
WHERE decision.id = ANY({decisions}) AND NOT (false{is_of_another})
"""


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
    unrated = named - players_on(lists, named)
    since = PlayerMerge.objects.filter(Q(pk__in=lists[-1].merges) | Q(surviving__in=unrated), undone_at=None)
    more = [merge for merge in since if not {merge.duplicate_id, merge.surviving_id} & ends]
    return tuple(sorted([*remaining, *more], key=lambda merge: merge.pk))


def _result_sets(lines: QuerySet[PeriodReport]) -> tuple[int, ...]:
    return tuple(lines.order_by("result_set_id").values_list("result_set_id", flat=True))


def carried_by(list_id: int) -> list[Correction]:
    """The corrections whose difference this list (id) carries, with the lists they replace, oldest first. 1 query."""
    return list(
        Correction.objects.filter(carried_into__list=list_id).select_related("replaces").order_by("pk")
    )
