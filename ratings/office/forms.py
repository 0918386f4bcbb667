"""What the office's pages are sent. A form says what can be read; whether it may be done is the service's to say."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django import forms

from ratings.models import Correction, PeriodReport
from reporting.models import Report

MAX_TEXT_LENGTH = 2000


def text_area(label: str, help_text: str = "", rows: int = 3) -> forms.CharField:
    """A few sentences that are kept."""
    area = forms.Textarea(attrs={"class": "field__input field__input--text", "rows": rows})
    return forms.CharField(label=label, help_text=help_text, max_length=MAX_TEXT_LENGTH, widget=area)


class FreezeForm(forms.Form):
    """Why a period is frozen by hand, and that those who are left out were seen."""

    reason = text_area("Why now?", "Kept in the log, with your name.")
    seen = forms.BooleanField(label="I have seen which reports are left out.")

    def __init__(self, *args: Any, excluded: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not excluded:
            del self.fields["seen"]


class AnswerForm(forms.Form):
    """The word given to a question about a draft."""

    text = text_area("Your answer, kept in the log", rows=2)


class RecalculateForm(forms.Form):
    """Why a draft is calculated once more."""

    reason = text_area("Why is it calculated again?", "Kept in the log, with your name.", rows=2)


class SignForm(forms.Form):
    """The digest of the list that was on the page."""

    sha256 = forms.RegexField(regex=r"\A[0-9a-f]{64}\Z", widget=forms.HiddenInput)


class PastQuartersForm(forms.Form):
    """Why quarters of the past are calculated, and which were on the page: the days of their lists."""

    reason = text_area("Reason", "Stored in the audit log with your name.")
    in_force = forms.TypedMultipleChoiceField(coerce=date.fromisoformat, widget=forms.MultipleHiddenInput)

    def __init__(self, *args: Any, quarters: Iterable[date], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shown = self.fields["in_force"]
        assert isinstance(shown, forms.TypedMultipleChoiceField)  # noqa: S101 (as declared above)
        shown.choices = [(day.isoformat(), day.isoformat()) for day in quarters]
        shown.initial = [day.isoformat() for day in quarters]


class WithdrawForm(forms.Form):
    """Why a correction is given up."""

    reason = text_area("Why is it withdrawn?", "Kept in the log, with your name.", rows=2)


class MergeForm(forms.Form):
    """Why two records are one person."""

    reason = text_area(
        "How is it known that they are one person?", "Kept in the history of both, with your name."
    )


class UndoMergeForm(forms.Form):
    """Why two records are two persons after all."""

    reason = text_area(
        "How is it known that they are two persons?", "Kept in the history of both, with your name."
    )


class CorrectForm(forms.Form):
    """Why and how a published list is revised."""

    reason = text_area("Why is the list corrected?", "Public: it is printed with the revision.")
    later = forms.ChoiceField(
        label="What becomes of the lists after it",
        choices=Correction.Later.choices,
        initial=Correction.Later.CARRY,
        widget=forms.RadioSelect,
    )
    excluded_tournaments = forms.MultipleChoiceField(
        label="Leave out tournaments", required=False, widget=forms.CheckboxSelectMultiple
    )
    included_reports = forms.TypedMultipleChoiceField(
        label="Take in reports", required=False, coerce=int, widget=forms.CheckboxSelectMultiple
    )

    def __init__(
        self, *args: Any, lines: Iterable[PeriodReport], reports: Iterable[Report], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        excluded_tournaments, included_reports = (
            self.fields["excluded_tournaments"],
            self.fields["included_reports"],
        )
        assert isinstance(excluded_tournaments, forms.MultipleChoiceField)  # noqa: S101 (as declared above)
        assert isinstance(included_reports, forms.MultipleChoiceField)  # noqa: S101
        excluded_tournaments.choices = [(line.tournament.code, line.tournament.name) for line in lines]
        included_reports.choices = [(report.pk, str(report.tournament)) for report in reports]
