"""The forms of publications: one requested, one signed or withdrawn."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ratings.queries.lists import office_today
from reporting.rules.report import FIRST_LIST_DAY
from reporting.web.forms import DayField, StyledFormMixin, text_area
from titles.federations.fmjd.world_cup.forms import CLASSIFICATIONS, SECTIONS, ClassificationForm
from titles.federations.fmjd.world_cup.publications.kinds import PublicationKey
from titles.federations.fmjd.world_cup.publications.selectors import key_of_classification
from titles.rules.publication_lifecycle import PublicationMove


class RequestForm(StyledFormMixin, forms.Form):
    """A classification to be published; of one that is published already the reason of its revision."""

    classification = forms.ChoiceField(label=_("Classification"), choices=CLASSIFICATIONS)
    section = forms.ChoiceField(label=_("Discipline"), choices=SECTIONS)
    on = DayField(
        label=_("On"), help_text=_("A day until today. The standing of 31 December names the winners.")
    )
    reason = text_area(
        help_text=_("Of a revision: where this classification is published already. All readers see it."),
        required=False,
        rows=2,
    )
    refused_fields = {"publication_day_ahead": "on", "reason_missing": "reason"}  # noqa: RUF012 (as in Django)

    def clean_on(self) -> Any:
        """A day from the first on that a list can have."""
        day = self.cleaned_data["on"]
        if day < FIRST_LIST_DAY:
            raise forms.ValidationError(_("Enter a later day."))
        return day

    @property
    def key(self) -> PublicationKey:
        """What is requested, of a valid form."""
        values = self.cleaned_data
        women = values["classification"] == "women"
        return key_of_classification(values["section"], values["on"], women=women)

    @classmethod
    def starting_with(cls, form: ClassificationForm) -> "RequestForm":
        """The form with the classification of an address, today's of 100 squares without one."""
        values = form.cleaned_data if form.is_valid() else {}
        on = values.get("on", office_today())
        return cls(initial={"section": "100", **values, "on": on.isoformat()})


class MoveForm(StyledFormMixin, forms.Form):
    """A signature for the digest that the page showed, or a withdrawal with its reason."""

    action = forms.ChoiceField(
        choices=[
            (move, move)
            for move in (PublicationMove.APPROVE, PublicationMove.PUBLISH, PublicationMove.WITHDRAW)
        ]
    )
    sha256 = forms.CharField(max_length=64, required=False)
    reason = text_area(required=False, rows=2)
    refused_fields = {"reason_missing": "reason"}  # noqa: RUF012 (as in Django)
