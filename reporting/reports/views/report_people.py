"""The step of a report that names its people: FMJD-IDs, and the data of new players (R20)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse

from reporting.models import Player
from reporting.policies import check_can_read_reports, check_can_upload
from reporting.reports.forms import as_text
from reporting.reports.reading.match_players import Candidate
from reporting.reports.reading.open_report import OpenReport
from reporting.reports.services.edit_report import edit_tournament_details
from reporting.reports.views.reports import (
    FINDINGS_SHOWN,
    add_remaining_findings_message,
    based_on_in,
    report_context,
    report_or_404,
)
from reporting.rules.details.tournament_details import parse_day
from reporting.rules.findings.finding_list import Finding
from reporting.rules.report import ANNEX_9_FORMATS, ReportedPlayer
from reporting.web.access import LARGE_FORM, actor, allow_large_body, require_access
from reporting.web.attempt import Attempt
from reporting.web.paging import Rows, rows_on_page
from reporting.web.query_params import PageForm

PERSON_FIELD = re.compile(r"(fmjd_id|last_name|first_name|country|sex|born)-([1-9][0-9]{0,3})\Z")
TAKE_FIELD = re.compile(r"take-([1-9][0-9]{0,3})\Z")
REMOVE_UNKNOWN = "remove-unknown"
PEOPLE_PER_PAGE = 50
"""Players to identify on one page, with six fields, findings and candidates."""
MAX_CANDIDATES = 8
NEW_PLAYER_CODES = frozenset({"born-after-start", "born-missing", "sex-missing", "name-not-split"})
"""Findings about the data of a new player, which the page People asks for."""


@dataclass(frozen=True)
class Person:
    """A player of the report and the player of the register."""

    reported: ReportedPlayer
    known: Player | None
    findings: Sequence[Finding]
    candidates: Sequence[Candidate]
    entered: dict[str, str]


class PeopleForm(forms.Form):
    """The fields of players, each with the number of its player: `fmjd_id-12`; and the buttons of candidates.

    Nothing is judged here: what cannot be used is a finding about the details.
    """

    action = forms.ChoiceField(required=False, choices=[(REMOVE_UNKNOWN, REMOVE_UNKNOWN)])

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.fields |= {
            name: forms.CharField(required=False, strip=False)
            for name in data
            if PERSON_FIELD.match(name) or TAKE_FIELD.match(name)
        }

    @property
    def people(self) -> dict[str, dict[str, str]]:
        """The values as typed, by number of the player."""
        entered: dict[str, dict[str, str]] = {}
        for name in self.fields:
            if place := PERSON_FIELD.match(name):
                entered.setdefault(place[2], {})[place[1]] = str(self[name].value())
        return entered

    @property
    def taken(self) -> dict[str, str]:
        """The FMJD-ID of the candidate whose button was pressed, by number of the player."""
        return {
            place[1]: str(self[name].value()) for name in self.fields if (place := TAKE_FIELD.match(name))
        }

    @property
    def removes_unknown(self) -> bool:
        return bool(self["action"].value() == REMOVE_UNKNOWN)


class PlayerForm(forms.Form):
    """The player whose page of players an address asks for."""

    number = forms.CharField(required=False)


@allow_large_body(LARGE_FORM)
@require_access(check_can_read_reports, "GET", "HEAD", "POST", may_post=check_can_upload)
def report_people(request: HttpRequest, number: int) -> HttpResponse:
    """The players: an FMJD-ID, or the data of a new player (R20)."""
    opened = report_or_404(request, number)
    values = opened.sidecar.values
    form, attempt = PeopleForm(request.POST), Attempt()
    if request.method == "POST":
        with attempt:
            saved = edit_tournament_details(
                report=opened.report,
                based_on=based_on_in(request),
                values=people_details(form, values, opened.submission.read.players),
                by=actor(request),
            )
            add_remaining_findings_message(request, saved.version)
            page = PageForm(request.GET).number
            return redirect(reverse("report-people", args=[number], query={"page": page} if page else None))
    findings, entered = findings_by_player(opened.findings), form.people
    # A player with entered values is on the page again when these were not saved.
    opened_numbers = set(entered) if request.method == "POST" else {PlayerForm(request.GET)["number"].value()}
    waiting: list[ReportedPlayer] = []
    settled: list[ReportedPlayer] = []
    for player in opened.submission.read.players:
        waits = player.line in findings or str(player.number) in opened_numbers
        (waiting if waits else settled).append(player)
    first = next(
        (place for place, player in enumerate(waiting) if str(player.number) in opened_numbers), None
    )
    waiting_shown = rows_on_page(request, waiting, most=PEOPLE_PER_PAGE, holds=first, anchor="#waiting")
    settled_shown = rows_on_page(request, settled, "known_people", anchor="#settled")
    general = [found for found in opened.findings if found.step == "people" and found.line is None]

    def people(rows: Rows[ReportedPlayer]) -> list[Person]:
        return [
            person(player, opened, values, findings.get(player.line, ()), entered.get(str(player.number), {}))
            for player in rows
        ]

    context = report_context(request, opened, "people") | {
        "general_findings": rows_on_page(request, general, "general", most=FINDINGS_SHOWN, anchor="#loose"),
        "unmatched_people": people(waiting_shown),
        "unmatched_page": waiting_shown,
        "known_people": people(settled_shown),
        "known_page": settled_shown,
        "asks_all": opened.version.format not in ANNEX_9_FORMATS,
        "problem": attempt.refusal,
    }
    return render(request, "reporting/report_people.html", context, status=attempt.status)


def findings_by_player(findings: Sequence[Finding]) -> dict[int, list[Finding]]:
    """The findings of the page People by the line of the player: entries, then identity, then data of new players."""
    by_line: dict[int, list[Finding]] = {}
    identity = [finding for finding in findings if finding.step == "people"]
    identity.sort(key=lambda finding: finding.code != "detail-unreadable")
    data = [finding for finding in findings if finding.code in NEW_PLAYER_CODES]
    for finding in [*identity, *data]:
        if finding.line is not None:
            by_line.setdefault(finding.line, []).append(finding)
    return by_line


def person(
    reported: ReportedPlayer,
    opened: OpenReport,
    values: Mapping[str, Any],
    findings: Sequence[Finding],
    entered: dict[str, str],
) -> Person:
    """A player of the page People; what was entered replaces the saved values."""
    number = str(reported.number)
    saved = {name: as_text(value) for name, value in values.get("newcomers", {}).get(number, {}).items()}
    saved["fmjd_id"] = as_text(values.get("players", {}).get(number, reported.fmjd_id))
    return Person(
        reported,
        opened.matching.players.get(reported.number),
        findings,
        opened.matching.candidates.get(reported.number, ())[:MAX_CANDIDATES],
        saved | entered,
    )


def people_details(
    form: PeopleForm, values: Mapping[str, Any], reported: Sequence[ReportedPlayer]
) -> dict[str, Any]:
    """The details `players` and `newcomers` with the values entered for the players of the form.

    The entries of other players stay. The button `remove-unknown` removes those that name no player of the report, and
    new players who have an FMJD-ID in it.
    """
    players = dict(values.get("players", {}))
    newcomers = {number: dict(data) for number, data in values.get("newcomers", {}).items()}
    if form.removes_unknown:
        in_file = {str(player.number): player.fmjd_id for player in reported}
        players = {number: fmjd_id for number, fmjd_id in players.items() if number in in_file}
        newcomers = {
            number: data
            for number, data in newcomers.items()
            if number in in_file and number not in players and in_file[number] is None
        }
    entered = {
        number: {name: " ".join(text.split()) for name, text in fields.items()}
        for number, fields in form.people.items()
    }
    entered |= {number: {"fmjd_id": fmjd_id} for number, fmjd_id in form.taken.items()}
    for number, data in entered.items():
        fmjd_id = data.pop("fmjd_id", "")
        players.pop(number, None)
        newcomers.pop(number, None)
        if fmjd_id:
            players[number] = int(fmjd_id) if re.fullmatch(r"[0-9]{1,9}", fmjd_id) else fmjd_id
        elif any(data.values()):
            newcomers[number] = {
                name: parse_day(text) if name == "born" else text for name, text in data.items() if text
            }
    return {"players": players, "newcomers": newcomers}
