"""The comments on warnings as the step Submission asks for them: one for all warnings of a kind, or one for each."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext

from reporting.reports.reading.open_report import OpenReport
from reporting.rules.findings.finding_list import Finding, Severity, comments_on_same
from reporting.web.error_summary import InvalidField
from reporting.web.forms import typed_text

COMMENT_FIELD = re.compile(r"comment-([0-9]{1,4})\Z")
KIND_FIELD = re.compile(r"kind-([a-z0-9-]{1,60})\Z")
SHOWN_OF_A_KIND = 20
"""Warnings of a kind that are listed, and those with a comment of their own; the step File has all."""


class CommentsForm(forms.Form):
    """The comments on warnings: `comment-n` with the index of a finding, `kind-code` for all findings of a code."""

    action = forms.ChoiceField(choices=[("submit", "submit"), ("save", "save")], required=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        names = (name for name in data if COMMENT_FIELD.match(name) or KIND_FIELD.match(name))
        self.fields |= {name: typed_text() for name in names}

    @property
    def comments(self) -> dict[int, str]:
        """The comments on single findings as typed, by index of the finding."""
        return {
            int(place[1]): str(self[name].value())
            for name in self.fields
            if (place := COMMENT_FIELD.match(name))
        }

    @property
    def of_kinds(self) -> dict[str, str]:
        """The comments on all findings of a kind as typed, by code."""
        return {
            place[1]: str(self[name].value()) for name in self.fields if (place := KIND_FIELD.match(name))
        }


@dataclass(frozen=True)
class WarningLine:
    """A warning with its index and the comment on it alone; `is_new` since the comment on its kind."""

    index: int
    finding: Finding
    text: str
    is_new: bool

    @property
    def field(self) -> str:
        """The name of the field of its comment."""
        return f"comment-{self.index}"


@dataclass(frozen=True)
class WarningKind:
    """The warnings of a code, with the comment on all of them.

    `is_missing` where a refused form had no comment on one of them.
    """

    code: str
    lines: Sequence[WarningLine]
    text: str
    is_missing: bool

    @property
    def first(self) -> WarningLine:
        return self.lines[0]

    @property
    def missing_comment(self) -> InvalidField:
        """The field of the comment, which is missing."""
        message = self.first.finding.message
        if len(self.lines) == 1:
            return InvalidField(self.first.field, message, gettext("Write a comment."))
        return InvalidField(self.field, message, gettext("Write a comment on all of them, or on each."))

    @property
    def field(self) -> str:
        """The name of the field of the comment on all of them."""
        return f"kind-{self.code}"

    @property
    def labels(self) -> Mapping[str, str]:
        """The fields of its comments, each with the message of its warning."""
        own = {line.field: line.finding.message for line in self.shown}
        return own if len(self.lines) == 1 else {self.field: self.first.finding.message} | own

    @property
    def shown(self) -> Sequence[WarningLine]:
        """The first warnings, and those with a comment of their own."""
        return [line for place, line in enumerate(self.lines) if place < SHOWN_OF_A_KIND or line.text.strip()]

    @property
    def has_own(self) -> bool:
        """Whether one of them has a comment of its own."""
        return any(line.text for line in self.lines)

    @property
    def not_shown(self) -> int:
        return len(self.lines) - len(self.shown)


@dataclass(frozen=True)
class TypedComments:
    """Comments as typed, by index in the newest version and by code; and those whose findings are gone.

    `texts` are the comments on each warning by index, its own or that on its kind; empty ones are not there.
    """

    single: Mapping[int, str]
    of_kinds: Mapping[str, str]
    texts: Mapping[int, str]
    gone: Sequence[str]


def comments_by_index(
    findings: Sequence[Finding], comments: Mapping[int, str], of_kinds: Mapping[str, str]
) -> dict[int, str]:
    """The comment on each warning: its own, else that on its kind."""
    return {
        index: own if (own := comments.get(index, "")).strip() else of_kinds.get(finding.code, "")
        for index, finding in enumerate(findings)
        if finding.severity is Severity.WARNING
    }


def warning_kinds(
    opened: OpenReport, typed: TypedComments | None, *, asks_missing: bool
) -> list[WarningKind]:
    """The warnings of the newest version by code, in the order of the first of each.

    Comments that were typed come first, then those stored with the version, then those of the last submission on the
    same findings. Of a kind, the one text that most of its findings have is the comment on the kind.
    """
    comments, of_kinds = (typed.single, typed.of_kinds) if typed else ({}, {})
    stored = typed.texts if typed else submitted_comments(opened)
    by_code: dict[str, list[tuple[int, Finding]]] = {}
    for index, finding in enumerate(opened.findings):
        if finding.severity is Severity.WARNING:
            by_code.setdefault(finding.code, []).append((index, finding))
    kinds = []
    for code, found in by_code.items():
        texts = {index: stored[index] for index, _ in found if index in stored}
        common = Counter(texts.values()).most_common(1)
        text = of_kinds.get(code, common[0][0] if common else "")
        if len(found) == 1:
            own = {index: comments.get(index, of_kinds.get(code, texts.get(index, ""))) for index, _ in found}
        else:
            own = {
                index: comments.get(index, "" if texts.get(index, text) == text else texts[index])
                for index, _ in found
            }
        lines = [
            WarningLine(index, finding, own[index], bool(texts) and index not in texts)
            for index, finding in found
        ]
        missing = asks_missing and any(
            not (line.text.strip() or (len(found) > 1 and text.strip())) for line in lines
        )
        kinds.append(WarningKind(code, lines, text, missing))
    return kinds


def submitted_comments(opened: OpenReport) -> Mapping[int, str]:
    """The comments of the last submission on the findings that the newest version still has. At most 3 queries."""
    return {index: comment.text for index, comment in opened.comments.items()} or opened.carried_comments


def typed_comments(
    opened: OpenReport, based_on: int, single: Mapping[int, str], of_kinds: Mapping[str, str]
) -> TypedComments:
    """What was typed on one version, at the same findings of the newest one. At most 1 query."""
    seen = opened.findings
    if based_on != opened.version.number:
        stored = opened.report.versions.filter(number=based_on).values_list("findings", flat=True).first()
        seen = [Finding.from_json(finding) for finding in stored or []]
    moved = comments_on_same(opened.findings, seen, single)
    of_each = comments_on_same(opened.findings, seen, comments_by_index(seen, single, of_kinds))
    codes = {opened.findings[index].code for index in of_each}
    placed = set(moved.values())
    gone = [text for text in single.values() if text.strip() and text not in placed]
    gone += [text for code, text in of_kinds.items() if text.strip() and code not in codes]
    return TypedComments(
        moved,
        {code: text for code, text in of_kinds.items() if code in codes},
        {index: text for index, text in of_each.items() if text.strip()},
        gone,
    )


def saved_comments(opened: OpenReport) -> TypedComments | None:
    """What was saved since the last submission, at the findings of the newest version. At most 1 query."""
    saved = opened.draft_comments
    if saved is None:
        return None
    single = {int(index): text for index, text in saved.single.items()}
    return typed_comments(opened, saved.version, single, saved.of_kinds)
