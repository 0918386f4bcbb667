"""What the forms of all pages have in common."""

from collections.abc import Iterable
from datetime import date
from functools import cache
from hashlib import sha256
from typing import Any, TypeVar

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from reporting.refusals.domain_error import DomainError
from reporting.rules.details.detail_kinds import parse_day
from reporting.rules.findings.finding_list import quoted
from reporting.web.access import MAX_TABLE_BYTES, MAX_TEXT_LENGTH

Form = TypeVar("Form", bound=forms.BaseForm)

TABLE_LIMITS = format_lazy(
    gettext_lazy(
        "XLSX, or CSV in UTF-8 with commas, semicolons or tabs between the cells; at most {megabytes} MB."
    ),
    megabytes=MAX_TABLE_BYTES // 1_000_000,
)
"""The help text of the field of a table."""


class StyledFormMixin:
    """Fields with the styles of the office, always with a label, never with a placeholder."""

    fields: dict[str, forms.Field]
    labels: dict[str, Any] = {}  # noqa: RUF012 (as in Django)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            if not isinstance(field.widget, forms.CheckboxInput):
                field.widget.attrs["class"] = "field__input"
            field.widget.attrs.pop("placeholder", None)
            field.label = self.labels.get(name, field.label)


def set_choices(form: forms.BaseForm, name: str, choices: Iterable[Any]) -> None:
    """Give a field of a form its choices, where they are known only when the form is made."""
    field: Any = form.fields[name]
    (field if isinstance(field, forms.ChoiceField) else field.widget).choices = [*choices]


class ShownForm(forms.Form):
    """The digest of what the page showed, for an act that follows findings or a preview (R24a)."""

    shown = forms.RegexField(r"\A[0-9a-f]{16}\Z", required=False, widget=forms.HiddenInput)

    def refuse_changed(self, shown: str) -> None:
        """Raise DomainError `preview_changed` where the page showed something else than `shown`, the digest of now."""
        if self.cleaned_data.get("shown") != shown:
            raise DomainError("preview_changed")


def shown_digest(*shown: object) -> str:
    """A digest of what a page shows, the same until one of its values changes; each must have a full `repr`."""
    return sha256(repr(shown).encode()).hexdigest()[:16]


class QueryForm(forms.Form):
    """What an address asks for. A field with an error shows it and filters nothing."""

    @property
    def typed(self) -> dict[str, str]:
        """The values as typed, without empty ones: for the addresses of other pages."""
        return {name: str(text) for name in self.fields if (text := self[name].value())}


class DayField(forms.DateField):
    """A day in any form in which reports have it (`parse_day`)."""

    default_error_messages = {  # noqa: RUF012 (as in Django)
        "invalid": gettext_lazy("“%(found)s” is no day. Enter one that exists, for example 14 Nov 2026.")
    }

    def to_python(self, value: Any) -> date | None:
        day = parse_day(value) if isinstance(value, str) else value
        if day and isinstance(day, str):
            raise forms.ValidationError(
                self.error_messages["invalid"], code="invalid", params={"found": quoted(day)}
            )
        return super().to_python(day)


REASON = gettext_lazy("Reason")


class TextField(forms.CharField):
    """Sentences: a line break that a browser sends as two characters is one, as it was typed.

    The browser is not told how long the text may be: it would cut what is pasted without a word.
    """

    def to_python(self, value: Any) -> str | None:
        text = super().to_python(value)
        return text and text.replace("\r\n", "\n")

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {name: value for name, value in super().widget_attrs(widget).items() if name != "maxlength"}


def text_area(
    label: Any = REASON, *, help_text: Any = "", required: bool = True, rows: int = 3
) -> forms.CharField:
    """Sentences that are stored: a reason, an answer, evidence."""
    area = forms.Textarea(attrs={"class": "field__input field__input--text", "rows": rows})
    return TextField(
        label=label, help_text=help_text, required=required, max_length=MAX_TEXT_LENGTH, widget=area
    )


def typed_text(*, max_length: int = MAX_TEXT_LENGTH) -> forms.CharField:
    """A comment, remark or reason as it was typed. The service checks whether it needs one."""
    return TextField(required=False, max_length=max_length, strip=False)


def cleaned(form: forms.BaseForm) -> dict[str, Any]:
    """The values of a form of typed texts.

    Raises DomainError `unreadable`, with the field's name, for a text that is too long or contains a null character.
    """
    if not form.is_valid():
        raise DomainError("unreadable", most=MAX_TEXT_LENGTH, field=next(iter(form.errors), ""))
    return dict(form.cleaned_data)


@cache
def styled_form(form_class: type[Form]) -> type[Form]:
    """A form of code that knows no pages, with the styles of the office."""
    return type(form_class.__name__, (StyledFormMixin, form_class), {})
