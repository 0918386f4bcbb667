"""Records of a pool over all its lists, and its activity by year and federation."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from ratings.models import RatingList
from ratings.published.selectors.statistics.records import (
    activity_by_federation,
    activity_by_year,
    records_of_pool,
)
from ratings.published.views.list_query import address
from ratings.published.views.statistics.charts import bar_charts
from ratings.queries.list_rows import federation_names
from ratings.queries.lists import list_archive, office_today, stamp_of
from reporting.register.selectors.register import register_changes
from reporting.web.forms import set_choices
from reporting.web.http_cache import public_page
from reporting.web.query_params import declare_parameters


class RecordsForm(forms.Form):
    """The pool, and the year of the activity by federation.

    `newest` is the newest list of each pool; `lists` are those of the chosen pool, oldest first.
    """

    pool = forms.ChoiceField(
        label=_("Pool"),
        required=False,
        error_messages={"invalid_choice": _("There is no such list with records.")},
    )
    year = forms.ChoiceField(
        label=_("Year"),
        required=False,
        error_messages={"invalid_choice": _("No list of this pool closed in that year.")},
    )

    def __init__(self, data: QueryDict, lists: Sequence[RatingList]) -> None:
        super().__init__(data)
        by_pool: dict[int, RatingList] = {}
        for one in lists:  # newest first
            by_pool.setdefault(one.pool_id, one)
        self.newest = [by_pool[pool] for pool in sorted(by_pool)]
        asked = self["pool"].value() or ""
        shown = next((one for one in self.newest if asked in {"", one.pool.code}), None)
        self.lists = [one for one in reversed(lists) if shown and one.pool_id == shown.pool_id]
        calculated = {str(one.closing.year) for one in self.lists if not one.is_opening}
        self.years = sorted(calculated, reverse=True)
        self.choose("pool", [one.pool.code for one in self.newest])
        self.choose("year", self.years)

    def choose(self, name: str, values: Sequence[str]) -> None:
        set_choices(self, name, [(value, value) for value in values])


@login_not_required
@require_safe
@declare_parameters(RecordsForm, lasting=("pool",))
def records(request: HttpRequest) -> HttpResponseBase:
    """The records of a pool on the lists that are or were in force; 400 for a pool or year that there is not."""
    today = office_today()
    archive = [one for one in list_archive() if one.in_force <= today]
    form = RecordsForm(request.GET, archive)
    lists = form.lists
    context: dict[str, Any] = {
        "form": form,
        "lists": form.newest,
        "list": lists[-1] if lists else None,
    }
    if not form.is_valid():
        page = render_to_string("ratings/records.html", {**context, "list": None}, request)
        return public_page(request, ("records",), lambda: page, status=HTTPStatus.BAD_REQUEST)
    stamp = stamp_of(lists)

    def render_page() -> str:
        if lists:
            pool = lists[-1].pool.code
            years = activity_by_year(tuple(lists), stamp)
            year = form.cleaned_data["year"] or next(iter(form.years), "")
            federations = activity_by_federation(lists, int(year)) if year else []
            context.update(
                records=records_of_pool(tuple(lists), stamp),
                years=[(one, address(request.path, {"pool": pool, "year": str(one.year)})) for one in years],
                year=year,
                federations=federations,
                names=federation_names([one.federation for one in federations]),
                charts=bar_charts(
                    gettext("Games counted by year"), [(str(one.year), one.games) for one in reversed(years)]
                ),
            )
        return render_to_string("ratings/records.html", context, request)

    return public_page(
        request,
        ("records", today, *(one.pool.code for one in form.newest), *stamp, register_changes()),
        render_page,
    )
