"""Federations and titles that change on a day; what was before stays in the tables."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date

from django.db import connection
from django.db.models import F

from reporting.models import PlayerTitle
from reporting.rules.register.titles import TitleSection


@contextmanager
def transfers_on(day: date) -> Iterator[None]:
    """Date the transfers of the players saved in this block, in a transaction: the database writes the memberships."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('office.transfer_day', %s, true)", [day.isoformat()])
        yield
        cursor.execute("SELECT set_config('office.transfer_day', '', true)")


def change_titles(section: TitleSection, titles: Mapping[int, str], *, on: date) -> None:
    """Give players a title in a section from a day on, or none (empty). 3 queries for all of them.

    A title that they held before ends on that day, also where the new one is higher; what was registered for that day
    or later counts no longer. Needs a transaction.
    """
    rows = PlayerTitle.objects.filter(
        player__in=titles.keys(), awarded_by=section.awarded_by, section=section.section
    )
    rows.filter(registered_on__gte=on).update(withdrawn_on=F("registered_on"))
    rows.held_on(on).update(withdrawn_on=on)
    register_new_titles(section, titles, on=on)


def register_new_titles(section: TitleSection, titles: Mapping[int, str], *, on: date | None) -> None:
    """Give players their first title in a section; without a day it counts since ever. 1 query."""
    PlayerTitle.objects.bulk_create(
        PlayerTitle(
            player_id=player,
            awarded_by=section.awarded_by,
            section=section.section,
            title=title,
            registered_on=on,
        )
        for player, title in titles.items()
        if title
    )
