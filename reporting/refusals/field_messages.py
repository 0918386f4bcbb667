"""What a form, of a page or of the API, says of a value that a field refuses, in place of Django's sentences."""

from typing import Any

from django import forms
from django.core import validators
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

FIELD_MESSAGES: dict[type[forms.Field], dict[str, Any]] = {
    forms.Field: {"required": _("Fill this in.")},
    forms.BooleanField: {"required": _("Tick this box.")},
    forms.ChoiceField: {
        "required": _("Choose one."),
        "invalid_choice": _("“%(value)s” is not offered here. Choose one of the list."),
    },
    forms.MultipleChoiceField: {
        "required": _("Choose at least one."),
        "invalid_choice": _("“%(value)s” is not offered here. Choose from the list."),
        "invalid_list": _("Choose from the list."),
    },
    forms.ModelChoiceField: {
        "required": _("Choose one."),
        "invalid_choice": _("This is not offered here. Choose one of the list."),
    },
    forms.DateField: {
        "required": _("Enter a day."),
        "invalid": _("This is no day. Enter one as 2026-11-14."),
    },
    forms.IntegerField: {"invalid": _("This is no whole number. Enter one as 137.")},
    forms.FloatField: {"invalid": _("This is no number. Enter one as 137 or -2.5.")},
    forms.DecimalField: {"invalid": _("This is no number. Enter one as 137 or -2.5.")},
    forms.FileField: {
        "required": _("Choose a file."),
        "invalid": _("No file arrived. Choose it again."),
        "missing": _("No file arrived. Choose it again."),
        "empty": _("This file is empty."),
        "max_length": ngettext_lazy(
            "The name of this file is longer than %(max)d character.",
            "The name of this file is longer than %(max)d characters.",
            "max",
        ),
    },
}
DECIMAL_MESSAGES: dict[str, Any] = {
    "invalid": _("This is no number. Enter one as 137 or -2.5."),
    "max_digits": ngettext_lazy(
        "Enter a number of at most %(max)d digit.", "Enter a number of at most %(max)d digits.", "max"
    ),
    "max_decimal_places": ngettext_lazy(
        "Enter at most %(max)d digit after the point.", "Enter at most %(max)d digits after the point.", "max"
    ),
    "max_whole_digits": ngettext_lazy(
        "Enter at most %(max)d digit before the point.",
        "Enter at most %(max)d digits before the point.",
        "max",
    ),
}
VALIDATOR_MESSAGES: dict[Any, Any] = {
    validators.EmailValidator: _("Enter an e-mail address, for example name@example.org."),
    validators.MaxLengthValidator: ngettext_lazy(
        "Enter at most %(limit_value)d character. This has %(show_value)d.",
        "Enter at most %(limit_value)d characters. This has %(show_value)d.",
        "limit_value",
    ),
    validators.MaxValueValidator: _("Enter at most %(limit_value)s."),
    validators.MinLengthValidator: ngettext_lazy(
        "Enter at least %(limit_value)d character. This has %(show_value)d.",
        "Enter at least %(limit_value)d characters. This has %(show_value)d.",
        "limit_value",
    ),
    validators.MinValueValidator: _("Enter at least %(limit_value)s."),
    validators.ProhibitNullCharactersValidator: _("The text contains a character that cannot be stored."),
    validators.RegexValidator: _("This cannot be used here."),
}


def use_field_messages() -> None:
    """Give Django's fields and validators these sentences. Before the first form is declared: each field has a copy."""
    for field, sentences in FIELD_MESSAGES.items():
        field.default_error_messages = {**vars(field).get("default_error_messages", {}), **sentences}
    for validator, sentence in VALIDATOR_MESSAGES.items():
        validator.message = sentence
    validators.DecimalValidator.messages = DECIMAL_MESSAGES
