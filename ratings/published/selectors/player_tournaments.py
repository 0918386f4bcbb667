"""The tournaments of a player that published lists count: results, opponents, scores, best results."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, OuterRef, Q, Subquery

from ratings.inputs.in_force import merges_by_id
from ratings.models import Change, GameChanges, RatingList, TournamentFigures, basis_of, by_clock
from ratings.published.selectors.players import PublishedPlayer
from ratings.published.selectors.rating_explanation import (
    PlayerGame,
    clock_of_session,
    game_by_change,
    game_of,
    game_on_basis,
    games_of,
    games_of_clock,
    replaced_players,
    with_replaced,
)
from ratings.queries.counted_results import counting_lines
from ratings.queries.lists import published
from ratings.queries.merges import replace_merged_players
from ratings.queries.time_controls import clocks_in_list
from reporting.models import Entry, Game, Player, PlayerMerge, ResultSet
from reporting.rules.standings.cross_table import DRAW, WIN


@dataclass(frozen=True)
class PlayedTournament:
    """A tournament of a player as one list counts it; of a session the games of one time control (R25).

    Without a change no game counted. `clock` is the time for 60 moves of a session's games in seconds, else None.
    `entry` has the number of all players of the tournament; it is None where only games of substitutes count for the
    player. A game that waited is on the list that counts it alone.
    """

    tournament: ResultSet
    rating_list: RatingList
    entry: Any
    games: Sequence[PlayerGame]
    change: TournamentFigures | None
    clock: int | None

    @property
    def time_control(self) -> str:
        """The time control of a session's games as it is shown; empty in another tournament."""
        return clock_of_session(self.tournament, self.clock)

    @property
    def players(self) -> int | None:
        """The number of all players of the tournament; None without an entry."""
        number: int | None = self.entry and self.entry.players
        return number

    @property
    def own_games(self) -> Sequence[PlayerGame]:
        """The games that the player played, without those of substitutes."""
        return [game for game in self.games if game.played_by is None]

    @property
    def points(self) -> int:
        """In halves, as the crosstable adds them up."""
        return sum(game.points for game in self.own_games)

    @property
    def most_points(self) -> int:
        """The points for a win in every game, in halves."""
        return 2 * len(self.own_games)

    @property
    def performance_e4(self) -> int | None:
        """The performance of the change times 10,000; None where the rules define none or no game counted."""
        name = self.rating_list.declaration.performance
        return getattr(self.change, name) if name and self.change is not None else None


def player_tournaments(player: PublishedPlayer) -> list[PlayedTournament]:
    """The tournaments of a player, as the newest revision of each list counts them, newest first.

    4 queries, 2 more for each rating system, 1 more where a list was read with merges; up to 3 more in a system that
    rates by game. Entries of records merged into this one are this player's on the lists that were read with the merge
    (R24).
    """
    merged = PlayerMerge.objects.filter(surviving=player.player.pk).values("duplicate")
    of_person = Entry.objects.filter(Q(player=player.player.pk) | Q(player__in=merged))
    entries: dict[int, list[Entry]] = {}
    of_person = of_person.order_by("result_set", "number")
    for found in of_person.select_related("result_set__country").annotate(players=PLAYERS_OF_TOURNAMENT):
        entries.setdefault(found.result_set_id, []).append(found)
    counted = _counted_by(entries)
    lists = {one.pk: one for one in (*_lists_by_game(player), *(rating_list for _, rating_list in counted))}
    merges = merges_by_id({number for rating_list in lists.values() for number in rating_list.merges})
    persons = {
        rating_list.pk: {
            merge.duplicate_id: merge.surviving for merge in merges if merge.pk in rating_list.merges
        }
        for rating_list in lists.values()
    }

    def is_own(entry: Entry, rating_list: RatingList) -> bool:
        of_list = persons[rating_list.pk]
        person = of_list[entry.player_id].pk if entry.player_id in of_list else entry.player_id
        return person == player.player.pk

    own = [
        (entry, rating_list)
        for tournament, rating_list in counted
        for entry in entries[tournament]
        if is_own(entry, rating_list)
    ]
    games = games_of(entry for entry, _ in own)
    changes = _changes(list(lists.values()), player.player.pk)
    played = []
    for entry, rating_list in own:
        if entry.pk not in games:  # a second line of the same tournament (R24a)
            continue
        of_clocks = changes.get((rating_list.pk, entry.result_set_id), {})
        for clock, part in _by_clock(entry.result_set, rating_list, games[entry.pk], set(of_clocks)):
            replace_merged_players((game.opponent for game in part), persons[rating_list.pk])
            change = of_clocks.get(clock)
            played.append(PlayedTournament(entry.result_set, rating_list, entry, part, change, clock))
    played = _with_other_games(player.player, played, lists, changes, persons)
    played.sort(
        key=lambda one: (one.tournament.counting_day, one.tournament.number, -one.rating_list.pool_id),
        reverse=True,
    )
    return _with_ratings(played, persons)


