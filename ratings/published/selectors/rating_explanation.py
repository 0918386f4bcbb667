"""How a player's rating on a list is calculated: tournament by tournament, game by game."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Q, QuerySet, TextChoices
from django.utils.translation import gettext_lazy

from ratings.models import (
    CarriedDifference,
    Change,
    GameChange,
    GameChanges,
    ListRow,
    PlayerHistory,
    RatingList,
    TournamentFigures,
)
from ratings.published.selectors.players import PoolHistory, PublishedPlayer
from ratings.queries.counted_results import counted_result_sets
from ratings.queries.lists import carried_revisions
from ratings.queries.merges import merged_ratings, records_of, replace_merged_players, surviving_players
from ratings.queries.time_controls import clocks_in_list, time_control_label
from ratings.rules.values import ExplanationStep
from reporting.models import Entry, Game, Player, ResultSet, relation_of
from reporting.register.selectors.register import players_by_number
from reporting.rules.details.time_control import parse_time_control
from reporting.rules.register.registers import Register
from reporting.rules.report import ReportedGame


class NotCounted(TextChoices):
    """Why a game does not count for a player (R8)."""

    NO_OPPONENT = "no_opponent", gettext_lazy("no opponent")
    NOT_PLAYED = "not_played", gettext_lazy("not played")
    OPPONENT_NOT_LISTED = "opponent_not_listed", gettext_lazy("opponent not on the list")
    NO_CHANGE = "no_change", gettext_lazy("no change on this list")


@dataclass(frozen=True)
class PlayerGame:
    """A game of one player: the opponent, the opponent's rating, and why it does not count, if so.

    `change` is that by this game, in a system that rates by game, and `steps` its calculation. The game of a substitute
    may count for the player replaced: `played_by` is the substitute where that is this player; `played_for` is whom
    this player replaced, `opponent_for` whom the opponent did.
    """

    game: Game
    white: bool
    opponent: Entry | None
    opponent_rating: int | None
    points: int
    counted: bool
    not_counted_reason: NotCounted | None
    change: GameChange | None = None
    steps: Sequence[ExplanationStep] = ()
    played_by: Player | None = None
    played_for: Player | None = None
    opponent_for: Player | None = None


@dataclass(frozen=True)
class PlayerEvent:
    """A tournament of a player: the change with its calculation, and the games. Without a change no game counted.

    In a system that rates by game each game has its own calculation, and the change is that of all. `clock` is the time
    for 60 moves of the games of a session (R25), in seconds; None in another tournament.
    """

    tournament: ResultSet
    change: TournamentFigures | None
    basis: RatingList | None
    steps: Sequence[ExplanationStep]
    games: Sequence[PlayerGame]
    clock: int | None = None

    @property
    def time_control(self) -> str:
        """The time control of a session's games as it is shown; empty in another tournament."""
        return clock_of_session(self.tournament, self.clock)

    @property
    def is_provisional(self) -> bool:
        return self.change is not None and self.change.is_provisional


@dataclass(frozen=True)
class CarriedPoints:
    """The difference that the correction of an earlier list adds to a player's start on a later one."""

    revision: RatingList
    rating: int
    games: int


@dataclass(frozen=True)
class RatingExplanation:
    """How a player's rating on one list is calculated (R9).

    `steps` lead to the rating (`Explanation.rating_steps`). `based_on` is the previous list where it is a revision that
    was replaced since: the history has other figures. Events that are folded have no games.
    """

    rating_list: RatingList
    rating: int
    previous: int | None
    events: Sequence[PlayerEvent]
    steps: Sequence[ExplanationStep]
    carried: Sequence[CarriedPoints] = ()
    based_on: RatingList | None = None
    is_folded: bool = False

    @property
    def total(self) -> ExplanationStep | None:
        """The last step, the rating; None where it did not change, and on an opening list."""
        return self.steps[-1] if self.steps else None


def rating_explanation(
    player: PublishedPlayer, figures: PlayerHistory, most_games: int | None = None
) -> RatingExplanation:
    """How a player's rating on one list is calculated, event by event in R5's order.

    5 queries, 2 more with carried points, 1 more with merges; none for an opening list. Every figure is the stored
    one; its rating system puts them into the formulas. A system that rates by game reads the row in place of the
    opponents' ratings, and may read rows or games of earlier lists for the steps. With more than `most_games` in
    its tournaments they have no games: `explained_games` has them.
    """
    rating_list = figures.list
    previous = None if figures.change is None else figures.rating - figures.change
    if rating_list.period_id is None:
        return RatingExplanation(rating_list, figures.rating, previous, [], ())
    row: ListRow | PlayerHistory = _row(rating_list, player.player) if rating_list.is_by_game else figures
    persons = surviving_players(rating_list)
    lines = list(_entries(rating_list, player.player, persons))
    is_folded = (
        rating_list.is_by_game
        and most_games is not None
        and max(figures.period_games, _number_of_games(lines)) > most_games
    )
    if is_folded:
        changes = list(_changes(rating_list, player.player))
        events = _folded_events(lines, changes)
    else:
        changes = list(_changes(rating_list, player.player).select_related(*_related(rating_list)))
        events = _events(row, player.player, lines, changes, persons)
    carried = CarriedDifference.objects.filter(list=rating_list.pk, player=player.player.pk).first()
    points = carried.rating if carried else 0
    return RatingExplanation(
        rating_list,
        figures.rating,
        previous,
        events,
        rating_list.rating_system.explanation.rating_steps(rating_list.rules, changes, row, points),
        carried_points(rating_list, player.player.pk) if carried else (),
        _replaced_since(player.pools[rating_list.pool.code], rating_list.previous) if previous else None,
        is_folded,
    )


