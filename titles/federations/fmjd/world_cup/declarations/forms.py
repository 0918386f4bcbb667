"""The forms of declarations: the year to show, a declaration to record, a reason to withdraw one."""

from django import forms
from django.utils.translation import gettext_lazy as _

from ratings.queries.lists import office_today
from reporting.models import User
from reporting.web.forms import DayField, StyledFormMixin, text_area
from reporting.web.query_params import LARGEST_NUMBER, WholeNumberField
from titles.federations.fmjd.world_cup.inputs import FIRST_YEAR, LAST_YEAR
from titles.policies import declares_for_all

RECORD, WITHDRAW = "record", "withdraw"


class YearForm(StyledFormMixin, forms.Form):
    """The year whose declarations are shown."""

    year = WholeNumberField(label=_("Year"), required=False, min_value=FIRST_YEAR, max_value=LAST_YEAR)


class ActionForm(forms.Form):
    """Which form was sent, and the declaration to withdraw."""

    action = forms.ChoiceField(choices=[(RECORD, RECORD), (WITHDRAW, WITHDRAW)])
    declaration = forms.IntegerField(required=False, min_value=1)


class DeclarationForm(StyledFormMixin, forms.Form):
    """A declaration; what a national official records is made today, so the day is not asked."""

    number = WholeNumberField(label=_("FMJD-ID of the player"), min_value=1, max_value=LARGEST_NUMBER)
    year = WholeNumberField(label=_("For the year"), min_value=FIRST_YEAR, max_value=LAST_YEAR)
    declared_on = DayField(
        label=_("Day of the declaration"),
        help_text=_("The day on which it reached the office."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    refused_fields = {  # noqa: RUF012 (as in Django)
        "forbidden": "number",
        "declaration_player_unknown": "number",
        "declaration_not_a_woman": "number",
        "declaration_twice": "number",
        "declaration_day": "declared_on",
        "declaration_late": "declared_on",
    }

    def __init__(self, user: User, year: int, data: object = None) -> None:
        today = office_today()
        super().__init__(data, initial={"year": year, "declared_on": today.isoformat()})
        if not declares_for_all(user):
            del self.fields["declared_on"]
            self.refused_fields = dict.fromkeys(self.refused_fields, "number")


class WithdrawalForm(StyledFormMixin, forms.Form):
    """Why a declaration is withdrawn."""

    reason = text_area(rows=2)
