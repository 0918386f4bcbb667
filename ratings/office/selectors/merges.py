"""Records that lists are read with as one person (R24), for the pages that show those lists."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Q

from ratings.inputs.calculation_inputs import (
    CalculationInputs,
    inputs_if_frozen,
    inputs_of_period,
    merges_by_id,
)
from ratings.models import Period, PlayerHistory, Pool, RatingList, RatingListRow
from ratings.office.selectors.periods import pool_of, reports_to_count
from reporting.models import Entry, Player, PlayerIdentity, PlayerMerge, Tournament


def surviving_players(rating_list: RatingList) -> dict[int, Player]:
    """The key of each record that goes → the player a list is read with in its place. 1 query, or none."""
    return {each.duplicate_id: each.surviving for each in merges_by_id(rating_list.merges)}


def records_of(player: Player, persons: Mapping[int, Player]) -> list[int]:
    """The keys of all records that a list reads as this player, his own first."""
    return [player.pk, *(duplicate for duplicate, surviving in persons.items() if surviving.pk == player.pk)]


def replace_merged_players(entries: Iterable[Entry | None], persons: Mapping[int, Player]) -> None:
    """Let entries stand for whom a list reads them as; they are not saved so."""
    for entry in entries:
        if entry is not None and entry.player_id in persons:
            entry.player = persons[entry.player_id]


def merged_ratings(
    lists: Collection[int], players: Collection[int], persons: Mapping[int, Player]
) -> dict[tuple[int, int], int]:
    """The ratings of players on lists, read with merges: (list, player) → rating. 1 query.

    That of the record kept, else of the first merged into it.
    """
    duplicate = [number for number, surviving in persons.items() if surviving.pk in players]
    rows = RatingListRow.objects.filter(list_id__in=lists, player_id__in=[*players, *duplicate])
    ratings = {(row[0], row[1]): row[2] for row in rows.values_list("list_id", "player_id", "rating")}
    for number in duplicate:
        for rating_list in lists:
            if (rating_list, number) in ratings:
                ratings.setdefault((rating_list, persons[number].pk), ratings[rating_list, number])
    return ratings


@dataclass(frozen=True)
class MergeNote:
    """That published lists read two records as one person: `other` is the record kept where this one goes.

    `until` is the day of the last such list where they were parted since.
    """

    other: Player
    is_duplicate: bool
    since: date
    until: date | None


def merge_notes(player: Player) -> list[MergeNote]:
    """What published lists say of a player's merges, oldest first. 1 query, 1 more where there are any."""
    merges = list(
        PlayerMerge.objects.filter(Q(duplicate=player) | Q(surviving=player))
        .select_related("duplicate", "surviving")
        .order_by("pk")
    )
    if not merges:
        return []
    lists = RatingList.objects.filter(
        state=RatingList.State.PUBLISHED, merges__overlap=[each.pk for each in merges]
    )
    read = list(lists.values_list("in_force", "merges"))
    notes = []
    for each in merges:
        days = [in_force for in_force, numbers in read if each.pk in numbers]
        if days:
            duplicate = each.duplicate_id == player.pk
            until = max(days) if each.undone_at else None
            notes.append(
                MergeNote(each.surviving if duplicate else each.duplicate, duplicate, min(days), until)
            )
    return notes


@dataclass(frozen=True)
class ListRating:
    """A player's rating and counted games on a list."""

    rating: int
    games: int


def list_ratings(rating_list: RatingList, players: Collection[int]) -> dict[int, ListRating]:
    """Player → his rating and games on a list. 1 query."""
    rows = RatingListRow.objects.filter(list_id=rating_list.pk, player_id__in=players)
    return {row[0]: ListRating(*row[1:]) for row in rows.values_list("player_id", "rating", "games")}


def pools_of_players(*players: Player) -> list[Pool]:
    """The pools of whose published lists one shows a player, or in whose next one he plays. 3 queries, 1 more for each
    report of his that no list has counted yet.
    """
    histories = PlayerHistory.objects.filter(player__in=players, list__state=RatingList.State.PUBLISHED)
    known = set(histories.values_list("list__pool", flat=True).distinct())
    waiting = Tournament.objects.filter(entries__player__in=players, manifest_lines=None).distinct()
    known.update(pool_of(each).pk for each in waiting)
    return list(Pool.objects.filter(pk__in=known).order_by("pk"))


def inputs_of_next_list(period: Period) -> CalculationInputs:
    """What the next list of a pool would be made from now, whether or not its period is frozen. 8 to 12 queries."""
    if period.state == Period.State.FROZEN:
        return inputs_of_period(period, None)
    return inputs_if_frozen(period, sorted(each.tournament_id or 0 for each in reports_to_count(period)))


def record_comparison(duplicate: Player, surviving: Player) -> dict[str, Any]:
    """Two records side by side, field by field; where they say different things; and what stays as it is. 4 queries."""
    numbers: dict[int, list[str]] = {duplicate.pk: [], surviving.pk: []}
    for each in PlayerIdentity.objects.filter(player__in=[duplicate, surviving]).order_by("register"):
        numbers[each.player_id].append(f"{each.get_register_display()} {each.number}")
    fields = [
        (words, said(surviving), said(duplicate))
        for words, said in (
            ("Name", lambda each: each.printed_name),
            ("Federation", lambda each: str(each.federation_id)),
            ("Sex", lambda each: str(each.get_sex_display())),
            ("Year of birth", lambda each: str(each.birth_year or "")),
            ("Title", lambda each: each.title),
            ("Title on 64 squares", lambda each: each.title_64),
            ("Other numbers", lambda each: ", ".join(numbers[each.pk])),
        )
        if said(surviving) or said(duplicate)
    ]
    history = PlayerHistory.objects.filter(
        player__in=[duplicate, surviving], list__state=RatingList.State.PUBLISHED
    )
    lists = {duplicate.pk: 0, surviving.pk: 0} | Counter(history.values_list("player", flat=True))
    entries = Entry.objects.filter(player__in=[duplicate, surviving], tournament__correction=0)
    reports = {duplicate.pk: 0, surviving.pk: 0} | Counter(entries.values_list("player", flat=True))
    return {
        "fields": fields,
        "lists": (lists[surviving.pk], lists[duplicate.pk]),
        "reports": (reports[surviving.pk], reports[duplicate.pk]),
        "conflicts": [
            words
            for words, own, other in (
                ("federation", surviving.federation_id, duplicate.federation_id),
                ("sex", surviving.sex, duplicate.sex),
                ("year of birth", surviving.birth_year, duplicate.birth_year),
            )
            if own and other and own != other
        ],
        "titles_differ": (surviving.title, surviving.title_64) != (duplicate.title, duplicate.title_64),
    }
