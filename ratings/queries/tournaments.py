"""The tournaments that published lists are calculated from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, cast

from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery

from ratings.models import (
    Change,
    GameChanges,
    PeriodReport,
    Pool,
    PublishedFile,
    RatingList,
    TournamentFigures,
    basis_of,
    by_clock,
)
from ratings.queries.addresses import published_players
from ratings.queries.counted_results import counted_result_sets, lists_that_count, published_result_sets
from ratings.queries.list_rows import PAGE_ROWS, NoSuchPageError
from ratings.queries.lists import NotPublishedError, published
from ratings.queries.merges import merged_ratings, replace_merged_players, surviving_players
from ratings.queries.time_controls import (
    clock_calculation,
    clock_label,
    clocks_in_list,
)
from ratings.rules.declared import ShownFigure
from reporting.models import Entry, Game, Player, ResultSet, own_relations
from reporting.register.selectors import register_changes
from reporting.reports.reading.version_changes import value_text
from reporting.reports.selectors.tournaments import Crosstable, crosstable, stored_report
from reporting.rules.details.known_details import detail_label, known_details
from reporting.rules.report import ReadReport


def published_tournaments() -> QuerySet[Any]:
    """The published result sets, with the pool and the day of the list that counts each."""
    return _with_list(published_result_sets())


def _with_list(tournaments: QuerySet[Any]) -> QuerySet[Any]:
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
    return list(_with_list(counted_result_sets(rating_list)).order_by("played_to", "number"))


@dataclass(frozen=True)
class EntryRating:
    """A player's rating at the start of a tournament and the change by its games, or by those of one time control."""

    rating: int | None
    change: TournamentFigures | None

    @property
    def is_provisional(self) -> bool:
        return self.change is not None and self.change.is_provisional


@dataclass(frozen=True)
class CountedGames:
    """The games of a tournament that a list counts; of a session those of one time control (R25).

    `time_control` and `calculation` are how the time control and its time for 60 moves are shown; `games` is the number
    of games played, in a session, else None. `basis` is the list whose ratings they all use; None where each has its
    own. `is_counted` says whether any game counts.
    """

    rating_list: RatingList
    seconds: int | None
    time_control: str
    calculation: str
    games: int | None
    basis: RatingList | None
    is_counted: bool
    figures: Mapping[int, EntryRating]

    @property
    def shown_figures(self) -> Sequence[ShownFigure]:
        """The figures of a change that the page of the tournament shows; none of those that each game has."""
        return () if self.rating_list.is_by_game else self.rating_list.declaration.change_page

    @property
    def weight_percentage(self) -> int:
        """How much a game counts, in whole percent."""
        return self.rating_list.rules.weight_percentage(self.seconds)


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
class CountedTournament:
    """A tournament as the head of each of its pages names it: as in the newest revision that counts it.

    The tournament has its number of `players`, `games_played` and `rounds_played`. `lists` has that revision; of a
    session one for each pool of its games (R25). `reports` has an entry for every revision of the list where they
    differ; the last one is in force.
    """

    tournament: Any
    rating_list: RatingList
    lists: Sequence[RatingList]
    reports: Sequence[CountedReport]

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

    @property
    def excluded_by(self) -> RatingList | None:
        """The first revision of its list that excludes it; None while the newest one counts it."""
        shown = self.rating_list
        of_period = (
            report.rating_list for report in self.reports if report.rating_list.period_id == shown.period_id
        )
        return next((later for later in of_period if later.revision > shown.revision), None)


