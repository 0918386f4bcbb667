"""What a person chooses for a pairing: a file or pasted text, and for a report how the tournament is paired."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from reporting.formats.pairing.pairing_file import MAX_ROUNDS
from reporting.rules.pairing.tournament import SYSTEMS, Acceleration, Colours
from reporting.web.forms import TextField

MOST_BYTES = 1_000_000
"""Of a file, and characters of a pasted text: three times what 300 players in 50 rounds need."""

SYSTEM_LABELS = {
    "rating": gettext_lazy("on rating"),
    "players": gettext_lazy("on rating, as the players prefer"),
    "solkoff": gettext_lazy("on Solkoff"),
    "truncated": gettext_lazy("on truncated Solkoff"),
    "median": gettext_lazy("on median Solkoff"),
    "kndb": gettext_lazy("on Solkoff, highest against lowest"),
}


class PairingForm(forms.Form):
    """The file of a pairing, or a report with how it is paired. `content` are its bytes after `is_valid`."""

    file = forms.FileField(
        label=gettext_lazy("File of a pairing, or report file"), required=False, allow_empty_file=True
    )
    text = TextField(
        label=gettext_lazy("Or paste its text"),
        required=False,
        strip=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )
    system = forms.ChoiceField(
        label=gettext_lazy("Swiss system"),
        choices=[(key, SYSTEM_LABELS[key]) for key in SYSTEMS],
    )
    first_round = forms.ChoiceField(
        label=gettext_lazy("Round 1"),
        required=False,
        choices=[
            ("", gettext_lazy("as the system has it")),
            ("rating", gettext_lazy("by rating")),
            ("lot", gettext_lazy("by lot")),
        ],
    )
    colours = forms.ChoiceField(
        label=gettext_lazy("Colour preference"),
        choices=[
            (Colours.NONE, gettext_lazy("none")),
            (Colours.WEAK, gettext_lazy("weak")),
            (Colours.STRONG, gettext_lazy("strong")),
        ],
    )
    acceleration = forms.ChoiceField(
        label=gettext_lazy("Acceleration"),
        choices=[
            (Acceleration.NONE, gettext_lazy("none")),
            (Acceleration.FOUR_GROUPS, gettext_lazy("four groups")),
            (Acceleration.HALEY, gettext_lazy("Haley")),
        ],
    )
    floats = forms.ChoiceField(
        label=gettext_lazy("Repeated floats"),
        choices=[("yes", gettext_lazy("avoided")), ("no", gettext_lazy("not looked at"))],
    )
    round = forms.IntegerField(
        label=gettext_lazy("Round"),
        help_text=gettext_lazy("Empty: the next one."),
        required=False,
        min_value=1,
        max_value=MAX_ROUNDS,
    )

    action = forms.ChoiceField(
        choices=[("pair", ""), ("check", ""), ("json", ""), ("trf", "")], widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs |= {"class": "field__input"}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not cleaned.get("file") and not (cleaned.get("text") or "").strip() and not self.errors:
            self.add_error("file", gettext_lazy("Choose a file or paste its text."))
        file = cleaned.get("file")
        if file and file.size > MOST_BYTES:
            self.add_error("file", gettext_lazy("The file is larger than 1 MB, the limit of this page."))
        return cleaned

    @property
    def content(self) -> bytes:
        """The bytes of the file, else the pasted text in UTF-8."""
        file = self.cleaned_data.get("file")
        return bytes(file.read()) if file else str(self.cleaned_data["text"]).encode()