def explained_games(player: Player, rating_list: RatingList, code: str) -> list[PlayerEvent]:
    """The parts of one tournament of a player with their games, in a system that rates by game. 4 queries, 1 more with
    merges; none and no event for an opening list.
    """
    if rating_list.period_id is None:
        return []
    persons = surviving_players(rating_list)
    lines = list(_entries(rating_list, player, persons).filter(result_set__tournament__code=code))
    changes = _changes(rating_list, player).filter(result_set__tournament__code=code)
    of_code = list(changes.select_related(*_related(rating_list)))
    return _events(_row(rating_list, player), player, lines, of_code, persons)


def _changes(rating_list: RatingList, player: Player) -> QuerySet[Change]:
    return rating_list.changes.filter(player_id=player.pk).order_by("sequence")


def _row(rating_list: RatingList, player: Player) -> ListRow:
    row = rating_list.rows.get(player_id=player.pk)
    row.list = rating_list
    return row


def _related(rating_list: RatingList) -> Sequence[str]:
    if not rating_list.is_by_game:
        return (rating_list.declaration.basis,)
    own_details = rating_list.report_rules.details
    return (
        (*CHANGE_OF_GAME, f"result_set__{relation_of(own_details)}") if own_details.table else CHANGE_OF_GAME
    )


def _entries(rating_list: RatingList, player: Player, persons: Mapping[int, Player]) -> QuerySet[Entry]:
    """The lines of a player in the tournaments that a list counts, in R5's order."""
    return (
        Entry.objects.filter(
            player_id__in=records_of(player, persons), result_set__in=counted_result_sets(rating_list)
        )
        .select_related("result_set__country")
        .order_by("result_set__played_to", "result_set__number", "number")
    )


def _number_of_games(entries: Iterable[Entry]) -> int:
    """The number of games of these lines. 1 query."""
    keys = [entry.pk for entry in entries]
    return Game.objects.filter(Q(white_id__in=keys) | Q(black_id__in=keys)).count()


def _folded_events(lines: Sequence[Entry], changes: Sequence[Change]) -> list[PlayerEvent]:
    """The events of a list by game without their games. No query, 1 with games that waited or of substitutes."""
    tournaments = {entry.result_set_id: entry.result_set for entry in lines}
    found: dict[int, list[GameChange]] = {}
    for change in changes:
        if isinstance(change, GameChange):
            found.setdefault(change.result_set_id, []).append(change)
    if absent := found.keys() - tournaments.keys():
        tournaments |= ResultSet.objects.select_related("country").in_bulk(absent)
    return [
        PlayerEvent(tournaments[key], GameChanges(found[key]) if key in found else None, None, [], [])
        for key in (*found, *(key for key in tournaments if key not in found))
    ]


def _events(
    row: ListRow | PlayerHistory,
    player: Player,
    lines: Sequence[Entry],
    changes: Sequence[Change],
    persons: Mapping[int, Player],
) -> list[PlayerEvent]:
    """The events of these lines and changes with their games. 1 query, and those of its two kinds."""
    entry_of = {entry.result_set_id: entry for entry in reversed(lines)}
    games = games_of(lines)
    replace_merged_players((game.opponent for of_entry in games.values() for game in of_entry), persons)
    own = {number: OwnGames(entry.result_set, games[entry.pk]) for number, entry in entry_of.items()}
    if row.list.is_by_game:
        events = _events_by_game(row, player, changes, persons, own)
    else:
        events = _events_on_basis(row, changes, persons, own)
    return [*events, *_without_change(row.list, entry_of.values(), games, changes)]


@dataclass(frozen=True)
class OwnGames:
    """A tournament of a player and the player's games in it."""

    tournament: ResultSet
    games: Sequence[PlayerGame]


CHANGE_OF_GAME = (
    "opponent", "result_set__country", "game__white__player", "game__black__player",
)  # fmt: skip
"""What the calculation of a game reads besides its change."""


