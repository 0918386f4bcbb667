"""What an app of a federation says of reports: generic code asks it here and names no federation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:  # the modules of these types ask the registry, which knows this protocol
    from reporting.rules.checks import Check
    from reporting.rules.details.tournament_details import TournamentDetails
    from reporting.rules.findings.catalogue.code import Code
    from reporting.rules.register.registers import Register
    from reporting.rules.register.titles import DisciplineTitles
    from reporting.rules.regulations.rulings import Ruling
    from reporting.rules.report import EntryFormat


@dataclass(frozen=True, kw_only=True)
class Edition:
    """The numbers of one edition of the regulations that reports ask for.

    A report is in time until the end of the day so many days after the last round (`report_days`); a tournament is
    announced so many days before the first one (R11); None: the regulations set no such day, and no report is late, or
    no announcement is missing. A tournament with fewer rounds than `min_rounds` gets a warning.
    """

    in_force_from: date
    report_days: int | None
    announcement_days: int | None
    min_rounds: int = 0


@dataclass(frozen=True, kw_only=True)
class ApprovedEvent:
    """What a federation has approved of an announced tournament: its level in stars, its prize money in euros.

    `details` are the tournament details that its report takes from it, by name; `page` is its public page.
    """

    stars: int
    prize_money: int
    details: Mapping[str, Any]
    page: str


OneEdition = TypeVar("OneEdition", bound=Edition)


def edition_in_force(editions: Sequence[OneEdition], day: date) -> OneEdition:
    """The edition in force on a day: the newest begun of these, the oldest first; before every one the oldest."""
    return next((edition for edition in reversed(editions) if edition.in_force_from <= day), editions[0])


class ReportRules(Protocol):
    """The rules of reports of a rating system. `register_report_rules` makes them known."""

    @property
    def system(self) -> str:
        """The code of the rating system."""

    @property
    def name(self) -> str:
        """What pages call the federation."""

    @property
    def game(self) -> str:
        """What its players play, in plain English and small letters, for pages: `draughts`."""

    @property
    def disciplines(self) -> Mapping[str, str]:
        """The disciplines of its tournaments: value in reports (at most 3 characters) → label in plain English."""

    @property
    def details(self) -> type[TournamentDetails]:
        """What its reports say outside players and games: a class with the details of its own."""

    @property
    def entry_format(self) -> EntryFormat:
        """The format in which results entry stores its reports; its files are read as uploads too."""

    @property
    def has_rounds(self) -> bool:
        """Whether a player has one game in a round of its tournaments; where not, several are no finding."""

    @property
    def register(self) -> Register:
        """The register of its players, whose numbers its reports name."""

    @property
    def discipline_titles(self) -> Sequence[DisciplineTitles]:
        """The titles that it awards, by discipline."""

    @property
    def editions(self) -> Sequence[Edition]:
        """All editions of its regulations, the oldest first."""

    @property
    def articles(self) -> Mapping[str, str]:
        """The articles of findings about reports, by code, or by code and case where a case has another one.

        Those of mails by subject: `report-due` and `report-late`; of details and decisions as `detail.rounds`,
        `decision.over_age`. Findings about parts cite that of `detail.part`.
        """

    @property
    def checks(self) -> Sequence[Check]:
        """The checks of a report that need no register, in the order of findings at one place."""

    @property
    def finding_codes(self) -> Mapping[str, Code]:
        """What its own checks find, by code: the catalogue has them too."""

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rulings on reports and tie-breaks, for the method page and the API."""
