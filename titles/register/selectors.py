"""The public register of titles: who has which title since when, with former titles and statistics."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import ExtractYear
from django.utils import timezone

from reporting.models import FederationMembership, Player, PlayerIdentity, PlayerTitle
from reporting.register.selectors.register import register_changes
from reporting.register.selectors.titles import known_titles, title_changes
from reporting.rules.register.titles import discipline_titles, titles_by_rank

PAGE_ROWS = 100


@dataclass(frozen=True)
class TitleFilters:
    """The filters of the register of titles, already validated; an empty field does not filter."""

    words: tuple[str, ...] = ()
    number: int | None = None
    title: str = ""
    discipline: str = ""
    federation: str = ""
    year: int | None = None
    former: bool = False


@dataclass(frozen=True)
class TitleCount:
    """How many players hold a title in a discipline, and how many ever got it."""

    awarded_by: str
    discipline: str
    title: str
    held: int
    ever: int


def found_titles(filters: TitleFilters) -> QuerySet[PlayerTitle]:
    """The titles that match the filters: those held now, with `former` all; by name and day."""
    titles = known_titles() if filters.former else known_titles().held_on(timezone.localdate())
    for word in filters.words:
        titles = titles.filter(player__sort_name__contains=word)
    if filters.number is not None:
        titles = titles.filter(
            player__in=PlayerIdentity.objects.filter(number=str(filters.number)).values("player")
        )
    if filters.title:
        titles = titles.filter(title=filters.title)
    if filters.discipline:
        titles = titles.filter(discipline=filters.discipline)
    if filters.federation:
        titles = titles.filter(player__federation=filters.federation)
    if filters.year is not None:
        titles = titles.filter(registered_on__year=filters.year)
    return titles.select_related("player").order_by(
        "player__sort_name", "player", "discipline", "registered_on", "pk"
    )


def people_with_titles(filters: TitleFilters) -> QuerySet[PlayerTitle, Any]:
    """The players (by id) with titles that match the filters, each once, by name."""
    found = found_titles(filters).order_by("player__sort_name", "player")
    return found.values_list("player", flat=True).distinct()


def titles_of_people(filters: TitleFilters, players: Sequence[int]) -> list[tuple[Player, list[PlayerTitle]]]:
    """These players with their titles that match the filters, the higher title of a discipline first. 1 query."""
    rank = {
        (of_discipline.awarded_by, of_discipline.discipline, title.code): title.rank
        for of_discipline in discipline_titles().values()
        for title in of_discipline.titles.values()
    }
    found: dict[Player, list[PlayerTitle]] = {}
    for title in found_titles(filters).filter(player__in=players):
        found.setdefault(title.player, []).append(title)
    for titles in found.values():
        titles.sort(
            key=lambda title: (
                title.discipline, rank.get((title.awarded_by, title.discipline, title.title), len(rank)),
                -title.pk,
            )
        )  # fmt: skip
    return list(found.items())


def title_counts() -> list[TitleCount]:
    """The number of holders of each title in each discipline, the highest title first. 1 query."""
    today = timezone.localdate()
    held = (Q(registered_on=None) | Q(registered_on__lte=today)) & (
        Q(withdrawn_on=None) | Q(withdrawn_on__gt=today)
    )
    rows = (
        known_titles()
        .values("awarded_by", "discipline", "title")
        .annotate(held=Count("player", distinct=True, filter=held), ever=Count("player", distinct=True))
        .order_by("awarded_by", "discipline", "title")
    )
    counts = {(row["awarded_by"], row["discipline"], row["title"]): TitleCount(**row) for row in rows}
    order = [
        (of_discipline.awarded_by, of_discipline.discipline, title)
        for of_discipline in discipline_titles().values()
        for title in titles_by_rank(of_discipline.awarded_by, of_discipline.discipline)
    ]
    return [counts[key] for key in order if key in counts] + [
        count for key, count in counts.items() if key not in order
    ]


def titles_by_year() -> list[tuple[int, int]]:
    """How many titles were registered in each year, from the first year to this one; those of known days. 1 query."""
    rows = (
        known_titles()
        .filter(registered_on__isnull=False)
        .annotate(year=ExtractYear("registered_on"))
        .values_list("year")
        .annotate(number=Count("pk"))
        .order_by("year")
    )
    counted = dict(rows)
    if not counted:
        return []
    return [(year, counted.get(year, 0)) for year in range(min(counted), timezone.localdate().year + 1)]


def titles_stamp() -> tuple[date | int | str, ...]:
    """What pages of titles depend on: titles with their days, names, federations, and the day. 3 queries."""
    return ("titles", *title_changes(), register_changes(), FederationMembership.objects.count())