PLAYERS_OF_TOURNAMENT = Subquery(
    Entry.objects.filter(result_set=OuterRef("result_set"))
    .order_by()
    .values("result_set")
    .annotate(number=Count("pk"))
    .values("number")
)


def _lists_by_game(player: PublishedPlayer) -> list[RatingList]:
    """The lists by game that the player is on, each in its newest revision. No query."""
    return [
        entry.list
        for pool in player.pools.values()
        for entry in (*pool.entries, *pool.upcoming)
        if entry.list.is_by_game
    ]


def _with_other_games(
    player: Player,
    played: Sequence[PlayedTournament],
    lists: Mapping[int, RatingList],
    changes: Mapping[tuple[int, int], Mapping[int | None, TournamentFigures]],
    persons: Mapping[int, Mapping[int, Player]],
) -> list[PlayedTournament]:
    """The same, each game on the list that counts it for the player, and with the games of substitutes that do.

    A game that waited moves from the list of its report to a later one; `changes` are those of the player on all
    `lists`, as `_changes` has them. Up to 2 queries where there are such games.
    """
    by_game = {
        key: {change.game_id: change for change in of_all.of_games}
        for key, of_clocks in changes.items()
        if isinstance(of_all := of_clocks.get(None), GameChanges)
    }
    counted_by = {game: key for (key, _), of_game in by_game.items() for game in of_game}
    known = {game.game.pk for one in played for game in one.games}
    absent = Game.objects.select_related("white__player", "black__player").in_bulk(counted_by.keys() - known)
    of_report = {one.tournament.pk: one for one in played}
    more = by_game.keys() - {(one.rating_list.pk, one.tournament.pk) for one in played}
    unseen = {result_set for _, result_set in more} - of_report.keys()
    tournaments = ResultSet.objects.select_related("country").in_bulk(unseen) if unseen else {}
    rows = list(played)
    for key, result_set in sorted(more):
        of_all, own = changes[key, result_set][None], of_report.get(result_set)
        rows.append(
            PlayedTournament(
                own.tournament if own else tournaments[result_set],
                lists[key],
                own and own.entry,
                own.games if own else (),
                of_all,
                None,
            )
        )
    found = []
    for one in rows:
        key, is_of_report = one.rating_list.pk, (one.rating_list.pk, one.tournament.pk) not in more
        of_game = by_game.get((key, one.tournament.pk), {})
        games = [
            game for game in one.games if counted_by.get(game.game.pk, key if is_of_report else None) == key
        ]
        for game, change in of_game.items():
            if game in absent:
                change.game = absent[game]
                games.append(game_of(change, player, persons[key]))
        if games or not one.games:
            found.append(replace(one, games=games))
    return found


