"""The step of a report that names its people: a row for each player who is not identified for certain (R20)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from ratings.office.selectors.register import ratings_on
from ratings.published.selectors.lists import newest_lists
from ratings.templatetags.figures import day
from reporting.models import Player, PlayerMerge
from reporting.policies import check_can_read_reports, check_can_upload
from reporting.register.selectors import find_players
from reporting.reports.forms import as_text
from reporting.reports.reading.match_players import Candidate
from reporting.reports.reading.open_report import OpenReport
from reporting.reports.services.edit_report import edit_tournament_details
from reporting.reports.views.reports import (
    FINDINGS_SHOWN,
    based_on_in,
    confirm_version,
    may_change,
    page_to_continue,
    report_context,
    report_or_404,
)
from reporting.rules.details.detail_kinds import parse_day
from reporting.rules.findings.finding_list import Finding, Severity
from reporting.rules.names.plain_text import plain_text
from reporting.rules.report import ANNEX_9_FORMATS, ReportedPlayer
from reporting.web.access import LARGE_FORM, actor, allow_large_body, require_access
from reporting.web.attempt import Attempt
from reporting.web.paging import rows_on_page
from reporting.web.query_params import PageForm

NEEDED_DATA = ("last_name", "country", "sex", "born")
DATA = ("last_name", "first_name", *NEEDED_DATA[1:])
"""What a report says of a new player; one with one name has no first name (R28)."""
PERSON_FIELD = re.compile(r"(who|fmjd_id|last_name|first_name|country|sex|born)-([1-9][0-9]{0,3})\Z")
REMOVE_UNKNOWN, CONFIRM_CERTAIN, CONTINUE = "remove-unknown", "confirm-certain", "continue"
NEW = "new"
"""The choice of a row for a player who is new to the register; another one is the address of a player."""
PEOPLE_PER_PAGE = 100
MAX_CANDIDATES = 8
LOOKED_UP = 8
"""Players that a look-up offers."""
MIN_LOOK_UP, MAX_LOOK_UP = 3, 60
"""Characters of a look-up."""
SHOWN_BY_CHOICE = frozenset({"player-not-identified", "looks-registered"})
"""Findings that a row itself shows: nothing is chosen in it, or similar players are."""
CELLS = {"born": ("born-",), "sex": ("sex-",), "country": ("country-",), "last_name": ("name-",)}
"""The cell of a finding by the beginning of its code."""


@dataclass(frozen=True)
class Choice:
    """A player of the register as a row offers them."""

    address: str
    player: Player
    rating: int | None
    reasons: Sequence[Any] = ()

    @property
    def label(self) -> str:
        """Number, name, country and rating; without a rating where no list has the player."""
        known = self.player
        label = f"{known.number} {known.printed_name}, {known.federation_id}"
        return f"{label}, {self.rating}" if self.rating else label


@dataclass(frozen=True)
class Person:
    """A player of the report and the player of the register.

    `entered` are the values of the row's fields: as typed, else as saved, else as the file has them; `proposed` those
    of the file. `problem` says why the row was not saved.
    """

    reported: ReportedPlayer
    known: Player | None
    findings: Sequence[Finding]
    choices: Sequence[Choice]
    entered: Mapping[str, str]
    proposed: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""

    @property
    def is_certain(self) -> bool:
        """Whether the file has all data of a new player to whom none of the register is similar."""
        return not self.choices and not self.known and all(self.proposed.get(name) for name in NEEDED_DATA)

    @property
    def is_open(self) -> bool:
        """Whether the data of a new player are to be looked at: something is missing or wrong."""
        if self.entered["who"] == NEW:
            return bool(self.problem or self.messages)
        return not (self.choices or self.is_certain or self.known or self.entered["fmjd_id"])

    @property
    def is_day(self) -> bool:
        """Whether the date of birth is one, so that a field for days can show it."""
        return not isinstance(parse_day(self.entered["born"]), str)

    @property
    def data(self) -> str:
        """The data of a new player in one line."""
        born = parse_day(self.entered["born"])
        sexes = {"W": gettext("woman"), "M": gettext("man")}
        shown = {
            **{name: self.entered[name] for name in DATA},
            "sex": sexes.get(self.entered["sex"], ""),
            "born": born if isinstance(born, str) else day(born),
        }
        return ", ".join(text for text in shown.values() if text)

    @property
    def messages(self) -> Sequence[Finding]:
        """The errors that are not seen in the row."""
        return [
            finding
            for finding in self.findings
            if finding.code not in SHOWN_BY_CHOICE and finding.severity is Severity.ERROR
        ]

    @property
    def remarks(self) -> Sequence[Finding]:
        """The warnings and notes that are not seen in the row."""
        return [
            finding
            for finding in self.findings
            if finding.code not in SHOWN_BY_CHOICE and finding.severity is not Severity.ERROR
        ]

    @property
    def at_cells(self) -> Mapping[str, str]:
        """The messages by the name of their cell; those about the number, and all others, at `who`."""
        by_cell: dict[str, list[str]] = {}
        for finding in self.messages:
            by_cell.setdefault(_cell(finding), []).append(finding.statement)
        return {name: " ".join(texts) for name, texts in by_cell.items()}


def _cell(finding: Finding) -> str:
    if finding.code == "detail-unreadable":
        named = re.search(r"[.]([a-z_]+) = ", finding.found)
        return named[1] if named and named[1] in DATA else "who"
    return next((name for name, begins in CELLS.items() if finding.code.startswith(begins)), "who")


class PeopleForm(forms.Form):
    """The fields of players, each with the number of its player: `fmjd_id-12`.

    Nothing is judged here: what cannot be used is a finding about the details.
    """

    action = forms.ChoiceField(
        required=False, choices=[(name, name) for name in (REMOVE_UNKNOWN, CONFIRM_CERTAIN, CONTINUE)]
    )

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.fields |= {
            name: forms.CharField(required=False, strip=False) for name in data if PERSON_FIELD.match(name)
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
    def removes_unknown(self) -> bool:
        return bool(self["action"].value() == REMOVE_UNKNOWN)

    @property
    def confirms_certain(self) -> bool:
        return bool(self["action"].value() == CONFIRM_CERTAIN)

    @property
    def continues(self) -> bool:
        return bool(self["action"].value() == CONTINUE)


class PlayerForm(forms.Form):
    """The player whose page of players an address asks for."""

    number = forms.CharField(required=False)


class LookUpForm(forms.Form):
    """The text of the field that looks up: that of a row, `fmjd_id-12`."""

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.fields |= {
            name: forms.CharField(required=False, max_length=MAX_LOOK_UP)
            for name in data
            if name.startswith("fmjd_id-") and PERSON_FIELD.match(name)
        }

    @property
    def words(self) -> str:
        """The typed text; empty where it is too short or too long to look up."""
        if not self.is_valid():
            return ""
        (words, *_) = [*self.cleaned_data.values(), ""]
        return words if len(words) >= MIN_LOOK_UP else ""


@require_access(check_can_read_reports, "GET", "HEAD")
def look_up(request: HttpRequest, number: int) -> HttpResponse:
    """Players of the register by name or number, as options of its field. At most 9 queries."""
    report_or_404(request, number)
    words = LookUpForm(request.GET).words
    merged = PlayerMerge.objects.filter(undone_at=None).values("duplicate")
    found = find_players(Player.objects.exclude(pk__in=merged), words) if words else {}
    keys = list(found)[:LOOKED_UP]
    by_key = Player.objects.in_bulk(keys)
    choices = choices_of([(by_key[key], ()) for key in keys])
    return render(request, "reporting/look_up.html", {"choices": choices})


def choices_of(players: Sequence[tuple[Player, Sequence[Any]]]) -> list[Choice]:
    """These players, with reasons, as choices: with the rating of the first pool that lists them.

    1 query, and 1 for each rating system; none for no players.
    """
    if not players:
        return []
    lists = newest_lists()
    ratings = ratings_on(lists, [player.pk for player, _ in players])
    in_order = [rating_list.pk for rating_list in lists]

    def rating(player: Player) -> int | None:
        of_player = ratings.get(player.pk, {})
        return next((of_player[key] for key in in_order if key in of_player), None)

    return [Choice(player.address, player, rating(player), reasons) for player, reasons in players]


@allow_large_body(LARGE_FORM)
@require_access(check_can_read_reports, "GET", "HEAD", "POST", may_post=check_can_upload)
def report_people(request: HttpRequest, number: int) -> HttpResponse:
    """The players: one of the register, or the data of a new player (R20)."""
    opened = report_or_404(request, number)
    form, attempt = PeopleForm(request.POST), Attempt()
    problems: dict[str, str] = {}
    entered = form.people
    if request.method == "POST":
        with attempt:
            answers = sent_answers(form, opened)
            problems = {
                number: gettext("Two answers: choose one of the list, or give a number.")
                for number, answer in answers.items()
                if answer is None
            }
            saved = edit_tournament_details(
                report=opened.report,
                based_on=based_on_in(request),
                values=people_details(form, opened, answers),
                by=actor(request),
            )
            if not problems and form.continues:
                confirm_version(request, saved.version)
                return redirect(page_to_continue(report_or_404(request, number), "people"), number)
            if not (problems and saved.already_there):
                confirm_version(request, saved.version, "people")
            if not problems:
                page = PageForm(request.GET).number
                address = reverse("report-people", args=[number], query={"page": page} if page else None)
                return redirect(f"{address}#people")
            # The other rows are saved: what was typed in these stays on the page.
            entered = {place: entered[place] for place in problems}
            opened = report_or_404(request, number)
    findings = findings_by_player(opened.findings)
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
    offered = choices_by_player(opened, waiting_shown)

    def people(rows: Iterable[ReportedPlayer]) -> list[Person]:
        return [
            person(
                player,
                opened,
                findings=findings.get(player.line, ()),
                entered=entered.get(str(player.number), {}),
                choices=offered.get(player.number, ()),
                problem=problems.get(str(player.number), ""),
            )
            for player in rows
        ]

    asks_all = opened.version.format not in ANNEX_9_FORMATS
    context = report_context(request, opened, "people") | {
        "general_findings": rows_on_page(request, general, "general", most=FINDINGS_SHOWN, anchor="#loose"),
        "unmatched_people": people(waiting_shown),
        "unmatched_page": waiting_shown,
        "known_people": people(settled_shown),
        "known_page": settled_shown,
        "asks_all": asks_all,
        "certain": len(certain_players(opened)) if asks_all and may_change(request, opened) else 0,
        "look_up": reverse("report-people-look-up", args=[number]),
        "problem": attempt.refusal,
        "has_problems": bool(problems),
        "has_split_names": any(
            filled_data(player)["last_name"] != proposed_data(player)["last_name"] for player in waiting_shown
        ),
    }
    status = HTTPStatus.CONFLICT if problems else attempt.status
    return render(request, "reporting/report_people.html", context, status=status)


def choices_by_player(opened: OpenReport, shown: Iterable[ReportedPlayer]) -> dict[int, list[Choice]]:
    """The players of the register who may be these ones, by number in the report, best first."""
    found: list[tuple[int, Candidate]] = [
        (player.number, candidate)
        for player in shown
        for candidate in opened.matching.candidates.get(player.number, ())[:MAX_CANDIDATES]
    ]
    choices = choices_of([(candidate.player, candidate.reasons) for _, candidate in found])
    by_number: dict[int, list[Choice]] = {}
    for (place, _), choice in zip(found, choices, strict=True):
        by_number.setdefault(place, []).append(choice)
    return by_number


@dataclass(frozen=True)
class Answer:
    """What a row says: the choice and the number of its fields; empty where it says nothing."""

    who: str
    fmjd_id: str


def saved_answer(player: ReportedPlayer | None, number: str, opened: OpenReport) -> Answer:
    """The answer of a row as saved: a number among the offered players is the choice of that player."""
    values = opened.sidecar.values
    typed = as_text(values.get("players", {}).get(number, player.fmjd_id if player else None))
    candidates = opened.matching.candidates.get(player.number, ())[:MAX_CANDIDATES] if player else ()
    if typed in {candidate.player.address for candidate in candidates}:
        return Answer(typed, "")
    return Answer(NEW if number in values.get("newcomers", {}) else "", typed)


def sent_answer(data: Mapping[str, str], before: Answer) -> Answer | None:
    """The answer of a row as sent: what was changed in it counts. None where it names two players."""
    who, typed = (plain_text(data.get(name, "")) for name in ("who", "fmjd_id"))
    is_typed = bool(typed) and typed not in (who, before.fmjd_id)
    if is_typed and who not in ("", before.who):
        return None
    return Answer("", typed) if is_typed or not who else Answer(who, "")


def sent_answers(form: "PeopleForm", opened: OpenReport) -> dict[str, Answer | None]:
    """The answer of each row of the form, by number of the player."""
    by_number = {str(player.number): player for player in opened.submission.read.players}
    return {
        number: sent_answer(data, saved_answer(by_number.get(number), number, opened))
        for number, data in form.people.items()
    }


def certain_players(opened: OpenReport) -> list[ReportedPlayer]:
    """The players who are not identified, whom none of the register resembles, and of whom the file has all data."""
    unclear = {finding.line for finding in opened.findings if finding.code == "player-not-identified"}
    return [
        player
        for player in opened.submission.read.players
        if player.line in unclear
        and not opened.matching.candidates.get(player.number)
        and all(map(proposed_data(player).get, NEEDED_DATA))
    ]


def proposed_data(player: ReportedPlayer) -> dict[str, str]:
    """The data of a new player as the file has them; the name only where it is clear which part is the surname."""
    return {
        "last_name": player.last_name,
        "first_name": player.first_name,
        "country": player.federation_code,
        "sex": player.sex,
        "born": as_text(player.born),
    }


def filled_data(player: ReportedPlayer) -> dict[str, str]:
    """What a row of a new player is filled with: the data of the file, and a name of two words as first and last name.

    The split is a proposal for the referee, who sees it and saves it: such a row is never confirmed with others.
    """
    data, words = proposed_data(player), player.name.split()
    if len(words) == 2 and "," not in player.name and not player.last_name and not player.first_name:
        data["first_name"], data["last_name"] = words
    return data


def findings_by_player(findings: Sequence[Finding]) -> dict[int, list[Finding]]:
    """The findings of the page People by the line of the player, those about entries first."""
    by_line: dict[int, list[Finding]] = {}
    for finding in sorted(findings, key=lambda finding: finding.code != "detail-unreadable"):
        if finding.step == "people" and finding.line is not None:
            by_line.setdefault(finding.line, []).append(finding)
    return by_line


def person(
    reported: ReportedPlayer,
    opened: OpenReport,
    *,
    findings: Sequence[Finding],
    entered: Mapping[str, str],
    choices: Sequence[Choice],
    problem: str,
) -> Person:
    """A player of the page People; what was entered replaces the saved values, and these what the file has."""
    number = str(reported.number)
    given = opened.sidecar.values.get("newcomers", {}).get(number, {})
    proposed = proposed_data(reported)
    filled = filled_data(reported)
    saved = {name: as_text(given[name]) if name in given else filled[name] for name in DATA}
    answer = saved_answer(reported, number, opened)
    saved |= {"who": answer.who, "fmjd_id": answer.fmjd_id}
    known = opened.matching.players.get(reported.number)
    return Person(reported, known, findings, choices, saved | dict(entered), proposed, problem)


def people_details(
    form: PeopleForm, opened: OpenReport, answers: Mapping[str, Answer | None]
) -> dict[str, Any]:
    """The details `players` and `newcomers` with the values entered for the players of the form.

    The entries of other players stay, and those of rows without an answer. The button `remove-unknown` removes those
    that name no player of the report, and new players who have an FMJD-ID in it. The button `confirm-certain` makes
    new players of all of whom the file has all data, also on other pages, unless their row has another answer.
    """
    values, reported = opened.sidecar.values, opened.submission.read.players
    by_number = {str(player.number): player for player in reported}
    players = dict(values.get("players", {}))
    newcomers = {number: dict(data) for number, data in values.get("newcomers", {}).items()}
    if form.removes_unknown:
        players = {number: fmjd_id for number, fmjd_id in players.items() if number in by_number}
        newcomers = {
            number: data
            for number, data in newcomers.items()
            if number in by_number and number not in players and by_number[number].fmjd_id is None
        }
    entered = {
        number: {name: plain_text(text) for name, text in fields.items()}
        for number, fields in form.people.items()
    }
    if form.confirms_certain:
        nothing = Answer("", "")
        certain = [str(player.number) for player in certain_players(opened)]
        undecided = [number for number in certain if answers.get(number, nothing) == nothing]
        answers = {**answers, **dict.fromkeys(undecided, Answer(NEW, ""))}
        entered = {number: proposed_data(by_number[number]) for number in undecided} | entered
    for number, sent in entered.items():
        answer = answers[number]
        if answer is None:
            continue
        data = {name: text for name, text in sent.items() if name in DATA}
        # A form without the choice names a new player by the data alone.
        is_new = answer.who == NEW or "who" not in sent or data != _filled(by_number.get(number), data)
        fmjd_id = answer.fmjd_id or ("" if answer.who == NEW else answer.who)
        players.pop(number, None)
        newcomers.pop(number, None)
        if fmjd_id:
            players[number] = int(fmjd_id) if re.fullmatch(r"[0-9]{1,9}", fmjd_id) else fmjd_id
        elif any(data.values()) and is_new:
            newcomers[number] = {
                name: parse_day(text) if name == "born" else text for name, text in data.items() if text
            }
    return {"players": players, "newcomers": newcomers}


def _filled(player: ReportedPlayer | None, names: Iterable[str]) -> dict[str, str]:
    """These data as the row is filled with them; empty for a player whom the file does not have."""
    if player is None:
        return {}
    filled = filled_data(player)
    return {name: filled[name] for name in names}
