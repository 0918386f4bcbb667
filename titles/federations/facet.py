"""What an app of a federation says of norms and titles: generic code asks it here and names no federation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from ratings.federations.registry import MoreRulings
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.rulings import Ruling
from reporting.rules.sentences import Template, Value

Edition = Any
"""The numbers of one edition of the regulations: only the rules that they belong to read them."""


@dataclass(frozen=True)
class RequirementTexts:
    """The sentences of requirements by their codes, and the texts of values that are codes, by the value's name."""

    asks: Mapping[str, Template]
    found: Mapping[str, Template]
    words: Mapping[str, Mapping[Value, str]]


class TitleRules(Protocol):
    """The rules of titles of a rating system. `register_title_rules` makes them known."""

    @property
    def system(self) -> str:
        """The code of the rating system whose tournaments bring the norms."""

    @property
    def tempo(self) -> str:
        """The tempo of the pools that bring norms; their lists have the rating that a title asks."""

    @property
    def titles(self) -> Sequence[str]:
        """The titles that norms are for, in the order of forms and of the API."""

    @property
    def texts(self) -> RequirementTexts:
        """The sentences of the requirements."""

    @property
    def rulings(self) -> MoreRulings:
        """The rulings on norms and titles, for the method page and the API."""

    def edition_on(self, day: date) -> Edition:
        """The edition in force on a day."""

    def decisive_places(self, details: TournamentDetails, participants: int) -> frozenset[int]:
        """The places n that bring a player more than place n + 1 does (R52); empty while the first day is unknown."""

    def reference_pages(self, print_rulings: Callable[[tuple[Ruling, ...], int], str]) -> Mapping[str, str]:
        """Each page of the rules by its place under docs/; `print_rulings` prints under headings of a level."""
