"""Tournaments in tables: calculated in published lists, waiting for their list, announced; by the same filters."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, F, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Lower

from ratings.federations.registry import edition_in_force, system_of_games
from ratings.models import Period, Pool, RatingList
from ratings.queries.counted_results import periods_that_count, published_lines
from ratings.queries.periods import counting_periods
from ratings.queries.tournaments import published_tournaments
from reporting.federations.facet import ApprovedEvent
from reporting.federations.registry import approved_events, approving_actions
from reporting.models import LogEntry, Report, ResultSet, Tournament
from reporting.rules.details.time_control import parse_time_control
from reporting.rules.names.tournament_names import TextSearch, series_name
from reporting.rules.register.countries import find_country

MOST_OTHER_YEARS = 30


@dataclass(frozen=True, kw_only=True)
class TournamentFilters:
    """Which tournaments: by words in any spelling, year of a first or last round, country, discipline, tempo."""

    typed: str = ""
    year: int | None = None
    country: str = ""
    discipline: str = ""
    tempo: str = ""
    women: bool = False
    youth: bool = False
    with_stars: bool = False


def tempos() -> list[str]:
    """The tempos of all pools. 1 query."""
    return list(Pool.objects.exclude(tempo="").order_by("tempo").values_list("tempo", flat=True).distinct())


def searched_text(name: str, place: str, country: str, *more: object) -> str:
    """What a search looks at: name, place, the country's names and codes, and more."""
    known = find_country(country)
    return " ".join(map(str, (name, place, known.searched_text if known else country, *more)))


# --- calculated


@dataclass(frozen=True)
class IndexedTournament:
    """A tournament of a published list in a few words; `country` is its code."""

    code: str
    name: str
    place: str
    country: str
    played_from: date
    played_to: date


@dataclass(frozen=True)
class TournamentIndex:
    """What searches and filters of published tournaments need of all of them."""

    tournaments: Sequence[IndexedTournament]
    texts: TextSearch
    years: Sequence[int]
    countries: Mapping[str, str]
    by_series: Mapping[Any, Sequence[IndexedTournament]]
    series_of: Mapping[str, Any]

    def find(self, typed: str) -> tuple[list[IndexedTournament], bool]:
        """The tournaments with the words typed, newest first, and whether they only have similar words."""
        places, is_similar = self.texts.find(typed)
        return [self.tournaments[place] for place in sorted(places)], is_similar

    def other_years(self, code: str) -> Sequence[IndexedTournament]:
        """The tournaments of the same country and board whose names differ only by year or ordinal, newest first."""
        others = [one for one in self.by_series.get(self.series_of.get(code), ()) if one.code != code]
        return others[:MOST_OTHER_YEARS]


def newest_tournaments(most: int) -> list[ResultSet]:
    """The tournaments of the newest published lists, newest first; of a list those that go on come last. 1 query."""
    goes_on = ExpressionWrapper(Q(played_to__gt=F("in_force")), BooleanField())
    return list(published_tournaments().order_by("-in_force", goes_on, "-played_to", "-number")[:most])


def published_stamp() -> tuple[Any, ...]:
    """A value that changes with every publication. 1 query."""
    lists = RatingList.objects.filter(state=RatingList.State.PUBLISHED)
    return tuple(lists.aggregate(Count("pk"), Max("pk"), Max("published_at")).values())


@lru_cache(maxsize=2)
def tournament_index(stamp: tuple[Any, ...]) -> TournamentIndex:  # noqa: ARG001
    """The index of all published tournaments. Cached while the stamp stays the same; else 1 query.

    Any value will do that changes with every publication: `published_stamp`, or the one a page has read already.
    """
    found = {
        row["tournament"]: row
        for row in published_tournaments()
        .order_by("-played_to", "-number")
        .values(
            "tournament",
            "name",
            "place",
            "country",
            "country__name",
            "played_from",
            "played_to",
            "discipline",
        )
    }
    tournaments = [
        IndexedTournament(
            code,
            row["name"],
            row["place"],
            row["country"] or "",
            row["played_from"],
            row["played_to"],
        )
        for code, row in found.items()
    ]
    by_series: defaultdict[Any, list[IndexedTournament]] = defaultdict(list)
    series_of = {}
    for one, row in zip(tournaments, found.values(), strict=True):
        if name := series_name(row["name"]):
            series_of[one.code] = name, row["country"], row["discipline"]
            by_series[series_of[one.code]].append(one)
    texts = [
        searched_text(
            row["name"],
            row["place"],
            row["country"] or "",
            code,
            row["played_from"].year,
            row["played_to"].year,
        )
        for code, row in found.items()
    ]
    return TournamentIndex(
        tournaments,
        TextSearch(texts),
        years_of((row["played_from"], row["played_to"]) for row in found.values()),
        countries_of((row["country"], row["country__name"]) for row in found.values()),
        by_series,
        series_of,
    )


