"""Players on published lists, and how their ratings are calculated."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from typing import Any

from django.db.models import Q, TextChoices
from django.utils import timezone
from django.utils.translation import gettext_lazy

from ratings.models import CarriedDifference, Change, ListRow, PlayerHistory, Pool, RatingList, rows_of_lists
from ratings.published.selectors.player_rows import TitleRow, player_rows, printed_rows
from ratings.queries.counted_results import counted_result_sets
from ratings.queries.list_rows import PAGE_ROWS, ROW_COLUMNS, NoSuchPageError
from ratings.queries.lists import (
    ErasedError,
    NotPublishedError,
    carried_revisions,
    office_today,
)
from ratings.queries.merges import (
    MergeNote,
    merge_notes,
    merged_ratings,
    records_of,
    replace_merged_players,
    surviving_players,
)
from ratings.queries.time_controls import clocks_in_list, time_control_label
from ratings.rules.values import ExplanationStep
from reporting.federations.registry import discipline_labels
from reporting.models import Entry, Game, Player, PlayerTitle, ResultSet
from reporting.models.register import ERASED_NAME
from reporting.register.selectors import titles_of
from reporting.rules.details.time_control import parse_time_control
from reporting.rules.names.name_search import NameSearch
from reporting.rules.register.registers import number_in_address
from reporting.rules.register.titles import discipline_titles, title_field, titles_by_field


@dataclass(frozen=True)
class PoolHistory:
    """A player in one pool: the figures on each list up to the one in force, oldest first, and the row on `newest`.

    `upcoming` are the figures on lists that are published and not in force yet.
    """

    pool: Pool
    entries: Sequence[PlayerHistory]
    upcoming: Sequence[PlayerHistory]
    row: ListRow

    @property
    def newest(self) -> PlayerHistory:
        """The figures on the list in force; for a player on no such list, those on the first upcoming one."""
        return self.entries[-1] if self.entries else self.upcoming[0]

    @property
    def last_eventful(self) -> PlayerHistory:
        """The figures on the last list in force that says something new: a game, a change, the first rating."""
        for entry in reversed(self.entries):
            if entry.period_games or entry.change or entry.list.is_opening:
                return entry
        return self.newest

    @property
    def highest(self) -> PlayerHistory:
        """The first list with the highest rating."""
        return max(self.entries or self.upcoming, key=lambda entry: entry.rating)

    def on(self, in_force: date) -> PlayerHistory | None:
        """The figures on the list of that day."""
        return next((entry for entry in (*self.entries, *self.upcoming) if entry.in_force == in_force), None)


OFFICIAL_RANK, FEDERATION_RANK = "official", "federation"


@dataclass(frozen=True)
class RankRecord:
    """The best rank of a player on one kind of list, the first list with it, and the rank on the list in force.

    `name` is `OFFICIAL_RANK`, `FEDERATION_RANK` or the name of a derived list; `now` is None for a player who is not
    on that list any more.
    """

    name: str
    best: int
    entry: PlayerHistory
    now: int | None


def ranks_of(entry: PlayerHistory) -> dict[str, int]:
    """The ranks of a player on a list, by the names of `RankRecord`."""
    ranks = {
        OFFICIAL_RANK: entry.official_rank,
        FEDERATION_RANK: entry.federation_rank,
        **entry.derived_ranks,
    }
    return {name: rank for name, rank in ranks.items() if rank is not None}


def rank_records(history: PoolHistory) -> list[RankRecord]:
    """The best ranks of a player: official list, federation, then derived lists in the order of the rules. No query."""
    lists = history.entries or history.upcoming
    derived = [one.name for one in history.newest.list.rules.derived_lists]
    now = ranks_of(history.newest)
    records = []
    for name in (OFFICIAL_RANK, FEDERATION_RANK, *derived):
        ranked = [(ranks_of(entry)[name], entry) for entry in lists if name in ranks_of(entry)]
        if ranked:
            best, entry = min(ranked, key=lambda one: one[0])
            records.append(RankRecord(name, best, entry, now.get(name)))
    return records


@dataclass(frozen=True)
class PublishedPlayer:
    """A person as published lists show them; name and federation are those of the newest list in force."""

    player: Player
    pools: Mapping[str, PoolHistory]
    merges: Sequence[MergeNote]
    all_titles: Sequence[TitleRow]

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The titles held today (R42), as `titles_of` names them."""
        return titles_by_field(
            (title.awarded_by, title.discipline, title.title) for title in self.all_titles if title.is_held
        )

    @property
    def titles_stamp(self) -> tuple[tuple[int, str | None], ...]:
        """What a page about a player depends on that shows titles of other days too."""
        return tuple((title.key, title.withdrawn_on) for title in self.all_titles)

    @cached_property
    def row(self) -> ListRow:
        newest = max(
            self.pools.values(),
            key=lambda pool: (bool(pool.entries), pool.row.list.in_force, -pool.row.list_id),
        )
        return newest.row

    @property
    def title(self) -> str:
        """The title held today in the discipline of `row`."""
        return title_today(self.titles, self.row.list, self.row.title)

    @property
    def other_titles(self) -> dict[str, str]:
        """The titles held today in other disciplines than that of `row`: label of the discipline → title."""
        rows = {pool.pool.discipline: pool.row for pool in self.pools.values()}
        found = {place: title_today(self.titles, row.list, row.title) for place, row in rows.items()}
        found |= {
            of_discipline.discipline: self.titles[field]
            for field, of_discipline in discipline_titles().items()
            if field in self.titles and of_discipline.discipline not in rows
        }
        labels = discipline_labels()
        own = self.row.list.pool.discipline
        return {labels[place]: title for place, title in found.items() if title and place != own}

    @property
    def merged_into(self) -> Player | None:
        """The surviving record where lists read this one as another."""
        return next((note.other for note in self.merges if note.is_duplicate and note.until is None), None)

    @property
    def last_game(self) -> date | None:
        """The day of the last counted game in any pool."""
        return max((pool.row.last_game for pool in self.pools.values() if pool.row.last_game), default=None)


