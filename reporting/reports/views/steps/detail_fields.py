"""The fields of the tournament details, each with what findings say and ask about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from reporting.reports.forms import TournamentDetailsForm, value_label
from reporting.reports.reading.open_report import OpenReport
from reporting.rules.findings.finding_list import Finding, Severity


@dataclass(frozen=True)
class DetailField:
    """A field of the form with its findings and the value of the file. `is_needed`: it is empty, and required."""

    field: Any
    findings: Sequence[Finding]
    in_file: str
    is_needed: bool = False

    @property
    def is_bad(self) -> bool:
        """Whether what is in the field is wrong."""
        is_wrong = any(found.severity is Severity.ERROR for found in self.findings)
        return is_wrong or bool(self.field.errors)


@dataclass(frozen=True)
class DetailGroup:
    """The fields under a heading. `is_open` for the first group, and where something is to be corrected."""

    label: str | Promise
    details: Sequence[DetailField]
    is_first: bool
    filled: int

    @property
    def is_open(self) -> bool:
        return self.is_first or any(
            detail.findings or detail.is_needed or detail.field.errors for detail in self.details
        )


def detail_groups(form: TournamentDetailsForm, opened: OpenReport) -> list[DetailGroup]:
    """The groups of the form with their fields."""
    in_file = opened.submission.read.info.to_json()
    needed = {field.name for field in needed_fields(form, opened)}
    about = about_details(opened)
    form.mark(about)
    for name in needed:
        form.fields[name].widget.attrs["aria-required"] = "true"
    return [
        DetailGroup(
            label,
            [
                DetailField(
                    field,
                    [found for found in about if found.field == field.name],
                    value_label(field, in_file.get(field.name)),
                    field.name in needed,
                )
                for field in fields
            ],
            is_first=place == 0,
            filled=sum(bool(field.value()) for field in fields),
        )
        for place, (label, fields) in enumerate(form.groups())
        if fields
    ]


def about_details(opened: OpenReport) -> list[Finding]:
    """The findings about what is entered as a detail, and those without a line, but not that one is missing."""
    entered = opened.sidecar.entered
    return [
        found
        for found in opened.findings
        if not found.is_missing_detail
        and (found.line is None or (found.step != "people" and found.field in entered))
    ]


def needed_fields(form: TournamentDetailsForm, opened: OpenReport) -> list[Any]:
    """The fields of the details that a report needs and does not have, in the order of the form."""
    missing = {found.field for found in opened.findings if found.is_missing_detail}
    return [field for _, fields in form.groups() for field in fields if field.name in missing]


@dataclass(frozen=True)
class Question:
    """A finding with a proposed value of a detail: its field, and the value as people read it.

    `other` is the one other choice of the field, as value and label, where it has just one.
    """

    finding: Finding
    field: Any
    value: str

    @property
    def other(self) -> tuple[str, str] | None:
        choices = [
            choice
            for choice in getattr(self.field.field.widget, "choices", ())
            if choice[0] not in ("", self.finding.proposed_value)
        ]
        return choices[0] if len(choices) == 1 else None


def detail_questions(form: TournamentDetailsForm, opened: OpenReport) -> list[Question]:
    """The values that findings propose for details, each once (decision 0089)."""
    proposed = {
        (found.asked_detail, found.proposed_value): found
        for found in reversed(opened.findings)
        if found.proposed_value and found.asked_detail in form.fields
    }
    return [
        Question(found, form[name], value_label(form[name], value))
        for (name, value), found in reversed(proposed.items())
    ]
