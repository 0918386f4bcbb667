"""The facts of a report as a form: the same names as in the file beside it, nothing of it judged here."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any

from django import forms

from reporting.rules.tournament_details import PRIVATE_DETAILS, Kind, TournamentDetails

GROUPS: Sequence[tuple[str, Sequence[str]]] = (
    ("The competition", ("name", "place", "country", "played_from", "played_to", "rounds", "system")),
    ("Board and clock", ("discipline", "time_control", "minutes_for_60_moves")),
    (
        "What kind",
        (
            "official",
            "national_championship",
            "women_only",
            "youth",
            "veterans",
            "competition",
            "world_cup_stars",
        ),
    ),
    ("Referee", ("referee", "referee_level")),
    (
        "How to read it",
        ("standings", "unplayed", "shared_places", "rating_service_paid", "encoding", "points"),
    ),
    ("Correction", ("corrects",)),
)
"""The facts a referee is asked, by what they are about. The others are the office's or are worked out."""

PRIVATE_GROUP: tuple[str, Sequence[str]] = (
    "Private: only the submitter and the office see this",
    PRIVATE_DETAILS,
)
"""What else the report says (Annex 9 art. 4.1.1 b, c, e), for those whom `may_see_private_details` lets see it."""

LABELS = {
    "name": "Name", "place": "Town", "country": "Country", "played_from": "First round", "played_to": "Last round",
    "rounds": "Days of the rounds", "system": "System", "discipline": "Board", "time_control": "Time control",
    "minutes_for_60_moves": "or minutes for 60 moves", "official": "FMJD or confederation competition",
    "national_championship": "National championship", "women_only": "Women only", "youth": "Youth",
    "veterans": "Veterans", "competition": "Official competition", "world_cup_stars": "World Cup stars",
    "referee": "Main referee", "referee_level": "His level", "standings": "Order of tie-breaks",
    "unplayed": "Unplayed games in tie-breaks", "rating_service_paid": "Rating service paid",
    "encoding": "Code page of the file", "points": "Points column of the file", "corrects": "Corrects tournament",
    "announced": "Day it reached the office",
}  # fmt: skip
HINTS = {
    "country": "A code of two or three letters, as NED",
    "rounds": "One day a round, separated by commas: 2026-11-06, 2026-11-07",
    "time_control": "80+30: minutes, then seconds a move; or 90/45+30+30@46",
    "standings": "Their keys, separated by commas",
    "encoding": "Only where the letters of the file are not UTF-8",
    "points": "Only where the file counts 1, ½, 0",
    "announced": "Only of what reached the office before today",
    "corrects": "Only where this report corrects one that was accepted before",
}
CHOICE_LABELS = {"discipline": {"100": "100 squares", "64": "64 squares"}}

_WHOLE = re.compile(r"[0-9]{1,9}\Z")
_NUMBER = re.compile(r"[0-9]{1,5}([.,][0-9]{1,3})?\Z")
_BY_NAME = {fact.name: fact.metadata for fact in fields(TournamentDetails)}


class TournamentDetailsForm(forms.Form):
    """One text field, day or choice for each fact; what is typed is kept as typed and judged by `read_facts`."""

    def __init__(
        self,
        data: Any = None,
        *,
        values: Mapping[str, Any],
        asked: Sequence[tuple[str, Sequence[str]]] = GROUPS,
    ) -> None:
        super().__init__(data, initial={name: as_text(value) for name, value in values.items()})
        self.asked = asked
        for _, names in asked:
            for name in names:
                self.fields[name] = _field(name, as_text(values.get(name)))

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        return [(words, [self[name] for name in names]) for words, names in self.asked]

    def details(self) -> dict[str, Any]:
        """What was typed, as values of the facts' file: a text where it is not what was asked. After `is_valid`."""
        return {name: parse_value(name, text) for name, text in self.cleaned_data.items()}


def as_text(value: Any) -> str:
    """A value of the facts' file as its field shows it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ", ".join(map(as_text, value))
    return value.isoformat() if isinstance(value, date) else str(value)


def parse_value(name: str, text: str) -> Any:
    """The text of a field as a value of the facts' file, None for an empty one."""
    text = text.strip()
    read = FIELD_PARSERS.get(_BY_NAME[name]["kind"], str)
    return read(text) if text else None


def parse_day(text: str) -> date | str:
    """The day that a text names as ISO 8601 writes it, else the text."""
    try:
        return date.fromisoformat(text) if len(text) == len("2026-11-06") else text
    except ValueError:
        return text


def _whole(text: str) -> int | str:
    return int(text) if _WHOLE.match(text) else text


def _minutes(text: str) -> Decimal | str:
    return Decimal(text.replace(",", ".")) if _NUMBER.match(text) else text


def _yes_or_no(text: str) -> bool | str:
    return {"true": True, "false": False}.get(text, text)


def _parts(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


FIELD_PARSERS: Mapping[Kind, Callable[[str], Any]] = {
    Kind.YES_OR_NO: _yes_or_no,
    Kind.DAY: parse_day,
    Kind.NUMBER: _whole,
    Kind.STARS: _whole,
    Kind.MINUTES: _minutes,
    Kind.DAYS: lambda text: [parse_day(each) for each in _parts(text)],
    Kind.WORDS: _parts,
    Kind.PLACES: _parts,
}


def _field(name: str, typed: str) -> forms.Field:
    data = _BY_NAME[name]
    kind: Kind = data["kind"]
    choices: type[StrEnum] | None = data["choices"]
    widget: forms.Widget = forms.TextInput()
    if kind is Kind.YES_OR_NO:
        widget = forms.Select(choices=[("", "as in the file, or no"), ("true", "yes"), ("false", "no")])
    elif choices is not None:
        words = CHOICE_LABELS.get(name, {})
        known = [
            (each.value, words.get(each.value, each.value.replace("-", " ")))
            for each in choices
            if each.value
        ]
        if typed and typed not in {value for value, _ in known}:
            known.append((typed, typed))
        widget = forms.Select(choices=[("", "–"), *known])
    elif kind is Kind.PARAGRAPHS:
        widget = forms.Textarea(attrs={"rows": 4})
    elif kind is Kind.DAY and (not typed or not isinstance(parse_day(typed), str)):
        widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    widget.attrs["class"] = "field__input"
    return forms.CharField(
        label=data["label"] or LABELS[name],
        required=False,
        max_length=(data["longest"] or 400) * 2 + 400,
        widget=widget,
        help_text=data["hint"] or HINTS.get(name, ""),
        strip=False,
    )
