"""Published lists about players of the register, for the pages of the register."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from ratings.models import PeriodReport, PlayerHistory, RatingList, RatingListRow
from ratings.office.selectors.periods import current_manifest_lines
from ratings.rules.fmjd.derived import birth_years
from ratings.rules.fmjd.parameters import DerivedList, edition_in_force
from ratings.rules.fmjd.periods import period_of
from reporting.models import Player


def players_on_lists(
    players: QuerySet[Player], lists: Sequence[RatingList], *, present: bool
) -> QuerySet[Player]:
    """Those of the players who are on one of these lists, or on none of them."""
    rows = RatingListRow.objects.filter(
        list_id__in=[rating_list.pk for rating_list in lists], player_id=OuterRef("pk")
    )
    return players.filter(Exists(rows) if present else ~Exists(rows))


def ratings_on(lists: Sequence[RatingList], players: Sequence[int]) -> dict[int, dict[int, int]]:
    """Player's key → list's key → rating. 1 query."""
    found: dict[int, dict[int, int]] = {}
    for player, rating_list, rating in RatingListRow.objects.filter(
        list_id__in=[rating_list.pk for rating_list in lists], player_id__in=players
    ).values_list("player_id", "list_id", "rating"):
        found.setdefault(player, {})[rating_list] = rating
    return found


@dataclass(frozen=True)
class ListedPlayer:
    """A player's row on a list, and the place among the federation's players on the official list."""

    rating_list: RatingList
    row: RatingListRow
    federation_place: int | None


def list_rows_of_player(lists: Sequence[RatingList], player: Player) -> list[ListedPlayer]:
    """A player's rows on these lists, in order. 1 query, 1 more for each official list with the player."""
    rows = {
        row.list_id: row
        for row in RatingListRow.objects.filter(
            list_id__in=[rating_list.pk for rating_list in lists], player_id=player.pk
        )
    }
    found = []
    for rating_list in lists:
        row = rows.get(rating_list.pk)
        if row is None:
            continue
        place = None
        if row.official_position is not None:
            place = RatingListRow.objects.filter(
                list_id=rating_list.pk,
                federation=row.federation,
                official_position__lte=row.official_position,
            ).count()
        found.append(ListedPlayer(rating_list, row, place))
    return found


@dataclass(frozen=True)
class PrintedName:
    """A name as lists printed it, and the first and last day of these lists."""

    name: str
    first: date
    last: date


def printed_names(player: Player) -> list[PrintedName]:
    """The names that published lists have printed for a player, newest first. 2 queries."""
    lists = dict(
        PlayerHistory.objects.filter(player_id=player.pk, list__state=RatingList.State.PUBLISHED).values_list(
            "list_id", "in_force"
        )
    )
    rows = RatingListRow.objects.filter(list_id__in=list(lists), player_id=player.pk)
    printed = sorted((lists[key], name) for key, name in rows.values_list("list_id", "name"))
    spans = [(name, [day for day, _ in days]) for name, days in groupby(printed, key=lambda row: row[1])]
    return [PrintedName(name, days[0], days[-1]) for name, days in reversed(spans)]


def current_manifest_lines_of(tournaments: Sequence[int]) -> dict[int, PeriodReport]:
    """Tournament's key → its line in the manifest of the list that counts it. 1 query."""
    lines = current_manifest_lines().filter(tournament__in=tournaments).select_related("period__pool")
    return {line.tournament_id: line for line in lines}


def next_in_force(lists: Sequence[RatingList]) -> date:
    """The day of the next list to be calculated, after these newest ones of each pool."""
    newest = min(lists, key=lambda rating_list: rating_list.in_force, default=None)
    after = timezone.localdate() if newest is None else newest.in_force
    return period_of(edition_in_force(after), after).in_force


def derived_lists(sex: str, birth_year: int | None, in_force: date) -> list[DerivedList]:
    """The derived lists of that day for a rated player of this sex and year of birth (R13)."""
    found = []
    for derived_list in edition_in_force(in_force).derived_lists:
        first, last = birth_years(derived_list, in_force.year)
        of_age = birth_year is not None and (first or 0) <= birth_year <= (last or birth_year)
        if (not derived_list.sex or derived_list.sex == sex) and (of_age or first is last is None):
            found.append(derived_list)
    return found
