"""The titles of the players of the register.

Docstrings give the number of queries.
"""

from collections.abc import Collection, Sequence
from datetime import date

from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Extract
from django.utils import timezone

from reporting.models import PlayerMerge, PlayerTitle
from reporting.models.player_title import PlayerTitleQuerySet
from reporting.models.register import ERASED_SORT_NAME
from reporting.rules.register.titles import titles_by_field


def title_changes() -> tuple[date | int | str, ...]:
    """Values that change with the titles held: with each new or ended title, and with the day. 1 query.

    Rows are counted: the highest key would miss what commits after a later act.
    """
    days = Sum(Extract("withdrawn_on", "epoch"))
    titles = PlayerTitle.objects.aggregate(all=Count("pk"), ended=Count("withdrawn_on"), days=days)
    return timezone.localdate(), titles["all"], titles["ended"], str(titles["days"])


def titles_of(players: Collection[int], day: date | None = None) -> dict[int, dict[str, str]]:
    """The titles of players on a day, today if none is given: player's key → field of the discipline → title. 1 query.

    Of an open title and a women's title in one discipline it is the higher.
    """
    held: dict[int, list[tuple[str, str, str]]] = {player: [] for player in players}
    titles = PlayerTitle.objects.held_on(day or timezone.localdate()).filter(player__in=players)
    for player, *title in titles.values_list("player_id", "awarded_by", "discipline", "title"):
        held[player].append((title[0], title[1], title[2]))
    return {player: titles_by_field(own) for player, own in held.items()}


NEWEST_TITLES = 50
ALL_TITLES = Q()


def known_titles() -> PlayerTitleQuerySet:
    """Every title that counted on a day, of players who are in the register by their own record."""
    merged = PlayerMerge.objects.filter(undone_at=None).values("duplicate")
    return PlayerTitle.objects.exclude(registered_on__isnull=False, registered_on=F("withdrawn_on")).exclude(
        Q(player__in=merged) | Q(player__sort_name=ERASED_SORT_NAME)
    )


def newest_titles(of: Q = ALL_TITLES) -> Sequence[PlayerTitle]:
    """The titles registered last, the newest first: of all players, or of some of them. 1 query."""
    titles = known_titles().filter(of, registered_on__lte=timezone.localdate())
    return list(titles.select_related("player__federation").order_by("-registered_on", "-pk")[:NEWEST_TITLES])
