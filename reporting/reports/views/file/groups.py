"""The findings of a report's file by kind, with the inputs that edit their lines."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from reporting.models import ReviewRemark
from reporting.reports.forms import TournamentDetailsForm, value_label
from reporting.reports.reading.open_report import OpenReport
from reporting.reports.views.file.source import (
    FindingLink,
    LineInputs,
    SourceLine,
    by_line_of,
    field_of,
    has_place,
    piece_of,
    source_line,
)
from reporting.rules.findings.finding_list import (
    BY_WEIGHT,
    SAME_ELSEWHERE,
    Finding,
)
from reporting.rules.sentences import Listed, sentence

MAX_GROUP_LINES = 20
"""Places of one kind of findings that a page shows with their inputs."""


@dataclass(frozen=True)
class GroupLine:
    """A place that findings of one kind name: its line with the inputs, where the page does not have them already.

    `is_other` is the second line of a contradiction, of which the first says everything.
    """

    finding: Finding
    line: SourceLine | None
    href: str
    is_other: bool

    @property
    def about(self) -> str:
        """The players, where the finding names them."""
        return (
            sentence("{about}", dict(self.finding.values)) if dict(self.finding.values).get("about") else ""
        )


@dataclass(frozen=True)
class FindingGroup:
    """The findings of one kind that say the same: one cause, one sentence, one act, and their lines.

    `count` are the places, also those that no line is named of; `hidden` links to those that are not shown. `field` is
    the field of the detail that settles them, shown once; `proposed` the label of the value that fits. `corrections`
    are the fields of the pieces with the text proposed for each, empty unless every place has one (decision 0107).
    """

    key: str
    first: Finding
    lines: Sequence[GroupLine]
    count: int
    hidden: Sequence[FindingLink]
    expected: str
    corrections: Sequence[tuple[str, str]] = ()
    field: Any = None
    proposed: str = ""
    shows_field: bool = False

    def has(self, anchor: str) -> bool:
        """Whether a place of the group has this fragment."""
        return any(line.finding.anchor == anchor for line in self.lines)


def finding_groups(
    findings: Sequence[Finding],
    lines: Sequence[str],
    typed: LineInputs,
    remarks: Sequence[ReviewRemark],
    *,
    at: str,
) -> list[FindingGroup]:
    """The findings by kind, errors first. `at` is the fragment of a place that the page has to show.

    A line has its inputs once, in the first group that names it: one for each piece that any of its findings names.
    """
    kinds: dict[tuple[Any, ...], list[Finding]] = {}
    for finding in findings:
        kind = (
            finding.severity,
            finding.key,
            finding.statement,
            finding.asked_detail,
            finding.asked_detail and finding.proposed_value,
        )
        kinds.setdefault(kind, []).append(finding)
    ordered = sorted(kinds.values(), key=lambda group: BY_WEIGHT.index(group[0].severity))
    places = [[place for finding in group for place in places_of(finding, lines)] for group in ordered]
    by_line = by_line_of(place for group in places for place in group)
    remarked = by_line_of(remarks)
    placed: set[int] = set()
    groups: list[FindingGroup] = []
    for group, all_places in zip(ordered, places, strict=True):
        shown = [
            place
            for index, place in enumerate(all_places)
            if index < MAX_GROUP_LINES or place.anchor == at or place.line in typed.numbers
        ]
        group_lines = []
        for place in shown:
            line = None
            number = place.line or 0
            if 0 < number <= len(lines) and number not in placed:
                placed.add(number)
                line = source_line(
                    number, lines[number - 1], by_line[number], remarked.get(number, ()), typed
                )
            group_lines.append(
                GroupLine(
                    place,
                    line,
                    f"#{place.anchor}",
                    is_other="found" not in dict(place.values) and place not in group,
                )
            )
        expected = {finding.expected for finding in group}
        groups.append(
            FindingGroup(
                str(len(groups) + 1),
                group[0],
                group_lines,
                sum(map(count_of, group)),
                [
                    FindingLink(f"?at={place.anchor}#{place.anchor}", place.place)
                    for place in all_places
                    if place not in shown
                ],
                expected.pop() if len(expected) == 1 else "",
                corrections_of(all_places, lines),
            )
        )
    return groups


def corrections_of(places: Sequence[Finding], lines: Sequence[str]) -> list[tuple[str, str]]:
    """The field of each piece and the text proposed for it; none where a place has no proposal or no piece."""
    corrections = []
    for place in places:
        if place.asked_detail or not place.proposed_value or not place.line or place.line > len(lines):
            return []
        column, piece = piece_of(place, lines[place.line - 1])
        if not piece:
            return []
        corrections.append((field_of(place.line, column, len(piece)), place.proposed_value))
    return corrections


def count_of(finding: Finding) -> int:
    """How many places a finding has that is shown once for all of them."""
    values = dict(finding.values)
    same = [same for name in SAME_ELSEWHERE if isinstance(same := values.get(name), Listed)]
    return 1 + sum(len(listed.names) + listed.more for listed in same)


def places_of(finding: Finding, lines: Sequence[str]) -> list[Finding]:
    """The finding at each line that it names: its own, those that say the same, the other one of a contradiction."""
    if not has_place(finding, lines):
        return []
    values: dict[str, Any] = dict(finding.values)
    others = list(getattr(values.get("same_lines"), "names", ()))
    if values.get("first_line"):
        others.append(values["first_line"])
    places = [finding]
    for other in others:
        if lines and str(other).isdecimal() and 0 < int(other) <= len(lines):
            text = lines[int(other) - 1]
            is_once = bool(finding.found) and text.count(finding.found) == 1
            column = text.index(finding.found) + 1 if is_once else None
            places.append(replace(finding, line=int(other), column=column))
    if lines and isinstance(values.get("other_line"), int):
        pair = {name: value for name, value in values.items() if name not in ("found", "about")}
        places.append(
            replace(
                finding,
                line=values["other_line"],
                column=values.get("other_column"),
                values=tuple(pair.items()),
            )
        )
    return places


def ask_details(
    groups: Sequence[FindingGroup], opened: OpenReport
) -> tuple[list[FindingGroup], Sequence[str]]:
    """The groups with the fields of the details that settle them, and the names of these details (decision 0089)."""
    names = list(dict.fromkeys(group.first.asked_detail for group in groups if group.first.asked_detail))
    form = TournamentDetailsForm(values=opened.sidecar.values, asked=(("", names),))
    asked = [name for name in names if name in form.fields]
    first_of: dict[str, int] = {}
    for place, group in enumerate(groups):
        if not group.first.proposed_value:
            first_of.setdefault(group.first.asked_detail, place)
    for name in asked:
        form.fields[name].widget.attrs["form"] = f"ask-{name}"
    return [
        replace(
            group,
            field=form[group.first.asked_detail],
            proposed=value_label(form[group.first.asked_detail], group.first.proposed_value),
            shows_field=first_of.get(group.first.asked_detail) == place,
        )
        if group.first.asked_detail in asked
        else group
        for place, group in enumerate(groups)
    ], asked
