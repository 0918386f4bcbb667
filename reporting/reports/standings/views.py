"""Standings without log-in: any report file, tie-breaks chosen, each value explained; nothing is stored."""

from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt

from reporting.reports.standings.classify_file import ClassifiedFile, classify_file
from reporting.reports.standings.forms import StandingsForm
from reporting.reports.standings.shown import shown_players, tie_break_headings
from reporting.reports.views.reports import hold_place
from reporting.web.access import UPLOAD, allow_large_body
from reporting.web.attempt import Attempt
from reporting.web.query_params import declare_parameters
from reporting.web.rate_limit import WINDOW_MINUTES, count_requests

MOST_STANDINGS = 60
MOST_SHOWN = 500
"""Players on the page; of a larger tournament the first ones. A page has at most a megabyte."""
MOST_EXPLAINED, MOST_SUMMANDS = 200, 8_000
"""Players whose sums are on the page, and the numbers in all of these sums."""


# It changes nothing, so no request can be forged; and visitors get no cookie.
@allow_large_body(UPLOAD)
@csrf_exempt
@login_not_required
@declare_parameters()
def standings(request: HttpRequest) -> HttpResponse:
    """Classify a report file or pasted text by chosen tie-breaks. No queries."""
    if request.method not in ("GET", "HEAD", "POST"):
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    context: dict[str, Any] = {"form": StandingsForm()}
    status = HTTPStatus.OK
    if request.method == "POST":
        context, status = _posted(request)
    response = render(request, "reporting/standings/standings_of_file.html", context, status=status)
    response["Cache-Control"] = "private, no-store"
    if status is HTTPStatus.TOO_MANY_REQUESTS:
        response["Retry-After"] = str(WINDOW_MINUTES * 60)
    return response


def _posted(request: HttpRequest) -> tuple[dict[str, Any], HTTPStatus]:
    if count_requests(request, "standings").number > MOST_STANDINGS:
        problem = gettext(
            "You have asked for %(most)s standings in %(minutes)s minutes. Try again later."
        ) % {
            "most": MOST_STANDINGS,
            "minutes": WINDOW_MINUTES,
        }
        return {"form": StandingsForm(), "problem": problem}, HTTPStatus.TOO_MANY_REQUESTS
    form = StandingsForm(request.POST, request.FILES)
    attempt = Attempt(form)
    context: dict[str, Any] = {"form": form}
    if not attempt.is_valid:
        return context, attempt.status
    chosen = form.cleaned_data
    with attempt:
        hold_place(request)
        classified = classify_file(
            content=form.content,
            sidecar=form.sidecar,
            keys=form.keys,
            unplayed=chosen["unplayed"],
            edition=chosen["edition"],
            system=chosen["system"],
            today=timezone.localdate(),
        )
        context |= {"findings": classified.findings, "read": classified.read}
        if classified.standings is not None:
            context |= {
                "tie_breaks": tie_break_headings(classified.standings),
                "players": shown_players(
                    classified.standings, most=MOST_SHOWN, explained=_explained(classified)
                ),
                "total": len(classified.standings.order),
            }
        else:
            context["problem"] = gettext("The file has errors, so it has no standings. Correct them first.")
    if attempt.refusal:
        context["problem"] = attempt.refusal.message
    return context, attempt.status


def _explained(classified: ClassifiedFile) -> int:
    """The number of players whose sums a page has room for."""
    tie_breaks = classified.standings.tie_breaks if classified.standings else ()
    return min(MOST_EXPLAINED, MOST_SUMMANDS // max(len(tie_breaks) * classified.read.rounds, 1))
