"""The forms of applications: which are listed, and the day, number and reason of a step."""

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from reporting.web.forms import DayField, StyledFormMixin, text_area
from titles.models import ApplicationStep, TitleApplication
from titles.rules.lifecycle import ApplicationMove

MOVES = ApplicationMove


BUTTONS = {
    MOVES.MARK_PAID: _("Mark fee as paid"),
    MOVES.APPROVE: _("Approve application"),
    MOVES.CONFIRM: _("Record confirmation"),
    MOVES.REGISTER: _("Register title"),
    MOVES.REFUSE: _("Refuse application"),
    MOVES.WITHDRAW: _("Withdraw application"),
    MOVES.WITHDRAW_TITLE: _("Withdraw title"),
}
HEADINGS = {
    MOVES.MARK_PAID: _("Fee"),
    MOVES.APPROVE: _("Approval by the Council"),
    MOVES.CONFIRM: _("Confirmation by the General Assembly"),
    MOVES.REGISTER: _("Registration"),
    MOVES.REFUSE: _("Refusal"),
    MOVES.WITHDRAW: _("Withdrawal of the application"),
    MOVES.WITHDRAW_TITLE: _("Withdrawal of the title (art. 1.4)"),
}


class StateForm(StyledFormMixin, forms.Form):
    """The applications to list."""

    state = forms.ChoiceField(
        label=_("State"), required=False, choices=[("", _("All")), *TitleApplication.State.choices]
    )


class ActionForm(forms.Form):
    """The step whose button was pressed, and the newest step that the page showed."""

    action = forms.ChoiceField(choices=ApplicationStep.Move.choices)
    seen = forms.IntegerField(required=False)


class StepForm(StyledFormMixin, forms.Form):
    """The day of a step; its number and reason where it has them."""

    on = DayField(
        label=_("Day"),
        help_text=_("For example 6 Nov 2026, not in the future."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    reference = forms.CharField(label=_("Number of the minutes"), max_length=80)
    reason = text_area()

    def __init__(self, move: ApplicationMove, data: Any = None) -> None:
        super().__init__(data, prefix=move, initial={"on": timezone.localdate().isoformat()})
        self.move = move
        if move is MOVES.MARK_PAID:
            self.fields["reference"].label = _("Number of the payment")
        if move not in (MOVES.CONFIRM, MOVES.WITHDRAW_TITLE):
            self.fields["reference"].required = False
        if move in (MOVES.APPROVE, MOVES.CONFIRM, MOVES.REGISTER, MOVES.MARK_PAID):
            del self.fields["reason"]
        elif move is MOVES.WITHDRAW:
            self.fields["reason"].required = False
        if move in (MOVES.REGISTER, MOVES.WITHDRAW):
            del self.fields["reference"]

    @property
    def entered(self) -> list[tuple[str, str]]:
        """What was filled in, by label: for a page on which the step is not possible any more."""
        values = ((str(field.label), str(field.value() or "")) for field in self)
        return [(label, value) for label, value in values if value]

    @property
    def button(self) -> str:
        """The name of its button."""
        return str(BUTTONS[self.move])

    @property
    def tone(self) -> str:
        """The style of its button."""
        ends = (MOVES.REFUSE, MOVES.WITHDRAW, MOVES.WITHDRAW_TITLE)
        return "button--danger" if self.move in ends else "button--main"

    @property
    def heading(self) -> str:
        """What the step is about."""
        return str(HEADINGS[self.move])
