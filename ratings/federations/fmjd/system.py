"""Annex 9 as a rating system: what the rest of the application may ask (ratings/federations/facet.py)."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from ratings.federations.facet import Recomputation, Replay
from ratings.federations.fmjd.engine_input import EngineInput
from ratings.federations.fmjd.expected import expected_changes
from ratings.federations.fmjd.explanation import FmjdExplanation
from ratings.federations.fmjd.inputs import read_engine_input
from ratings.federations.fmjd.models import DECLARATION, FmjdChange, FmjdListRow
from ratings.federations.fmjd.recompute import load, recompute
from ratings.federations.fmjd.rules.compare import compare
from ratings.federations.fmjd.rules.edition import RULES, FmjdCalendar, arranged, opening_list
from ratings.federations.fmjd.texts import ASSUMPTIONS
from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.rules.compared_games import Comparison
from ratings.rules.running_values import check_running_values


class FmjdSystem:
    """The ratings of the FMJD: per tournament, in quarters."""

    code = "fmjd"
    calendar = FmjdCalendar()
    declaration = DECLARATION
    row_model = FmjdListRow
    change_model = FmjdChange
    carries_corrections = True
    editions = RULES
    explanation = FmjdExplanation()
    opening_list = staticmethod(opening_list)
    arranged = staticmethod(arranged)
    check_rows = staticmethod(check_running_values)
    expected_changes = staticmethod(expected_changes)
    comparison = Comparison(lambda rules, _, *columns: compare(rules.parameters, *columns), ASSUMPTIONS)
    recomputation = Recomputation(
        Path(__file__).with_name("recompute.py"),
        lambda address, get: recompute(load(f"/lists/{address}", get), only=address).different,
    )

    def waiting_games(self, *_: Any) -> Mapping[int, date | None]:
        """None: a game counts on the list of its tournament or on none."""
        return {}

    def read_input(self, inputs: CalculationInputs, replay: Replay | None = None) -> EngineInput:
        return read_engine_input(inputs, replay)
