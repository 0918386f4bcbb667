"""The tournaments that published lists are calculated from."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, cast

from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery

from ratings.models import (
    PeriodReport,
    Pool,
    PublishedFile,
    RatingList,
)
from ratings.queries.addresses import published_players
from ratings.queries.counted_results import counted_result_sets, lists_that_count, published_result_sets
from ratings.queries.lists import NotPublishedError, published
from ratings.queries.merges import surviving_players
from ratings.queries.time_controls import (
    clock_calculation,
    clock_label,
    clocks_in_list,
)
from reporting.models import Entry, Game, Player, ResultSet, own_relations
from reporting.register.selectors.register import register_changes
from reporting.reports.reading.version_changes import value_text
from reporting.reports.selectors.tournaments import (
    entrants,
    stored_report,
)
from reporting.rules.details.known_details import detail_label, known_details
from reporting.rules.report import ReadReport


def published_tournaments() -> QuerySet[Any]:
    """The published result sets, with the pool and the day of the list that counts each."""
    return with_list(published_result_sets())


def with_list(tournaments: QuerySet[Any]) -> QuerySet[Any]:
    """The tournaments with their line of the manifest they were filtered by."""
    found = tournaments.select_related("country").annotate(
        pool_code=F("manifest_lines__period__pool__code"),
        pool_name=F("manifest_lines__period__pool__name"),
        pool_discipline=F("manifest_lines__period__pool__discipline"),
        pool_tempo=F("manifest_lines__period__pool__tempo"),
        in_force=F("manifest_lines__period__in_force"),
        report_sha256=F("manifest_lines__version__sha256"),
        players=Subquery(
            Entry.objects.filter(result_set=OuterRef("pk"))
            .order_by()
            .values("result_set")
            .annotate(number=Count("pk"))
            .values("number")
        ),
    )
    return cast("QuerySet[Any]", found)


def tournaments_of(rating_list: RatingList) -> list[ResultSet]:
    """The tournaments a list is calculated from, in R5's order. 1 query; none for an opening list."""
    if rating_list.period_id is None:
        return []
    return list(with_list(counted_result_sets(rating_list)).order_by("played_to", "number"))


@dataclass(frozen=True)
class CountedReport:
    """The version of a tournament's report that a revision of its list counts; None where it is excluded."""

    rating_list: RatingList
    version: int | None
    sha256: str


@dataclass(frozen=True)
class Control:
    """A time control of a tournament in the list that counts its games: as it is shown, worked out, its seconds."""

    rating_list: RatingList
    label: str
    calculation: str
    seconds: int | None


@dataclass(frozen=True)
class CountedPart:
    """A part of a tournament, most often all of it, as in the newest revision that counts it.

    The result set has its number of `players`, `games_played` and `rounds_played`. `lists` has that revision; of a
    session one for each pool of its games (R25). `reports` has an entry for every revision of the list where they
    differ; the last one is in force. `later_lists` are those that count games of it which waited.
    """

    tournament: Any
    rating_list: RatingList
    lists: Sequence[RatingList]
    reports: Sequence[CountedReport]
    later_lists: Sequence[RatingList]

    @property
    def excluded_by(self) -> RatingList | None:
        """The first revision of its list that excludes it; None while the newest one counts it."""
        shown = self.rating_list
        of_period = (
            report.rating_list for report in self.reports if report.rating_list.period_id == shown.period_id
        )
        return next((later for later in of_period if later.revision > shown.revision), None)


@dataclass(frozen=True)
class CountedTournament(CountedPart):
    """A tournament as the head of each of its pages names it.

    `parts` are its parts, most often one. Of several the tournament is the last one with the sums of all, the list is
    the newest one, and `reports` are only of each part.
    """

    parts: Sequence[CountedPart]

    @property
    def has_parts(self) -> bool:
        """Whether lists count several parts of it."""
        return len(self.parts) > 1

    @property
    def results(self) -> list[int]:
        """The keys of its result sets, in the order of its parts."""
        return [part.tournament.pk for part in self.parts]

    @property
    def controls(self) -> list[Control]:
        """Its time controls, the longest first. No query."""
        controls = [
            Control(one, clock_label(*clock), clock_calculation(*clock), clock[1])
            for one in self.lists
            for clock in clocks_in_list(self.tournament, one)
        ]
        return sorted(controls, key=lambda control: -(control.seconds or 0))

    @property
    def pools(self) -> list[Pool]:
        """The pools of its games, the longest time control first."""
        return list({one.rating_list.pool_id: one.rating_list.pool for one in self.controls}.values())

    @property
    def own_details(self) -> list[tuple[str, str]]:
        """The public details that only its federation has, label and value. No query."""
        own, known = self.tournament.own_details, known_details()
        shown = {name: value for name, value in own.values.items() if known[name].public} if own else {}
        return [(detail_label(name), value_text(name, value)) for name, value in shown.items() if value]