def years_of(days: Iterable[tuple[date, date]]) -> list[int]:
    """The years of first and last rounds, newest first."""
    return sorted({day.year for pair in days for day in pair}, reverse=True)


def countries_of(countries: Iterable[tuple[str | None, str]]) -> dict[str, str]:
    """Code → name, by name."""
    return dict(sorted({(code, name) for code, name in countries if code}, key=lambda pair: pair[1]))


CALCULATED_ORDERS: Mapping[str, Sequence[Any]] = {
    "name": (Lower("name"),),
    "place": ("country", Lower("place")),
    "list": ("in_force", "pool_name"),
    "players": ("players",),
    "time": ("seconds_for_60_moves",),
    "played": ("played_to", "number"),
}


@dataclass(frozen=True)
class CalculatedTournaments:
    """Tournaments found, in their order; `is_similar` where none has the words typed, but similar ones."""

    rows: QuerySet[ResultSet]
    is_similar: bool


def calculated_tournaments(
    stamp: tuple[Any, ...], filters: TournamentFilters, sort: str
) -> CalculatedTournaments:
    """The tournaments of published lists that fit the filters. A session once for each pool (R25).

    `stamp` is the `published_stamp`; `sort` is a key of CALCULATED_ORDERS, with a minus in front where the highest
    comes first. 0 queries until the rows are read; with words to search 1 after a publication.
    """
    rows, is_similar = published_tournaments(), False
    if filters.typed:
        indexed, is_similar = tournament_index(stamp).find(filters.typed)
        rows = rows.filter(tournament__code__in=[one.code for one in indexed])
    if filters.year:
        rows = rows.filter(Q(played_from__year=filters.year) | Q(played_to__year=filters.year))
    if filters.country:
        rows = rows.filter(country=filters.country)
    if filters.discipline:
        rows = rows.filter(pool_discipline=filters.discipline)
    if filters.tempo:
        rows = rows.filter(pool_tempo=filters.tempo)
    if filters.women:
        rows = rows.filter(women_only=True)
    if filters.youth:
        rows = rows.filter(youth_only=True)
    falls = sort.startswith("-")
    columns = [
        F(column) if isinstance(column, str) else column
        for column in CALCULATED_ORDERS[sort.removeprefix("-")]
    ]
    order = [column.desc(nulls_last=True) if falls else column.asc(nulls_last=True) for column in columns]
    return CalculatedTournaments(rows.order_by(*order, "-played_to", "-number", "pool_code"), is_similar)


# --- waiting and announced


@dataclass(frozen=True, kw_only=True)
class ComingTournament:
    """A tournament that no published list counts: what was announced of it, nothing of its players and results.

    `lists` are the pools in which it counts, with the day of the list that it waits for; None where that is not known.
    `time_controls` are as written, empty where none is known. `key` is that of the tournament, `code` its code, empty
    for an announced one; of one in parts each `part` is a tournament of its own. `event` is what its federation has
    approved of an announced one.
    """

    key: int
    code: str = ""
    part: int = 1
    name: str
    place: str
    country: str
    country_name: str
    played_from: date
    played_to: date
    discipline: str
    tempos: Sequence[str]
    time_controls: Sequence[str]
    women: bool = False
    youth: bool = False
    lists: Sequence[tuple[Pool, date | None]] = ()
    event: ApprovedEvent | None = None


COMING_ORDERS: Mapping[str, Callable[[ComingTournament], Any]] = {
    "name": lambda row: row.name.casefold(),
    "place": lambda row: (row.country, row.place.casefold()),
    "list": lambda row: min((day for _, day in row.lists if day), default=date.max),
    "played": lambda row: (row.played_from, row.played_to),
}


def in_order(rows: Iterable[ComingTournament], sort: str) -> list[ComingTournament]:
    """Tournaments sorted by a key of COMING_ORDERS, with a minus in front where the highest comes first."""
    by_days = sorted(rows, key=COMING_ORDERS["played"])
    return sorted(by_days, key=COMING_ORDERS[sort.removeprefix("-")], reverse=sort.startswith("-"))


def filtered(
    rows: Sequence[ComingTournament], filters: TournamentFilters
) -> tuple[list[ComingTournament], bool]:
    """The tournaments that fit the filters, and whether they have only words similar to those typed."""
    places, is_similar = set(range(len(rows))), False
    if filters.typed:
        texts = [
            searched_text(row.name, row.place, row.country, row.played_from.year, row.played_to.year)
            for row in rows
        ]
        places, is_similar = TextSearch(texts).find(filters.typed)
    found = [
        row
        for place, row in enumerate(rows)
        if place in places
        and (not filters.year or filters.year in (row.played_from.year, row.played_to.year))
        and filters.country in ("", row.country)
        and filters.discipline in ("", row.discipline)
        and (not filters.tempo or filters.tempo in row.tempos)
        and (row.women or not filters.women)
        and (row.youth or not filters.youth)
        and (row.event or not filters.with_stars)
    ]
    return found, is_similar


