"""Federations and titles that change on a day; what was before stays in the tables."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import reduce
from operator import or_

from django.db import connection
from django.db.models import F, Q

from reporting.models import PlayerTitle
from reporting.rules.register.titles import DisciplineTitles


@contextmanager
def transfers_on(day: date) -> Iterator[None]:
    """Date the transfers of the players saved in this block, in a transaction: the database writes the memberships."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('office.transfer_day', %s, true)", [day.isoformat()])
        yield
        cursor.execute("SELECT set_config('office.transfer_day', '', true)")


def change_titles(of_discipline: DisciplineTitles, titles: Mapping[int, str], *, on: date) -> None:
    """Give players a title in a discipline from a day on, or none (empty). 3 queries for all of them.

    The new title is the highest from then on: a title of its kind ends on that day, and so does a higher one of the
    other kind; a lower one of the other kind stays (MFF next to MF, R33). Of what ends, what was registered for that
    day or later counts no longer. Without a title none stays. Needs a transaction.
    """
    players: dict[str, list[int]] = {}
    for player, title in titles.items():
        players.setdefault(title, []).append(player)
    ending = [
        Q(player__in=of) & ~Q(title__in=titles_next_to(of_discipline, title)) for title, of in players.items()
    ]
    rows = PlayerTitle.objects.filter(
        reduce(or_, ending, Q(pk=None)),
        awarded_by=of_discipline.awarded_by,
        discipline=of_discipline.discipline,
    )
    rows.filter(registered_on__gte=on).update(withdrawn_on=F("registered_on"))
    rows.held_on(on).update(withdrawn_on=on)
    register_new_titles(of_discipline, titles, on=on)


def titles_next_to(of_discipline: DisciplineTitles, title: str) -> list[str]:
    """The titles that a player with this one as the highest may hold too: the lower ones of other ladders."""
    highest = of_discipline.titles.get(title)
    if highest is None:
        return []
    return [
        other.code
        for other in of_discipline.titles.values()
        if other.ladder != highest.ladder and other.rank > highest.rank
    ]


def register_new_titles(
    of_discipline: DisciplineTitles, titles: Mapping[int, str], *, on: date | None
) -> None:
    """Give players their first title in a discipline; without a day it counts since ever. 1 query."""
    PlayerTitle.objects.bulk_create(
        PlayerTitle(
            player_id=player,
            awarded_by=of_discipline.awarded_by,
            discipline=of_discipline.discipline,
            title=title,
            ladder=of_discipline.ladder(title),
            registered_on=on,
        )
        for player, title in titles.items()
        if title
    )
