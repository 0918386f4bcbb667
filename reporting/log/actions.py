"""The registry of the audit log: actions with their groups, fields and their codes, and reasons
that the program gives, each with its label.

Each app registers its own when it starts (reporting/log/labels.py, ratings/office/labels.py).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext

from reporting.formats.detect import format_labels
from reporting.rules.details.decided_items import known_items, labelled_values
from reporting.rules.register.titles import discipline_titles

Label = str | Promise


@dataclass(frozen=True)
class ActionGroup:
    """Actions that a reader of the log can ask for together."""

    label: Label
    actions: dict[str, Label] = field(default_factory=dict)


_groups: dict[str, ActionGroup] = {}
_fields: dict[str, Label] = {}
_values: dict[str, dict[str, Label]] = {}
_reasons: dict[str, Label] = {}


def register_actions(group: str, label: Label, actions: Mapping[str, Label]) -> None:
    """Add a group of actions, each by its code as `record` writes it (`report.accept`)."""
    _groups.setdefault(group, ActionGroup(label)).actions.update(actions)


def register_fields(labels: Mapping[str, Label]) -> None:
    """Add the labels of fields, each by its name in `before` and `after` of a log entry."""
    _fields.update(labels)


def register_values(field: str, labels: Iterable[tuple[str, Label]]) -> None:
    """Add labels of the codes that a field can have (`state`: `draft`), as the choices of a model."""
    _values.setdefault(field, {}).update(labels)


def register_reasons(labels: Mapping[str, Label]) -> None:
    """Add the labels of reasons that the program gives, each by its code (`scheduler.freeze`)."""
    _reasons.update(labels)


def action_groups() -> Mapping[str, ActionGroup]:
    """The groups by their codes, in the order in which they were registered."""
    return _groups


def registered_actions() -> Mapping[str, Label]:
    """The label of each action."""
    return {code: label for group in _groups.values() for code, label in group.actions.items()}


def registered_fields() -> Mapping[str, Label]:
    """The label of each field, those of titles and of what is decided of tournaments included."""
    titles = {name: gettext(of_discipline.label) for name, of_discipline in discipline_titles().items()}
    return _fields | titles | {name: gettext(item.label) for name, item in known_items().items()}


def action_label(action: str) -> str:
    """`Report accepted`; an action that is not registered is read from its code."""
    thing, _, verb = action.partition(".")
    return str(registered_actions().get(action) or f"{thing}: {verb}".replace("_", " ").capitalize())


def registered_reasons() -> Mapping[str, Label]:
    """The label of each reason that the program gives."""
    return _reasons


def reason_label(reason: str) -> str:
    """The sentence of a reason that the program gives; the text of a person as it is."""
    return str(_reasons.get(reason) or reason)


def value_label(field: str, value: str) -> str:
    """The label of a code; any other value as it is."""
    of_discipline = discipline_titles().get(field)
    if of_discipline and value in of_discipline.titles:
        return gettext(of_discipline.titles[value].label)
    item = known_items().get(field)
    if item and value in labelled_values(item):
        return gettext(labelled_values(item)[value])
    if field == "format" and value in format_labels():
        return gettext(format_labels()[value])
    return str(_values.get(field, {}).get(value) or value)


def field_label(name: str) -> str:
    """`E-mail address`; a field that is not registered is read from its name."""
    return str(registered_fields().get(name) or name.replace("_", " ").capitalize())