def waiting_tournaments() -> list[ComingTournament]:
    """The tournaments, or parts, of accepted reports that no published list has counted yet, with the list that will.

    5 queries, 6 where a pool has no calendar.
    """
    accepted = Report.objects.filter(result_set=OuterRef("pk"), state=Report.State.ACCEPTED)
    counted = published_lines().filter(
        result_set__tournament=OuterRef("tournament"), result_set__part=OuterRef("part")
    )
    found = list(
        ResultSet.objects.filter(Exists(accepted), ~Exists(counted))
        .select_related("country", "tournament")
        .order_by("tournament__code", "part", "-revision")
        .distinct("tournament__code", "part")
    )
    if not found:
        return []
    frozen = periods_that_count(tournament.part_code for tournament in found)
    coming = counting_periods(found)
    return [
        ComingTournament(
            key=tournament.tournament.pk,
            code=tournament.code,
            part=tournament.part,
            name=tournament.name,
            place=tournament.place,
            country=tournament.country_id or "",
            country_name=tournament.country.name if tournament.country else "",
            played_from=tournament.played_from,
            played_to=tournament.played_to,
            discipline=tournament.discipline,
            tempos=[pool.tempo for pool, _ in lists],
            time_controls=tournament.session or list(filter(None, [tournament.time_control])),
            women=tournament.women_only,
            youth=tournament.youth_only,
            lists=lists,
        )
        for tournament in found
        for lists in [_lists_waited_for(frozen.get(tournament.part_code, []), coming[tournament.pk])]
    ]


def _lists_waited_for(frozen: Sequence[Period], coming: Sequence[Any]) -> list[tuple[Pool, date | None]]:
    """The lists in work that count a tournament, else those that will."""
    if frozen:
        return [(period.pool, period.in_force) for period in frozen]
    return [(one.pool, one.period.in_force if one.period else None) for one in coming]


def announced_tournaments(since: date) -> list[ComingTournament]:
    """The announced tournaments whose last round is not before a day, without those withdrawn. 2 queries."""
    announcements = Tournament.objects.announced().filter(played_to__gte=since, withdrawn_at=None)
    found = list(announcements.select_related("country").order_by("played_from", "pk"))
    events = approved_events([one.pk for one in found])
    return [announced(one, events.get(one.pk)) for one in found]


def announced(announcement: Tournament, event: ApprovedEvent | None) -> ComingTournament:
    """What is public of an announcement. Its `country` must have been read with it."""
    system = system_of_games(announcement.rating_system, announcement.discipline)
    control = announcement.time_control
    return ComingTournament(
        key=announcement.pk,
        name=announcement.name,
        place=announcement.place,
        country=announcement.country_id or "",
        country_name=announcement.country.name if announcement.country else "",
        played_from=announcement.played_from,
        played_to=announcement.played_to,
        discipline=announcement.discipline,
        tempos=[
            edition_in_force(system, announcement.counting_day).tempo(
                parse_time_control(control).seconds_for_60_moves
            )
        ]
        if control
        else [],
        time_controls=[control] if control else [],
        event=event,
    )


@dataclass(frozen=True)
class AnnouncedEvent:
    """An announced tournament for a calendar, withdrawn or not: how often and when it was changed last."""

    tournament: ComingTournament
    changes: int
    created_at: datetime
    changed_at: datetime
    is_withdrawn: bool


def announced_events(since: date) -> list[AnnouncedEvent]:
    """Announcements whose last round is not before a day, with their changes as the audit log has them. 3 queries."""
    found = list(
        Tournament.objects.announced()
        .filter(played_to__gte=since)
        .select_related("country")
        .order_by("played_from", "pk")
    )
    log = LogEntry.objects.filter(
        action__in=("announcement.change", "announcement.withdraw", *approving_actions()),
        subject__in=[f"announcement {one.pk}" for one in found],
    )
    edits = {
        subject: (changes, last)
        for subject, changes, last in log.order_by().values_list("subject").annotate(Count("pk"), Max("at"))
    }
    approved = approved_events([one.pk for one in found])
    events = []
    for one in found:
        changes, last = edits.get(f"announcement {one.pk}", (0, one.created_at))
        events.append(
            AnnouncedEvent(
                announced(one, approved.get(one.pk)),
                changes,
                one.created_at,
                last,
                one.withdrawn_at is not None,
            )
        )
    return events
