"""What a list would be: calculated from given inputs for a page, stored nowhere.

The preview of an open period, the forecast of a merge and the expectation of one report all calculate here.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from django.db import connection, transaction

from ratings.federations.facet import Calculation
from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.inputs.source_lists import source_lists_of_day
from ratings.models import Period, SourceList
from ratings.queries.counted_results import inputs_of_next_list, reports_to_count
from ratings.rules.declared import SourceUse
from reporting.log.acting_person import acting_as
from reporting.models import Player, Report

MOST_EFFECTS = 200
"""The most players whose other rating a page shows."""


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


@dataclass(frozen=True)
class NextList:
    """What the list of a period would be calculated from if it were frozen now.

    `sources` has for each kind of each source that the system reads the newest list on the day, None without one.
    """

    period: Period
    reports: Sequence[Report]
    sources: Sequence[tuple[SourceUse, str, SourceList | None]]


def next_list(period: Period) -> NextList:
    """Of a period without a freeze, saved or not. 3 queries, 1 more for each source that its system reads."""
    uses = period.pool.rating_system.declaration.sources
    newest = {(one.source, one.kind): one for one in source_lists_of_day(uses, period.in_force)}
    return NextList(
        period,
        reports_to_count(period),
        [(use, kind, newest.get((use.source, kind))) for use in uses for kind in use.kinds],
    )


@dataclass(frozen=True)
class ValueEffect:
    """A player whose rating the values of a list change: the ratings without and with them, None without a row."""

    player: Player
    without: int | None
    rating: int | None

    @property
    def points(self) -> int | None:
        return None if self.without is None or self.rating is None else self.rating - self.without


@dataclass(frozen=True)
class ValueEffects:
    """All players whose rating differs, of whom the first are shown, by the points and by name."""

    total: int
    points: int
    shown: Sequence[ValueEffect]


def effects_of_values(period: Period, values: tuple[tuple[int, ...], ...]) -> ValueEffects:
    """What values would do to the list of an open period if it were frozen now: calculated with and without them.

    Twice the queries of `read_input`, those of `inputs_of_next_list`, and 1.
    """
    inputs = inputs_of_next_list(period)
    without, with_values = (
        dict(zip(rows.player.tolist(), rows.rating.tolist(), strict=True))
        for rows in (forecast_list(replace(inputs, values=lines)).rows for lines in ((), values))
    )
    differing = [
        player for player in {**without, **with_values} if without.get(player) != with_values.get(player)
    ]
    names = Player.objects.in_bulk(differing)
    effects = [
        ValueEffect(names[player], without.get(player), with_values.get(player)) for player in differing
    ]
    effects.sort(key=lambda effect: (-abs(effect.points or 0), effect.player.printed_name))
    return ValueEffects(len(effects), sum(effect.points or 0 for effect in effects), effects[:MOST_EFFECTS])
