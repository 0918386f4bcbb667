"""The labels of items and values that are decided of tournaments (R78)."""

from collections.abc import Mapping

from django.utils.functional import Promise, lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.log.actions import register_fields, register_values
from reporting.rules.details.decided_items import NO, YES, DecidedItem
from reporting.rules.details.tournament_details import DETAILS

ITEM_LABELS: Mapping[DecidedItem, Promise] = {
    DecidedItem.COUNCIL_APPROVED: _("Approved by the Council"),
    DecidedItem.OFFICIAL: _("Tournament of FMJD or of a confederation"),
    DecidedItem.COMPETITION: _("Official competition"),
    DecidedItem.WORLD_CUP_STARS: _("World Cup stars"),
    DecidedItem.REFEREE_LEVEL: _("Level of the main referee"),
    DecidedItem.OVER_AGE: _("Players over the age admitted"),
}


def value_labels(item: DecidedItem) -> dict[str, str]:
    """The values of an item with their labels, in the language in use."""
    if item.values == (YES, NO):
        return {YES: gettext("Yes"), NO: gettext("No")}
    labels = {value: gettext(label) for value, label in DETAILS[item].labelled_choices()}
    return {value: labels.get(value) or gettext("None") for value in item.values}


def value_label(item: DecidedItem, value: str) -> str:
    return value_labels(item).get(value, value)


def register() -> None:
    """Add the items and their values to the registry of the log. Called once, at start."""
    register_fields({item.value: label for item, label in ITEM_LABELS.items()})
    lazy_label = lazy(value_label, str)
    for item in DecidedItem:
        register_values(item, [(value, lazy_label(item, value)) for value in item.values])
