"""What a rating system shows readers of its method, besides rulings and parameters: examples, calculator, tables."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django import forms

from ratings.rules.values import ExplanationStep, RuleText


@dataclass(frozen=True, slots=True)
class Result:
    """A played game: the opponent's rating (0: none), the player's half points (2, 1 or 0), the opponent's name."""

    rating: int
    points: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class WorkedStep:
    """A line of a calculation, and its formula in words, in the language in use."""

    step: ExplanationStep
    words: str


@dataclass(frozen=True, slots=True)
class Calculated:
    """A calculated tournament: the change in a few words, every step, the new rating; None without a counted game."""

    summary: str
    steps: Sequence[WorkedStep]
    rating: int | None


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """An example of the method page: what is given, as values of the calculator's forms."""

    title: str
    text: str
    player: Mapping[str, str]
    results: Sequence[Result]


@dataclass(frozen=True, slots=True)
class MethodTable:
    """A table of the regulations in parts: the heading of each part with its rows, whose first cell names the row."""

    id: str
    title: str
    note: RuleText
    headings: Sequence[str]
    parts: Sequence[tuple[str, Sequence[Sequence[str]]]]


class PlayerForm(forms.Form):
    """What the calculator asks of the player, by an edition; each system adds its fields.

    With `asks_all` the values must be enough to calculate; without it they may still be incomplete.
    """

    def __init__(self, *args: Any, rules: Any, asks_all: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules
        self.asks_all = asks_all


class Method(Protocol):
    """The method of a rating system for readers. All texts are in the language in use."""

    def summary(self, rules: Any) -> Sequence[RuleText]:
        """How a rating is made, in a few sentences."""

    def worked_examples(self, rules: Any) -> Sequence[WorkedExample]:
        """Examples that the calculator can calculate."""

    @property
    def player_form(self) -> type[PlayerForm]:
        """The fields about the player."""

    def values_of_row(self, row: Any) -> Mapping[str, str]:
        """The values of `player_form` that a row of a list has."""

    def values_of_change(self, rules: Any, change: Any, time_control: str) -> Mapping[str, str] | None:
        """The values of `player_form` that give a stored change again; None where they cannot be typed."""

    def calculate(self, rules: Any, player: Mapping[str, Any], results: Sequence[Result]) -> Calculated:
        """A tournament by the engine of the system, from a valid `player_form`."""

    @property
    def lookup_form(self) -> type[forms.Form]:
        """The fields that look something up in the tables."""

    def look_up(self, values: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
        """What the tables have for a valid `lookup_form`: names and figures; empty for an empty form."""

    def tables(self) -> Sequence[MethodTable]:
        """The tables of the regulations, as the engine reads them."""


def calculator_values(player: Mapping[str, str], results: Iterable[Result]) -> dict[str, str]:
    """The values of the calculator as its address has them, without empty ones."""
    values = {name: value for name, value in player.items() if value}
    for number, result in enumerate(results, start=1):
        if result.name:
            values[f"name-{number}"] = result.name
        values |= {f"rating-{number}": str(result.rating), f"result-{number}": str(result.points)}
    return values
