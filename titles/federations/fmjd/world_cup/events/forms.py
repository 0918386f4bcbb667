"""The forms of a World Cup event: what is proposed, and the decision."""

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, URLValidator
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.federations.fmjd.details import FmjdDetails
from reporting.federations.fmjd.editions import EDITIONS
from reporting.reports.forms import TieBreaksInput
from reporting.rules.details.detail_kinds import Kind
from reporting.rules.details.known_details import details_of
from reporting.rules.standings.registry import TIE_BREAKS
from reporting.web.access import MAX_TEXT_LENGTH
from reporting.web.forms import DayField, StyledFormMixin, TextField, text_area
from reporting.web.query_params import WholeNumberField
from titles.federations.fmjd.world_cup.events.labels import GROUPS

AMOUNT = re.compile(r"[0-9]{1,3}(?:[ .,\u00a0\u202f]?[0-9]{3}){0,2}")
MOST_PRIZES = 50
MOST_ROUNDS = 25
LARGEST_FEE = 9_999
"""Figures of this product."""


def choices_of(name: str) -> list[tuple[str, str]]:
    """The values of a tournament detail with their labels."""
    return [(value, gettext(label)) for value, label in details_of(FmjdDetails)[name].labelled_choices()]


class PrizesField(TextField):
    """Prizes in whole euros, one a line, first place first."""

    def to_python(self, value: Any) -> list[int]:  # type: ignore[override]  # a list, of a text
        """The prizes; an empty line is none."""
        text = super().to_python(value) or ""
        lines = [line.replace("€", "").strip() for line in str(text).splitlines()]
        while lines and not lines[-1]:
            lines.pop()
        if len(lines) > MOST_PRIZES:
            raise forms.ValidationError(gettext("Enter at most %(most)s prizes.") % {"most": MOST_PRIZES})
        for number, line in enumerate(lines, 1):
            if not AMOUNT.fullmatch(line):
                raise forms.ValidationError(
                    gettext("Line %(number)s: enter whole euros, for example 1200.") % {"number": number}
                )
        return [int(re.sub(r"[^0-9]", "", line)) for line in lines]

    def prepare_value(self, value: Any) -> Any:
        """The lines of stored prizes; what was typed stays."""
        return value if isinstance(value, str) else "\n".join(map(str, value or ()))


class TieBreaksField(forms.CharField):
    """Tie-breaks in order; the value is their keys."""

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]  # the same
        """The keys; one that is not known is refused."""
        keys: list[str] = Kind.TIE_BREAKS.parse(super().to_python(value) or "")
        if unknown := [key for key in keys if key not in TIE_BREAKS]:
            raise forms.ValidationError(gettext("“%(key)s” is no tie-break.") % {"key": unknown[0]})
        return keys

    def prepare_value(self, value: Any) -> Any:
        """The text of stored keys; what was typed stays."""
        return value if isinstance(value, str) else ", ".join(value or ())


class ProposalForm(StyledFormMixin, forms.Form):
    """What is proposed for a World Cup event; the names are those of its columns."""

    stars = forms.TypedChoiceField(
        label=_("Stars"),
        coerce=int,
        choices=lambda: [(value, "★" * int(value)) for value, _ in choices_of("world_cup_stars")],
    )
    groups = forms.ChoiceField(label=_("Groups"), choices=lambda: list(GROUPS.items()))
    system = forms.ChoiceField(
        label=_("System"),
        choices=lambda: [choice for choice in choices_of("system") if choice[0] != "teams"],
    )
    rounds = WholeNumberField(label=_("Rounds"), min_value=1, max_value=MOST_ROUNDS)
    prizes_open = PrizesField(
        label=_("Prizes, open"),
        help_text=_(
            "Whole euros, net of local tax, one a line, first place first; empty where there are none."
        ),
        required=False,
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 10}),
    )
    prizes_women = PrizesField(
        label=_("Prizes, women"),
        help_text=_("The same; empty where there are none."),
        required=False,
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 10}),
    )
    referee = forms.CharField(
        label=_("Main referee"), help_text=_("Not shown in public."), required=False, max_length=60
    )
    referee_level = forms.ChoiceField(
        label=_("Level of the main referee"), choices=lambda: choices_of("referee_level")
    )
    entry_fee = forms.DecimalField(
        label=_("Entry fee in euros"),
        min_value=Decimal(0),
        max_value=Decimal(LARGEST_FEE),
        decimal_places=2,
        error_messages={
            "invalid": _("Enter an amount, for example 60 or 60.50."),
            "min_value": _("Enter 0 or more."),
            "max_value": _("This fee is too high."),
            "max_decimal_places": _("Enter at most two decimals."),
        },
        widget=forms.TextInput(attrs={"inputmode": "decimal"}),
    )
    regulations_on = DayField(
        label=_("Regulations delivered on"),
        help_text=_("The day on which they reached the FMJD; empty while they are not delivered."),
        required=False,
        validators=[MaxValueValidator(timezone.localdate, _("This day is in the future."))],
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    regulations = forms.CharField(
        label=_("Address of the regulations"),
        required=False,
        max_length=200,
        validators=[
            URLValidator(
                schemes=["https", "http"],
                message=_("Enter the address of a page, for example https://example.org/regulations."),
            )
        ],
        widget=forms.TextInput(attrs={"inputmode": "url"}),
    )
    tie_breaks = TieBreaksField(label=_("Tie-breaks"), max_length=200, required=False)

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        # Made here: its choices are named in the language of the page.
        self.fields["tie_breaks"].widget = TieBreaksInput(gettext("Tie-breaks"), "")
        self.fields["tie_breaks"].widget.attrs["class"] = "field__input"

    def clean_regulations(self) -> str:
        """The address; with the day of the delivery it is needed."""
        address: str = self.cleaned_data["regulations"]
        if self.cleaned_data.get("regulations_on") and not address:
            raise forms.ValidationError(gettext("Enter where the regulations are."))
        return address

    @classmethod
    def first_values(cls) -> dict[str, Any]:
        """What the form of a first proposal starts with: a Swiss event as Annex 18 has it."""
        return {"tie_breaks": list(EDITIONS[-1].world_cup_tie_breaks), "system": "swiss", "groups": "one"}


class SeenForm(forms.Form):
    """The newest proposal that the page showed, and the button that was pressed."""

    action = forms.ChoiceField(choices=[("propose", ""), ("approve", ""), ("return", "")])
    seen = forms.IntegerField(min_value=0)


class ReturnForm(StyledFormMixin, forms.Form):
    """Why a proposal is returned."""

    reason = text_area()
