"""Records that lists are read with as one person (R24), for the pages that show those lists."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Q

from ratings.inputs.calculation_inputs import Sources, merges_by_number, sources_if_frozen, sources_of
from ratings.models import Period, PlayerHistory, Pool, RatingList, RatingListRow
from ratings.office.selectors.periods import pool_of, reports_to_count
from reporting.models import Entry, Player, PlayerIdentity, PlayerMerge, Tournament


def persons_of(rating_list: RatingList) -> dict[int, Player]:
    """The key of each record that goes → the player a list is read with in its place. 1 query, or none."""
    return {each.goes_id: each.kept for each in merges_by_number(rating_list.merges)}


def records_of(player: Player, persons: Mapping[int, Player]) -> list[int]:
    """The keys of all records that a list reads as this player, his own first."""
    return [player.pk, *(goes for goes, kept in persons.items() if kept.pk == player.pk)]


def read_as(entries: Iterable[Entry | None], persons: Mapping[int, Player]) -> None:
    """Let entries stand for whom a list reads them as; they are not saved so."""
    for entry in entries:
        if entry is not None and entry.player_id in persons:
            entry.player = persons[entry.player_id]


def ratings_read(
    lists: Collection[int], players: Collection[int], persons: Mapping[int, Player]
) -> dict[tuple[int, int], int]:
    """The ratings of players on lists, read with merges: (list, player) → rating. 1 query.

    That of the record kept, else of the first merged into it.
    """
    goes = [number for number, kept in persons.items() if kept.pk in players]
    rows = RatingListRow.objects.filter(list_id__in=lists, player_id__in=[*players, *goes])
    ratings = {(row[0], row[1]): row[2] for row in rows.values_list("list_id", "player_id", "rating")}
    for number in goes:
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
    goes: bool
    since: date
    until: date | None


def merge_notes(player: Player) -> list[MergeNote]:
    """What published lists say of a player's merges, oldest first. 1 query, 1 more where there are any."""
    merges = list(
        PlayerMerge.objects.filter(Q(goes=player) | Q(kept=player))
        .select_related("goes", "kept")
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
            goes = each.goes_id == player.pk
            until = max(days) if each.parted_at else None
            notes.append(MergeNote(each.kept if goes else each.goes, goes, min(days), until))
    return notes


@dataclass(frozen=True)
class StandingOnList:
    """A player's rating and counted games on a list."""

    rating: int
    games: int


def standing_on(rating_list: RatingList, players: Collection[int]) -> dict[int, StandingOnList]:
    """Player → his rating and games on a list. 1 query."""
    rows = RatingListRow.objects.filter(list_id=rating_list.pk, player_id__in=players)
    return {row[0]: StandingOnList(*row[1:]) for row in rows.values_list("player_id", "rating", "games")}


def pools_that_know(*players: Player) -> list[Pool]:
    """The pools of whose published lists one shows a player, or in whose next one he plays. 3 queries, 1 more for each
    report of his that no list has counted yet.
    """
    histories = PlayerHistory.objects.filter(player__in=players, list__state=RatingList.State.PUBLISHED)
    known = set(histories.values_list("list__pool", flat=True).distinct())
    waiting = Tournament.objects.filter(entries__player__in=players, manifest_lines=None).distinct()
    known.update(pool_of(each).pk for each in waiting)
    return list(Pool.objects.filter(pk__in=known).order_by("pk"))


def next_sources(period: Period) -> Sources:
    """What the next list of a pool would be made from now, whether or not its period is frozen. 8 to 12 queries."""
    if period.state == Period.State.FROZEN:
        return sources_of(period, None)
    return sources_if_frozen(period, sorted(each.tournament_id or 0 for each in reports_to_count(period)))


def both_records(goes: Player, kept: Player) -> dict[str, Any]:
    """Two records side by side, field by field; where they say different things; and what stays as it is. 4 queries."""
    numbers: dict[int, list[str]] = {goes.pk: [], kept.pk: []}
    for each in PlayerIdentity.objects.filter(player__in=[goes, kept]).order_by("register"):
        numbers[each.player_id].append(f"{each.get_register_display()} {each.number}")
    fields = [
        (words, said(kept), said(goes))
        for words, said in (
            ("Name", lambda each: each.printed_name),
            ("Federation", lambda each: str(each.federation_id)),
            ("Sex", lambda each: str(each.get_sex_display())),
            ("Year of birth", lambda each: str(each.birth_year or "")),
            ("Title", lambda each: each.title),
            ("Title on 64 squares", lambda each: each.title_64),
            ("Other numbers", lambda each: ", ".join(numbers[each.pk])),
        )
        if said(kept) or said(goes)
    ]
    history = PlayerHistory.objects.filter(player__in=[goes, kept], list__state=RatingList.State.PUBLISHED)
    lists = {goes.pk: 0, kept.pk: 0} | Counter(history.values_list("player", flat=True))
    entries = Entry.objects.filter(player__in=[goes, kept], tournament__correction=0)
    reports = {goes.pk: 0, kept.pk: 0} | Counter(entries.values_list("player", flat=True))
    return {
        "fields": fields,
        "lists": (lists[kept.pk], lists[goes.pk]),
        "reports": (reports[kept.pk], reports[goes.pk]),
        "doubts": [
            words
            for words, own, other in (
                ("federation", kept.federation_id, goes.federation_id),
                ("sex", kept.sex, goes.sex),
                ("year of birth", kept.birth_year, goes.birth_year),
            )
            if own and other and own != other
        ],
        "titles_differ": (kept.title, kept.title_64) != (goes.title, goes.title_64),
    }
