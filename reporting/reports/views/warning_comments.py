"""The comments on warnings as the step Submission asks for them: one for all warnings of a kind, or one for each."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django import forms
from django.http import QueryDict

from reporting.reports.reading.open_report import OpenReport
from reporting.rules.findings.finding_list import Finding, Severity, comments_on_same
from reporting.web.forms import typed_text

COMMENT_FIELD = re.compile(r"comment-([0-9]{1,4})\Z")
KIND_FIELD = re.compile(r"kind-([a-z0-9-]{1,60})\Z")
SHOWN_OF_A_KIND = 20
"""Warnings of a kind that are listed, and those with a comment of their own; the step File has all."""


class CommentsForm(forms.Form):
    """The comments on warnings: `comment-n` with the index of a finding, `kind-code` for all findings of a code."""

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
    opened: OpenReport,
    comments: Mapping[int, str],
    of_kinds: Mapping[str, str],
    *,
    asks_missing: bool,
) -> list[WarningKind]:
    """The warnings of the newest version by code, in the order of the first of each.

    Comments that were typed come first, then those stored with the version, then those of the last submission on the
    same findings. Of a kind, the one text that most of its findings have is the comment on the kind.
    """
    stored = {index: comment.text for index, comment in opened.comments.items()} or opened.carried_comments
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


def carried_over_comments(
    entered: dict[int, str], based_on: int, opened: OpenReport
) -> tuple[dict[int, str], list[str]]:
    """The comments on one version by index in the newest one; and the comments whose finding is gone."""
    if based_on == opened.version.number:
        return entered, []
    seen = opened.report.versions.filter(number=based_on).values_list("findings", flat=True).first() or []
    moved = comments_on_same(opened.findings, [Finding.from_json(stored) for stored in seen], entered)
    placed = set(moved.values())
    return moved, [text for text in entered.values() if text.strip() and text not in placed]
