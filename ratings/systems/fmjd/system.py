"""Annex 9 as a rating system: what the rest of the application may ask (ratings/systems/protocol.py)."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path

from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.models import RatingList
from ratings.rules.rulings import Ruling, read_rulings
from ratings.systems.fmjd.declaration import DECLARATION
from ratings.systems.fmjd.expected import expected_changes
from ratings.systems.fmjd.inputs import EngineInput, read_engine_input
from ratings.systems.fmjd.rules import RULES, FmjdCalendar, FmjdRules, rules_on
from ratings.systems.protocol import ExpectedChange
from reporting.models import Player
from reporting.rules.report import ReadReport
from reporting.rules.tournament_details import TournamentDetails


class FmjdSystem:
    """The ratings of the FMJD: per tournament, in quarters."""

    code = "fmjd"
    name = "FMJD"
    disciplines = ("100", "64")
    calendar = FmjdCalendar()
    declaration = DECLARATION
    editions = RULES
    opening_columns: Mapping[str, type[int] | type[bool]] = {"reached_2300": bool, "games_3_years": int}

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        return read_rulings(Path(__file__).with_name("rulings.toml"))

    def rules_on(self, day: date) -> FmjdRules:
        return rules_on(day)

    def read_input(self, inputs: CalculationInputs) -> EngineInput:
        return read_engine_input(inputs)

    def expected_changes(
        self,
        lists: Sequence[RatingList],
        details: TournamentDetails,
        read: ReadReport,
        players: Mapping[int, Player | None],
    ) -> dict[int, ExpectedChange]:
        return expected_changes(lists, details, read, players)