def _lines(code: str) -> QuerySet[PeriodReport]:
    return PeriodReport.objects.filter(result_set__tournament__code=code)


def _revisions(code: str) -> QuerySet[RatingList]:
    """Every published revision of the lists that count a tournament in some revision, in the order of publication."""
    counting = lists_that_count(_lines(code)).filter(state=RatingList.State.PUBLISHED)
    return published().filter(period__in=counting.values("period")).order_by("published_at", "pk")


def tournament_stamp(code: str) -> tuple[Any, ...]:
    """A value that changes with the tournament's page: on a new revision, an erased person, a name of the register.

    Where games may wait, also on a new list of the pool. 3 queries, 1 more there. Raises `NotPublishedError`.
    """
    found = list(_revisions(code))
    if not found:
        raise NotPublishedError(f"no published tournament {code}")
    pools = {revision.pool_id for revision in found if revision.is_by_game}
    later = tuple(published().filter(pool__in=pools).aggregate(Max("pk")).values()) if pools else ()
    files = PublishedFile.objects.filter(list__in=found).order_by("pk").values_list("sha256", flat=True)
    return *((revision.pk, revision.sha256) for revision in found), *later, *files, register_changes()


def counted_tournament(code: str) -> CountedTournament:
    """A published tournament and what counts it. 2 or 3 queries, of one in parts 1 more and 1 for each list.

    2 more where games may wait for a later list. Raises `NotPublishedError`.
    """
    revisions = list(_revisions(code).select_related("pool", "correction__follows__replaces"))
    if not revisions:
        raise NotPublishedError(f"no published tournament {code}")
    lines = _reports(code, revisions) if len(revisions) > 1 else {}
    shown = {
        part: [report.rating_list for report in reports if report.version is not None][-1]
        for part, reports in lines.items()
    }
    counted: dict[RatingList, list[Any]] = {}
    for rating_list in dict.fromkeys(shown.values()) or revisions:
        counted[rating_list] = list(_in_list(rating_list, code))
    later = _lists_of_waited_games(counted)
    parts = [
        _part(found, rating_list, lines.get(found.part, []), later.get(found.pk, []))
        for rating_list, several in counted.items()
        for found in several
        if shown.get(found.part, rating_list) == rating_list
    ]
    parts.sort(key=lambda part: part.tournament.part)
    return _together(parts)


def _in_list(rating_list: RatingList, code: str) -> QuerySet[Any]:
    """The parts of a tournament that a list counts, with the numbers of their games and rounds. 1 query."""
    games = Game.objects.filter(result_set=OuterRef("pk")).order_by().values("result_set")
    found: QuerySet[Any] = (
        with_list(counted_result_sets(rating_list))
        .select_related(*own_relations())
        .annotate(
            games_played=Subquery(games.annotate(number=Count("pk", filter=Q(played=True))).values("number")),
            rounds_played=Subquery(games.annotate(last=Max("round")).values("last")),
        )
        .filter(tournament__code=code)
        .order_by("part")
    )
    return found


def _lists_of_waited_games(counted: Mapping[RatingList, Sequence[ResultSet]]) -> dict[int, list[RatingList]]:
    """Result set → the later lists whose changes are by games of it, by their days. 2 queries where games may wait."""
    first = next(iter(counted))
    if not first.is_by_game:
        return {}
    pools, before = {one.pool_id for one in counted}, min(one.in_force for one in counted)
    newest = published().filter(pool__in=pools, in_force__gt=before).order_by("in_force", "pool", "-revision")
    lists = {one.pk: one for one in newest.distinct("in_force", "pool")}
    own = {found.pk: rating_list for rating_list, several in counted.items() for found in several}
    changes = first.rating_system.change_model._default_manager.filter(result_set__in=own, list__in=lists)
    found: dict[int, list[RatingList]] = {}
    for result_set, key in sorted(changes.order_by().values_list("result_set", "list").distinct()):
        if lists[key].in_force > own[result_set].in_force:
            found.setdefault(result_set, []).append(lists[key])
    return {result_set: sorted(later, key=lambda one: one.in_force) for result_set, later in found.items()}


