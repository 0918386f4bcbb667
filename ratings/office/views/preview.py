"""The list of an open period if it were frozen now: calculated for the page, stored nowhere."""

from datetime import date

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from ratings.models import RatingList
from ratings.office.selectors.comparison import ComparedColumns, comparison_of
from ratings.office.selectors.drafts import AnomalyWithAnswers, found_anomalies
from ratings.office.selectors.forecast import read_only_snapshot
from ratings.office.views.periods.office import office_page, period_or_404
from ratings.queries.counted_results import inputs_of_next_list, reports_to_count
from reporting.refusals.domain_error import DomainError
from reporting.web.access import OfficeRequest


@office_page("GET", "HEAD")
def preview(request: OfficeRequest, pool: str, in_force: date) -> HttpResponse:
    """The current figures of an open period, in one transaction that can only read."""
    with read_only_snapshot():
        period = period_or_404(pool, in_force)
        if not period.is_open:
            raise DomainError("wrong_state.preview")
        computed_at = timezone.now()
        reports = reports_to_count(period)
        inputs = inputs_of_next_list(period, reports)
        engine_input = period.pool.rating_system.read_input(inputs)
        calculation = engine_input.calculate()
        comparison = comparison_of(
            ComparedColumns.of_columns(
                calculation.rows, period.pool.rating_system.declaration.on(period.in_force)
            ),
            ComparedColumns.of_list(inputs.previous),
        )
        anomalies = found_anomalies(RatingList(system=period.pool.system), calculation)
        context = {
            "period": period,
            "computed_at": computed_at,
            "comparison": comparison,
            "previous": inputs.previous,
            "reports": reports,
            "tournaments": engine_input.tournament_count,
            "games": engine_input.played_game_count,
            "anomalies": [AnomalyWithAnswers(anomaly) for anomaly in anomalies],
        }
        return render(request, "office/preview.html", context)
