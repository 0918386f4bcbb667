"""Players on published lists, and how their ratings are calculated."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from typing import Any

from django.db.models import Q
from django.utils import timezone

from ratings.models import ListRow, PlayerHistory, Pool, RatingList, rows_of_lists
from ratings.published.selectors.player_rows import TitleRow, player_rows, printed_rows
from ratings.queries.list_rows import PAGE_ROWS, ROW_COLUMNS, NoSuchPageError
from ratings.queries.lists import (
    ErasedError,
    NotPublishedError,
    office_today,
)
from ratings.queries.merges import (
    MergeNote,
    merge_notes,
)
from reporting.federations.registry import discipline_labels, system_labels
from reporting.models import Player, PlayerTitle
from reporting.models.register import ERASED_NAME
from reporting.register.selectors.titles import titles_of
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
        """The titles held today in other disciplines than that of `row`: label of the discipline → title.

        The name of a rating system without disciplines.
        """
        rows = {(pool.pool.system, pool.pool.discipline): pool.row for pool in self.pools.values()}
        found = {place: title_today(self.titles, row.list, row.title) for place, row in rows.items()}
        found |= {
            (of_discipline.awarded_by, of_discipline.discipline): self.titles[field]
            for field, of_discipline in discipline_titles().items()
            if field in self.titles
        }
        labels, names, own = discipline_labels(), system_labels(), self.row.list.pool
        return {
            labels.get(discipline) or names[system]: title
            for (system, discipline), title in found.items()
            if title and (system, discipline) != (own.system, own.discipline)
        }

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
    """The player of an address, with the history in every pool. 2 queries, 3 more for a player with merged records.

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