def _part(
    tournament: Any, shown: RatingList, reports: Sequence[CountedReport], later: Sequence[RatingList]
) -> CountedPart:
    """A part of a tournament by the list that counts it, and by its reports in all revisions."""
    counting = [report.rating_list for report in reports if report.version is not None]
    newest = {one.pool_id: one for one in (*counting, shown)} if tournament.session else {0: shown}
    differ = len({report.version for report in reports}) > 1
    return CountedPart(tournament, shown, list(newest.values()), reports if differ else [], later)


def _together(parts: Sequence[CountedPart]) -> CountedTournament:
    """The whole of these parts. 1 query for several, to count their players."""
    last = parts[-1]
    if len(parts) == 1:
        return CountedTournament(
            last.tournament, last.rating_list, last.lists, last.reports, last.later_lists, parts
        )
    whole = copy(last.tournament)
    whole.played_to = parts[0].tournament.played_to  # part 1 says when the whole tournament ends (U19)
    results = [part.tournament.pk for part in parts]
    whole.players = Entry.objects.filter(result_set__in=results).values("player").distinct().count()
    whole.games_played = sum(part.tournament.games_played or 0 for part in parts)
    whole.rounds_played = max(part.tournament.rounds_played or 0 for part in parts)
    whole.plus_draws, whole.decided_ties = [], []  # by numbers of one part
    newest = max((part.rating_list for part in parts), key=lambda one: one.in_force)
    lists = dict.fromkeys(one for part in parts for one in part.lists)
    return CountedTournament(whole, newest, list(lists), [], [], parts)


def played_tournament(
    code: str,
) -> tuple[CountedTournament, ReadReport, dict[int, Player], dict[int, Player]]:
    """A published tournament, its games as a report has them, its players by number, its `surviving_players`.

    4 to 6 queries. Raises `NotPublishedError`.
    """
    found = counted_tournament(code)
    persons = surviving_players(found.rating_list)
    players = entrants(found.results, persons)
    by_number = {entry.number: entry.player for entry in players.entries}
    return found, stored_report(found.tournament, players), by_number, persons


def players_in_addresses(
    found: CountedTournament, results: Sequence[int]
) -> dict[int | None, tuple[int, str | None]]:
    """Key of an entry of these result sets → the number of its player, and the player in addresses. 2 or 3 queries.

    None for the address of a player on no published list.
    """
    of = entrants(results, surviving_players(found.rating_list)).of
    known = published_players({entry.player.pk for entry in of.values()})
    return {
        key: (entry.number, entry.player.address if entry.player.pk in known else None)
        for key, entry in of.items()
    }


def player_addresses(found: CountedTournament) -> dict[int, str | None]:
    """The players of a tournament in addresses, by number, as `players_in_addresses` has them. 2 or 3 queries."""
    return dict(players_in_addresses(found, found.results).values())


def _reports(code: str, revisions: Sequence[RatingList]) -> dict[int, list[CountedReport]]:
    """Part → its report in each of these revisions that are of a list which counts it in some revision. 1 query."""
    counted: defaultdict[int, dict[tuple[int | None, int | None], tuple[int | None, str]]] = defaultdict(dict)
    for part, period, correction, version, sha256 in _lines(code).values_list(
        "result_set__part", "period", "correction", "version", "version__sha256"
    ):
        counted[part][period, correction] = version, sha256
    found = {}
    for part, lines in sorted(counted.items()):
        periods = {period for period, _ in lines}
        reports = [
            CountedReport(revision, *lines.get((revision.period_id, revision.correction_id), (None, "")))
            for revision in revisions
            if revision.period_id in periods
        ]
        if any(
            report.version is not None for report in reports
        ):  # else no published list counts the part yet
            found[part] = reports
    return found
