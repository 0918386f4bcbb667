"""What an app of a federation says of reports: generic code asks it here and names no federation."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from reporting.rules.checks import Check
from reporting.rules.rulings import Ruling


class ReportRules(Protocol):
    """The rules of reports of a rating system. `register_report_rules` makes them known."""

    @property
    def system(self) -> str:
        """The code of the rating system."""

    @property
    def checks(self) -> Sequence[Check]:
        """The checks of a report that need no register, in the order of findings at one place."""

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rulings on reports and tie-breaks, for the method page and the API."""

    def reference_pages(self, print_rulings: Callable[[tuple[Ruling, ...], int], str]) -> Mapping[str, str]:
        """Each page of the rules by its place under docs/; `print_rulings` prints under headings of a level."""
