"""The disciplines of tournaments, which reports name. Each rating system brings those that it rates."""

from collections.abc import Mapping

_labels: dict[str, str] = {}


def register_disciplines(labels: Mapping[str, str]) -> None:
    """Make disciplines known: value in reports (at most 3 characters) → label in plain English."""
    _labels.update(labels)


def discipline_labels() -> Mapping[str, str]:
    """The registered disciplines: value → label, in the order of INSTALLED_APPS."""
    return _labels
