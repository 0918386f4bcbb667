"""The working rules of the ICCF as a rating system, as ratings/federations/facet.py asks for it."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from ratings.federations.facet import Recomputation, Replay
from ratings.federations.iccf.declaration import DECLARATION
from ratings.federations.iccf.expected import expected_changes
from ratings.federations.iccf.explanation import IccfExplanation
from ratings.federations.iccf.inputs.iccf_columns import read_iccf_columns
from ratings.federations.iccf.models import IccfChange, IccfListRow
from ratings.federations.iccf.recompute import load, recompute
from ratings.federations.iccf.rules.calendar import IccfCalendar
from ratings.federations.iccf.rules.compare import compare
from ratings.federations.iccf.rules.engine import IccfInput, opening_list
from ratings.federations.iccf.rules.listing import arranged, check_rows
from ratings.federations.iccf.rules.parameters import EDITIONS
from ratings.federations.iccf.texts import ASSUMPTIONS
from ratings.federations.registry import edition_in_force
from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.rules.compared_games import Comparison


class IccfSystem:
    """The ratings of the ICCF: per game, in quarterly lists of one pool."""

    code = "iccf"
    calendar = IccfCalendar()
    declaration = DECLARATION
    row_model = IccfListRow
    change_model = IccfChange
    carries_corrections = False
    editions = EDITIONS
    explanation = IccfExplanation()
    opening_list = staticmethod(opening_list)
    arranged = staticmethod(arranged)
    check_rows = staticmethod(check_rows)
    expected_changes = staticmethod(expected_changes)
    comparison = Comparison(compare, ASSUMPTIONS)
    recomputation = Recomputation(
        Path(__file__).with_name("recompute.py"),
        lambda address, get: recompute(load(f"/lists/{address}", get), only=address).different,
    )

    def waiting_games(self, pool: Any, player: Any, counted: Mapping[int, date]) -> Mapping[int, date | None]:  # noqa: ARG002
        """No game waits: one gives a rating (R92b)."""
        return {}

    def read_input(self, inputs: CalculationInputs, replay: Replay | None = None) -> IccfInput:
        """A replay reads what was published, by another edition."""
        rules: Any = replay.rules if replay else edition_in_force(self, inputs.period.in_force)
        columns, game_count = read_iccf_columns(inputs, rules)
        return IccfInput(columns, rules, game_count=game_count)
