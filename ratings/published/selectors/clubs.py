"""A club: its members on the lists of today, with their ratings in every pool of the register."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ratings.models import RatingList
from ratings.queries.list_rows import ROW_COLUMNS
from ratings.queries.lists import ListsOfToday
from ratings.rules.declared import Kind


@dataclass(frozen=True)
class ClubMember:
    """A member on at least one list: the row of the first of the lists that has the player, and that of each list."""

    row: Mapping[str, Any]
    list: RatingList
    rows: Sequence[Mapping[str, Any] | None]


@dataclass(frozen=True)
class Club:
    """A club by its number of six digits, on the lists of today of the pools that know clubs; members by rating.

    On a list is who was a member on its day.
    """

    number: str
    register: str
    lists: Sequence[RatingList]
    members: Sequence[ClubMember]


def club_on(today: ListsOfToday, register: str, number: str) -> Club | None:
    """A club of a register on the lists of today; None where no list has one of its members. 1 query a list."""
    lists = [
        (shown, column.name)
        for shown in today.shown
        for column in shown.declaration.rows
        if column.kind is Kind.CLUB and shown.pool.report_rules.register.code == register
    ]
    found: dict[int, list[Mapping[str, Any] | None]] = {}
    for place, (rating_list, column) in enumerate(lists):
        for row in rating_list.rows.filter(**{column: number}).values(*ROW_COLUMNS):
            found.setdefault(row["register_number"], [None] * len(lists))[place] = row
    members = [
        ClubMember(row, rating_list, rows)
        for rows in found.values()
        for row, rating_list in [next((row, lists[place][0]) for place, row in enumerate(rows) if row)]
    ]
    members.sort(
        key=lambda member: ([-(row["rating"] if row else 0) for row in member.rows], member.row["name"])
    )
    return Club(number, register, [rating_list for rating_list, _ in lists], members) if members else None