def title_today(titles: Mapping[str, str], rating_list: RatingList, printed: str) -> str:
    """The title held today in the discipline of a list; the printed one where its rating system awards no titles (R42).

    `titles` is what `titles_of` has of the player.
    """
    field = title_field(rating_list.system, rating_list.pool.discipline)
    return titles.get(field, "") if field else printed


def find_player(address: str) -> PublishedPlayer:
    """The player of an address, with the history in every pool. 2 queries, 2 more for a player with merged records.

    Raises `NotPublishedError` for a player on no published list, and `ErasedError`, which is one, for an erased person.
    """
    today = office_today()
    named = number_in_address(address)
    found = player_rows(*named, timezone.localdate()) if named else None
    if found is None:
        raise NotPublishedError(f"no published player {address}")
    if found.player.is_erased:
        raise ErasedError(f"player {address} was erased")
    histories: dict[Pool, dict[date, PlayerHistory]] = {}
    for entry in found.entries:
        histories.setdefault(entry.list.pool, {})[entry.in_force] = entry
    figures = {
        pool: [entry for day, entry in by_day.items() if day <= today] for pool, by_day in histories.items()
    }
    upcoming = {
        pool: [entry for day, entry in by_day.items() if day > today] for pool, by_day in histories.items()
    }
    newest = {pool: figures[pool][-1] if figures[pool] else upcoming[pool][0] for pool in histories}
    printed = printed_rows(found.player.pk, (entry.list for entry in newest.values()))
    rows = {row.list_id: row for row in printed}
    pools = {}
    for pool in histories:
        row = rows[newest[pool].list_id]
        row.list = newest[pool].list
        pools[pool.code] = PoolHistory(pool, figures[pool], upcoming[pool], row)
    merges = merge_notes(found.player) if found.is_merged else []
    player = PublishedPlayer(found.player, pools, merges, found.titles)
    if player.row.name == ERASED_NAME:
        raise ErasedError(f"player {address} was erased")
    return player


class NotCounted(TextChoices):
    """Why a game does not count for a player (R8)."""

    NO_OPPONENT = "no_opponent", gettext_lazy("no opponent")
    NOT_PLAYED = "not_played", gettext_lazy("not played")
    OPPONENT_NOT_LISTED = "opponent_not_listed", gettext_lazy("opponent not on the list")


@dataclass(frozen=True)
class PlayerGame:
    """A game of one player: the opponent, the opponent's rating, and why it does not count, if so."""

    game: Game
    white: bool
    opponent: Entry | None
    opponent_rating: int | None
    points: int
    counted: bool
    not_counted_reason: NotCounted | None


