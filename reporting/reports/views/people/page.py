"""The step of a report that names its people: one table, a row for each player who is not identified (R20)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from reporting.formats.tables.pasted_people import PastedPeople, PastedProblem, read_pasted_people
from reporting.models import Player
from reporting.policies import check_can_read_reports, check_can_upload
from reporting.reports.forms import as_text
from reporting.reports.reading.match_players import Candidate
from reporting.reports.reading.open_report import OpenReport
from reporting.reports.selectors.candidates import Choice, choices_of, choices_of_names, looked_up_choices
from reporting.reports.selectors.rating_lists import rating_lists
from reporting.reports.services.edit_report import edit_tournament_details, name_identified_players
from reporting.reports.views.people.form import (
    CONTINUE,
    DATA,
    LOOK_UP,
    MAX_CANDIDATES,
    NEW,
    PASTE,
    UNIDENTIFIED,
    LookUpForm,
    PeopleForm,
    PlayerForm,
    filled_data,
    missing_data,
    people_details,
    proposed_data,
    saved_answer,
    sent_answers,
)
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
from reporting.rules.register.registers import Register
from reporting.rules.report import ReportedPlayer
from reporting.rules.sentences import english_day
from reporting.web.access import LARGE_FORM, OfficeRequest, actor, allow_large_body, require_access
from reporting.web.attempt import Attempt
from reporting.web.error_summary import InvalidField
from reporting.web.paging import rows_on_page
from reporting.web.query_params import PageForm

PEOPLE_PER_PAGE = 100
PASTED_PROBLEMS = {
    PastedProblem.NO_PLAYER: gettext_lazy(
        "No player of the table has this number or name: “%(found)s”. Enter the start number, or first and last name."
    ),
    PastedProblem.OTHER_NAME: gettext_lazy(
        "The start number is of another player than the name “%(found)s”."
    ),
    PastedProblem.NO_SEX: gettext_lazy("“%(found)s” is not a sex. Enter w, f or m."),
    PastedProblem.NO_DAY: gettext_lazy("“%(found)s” is not a day. Enter day, month and year, as 14-3-2009."),
    PastedProblem.NOT_READ: gettext_lazy(
        "“%(found)s” is none of number, name, sex and date of birth. Remove it."
    ),
    PastedProblem.NO_VALUE: gettext_lazy("Neither sex nor date of birth was read."),
    PastedProblem.OTHER_COUNT: gettext_lazy("Without number and name, each player of the table needs a row."),
    PastedProblem.REPEATED_PLAYER: gettext_lazy("Rows %(found)s are for one player. Keep one of them."),
    PastedProblem.TOO_MANY_ROWS: gettext_lazy(
        "This row and those after it, to row %(found)s, were not read. Paste fewer rows at once."
    ),
}
SHOWN_BY_ROW = frozenset({
    "player-not-identified", "looks-registered", "fmjd-id-unknown", "born-missing", "sex-missing",
})  # fmt: skip
"""Findings that a row itself shows: nothing is chosen in it, similar players are, or an input is empty."""
WRONG = ("detail-", "born-")
"""How the codes begin of findings that a typed value is wrong, not that one is missing."""
CELLS = {"born": ("born-",), "sex": ("sex-",), "country": ("country-",), "last_name": ("name-",)}
"""The cell of a finding by the beginning of its code."""


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
    def typed_fields(self) -> Sequence[tuple[str, str, str, str]]:
        """The fields of a new player below the row: name, label, value and message."""
        if self.known is not None:
            return ()
        labels = {
            "last_name": gettext("Last name"),
            "first_name": gettext("First name"),
            "country": gettext("Country"),
        }
        messages = self.at_cells
        return [
            (name, label, self.entered[name] or "", messages.get(name, "")) for name, label in labels.items()
        ]

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

    @cached_property
    def at_cells(self) -> Mapping[str, str]:
        """The messages by the name of their cell; those about the number, and all others, at `who`."""
        by_cell: dict[str, list[str]] = {}
        for finding in self.messages:
            cell = _cell(finding)
            if cell == "last_name" and finding.found == self.entered["first_name"]:
                cell = "first_name"
            by_cell.setdefault(cell, []).append(said_at_cell(finding, self.entered.get(cell, "")))
        return {name: " ".join(texts) for name, texts in by_cell.items()}

    @property
    def invalid_fields(self) -> Sequence[InvalidField]:
        """The marked cells of the row, each with the name of the player."""
        return [
            InvalidField(f"{cell}-{self.reported.number}", self.name, text)
            for cell, text in self.at_cells.items()
        ]


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


@require_access(check_can_read_reports, "GET", "HEAD")
def look_up(request: OfficeRequest, number: int) -> HttpResponse:
    """Players of the register by name or number, as options of its field. At most 9 queries."""
    report_or_404(request, number)
    words = LookUpForm(request.GET).words
    choices = looked_up_choices(words) if words else []
    return render(request, "reporting/people/look_up.html", {"choices": choices})


@allow_large_body(LARGE_FORM)
@require_access(check_can_read_reports, "GET", "HEAD", "POST", may_post=check_can_upload)
def report_people(request: OfficeRequest, number: int) -> HttpResponse:
    """The players: one of the register, or the data of a new player (R20)."""
    opened = report_or_404(request, number)
    form, attempt = PeopleForm(request.POST), Attempt()
    problems: dict[str, str] = {}
    wrong_rows: set[str] = set()
    entered = form.people
    looks_up = form.has_pressed(LOOK_UP)
    if request.method == "POST" and not looks_up and not form.has_pressed(PASTE):
        with attempt:
            answers = sent_answers(form, opened)
            two_answers = gettext("Two answers: choose one of the list, or give a number.")
            problems = {place: two_answers for place, answer in answers.items() if answer is None}
            saved = edit_tournament_details(
                report=opened.report,
                based_on=based_on_in(request),
                values=people_details(form, opened, answers),
                by=actor(request),
            )
            opened = report_or_404(request, number)
            version = name_identified_players(opened=opened, by=actor(request))
            if version.number != opened.version.number:
                opened = report_or_404(request, number)
            wrong_rows = rows_with_errors(opened, entered)
            if not problems and not wrong_rows and form.has_pressed(CONTINUE):
                confirm_version(request, version)
                return redirect(page_to_continue(opened, "people"), number)
            if not (problems and saved.already_there):
                confirm_version(request, version, "people")
            if not problems and not wrong_rows:
                page = PageForm(request.GET).number
                address = reverse("report-people", args=[number], query={"page": page} if page else None)
                return redirect(f"{address}#people")
            # The other rows are saved: what was typed in these stays on the page.
            entered = {place: entered[place] for place in problems}
    findings = findings_by_player(opened)
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
                findings=findings.get(player.number, ()),
                entered=entered.get(str(player.number), {}),
                choices=offered.get(player.number) or looked_up.get(player.number) or (),
                problem=problems.get(str(player.number), ""),
                is_asked_for=str(player.number) in asked_for,
                searched=len(looked_up[player.number]) if player.number in looked_up else None,
            )
            for player in rows
        ]

    unmatched = people(waiting_shown)
    counted, register = count_people(waiting, opened, findings), opened.submission.register
    known = people(settled_shown)
    context = report_context(request, opened, "people") | {
        "general_findings": rows_on_page(request, general, "general", most=FINDINGS_SHOWN, anchor="#loose"),
        "unmatched_people": unmatched,
        "unmatched_page": waiting_shown,
        "known_people": known,
        "listed": rating_lists().published_players([one.known.pk for one in known if one.known]),
        "known_page": settled_shown,
        "counted": counted,
        "look_up": reverse("report-people-look-up", args=[number]),
        "looks_up": looks_up,
        "pasted": pasted,
        "pasted_text": form.text if pasted and pasted.unused else "",
        "unused_rows": unused_rows(pasted) if pasted else [],
        "problem": attempt.refusal,
        "has_problems": bool(problems),
        "invalid_fields": invalid_people(problems, unmatched, wrong_rows),
        "asks_birth_and_sex": register.asks_birth_and_sex,
        "has_split_names": register.asks_birth_and_sex and has_split_names(waiting_shown, register),
    }
    status = HTTPStatus.CONFLICT if problems or wrong_rows else attempt.status
    return render(request, "reporting/people/report_people.html", context, status=status)


def invalid_people(
    problems: Mapping[str, str], people: Iterable[Person], wrong_rows: Collection[str]
) -> list[InvalidField]:
    """The fields with two answers, by number, and the marked cells of the rows with another error."""
    names = (("who", gettext("Player")), ("fmjd_id", gettext("Number or name")))
    fields = [
        InvalidField(f"{name}-{place}", label, problem)
        for place, problem in problems.items()
        for name, label in names
    ]
    for person in people:
        number = str(person.reported.number)
        if number in wrong_rows and number not in problems:
            fields += person.invalid_fields
    return fields


def has_split_names(players: Iterable[ReportedPlayer], register: Register) -> bool:
    """Whether a name of one text is proposed in two parts."""
    return any(
        filled_data(player, register)["last_name"] != proposed_data(player)["last_name"] for player in players
    )


def unused_rows(pasted: PastedPeople) -> list[tuple[Any, list[str]]]:
    """The pasted rows that were not used, each with its problems."""
    return [
        (row, [PASTED_PROBLEMS[problem] % {"found": found} for problem, found in row.problems])
        for row in pasted.unused
    ]


def rows_with_errors(opened: OpenReport, entered: Iterable[str]) -> set[str]:
    """The numbers of these players in whose row a saved value is wrong, not only missing."""
    wrong = [
        found
        for found in opened.findings
        if found.severity is Severity.ERROR
        and found.code.startswith(WRONG)
        and found.code not in SHOWN_BY_ROW
    ]
    return {str(number) for number, _ in with_players(wrong, opened.submission.read.players)} & {*entered}


def waits_for_answer(
    player: ReportedPlayer, opened: OpenReport, findings: Mapping[int, Sequence[Finding]]
) -> bool:
    """Whether a player is not settled: an error, or a similar player about whom nothing was said."""
    found = findings.get(player.number, ())
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
    register = opened.submission.register
    empty = [len({"sex", "born"}.intersection(missing_data(player, register))) for player in others]
    incomplete = sum(
        bool(missing) or not filled_data(player, register)["last_name"]
        for player, missing in zip(others, empty, strict=True)
    )
    unclear = sum(
        any(
            found.code in UNIDENTIFIED and found.severity is Severity.ERROR
            for found in findings.get(player.number, ())
        )
        for player in others
    )
    return PeopleCount(len(waiting), len(others) - incomplete, len(alike), incomplete, unclear, sum(empty))


def look_up_all(opened: OpenReport, shown: Iterable[ReportedPlayer]) -> dict[int, list[Choice]]:
    """The choices for these players who have no similar one, by number in the report. Queries: `choices_of_names`."""
    wanted = [player for player in shown if not opened.candidates.get(player.number)]
    found = choices_of_names([player.name for player in wanted])
    return {player.number: choices for player, choices in zip(wanted, found, strict=True)}


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


def findings_by_player(opened: OpenReport) -> dict[int, list[Finding]]:
    """The findings of the page People by number of the player, those about entries first."""
    by_number: dict[int, list[Finding]] = {}
    of_people = (finding for finding in opened.findings if finding.step == "people")
    ordered = sorted(of_people, key=lambda finding: finding.code != "detail-unreadable")
    for number, finding in with_players(ordered, opened.submission.read.players):
        by_number.setdefault(number, []).append(finding)
    return by_number


def with_players(
    findings: Iterable[Finding], players: Iterable[ReportedPlayer]
) -> Iterator[tuple[int, Finding]]:
    """The findings at lines of players with their numbers; where a line has several, with that of the cell."""
    on_line: dict[int | None, list[ReportedPlayer]] = {}
    for player in players:
        on_line.setdefault(player.line, []).append(player)
    for finding in findings:
        here = on_line.get(finding.line, [])
        own = [player for player in here if len(here) > 1 and finding.column in player.columns.values()]
        for player in own or here:
            yield player.number, finding


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
    filled = filled_data(reported, opened.submission.register)
    saved = {name: as_text(given[name]) if name in given else filled[name] for name in DATA}
    answer = saved_answer(reported, number, opened)
    saved |= {"who": answer.who, "fmjd_id": answer.fmjd_id}
    known = opened.players.get(reported.number)
    values = saved | dict(entered)
    born = parse_day(values["born"])
    values["born"] = born if isinstance(born, str) else english_day(born)
    return Person(reported, known, findings, choices, values, problem, is_asked_for, searched)
