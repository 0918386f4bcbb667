"""The forms of the title council's pages of norms."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ratings.models import RatingList
from ratings.queries.counted_results import counted_result_sets
from reporting.models import ResultSet
from reporting.web.forms import StyledFormMixin, text_area
from titles.federations.registry import rules_of_titles
from titles.labels import colour_text

FILTER_CHOICES = (
    ("open", _("To decide")),
    ("decided", _("Decided")),
    ("possible", _("Possible with a won game ignored")),
    ("near", _("One requirement unmet")),
    ("unneeded", _("Without effect")),
    ("all", _("All")),
)


class NormFilterForm(forms.Form):
    """Which norms of a draft are shown; an invalid value shows those to decide."""

    show = forms.ChoiceField(label=_("Show"), required=False, choices=FILTER_CHOICES)


class DecisionForm(forms.Form):
    """A decision on the norm of the page."""

    reason = text_area(
        _("Reason"),
        required=False,
        help_text=_("Required to refuse. Stored in the audit log with your name."),
    )
    seen = forms.IntegerField(required=False, min_value=0, max_value=2**63 - 1)
    action = forms.ChoiceField(choices=[("confirm", _("Confirm norms")), ("refuse", _("Refuse norms"))])

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        is_missing = "reason" not in self.errors and not values.get("reason", "").strip()
        if values.get("action") == "refuse" and is_missing:
            self.add_error("reason", _("Enter a reason."))
        return values


class DecideForm(DecisionForm):
    """Norms (by number) with one decision for all of them, or one with a button of its own (`confirm-17`).

    The actions `all` and `none` decide nothing: the page comes back with all of its rows selected, or none.
    """

    norms = forms.TypedMultipleChoiceField(label=_("Norms"), coerce=int, required=False)

    def __init__(self, *args: Any, norms: Iterable[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen, action = self.fields["norms"], self.fields["action"]
        assert isinstance(chosen, forms.TypedMultipleChoiceField)  # noqa: S101 (as declared above)
        assert isinstance(action, forms.ChoiceField)  # noqa: S101 (as declared above)
        chosen.choices = [(str(norm), str(norm)) for norm in norms]
        action.choices = [
            ("all", _("Select all")),
            ("none", _("Select none")),
            ("confirm", _("Confirm selected")),
            ("refuse", _("Refuse selected")),
            *((f"confirm-{norm}", _("Confirm this norm")) for norm, _of in chosen.choices),
        ]

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        action, _dash, norm = values.get("action", "").partition("-")
        if norm:
            values |= {"action": action, "norms": [int(norm)]}
        if action in {"confirm", "refuse"} and not values.get("norms") and "norms" not in self.errors:
            self.add_error("norms", _("Select at least one norm."))
        return values

    @property
    def selects(self) -> str:
        """`all` or `none` where the button selects rows and decides nothing."""
        action = self.cleaned_data.get("action", "") if self.is_valid() else ""
        return action if action in {"all", "none"} else ""


class TournamentField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic in the stubs only
    """Tournaments by name and code."""

    def label_from_instance(self, obj: ResultSet) -> str:
        return f"{obj.name} ({obj.code})"


class ClaimForm(StyledFormMixin, forms.Form):
    """A norm that was not found; without a colour where the rules have none."""

    tournament = TournamentField(label=_("Tournament"), queryset=ResultSet.objects.none())
    number = forms.IntegerField(label=_("Player number"), min_value=1, max_value=2**31 - 1)
    title = forms.ChoiceField(label=_("Title"))
    colour = forms.ChoiceField(label=_("Colour"))
    reason = text_area(help_text=_("Stored in the audit log with your name."), rows=2)

    def __init__(self, *args: Any, draft: RatingList, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rules = rules_of_titles(draft.system)
        chosen, title, colour = (self.fields[name] for name in ("tournament", "title", "colour"))
        assert isinstance(chosen, forms.ModelChoiceField)  # noqa: S101 (as declared above)
        assert isinstance(title, forms.ChoiceField)  # noqa: S101 (as declared above)
        assert isinstance(colour, forms.ChoiceField)  # noqa: S101 (as declared above)
        title.choices = [(awarded.code, awarded.code) for awarded in rules.titles]
        colour.choices = [(code, colour_text("colour", code)) for code in rules.colours]
        if not rules.colours:
            del self.fields["colour"]
        chosen.queryset = counted_result_sets(draft).order_by("played_to", "number")
        self.fields["reason"].widget.attrs["class"] = "field__input field__input--text"
