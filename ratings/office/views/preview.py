"""What the list of an open period would be if it were frozen now: calculated for the page, written nowhere."""

from datetime import date

from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from ratings.inputs.calculation_inputs import inputs_if_frozen
from ratings.inputs.engine_input import calculate_ratings, read_engine_input
from ratings.models import Period, RatingList
from ratings.office.selectors.comparison import ComparedColumns, comparison_of
from ratings.office.selectors.drafts import AnomalyWithAnswers
from ratings.office.selectors.periods import reports_to_count
from ratings.office.views.office import office_page, period_or_404
from ratings.production.find_anomalies import player_anomalies
from reporting.errors import DomainError
from reporting.models import Player


@office_page("GET", "HEAD")
def preview(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """The figures of an open period as they stand, in one transaction that can only read."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        found = period_or_404(pool, in_force)
        if found.state != Period.State.OPEN:
            raise DomainError("wrong_state.preview")
        computed_at = timezone.now()
        reports = reports_to_count(found)
        sources = inputs_if_frozen(found, sorted(each.tournament_id or 0 for each in reports))
        facts = read_engine_input(sources)
        changes, rows = calculate_ratings(facts)
        comparison = comparison_of(
            ComparedColumns.of_columns(rows), ComparedColumns.of_list(sources.previous)
        )
        asked = list(player_anomalies(RatingList(), facts.parameters, changes, rows))
        people = Player.objects.in_bulk([each.player_id for each in asked])
        for each in asked:
            each.player = people[each.player_id]
        anomalies = [AnomalyWithAnswers(each) for each in asked]
        context = {
            "period": found,
            "computed_at": computed_at,
            "comparison": comparison,
            "previous": sources.previous,
            "reports": reports,
            "tournaments": len(facts.events),
            "games": int(facts.games.played.sum()),
            "anomalies": anomalies,
        }
        return render(request, "office/preview.html", context)
