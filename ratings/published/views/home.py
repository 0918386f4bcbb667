"""The home page: the lists in force, what is new, what comes next; and its search."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from http import HTTPStatus

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from ratings.federations.facet import RatingSystem
from ratings.federations.registry import rating_system, rating_systems
from ratings.models import Period, Pool, RatingList
from ratings.office.selectors.first_steps import first_steps
from ratings.published.selectors.search import search as search_everything
from ratings.published.selectors.tournaments.tables import newest_tournaments
from ratings.queries.addresses import published_players
from ratings.queries.list_rows import leaders
from ratings.queries.lists import last_published, lists_of_today, office_today
from ratings.queries.periods import (
    ClosedList,
    first_open_period,
    last_closed_lists,
    open_chosen_periods,
)
from reporting.federations.registry import report_rules
from reporting.models import PlayerTitle
from reporting.policies import check_can_upload
from reporting.register.selectors.titles import newest_titles, title_changes
from reporting.rules.regulations.editions import edition_on
from reporting.web.access import is_offered
from reporting.web.http_cache import cached, public_page, requested_fragment
from reporting.web.query_params import SearchForm, declare_parameters
from reporting.web.values import games_played

LATEST_TOURNAMENTS = 5
LEADERS, LEADERS_ALONE = 5, 10
NEWS = 6
SUGGESTIONS, RESULTS = 5, 20


@dataclass(frozen=True)
class RunningQuarter:
    """The time between two closing dates, and today in it."""

    since: date
    closing: date
    in_force: date
    today: date
    system: RatingSystem
    report_days: int | None
    pools: tuple[str, ...] = ()

    @property
    def days(self) -> int:
        return (self.closing - self.since).days

    @property
    def days_left(self) -> int:
        return (self.closing - self.today).days

    @property
    def days_passed(self) -> int:
        return (self.today - self.since).days

    @property
    def bar_width(self) -> int:
        """The width of the days passed, of the 246 units of the bar."""
        return round(246 * self.days_passed / self.days)


def running_quarters(
    today: date, closed: Mapping[int, ClosedList], pools: Mapping[int, Pool], chosen: Iterable[Period] = ()
) -> list[RunningQuarter]:
    """The periods in which tournaments that end today count (R10): the own one, or the next where that is frozen.

    One for all pools whose periods have the same days, the one that closes first in front. `closed` is the last closed
    list of each of these pools; `chosen` are the open periods whose dates the office chose.
    """
    quarters = [
        RunningQuarter(
            timezone.localdate(period.played_since, timezone.get_default_timezone()) - timedelta(days=1),
            period.closing,
            period.in_force,
            today,
            period.pool.rating_system,
            edition_on(today, rating_system=period.pool.system).report_days,
            (period.pool.name,),
        )
        for period in chosen
        if period.closing >= today
    ]
    lists: list[tuple[int, ClosedList | None]] = [*closed.items()] or [(0, None)]
    for pool, last in lists:
        system = rating_system(last.system) if last else rating_systems()[0]
        if system.calendar is None:
            continue
        period = system.calendar.period_of(today)
        if last is not None:
            period = first_open_period(system.calendar, period, last.in_force)
        before = system.calendar.previous_period(period)
        # The demonstration freezes early.
        since = last.closing if last and last.closing and last.in_force == before.in_force else before.closing
        report_days = edition_on(today, rating_system=system.code).report_days
        names = (pools[pool].name,) if pool else ()
        quarters.append(
            RunningQuarter(since, period.closing, period.in_force, today, system, report_days, names)
        )
    together: dict[tuple[date, date], RunningQuarter] = {}
    for quarter in quarters:
        days = (quarter.closing, quarter.in_force)
        first = together.setdefault(days, quarter)
        if first is not quarter:
            together[days] = replace(first, pools=(*first.pools, *quarter.pools))
    return [quarter for _, quarter in sorted(together.items())]


@dataclass(frozen=True)
class News:
    """What became public on a day: a list, a revision of one, or a title."""

    day: date
    rating_list: RatingList | None = None
    title: PlayerTitle | None = None


def latest_news(newest: Iterable[PlayerTitle]) -> list[News]:
    """The last lists, revisions and titles that became public, the newest first. 1 query."""
    zone = timezone.get_default_timezone()
    lists = [
        News(timezone.localdate(published.published_at, zone), published)
        for published in last_published(NEWS)
        if published.published_at
    ]
    titles = [News(title.registered_on, title=title) for title in newest if title.registered_on]
    return sorted((*lists, *titles), key=lambda news: news.day, reverse=True)[:NEWS]


@login_not_required
@require_safe
@declare_parameters()
def home(request: HttpRequest) -> HttpResponseBase:
    """The lists in force with their leaders, upcoming lists, the next closing date, what is new, tournaments."""
    lists = lists_of_today()
    today = office_today()
    closed = last_closed_lists([*lists.in_force, *lists.upcoming])
    pools = {found.pool_id: found.pool for found in lists.shown}
    quarters = running_quarters(today, closed, pools, open_chosen_periods(pools.values()).values())
    published = bool(lists.shown)
    steps = [] if published else first_steps()
    titles = newest_titles()[:NEWS]

    def main(*, reports: bool) -> SafeString:
        first = leaders(lists.in_force, LEADERS if len(lists.in_force) > 1 else LEADERS_ALONE)
        news = latest_news(titles)
        upcoming = {found.pool_id: found for found in reversed(lists.upcoming)}
        shown = {found.pool_id for found in lists.in_force}
        context = {
            "games": games_played(),
            "lists": [(found, first[found.pk], upcoming.get(found.pool_id)) for found in lists.in_force],
            "upcoming": lists.upcoming,
            "upcoming_alone": [found for found in lists.upcoming if found.pool_id not in shown],
            "today": today,
            "quarters": quarters,
            "news": news,
            "listed": published_players({one.title.player_id for one in news if one.title}),
            "tournaments": newest_tournaments(LATEST_TOURNAMENTS),
            "first_steps": steps,
            "reports": reports,
            "systems": [(system, report_rules(system.code).name) for system in rating_systems()],
        }
        return render_to_string("ratings/home.html#main", context, request)

    stamp = (today, *lists.stamp, *sorted(closed.items()), *quarters, *steps, *title_stamp(titles))

    def render_page() -> str:
        # All but the head and the links for referees is the same for readers with a session, for whom no page is kept.
        reports = is_offered(check_can_upload, request.user)
        key = ("home", get_language(), reports, *stamp)
        part = cached(key, lambda: main(reports=reports)) if published else main(reports=reports)
        context = {"lists": lists.in_force, "upcoming": lists.upcoming, "main": part}
        return render_to_string("ratings/home.html", context, request)

    return public_page(request, stamp, render_page, in_memory=published)


def title_stamp(titles: Iterable[PlayerTitle]) -> list[str]:
    """A value that changes with these titles, and when a person is erased."""
    return [f"{title.pk} {title.player.printed_name}" for title in titles]


@login_not_required
@require_safe
@declare_parameters(SearchForm)
def search(request: HttpRequest) -> HttpResponseBase:
    """Players, tournaments and federations in any spelling: a page of results, or suggestions below the field.

    3 queries once the names are read; 400 for a search that cannot be used.
    """
    asked = SearchForm(request.GET).search
    if asked.problem:
        page = render_to_string("ratings/search.html", {"search": asked}, request)
        return public_page(request, ("search",), lambda: page, status=HTTPStatus.BAD_REQUEST)
    today = lists_of_today()
    stamp = today.stamp
    suggests = requested_fragment(request) == "suggestions"

    def render_page() -> str:
        most = SUGGESTIONS if suggests else RESULTS
        found = (
            search_everything(today.shown, stamp, asked.words, asked.number, most) if asked.typed else None
        )
        part = "#suggestions" if suggests else ""
        context = {"search": asked, "found": found, "upcoming": today.upcoming}
        return render_to_string(f"ratings/search.html{part}", context, request)

    return public_page(request, (*stamp, *title_changes()), render_page)
