"""Which list a tournament counts in, which list of a pool is due, and when its period begins and ends.

A tournament with a session counts in each pool that its games have the tempo of (R25), all others in one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.db.models import Max, QuerySet
from django.utils import timezone

from ratings.federations.facet import Calendar
from ratings.federations.registry import edition_in_force, system_of_games
from ratings.inputs.in_force import lists_in_force
from ratings.models import OpeningImport, PastQuarters, Period, Pool, RatingList
from ratings.rules.days import CalendarPeriod
from reporting.models import ResultSet
from reporting.refusals.domain_error import DomainError


def start_of(day: date) -> datetime:
    """00:00 of a day in the office's time zone, whatever zone a reader has chosen."""
    return timezone.make_aware(datetime.combine(day, time.min), timezone.get_default_timezone())


def pools_of_games(
    rating_system: str, discipline: str, seconds_of_games: Sequence[int | None], day: date
) -> list[Pool]:
    """The pools of games by their rating system, discipline and times for 60 moves, on a day (R6, R25). 1 query.

    A time is None without a clock. In the order of the times, each pool once.
    """
    system = system_of_games(rating_system, discipline)
    rules = edition_in_force(system, day)
    tempos = dict.fromkeys(rules.tempo(seconds) for seconds in seconds_of_games)
    found = Pool.objects.filter(system=system.code, discipline=discipline, tempo__in=tempos)
    pools = {pool.tempo: pool for pool in found}
    return [pools[tempo] for tempo in tempos]


def pools_of(tournament: ResultSet) -> list[Pool]:
    """The pools of a tournament, by its rating system, discipline and the times of its games (R6, R25). 1 query.

    Only one with a session has several; the pool of the games with the most time comes first.
    """
    return pools_of_games(
        tournament.rating_system, tournament.discipline, tournament.seconds_of_games, tournament.counting_day
    )


def due_period(pool: Pool) -> CalendarPeriod | None:
    """The period that follows the newest published list of the pool; None while the office has not chosen its dates.

    1 query, 1 more without a calendar. Raises DomainError `no_list` where the pool has no list to start from.
    """
    lists = lists_in_force(pool.pk)
    if not lists:
        raise DomainError("no_list", pool=str(pool))
    return period_after(pool, lists[-1].in_force)


def period_after(pool: Pool, in_force: date) -> CalendarPeriod | None:
    """The period that follows the list of a day, by the calendar or by the dates that the office chose; else None.

    0 queries, 1 without a calendar.
    """
    calendar = pool.rating_system.calendar
    if calendar is None:
        chosen = Period.objects.filter(pool=pool, in_force__gt=in_force).order_by("in_force").first()
        return chosen.days if chosen else None
    period = calendar.previous_period(calendar.period_of(in_force))
    return period if period.in_force > in_force else calendar.next_period(period)


def calendar_period(pool: Pool, in_force: date) -> CalendarPeriod:
    """The period of the pool's calendar whose list comes into force on a day (R10).

    Raises DomainError `not_in_calendar` for any other day.
    """
    calendar = pool.rating_system.calendar
    assert calendar is not None  # noqa: S101 (ensure_period asks only then)
    period = calendar.previous_period(calendar.period_of(in_force))
    if period.in_force != in_force:
        raise DomainError("not_in_calendar", in_force=in_force)
    return period


def opening_drafts(pool: Pool) -> QuerySet[RatingList]:
    """The draft of an opening list of a pool, if there is one."""
    ended = [RatingList.State.PUBLISHED, RatingList.State.SUPERSEDED]
    return RatingList.objects.filter(pool=pool, is_opening=True).exclude(state__in=ended)


def waiting_tables(pool: Pool) -> QuerySet[OpeningImport]:
    """The uploaded table of an opening list of a pool, if one waits; its bytes are read when they are asked for."""
    return OpeningImport.objects.filter(pool=pool).defer("content")


def past_quarters(pool: Pool, due: CalendarPeriod | None, today: date) -> list[CalendarPeriod]:
    """The quarters from the due one whose closing dates are past and that are neither open nor confirmed.

    Only a calendar has quarters. 0 queries where the due quarter is still running, else 2.
    """
    calendar = pool.rating_system.calendar
    if calendar is None or due is None:
        return []
    quarters = []
    quarter = due
    while quarter.played_before <= today:
        quarters.append(quarter)
        quarter = calendar.next_period(quarter)
    if not quarters:
        return []
    opened = set(
        Period.objects.filter(pool=pool, in_force__gte=due.in_force).values_list("in_force", flat=True)
    )
    confirmed = PastQuarters.objects.filter(pool=pool).aggregate(last=Max("last"))["last"] or date.min
    return [
        quarter for quarter in quarters if quarter.in_force > confirmed and quarter.in_force not in opened
    ]


def day_of_list(tournament: ResultSet, pool: Pool) -> date | None:
    """The day of the list in which a tournament accepted now counts (R10, R11); None where it is not chosen yet.

    Its period's, or the first later one that is not closed yet. 2 queries, 1 more without a calendar.
    """
    closed = [
        *Period.objects.filter(pool=pool).exclude(state=Period.State.OPEN).values_list("in_force", flat=True),
        *RatingList.objects.filter(pool=pool, state=RatingList.State.PUBLISHED).values_list(
            "in_force", flat=True
        ),
    ]
    period = counting_period(pool, tournament, max(closed, default=None))
    return period.in_force if period else None


