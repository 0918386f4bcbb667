"""The declaration of a tournament detail: its kind, label, help, choices and privacy, and who decides it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from reporting.federations.registry import (
    all_report_rules,
    article_of,
    discipline_labels,
    system_labels,
)
from reporting.rules.details.detail_kinds import Kind
from reporting.rules.standings.registry import TIE_BREAKS
from reporting.rules.standings.unplayed import METHODS


@dataclass(frozen=True, kw_only=True)
class Detail:
    """The declaration of a detail.

    ``label`` and ``help`` are for the form, ``about`` and ``example`` for the reference page; all are plain English,
    translated where they are shown. ``max_length`` is in characters. ``choice_labels`` are by value. Private details
    are only for the submitter and the office.

    A detail of one federation says where it stands: on the reference page ``after`` another one, last without; in the
    form ``asked_after`` another one, not at all without. A ``public`` one is on the page of the tournament. Where an
    official decides what counts (R78), ``decided_by`` says which; a decision holds while ``decided_of``, another
    detail, is the same.
    """

    name: str = ""
    kind: Kind
    label: str
    about: str
    example: str
    required: str = ""
    choices: type[StrEnum] | None = None
    choice_labels: Mapping[str, str] = field(default_factory=dict)
    max_length: int | None = None
    help: str = ""
    private: bool = False
    public: bool = False
    after: str = ""
    asked_after: str = ""
    decided_by: Literal["", "office", "title_council"] = ""
    decided_of: str = ""

    @property
    def article(self) -> str:
        """The article that asks for it, of the first federation that has one; empty without any."""
        articles = (article_of(rules, f"detail.{self.name}") for rules in all_report_rules())
        return next(filter(None, articles), "")

    @property
    def expected(self) -> str:
        """What a value has to be, for a finding."""
        return ", ".join(value for value, _ in self.labelled_choices()) or self.kind.expected

    def labelled_choices(self) -> list[tuple[str, str]]:
        """Return the values to choose from with their labels, without the empty value; none for other kinds."""
        if self.kind is Kind.DISCIPLINE:
            return list(discipline_labels().items())
        if self.kind is Kind.RATING_SYSTEM:
            return list(system_labels().items())
        if self.kind is Kind.TIE_BREAKS:
            return [(key, tie_break.name) for key, tie_break in TIE_BREAKS.items()]
        if self.kind is Kind.UNPLAYED_METHOD:
            return [(key, method.name) for key, method in METHODS.items()]
        return [
            (
                choice.value,
                self.choice_labels.get(choice.value) or choice.value.replace("-", " ").capitalize(),
            )
            for choice in self.choices or ()
            if choice.value
        ]

    def stored(self, value: Any) -> Any:
        """The value of a column of the database as details have it."""
        return (
            next((one for one in self.choices or () if one == value), None)
            if self.kind is Kind.CHOICE
            else value
        )


def declared(kind: Kind, label: str, about: str, **more: Any) -> dict[str, Detail]:
    """The declaration of a detail as the metadata of its field."""
    return {"detail": Detail(kind=kind, label=label, about=about, **more)}
