"""Pairing without log-in: the next round of a file with reasons, or its rounds judged; nothing is stored."""

import json
from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt

from reporting.formats.pairing.pairing_file import PairingFile
from reporting.formats.trf.write_trf16 import write_trf16
from reporting.reports.pairing.answers import impossible_text, objective_json, round_json
from reporting.reports.pairing.as_report import as_report
from reporting.reports.pairing.forms import PairingForm
from reporting.reports.pairing.read_tournament import read_paired_tournament
from reporting.reports.pairing.shown import shown_judgements, shown_pairs
from reporting.reports.views.reports import hold_place
from reporting.rules.pairing.judge_round import judge_rounds
from reporting.rules.pairing.matching import TooCostlyError, limited_time
from reporting.rules.pairing.pair_round import (
    ImpossibleRound,
    MissingRatingsError,
    PairedRound,
    pair_round,
)
from reporting.rules.pairing.tournament import PAUSE, PairedGame, Result, Tournament
from reporting.rules.report import ReadReport
from reporting.web.access import UPLOAD, allow_large_body
from reporting.web.attempt import Attempt
from reporting.web.query_params import declare_parameters
from reporting.web.rate_limit import WINDOW_MINUTES, count_requests

MOST_PAIRINGS = 60
MOST_PLAYERS = 300
"""The hardest rounds of real tournaments of so many players take a second or two; the command has no such limit."""

DOWNLOADS = ("json", "trf")
SECONDS_TO_PAIR = 5
"""CPU time of an answer. Forbidden pairs can be made up so that a round takes minutes."""


# It changes nothing, so no request can be forged; and visitors get no cookie.
@allow_large_body(UPLOAD)
@csrf_exempt
@login_not_required
@declare_parameters()
def pair(request: HttpRequest) -> HttpResponse:
    """Pair the next round of a file, or judge its rounds. No queries."""
    if request.method not in ("GET", "HEAD", "POST"):
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    context: dict[str, Any] = {"form": PairingForm()}
    status = HTTPStatus.OK
    if request.method == "POST":
        context, status = _posted(request)
    if "download" in context:
        content, content_type, filename = context["download"]
        response = HttpResponse(content, content_type=content_type)
        response["Content-Disposition"] = f'attachment; filename="{filename}"'
    else:
        response = render(request, "reporting/pairing/pairing.html", context, status=status)
    response["Cache-Control"] = "private, no-store"
    if status is HTTPStatus.TOO_MANY_REQUESTS:
        response["Retry-After"] = str(WINDOW_MINUTES * 60)
    return response


def _posted(request: HttpRequest) -> tuple[dict[str, Any], HTTPStatus]:
    if count_requests(request, "pairing").number > MOST_PAIRINGS:
        problem = gettext("You have asked for %(most)s pairings in %(minutes)s minutes. Try again later.") % {
            "most": MOST_PAIRINGS,
            "minutes": WINDOW_MINUTES,
        }
        return {"form": PairingForm(), "problem": problem}, HTTPStatus.TOO_MANY_REQUESTS
    form = PairingForm(request.POST, request.FILES)
    attempt = Attempt(form)
    context: dict[str, Any] = {"form": form}
    if not attempt.is_valid:
        return context, attempt.status
    chosen = form.cleaned_data
    is_check = chosen["action"] == "check"
    with attempt:
        hold_place(request)
        reading = read_paired_tournament(
            form.content,
            system=chosen["system"],
            colours=chosen["colours"],
            has_floats=chosen["floats"] == "yes",
            acceleration=chosen["acceleration"],
            first_round=chosen["first_round"] or None,
            round_=chosen["round"],
            is_finished=is_check,
        )
        # A file of a pairing has no names or cells that a finding could name.
        as_report = ReadReport(format="", encoding="")
        context |= {"findings": as_report.grouped_findings(reading.findings)}
        try:
            with limited_time(SECONDS_TO_PAIR):
                context |= _answer(reading, is_check=is_check)
        except TooCostlyError:
            context["problem"] = gettext(
                "This pairing takes too long for the page. The commands pair and check_pairing have more time."
            )
        if chosen["action"] in DOWNLOADS and "answer" in context:
            context |= _download(chosen["action"], reading, context["answer"])
    if attempt.refusal:
        context["problem"] = attempt.refusal.message
    return context, attempt.status


def _download(action: str, reading: PairingFile, answer: PairedRound | ImpossibleRound) -> dict[str, Any]:
    """The round as a file: JSON, also of one that cannot be paired, or with all rounds before it TRF16."""
    if action == "json":
        return {
            "download": (json.dumps(round_json(answer), ensure_ascii=False), "application/json", "round.json")
        }
    if reading.tournament is None or isinstance(answer, ImpossibleRound):
        return {}
    pairs = [
        *((pair.white, pair.black, Result.OPEN) for pair in answer.pairs),
        *((white, black, Result.OPEN) for white, black in reading.tournament.fixed),
        *([] if answer.pause is None else [(answer.pause, PAUSE, Result.WHITE_WINS)]),
    ]
    report = as_report(
        reading.tournament,
        name=gettext("Round %(round)s") % {"round": answer.round},
        names=reading.names,
        more=[PairedGame(answer.round, *pair) for pair in pairs],
    )
    return {"download": (write_trf16(report), "text/plain; charset=utf-8", "round.trf")}


def _answer(reading: PairingFile, *, is_check: bool) -> dict[str, Any]:
    tournament = reading.tournament
    if tournament is None:
        return {"problem": gettext("The file has errors, so nothing was paired. Correct them first.")}
    if len(tournament.players) > MOST_PLAYERS:
        return {
            "problem": gettext("The page pairs at most %(most)s players; the command pair has no limit.")
            % {"most": MOST_PLAYERS}
        }
    try:
        if is_check:
            if not tournament.games:
                return {"problem": gettext("The file has no games, so there is no round to check.")}
            return {"judged": list(shown_judgements(judge_rounds(tournament)))}
        return _paired(tournament, reading)
    except MissingRatingsError as missing:
        return {
            "problem": gettext(
                "Players without a rating: %(numbers)s. Give estimates, or choose a Solkoff system."
            )
            % {"numbers": missing}
        }


def _paired(tournament: Tournament, reading: PairingFile) -> dict[str, Any]:
    answer = pair_round(tournament)
    if isinstance(answer, ImpossibleRound):
        return {"answer": answer, "problem": impossible_text(answer)}
    pairs, pause = shown_pairs(tournament, answer, reading.names)
    return {
        "answer": answer,
        "pairs": pairs,
        "fixed": [f"{white}–{black}" for white, black in tournament.fixed],
        "pause": pause,
        "objective": objective_json(answer.objective),
    }
