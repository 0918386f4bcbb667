"""The tournament details as a form: the same names as in the sidecar file. Nothing is judged here."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from reporting.federations.registry import all_report_rules, system_labels
from reporting.reports.reading.version_changes import value_text
from reporting.reports.standings.forms import MOST_TIE_BREAKS, SEARCHED
from reporting.reports.standings.labels import METHOD_LABELS, tie_break_choices
from reporting.rules.details.detail_declaration import Detail
from reporting.rules.details.detail_kinds import Kind, parse_day
from reporting.rules.details.known_details import (
    details_of,
    details_type,
    known_details,
    private_details,
)
from reporting.rules.details.time_control import parse_time_control
from reporting.rules.findings.finding_list import Finding, Severity
from reporting.rules.register.countries import all_countries
from reporting.rules.standings.registry import TIE_BREAKS

Group = tuple[str | Promise, Sequence[str]]
"""A heading of the form and the details under it."""

GROUPS: Sequence[Group] = (
    (
        gettext_lazy("Needed first"),
        (
            "rating_system",
            "discipline",
            "time_control",
            "official",
            "national_championship",
            "referee",
        ),
    ),
    (
        gettext_lazy("Tournament"),
        ("name", "part", "place", "country", "played_from", "played_to", "rounds", "system"),
    ),
    (
        gettext_lazy("Other forms of the clock"),
        ("minutes_for_60_moves", "session"),
    ),
    (
        gettext_lazy("Kind of tournament"),
        ("women_only", "veterans"),
    ),
    (
        gettext_lazy("How to read the file"),
        ("standings", "unplayed", "shared_places", "encoding", "points"),
    ),
    (
        gettext_lazy("Other ways of counting"),
        ("round_scores", "plus_draws", "decided_ties"),
    ),
    (gettext_lazy("Correction"), ("corrects",)),
)
"""The details of all federations that the referee fills in: first those that hardly any file has, then by subject.

The office gives the remaining ones, or they are worked out.
"""


def form_groups() -> Sequence[Group]:
    """The details that the referee fills in, those of each installed federation at the place that it names."""
    known = known_details()
    names_of = [[name for name in names if name in known] for _, names in GROUPS]
    asked_after = _asked_after()
    # Twice: one may come after another that is placed later.
    for name, before in (*asked_after.items(), *asked_after.items()):
        for names in names_of:
            if before in names and name not in names:
                names.insert(names.index(before) + 1, name)
    return [(heading, names) for (heading, _), names in zip(GROUPS, names_of, strict=True)]


def _asked_after() -> Mapping[str, str]:
    """The details that a federation places after another one in the form."""
    return {
        name: detail.asked_after
        for rules in all_report_rules()
        for name, detail in details_of(rules.details).items()
        if detail.asked_after
    }


CLOCK_EXAMPLES = ("80+60", "80+30", "90/45+30+30@46", "45+15", "15+5")
"""Time controls offered while typing, each with its sum for 60 moves."""


def private_group() -> Group:
    """The private part of the report, for people whom `can_see_private_details` allows."""
    return gettext_lazy("Private: only for the submitter and the office"), private_details()


SUGGESTED = {Kind.COUNTRY: "countries", Kind.TIME_CONTROL: "time-controls"}
"""The lists of values that browsers offer while typing (templates/reporting/details/detail_suggestions.html)."""


def suggestions() -> dict[str, list[tuple[str, str]]]:
    """Values with their labels for the lists of SUGGESTED, by the name of the list."""
    return {
        "countries": [(country.name, country.code) for country in all_countries()],
        "time-controls": [
            (control, parse_time_control(control).calculation_text()) for control in CLOCK_EXAMPLES
        ],
    }


class VersionForm(forms.Form):
    """The version of a report that a form was filled in on."""

    based_on = forms.RegexField(r"\A[0-9]{1,4}\Z", required=False)

    @property
    def number(self) -> int:
        """0, which no version has, where the form names none."""
        self.full_clean()
        return int(self.cleaned_data.get("based_on") or 0)


class TournamentDetailsForm(forms.Form):
    """One text field, day or choice for each detail. Values stay as typed; `details_from_values` checks them.

    The rating system is asked only where there is a choice, or a value; a detail of one federation only in its reports,
    or where there is a value.
    """

    def __init__(
        self,
        data: Any = None,
        *,
        values: Mapping[str, Any] = MappingProxyType({}),
        asked: Sequence[Group] | None = None,
    ) -> None:
        super().__init__(data, initial={name: as_text(value) for name, value in values.items()})
        self.asked = form_groups() if asked is None else asked
        sent = {name: data[name] for name in ("rating_system", "discipline") if name in (data or ())}
        known, own = known_details(), details_of(details_type({**values, **sent}))
        for _, names in self.asked:
            for name in names:
                stored = as_text(values.get(name))
                shown = stored if data is None else _typed(known[name], data)
                if name in own and not is_asked_of_referee(name, own[name]):
                    continue
                is_asked = len(system_labels()) > 1 if name == "rating_system" else name in own
                if is_asked or stored or shown:
                    self.fields[name] = _field(own.get(name, known[name]), stored, shown)

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The fields under their headings."""
        return [
            (str(heading), [self[name] for name in names if name in self.fields])
            for heading, names in self.asked
        ]

    def mark(self, findings: Iterable[Finding]) -> None:
        """Tie fields to the findings about them, whose texts have the id `…_findings`; errors make a field invalid."""
        for finding in findings:
            if finding.field not in self.fields:
                continue
            field, attributes = self[finding.field], self.fields[finding.field].widget.attrs
            described = [f"{field.auto_id}_helptext"] if field.help_text else []
            described += [f"{field.auto_id}_error"] if field.errors else []
            attributes["aria-describedby"] = " ".join([*described, f"{field.auto_id}_findings"])
            if finding.severity is Severity.ERROR:
                attributes["aria-invalid"] = "true"

    def details(self) -> dict[str, Any]:
        """What was typed, as values of the sidecar file: a text if it is not of the expected kind. After `is_valid`."""
        return {name: parse_value(name, text) for name, text in self.cleaned_data.items()}


