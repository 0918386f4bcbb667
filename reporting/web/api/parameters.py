"""The parameters of an address, read by forms, and how the description of the API has them."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiParameter

from reporting.web.query_params import MAX_SEARCH_LENGTH, SearchForm, WholeNumberField

MAX_ROWS = 500
"""Rows of one answer."""
DEFAULT_ROWS = 100
LARGEST_OFFSET = 10_000_000
MOST_CHOICES_NAMED = 60
"""Values of a parameter that the answer to another one lists."""


class NoParametersForm(forms.Form):
    """An address without parameters."""


class RowsForm(forms.Form):
    """Which rows of a long answer: `limit` of them from `offset` on."""

    limit = WholeNumberField(
        required=False,
        min_value=1,
        max_value=MAX_ROWS,
        help_text=f"Rows of the answer; {DEFAULT_ROWS} by default.",
    )
    offset = WholeNumberField(
        required=False, min_value=0, max_value=LARGEST_OFFSET, help_text="Rows to leave out at the beginning."
    )

    @property
    def rows(self) -> slice:
        """The rows asked for, from 0."""
        first = self.cleaned_data["offset"] or 0
        return slice(first, first + (self.cleaned_data["limit"] or DEFAULT_ROWS))


class SearchRowsForm(SearchForm, RowsForm):
    """A search, and which rows of what it finds; a search that cannot be used is an error."""

    q = forms.CharField(
        required=False,
        max_length=MAX_SEARCH_LENGTH,
        help_text="Words of the name in any spelling, or a number; at least one letter or digit.",
    )

    def clean(self) -> None:
        if self.search.problem and "q" not in self.errors:
            self.add_error("q", self.search.problem)


def parameters_of(form: forms.Form) -> Iterator[OpenApiParameter]:
    """The fields of a form as parameters of OpenAPI."""
    for name, field in form.fields.items():
        described: dict[str, Any] = {"type": "string"}
        if isinstance(field, forms.IntegerField):
            described = {"type": "integer", "minimum": field.min_value, "maximum": field.max_value}
        elif isinstance(field, forms.ChoiceField):
            described["enum"] = values_of(field)
        elif isinstance(field, forms.DateField):
            described["format"] = "date"
        elif isinstance(field, forms.RegexField):
            described["pattern"] = pattern_of(field)
        elif isinstance(field, forms.CharField) and field.max_length:
            described["maxLength"] = field.max_length
        yield OpenApiParameter(name, described, required=field.required, description=str(field.help_text))


def values_of(field: forms.ChoiceField) -> list[str]:
    """The values that a parameter can have."""
    choices: Any = field.choices
    return [str(value) for value, _ in choices if value]


def pattern_of(field: forms.RegexField) -> str:
    """As JSON Schema writes it."""
    return str(field.regex.pattern.replace(r"\A", "^").replace(r"\Z", "$"))


def message_of(error: ValidationError, field: forms.Field) -> str:
    """What is wrong with a parameter: its pattern, unless it has a sentence; the values that it can have, if few."""
    if (
        error.code == "invalid"
        and isinstance(field, forms.RegexField)
        and "invalid" not in field.error_messages
    ):
        return gettext("This must be like %(values)s.") % {"values": pattern_of(field)}
    if error.code != "invalid_choice" or not isinstance(field, forms.ChoiceField):
        return " ".join(error.messages)
    values = values_of(field)
    if len(values) > MOST_CHOICES_NAMED:
        return gettext("This value is not known here.")
    return gettext("This must be one of %(values)s.") % {"values": ", ".join(values)}


def shortened(text: str, most: int = 80) -> str:
    """A value of a visitor, short and printable."""
    return "".join(character if character.isprintable() else "�" for character in text[:most])
