"""What a person chooses for standings: a file or pasted text, tie-breaks in order, and how unplayed games count."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from reporting.formats.tournament_details.sidecar import Sidecar, read_sidecar, write_details
from reporting.reports.standings.labels import EDITION_LABELS, METHOD_LABELS, tie_break_choices
from reporting.rules.details.known_details import DETAILS
from reporting.rules.standings.fide import Edition
from reporting.rules.standings.unplayed import METHODS
from reporting.web.forms import TextField

MOST_TIE_BREAKS = 5
TIE_BREAK_FIELDS = [f"tie_break_{place}" for place in range(1, MOST_TIE_BREAKS + 1)]
SEARCHED = {"data-search": gettext_lazy("Choose one of the list.")}
"""Attributes of a select that static/js/search_select.js lets people search by typing."""
MOST_OF_DETAIL = 2_000
MOST_PASTED = 1_000_000
"""Characters; a report file may be larger."""


class RegulationsForm(forms.Form):
    """Tie-breaks in order, and how unplayed games count."""

    unplayed = forms.ChoiceField(
        label=gettext_lazy("Unplayed games"),
        required=False,
        choices=[(key, METHOD_LABELS[key]) for key in METHODS],
    )
    edition = forms.ChoiceField(
        label=gettext_lazy("Edition of FIDE’s tie-breaks"),
        required=False,
        choices=[
            ("", gettext_lazy("that of the tournament’s last day")),
            *((edition.value, EDITION_LABELS[edition]) for edition in reversed(Edition)),
        ],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", gettext_lazy("none")), *tie_break_choices()]
        for place, name in enumerate(TIE_BREAK_FIELDS, start=1):
            self.fields[name] = forms.ChoiceField(
                label=gettext_lazy("Tie-break %(place)s") % {"place": place}, required=False, choices=choices
            )
        for name, field in self.fields.items():
            field.widget.attrs |= {"class": "field__input"}
            if name == "unplayed" or name in TIE_BREAK_FIELDS:
                field.widget.attrs |= SEARCHED

    @property
    def keys(self) -> list[str]:
        """The chosen tie-breaks in order, each once."""
        chosen = [self.cleaned_data.get(name, "") for name in TIE_BREAK_FIELDS]
        return list(dict.fromkeys(filter(None, chosen)))


COUNTING = ("session", "round_scores", "plus_draws", "decided_ties")
"""The details that say how rounds and ties count."""


class StandingsForm(RegulationsForm):
    """A report file, or its text, and the regulations by which it is classified.

    `sidecar` has the details of COUNTING after `is_valid`.
    """

    field_order = (
        "file",
        "text",
        *TIE_BREAK_FIELDS,
        "system",
        "unplayed",
        "edition",
        *COUNTING,
    )
    sidecar: Sidecar

    file = forms.FileField(
        label=gettext_lazy("Report file"),
        required=False,
        allow_empty_file=True,
    )
    text = TextField(
        label=gettext_lazy("Or paste its text"),
        required=False,
        strip=False,
        max_length=MOST_PASTED,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )
    system = forms.ChoiceField(
        label=gettext_lazy("System"),
        required=False,
        choices=[
            ("", gettext_lazy("as the file says")),
            ("swiss", gettext_lazy("Swiss")),
            ("round-robin", gettext_lazy("round robin")),
            ("teams", gettext_lazy("teams")),
        ],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in COUNTING:
            detail = DETAILS[name]
            self.fields[name] = forms.CharField(
                label=gettext(detail.label),
                help_text=gettext(detail.help),
                required=False,
                max_length=MOST_OF_DETAIL,
                widget=forms.TextInput(attrs={"class": "field__input"}),
            )
        self.order_fields(self.field_order)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        texts = {name: cleaned.get(name) or "" for name in COUNTING}
        self.sidecar = read_sidecar(
            write_details({name: DETAILS[name].kind.parse(text) for name, text in texts.items()})
        )
        for finding in self.sidecar.findings:
            if finding.field in COUNTING:
                expected = gettext("Expected: %(expected)s.") % {"expected": finding.expected}
                self.add_error(finding.field, f"{finding.message} {expected}")
        if not cleaned.get("file") and not (cleaned.get("text") or "").strip() and not self.errors:
            self.add_error("file", gettext_lazy("Choose a file or paste its text."))
        return cleaned

    @property
    def basic_fields(self) -> list[forms.BoundField]:
        """The fields that hardly any tournament goes without."""
        return [field for field in self if field.name not in COUNTING]

    @property
    def counting_fields(self) -> list[forms.BoundField]:
        """The fields of tournaments that count in their own way."""
        return [self[name] for name in COUNTING]

    @property
    def counts_in_its_own_way(self) -> bool:
        """Whether any of these fields has a text."""
        return any(field.value() for field in self.counting_fields)

    @property
    def content(self) -> bytes:
        """The bytes of the file, else the pasted text in UTF-8."""
        file = self.cleaned_data.get("file")
        return bytes(file.read()) if file else str(self.cleaned_data["text"]).encode()
