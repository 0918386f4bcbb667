"""The tournament of results entry: its details as entered, as in the file, and as next to it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from reporting.federations.facet import ReportRules
from reporting.federations.registry import rules_of_report
from reporting.models import Tournament
from reporting.reports.forms import Group, TournamentDetailsForm, as_text
from reporting.reports.services.edit_report import announced_details, approved_details
from reporting.reports.services.enter_results import ResultsGrid
from reporting.reports.views.results_entry.file import INVISIBLE, clean_cell
from reporting.reports.views.results_entry.player_rows import no_day
from reporting.rules.details.shared_details import System
from reporting.rules.report import FIRST_DAY, LAST_DAY, ReportedInfo

INFO = ("name", "place", "country", "played_from", "played_to", "system")
FILE_DETAILS = (
    (gettext_lazy("Tournament"), INFO),
    (gettext_lazy("Kind of tournament"), ("national_championship", "women_only", "referee")),
)
NEW_REPORT_DETAILS = (
    (gettext_lazy("Tournament"), INFO),
    (
        gettext_lazy("Kind of tournament"),
        (
            "rating_system",
            "discipline",
            "time_control",
            "session",
            "national_championship",
            "women_only",
            "referee",
        ),
    ),
)


class NewReportForm(TournamentDetailsForm):
    """The details of a new report. An empty field takes the value of the announcement."""

    def __init__(self, data: QueryDict, *, values: Mapping[str, Any], asked: Sequence[Group]) -> None:
        filled = {name: as_text(value) for name, value in values.items()}
        super().__init__(
            filled | {name: text for name, text in data.items() if str(text).strip()}, asked=asked
        )


def values_of(grid: ResultsGrid) -> dict[str, Any]:
    """The values of the tournament: the details replace those of the file; unreadable ones are as in the file."""
    unread = {name: cell.text for name, cell in grid.unread_info.items()}
    return (
        grid.info.to_json()
        | unread
        | {name: value for name, value in grid.details.items() if value not in (None, "")}
    )


def entered_details(form: TournamentDetailsForm, grid: ResultsGrid) -> dict[str, Any]:
    """The details of the report with the entered values instead of their own, so that both never differ."""
    entered = form.details()
    details = {
        name: entered.get(name, value)
        for name, value in grid.details.items()
        if entered.get(name, value) is not None
    }
    if entered.get("national_championship") == "qualification":
        details["national_championship"] = "qualification"
    return details


def rules_named(form: TournamentDetailsForm, values: Mapping[str, Any]) -> ReportRules:
    """The rules of the tournament's federation, by the form, or by these values where it does not ask."""
    rating_system, discipline = (
        str((form[name].value() if name in form.fields else values.get(name)) or "")
        for name in ("rating_system", "discipline")
    )
    return rules_of_report(rating_system, discipline)


def info_of(
    form: TournamentDetailsForm, before: ReportedInfo
) -> tuple[ReportedInfo, dict[str, str | Promise]]:
    """The tournament of the file, and messages about values that it cannot hold."""
    details = form.details()
    problems: dict[str, str | Promise] = {}
    for name, value in details.items():
        if isinstance(value, str) and clean_cell(value) is None:
            problems[name] = INVISIBLE
    days: dict[str, date | None] = {}
    for name in ("played_from", "played_to"):
        played = details[name]
        if played is not None and not (isinstance(played, date) and FIRST_DAY <= played <= LAST_DAY):
            problems[name] = no_day()
            played = None
        days[name] = played
    if details["system"] not in (None, *System):
        problems["system"] = gettext("Choose one of %(choices)s.") % {"choices": ", ".join(System)}
    final, women = details.get("national_championship"), details.get("women_only")
    if final not in (None, "final", "qualification", "no"):
        problems["national_championship"] = gettext("Choose a value of the list.")
    if not isinstance(women, bool | None):
        problems["women_only"] = gettext("Choose yes or no.")
    info = replace(
        before,
        name=clean_cell(details["name"] or "") or "",
        place=clean_cell(details["place"] or "") or "",
        country=clean_cell(details["country"] or "") or "",
        system=details["system"] or "",
        referee=clean_cell(details["referee"] or "") or "",
        played_from=days["played_from"],
        played_to=days["played_to"],
        national_championship=None if final is None else final == "final",
        women_championship=women,
    )
    return info, problems


def details_from_form(form: TournamentDetailsForm, announcement: Tournament | None) -> dict[str, Any]:
    """The details next to the file: board, time controls, qualification and the day of the announcement.

    A value of the form stays where another one was approved, as that of an uploaded file: a finding says so.
    """
    details = form.details()
    of_the_system = ("rating_system", "discipline", "time_control", "session")
    details_file = dict(approved_details(announcement)) if announcement is not None else {}
    details_file |= {name: details[name] for name in of_the_system if details.get(name)}
    if details.get("national_championship") == "qualification":
        details_file["national_championship"] = "qualification"
    if announcement is not None:
        announced = announced_details(announcement)
        details_file |= {name: announced[name] for name in ("announced", "official") if announced.get(name)}
    return details_file