def _events_on_basis(
    row: ListRow | PlayerHistory,
    changes: Sequence[Change],
    persons: Mapping[int, Player],
    own: Mapping[int, OwnGames],
) -> list[PlayerEvent]:
    """An event for each change by tournament, with the opponents' ratings on the list it uses. 1 query."""
    rating_list = row.list
    opponents = {
        game.opponent.player.pk
        for of_tournament in own.values()
        for game in of_tournament.games
        if game.opponent is not None
    }
    bases = {change.pk: getattr(change, rating_list.declaration.basis) for change in changes}
    ratings = merged_ratings(set(bases.values()), opponents, persons)
    events = []
    for change in changes:
        tournament, basis = own[change.result_set_id].tournament, bases[change.pk]
        counted = games_of_clock(own[change.result_set_id].games, tournament, rating_list, change.clock)
        events.append(
            PlayerEvent(
                tournament,
                change,
                basis,
                _steps(row, change, tournament),
                [game_on_basis(game, basis.pk, ratings) for game in counted],
                change.clock,
            )
        )
    return events


def _events_by_game(
    row: ListRow | PlayerHistory,
    player: Player,
    changes: Sequence[Change],
    persons: Mapping[int, Player],
    own: Mapping[int, OwnGames],
) -> list[PlayerEvent]:
    """An event for each tournament with changes by game, in their order; each game with its calculation.

    A game may count for a player who did not play it, or have waited since an earlier list: it is shown too. No query,
    1 where substitutes played.
    """
    rating_list = row.list
    found: dict[int, dict[int, GameChange]] = {}
    for change in changes:
        if isinstance(change, GameChange):
            found.setdefault(change.result_set_id, {})[change.game_id] = change
    shown_games: dict[int, list[PlayerGame]] = {}
    for key, of_tournament in found.items():
        tournament = next(iter(of_tournament.values())).result_set
        games = own[key].games if key in own else ()
        games = games_of_clock(games, tournament, rating_list, None)
        known = {game.game.pk for game in games}
        more = [
            game_of(change, player, persons)
            for change in of_tournament.values()
            if change.game_id not in known
        ]
        shown_games[key] = [*games, *more]
    register = rating_list.report_rules.register
    replaced = replaced_players((game.game for games in shown_games.values() for game in games), register)
    events = []
    for key, of_tournament in found.items():
        counted = list(of_tournament.values())
        tournament = counted[0].result_set
        shown = [
            game_by_change(with_replaced(game, replaced), of_tournament.get(game.game.pk))
            for game in shown_games[key]
        ]
        events.append(
            PlayerEvent(
                tournament,
                GameChanges(counted),
                None,
                [],
                [
                    replace(game, steps=_steps(row, game.change, tournament)) if game.change else game
                    for game in shown
                ],
            )
        )
    return events


def game_of(change: GameChange, player: Player, persons: Mapping[int, Player]) -> PlayerGame:
    """The game of a change as that of the player for whom it counts."""
    game = change.game
    replace_merged_players((game.white, game.black), persons)
    at_board = [entry.player.pk if entry else None for entry in (game.white, game.black)]
    if player.pk in at_board:
        white = player.pk == at_board[0]
    else:  # replaced; a record that was merged into the player has another number
        white = game.black_for is None or game.white_for in player.numbers.values()
    own, opponent = (game.white, game.black) if white else (game.black, game.white)
    played_by = own.player if own is not None and own.player.pk != player.pk else None
    return PlayerGame(game, white, opponent, None, change.points, False, None, played_by=played_by)


def replaced_players(games: Iterable[Game | ReportedGame], register: Register) -> dict[int | None, Player]:
    """Number in the register → the player whom a substitute replaces in one of the games. 1 query, or none for none."""
    numbers = {number for game in games for number in (game.white_for, game.black_for) if number}
    return players_by_number(register, numbers) if numbers else {}


def with_replaced(game: PlayerGame, replaced: Mapping[int | None, Player]) -> PlayerGame:
    """The game with the players whom substitutes replace in it, by their numbers."""
    if not replaced:
        return game
    own, other = game.game.white_for, game.game.black_for
    if not game.white:
        own, other = other, own
    played_for = None if game.played_by else replaced.get(own)
    return replace(game, played_for=played_for, opponent_for=replaced.get(other))


def game_by_change(game: PlayerGame, change: GameChange | None) -> PlayerGame:
    """The game with the rating that its change counts; without a change it does not count."""
    if change is None:
        return replace(game, not_counted_reason=game.not_counted_reason or NotCounted.NO_CHANGE)
    return replace(game, opponent_rating=change.opponent_rating, counted=True, change=change)


