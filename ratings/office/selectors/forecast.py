"""What a list would be: calculated from given inputs for a page, stored nowhere.

The preview of an open period, the forecast of a merge and the expectation of one report all calculate here.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db import connection, transaction

from ratings.federations.facet import Calculation
from ratings.inputs.calculation_inputs import CalculationInputs, inputs_if_frozen, inputs_of_period
from ratings.models import Period
from ratings.queries.counted_results import reports_to_count
from reporting.log.acting_person import acting_as
from reporting.models import Report


@contextmanager
def read_only_snapshot() -> Iterator[None]:
    """A transaction that sees one state of the database and cannot write. Not inside another transaction."""
    with acting_as(None), transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield


def inputs_of_next_list(period: Period, reports: Sequence[Report] | None = None) -> CalculationInputs:
    """The inputs of a period's list if it were calculated now, frozen or not. 8 to 12 queries.

    `reports` are those that a freeze would count, where the caller has read them already.
    """
    if period.state == Period.State.FROZEN:
        return inputs_of_period(period, None)
    counted = reports_to_count(period) if reports is None else reports
    return inputs_if_frozen(period, sorted(report.result_set_id or 0 for report in counted))


def forecast_list(inputs: CalculationInputs) -> Calculation:
    """Calculate a list from its inputs. Queries and refusals of the system's `read_input`."""
    return inputs.period.pool.rating_system.read_input(inputs).calculate()
