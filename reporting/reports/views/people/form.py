"""What the rows of the step People send, and the tournament details made of it (R20)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from reporting.reports.forms import as_text
from reporting.reports.reading.open_report import OpenReport
from reporting.rules.details.detail_kinds import parse_day
from reporting.rules.findings.finding_list import Severity
from reporting.rules.names.plain_text import plain_text
from reporting.rules.register.registers import Register
from reporting.rules.report import ReportedPlayer

DATA = ("last_name", "first_name", "country", "sex", "born")
"""What a report says of a new player; one with one name has no first name (R28)."""
PERSON_FIELD = re.compile(r"(who|fmjd_id|last_name|first_name|country|sex|born)-([1-9][0-9]{0,3})\Z")
REMOVE_UNKNOWN, ALL_NEW, CONTINUE = "remove-unknown", "all-new", "continue"
LOOK_UP, PASTE = "look-up", "paste"
"""Buttons that save nothing: the page comes back with what is typed."""
ONE_OF_ROW = re.compile(r"([1-9][0-9]{0,3}):([a-z0-9-]{1,20})")
"""The button of a row: the number of the player, and the choice of the row."""
NEW = "new"
"""The choice of a row for a player who is new to the register; another one is the address of a player."""
MAX_CANDIDATES = 8
MAX_PASTED = 100_000
"""Characters of pasted rows."""
MIN_LOOK_UP, MAX_LOOK_UP = 3, 60
"""Characters of a look-up."""
UNIDENTIFIED = frozenset({"player-not-identified", "fmjd-id-unknown"})


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


def sent_answers(form: PeopleForm, opened: OpenReport) -> dict[str, Answer | None]:
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
        and (str(player.number) in shown or not missing_data(player, opened.submission.register))
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


def missing_data(player: ReportedPlayer, register: Register) -> list[str]:
    """What the file lacks of the data that a new player of this register has (R20)."""
    needed = ("last_name", "country", "sex", "born") if register.asks_birth_and_sex else ("country",)
    data = proposed_data(player)
    return [name for name in needed if not data[name]]


def filled_data(player: ReportedPlayer, register: Register) -> dict[str, str]:
    """What a row of a new player is filled with: the data of the file, and a name of two words as first and last name.

    The split is a proposal for the referee, who sees it in the row and saves it. A register that asks for no surname
    keeps the name as printed.
    """
    data, words = proposed_data(player), player.name.split()
    if not register.asks_birth_and_sex:
        data["last_name"] = player.last_name or player.name
    elif len(words) == 2 and "," not in player.name and not player.last_name and not player.first_name:
        data["first_name"], data["last_name"] = words
    return data


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
        entered = {one[0]: filled_data(by_number[one[0]], opened.submission.register)} | entered
    for number, sent in entered.items():
        answer = answers[number]
        if answer is None:
            continue
        data = {name: text for name, text in sent.items() if name in DATA}
        # A form without the choice names a new player by the data alone.
        filled = _filled(by_number.get(number), data, opened.submission.register)
        is_new = answer.who == NEW or "who" not in sent or data != filled
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


def _filled(player: ReportedPlayer | None, names: Iterable[str], register: Register) -> dict[str, str]:
    """These data as the row is filled with them; empty for a player whom the file does not have."""
    if player is None:
        return {}
    filled = filled_data(player, register)
    return {name: filled[name] for name in names}
