"""The tournaments that published lists are calculated from."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from typing import Any, cast

from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery

from ratings.models import (
    Change,
    GameChange,
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
from ratings.queries.merges import merged_ratings, surviving_players
from ratings.queries.time_controls import (
    clock_calculation,
    clock_label,
    clocks_in_list,
)
from ratings.rules.declared import ShownFigure
from reporting.models import Entry, Game, Player, ResultSet, Round, own_relations
from reporting.register.selectors import register_changes
from reporting.reports.reading.version_changes import value_text
from reporting.reports.selectors.tournaments import (
    Crosstable,
    Entrants,
    crosstable,
    entrants,
    stored_report,
)
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
    of games played, in a session or in one `part` of several, else None; `figures` of a part are of its players alone.
    `basis` is the list whose ratings they all use; None where each has its own. `is_counted` says whether any game
    counts. With `waited` the list is a later one that counts games of the report: `games` is their number and `figures`
    are of the players for whom it counts them. `replaced` are the players who have a change without being among the
    tournament's: a substitute played for them.
    """

    rating_list: RatingList
    seconds: int | None
    time_control: str
    calculation: str
    games: int | None
    basis: RatingList | None
    is_counted: bool
    figures: Mapping[int, EntryRating]
    part: int | None = None
    waited: bool = False
    replaced: Sequence[tuple[Player, EntryRating]] = ()

    @property
    def lists_all_players(self) -> bool:
        """Whether the players without a figure are shown too."""
        return self.part is None and not self.waited

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


@dataclass(frozen=True)
class PublishedTournament(CountedTournament):
    """A tournament with its crosstable and rating changes.

    `counted` has one entry; of a session one for each time control of its games, in the lists of its pools (R25).
    `listed` has the players on the list, each with the title that it prints.
    """

    entrants: Entrants
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
        _with_list(counted_result_sets(rating_list))
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


def rating_changes(
    found: CountedTournament, players: Sequence[int], persons: Mapping[int, Player]
) -> tuple[list[CountedGames], dict[int, str]]:
    """What a tournament changed in the ratings of these players, and their titles: `PublishedTournament` has the parts.

    `persons` are the `surviving_players` of its list. 4 queries; of a session and of several parts more, as there; in a
    system that rates by game 1 more for each list, and 2 for each later one.
    """
    counted: list[CountedGames] = []
    listed = dict(found.rating_list.rows.filter(player_id__in=players).values_list("player_id", "title"))
    for part in found.parts:
        for one in part.lists:
            tournament = part.tournament
            if one != part.rating_list:
                tournament = _with_list(counted_result_sets(one)).get(
                    tournament__code=tournament.code, part=tournament.part
                )
            read_as = persons if one == found.rating_list else surviving_players(one)
            games = _counted_games(one, tournament, players, read_as)
            counted += [_of_part(one, part, read_as) for one in games] if found.has_parts else games
        for one in part.later_lists:
            waited = _waited_games(one, part, players, surviving_players(one))
            if waited.figures or waited.replaced:
                counted.append(replace(waited, part=part.tournament.part) if found.has_parts else waited)
    replaced = [player.pk for games in counted for player, _ in games.replaced]
    for one in dict.fromkeys(games.rating_list for games in counted):
        if replaced or one != found.rating_list:
            rows = one.rows.filter(player_id__in=[*players, *replaced])
            listed = dict(rows.values_list("player_id", "title")) | listed
    counted.sort(key=lambda games: -(games.seconds or 0))
    return counted, listed


def _of_part(counted: CountedGames, part: CountedPart, persons: Mapping[int, Player]) -> CountedGames:
    """The games of one part of several: the figures of its players alone. 1 query."""
    stored = Entry.objects.filter(result_set=part.tournament.pk).values_list("player", flat=True)
    own = {persons[player].pk if player in persons else player for player in stored}
    return replace(
        counted,
        games=part.tournament.games_played or 0,
        figures={player: figures for player, figures in counted.figures.items() if player in own},
        part=part.tournament.part,
    )