def _counted_by(tournaments: Collection[int]) -> list[tuple[int, RatingList]]:
    """These tournaments, each with every published list whose newest revision counts it. 2 queries."""
    of_tournaments = counting_lines().filter(result_set__in=tournaments)
    lines = list(of_tournaments.values_list("result_set", "period", "correction"))
    lists = {
        (rating_list.period_id, rating_list.correction_id): rating_list
        for rating_list in published().filter(period__in={period for _, period, _ in lines})
    }
    return [(tournament, lists[period, correction]) for tournament, period, correction in lines]


def _changes(
    lists: Sequence[RatingList], player: int
) -> dict[tuple[int, int], dict[int | None, TournamentFigures]]:
    """The changes of a player on these lists: (list, tournament) → time for 60 moves → change. 1 query a system."""
    found: dict[tuple[int, int], list[Change]] = {}
    of_key = {rating_list.pk: rating_list for rating_list in lists}
    for system in {rating_list.system: rating_list.rating_system for rating_list in lists}.values():
        keys = [key for key, rating_list in of_key.items() if rating_list.system == system.code]
        changes = system.change_model._default_manager.filter(list_id__in=keys, player_id=player)
        for change in changes.order_by("list_id", "sequence"):
            found.setdefault((change.list_id, change.result_set_id), []).append(change)
    return {key: by_clock(of_key[key[0]], changes) for key, changes in found.items()}


def _by_clock(
    tournament: ResultSet, rating_list: RatingList, games: Sequence[PlayerGame], changed: set[int | None]
) -> Iterator[tuple[int | None, Sequence[PlayerGame]]]:
    """The games that a list counts; of a session those of each time control, where its system has a change for each."""
    if not tournament.session or None in changed:
        yield None, games_of_clock(games, tournament, rating_list, None)
        return
    for _, seconds in clocks_in_list(tournament, rating_list):
        part = games_of_clock(games, tournament, rating_list, seconds)
        if part:
            yield seconds, part


def _with_ratings(
    found: Sequence[PlayedTournament], persons: Mapping[int, Mapping[int, Player]]
) -> list[PlayedTournament]:
    """The same with the opponents' ratings as the calculation used them (R8). 1 query for each system with a basis."""
    stored: dict[tuple[int, int], int] = {}
    bases = [basis_of(played.change, played.rating_list) for played in found]
    changed = [(played, basis) for played, basis in zip(found, bases, strict=True) if basis is not None]
    for system in {one.rating_list.system: one.rating_list.rating_system for one, _ in changed}.values():
        lists = {basis for one, basis in changed if one.rating_list.system == system.code}
        of_system = [one for one, _ in changed if one.rating_list.system == system.code]
        opponents = {
            game.opponent.player.pk for one in of_system for game in one.games if game.opponent is not None
        }
        merged = {
            duplicate
            for one in of_system
            for duplicate, surviving in persons[one.rating_list.pk].items()
            if surviving.pk in opponents
        }
        rows = system.row_model._default_manager.filter(
            list_id__in=lists,
            player_id__in=opponents | merged,
        )
        stored |= {
            (list_id, player): rating
            for list_id, player, rating in rows.values_list("list_id", "player_id", "rating")
        }
    registers = {one.rating_list.system: one.rating_list.report_rules.register for one in found}
    substitutes = {
        system: replaced_players(
            (game.game for one in found if one.rating_list.system == system for game in one.games), register
        )
        for system, register in registers.items()
    }
    rated = []
    for played, basis in zip(found, bases, strict=True):
        replaced = substitutes[played.rating_list.system]
        if isinstance(played.change, GameChanges):
            by_game = {change.game_id: change for change in played.change.of_games}
            games = [
                game_by_change(with_replaced(game, replaced), by_game.get(game.game.pk))
                for game in played.games
            ]
            rated.append(replace(played, games=games))
            continue
        if basis is None:
            rated.append(played)
            continue
        merged_first = {
            (basis, surviving.pk): stored[basis, duplicate]
            for duplicate, surviving in reversed(list(persons[played.rating_list.pk].items()))
            if (basis, duplicate) in stored
        }
        ratings = merged_first | stored if merged_first else stored
        games = [game_on_basis(game, basis, ratings) for game in played.games]
        rated.append(replace(played, games=games))
    return rated


