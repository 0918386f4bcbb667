"""What a published tournament changed in the ratings of its players, and its whole report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from django.db.models import Count

from ratings.models import (
    Change,
    GameChange,
    GameChanges,
    RatingList,
    TournamentFigures,
    basis_of,
    by_clock,
)
from ratings.queries.counted_results import counted_result_sets
from ratings.queries.list_rows import PAGE_ROWS, NoSuchPageError
from ratings.queries.lists import published
from ratings.queries.merges import merged_ratings, surviving_players
from ratings.queries.time_controls import (
    clock_calculation,
    clock_label,
    clocks_in_list,
)
from ratings.queries.tournaments import CountedPart, CountedTournament, counted_tournament, with_list
from ratings.rules.declared import ShownFigure
from reporting.models import Entry, Player, ResultSet, Round
from reporting.reports.selectors.tournaments import (
    Crosstable,
    Entrants,
    crosstable,
    entrants,
    stored_report,
)
from reporting.rules.report import ReadReport


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
                tournament = with_list(counted_result_sets(one)).get(
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
