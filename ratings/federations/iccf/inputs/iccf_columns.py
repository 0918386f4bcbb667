"""What an ICCF list is calculated from, read as columns."""

from ratings.federations.iccf.rules.engine_input import IccfColumns
from ratings.federations.iccf.rules.parameters import IccfRules
from ratings.inputs.calculation_inputs import CalculationInputs


def read_iccf_columns(inputs: CalculationInputs, rules: IccfRules) -> tuple[IccfColumns, int]:
    """Read the inputs, and how many games the reports of the list have."""
    raise NotImplementedError
