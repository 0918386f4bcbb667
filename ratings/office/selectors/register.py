"""Published lists about players of the register, for the pages of the register."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from ratings.federations.facet import Edition
from ratings.federations.registry import edition_in_force, rating_systems
from ratings.models import ListRow, PlayerHistory, RatingList, rows_of_lists
from ratings.queries.counted_results import current_manifest_lines
from ratings.queries.lists import newest_lists
from ratings.queries.periods import period_after
from ratings.rules.derived_lists import DerivedList, birth_years
from reporting.models import Player, PlayerQuerySet
from reporting.reports.selectors.rating_lists import CountedIn


def players_on_newest_lists(players: PlayerQuerySet, present: bool) -> PlayerQuerySet:
    """Those of the players who are on one of the newest lists, or on none of them. 1 query."""
    on_a_list = Q(pk__in=[])
    for rows in rows_of_lists(newest_lists()):
        on_a_list |= Q(Exists(rows.filter(player_id=OuterRef("pk"))))
    return players.filter(on_a_list if present else ~on_a_list)


def newest_ratings(players: Collection[int]) -> tuple[list[RatingList], dict[int, dict[int, int]]]:
    """The newest lists, and player's key → list's key → rating. 1 query, 1 more a rating system."""
    lists = newest_lists()
    found: dict[int, dict[int, int]] = {}
    for rows in rows_of_lists(lists):
        ratings = rows.filter(player_id__in=players).values_list("player_id", "list_id", "rating")
        for player, rating_list, rating in ratings:
            found.setdefault(player, {})[rating_list] = rating
    return lists, found


@dataclass(frozen=True)
class ListedPlayer:
    """A player's row on a list, and the place among the federation's players on the official list."""

    rating_list: RatingList
    row: ListRow
    federation_place: int | None


def list_rows_of_player(lists: Sequence[RatingList], player: Player) -> list[ListedPlayer]:
    """A player's rows on these lists, in order. 1 query, 1 more for each official list with the player."""
    rows = {row.list_id: row for rows in rows_of_lists(lists) for row in rows.filter(player_id=player.pk)}
    found = []
    for rating_list in lists:
        row = rows.get(rating_list.pk)
        if row is None:
            continue
        place = None
        if row.official_position is not None:
            place = rating_list.rows.filter(
                federation=row.federation, official_position__lte=row.official_position
            ).count()
        found.append(ListedPlayer(rating_list, row, place))
    return found


def published_since(player: Player, day: date) -> int:
    """The number of published lists with the player that close on or after a day, revisions included. 1 query."""
    history = PlayerHistory.objects.filter(player_id=player.pk, list__state=RatingList.State.PUBLISHED)
    return history.filter(list__closing__gte=day).count()


@dataclass(frozen=True)
class PrintedName:
    """A name as lists printed it, and the first and last day of these lists."""

    name: str
    first: date
    last: date


def printed_names(player: Player) -> list[PrintedName]:
    """The names that published lists have printed for a player, newest first. 2 queries."""
    history = PlayerHistory.objects.filter(player_id=player.pk, list__state=RatingList.State.PUBLISHED)
    lists = {entry.list_id: entry.list for entry in history.select_related("list")}
    printed = sorted(
        (lists[row.list_id].in_force, row.name)
        for rows in rows_of_lists(lists.values())
        for row in rows.filter(player_id=player.pk)
    )
    spans = [(name, [day for day, _ in days]) for name, days in groupby(printed, key=lambda row: row[1])]
    return [PrintedName(name, days[0], days[-1]) for name, days in reversed(spans)]


def counted_in(tournaments: Sequence[int]) -> dict[int, list[CountedIn]]:
    """Tournament's key → the lists whose manifests count it. 1 query."""
    lines = current_manifest_lines().filter(result_set__in=tournaments).select_related("period__pool")
    found: dict[int, list[CountedIn]] = {}
    for line in lines.order_by("pk"):
        counting = CountedIn(line.period.pool.name, line.period.in_force, line.result_set_id)
        found.setdefault(line.result_set_id, []).append(counting)
    return found


@dataclass(frozen=True)
class NextList:
    """The next list to be calculated: its day and the rules of that day."""

    in_force: date
    rules: Edition

    def derived_lists(self, sex: str, birth_year: int | None) -> list[DerivedList]:
        """Its derived lists for a rated player of this sex and year of birth (R13)."""
        found = []
        for derived in self.rules.derived_lists:
            first, last = birth_years(derived, self.in_force.year)
            of_age = birth_year is not None and (first or 0) <= birth_year <= (last or birth_year)
            if (not derived.sex or derived.sex == sex) and (of_age or first is last is None):
                found.append(derived)
        return found


def next_list(lists: Sequence[RatingList]) -> NextList:
    """The next list to be calculated, after these newest ones of each pool; as of today where its day is not chosen."""
    newest = min(lists, key=lambda rating_list: rating_list.in_force, default=None)
    system = rating_systems()[0] if newest is None else newest.rating_system
    after = timezone.localdate() if newest is None else newest.in_force
    if system.calendar is not None:
        in_force = system.calendar.period_of(after).in_force
    else:
        chosen = newest and period_after(newest.pool, after)
        in_force = chosen.in_force if chosen else max(after, timezone.localdate())
    return NextList(in_force, edition_in_force(system, in_force))
