"""Two lists of a pool side by side: gains, losses, new players, players gone."""

from collections.abc import Sequence
from datetime import date
from http import HTTPStatus

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase, QueryDict
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from ratings.models import RatingList
from ratings.published.selectors.statistics.comparison import Part, compare_lists, compared_rows
from ratings.published.views.list_query import address
from ratings.queries.list_rows import PAGE_ROWS
from ratings.queries.lists import lists_of_pool, office_today, stamp_of
from reporting.web.forms import StyledFormMixin, set_choices
from reporting.web.http_cache import public_page
from reporting.web.paging import build_pager
from reporting.web.query_params import PageForm, declare_parameters
from reporting.web.values import day

PART_LABELS = {
    Part.GAINS: _("Gains"),
    Part.LOSSES: _("Losses"),
    Part.NEW: _("New"),
    Part.GONE: _("No longer listed"),
}


class CompareListsForm(StyledFormMixin, forms.Form):
    """The two lists, by day and revision, and the table that is shown."""

    error = {"invalid_choice": _("This pool has no such list.")}  # noqa: RUF012 (as in Django)
    a = forms.ChoiceField(label=_("First list"), required=False, error_messages=error)
    b = forms.ChoiceField(label=_("Second list"), required=False, error_messages=error)
    part = forms.ChoiceField(
        label=_("Part"),
        required=False,
        choices=[(part, part) for part in Part],
        widget=forms.HiddenInput,
    )

    def __init__(self, data: QueryDict, lists: Sequence[RatingList]) -> None:
        super().__init__(data)
        self.lists = {list_word(one): one for one in lists}
        choices = [
            (
                word,
                gettext("%(day)s, revision %(revision)s")
                % {"day": day(one.in_force), "revision": one.revision},
            )
            for word, one in self.lists.items()
        ]
        for name, chosen in zip("ab", default_lists(lists, office_today()), strict=True):
            set_choices(self, name, choices)
            self.fields[name].initial = list_word(chosen)

    @property
    def chosen(self) -> tuple[RatingList, RatingList]:
        """The two lists of a valid form; one that is not asked for is the list in force or the one before."""
        first, second = (self.lists[self.cleaned_data[name] or self.fields[name].initial] for name in "ab")
        return first, second


def list_word(rating_list: RatingList) -> str:
    """How an address names a list of a pool: `2026-10-01-r1`."""
    return f"{rating_list.in_force}-r{rating_list.revision}"


def default_lists(lists: Sequence[RatingList], today: date) -> tuple[RatingList, RatingList]:
    """The list before the one in force, and the one in force, of lists that are ordered newest first."""
    newest = {one.in_force: one for one in reversed(lists)}
    days = sorted(newest)
    begun = [day for day in days if day <= today] or days[:1]
    return newest[begun[-2:][0]], newest[begun[-1]]


@login_not_required
@require_safe
@declare_parameters(CompareListsForm, "page", lasting=("a", "b", "part"))
def compare(request: HttpRequest, pool: str) -> HttpResponseBase:
    """Two lists of a pool compared, any revisions of them; 400 for a list that the pool does not have."""
    lists = lists_of_pool(pool)
    if not lists:
        raise Http404
    form = CompareListsForm(request.GET, lists)
    context = {"form": form, "pool": lists[0].pool}
    if not form.is_valid():
        page = render_to_string("ratings/lists_compare.html", context | {"is_refused_query": True}, request)
        return public_page(request, ("compare",), lambda: page, status=HTTPStatus.BAD_REQUEST)
    before, after = form.chosen
    part = Part(form.cleaned_data["part"] or Part.GAINS)
    number = PageForm(request.GET).number_or_400
    asked = {"a": list_word(before), "b": list_word(after)}

    def href(**changes: str) -> str:
        changed = {"part": part, **changes}
        if changed["part"] == Part.GAINS:
            changed["part"] = ""
        return address(request.path, {**asked, **changed})

    def render_page() -> str:
        counts = compare_lists(before, after)
        total = counts.players(part)
        pages = max(-(-total // PAGE_ROWS), 1)
        if number > pages:
            raise Http404
        shown = {
            "before": before,
            "after": after,
            "counts": counts,
            "part": part,
            "parts": [
                (one, str(label), counts.players(one), href(part=one)) for one, label in PART_LABELS.items()
            ],
            "heading": str(PART_LABELS[part]),
            "rows": compared_rows(before, after, part, (number - 1) * PAGE_ROWS) if total else (),
            "first": (number - 1) * PAGE_ROWS,
            "pager": build_pager(number, pages, total, href),
            "lasting": href(),
        }
        form.data = asked  # both selects show what is compared
        return render_to_string("ratings/lists_compare.html", {**context, **shown}, request)

    return public_page(request, ("compare", len(lists), *stamp_of([before, after])), render_page)
