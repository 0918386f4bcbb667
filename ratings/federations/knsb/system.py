"""The rules of the KNSB as a rating system: what the rest of the application may ask (ratings/federations/facet.py)."""

from pathlib import Path
from typing import Any

from ratings.federations.facet import Recomputation, Replay
from ratings.federations.knsb.declaration import DECLARATION
from ratings.federations.knsb.expected import expected_changes
from ratings.federations.knsb.explanation import KnsbExplanation
from ratings.federations.knsb.inputs.knsb_columns import read_knsb_columns
from ratings.federations.knsb.models import KnsbChange, KnsbListRow
from ratings.federations.knsb.recompute import load, recompute
from ratings.federations.knsb.rules.compare import compare
from ratings.federations.knsb.rules.engine import KnsbInput, opening_list
from ratings.federations.knsb.rules.listing import arranged, check_rows
from ratings.federations.knsb.rules.parameters import EDITIONS
from ratings.federations.knsb.texts import ASSUMPTIONS
from ratings.federations.knsb.waiting import waiting_games
from ratings.federations.registry import edition_in_force
from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.rules.compared_games import Comparison


class KnsbSystem:
    """The ratings of the KNSB: per game, in three pools whose dates the office chooses."""

    code = "knsb"
    calendar = None
    declaration = DECLARATION
    row_model = KnsbListRow
    change_model = KnsbChange
    carries_corrections = False
    editions = EDITIONS
    explanation = KnsbExplanation()
    opening_list = staticmethod(opening_list)
    arranged = staticmethod(arranged)
    check_rows = staticmethod(check_rows)
    expected_changes = staticmethod(expected_changes)
    waiting_games = staticmethod(waiting_games)
    comparison = Comparison(compare, ASSUMPTIONS, home="NED")
    recomputation = Recomputation(
        Path(__file__).with_name("recompute.py"),
        lambda address, get: recompute(load(f"/lists/{address}", get), only=address).different,
    )

    def read_input(self, inputs: CalculationInputs, replay: Replay | None = None) -> KnsbInput:
        """A replay reads what was published, by another edition."""
        rules: Any = replay.rules if replay else edition_in_force(self, inputs.period.in_force)
        columns = read_knsb_columns(inputs, rules)
        return KnsbInput(columns, rules, game_count=len(columns.games))