def _without_change(
    rating_list: RatingList,
    entries: Iterable[Entry],
    games: Mapping[int, Sequence[PlayerGame]],
    changes: Iterable[Change],
) -> Iterator[PlayerEvent]:
    """The tournaments, of a session the time controls, in which no game counted."""
    known = {(change.result_set_id, change.clock) for change in changes}
    for entry in entries:
        tournament = entry.result_set
        for _, seconds in clocks_in_list(tournament, rating_list):
            clock = seconds if tournament.session else None
            own = games_of_clock(games[entry.pk], tournament, rating_list, clock)
            if rating_list.is_by_game:
                own = [game_by_change(game, None) for game in own]
            if known.isdisjoint({(tournament.pk, clock), (tournament.pk, None)}) and (own or clock is None):
                yield PlayerEvent(tournament, None, None, [], own, clock)


def carried_points(rating_list: RatingList, player_id: int) -> list[CarriedPoints]:
    """The difference of each correction that a list carries for one player, oldest list first. 2 queries."""
    revisions = carried_revisions(rating_list)
    lists = [number for revision in revisions for number in (revision.pk, _replaces(revision))]
    rows = {
        row.list_id: row
        for row in rating_list.rating_system.row_model._default_manager.filter(
            list_id__in=lists, player_id=player_id
        )
    }
    points = []
    for revision in revisions:
        after, before = rows.get(revision.pk), rows.get(_replaces(revision))
        rating = (after.rating if after else 0) - (before.rating if before else 0)
        games = (after.games if after else 0) - (before.games if before else 0)
        if rating or games:
            points.append(CarriedPoints(revision, rating, games))
    return points


def _replaces(revision: RatingList) -> int:
    assert revision.correction is not None  # noqa: S101 (a constraint of the database)
    return revision.correction.replaces_id


def _replaced_since(history: PoolHistory, previous: RatingList | None) -> RatingList | None:
    """The previous list, if the player's history shows another revision of it."""
    if previous is None:
        return None
    shown = history.on(previous.in_force)
    return None if shown is not None and shown.list_id == previous.pk else previous


def games_of(entries: Iterable[Entry]) -> dict[int, list[PlayerGame]]:
    """The games of a person by rounds: key of the entry → games, not rated yet. 1 query.

    Of two entries in one tournament the first one has the games of both (R24a).
    """
    first: dict[int, int] = {}
    owner = {entry.pk: first.setdefault(entry.result_set_id, entry.pk) for entry in entries}
    found: dict[int, list[PlayerGame]] = {key: [] for key in owner.values()}
    games = (
        Game.objects.filter(Q(white_id__in=list(owner)) | Q(black_id__in=list(owner)))
        .select_related("white__player", "black__player")
        .order_by("result_set_id", "round", "number", "pk")
    )
    for game in games:
        for own, opponent, points, white in (
            (game.white, game.black, game.white_points, True),
            (game.black, game.white, game.black_points, False),
        ):
            if own is not None and own.pk in owner:
                reason = NotCounted.NO_OPPONENT if opponent is None else NotCounted.NOT_PLAYED
                found[owner[own.pk]].append(
                    PlayerGame(game, white, opponent, None, points, False, None if game.played else reason)
                )
    return found


def game_on_basis(game: PlayerGame, basis: int, ratings: Mapping[tuple[int, int], int]) -> PlayerGame:
    """The game with the opponent's rating on the basis list (its key), and whether it counts (R8)."""
    rating = None if game.opponent is None else ratings.get((basis, game.opponent.player.pk))
    counted = game.game.played and rating is not None
    reason = game.not_counted_reason or (None if counted else NotCounted.OPPONENT_NOT_LISTED)
    return PlayerGame(game.game, game.white, game.opponent, rating, game.points, counted, reason)


def games_of_clock(
    games: Sequence[PlayerGame], tournament: ResultSet, rating_list: RatingList, clock: int | None
) -> list[PlayerGame]:
    """The games with a time for 60 moves; for None all that the list counts of the tournament (R25)."""
    clocks = {seconds for _, seconds in clocks_in_list(tournament, rating_list)} if clock is None else {clock}
    return [game for game in games if (game.game.seconds_for_60_moves or next(iter(clocks))) in clocks]


def _steps(row: ListRow | PlayerHistory, change: Change, tournament: ResultSet) -> Sequence[ExplanationStep]:
    rating_list = row.list
    seconds = change.clock or tournament.seconds_for_60_moves
    label = clock_of_session(tournament, change.clock) or time_control_label(tournament)
    return rating_list.rating_system.explanation.steps(rating_list.rules, change, row, label, seconds)


def clock_of_session(tournament: ResultSet, clock: int | None) -> str:
    """The time control of the games of a session with this time for 60 moves, as it is shown; else empty."""
    return ", ".join(
        control.words
        for control in map(parse_time_control, dict.fromkeys(tournament.session))
        if control.seconds_for_60_moves == clock
    )
