"""The forms of the World Cup pages: which classification is asked for."""

from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

from ratings.queries.lists import office_today
from reporting.rules.report import FIRST_LIST_DAY
from reporting.web.forms import DayField, StyledFormMixin

LAST_LIST_DAY = date(2099, 12, 31)
SECTIONS = [("100", _("100 squares")), ("64", _("64 squares"))]
CLASSIFICATIONS = [("open", _("Open")), ("women", _("Women"))]


class ClassificationForm(StyledFormMixin, forms.Form):
    """Which classification, and on which day; what an address leaves out is open, 100 squares, today."""

    classification = forms.ChoiceField(label=_("Classification"), choices=CLASSIFICATIONS, required=False)
    section = forms.ChoiceField(label=_("Discipline"), choices=SECTIONS, required=False)
    on = DayField(
        label=_("On"),
        required=False,
        validators=[MinValueValidator(FIRST_LIST_DAY), MaxValueValidator(LAST_LIST_DAY)],
    )

    def clean(self) -> dict[str, Any]:
        """The values, with those left out."""
        left_out = {"classification": "open", "section": "100", "on": office_today()}
        return left_out | {name: value for name, value in self.cleaned_data.items() if value}