LEAST_GAMES = 5
"""A performance in fewer counted games is not among the best results."""


@dataclass(frozen=True)
class BestResults:
    """The best of some tournaments: first places, the best performance, the largest gain, the best player beaten.

    The newest one of equal results; None, or no tournament, where there is none.
    """

    first_places: Sequence[PlayedTournament]
    performance: PlayedTournament | None
    gain: PlayedTournament | None
    win: "Meeting | None"


def best_results(played: Sequence[PlayedTournament]) -> BestResults:
    """The best results in these tournaments. No query."""
    long_enough = [
        one
        for one in played
        if one.performance_e4 is not None and one.change is not None and one.change.games >= LEAST_GAMES
    ]
    gains = [one for one in played if one.change is not None and (one.change.added_e4 or 0) > 0]
    wins = [
        Meeting(game, one)
        for one in played
        for game in one.games
        if game.counted and game.points == WIN and game.opponent_rating is not None and game.played_by is None
    ]
    first_places = {
        one.tournament.pk: one for one in reversed(played) if one.entry is not None and one.entry.place == 1
    }
    return BestResults(
        list(reversed(first_places.values())),
        max(long_enough, key=lambda one: one.performance_e4 or 0, default=None),
        max(gains, key=lambda one: (one.change and one.change.added_e4) or 0, default=None),
        max(wins, key=lambda win: win.game.opponent_rating or 0, default=None),
    )


@dataclass(frozen=True)
class Score:
    """Games played, by their results."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def permille(self) -> int | None:
        """The points of the points for a win in every game, in tenths of a percent, halves up; None without a game."""
        return (1000 * (2 * self.won + self.drawn) + self.games) // (2 * self.games) if self.games else None

    @classmethod
    def of(cls, games: Iterable[PlayerGame]) -> "Score":
        """The score of the games that were played."""
        points = Counter(game.points for game in games if game.game.played)
        return cls(points[WIN], points[DRAW], points[0])


@dataclass(frozen=True)
class Meeting:
    """A game against an opponent, and its tournament."""

    game: PlayerGame
    played: PlayedTournament

    @property
    def result(self) -> str:
        """The result by the scale of the tournament, white first."""
        return self.game.game.result_in(self.played.tournament.points)


@dataclass(frozen=True)
class MetOpponent:
    """An opponent of a player with all games played between the two, the newest first."""

    player: Player
    meetings: Sequence[Meeting]

    @property
    def score(self) -> Score:
        return Score.of(meeting.game for meeting in self.meetings)


def met_opponents(played: Sequence[PlayedTournament]) -> list[MetOpponent]:
    """The opponents of games played in these tournaments, the most met first, then by name. No query."""
    players: dict[int, Player] = {}
    meetings: dict[int, list[Meeting]] = {}
    for one in played:
        for game in reversed(one.own_games):
            if game.game.played and game.opponent is not None:
                players.setdefault(game.opponent.player.pk, game.opponent.player)
                meetings.setdefault(game.opponent.player.pk, []).append(Meeting(game, one))
    return sorted(
        (MetOpponent(players[key], of_player) for key, of_player in meetings.items()),
        key=lambda met: (-len(met.meetings), met.player.sort_name, met.player.pk),
    )


def scores_by_colour(played: Sequence[PlayedTournament]) -> dict[str, Score]:
    """The scores with white, with black and of all games played in these tournaments. No query."""
    games = [game for one in played for game in one.own_games]
    return {
        "white": Score.of(game for game in games if game.white),
        "black": Score.of(game for game in games if not game.white),
        "all": Score.of(games),
    }
