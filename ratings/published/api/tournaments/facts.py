"""Endpoints of the tournaments of published lists, and how an answer has a tournament."""

from datetime import timedelta
from typing import Any

from django.http import Http404, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ratings.published.api.serializers.tournaments import TournamentSerializer
from ratings.published.selectors.tournaments.tables import calculated_tournaments, published_stamp
from ratings.published.views.tournaments.filter_form import TournamentFilterForm
from ratings.queries import tournaments as selectors
from ratings.queries.lists import NotPublishedError
from reporting.rules.details.time_control import TimeControl, TimeControlError, parse_time_control
from reporting.web.api.endpoints import PublicView
from reporting.web.api.fields import row_pages
from reporting.web.api.parameters import RowsForm

NO_TOURNAMENT = gettext_lazy("No published list counts a tournament with this code.")


class TournamentsForm(TournamentFilterForm, RowsForm):
    """Which tournaments: the filters and the order of the page."""


class TournamentsView(PublicView):
    """The tournaments of published lists."""

    parameters = TournamentsForm

    @extend_schema(operation_id="listTournaments", responses=row_pages(TournamentSerializer))
    def get(self, request: Request) -> HttpResponseBase:
        """The tournaments of published lists by the filters of their page.

        Order: by `sort`; without it by the last day, the latest first.
        """
        form = self.read(request)
        stamp = published_stamp()

        def make() -> Any:
            found = calculated_tournaments(stamp, form.filters, form.order).rows
            answers = TournamentSerializer([tournament_in_answer(row) for row in found[form.rows]], many=True)
            return self.rows(request, form, found.count(), answers.data)

        return self.answer(request, stamp, make)


class TournamentView(PublicView):
    """A tournament."""

    nothing_found = NO_TOURNAMENT

    @extend_schema(operation_id="retrieveTournament", responses=TournamentSerializer)
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """A tournament as the newest revision of its list counts it."""
        self.read(request)
        found, stamp = tournament_or_404(code)

        def make() -> Any:
            parts = {"parts": parts_in_answer(code)} if found.may_have_parts else {}
            return TournamentSerializer(tournament_in_answer(found) | parts).data

        return self.answer(request, stamp, make)


def tournament_or_404(code: str) -> tuple[Any, tuple[Any, ...]]:
    """A tournament of a published list as its newest revision counts it, and the stamp of what is said about it."""
    try:
        stamp = selectors.tournament_stamp(code)
    except NotPublishedError as error:
        raise Http404 from error
    # A session has a row for each pool (R25); after a correction one pool can count an earlier report.
    found = (
        selectors.published_tournaments()
        .filter(tournament__code=code)
        .order_by("-part", "-pk", "pool_code")
        .first()
    )
    if found is None:
        raise Http404
    if found.part > 1:
        found.players = selectors.counted_tournament(code).tournament.players
    return found, stamp


def tournament_in_answer(tournament: Any) -> dict[str, Any]:
    names = (
        "code",
        "name",
        "place",
        "played_from",
        "played_to",
        "system",
        "players",
        "in_force",
        "report_sha256",
        "excluded_by",
    )
    return {
        **{name: getattr(tournament, name) for name in names},
        "country": tournament.country_id,
        "time_controls": time_controls_in_answer(tournament),
        "pool": tournament.pool_code,
        "url": reverse("api-tournament", args=(tournament.code,)),
    } | ({"part": tournament.part} if tournament.may_have_parts else {})


def parts_in_answer(code: str) -> list[dict[str, Any]]:
    """The parts of a tournament with the lists that count them."""
    return [
        {
            "part": part.tournament.part,
            "games": part.tournament.games_played or 0,
            "pool": part.rating_list.pool.code,
            "in_force": part.rating_list.in_force,
            "revision": part.rating_list.revision,
            "report_sha256": part.tournament.report_sha256,
            "excluded_by": part.excluded_by and part.excluded_by.revision,
        }
        for part in selectors.counted_tournament(code).parts
    ]


def time_controls_in_answer(tournament: Any) -> list[dict[str, Any]]:
    """The time controls of a tournament's games; none without a clock."""
    if tournament.session:
        return list(map(time_control_in_answer, tournament.session))
    if not tournament.time_control and tournament.seconds_for_60_moves is None:
        return []
    return [time_control_in_answer(tournament.time_control, tournament.seconds_for_60_moves)]


def time_control_in_answer(text: str, seconds: int | None = None) -> dict[str, Any]:
    """A time control with its parts; without them, and with these seconds for 60 moves, where it cannot be read."""
    try:
        control = parse_time_control(text)
    except TimeControlError:
        control = TimeControl(())
    else:
        seconds = control.seconds_for_60_moves
    added = control.added_seconds
    return {
        "text": text,
        "sessions": [
            {"time": timedelta(seconds=session.seconds), "moves": session.moves}
            for session in control.sessions
        ],
        "increment": timedelta(seconds=added) if added else None,
        "increment_from": control.added_from if added else None,
        "time_for_60_moves": None if seconds is None else timedelta(seconds=seconds),
    }
