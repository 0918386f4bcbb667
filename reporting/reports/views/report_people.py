"""The step of a report that names its people: one table, a row for each player who is not identified (R20)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django import forms
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from reporting.formats.tables.pasted_people import PastedPeople, PastedProblem, read_pasted_people
from reporting.models import Player, PlayerMerge
from reporting.policies import check_can_read_reports, check_can_upload
from reporting.register.selectors import find_players, find_players_of_names
from reporting.reports.forms import as_text
from reporting.reports.reading.match_players import Candidate
from reporting.reports.reading.open_report import OpenReport
from reporting.reports.selectors.rating_lists import rating_lists
from reporting.reports.services.edit_report import edit_tournament_details
from reporting.reports.views.reports import (
    FINDINGS_SHOWN,
    based_on_in,
    confirm_version,
    page_to_continue,
    report_context,
    report_or_404,
)
from reporting.rules.details.detail_kinds import parse_day
from reporting.rules.findings.finding_list import Finding, Severity, quoted
from reporting.rules.names.plain_text import plain_text
from reporting.rules.report import ReportedPlayer
from reporting.rules.sentences import english_day
from reporting.web.access import LARGE_FORM, OfficeRequest, actor, allow_large_body, require_access
from reporting.web.attempt import Attempt
from reporting.web.error_summary import InvalidField
from reporting.web.paging import rows_on_page
from reporting.web.query_params import PageForm

NEEDED_DATA = ("last_name", "country", "sex", "born")
DATA = ("last_name", "first_name", *NEEDED_DATA[1:])
"""What a report says of a new player; one with one name has no first name (R28)."""
PERSON_FIELD = re.compile(r"(who|fmjd_id|last_name|first_name|country|sex|born)-([1-9][0-9]{0,3})\Z")
REMOVE_UNKNOWN, ALL_NEW, CONTINUE = "remove-unknown", "all-new", "continue"
LOOK_UP, PASTE = "look-up", "paste"
"""Buttons that save nothing: the page comes back with what is typed."""
ONE_OF_ROW = re.compile(r"([1-9][0-9]{0,3}):([a-z0-9-]{1,20})")
"""The button of a row: the number of the player, and the choice of the row."""
NEW = "new"
"""The choice of a row for a player who is new to the register; another one is the address of a player."""
PEOPLE_PER_PAGE = 100
MAX_CANDIDATES = 8
LOOKED_UP = 8
"""Players that a look-up offers."""
LOOKED_UP_FOR_ALL = 3
"""Players that a look-up of all rows offers for each."""
MAX_PASTED = 100_000
"""Characters of pasted rows."""
PASTED_PROBLEMS = {
    PastedProblem.NO_PLAYER: gettext_lazy("No player of the table has this number or name."),
    PastedProblem.NO_VALUE: gettext_lazy("Neither sex nor date of birth was read."),
    PastedProblem.OTHER_COUNT: gettext_lazy("Without number and name, each player of the table needs a row."),
}
MIN_LOOK_UP, MAX_LOOK_UP = 3, 60
"""Characters of a look-up."""
SHOWN_BY_ROW = frozenset({
    "player-not-identified", "looks-registered", "fmjd-id-unknown", "born-missing", "sex-missing",
})  # fmt: skip
"""Findings that a row itself shows: nothing is chosen in it, similar players are, or an input is empty."""
UNIDENTIFIED = frozenset({"player-not-identified", "fmjd-id-unknown"})
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

    `entered` are the values of the row's fields: as typed, else as saved, else as the file has them. `problem` says why
    the row was not saved. With `is_open` the row shows its look-up and the name. `searched` is the number of players
    that a look-up of all rows found for it, None before one.
    """

    reported: ReportedPlayer
    known: Player | None
    findings: Sequence[Finding]
    choices: Sequence[Choice]
    entered: Mapping[str, str]
    problem: str = ""
    is_asked_for: bool = False
    searched: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether the row shows more than sex and birth: it was asked for, or something there is to be corrected."""
        is_named = bool(self.entered["last_name"]) or self.known is not None
        in_row = {"sex", "born"} >= set(self.at_cells)
        return bool(self.is_asked_for or self.problem or self.searched == 0 or not in_row or not is_named)

    @property
    def is_alike(self) -> bool:
        """Whether the row asks if the player is one of the register."""
        return (
            bool(self.choices)
            and self.known is None
            and self.entered["who"] != NEW
            and not self.entered["fmjd_id"]
        )

    @property
    def name(self) -> str:
        """The name as the register would have it, else as printed."""
        names = [self.entered[name] for name in ("last_name", "first_name")]
        return ", ".join(filter(None, names)) if names[0] else self.reported.name

    @property
    def unknown_number(self) -> str:
        """The number of the file where the register does not have it."""
        return next((found.found for found in self.findings if found.code == "fmjd-id-unknown"), "")

    @property
    def messages(self) -> Sequence[Finding]:
        """The errors that are not seen in the row."""
        return [
            finding
            for finding in self.findings
            if finding.code not in SHOWN_BY_ROW and finding.severity is Severity.ERROR
        ]

    @property
    def remarks(self) -> Sequence[Finding]:
        """The warnings that are not seen in the row."""
        return [
            finding
            for finding in self.findings
            if finding.code not in SHOWN_BY_ROW and finding.severity is Severity.WARNING
        ]

    @property
    def at_cells(self) -> Mapping[str, str]:
        """The messages by the name of their cell; those about the number, and all others, at `who`."""
        by_cell: dict[str, list[str]] = {}
        for finding in self.messages:
            cell = _cell(finding)
            if cell == "last_name" and finding.found == self.entered["first_name"]:
                cell = "first_name"
            by_cell.setdefault(cell, []).append(said_at_cell(finding, self.entered.get(cell, "")))
        return {name: " ".join(texts) for name, texts in by_cell.items()}


def said_at_cell(finding: Finding, shown: str = "") -> str:
    """What is wrong with a value, what was found where the cell does not show it, and what is expected."""
    texts = [finding.statement]
    # The place in the details file that the program wrote is of no use here.
    found = dict(finding.values).get("text") or finding.found
    if found and str(found) != shown:
        texts.append(gettext("Found: %(found)s.") % {"found": quoted(str(found))})
    if finding.expected:
        texts.append(gettext("Expected: %(expected)s.") % {"expected": finding.expected})
    return " ".join(texts)


def _cell(finding: Finding) -> str:
    if finding.code == "detail-unreadable":
        entry = str(dict(finding.values).get("entry", ""))
        return entry if entry in DATA else "who"
    return next((name for name, begins in CELLS.items() if finding.code.startswith(begins)), "who")


class PeopleForm(forms.Form):
    """The fields of players, each with the number of its player: `fmjd_id-12`; the pressed button; pasted rows.

    Nothing is judged here: what cannot be used is a finding about the details.
    """

    action = forms.ChoiceField(
        required=False,
        choices=[(name, name) for name in (REMOVE_UNKNOWN, ALL_NEW, CONTINUE, LOOK_UP, PASTE)],
    )
    one = forms.RegexField(rf"\A{ONE_OF_ROW.pattern}\Z", required=False)
    pasted = forms.CharField(required=False, strip=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.fields |= {
            name: forms.CharField(required=False, strip=False) for name in data if PERSON_FIELD.match(name)
        }

    @property
    def people(self) -> dict[str, dict[str, str]]:
        """The values as typed, by number of the player; a day in the form of the details."""
        entered: dict[str, dict[str, str]] = {}
        for name in self.fields:
            if place := PERSON_FIELD.match(name):
                text = str(self[name].value())
                text = as_text(parse_day(text.strip())) if place[1] == "born" else text
                entered.setdefault(place[2], {})[place[1]] = text
        return entered

    @property
    def one_answer(self) -> tuple[str, "Answer"] | None:
        """The number and the answer of the row whose button was pressed."""
        pressed = ONE_OF_ROW.fullmatch(str(self["one"].value() or ""))
        return (pressed[1], Answer(pressed[2], "")) if pressed else None

    @property
    def text(self) -> str:
        """The pasted rows."""
        return str(self["pasted"].value() or "")[:MAX_PASTED]

    def has_pressed(self, name: str) -> bool:
        """Whether this button was pressed."""
        return bool(self["action"].value() == name)


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
def look_up(request: OfficeRequest, number: int) -> HttpResponse:
    """Players of the register by name or number, as options of its field. At most 9 queries."""
    report_or_404(request, number)
    words = LookUpForm(request.GET).words
    merged = PlayerMerge.objects.filter(undone_at=None).values("duplicate")
    found = find_players(Player.objects.exclude(pk__in=merged), words) if words else {}
    keys = list(found)[:LOOKED_UP]
    by_key = Player.objects.in_bulk(keys)
    choices = choices_of([(by_key[key], ()) for key in keys])
    return render(request, "reporting/people/look_up.html", {"choices": choices})


def choices_of(players: Sequence[tuple[Player, Sequence[Any]]]) -> list[Choice]:
    """These players, with reasons, as choices: with the rating of the first pool that lists them.

    1 query, and 1 for each rating system; none for no players.
    """
    if not players:
        return []
    lists, ratings = rating_lists().newest_ratings([player.pk for player, _ in players])
    in_order = [rating_list.pk for rating_list in lists]

    def rating(player: Player) -> int | None:
        of_player = ratings.get(player.pk, {})
        return next((of_player[key] for key in in_order if key in of_player), None)

    return [Choice(player.address, player, rating(player), reasons) for player, reasons in players]


@allow_large_body(LARGE_FORM)
@require_access(check_can_read_reports, "GET", "HEAD", "POST", may_post=check_can_upload)
def report_people(request: OfficeRequest, number: int) -> HttpResponse:
    """The players: one of the register, or the data of a new player (R20)."""
    opened = report_or_404(request, number)
    form, attempt = PeopleForm(request.POST), Attempt()
    problems: dict[str, str] = {}
    entered = form.people
    looks_up = form.has_pressed(LOOK_UP)
    if request.method == "POST" and not looks_up and not form.has_pressed(PASTE):
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
            if not problems and form.has_pressed(CONTINUE):
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
    asked_for = set() if request.method == "POST" else {PlayerForm(request.GET)["number"].value()}
    # A player with entered values is on the page again when these were not saved.
    opened_numbers = set(entered) | asked_for
    waiting: list[ReportedPlayer] = []
    settled: list[ReportedPlayer] = []
    for player in opened.submission.read.players:
        waits = str(player.number) in opened_numbers or waits_for_answer(player, opened, findings)
        (waiting if waits else settled).append(player)
    pasted = pasted_people(form, waiting) if form.has_pressed(PASTE) else None
    for place, values in (pasted.values if pasted else {}).items():
        entered[place] = {**entered.get(place, {}), **values}
    first = next(
        (place for place, player in enumerate(waiting) if str(player.number) in opened_numbers), None
    )
    waiting_shown = rows_on_page(request, waiting, most=PEOPLE_PER_PAGE, holds=first, anchor="#waiting")
    settled_shown = rows_on_page(request, settled, "known_people", anchor="#settled")
    general = [found for found in opened.findings if found.step == "people" and found.line is None]
    offered = choices_by_player(opened, waiting_shown)
    looked_up = look_up_all(opened, waiting_shown) if looks_up else {}

    def people(rows: Iterable[ReportedPlayer]) -> list[Person]:
        return [
            person(
                player,
                opened,
                findings=findings.get(player.line, ()),
                entered=entered.get(str(player.number), {}),
                choices=offered.get(player.number) or looked_up.get(player.number) or (),
                problem=problems.get(str(player.number), ""),
                is_asked_for=str(player.number) in asked_for,
                searched=len(looked_up[player.number]) if player.number in looked_up else None,
            )
            for player in rows
        ]

    counted = count_people(waiting, opened, findings)
    context = report_context(request, opened, "people") | {
        "general_findings": rows_on_page(request, general, "general", most=FINDINGS_SHOWN, anchor="#loose"),
        "unmatched_people": people(waiting_shown),
        "unmatched_page": waiting_shown,
        "known_people": people(settled_shown),
        "known_page": settled_shown,
        "counted": counted,
        "look_up": reverse("report-people-look-up", args=[number]),
        "looks_up": looks_up,
        "pasted": pasted,
        "pasted_text": form.text if pasted and pasted.unused else "",
        "unused_rows": [(line, PASTED_PROBLEMS[problem]) for line, problem in pasted.unused]
        if pasted
        else [],
        "problem": attempt.refusal,
        "has_problems": bool(problems),
        "invalid_fields": [
            InvalidField(f"{name}-{place}", label, problem)
            for place, problem in problems.items()
            for name, label in (("who", gettext("Player")), ("fmjd_id", gettext("Number or name")))
        ],
        "has_split_names": any(
            filled_data(player)["last_name"] != proposed_data(player)["last_name"] for player in waiting_shown
        ),
    }
    status = HTTPStatus.CONFLICT if problems else attempt.status
    return render(request, "reporting/people/report_people.html", context, status=status)


def waits_for_answer(
    player: ReportedPlayer, opened: OpenReport, findings: Mapping[int, Sequence[Finding]]
) -> bool:
    """Whether a player is not settled: an error, or a similar player about whom nothing was said."""
    found = findings.get(player.line, ())
    if any(finding.severity is Severity.ERROR for finding in found):
        return True
    is_asked = any(finding.code == "looks-registered" for finding in found)
    return is_asked and saved_answer(player, str(player.number), opened).who != NEW


@dataclass(frozen=True)
class PeopleCount:
    """How many players wait, of them those with all data, those who look like registered ones, and the others.

    `to_decide` are those whom *All are new* would make new; `values` the inputs that are empty.
    """

    total: int
    complete: int
    alike: int
    incomplete: int
    to_decide: int
    values: int


def count_people(
    waiting: Sequence[ReportedPlayer], opened: OpenReport, findings: Mapping[int, Sequence[Finding]]
) -> PeopleCount:
    """The waiting players of all pages in numbers. 0 queries."""
    alike = [player for player in waiting if opened.candidates.get(player.number)]
    others = [player for player in waiting if not opened.candidates.get(player.number)]
    empty = [(not player.sex) + (player.born is None) for player in others]
    incomplete = sum(
        bool(missing) or not filled_data(player)["last_name"]
        for player, missing in zip(others, empty, strict=True)
    )
    unclear = sum(
        any(
            found.code in UNIDENTIFIED and found.severity is Severity.ERROR
            for found in findings.get(player.line, ())
        )
        for player in others
    )
    return PeopleCount(len(waiting), len(others) - incomplete, len(alike), incomplete, unclear, sum(empty))


def look_up_all(opened: OpenReport, shown: Iterable[ReportedPlayer]) -> dict[int, list[Choice]]:
    """Players of the register by the names of these ones, those who have no similar player, by number in the report.

    5 queries, and 1 for each rating system.
    """
    wanted = [player for player in shown if not opened.candidates.get(player.number)]
    merged = PlayerMerge.objects.filter(undone_at=None).values("duplicate")
    found = find_players_of_names(
        Player.objects.exclude(pk__in=merged), [player.name for player in wanted], most=LOOKED_UP_FOR_ALL
    )
    by_key = Player.objects.in_bulk({key for keys in found for key in keys})
    choices = iter(choices_of([(by_key[key], ()) for keys in found for key in keys]))
    return {player.number: [next(choices) for _ in keys] for player, keys in zip(wanted, found, strict=True)}


def pasted_people(form: PeopleForm, waiting: Sequence[ReportedPlayer]) -> PastedPeople:
    """The values that pasted rows give these players."""
    return read_pasted_people(form.text, {str(player.number): player.name for player in waiting})


def choices_by_player(opened: OpenReport, shown: Iterable[ReportedPlayer]) -> dict[int, list[Choice]]:
    """The players of the register who may be these ones, by number in the report, best first."""
    found: list[tuple[int, Candidate]] = [
        (player.number, candidate)
        for player in shown
        for candidate in opened.candidates.get(player.number, ())[:MAX_CANDIDATES]
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
    """The answer of a row as saved: a number among the offered players is the choice of that player.

    A number of the file that the register does not have is no answer.
    """
    values = opened.sidecar.values
    of_file = player.fmjd_id if player and opened.players.get(player.number) else None
    typed = as_text(values.get("players", {}).get(number, of_file))
    candidates = opened.candidates.get(player.number, ())[:MAX_CANDIDATES] if player else ()
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


def players_to_make_new(form: PeopleForm, opened: OpenReport) -> list[str]:
    """The numbers of players whom *All are new* makes new: not identified, and no registered one is similar.

    They are on this page, where the person sees how a name was split, or the file has all their data.
    """
    unclear = {
        finding.line
        for finding in opened.findings
        if finding.code in UNIDENTIFIED and finding.severity is Severity.ERROR
    }
    shown = form.people
    return [
        str(player.number)
        for player in opened.submission.read.players
        if player.line in unclear
        and not opened.candidates.get(player.number)
        and (str(player.number) in shown or all(map(proposed_data(player).get, NEEDED_DATA)))
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

    The split is a proposal for the referee, who sees it in the row and saves it.
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
    is_asked_for: bool,
    searched: int | None,
) -> Person:
    """A player of the page People; what was entered replaces the saved values, and these what the file has."""
    number = str(reported.number)
    given = opened.sidecar.values.get("newcomers", {}).get(number, {})
    filled = filled_data(reported)
    saved = {name: as_text(given[name]) if name in given else filled[name] for name in DATA}
    answer = saved_answer(reported, number, opened)
    saved |= {"who": answer.who, "fmjd_id": answer.fmjd_id}
    known = opened.players.get(reported.number)
    values = saved | dict(entered)
    born = parse_day(values["born"])
    values["born"] = born if isinstance(born, str) else english_day(born)
    return Person(reported, known, findings, choices, values, problem, is_asked_for, searched)


def people_details(
    form: PeopleForm, opened: OpenReport, answers: Mapping[str, Answer | None]
) -> dict[str, Any]:
    """The details `players` and `newcomers` with the values entered for the players of the form.

    The entries of other players stay, and those of rows without an answer. The button `remove-unknown` removes those
    that name no player of the report, and new players who have an FMJD-ID in the details. The button `all-new` makes
    new players of all who are not identified, unless a registered one is similar or their row has another answer.
    """
    values, reported = opened.sidecar.values, opened.submission.read.players
    by_number = {str(player.number): player for player in reported}
    players = dict(values.get("players", {}))
    newcomers = {number: dict(data) for number, data in values.get("newcomers", {}).items()}
    if form.has_pressed(REMOVE_UNKNOWN):
        players = {number: fmjd_id for number, fmjd_id in players.items() if number in by_number}
        newcomers = {
            number: data
            for number, data in newcomers.items()
            if number in by_number and number not in players
        }
    entered = {
        number: {name: plain_text(text) for name, text in fields.items()}
        for number, fields in form.people.items()
    }
    if form.has_pressed(ALL_NEW):
        nothing = Answer("", "")
        undecided = [
            number
            for number in players_to_make_new(form, opened)
            if answers.get(number, saved_answer(by_number[number], number, opened)) == nothing
        ]
        answers = {**answers, **dict.fromkeys(undecided, Answer(NEW, ""))}
        entered = {number: proposed_data(by_number[number]) for number in undecided} | entered
    if (one := form.one_answer) and one[0] in by_number:
        answers = {**answers, one[0]: one[1]}
        entered = {one[0]: filled_data(by_number[one[0]])} | entered
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
        elif is_new and (answer.who == NEW or any(data.values())):
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
