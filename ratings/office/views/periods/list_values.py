"""The values of a list: what the officer decides for it, until its period is frozen."""

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from ratings.inputs.calculation_inputs import values_of_list
from ratings.models import Period, Pool
from ratings.office.forms import ValuesForm
from ratings.office.selectors.drafts import period_of_list
from ratings.office.selectors.forecast import ValueEffects, effects_of_values, read_only_snapshot
from ratings.office.views.periods.office import office_page, pool_or_404
from ratings.policies import check_can_run_period
from ratings.production.periods.list_values import read_values, refuse_fixed, set_list_values, values_table
from reporting.web.access import OfficeRequest, actor, refusal_message
from reporting.web.attempt import Attempt
from reporting.web.forms import shown_digest
from reporting.web.paging import rows_on_page


@office_page("GET", "HEAD", "POST")
def values(request: OfficeRequest, pool: str, in_force: date) -> HttpResponse:
    """The values as they are now, and the table that replaces them. The period need not be there yet.

    Once it is open, the button "Preview ratings" says whom the typed values change, and stores nothing.
    """
    found = pool_or_404(pool)
    columns = found.rating_system.declaration.values
    if not columns:
        raise Http404("The officer decides no values for lists of this pool.")
    if request.method == "POST":
        check_can_run_period(request.user)
    rows = values_of_list(found, in_force)
    form = ValuesForm(
        request.POST if request.method == "POST" else None, initial={"table": values_table(columns, rows)}
    )
    attempt = Attempt(form)
    period = period_of_list(found, in_force)
    effects = None
    if attempt.is_valid:
        content = form.cleaned_data["table"].encode()
        with attempt:
            if form.cleaned_data["preview"]:
                effects = preview(period, read_values(content, found))
            else:
                set_list_values(
                    pool=found,
                    in_force=in_force,
                    content=content,
                    by=actor(request),
                    unchanged=lambda: form.refuse_changed(shown_values(found, in_force)),
                )
                messages.success(request, gettext("Values saved."))
                return redirect("office-values", pool, in_force)
    findings = getattr(attempt.refusal, "findings", ())
    context: dict[str, Any] = {
        "pool": found,
        "in_force": in_force,
        "period": period,
        "effects": effects,
        "columns": columns,
        "value_headings": [gettext(column.label) for column in columns],
        "rows": rows,
        "form": form,
        "shown": shown_values(found, in_force),
        "refusal": attempt.refusal,
        "findings": rows_on_page(None, findings, most=200) if findings else None,
        "why_not": refusal_message(check_can_run_period, request.user)
        or refusal_message(refuse_fixed, found, in_force),
    }
    return render(request, "office/values.html", context, status=attempt.status)


def preview(period: Period | None, values: tuple[tuple[int, ...], ...]) -> ValueEffects | None:
    """Whom values change on the list of an open period; None without one. In a transaction that can only read."""
    if period is None or not period.is_open:
        return None
    with read_only_snapshot():
        return effects_of_values(period, values)


def shown_values(pool: Pool, in_force: date) -> str:
    """A digest of the values of a list. 1 query."""
    return shown_digest(values_of_list(pool, in_force))
