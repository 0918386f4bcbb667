"""The pages of forecasts: for a list of entrants, a report file, a stored report; points for a norm. Stores nothing."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from ratings.federations.registry import rating_system
from ratings.queries.addresses import published_players
from reporting.formats.tournament_details.sidecar import read_sidecar, write_details
from reporting.reports.reading.match_players import match_players
from reporting.reports.reading.parse import Submission, read_submission, read_upload
from reporting.reports.views.reports import hold_place, report_or_404
from reporting.rules.findings.finding_list import Finding, Severity
from reporting.rules.register.registers import register_of_games
from reporting.web.access import UPLOAD, OfficeRequest, allow_large_body
from reporting.web.attempt import Attempt
from reporting.web.http_cache import public_page
from reporting.web.query_params import declare_parameters
from reporting.web.rate_limit import WINDOW_MINUTES, count_requests
from titles.federations.facet import Entrant
from titles.federations.registry import awarding_systems, rules_of_titles
from titles.forecasts.field import MAX_ENTRANTS, Basis, find_basis, forecast_field
from titles.forecasts.forms import DetailsForm, EntrantsForm, PointsForm, ReportForm
from titles.forecasts.read_entrants import read_entrants
from titles.forecasts.read_games import reported_entrants, reported_games
from titles.forecasts.rows import title_rows
from titles.rules.forecast import ForecastGame

MAX_FORECASTS = 60
FINDINGS_SHOWN = 50


# They change nothing, so no request can be forged; and visitors get no cookie.
@allow_large_body(UPLOAD)
@csrf_exempt
@login_not_required
@declare_parameters()
def entrants_forecast(request: HttpRequest) -> HttpResponse:
    """The norms that a list of entrants makes possible."""
    if request.method not in ("GET", "HEAD", "POST"):
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    form = EntrantsForm(request.POST, request.FILES) if request.method == "POST" else EntrantsForm()
    context: dict[str, Any] = {}
    status = HTTPStatus.OK
    if form.is_bound:
        problem = too_many(request)
        if problem:
            return shown(request, form, {"problem": problem}, HTTPStatus.TOO_MANY_REQUESTS)
        context, status = entrants_context(form) if form.is_valid() else ({}, HTTPStatus.BAD_REQUEST)
    return shown(request, form, context, status)


@allow_large_body(UPLOAD)
@csrf_exempt
@login_not_required
@declare_parameters()
def running_forecast(request: HttpRequest) -> HttpResponse:
    """The points that norms still ask in a running tournament, by its report file."""
    if request.method not in ("GET", "HEAD", "POST"):
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    form = ReportForm(request.POST, request.FILES) if request.method == "POST" else ReportForm()
    attempt = Attempt()
    context: dict[str, Any] = {}
    if form.is_bound:
        problem = too_many(request)
        if problem:
            return shown(request, form, {"problem": problem}, HTTPStatus.TOO_MANY_REQUESTS)
        if not form.is_valid():
            return shown(request, form, {}, HTTPStatus.BAD_REQUEST)
        with attempt:
            hold_place(request)
            context, status = running_context(form)
            return shown(request, form, context, status)
        context = {"problem": attempt.refusal and attempt.refusal.message}
    return shown(request, form, context, HTTPStatus(attempt.status))


def report_forecast(request: OfficeRequest, number: int) -> HttpResponse:
    """The points that norms still ask in the tournament of a report, with the details it has; for its readers.

    What the report leaves open, above all the number of rounds, is asked first. At most 20 queries.
    """
    if request.method not in ("GET", "HEAD", "POST"):
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    attempt = Attempt()
    with attempt:
        opened = report_or_404(request, number)
    if attempt.refusal:
        return shown(request, DetailsForm(), {"problem": attempt.refusal.message}, HTTPStatus(attempt.status))
    rounds = len(opened.sidecar.values.get("rounds") or ()) or None
    form = DetailsForm(request.POST or None, initial={**opened.sidecar.values, "rounds": rounds})
    context: dict[str, Any] = {}
    status = HTTPStatus.BAD_REQUEST if form.is_bound else HTTPStatus.OK
    if form.is_valid():
        context, status = reported_context(form, opened.submission)
    return shown(request, form, context | {"opened": opened}, status)


def too_many(request: HttpRequest) -> str:
    if count_requests(request, "norm-forecast").number <= MAX_FORECASTS:
        return ""
    return gettext(
        "You have made %(most)s forecasts in %(minutes)s minutes. Try again in %(minutes)s minutes."
    ) % {
        "most": MAX_FORECASTS,
        "minutes": WINDOW_MINUTES,
    }


def shown(
    request: HttpRequest, form: DetailsForm, context: dict[str, Any], status: HTTPStatus
) -> HttpResponse:
    is_running = "opened" in context or isinstance(form, ReportForm)
    context |= {"form": form, "is_running": is_running, "most": MAX_ENTRANTS}
    response = render(request, "titles/forecast.html", context, status=status)
    response["Cache-Control"] = "private, no-store"
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        response["Retry-After"] = str(WINDOW_MINUTES * 60)
    return response


def entrants_context(form: EntrantsForm) -> tuple[dict[str, Any], HTTPStatus]:
    """The result of a list of entrants, or its findings. At most 8 queries."""
    details = form.details()
    entrants, findings = read_entrants(form.content(), register_of_games("", details["discipline"]))
    if not findings and not rounds_fit(form, len(entrants)):
        return {}, HTTPStatus.BAD_REQUEST
    if findings:
        return {"findings": findings}, HTTPStatus.BAD_REQUEST
    return forecast_context(form, entrants, [], 0)


def rounds_fit(form: DetailsForm, number: int) -> bool:
    """Whether so many players can play so many rounds; else the form has the error."""
    rounds, system = form.cleaned_data["rounds"], form.cleaned_data["system"]
    cycle = number - 1 + number % 2
    if number < 2:
        form.add_error("entrants", gettext("Enter at least two players."))
    elif system == "round-robin" and rounds % cycle:
        form.add_error(
            "rounds",
            gettext("A round robin of %(players)s players has %(rounds)s rounds, or twice as many.")
            % {"players": number, "rounds": cycle},
        )
    elif system != "round-robin" and rounds > number - 1:
        form.add_error(
            "rounds",
            gettext("%(players)s players can play at most %(rounds)s rounds.")
            % {"players": number, "rounds": number - 1},
        )
    return form.is_valid()


def running_context(form: ReportForm) -> tuple[dict[str, Any], HTTPStatus]:
    """The result of a report file, or the findings that prevent it. At most 10 queries. Raises DomainError `busy`."""
    details = form.details()
    sidecar = read_sidecar(write_details({"discipline": details["discipline"]}))
    read = read_upload(content=form.cleaned_data["file"].read(), sidecar=sidecar).read
    submission = read_submission(read=read, sidecar=sidecar, today=timezone.localdate())
    return reported_context(form, submission, for_visitors=True)


def reported_context(
    form: DetailsForm, submission: Submission, *, for_visitors: bool = False
) -> tuple[dict[str, Any], HTTPStatus]:
    """The result of a report as it was read, or the findings that prevent it. At most 11 queries.

    Visitors see of a player on no published list only what the file says.
    """
    read = submission.read
    errors: Sequence[Finding] = [each for each in read.findings if each.severity is Severity.ERROR]
    numbers = [player.number for player in read.players]
    if not read.players or errors or len(set(numbers)) < len(numbers):
        return {"findings": errors[:FINDINGS_SHOWN], "unreadable": True}, HTTPStatus.BAD_REQUEST
    if len(numbers) > MAX_ENTRANTS:
        problem = gettext("A forecast has at most %(most)s players.") % {"most": MAX_ENTRANTS}
        return {"problem": problem}, HTTPStatus.BAD_REQUEST
    played = read.rounds
    if played > form.cleaned_data["rounds"]:
        form.add_error("rounds", gettext("The file has %(rounds)s rounds already.") % {"rounds": played})
        return {}, HTTPStatus.BAD_REQUEST
    players = {
        player.number: match.player
        for player, match in zip(submission.read.players, match_players(submission), strict=True)
    }
    if for_visitors:
        public = published_players({player.pk for player in players.values() if player})
        players = {number: player for number, player in players.items() if player and player.pk in public}
    return forecast_context(form, reported_entrants(read, players), reported_games(read), played)


def forecast_context(
    form: DetailsForm, entrants: Sequence[Entrant], games: list[ForecastGame], rounds_played: int
) -> tuple[dict[str, Any], HTTPStatus]:
    """What the page shows of a forecast."""
    details, today = form.details(), timezone.localdate()
    basis: Basis | None = find_basis(details["discipline"], today)
    if basis is None:
        return {"problem": gettext("There are no norms for this board.")}, HTTPStatus.BAD_REQUEST
    rows = forecast_field(basis, entrants, details, games, rounds_played, today)
    return {
        "basis": basis,
        "rows": rows,
        "titles": title_rows(rows, rules_of_titles(basis.pool.system).colours),
        "rounds_played": rounds_played,
        "rounds_left": details["rounds"] - rounds_played,
        "opponents_known": details["system"] == "round-robin",
    }, HTTPStatus.OK


@login_not_required
@require_safe
@declare_parameters(PointsForm)
def points_for_norm(request: HttpRequest, system: str) -> HttpResponseBase:
    """The points of a norm for the values in the address, by the edition in force today. No query."""
    if system not in awarding_systems():
        raise Http404
    edition = rules_of_titles(system).edition_on(timezone.localdate())
    form = PointsForm(request.GET or None, edition=edition)
    if {*form.fields}.isdisjoint(form.data):
        form = PointsForm(edition=edition)
    is_valid = form.is_valid()
    context: dict[str, Any] = {
        "system": rating_system(system),
        "form": form,
        "source": edition.points_source,
        "is_refused_query": form.is_bound and not is_valid,
    }
    if is_valid:
        title, games, ratings = (form.cleaned_data[name] for name in ("title", "games", "ratings"))
        rows = edition.points_needed(title, games, ratings)
        context |= {
            "title": title,
            "games": games,
            "ratings": ratings,
            "average": (2 * sum(ratings) + len(ratings)) // (2 * len(ratings)) if ratings else None,
            "rows": rows,
            "open_games": games - len(ratings),
            "answer": next((row for row in rows if row.is_reached), None),
        }
    status = HTTPStatus.OK if is_valid or not form.is_bound else HTTPStatus.BAD_REQUEST
    return public_page(
        request,
        (edition.id,),
        lambda: render_to_string("titles/norm_points.html", context, request),
        status=status,
        in_memory=not form.is_bound,
    )
