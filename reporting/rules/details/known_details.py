"""The details of all installed federations by their declarations: by name, by kind of report, as a reference page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType

from reporting.federations.registry import all_report_rules, article_of, rules_of_report
from reporting.rules.details.detail_declaration import Detail
from reporting.rules.details.detail_kinds import MAX_NUMBER, Kind
from reporting.rules.details.tournament_details import SHARED_BY_ALL, TournamentDetails
from reporting.rules.report import FIRST_DAY, LAST_DAY
from reporting.rules.sentences import sentence

_declared: dict[tuple[type, ...], Mapping[str, Detail]] = {}


def _together(*kinds: type[TournamentDetails]) -> Mapping[str, Detail]:
    """The declarations of what these classes use, made once; one of several is declared as the first of them has it."""
    if kinds not in _declared:
        found: dict[str, Detail] = {}
        names: list[str] = []
        for kind in kinds:
            unused = (
                set()
                if kind.uses is None
                else {one.name for one in fields(TournamentDetails)} - SHARED_BY_ALL - kind.uses
            )
            for one in fields(kind):
                if one.name not in found and one.name not in unused:
                    detail = found[one.name] = replace(one.metadata["detail"], name=one.name)
                    names.insert(names.index(detail.after) + 1 if detail.after else len(names), one.name)
        _declared[kinds] = MappingProxyType({name: found[name] for name in names})
    return _declared[kinds]


def details_of(kind: type[TournamentDetails]) -> Mapping[str, Detail]:
    """The declarations of the details that a federation's reports have, by name, in the order of the reference page.

    Any other one is unknown in its reports (`detail-unknown`), and no form asks for it.
    """
    return _together(kind)


def has_parts(kind: type[TournamentDetails]) -> bool:
    """Whether the federation takes reports of a tournament in parts."""
    return "part" in details_of(kind)


DETAILS = details_of(TournamentDetails)
"""The declarations of the details that reports of all federations have."""


def own_details(kind: type[TournamentDetails]) -> Mapping[str, Detail]:
    """The declarations of the details that only one federation has."""
    return {name: detail for name, detail in details_of(kind).items() if name not in DETAILS}


def known_details() -> Mapping[str, Detail]:
    """The details that reports to an installed federation may have; one of several as the first of them declares it."""
    return _together(*(rules.details for rules in all_report_rules()))


def details_type(values: Mapping[str, object]) -> type[TournamentDetails]:
    """The details of the reports of the federation that these values name; of the first one where they name none."""
    named = [
        value if isinstance(value := values.get(name), str) else ""
        for name in ("rating_system", "discipline")
    ]
    return rules_of_report(*named).details


def detail_label(name: str) -> str:
    """The label of a detail in the language in use; any other name unchanged."""
    detail = known_details().get(name)
    return sentence(detail.label, {}) if detail else name


def private_details() -> tuple[str, ...]:
    """Details for the office alone: on no public page, in no file, message or digest."""
    return tuple(name for name, detail in known_details().items() if detail.private)


def details_reference() -> str:
    """Return the page ``docs/reference/tournament-details.md``: every detail, printed from its declaration."""
    lines = [
        "# Tournament details",
        "",
        "A report file does not say everything. The rest is given on the page Details, in the API, or in a file of",
        "the same name that ends in `.toml` (TOML, UTF-8). The names are the same everywhere. A detail that the",
        "report file has too may be left out. If the two differ, the detail counts and a warning is shown. Articles",
        "are of the regulations on reports unless others are named. A time control is worked out by R6: `80+30` is 110",
        f"minutes, `90/45+30+30@46` is 127.5. Days lie between {FIRST_DAY} and {LAST_DAY}; a number and",
        f"an FMJD-ID go up to {MAX_NUMBER:,}. Only the submitter of the report and the office see private details;",
        "they appear on no public page, in no export, message or digest.",
        "",
        "Printed by `reporting.rules.details.known_details.details_reference`; do not change it by hand.",
        "",
        "A detail is an error in a report to a rating system that does not use it.",
        "",
        "| name | label | value | required | about | example | article | used by |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for detail in known_details().values():
        value = detail.kind.words
        values = (
            [name for name, _ in detail.labelled_choices()]
            if detail.choices is None
            else [choice.value for choice in detail.choices]
        )
        if values:
            quote = "" if detail.kind is Kind.NUMBER_CHOICE else '"'
            value += " " + ", ".join(f"`{quote}{name}{quote}`" for name in values)
        if detail.max_length is not None:
            each = "each " if detail.kind is Kind.TIME_CONTROLS else ""
            value += f", {each}at most {detail.max_length:,} characters"
        about = f"{detail.about} (private)" if detail.private else detail.about
        users = [rules for rules in all_report_rules() if detail.name in details_of(rules.details)]
        systems = ", ".join(rules.name for rules in users)
        article = article_of(users[0], f"detail.{detail.name}")
        lines.append(
            f"| `{detail.name}` | {detail.label} | {value} | {detail.required or 'no'} | {about} "
            f"| `{detail.example}` | {article} | {systems} |"
        )
    return "\n".join(lines) + "\n"
