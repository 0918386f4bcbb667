"""What the office's pages are sent. A form says what can be read; whether it may be done is the service's to say."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django import forms

from ratings.models import Correction, PeriodReport
from reporting.models import Report

LONGEST_TEXT = 2000


def words(label: str, help_text: str = "", rows: int = 3) -> forms.CharField:
    """A few sentences that are kept."""
    area = forms.Textarea(attrs={"class": "field__input field__input--text", "rows": rows})
    return forms.CharField(label=label, help_text=help_text, max_length=LONGEST_TEXT, widget=area)


class FreezeForm(forms.Form):
    """Why a period is frozen by hand, and that those who are left out were seen."""

    reason = words("Why now?", "Kept in the log, with your name.")
    seen = forms.BooleanField(label="I have seen which reports are left out.")

    def __init__(self, *args: Any, left_out: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not left_out:
            del self.fields["seen"]


class AnswerForm(forms.Form):
    """The word given to a question about a draft."""

    text = words("Your answer, kept in the log", rows=2)


class CalculateForm(forms.Form):
    """Why a draft is calculated once more."""

    reason = words("Why is it calculated again?", "Kept in the log, with your name.", rows=2)


class SignForm(forms.Form):
    """The digest of the list that was on the page."""

    sha256 = forms.RegexField(regex=r"\A[0-9a-f]{64}\Z", widget=forms.HiddenInput)


class PastQuartersForm(forms.Form):
    """Why quarters of the past are calculated, and which were on the page: the days of their lists."""

    reason = words("Reason", "Stored in the audit log with your name.")
    in_force = forms.TypedMultipleChoiceField(coerce=date.fromisoformat, widget=forms.MultipleHiddenInput)

    def __init__(self, *args: Any, quarters: Iterable[date], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shown = self.fields["in_force"]
        assert isinstance(shown, forms.TypedMultipleChoiceField)  # noqa: S101 (as declared above)
        shown.choices = [(day.isoformat(), day.isoformat()) for day in quarters]
        shown.initial = [day.isoformat() for day in quarters]


class WithdrawForm(forms.Form):
    """Why a correction is given up."""

    reason = words("Why is it withdrawn?", "Kept in the log, with your name.", rows=2)


class MergeForm(forms.Form):
    """Why two records are one person."""

    reason = words(
        "How is it known that they are one person?", "Kept in the history of both, with your name."
    )


class PartForm(forms.Form):
    """Why two records are two persons after all."""

    reason = words(
        "How is it known that they are two persons?", "Kept in the history of both, with your name."
    )


class CorrectForm(forms.Form):
    """Why and how a published list is revised."""

    reason = words("Why is the list corrected?", "Public: it is printed with the revision.")
    later = forms.ChoiceField(
        label="What becomes of the lists after it",
        choices=Correction.Later.choices,
        initial=Correction.Later.CARRY,
        widget=forms.RadioSelect,
    )
    leave_out = forms.MultipleChoiceField(
        label="Leave out tournaments", required=False, widget=forms.CheckboxSelectMultiple
    )
    take_in = forms.TypedMultipleChoiceField(
        label="Take in reports", required=False, coerce=int, widget=forms.CheckboxSelectMultiple
    )

    def __init__(
        self, *args: Any, lines: Iterable[PeriodReport], reports: Iterable[Report], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        leave_out, take_in = self.fields["leave_out"], self.fields["take_in"]
        assert isinstance(leave_out, forms.MultipleChoiceField)  # noqa: S101 (as declared above)
        assert isinstance(take_in, forms.MultipleChoiceField)  # noqa: S101
        leave_out.choices = [(line.tournament.code, line.tournament.name) for line in lines]
        take_in.choices = [(report.pk, str(report.tournament)) for report in reports]