def is_asked_of_referee(name: str, detail: Detail) -> bool:
    """Whether the federation asks the referee for a detail; what only another one asks for, the office gives."""
    return bool(detail.asked_after) or name not in _asked_after() or any(name in names for _, names in GROUPS)


class TieBreaksInput(forms.MultiWidget):
    """Tie-breaks in order, a choice for each; the value is the text of their keys, separated by commas."""

    def __init__(self, label: str, *shown: str) -> None:
        keys = [key for text in shown for key in Kind.TIE_BREAKS.parse(text)]
        unknown = [(key, key) for key in dict.fromkeys(keys) if key not in TIE_BREAKS]
        choices = [("", "–"), *tie_break_choices(), *unknown]
        count = max(MOST_TIE_BREAKS, *(len(Kind.TIE_BREAKS.parse(text)) for text in shown))
        places = range(1, count + 1)
        names = [gettext("%(label)s, %(place)s") % {"label": label, "place": place} for place in places]
        super().__init__(
            [forms.Select(attrs={"aria-label": name} | SEARCHED, choices=choices) for name in names]
        )

    def id_for_label(self, id_: str) -> str:
        """Return the id of the first choice."""
        return f"{id_}_0" if id_ else id_

    def decompress(self, value: Any) -> list[str]:
        """Return the keys of a text."""
        keys: list[str] = Kind.TIE_BREAKS.parse(value or "")
        return keys

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        """Return the text of what was chosen, or of the one field of this name."""
        names = [f"{name}_{place}" for place in range(len(TIE_BREAKS))]
        chosen = [self.widgets[0].value_from_datadict(data, files, each) for each in names]
        return ", ".join(filter(None, chosen)) or as_text(data.get(name))


def _typed(detail: Detail, data: Any) -> str:
    """What a detail shows after it was sent."""
    if detail.kind is Kind.TIE_BREAKS:
        return as_text(TieBreaksInput("", "").value_from_datadict(data, {}, detail.name))
    return as_text(data.get(detail.name))


def as_text(value: Any) -> str:
    """A value of the sidecar file as its field shows it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ", ".join(map(as_text, value))
    return value.isoformat() if isinstance(value, date) else str(value)


def value_label(field: forms.BoundField, value: Any) -> str:
    """A value of the sidecar file or the report as a person reads it: the label of a choice, else as `value_text`."""
    text = as_text(value)
    labels = dict(getattr(field.field.widget, "choices", ()))
    if not text or text in labels:
        return str(labels.get(text, "")) if text else ""
    return value_text(field.name, parse_value(field.name, text))


def parse_value(name: str, text: str) -> Any:
    """The text of a field as a value of the sidecar file, None for an empty one."""
    text = text.strip()
    return known_details()[name].kind.parse(text) if text else None


def _field(detail: Detail, stored: str, shown: str) -> forms.Field:
    widget: forms.Widget = forms.TextInput()
    if detail.kind is Kind.YES_OR_NO:
        widget = forms.Select(
            choices=[
                ("", gettext("As in the file, or no")),
                ("true", gettext("Yes")),
                ("false", gettext("No")),
            ]
        )
    elif detail.kind is Kind.TIE_BREAKS:
        widget = TieBreaksInput(gettext(detail.label), stored, shown)
    elif choices := detail.labelled_choices():
        labels = METHOD_LABELS if detail.kind is Kind.UNPLAYED_METHOD else {}
        choices = [(value, str(labels.get(value) or gettext(label))) for value, label in choices]
        choices += [(text, text) for text in {stored: "", shown: ""} if text and text not in dict(choices)]
        is_searched = detail.kind is Kind.UNPLAYED_METHOD
        widget = forms.Select(attrs=SEARCHED if is_searched else None, choices=[("", "–"), *choices])
    elif detail.kind is Kind.PARAGRAPHS:
        widget = forms.Textarea(attrs={"rows": 4})
    elif detail.kind is Kind.DAY and (not shown or not isinstance(parse_day(shown), str)):
        widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    widget.attrs["class"] = "field__input"
    if detail.kind in SUGGESTED:
        widget.attrs["list"] = SUGGESTED[detail.kind]
    return forms.CharField(
        label=gettext(detail.label),
        required=False,
        max_length=(detail.max_length or 400) * 2 + 400,
        widget=widget,
        help_text=gettext(detail.help) if detail.help else "",
        strip=False,
    )