def tournament_report(code: str) -> tuple[ResultSet, ReadReport]:
    """A published tournament and all its games as a report has them, with the titles that the list prints and the
    ratings that the calculation started from.

    14 to 16 queries, of a session more as in `published_tournament`. Raises `NotPublishedError`.
    """
    found = published_tournament(code, most=None)
    tournament, register = found.tournament, found.rating_list.report_rules.register
    report = stored_report(tournament, found.entrants, register)
    ratings = {
        player: figures.rating
        for games in reversed(found.counted)
        for player, figures in games.figures.items()
        if figures.rating is not None
    }
    rounds = Round.objects.filter(result_set__in=found.results).order_by("result_set__part")
    # The last part that says the day of a round.
    days = {number: day for number, day in rounds.values_list("number", "played_on") if day}
    return tournament, replace(
        report,
        info=replace(report.info, rounds=tuple(days[number] for number in sorted(days))),
        players=tuple(
            replace(
                player,
                title=found.listed.get(entry.player.pk, ""),
                rating_printed=ratings.get(entry.player.pk),
            )
            for player, entry in zip(report.players, found.entrants.entries, strict=True)
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
    persons = surviving_players(counted_as.rating_list)
    players = entrants(counted_as.results, persons)
    table = crosstable(players, counted_as.tournament.plus_draws, first, most)
    if not table.lines and first:
        raise NoSuchPageError(f"{len(table.numbers)} players, asked for those from {first + 1} on")
    counted, listed = rating_changes(counted_as, [line.entry.player.pk for line in table.lines], persons)
    return PublishedTournament(
        **{field.name: getattr(counted_as, field.name) for field in fields(counted_as)},
        entrants=players,
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
            replaced=_replaced_players(tournament, changes.get(None, {}), persons),
        )
        for parts in together
    ]


def _waited_games(
    rating_list: RatingList, part: CountedPart, players: Sequence[int], persons: Mapping[int, Player]
) -> CountedGames:
    """The games of a part that a later list counts, with the figures of those of these players who have any.

    `persons` are the `surviving_players` of that list. 2 queries.
    """
    own: dict[int, list[Change]] = {}
    for change in rating_list.changes.filter(result_set_id=part.tournament.pk).order_by("sequence"):
        own.setdefault(change.player_id, []).append(change)
    found = {player: by_clock(rating_list, changes)[None] for player, changes in own.items()}
    return CountedGames(
        rating_list,
        None,
        "",
        "",
        len(
            {
                change.game_id
                for changes in own.values()
                for change in changes
                if isinstance(change, GameChange)
            }
        ),
        None,
        True,
        {
            player: _figures_by_game(found[person])
            for player in players
            if (person := persons[player].pk if player in persons else player) in found
        },
        waited=True,
        replaced=_replaced_players(part.tournament, found, persons),
    )


def _figures_by_game(change: TournamentFigures) -> EntryRating:
    return EntryRating(change.own_rating if isinstance(change, GameChanges) else None, change)


def _replaced_players(
    tournament: ResultSet, changes: Mapping[int, TournamentFigures], persons: Mapping[int, Player]
) -> list[tuple[Player, EntryRating]]:
    """The players with a change by games who are not among those of a tournament, by name. 1 or 2 queries; none by
    tournament.
    """
    by_game = {player: change for player, change in changes.items() if isinstance(change, GameChanges)}
    if not by_game:
        return []
    stored = Entry.objects.filter(result_set=tournament.pk).values_list("player", flat=True)
    absent = by_game.keys() - {persons[player].pk if player in persons else player for player in stored}
    players = Player.objects.filter(pk__in=absent).order_by("sort_name", "pk") if absent else ()
    return [(player, _figures_by_game(by_game[player.pk])) for player in players]


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
