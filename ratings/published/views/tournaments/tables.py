"""Tournaments in tables: calculated, waiting for calculation, announced; the calendar for other programs."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.paginator import EmptyPage, Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from ratings.published.selectors.tournaments import tables as selectors
from ratings.published.selectors.tournaments.tables import AnnouncedEvent, ComingTournament
from ratings.published.views.list_query import address
from ratings.published.views.tournaments.filter_form import CalendarForm, TournamentFilterForm, WaitingForm
from ratings.queries.list_rows import PAGE_ROWS
from ratings.queries.lists import office_today
from ratings.queries.time_controls import clock_label, have_clocks
from reporting.federations.registry import discipline_labels
from reporting.formats.icalendar import CalendarEvent, write_calendar
from reporting.web.http_cache import digest, public_file, public_page, release_digest
from reporting.web.paging import pager_of
from reporting.web.panels import panels_at
from reporting.web.query_params import PageForm, declare_parameters
from reporting.web.sorting import SortColumn, sort_headings
from reporting.web.values import number

NAME = SortColumn("name", gettext_lazy("Tournament"))
PLACE = SortColumn("place", gettext_lazy("Place"), style="table__wide")
LIST = SortColumn("list", gettext_lazy("List"), style="table__wide")
TIME = SortColumn("time", gettext_lazy("60 moves"), style="table__num table__wide")
CLOCK = SortColumn("", gettext_lazy("Clock"), style="table__wide")
DAYS = SortColumn("played", gettext_lazy("Played"), style="table__num")

CALCULATED_COLUMNS = (
    NAME, PLACE, LIST,
    SortColumn("players", gettext_lazy("Players"), style="table__num table__wide"),
    TIME, DAYS,
)  # fmt: skip
WAITING_COLUMNS = (NAME, PLACE, CLOCK, LIST, DAYS)
CALENDAR_COLUMNS = (NAME, PLACE, SortColumn("", gettext_lazy("Discipline"), style="table__wide"), CLOCK, DAYS)
FALLING_FIRST = ("players", "time", "list")

DAYS_KEPT = 366
"""How long the calendar file keeps a tournament after its last round: a program deletes what is gone from the file."""


@dataclass(frozen=True)
class Tab:
    """One of the tables: the name of its address, its words, its columns."""

    name: str
    label: Any
    title: Any
    kind: Any
    empty: Any
    columns: Sequence[SortColumn]

    @property
    def address(self) -> str:
        return reverse(self.name)


CALCULATED = Tab(
    "tournaments",
    gettext_lazy("Calculated"),
    gettext_lazy("Tournaments"),
    gettext_lazy("Calculated in published lists"),
    gettext_lazy("No tournament has been calculated in a published list."),
    CALCULATED_COLUMNS,
)
WAITING = Tab(
    "tournaments-waiting",
    gettext_lazy("Waiting for calculation"),
    gettext_lazy("Tournaments waiting for calculation"),
    gettext_lazy("Report accepted, not yet counted by a published list"),
    gettext_lazy("No tournament waits for calculation."),
    WAITING_COLUMNS,
)
CALENDAR = Tab(
    "tournaments-calendar",
    gettext_lazy("Calendar"),
    gettext_lazy("Tournament calendar"),
    gettext_lazy("Announced"),
    gettext_lazy("No tournament is announced."),
    CALENDAR_COLUMNS,
)
TABS = (CALCULATED, WAITING, CALENDAR)


@dataclass(frozen=True)
class Found:
    """All rows of a table, whether they have only words similar to those typed, and what its filters offer."""

    rows: Any
    is_similar: bool
    years: Sequence[int]
    countries: Mapping[str, str]
    tempos: Sequence[str]


def table_page(
    request: HttpRequest,
    form: TournamentFilterForm,
    tab: Tab,
    stamp: tuple[Hashable, ...],
    find: Callable[[], Found],
) -> HttpResponseBase:
    """A page of a table of tournaments; 400 with what is wrong where a filter cannot be used."""
    page = PageForm(request.GET).number_or_400
    is_valid = form.is_valid()

    def href(sort: str) -> str:
        return address(request.path, form.values | {"sort": "" if sort == form.default_sort else sort})

    def render_page() -> str:
        found = find()
        form.offer(found.years, found.countries, found.tempos)
        pages = Paginator(found.rows, PAGE_ROWS)
        try:
            shown = pages.page(page)
        except EmptyPage as error:
            raise Http404 from error
        rows = list(shown)
        columns = [column for column in tab.columns if column is not TIME or have_clocks(rows)]
        context = {
            "tab": tab,
            "tabs": TABS,
            "panels": panels_at("tournaments", None),
            "form": form,
            "found": found,
            "rows": rows,
            "total": pages.count,
            "pager": pager_of(shown, form.values),
            "headings": list(sort_headings(columns, form.order, href, FALLING_FIRST)),
            "all_rows": request.path,
            "is_calculated": tab is CALCULATED,
            "calendar": address(reverse("tournaments-calendar-file"), form.values) if tab is CALENDAR else "",
        }
        return render_to_string("ratings/tournaments.html", context, request)

    status = HTTPStatus.OK if is_valid else HTTPStatus.BAD_REQUEST
    return public_page(request, (tab.name, *stamp), render_page, status=status)


@login_not_required
@require_safe
@declare_parameters(TournamentFilterForm, "page")
def calculated(request: HttpRequest) -> HttpResponseBase:
    """Tournaments of published lists, by filters and words in any spelling."""
    stamp = selectors.published_stamp()
    form = TournamentFilterForm(request.GET)

    def find() -> Found:
        found = selectors.calculated_tournaments(stamp, form.filters, form.order)
        index = selectors.tournament_index(stamp)
        return Found(found.rows, found.is_similar, index.years, index.countries, selectors.tempos())

    return table_page(request, form, CALCULATED, stamp, find)


@login_not_required
@require_safe
@declare_parameters(WaitingForm, "page")
def waiting(request: HttpRequest) -> HttpResponseBase:
    """Tournaments whose reports are accepted and that no published list has counted yet."""
    return coming_page(request, WaitingForm(request.GET), WAITING, selectors.waiting_tournaments())


@login_not_required
@require_safe
@declare_parameters(CalendarForm, "page")
def calendar(request: HttpRequest) -> HttpResponseBase:
    """Announced tournaments from today on."""
    rows = selectors.announced_tournaments(office_today())
    return coming_page(request, CalendarForm(request.GET), CALENDAR, rows)


def coming_page(
    request: HttpRequest, form: TournamentFilterForm, tab: Tab, rows: Sequence[ComingTournament]
) -> HttpResponseBase:
    """A page of tournaments that no published list counts."""

    def find() -> Found:
        found, is_similar = selectors.filtered(rows, form.filters)
        return Found(
            [ShownTournament(row) for row in selectors.in_order(found, form.order)],
            is_similar,
            selectors.years_of((row.played_from, row.played_to) for row in rows),
            selectors.countries_of((row.country, row.country_name) for row in rows),
            sorted({tempo for row in rows for tempo in row.tempos}),
        )

    return table_page(request, form, tab, tuple(rows), find)


@dataclass(frozen=True)
class ShownTournament:
    """A row of the table, with its words in the language in use."""

    row: ComingTournament

    @property
    def discipline(self) -> str:
        return gettext(discipline_labels().get(self.row.discipline, self.row.discipline))

    @property
    def time_control(self) -> str:
        return ", ".join(clock_label(control, None) for control in self.row.time_controls)

    @property
    def star_signs(self) -> str:
        """The stars of an approved event, such as ★★★."""
        return "★" * self.row.event.stars if self.row.event else ""


@login_not_required
@require_safe
@declare_parameters(CalendarForm)
def calendar_file(request: HttpRequest) -> HttpResponseBase:
    """The calendar of announced tournaments as iCalendar, for programs that subscribe to it; by the same filters.

    A withdrawn tournament stays in it, marked as cancelled.
    """
    form = CalendarForm(request.GET)
    if not form.is_valid():
        problems = "\n".join(
            f"{name}: {message}" for name, messages in form.errors.items() for message in messages
        )
        return HttpResponse(problems, "text/plain; charset=utf-8", HTTPStatus.BAD_REQUEST)
    events = selectors.announced_events(office_today() - timedelta(days=DAYS_KEPT))
    found, _ = selectors.filtered([event.tournament for event in events], form.filters)
    keys = {row.key for row in found}
    page = urljoin(settings.OFFICE_URL or request.build_absolute_uri("/"), reverse("tournaments-calendar"))
    shown = [calendar_event(event, page) for event in events if event.tournament.key in keys]

    def make() -> HttpResponseBase:
        return HttpResponse(
            write_calendar(gettext("Announced tournaments"), shown), "text/calendar; charset=utf-8"
        )

    etag = digest(release_digest(), request.get_full_path(), *shown)
    return public_file(request, etag, "tournaments.ics", make)


def event_line(row: ComingTournament) -> str:
    """The stars and the prize money, if there is any, of an approved event, in words; empty without one."""
    if row.event is None:
        return ""
    values = {"stars": row.event.stars, "money": number(row.event.prize_money)}
    if not row.event.prize_money:
        text = ngettext("World Cup: %(stars)s star", "World Cup: %(stars)s stars", row.event.stars)
    else:
        text = ngettext(
            "World Cup: %(stars)s star, prize money €%(money)s",
            "World Cup: %(stars)s stars, prize money €%(money)s",
            row.event.stars,
        )
    return text % values


def calendar_event(event: AnnouncedEvent, page: str) -> CalendarEvent:
    """An announcement as an event of the calendar at an address."""
    row, shown = event.tournament, ShownTournament(event.tournament)
    return CalendarEvent(
        uid=f"announcement-{row.key}@{urlsplit(page).hostname}",
        first_day=row.played_from,
        last_day=row.played_to,
        summary=row.name,
        location=", ".join(filter(None, [row.place, row.country_name])),
        description=", ".join(filter(None, [shown.discipline, shown.time_control, event_line(row)])),
        url=address(page, {"q": row.name}),
        sequence=event.changes,
        created_at=event.created_at,
        changed_at=event.changed_at,
        is_cancelled=event.is_withdrawn,
    )
