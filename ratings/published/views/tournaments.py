"""Tournaments that published lists are calculated from."""

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from ratings.published.selectors import tournaments as selectors
from ratings.published.selectors.list_rows import PAGE_ROWS, NoSuchPageError
from ratings.published.selectors.lists import NotPublishedError, newest_lists, stamp_of
from ratings.published.views.list_query import address
from ratings.published.views.sharing.cards import tournament_card
from reporting.models import Report, Tournament, User
from reporting.policies import check_can_submit
from reporting.web.access import refusal_message
from reporting.web.http_cache import full_address, public_page
from reporting.web.paging import Rows, build_pager, rounds_on_page
from reporting.web.query_params import PageForm, SearchForm


@login_not_required
@require_safe
def tournaments(request: HttpRequest) -> HttpResponseBase:
    """Tournaments by name, place or country, newest first."""
    search, page = SearchForm(request.GET).search, PageForm(request.GET).number_or_404
    words = tuple(search.typed.split())

    def render_page() -> str:
        try:
            found = selectors.tournament_page(words, page)
        except NoSuchPageError as error:
            raise Http404 from error

        def href(page: str) -> str:
            return address(request.path, {"q": search.typed, "page": page})

        context = {
            "search": search,
            "found": found,
            "pager": build_pager(page, found.pages, found.total, href),
        }
        return render_to_string("ratings/tournaments.html", context, request)

    return public_page(request, stamp_of(newest_lists()), render_page)


@login_not_required
@require_safe
def tournament(request: HttpRequest, code: str) -> HttpResponseBase:
    """A published tournament: its details, its games by rounds, its rating changes."""
    try:
        stamp = selectors.tournament_stamp(code)
    except NotPublishedError as error:
        raise Http404 from error

    page = PageForm(request.GET).number_or_404

    def render_page() -> str:
        try:
            found = selectors.published_tournament(code, (page - 1) * PAGE_ROWS)
        except NoSuchPageError as error:
            raise Http404 from error
        table = found.crosstable

        def href(page: str) -> str:
            return address(request.path, {"page": page}) + "#ratings"

        context = {
            "found": found,
            "card": tournament_card(found),
            "players": Rows(
                table.lines,
                table.first + 1,
                table.first + len(table.lines),
                len(table.numbers),
                build_pager(page, found.pages, len(table.numbers), href),
            ),
            "rounds": rounds_on_page(request, table.rounds, table.lines),
            "full_address": full_address(request),
            "to_correct": report_to_correct(request, found.tournament),
        }
        return render_to_string("ratings/tournament.html", context, request)

    return public_page(request, ("tournament", *stamp, request.get_host()), render_page)


def report_to_correct(request: HttpRequest, tournament: Tournament) -> Report | None:
    """The accepted report of a tournament, for a reader who may correct it. A page with a session is never cached."""
    user = request.user
    if not isinstance(user, User):
        return None
    accepted = Report.objects.filter(tournament=tournament.pk, state=Report.State.ACCEPTED)
    report = accepted.select_related("tournament", "submitted_by").first()
    return None if report is None or refusal_message(check_can_submit, user, report) else report
