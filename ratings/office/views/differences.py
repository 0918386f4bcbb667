"""The differences between a draft and another list, row by row."""

from datetime import date

from django import forms
from django.db.models import TextChoices
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.models import RatingList
from ratings.office.selectors.comparison import SORTS, RowFilter, checked_on_both, differing_players
from ratings.office.selectors.drafts import period_overviews, recalculation_of
from ratings.office.views.periods.office import office_page, period_or_404
from ratings.published.views.list_query import address
from reporting.web.access import OfficeRequest
from reporting.web.paging import build_pager
from reporting.web.query_params import PageForm
from reporting.web.sorting import SortColumn, SortForm, sort_headings

COLUMNS = (
    SortColumn("name", _("Player")),
    SortColumn("federation", _("Fed."), _("Federation"), "table__wide"),
    SortColumn("before", _("Before"), style="table__num"),
    SortColumn("rating", _("Now"), style="table__num"),
    SortColumn("change", _("Change"), style="table__num"),
    SortColumn("games", _("Games"), style="table__num table__wide"),
)
FALLING_FIRST = ("before", "rating", "change", "games")


class OtherList(TextChoices):
    """The list that a draft is compared with: the values of `?against=`, in the order of the tabs."""

    REPLACED = "replaced", _("The list it replaces")
    BEFORE = "before", _("The previous draft")
    LAST = "last", _("The previous list")


def row_filters(draft: RatingList, other: RatingList) -> dict[str, str]:
    """The values of `?show=` with their labels: those of every system, and the columns that the office checks."""
    filters = {row_filter.value: str(row_filter.label) for row_filter in RowFilter}
    person = filters.pop(RowFilter.PERSON.value)
    checked = {checked.name: gettext(checked.other) for checked in checked_on_both(draft, other)}
    return {**filters, **checked, RowFilter.PERSON.value: person}


class DifferencesForm(forms.Form):
    """The list to compare with, and the rows to show: one of `row_filters`."""

    against = forms.ChoiceField(required=False, choices=OtherList.choices)
    show = forms.CharField(required=False, empty_value=RowFilter.ALL.value)


@office_page("GET", "HEAD")
def differences(request: OfficeRequest, pool: str, in_force: date) -> HttpResponse:
    """The players with other values than on the previous list, on the replaced one or on the previous draft."""
    period = period_or_404(pool, in_force)
    (overview,) = period_overviews([period])
    draft = overview.draft
    if draft is None:
        raise Http404("There is no draft to compare.")
    form, sort_form = DifferencesForm(request.GET), SortForm(request.GET, SORTS)
    if not (form.is_valid() and sort_form.is_valid()):
        raise Http404("There is no such difference.")
    query = form.cleaned_data
    recalculation = recalculation_of(draft, overview.run)
    others = {
        OtherList.REPLACED: draft.correction.replaces if draft.correction else None,
        OtherList.BEFORE: recalculation.before if recalculation else None,
        OtherList.LAST: draft.previous,
    }
    default = OtherList.REPLACED if others[OtherList.REPLACED] else OtherList.LAST
    sort = sort_form.order or "-change"
    against = OtherList(query["against"] or default)
    other = others[against]
    if other is None:
        raise Http404("There is no such difference.")
    show, filters = query["show"], row_filters(draft, other)
    if show not in filters:
        raise Http404("There is no such difference.")
    page = PageForm(request.GET).number_or_400
    difference = differing_players(draft, other, show=show, sort=sort, page=page)
    if page > 1 and not difference.rows:
        raise Http404("There is no such page.")

    def href(**changes: str) -> str:
        return address(request.path, {"against": query["against"], "show": show, "sort": sort, **changes})

    context = {
        "period": period,
        "draft": draft,
        "other": other,
        "against": against,
        "tabs": [choice for choice in OtherList if others[choice]],
        "row_filters": [(value, label, href(show=value)) for value, label in filters.items()],
        "show": show,
        "shown": filters[show],
        "headings": [*sort_headings(COLUMNS, sort, href, FALLING_FIRST)],
        "difference": difference,
        "pager": build_pager(page, difference.pages, difference.total, href),
    }
    return render(request, "office/differences.html", context)
