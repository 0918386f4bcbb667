"""Records that lists read as one person (R24)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from ratings.inputs.in_force import merges_by_id
from ratings.models import PlayerHistory, RatingList, rows_of_lists
from reporting.models import Entry, Player, PlayerMerge


def surviving_players(rating_list: RatingList) -> dict[int, Player]:
    """The key of each duplicate → the player a list is read with instead. 1 query, or none."""
    return {merge.duplicate_id: merge.surviving for merge in merges_by_id(rating_list.merges)}


def records_of(player: Player, persons: Mapping[int, Player]) -> list[int]:
    """The keys of all records that a list reads as this player, the player's own first."""
    return [player.pk, *(duplicate for duplicate, surviving in persons.items() if surviving.pk == player.pk)]


def replace_merged_players(entries: Iterable[Entry | None], persons: Mapping[int, Player]) -> None:
    """Give entries the player a list reads them as; nothing is saved."""
    for entry in entries:
        if entry is not None and entry.player.pk in persons:
            entry.player = persons[entry.player.pk]


def merged_ratings(
    lists: Collection[RatingList], players: Collection[int], persons: Mapping[int, Player]
) -> dict[tuple[int, int], int]:
    """The ratings of players on lists, read with merges: (list, player) → rating. 1 query.

    The rating of the surviving record, else of the first merged into it.
    """
    duplicate = [number for number, surviving in persons.items() if surviving.pk in players]
    ratings = {
        (row[0], row[1]): row[2]
        for rows in rows_of_lists(lists)
        for row in rows.filter(player_id__in=[*players, *duplicate]).values_list(
            "list_id", "player_id", "rating"
        )
    }
    for number in duplicate:
        for rating_list in lists:
            if (rating_list.pk, number) in ratings:
                ratings.setdefault((rating_list.pk, persons[number].pk), ratings[rating_list.pk, number])
    return ratings


@dataclass(frozen=True)
class MergeNote:
    """Published lists read two records as one person: `other` is the other record, `is_duplicate` says that this one is
    the duplicate.

    `until` is the day of the last such list where the merge was undone since. `is_listed` says that the other record is
    on a published list itself, so that it has a page.
    """

    other: Player
    is_duplicate: bool
    since: date
    until: date | None
    is_listed: bool


def merge_notes(player: Player) -> list[MergeNote]:
    """The merges of a player that published lists were read with, oldest first. 1 query, 2 more where there are any."""
    merges = list(
        PlayerMerge.objects.filter(Q(duplicate=player) | Q(surviving=player))
        .select_related("duplicate", "surviving")
        .order_by("pk")
    )
    if not merges:
        return []
    lists = RatingList.objects.filter(
        state=RatingList.State.PUBLISHED, merges__overlap=[merge.pk for merge in merges]
    )
    read = list(lists.values_list("in_force", "merges"))
    ends = {end for merge in merges for end in (merge.duplicate_id, merge.surviving_id)}
    listed = set(PlayerHistory.objects.filter(player__in=ends).values_list("player", flat=True))
    notes = []
    for merge in merges:
        days = [in_force for in_force, numbers in read if merge.pk in numbers]
        if days:
            is_duplicate = merge.duplicate_id == player.pk
            other = merge.surviving if is_duplicate else merge.duplicate
            until = max(days) if merge.undone_at else None
            notes.append(MergeNote(other, is_duplicate, min(days), until, other.pk in listed))
    return notes