@dataclass(frozen=True)
class PoolPeriod:
    """The list in which a tournament accepted now counts: its pool and the days of its period.

    No period where the office has not chosen the dates of that list yet.
    """

    pool: Pool
    period: CalendarPeriod | None


def counting_periods(tournaments: Iterable[ResultSet]) -> dict[int, list[PoolPeriod]]:
    """Tournament's key → the lists in which it counts if it is accepted now (R6, R10, R11, R25).

    As many as it has pools, in the order of `pools_of`. 3 queries, 1 more where a pool has no calendar.
    """
    pools = {(pool.system, pool.discipline, pool.tempo): pool for pool in Pool.objects.all()}
    last_closed: dict[int, date] = {}
    for closed in (
        Period.objects.exclude(state=Period.State.OPEN),
        RatingList.objects.filter(state=RatingList.State.PUBLISHED),
    ):
        for pool_id, in_force in closed.values_list("pool").annotate(Max("in_force")).order_by():
            last_closed[pool_id] = max(in_force, last_closed.get(pool_id, in_force))
    chosen = open_chosen_periods(pools.values())
    found = {}
    for tournament in tournaments:
        system = system_of_games(tournament.rating_system, tournament.discipline)
        rules = edition_in_force(system, tournament.counting_day)
        tempos = dict.fromkeys(rules.tempo(seconds) for seconds in tournament.seconds_of_games)
        of_tournament = [pools[system.code, tournament.discipline, tempo] for tempo in tempos]
        found[tournament.pk] = [
            PoolPeriod(pool, counting_period(pool, tournament, last_closed.get(pool.pk), chosen))
            for pool in of_tournament
        ]
    return found


def open_chosen_periods(pools: Iterable[Pool]) -> dict[int, Period]:
    """Pool's key → its open period, of those of these pools whose dates the office chooses. 1 query, or none."""
    without = [pool.pk for pool in pools if pool.rating_system.calendar is None]
    if not without:
        return {}
    opened = Period.objects.filter(pool__in=without, state=Period.State.OPEN)
    return {period.pool_id: period for period in opened.select_related("pool")}


def counting_period(
    pool: Pool,
    tournament: ResultSet,
    last_closed: date | None,
    chosen: Mapping[int, Period] | None = None,
) -> CalendarPeriod | None:
    """The period of a tournament, or the first later one after the last list that is closed (R10, R11).

    Without a calendar it is the open period, if the day that counts is in it; else None. `chosen` are the
    `open_chosen_periods`, where the caller has them; 1 query otherwise.
    """
    calendar = pool.rating_system.calendar
    if calendar is not None:
        return first_open_period(calendar, calendar.period_of(tournament.counting_day), last_closed)
    opened = (open_chosen_periods([pool]) if chosen is None else chosen).get(pool.pk)
    if opened is None or tournament.counting_day > opened.closing:
        return None
    return opened.days if last_closed is None or opened.in_force > last_closed else None


def first_open_period(calendar: Calendar, period: CalendarPeriod, last_closed: date | None) -> CalendarPeriod:
    """A period, or the first later one after the last list that is closed."""
    while last_closed is not None and period.in_force <= last_closed:
        period = calendar.next_period(period)
    return period


@dataclass(frozen=True)
class ClosedList:
    """The last closed list of a pool: its day, its closing date where it had a period, and its rating system."""

    in_force: date
    closing: date | None
    system: str


def last_closed_lists(lists: Iterable[RatingList]) -> dict[int, ClosedList]:
    """Pool's key → its last closed list, of these published ones and of frozen periods. 1 query."""
    found: dict[int, ClosedList] = {}
    for rating_list in lists:
        pool, in_force = rating_list.pool_id, rating_list.in_force
        if pool not in found or found[pool].in_force < in_force:
            found[pool] = ClosedList(
                in_force, None if rating_list.is_opening else rating_list.closing, rating_list.system
            )
    frozen = Period.objects.exclude(state=Period.State.OPEN).order_by("pool", "-in_force").distinct("pool")
    for period in frozen:
        if period.pool_id in found and found[period.pool_id].in_force < period.in_force:
            found[period.pool_id] = ClosedList(period.in_force, period.closing, found[period.pool_id].system)
    return found


def is_in_period(tournament: ResultSet, period: Period) -> bool:
    """Whether a tournament is of a period's pool (`is_in_pool`), and counts by a day before its end (R10)."""
    return tournament.counting_day <= period.closing and is_in_pool(
        tournament.rating_system, tournament.discipline, tournament.seconds_of_games, period
    )


def is_in_pool(
    rating_system: str, discipline: str, seconds_of_games: Iterable[int | None], period: Period
) -> bool:
    """Whether games of this rating system, discipline and one of these times are rated in a period's pool (R6, R25)."""
    rules = edition_in_force(period.pool.rating_system, period.in_force)
    return (
        discipline == period.pool.discipline
        and system_of_games(rating_system, discipline).code == period.pool.system
        and any(rules.tempo(seconds) == period.pool.tempo for seconds in seconds_of_games)
    )