@dataclass(frozen=True)
class PublishedTournament(CountedTournament):
    """A tournament with its crosstable and rating changes.

    `counted` has one entry; of a session one for each time control of its games, in the lists of its pools (R25).
    `listed` has the players on the list, each with the title that it prints.
    """

    crosstable: Crosstable
    counted: Sequence[CountedGames]
    listed: Mapping[int, str]

    @property
    def pages(self) -> int:
        """The number of pages, with PAGE_ROWS players each."""
        return max(-(-len(self.crosstable.numbers) // PAGE_ROWS), 1)


def _lines(code: str) -> QuerySet[PeriodReport]:
    return PeriodReport.objects.filter(result_set__tournament__code=code)


def _revisions(code: str) -> QuerySet[RatingList]:
    """Every published revision of the lists that count a tournament in some revision, in the order of publication."""
    counting = lists_that_count(_lines(code)).filter(state=RatingList.State.PUBLISHED)
    return published().filter(period__in=counting.values("period")).order_by("published_at", "pk")


def tournament_stamp(code: str) -> tuple[Any, ...]:
    """A value that changes with the tournament's page: on a new revision, an erased person, a name of the register.

    3 queries. Raises `NotPublishedError`.
    """
    found = list(_revisions(code).values_list("pk", "sha256"))
    if not found:
        raise NotPublishedError(f"no published tournament {code}")
    files = PublishedFile.objects.filter(list_id__in=[pk for pk, _ in found]).order_by("pk")
    return *found, *files.values_list("sha256", flat=True), register_changes()


def counted_tournament(code: str) -> CountedTournament:
    """A published tournament and what counts it. 2 or 3 queries. Raises `NotPublishedError`."""
    revisions = list(_revisions(code).select_related("pool", "correction__follows__replaces"))
    if not revisions:
        raise NotPublishedError(f"no published tournament {code}")
    reports = _reports(code, revisions) if len(revisions) > 1 else []
    counting = [report.rating_list for report in reports if report.version is not None] or revisions
    shown = counting[-1]
    games = Game.objects.filter(result_set=OuterRef("pk")).order_by().values("result_set")
    tournament = (
        _with_list(counted_result_sets(shown))
        .select_related(*own_relations())
        .annotate(
            games_played=Subquery(games.annotate(number=Count("pk", filter=Q(played=True))).values("number")),
            rounds_played=Subquery(games.annotate(last=Max("round")).values("last")),
        )
        .get(tournament__code=code)
    )
    newest = {one.pool_id: one for one in (*counting, shown)} if tournament.session else {0: shown}
    return CountedTournament(
        tournament,
        shown,
        list(newest.values()),
        reports if len({report.version for report in reports}) > 1 else [],
    )


def played_tournament(
    code: str,
) -> tuple[CountedTournament, ReadReport, dict[int, Player], dict[int, Player]]:
    """A published tournament, its games as a report has them, its players by number, its `surviving_players`.

    4 to 6 queries. Raises `NotPublishedError`.
    """
    found = counted_tournament(code)
    tournament = found.tournament
    entries = list(Entry.objects.filter(result_set=tournament.pk).select_related("player").order_by("number"))
    persons = surviving_players(found.rating_list)
    replace_merged_players(entries, persons)
    return found, stored_report(tournament, entries), {one.number: one.player for one in entries}, persons


def player_addresses(found: CountedTournament) -> dict[int, str | None]:
    """The players of a tournament in addresses, by number; None for a player on no published list. 2 or 3 queries."""
    entries = list(Entry.objects.filter(result_set=found.tournament.pk).select_related("player"))
    replace_merged_players(entries, surviving_players(found.rating_list))
    known = published_players({entry.player.pk for entry in entries})
    return {entry.number: entry.player.address if entry.player.pk in known else None for entry in entries}


def rating_changes(
    found: CountedTournament, players: Sequence[int], persons: Mapping[int, Player]
) -> tuple[list[CountedGames], dict[int, str]]:
    """What a tournament changed in the ratings of these players, and their titles: `PublishedTournament` has the parts.

    `persons` are the `surviving_players` of its list. 4 queries; of a session more, as there.
    """
    rating_list, tournament = found.rating_list, found.tournament
    counted = _counted_games(rating_list, tournament, players, persons)
    listed = dict(rating_list.rows.filter(player_id__in=players).values_list("player_id", "title"))
    for other in found.lists:
        if other != rating_list:
            of_list = _with_list(counted_result_sets(other)).get(tournament__code=tournament.code)
            counted += _counted_games(other, of_list, players, surviving_players(other))
            listed = dict(other.rows.filter(player_id__in=players).values_list("player_id", "title")) | listed
    counted.sort(key=lambda games: -(games.seconds or 0))
    return counted, listed


def tournament_report(code: str) -> tuple[ResultSet, ReadReport]:
    """A published tournament and all its games as a report has them, with the titles that the list prints and the
    ratings that the calculation started from.

    14 to 16 queries, of a session more as in `published_tournament`. Raises `NotPublishedError`.
    """
    found = published_tournament(code, most=None)
    tournament, register = found.tournament, found.rating_list.report_rules.register
    entries = sorted((line.entry for line in found.crosstable.lines), key=lambda entry: entry.number)
    report = stored_report(tournament, entries, register)
    ratings = {
        player: figures.rating
        for games in reversed(found.counted)
        for player, figures in games.figures.items()
        if figures.rating is not None
    }
    days = [day for day in tournament.rounds.order_by("number").values_list("played_on", flat=True) if day]
    return tournament, replace(
        report,
        info=replace(report.info, rounds=tuple(days)),
        players=tuple(
            replace(
                player,
                title=found.listed.get(entry.player.pk, ""),
                rating_printed=ratings.get(entry.player.pk),
            )
            for player, entry in zip(report.players, entries, strict=True)
        ),
    )


def published_tournament(code: str, first: int = 0, most: int | None = PAGE_ROWS) -> PublishedTournament:
    """A tournament of a published list with `most` of its players from place `first` on, counted from 0, and their
    rating changes; with all where `most` is None. 10 to 12 queries.

    Of a session 1 more, and 5 to 7 for each pool after the first.

    Report and changes are those of the newest revision that counts it: a tournament that a later revision excludes
    keeps its page. Raises `NotPublishedError` where no published list counts such a tournament, and `NoSuchPageError`.
    """
    counted_as = counted_tournament(code)
    table = crosstable(counted_as.tournament, first, most)
    if not table.lines and first:
        raise NoSuchPageError(f"{len(table.numbers)} players, asked for those from {first + 1} on")
    persons = surviving_players(counted_as.rating_list)
    replace_merged_players((line.entry for line in table.lines), persons)
    counted, listed = rating_changes(counted_as, [line.entry.player.pk for line in table.lines], persons)
    return PublishedTournament(
        **{field.name: getattr(counted_as, field.name) for field in fields(counted_as)},
        crosstable=table,
        counted=counted,
        listed=listed,
    )


def _counted_games(
    rating_list: RatingList, tournament: ResultSet, players: Sequence[int], persons: Mapping[int, Player]
) -> list[CountedGames]:
    """The games of a tournament that a list counts, with the figures of these players. 3 queries, 1 for a session."""
    found: dict[int, list[Change]] = {}
    for change in rating_list.changes.filter(result_set_id=tournament.pk).order_by("sequence"):
        found.setdefault(change.player_id, []).append(change)
    changes: dict[int | None, dict[int, TournamentFigures]] = {}
    for player, own in found.items():
        for clock, of_clock in by_clock(rating_list, own).items():
            changes.setdefault(clock, {})[player] = of_clock
    first = next((one for of_clock in changes.values() for one in of_clock.values()), None)
    used = basis_of(first, rating_list)
    basis = published().filter(pk=used).first() if used else None
    ratings: dict[int, int | None] = {
        player: rating
        for (_, player), rating in (merged_ratings([basis], players, persons) if basis else {}).items()
    }
    for player, of_games in changes.get(None, {}).items():
        if isinstance(of_games, GameChanges):
            ratings[player] = of_games.own_rating
    played = dict(
        tournament.games.filter(played=True).values_list("seconds_for_60_moves").annotate(Count("pk"))
        if tournament.session
        else ()
    )
    clocks = clocks_in_list(tournament, rating_list)
    # Not every system has a change for each time control of a session: then these games are shown together.
    together = [clocks] if None in changes else [[clock] for clock in clocks]
    return [
        CountedGames(
            rating_list,
            parts[0][1],
            ", ".join(clock_label(*part) for part in parts),
            "; ".join(clock_calculation(*part) for part in parts),
            sum(played.get(seconds, 0) for _, seconds in parts) if tournament.session else None,
            basis,
            bool(found),
            {
                player: EntryRating(
                    ratings.get(player),
                    changes.get(None if None in changes else parts[0][1], {}).get(player),
                )
                for player in players
            },
        )
        for parts in together
    ]


def _reports(code: str, revisions: Sequence[RatingList]) -> list[CountedReport]:
    """The report of a tournament that each of these revisions counts. 1 query."""
    counted: dict[tuple[int | None, int | None], tuple[int | None, str]] = {
        (period, correction): (version, sha256)
        for period, correction, version, sha256 in _lines(code).values_list(
            "period", "correction", "version", "version__sha256"
        )
    }
    return [
        CountedReport(revision, *counted.get((revision.period_id, revision.correction_id), (None, "")))
        for revision in revisions
    ]
