"""The forms of the office's pages. A form says what can be read; the service decides whether it is allowed."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from ratings.models import Correction, PeriodReport, Pool
from ratings.office.selectors.periods_in_work import TournamentKind
from ratings.production.imports.import_source import Source
from reporting.log.actions import value_label
from reporting.messages.labels import name_with_part
from reporting.models import Report
from reporting.web.access import MAX_SOURCE_BYTES
from reporting.web.forms import (
    TABLE_LIMITS,
    DayField,
    ShownForm,
    StyledFormMixin,
    TextField,
    set_choices,
    text_area,
)
from reporting.web.values import day

EARLIEST_LIST = date(1970, 1, 1)
IN_LOG = _("Stored in the audit log with your name.")
IN_HISTORY = _("Stored in the history of both records with your name.")


class FreezeForm(ShownForm):
    """Why an officer freezes a period, and that the excluded reports were seen."""

    reason = text_area(help_text=IN_LOG)
    seen = forms.BooleanField()

    def __init__(self, *args: Any, excluded: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not excluded:
            del self.fields["seen"]
            return
        label = ngettext(
            "I have seen that %(count)s report is excluded.",
            "I have seen that %(count)s reports are excluded.",
            excluded,
        )
        self.fields["seen"].label = label % {"count": excluded}


class AnswerForm(forms.Form):
    """The answer to an anomaly of a draft."""

    text = text_area(_("Answer, stored in the audit log"), rows=2)


class RecalculateForm(forms.Form):
    """Why a draft is recalculated."""

    reason = text_area(_("Reason for the recalculation"), help_text=IN_LOG, rows=2)


class SignForm(forms.Form):
    """The digest of the list that was on the page."""

    sha256 = forms.RegexField(regex=r"\A[0-9a-f]{64}\Z", widget=forms.HiddenInput)


class PastQuartersForm(ShownForm):
    """Why past quarters are calculated, and which were on the page: the days of their lists."""

    reason = text_area(help_text=IN_LOG)
    in_force = forms.TypedMultipleChoiceField(coerce=date.fromisoformat, widget=forms.MultipleHiddenInput)

    def __init__(self, *args: Any, quarters: Iterable[date], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shown = self.fields["in_force"]
        assert isinstance(shown, forms.TypedMultipleChoiceField)  # noqa: S101 (as declared above)
        shown.choices = [(day.isoformat(), day.isoformat()) for day in quarters]
        shown.initial = [day.isoformat() for day in quarters]


class DatesForm(ShownForm):
    """The dates of the next list, where the office chooses them; `show` asks what the list would count."""

    show = forms.BooleanField(required=False)
    closing = DayField(
        label=_("Closing date"), help_text=_("Reports played up to this day belong to this list.")
    )
    in_force = DayField(label=_("In force from"), help_text=_("The day of the list, after the closing date."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("closing", "in_force"):
            attributes = {"type": "date", "class": "field__input"}
            self.fields[name].widget = forms.DateInput(format="%Y-%m-%d", attrs=attributes)


class OpeningForm(forms.Form):
    """The table of an opening list and the day of the list."""

    file = forms.FileField(label=_("Table"), help_text=TABLE_LIMITS, max_length=200)
    in_force = DayField(
        label=_("In force from"),
        validators=[MinValueValidator(EARLIEST_LIST)],
        help_text=_(
            "The day of the federation's last list. The usual one is that before the current quarter."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["in_force"].widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
        for field in self.fields.values():
            field.widget.attrs["class"] = "field__input"


class SourceForm(StyledFormMixin, forms.Form):
    """A list of a source: whose it is, from which day, its file, and the kind of ratings of a file with only one."""

    source = forms.ChoiceField(label=_("Source"))
    in_force = DayField(
        label=_("In force from"),
        validators=[MinValueValidator(EARLIEST_LIST)],
        help_text=_("The day from which the source says that the list is in force."),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    kind = forms.ChoiceField(
        label=_("Kind of ratings"),
        required=False,
        help_text=_("Only for a file with the ratings of one kind."),
    )
    file = forms.FileField(
        label=_("File"),
        max_length=200,
        help_text=format_lazy(
            _(
                "As the source publishes it: text or XML, by itself or in a ZIP archive; at most {megabytes} MB."
            ),
            megabytes=MAX_SOURCE_BYTES // 1_000_000,
        ),
    )

    def __init__(self, *args: Any, sources: Sequence[Source], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = dict.fromkeys(kind for source in sources for kind in source.kinds)
        set_choices(self, "source", [(source.code, source.name) for source in sources])
        set_choices(
            self, "kind", [("", _("All kinds")), *((kind, value_label("kind", kind)) for kind in kinds)]
        )


class ValuesForm(ShownForm):
    """The values of a list as lines of a table, below the names of its columns; `preview` asks whom they change."""

    preview = forms.BooleanField(required=False)
    table = TextField(
        label=_("Values"),
        required=False,
        strip=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"class": "field__input field__input--text", "rows": 12}),
    )


class WithdrawForm(ShownForm):
    """Why a correction is withdrawn."""

    reason = text_area(_("Reason for the withdrawal"), help_text=IN_LOG, rows=2)


class MergeForm(ShownForm):
    """Why two records are one person."""

    reason = text_area(_("Evidence that both records are one person"), help_text=IN_HISTORY)


class OtherRecordForm(forms.Form):
    """The address of the record to merge with, and of the one that survives. The register says which there are."""

    surviving = forms.CharField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["with"] = forms.CharField(required=False)

    @property
    def number(self) -> str:
        """The number of the other record as typed."""
        return str(self["with"].value() or "").strip()


class UndoMergeForm(ShownForm):
    """Why two records are two persons."""

    reason = text_area(_("Evidence that these are two persons"), help_text=IN_HISTORY)


class PeriodFilterForm(forms.Form):
    """The tournaments of a period to show. A field with an error filters nothing."""

    federation = forms.ChoiceField(required=False)
    kind = forms.ChoiceField(required=False, choices=TournamentKind.choices)

    def __init__(self, *args: Any, federations: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        federation = self.fields["federation"]
        assert isinstance(federation, forms.ChoiceField)  # noqa: S101 (as declared above)
        federation.choices = [(code, code) for code in federations]


class ReplayForm(forms.Form):
    """The edition of a replay, and the first list replayed; without a list the first one offered."""

    rules = forms.ChoiceField(label=_("Edition of the rules"))

    def __init__(self, *args: Any, editions: Sequence[str], days: Sequence[date], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rules = self.fields["rules"]
        assert isinstance(rules, forms.ChoiceField)  # noqa: S101 (as declared above)
        rules.choices = [(edition, edition) for edition in editions]
        rules.initial = editions[-1]
        self.fields["from"] = forms.TypedChoiceField(
            label=_("First list replayed"),
            choices=[(in_force.isoformat(), day(in_force)) for in_force in days],
            coerce=date.fromisoformat,
            empty_value=None,
            required=False,
        )
        for field in self.fields.values():
            field.widget.attrs["class"] = "field__input"


class CompareRulesForm(StyledFormMixin, forms.Form):
    """The pool whose newest lists are compared, how many of them, and the pool whose rules they are compared with."""

    pool = forms.ChoiceField(label=_("Pool"))
    lists = forms.IntegerField(label=_("Number of lists"), min_value=1, initial=1)

    def __init__(
        self, data: Any, *, pools: Sequence[Pool], others: Sequence[Pool], most_lists: int, **kwargs: Any
    ) -> None:
        super().__init__(data, **kwargs)
        self.fields["with"] = forms.ChoiceField(
            label=_("Rules of"), widget=forms.Select(attrs={"class": "field__input"})
        )
        set_choices(self, "pool", [(pool.code, pool.name) for pool in pools])
        set_choices(self, "with", [(pool.code, pool.name) for pool in others])
        lists = self.fields["lists"]
        lists.validators.append(MaxValueValidator(most_lists))
        lists.widget.attrs["max"] = most_lists


class CorrectForm(ShownForm):
    """Why and how a published list is revised."""

    reason = text_area(_("Reason for the correction"), help_text=_("Public: printed with the revision."))
    later = forms.ChoiceField(
        label=_("Later lists"),
        choices=Correction.Later.choices,
        widget=forms.RadioSelect,
    )
    excluded_tournaments = forms.MultipleChoiceField(
        label=_("Exclude tournaments"),
        help_text=_("The revision no longer counts them."),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    included_reports = forms.TypedMultipleChoiceField(
        label=_("Include reports"),
        help_text=_("Accepted reports that no list counts. A corrected report replaces the one it corrects."),
        required=False,
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(
        self,
        *args: Any,
        lines: Iterable[PeriodReport],
        reports: Iterable[Report],
        later: Sequence[Correction.Later],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        of_later = self.fields["later"]
        assert isinstance(of_later, forms.ChoiceField)  # noqa: S101 (as declared above)
        of_later.choices = [(choice.value, choice.label) for choice in later]
        of_later.initial = later[0]
        excluded_tournaments, included_reports = (
            self.fields["excluded_tournaments"],
            self.fields["included_reports"],
        )
        assert isinstance(excluded_tournaments, forms.MultipleChoiceField)  # noqa: S101 (as declared above)
        assert isinstance(included_reports, forms.MultipleChoiceField)  # noqa: S101
        excluded_tournaments.choices = [
            (line.result_set.part_code, name_with_part(line.result_set)) for line in lines
        ]
        included_reports.choices = [(report.pk, str(report.result_set)) for report in reports]