@dataclass(frozen=True)
class PlayerEvent:
    """A tournament of a player: the change with its calculation, and the games. Without a change no game counted.

    `clock` is the time for 60 moves of the games of a session (R25), in seconds; None in another tournament.
    """

    tournament: ResultSet
    change: Change | None
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

    `based_on` is the previous list where it is a revision that was replaced since: the history has other figures.
    """

    rating_list: RatingList
    rating: int
    previous: int | None
    events: Sequence[PlayerEvent]
    total: ExplanationStep | None
    carried: Sequence[CarriedPoints] = ()
    based_on: RatingList | None = None


def rating_explanation(player: PublishedPlayer, figures: PlayerHistory) -> RatingExplanation:
    """How a player's rating on one list is calculated, event by event in R5's order.

    5 queries, 2 more with carried points, 1 more with merges; none for an opening list. Every figure is the stored
    one; its rating system puts them into the formulas.
    """
    rating_list = figures.list
    previous = None if figures.change is None else figures.rating - figures.change
    if rating_list.period_id is None:
        return RatingExplanation(rating_list, figures.rating, previous, [], None)
    changes = list(
        rating_list.changes.filter(player_id=player.player.pk)
        .select_related("basis_list")
        .order_by("sequence")
    )
    persons = surviving_players(rating_list)
    entries = (
        Entry.objects.filter(
            player_id__in=records_of(player.player, persons),
            result_set__in=counted_result_sets(rating_list),
        )
        .select_related("result_set__country")
        .order_by("result_set__played_to", "result_set__number", "number")
    )
    lines = list(entries)
    entry_of = {entry.result_set_id: entry for entry in reversed(lines)}
    games = games_of(lines)
    replace_merged_players((game.opponent for own in games.values() for game in own), persons)
    opponents = {
        game.opponent.player.pk for own in games.values() for game in own if game.opponent is not None
    }
    ratings = merged_ratings({change.basis_list for change in changes}, opponents, persons)
    events = []
    for change in changes:
        entry = entry_of[change.result_set_id]
        tournament = entry.result_set
        counted = games_of_clock(games[entry.pk], tournament, rating_list, change.clock)
        events.append(
            PlayerEvent(
                tournament,
                change,
                change.basis_list,
                _steps(rating_list, change, tournament),
                [game_on_basis(game, change.basis_list_id, ratings) for game in counted],
                change.clock,
            )
        )
    events += _without_change(rating_list, entry_of.values(), games, changes)
    carried = CarriedDifference.objects.filter(list=rating_list.pk, player=player.player.pk).first()
    points = carried.rating if carried else 0
    return RatingExplanation(
        rating_list,
        figures.rating,
        previous,
        events,
        rating_list.rating_system.explanation.rating_step(changes, figures.rating, points),
        carried_points(rating_list, player.player.pk) if carried else (),
        _replaced_since(player.pools[rating_list.pool.code], rating_list.previous) if previous else None,
    )


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


def _steps(rating_list: RatingList, change: Change, tournament: ResultSet) -> Sequence[ExplanationStep]:
    seconds = change.clock or tournament.seconds_for_60_moves
    label = clock_of_session(tournament, change.clock) or time_control_label(tournament)
    return rating_list.rating_system.explanation.steps(rating_list.rules, change, label, seconds)


def clock_of_session(tournament: ResultSet, clock: int | None) -> str:
    """The time control of the games of a session with this time for 60 moves, as it is shown; else empty."""
    return ", ".join(
        control.words
        for control in map(parse_time_control, dict.fromkeys(tournament.session))
        if control.seconds_for_60_moves == clock
    )


@dataclass(frozen=True)
class FoundPlayer:
    """A player found by name or number: the row shown, with the title held today (R42), its list, the ratings by list.

    The reason is empty where it is obvious.
    """

    row: Mapping[str, Any]
    list: RatingList
    ratings: Mapping[int, int]
    reason: str = ""


@dataclass(frozen=True)
class PlayerPage:
    """A page of the players found, and their number: by name, or for a search the likeliest first."""

    players: Sequence[FoundPlayer]
    lists: Sequence[RatingList]
    total: int
    page: int
    pages: int


def player_page(
    lists: Sequence[RatingList], stamp: tuple[str, ...], typed: str, number: int | None, page: int
) -> PlayerPage:
    """Players of these lists by name in any spelling or by number. 3 queries; 2 once the names are read.

    `stamp` is `stamp_of` these lists: while it stays the same, the names are not read again. Raises
    `NoSuchPageError`.
    """
    found, total = found_players(lists, stamp, typed, number, first=(page - 1) * PAGE_ROWS)
    pages = max(-(-total // PAGE_ROWS), 1)
    if page > pages:
        raise NoSuchPageError(f"{pages} pages, asked for {page}")
    return PlayerPage(found, lists, total, page, pages)


@dataclass(frozen=True, kw_only=True)
class PlayerFilters:
    """Which players: those at some addresses, on a list of a pool, of a federation, with a rating, holding a title."""

    addresses: Sequence[str] = ()
    pool: str = ""
    federation: str = ""
    least_rating: int | None = None
    most_rating: int | None = None
    title: str = ""


def players_among(lists: Sequence[RatingList], filters: PlayerFilters) -> set[int]:
    """The players (ids) with a row on one of these lists that fits all filters. 1 query a system, 1 more a register."""
    condition = Q()
    if filters.addresses:
        condition &= Q(player_id__in=Player.objects.keys_at(filters.addresses).values())
    if filters.federation:
        condition &= Q(federation=filters.federation)
    if filters.least_rating is not None:
        condition &= Q(rating__gte=filters.least_rating)
    if filters.most_rating is not None:
        condition &= Q(rating__lte=filters.most_rating)
    if filters.title:
        holders = PlayerTitle.objects.held_on(timezone.localdate()).filter(title=filters.title)
        condition &= Q(player_id__in=holders.values("player_id"))
    chosen = [one for one in lists if filters.pool in ("", one.pool.code)]
    return {
        player
        for rows in rows_of_lists(chosen)
        for player in rows.filter(condition).values_list("player_id", flat=True)
    }


def found_players(
    lists: Sequence[RatingList],
    stamp: tuple[str, ...],
    typed: str,
    number: int | None,
    *,
    among: Container[int] | None = None,
    first: int = 0,
    most: int = PAGE_ROWS,
) -> tuple[list[FoundPlayer], int]:
    """`most` of the players that `player_page` finds, from place `first` on, counted from 0, and the number of all.

    Only those `among` some ids, where these are given.
    """
    reasons: dict[int, str] = {}
    everyone: Sequence[int]
    if number is not None:
        numbered = (
            rows.filter(register_number=number).exclude(name=ERASED_NAME) for rows in rows_of_lists(lists)
        )
        everyone = sorted(
            {player for rows in numbered for player in rows.values_list("player_id", flat=True)}
        )
    else:
        index = name_index(tuple(lists), stamp)
        everyone = index.by_name
        if typed:
            for name in index.search.find(typed):
                reasons.setdefault(index.players[name.place], name.reason)
            everyone = list(reasons)
    if among is not None:
        everyone = [player for player in everyone if player in among]
    keys = everyone[first : first + most]
    by_player: dict[int, list[dict[str, Any]]] = {key: [] for key in keys}
    for rows in rows_of_lists(lists):
        for row in rows.filter(player_id__in=keys).values("list_id", "player_id", *ROW_COLUMNS):
            by_player[row["player_id"]].append(row)
    order = {shown.pk: (-shown.in_force.toordinal(), shown.pool_id) for shown in lists}
    by_key = {shown.pk: shown for shown in lists}
    newest = {key: min(own, key=lambda row: order[row["list_id"]]) for key, own in by_player.items()}
    titles = titles_of(keys)
    players_shown = [
        FoundPlayer(
            newest[key]
            | {"title": title_today(titles[key], by_key[newest[key]["list_id"]], newest[key]["title"])},
            by_key[newest[key]["list_id"]],
            {row["list_id"]: row["rating"] for row in own},
            reasons.get(key, ""),
        )
        for key, own in by_player.items()
    ]
    return players_shown, len(everyone)


@dataclass(frozen=True)
class NameIndex:
    """The names of players, the player of each, and all players once, by name; of different names by the last one."""

    search: NameSearch
    players: Sequence[int]
    by_name: Sequence[int]


@lru_cache(maxsize=2)
def name_index(lists: tuple[RatingList, ...], stamp: tuple[str, ...]) -> NameIndex:  # noqa: ARG001
    """The names on these lists, indexed. Cached while the stamp stays the same. 1 query a system."""
    names = sorted(
        {
            pair
            for rows in rows_of_lists(lists)
            for pair in rows.exclude(name=ERASED_NAME).values_list("sort_name", "player_id").distinct()
        }
    )
    players = [player for _, player in names]
    by_name = list(dict.fromkeys(reversed(players)))[::-1]
    return NameIndex(NameSearch([name for name, _ in names]), players, by_name)
