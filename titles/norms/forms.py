"""The forms of the title commission's pages."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from reporting.models import Tournament
from reporting.web.access import MAX_TEXT_LENGTH
from reporting.web.forms import StyledFormMixin
from titles.models import Norm
from titles.rules.fmjd.columns import TITLES

FILTER_CHOICES = (
    ("open", _("To decide")),
    ("decided", _("Decided")),
    ("possible", _("Possible with a won game ignored")),
    ("near", _("One requirement unmet")),
    ("all", _("All")),
)


def reason_field(label: Any, *, required: bool, help_text: Any = "") -> forms.CharField:
    """A few sentences that are stored with the decision."""
    area = forms.Textarea(attrs={"class": "field__input field__input--text", "rows": 2})
    return forms.CharField(
        label=label, required=required, max_length=MAX_TEXT_LENGTH, widget=area, help_text=help_text
    )


class NormFilterForm(StyledFormMixin, forms.Form):
    """Which norms of a draft are shown; an invalid value shows those to decide."""

    show = forms.ChoiceField(label=_("Show"), required=False, choices=FILTER_CHOICES)


class DecisionForm(forms.Form):
    """A decision on the norm of the page."""

    reason = reason_field(
        _("Reason"),
        required=False,
        help_text=_("Required to refuse. Stored in the audit log with your name."),
    )
    seen = forms.IntegerField(required=False, min_value=0, max_value=2**63 - 1)
    action = forms.ChoiceField(choices=[("confirm", _("Confirm norms")), ("refuse", _("Refuse norms"))])

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if values.get("action") == "refuse" and not values.get("reason", "").strip():
            self.add_error("reason", _("Enter a reason."))
        return values


class DecideForm(DecisionForm):
    """Norms (by number) with one decision for all of them."""

    norms = forms.TypedMultipleChoiceField(label=_("Norms"), coerce=int)

    def __init__(self, *args: Any, norms: Iterable[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen = self.fields["norms"]
        assert isinstance(chosen, forms.TypedMultipleChoiceField)  # noqa: S101 (as declared above)
        chosen.choices = [(str(norm), str(norm)) for norm in norms]
        chosen.error_messages["required"] = _("Choose at least one norm.")


class TournamentField(forms.ModelChoiceField):
    """Tournaments by name and code."""

    def label_from_instance(self, obj: Tournament) -> str:
        return f"{obj.name} ({obj.code})"


class ClaimForm(StyledFormMixin, forms.Form):
    """A norm that was not found."""

    tournament = TournamentField(label=_("Tournament"), queryset=Tournament.objects.none())
    number = forms.IntegerField(label=_("Player number"), min_value=1, max_value=2**31 - 1)
    title = forms.ChoiceField(label=_("Title"), choices=[(title, title) for title in TITLES])
    colour = forms.ChoiceField(
        label=_("Colour"), choices=[(Norm.Colour.BLACK, _("Black")), (Norm.Colour.RED, _("Red"))]
    )
    reason = reason_field(_("Reason"), required=True, help_text=_("Stored in the audit log with your name."))

    def __init__(self, *args: Any, tournaments: Iterable[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen = self.fields["tournament"]
        assert isinstance(chosen, forms.ModelChoiceField)  # noqa: S101 (as declared above)
        chosen.queryset = Tournament.objects.filter(pk__in=list(tournaments)).order_by("played_to", "number")
        self.fields["reason"].widget.attrs["class"] = "field__input field__input--text"
