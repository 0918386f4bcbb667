"""Endpoints of the tournaments that no published list counts: the calendar, and those that wait."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ratings.published.api.serializers.tournaments import ComingTournamentSerializer
from ratings.published.api.tournaments.facts import time_control_in_answer
from ratings.published.selectors.tournaments.tables import (
    ComingTournament,
    announced_tournaments,
    filtered,
    in_order,
    waiting_tournaments,
)
from ratings.published.views.list_query import address
from ratings.published.views.tournaments.filter_form import CalendarForm, WaitingForm
from ratings.queries.lists import office_today
from reporting.web.api.endpoints import PublicView
from reporting.web.api.fields import row_pages
from reporting.web.api.parameters import RowsForm


class CalendarRowsForm(CalendarForm, RowsForm):
    """Which announced tournaments: the filters and the order of the page."""


class WaitingRowsForm(WaitingForm, RowsForm):
    """Which waiting tournaments: the filters and the order of the page."""


COMING_PAGES = row_pages(ComingTournamentSerializer)


class ComingView(PublicView):
    """Tournaments that no published list counts."""

    def coming(self, request: Request, every: Sequence[ComingTournament], page: str) -> HttpResponseBase:
        """Those of these tournaments that the form asks for; `page` is the name of the page that has them."""
        form = self.read(request)

        def make() -> Any:
            found, _ = filtered(every, form.filters)
            rows = in_order(found, form.order)
            answers = [coming_in_answer(row, page) for row in rows[form.rows]]
            return self.rows(request, form, len(rows), ComingTournamentSerializer(answers, many=True).data)

        return self.answer(request, tuple(map(repr, every)), make)


class CalendarView(ComingView):
    """The calendar."""

    parameters = CalendarRowsForm

    @extend_schema(operation_id="listCalendar", responses=COMING_PAGES)
    def get(self, request: Request) -> HttpResponseBase:
        """The announced tournaments from today on, by the filters of their page.

        Order: by `sort`; without it by the first day.
        """
        return self.coming(request, announced_tournaments(office_today()), "tournaments-calendar")


class WaitingView(ComingView):
    """The tournaments that wait for calculation."""

    parameters = WaitingRowsForm

    @extend_schema(operation_id="listWaitingTournaments", responses=COMING_PAGES)
    def get(self, request: Request) -> HttpResponseBase:
        """The tournaments with an accepted report that no published list counts yet, by the filters of their page.

        Order: by `sort`; without it by the first day.
        """
        return self.coming(request, waiting_tournaments(), "tournaments-waiting")


def coming_in_answer(row: ComingTournament, page: str) -> dict[str, Any]:
    names = ("name", "place", "country", "played_from", "played_to", "discipline")
    return {
        "id": row.key,
        "state": "waiting" if row.code else "announced",
        "code": row.code or None,
        **{name: getattr(row, name) for name in names},
        "time_controls": list(map(time_control_in_answer, row.time_controls)),
        "lists": [{"pool": pool.code, "in_force": day} for pool, day in row.lists],
        "stars": row.event.stars if row.event else None,
        "prize_money": row.event.prize_money if row.event else None,
        "page": address(reverse(page), {"q": row.name}),
    }
