"""A pool's newest lists by the rules of another pool: figures, charts, largest differences, and all rows as CSV."""

from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from ratings.formats.tables import csv_file
from ratings.office.forms import CompareRulesForm
from ratings.office.selectors.forecast import read_only_snapshot
from ratings.office.selectors.recalculated.compare_rules import (
    LARGEST,
    ComparedRating,
    ComparedRules,
    comparable_pools,
    compare_rules,
)
from ratings.policies import check_can_compare_rules
from ratings.published.views.list_query import address
from ratings.published.views.statistics.charts import difference_groups, histogram, scatter_charts
from ratings.queries.lists import all_pools
from reporting.refusals.domain_error import DomainError
from reporting.web.access import OfficeRequest, require_access
from reporting.web.values import day

PAGE_LISTS = 8
"""A request calculates so many lists at most, the newest ones; the command as many as there are."""


@require_access(check_can_compare_rules, "GET", "HEAD")
def compare(request: OfficeRequest) -> HttpResponse:
    """The form, and for two pools what differs, in one transaction that can only read."""
    with read_only_snapshot():
        form = compare_rules_form(request)
        found = compared(form) if form.is_bound else None
        context: dict[str, Any] = {"form": form, "page_lists": PAGE_LISTS, "found": found}
        if found is None:
            status = HTTPStatus.BAD_REQUEST if form.is_bound else HTTPStatus.OK
            return render(request, "office/compare_rules.html", context, status=status)
        context |= {
            "newest": found.lists[-1],
            "assumptions": [gettext(sentence) for sentence in found.assumptions],
            "largest": [row for row in found.rows(LARGEST) if row.difference],
            "csv": address(f"{request.path}comparison.csv", form.cleaned_data),
            **drawn(found),
        }
        return render(request, "office/compare_rules.html", context)


@require_access(check_can_compare_rules, "GET", "HEAD")
def comparison_file(request: OfficeRequest) -> HttpResponse:
    """All rows of the comparison; without one the page with its form, which says why."""
    with read_only_snapshot():
        form = compare_rules_form(request)
        found = compared(form) if form.is_bound else None
        if found is None:
            context = {"form": form, "page_lists": PAGE_LISTS}
            return render(request, "office/compare_rules.html", context, status=HTTPStatus.BAD_REQUEST)
        content = csv_file(ComparedRating._fields, found.rows())
    response = HttpResponse(content, content_type="text/csv; charset=utf-8")
    name = f"{found.pool.code}-by-{found.other.code}-{found.lists[-1].in_force}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def compare_rules_form(request: OfficeRequest) -> CompareRulesForm:
    return CompareRulesForm(
        request.GET or None, pools=all_pools(), others=comparable_pools(), most_lists=PAGE_LISTS
    )


def compared(form: CompareRulesForm) -> ComparedRules | None:
    """The comparison that a bound form asks for; None with an error in the form."""
    if not form.is_valid():
        return None
    pools = {pool.code: pool for pool in all_pools()}
    values = form.cleaned_data
    try:
        return compare_rules(pools[values["pool"]], pools[values["with"]], values["lists"])
    except DomainError as refusal:
        form.add_error("lists", refusal.message)
        return None


def drawn(found: ComparedRules) -> dict[str, Any]:
    """The histogram with its groups, and the scatter chart; nothing where nothing differs."""
    groups = difference_groups(found.differences)
    if not groups:
        return {}
    values = {
        "day": day(found.lists[-1].in_force),
        "other": found.other.name,
        "changed": found.changed,
        "players": found.players,
    }
    return {
        "groups": groups,
        "charts": histogram(
            gettext("Differences on the list of %(day)s, in points") % values,
            gettext(
                "%(changed)s of %(players)s players differ. Losses are on the left, gains on the right. The table"
                " below has every figure."
            )
            % values,
            groups,
        ),
        "scatter": scatter_charts(
            gettext("Ratings on the list of %(day)s, and by the rules of %(other)s") % values,
            gettext("The published rating across, the other rating up. On the line both are equal."),
            found.rating,
            found.other_rating,
        ),
    }
