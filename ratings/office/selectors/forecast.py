"""What a list would be: calculated from given inputs for a page, stored nowhere.

The preview of an open period, the forecast of a merge and the expectation of one report all calculate here.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from ratings.federations.facet import Calculation
from ratings.inputs.calculation_inputs import CalculationInputs
from reporting.log.acting_person import acting_as


@contextmanager
def read_only_snapshot() -> Iterator[None]:
    """A transaction that sees one state of the database and cannot write. Not inside another transaction."""
    with acting_as(None), transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield


def forecast_list(inputs: CalculationInputs) -> Calculation:
    """Calculate a list from its inputs. Queries and refusals of the system's `read_input`."""
    return inputs.period.pool.rating_system.read_input(inputs).calculate()
