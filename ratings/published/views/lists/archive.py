"""All published lists: of every pool, and of one."""

from collections.abc import Sequence
from datetime import date
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from ratings.models import Pool, RatingList
from ratings.published.views.list_query import address as query_address
from ratings.published.views.lists.published import cached_list, list_context, stamp_or_404
from ratings.queries import lists as selectors
from reporting.web.forms import set_choices
from reporting.web.http_cache import public_page
from reporting.web.query_params import declare_parameters


class ArchiveForm(forms.Form):
    """Which lists of the archive: of one pool, of one year. A value that cannot be used chooses nothing."""

    pool = forms.ChoiceField(
        label=_("Pool"), required=False, error_messages={"invalid_choice": _("There is no such pool.")}
    )
    year = forms.ChoiceField(
        label=_("Year"),
        required=False,
        error_messages={"invalid_choice": _("No list came into force in that year.")},
    )

    def __init__(self, data: QueryDict, pools: Sequence[Pool], lists: Sequence[RatingList]) -> None:
        super().__init__(data)
        self.years = list(dict.fromkeys(str(one.in_force.year) for one in lists))
        set_choices(self, "pool", [(pool.code, pool.name) for pool in pools])
        set_choices(self, "year", [(year, year) for year in self.years])

    def chosen(self, name: str) -> str:
        """The value of a field, empty for all."""
        value: str = self.cleaned_data.get(name, "")
        return value

    def href(self, **changes: str) -> str:
        """The archive with these choices changed."""
        asked = {name: self.chosen(name) for name in self.fields}
        return query_address(reverse("lists"), {**asked, **changes}) + "#archive"

    def links(self, name: str, every: str) -> list[tuple[str, str, bool]]:
        """The choices of a field as links, first that of all: label, address, whether it is chosen."""
        field: Any = self.fields[name]
        choices = [("", every), *field.choices]
        return [(label, self.href(**{name: value}), value == self.chosen(name)) for value, label in choices]


@login_not_required
@require_safe
@declare_parameters(ArchiveForm)
def archive(request: HttpRequest) -> HttpResponseBase:
    """Every pool with its list in force and the next one, and all lists ever published, by pool and year.

    400 for a pool or year that there is not, with the page that names it.
    """
    lists = selectors.list_archive()
    pools = selectors.all_pools()
    today = selectors.office_today()
    in_force: dict[int, RatingList] = {}
    upcoming: dict[int, RatingList] = {}
    for published in lists:  # newest first
        if published.in_force <= today:
            in_force.setdefault(published.pool_id, published)
        else:
            upcoming[published.pool_id] = published

    form = ArchiveForm(request.GET, pools, lists)
    is_valid = form.is_valid()
    pool, year = form.chosen("pool"), form.chosen("year")

    def render_page() -> str:
        shown = [one for one in lists if pool in {"", one.pool.code} and year in {"", str(one.in_force.year)}]
        context = {
            "form": form,
            "pools": [(pool, in_force.get(pool.pk), upcoming.get(pool.pk)) for pool in pools],
            "years": form.links("year", gettext("All years")),
            "of_pools": form.links("pool", gettext("All pools")),
            "lists": shown,
            "in_force": {found.pk for found in in_force.values()},
            "today": today,
        }
        return render_to_string("ratings/lists.html", context, request)

    stamp = (*(found.pk for found in lists), "in force", *(found.pk for found in in_force.values()))
    return public_page(
        request, stamp, render_page, status=HTTPStatus.OK if is_valid else HTTPStatus.BAD_REQUEST
    )


@login_not_required
@require_safe
@declare_parameters()
def earlier_lists(request: HttpRequest, pool: str, in_force: date, revision: int) -> HttpResponseBase:
    """All lists of the pool, every revision of them."""
    stamp = stamp_or_404(pool, in_force, revision)
    lists = selectors.lists_of_pool(pool)

    def render_page() -> str:
        found = cached_list(stamp)
        in_force = next((other.pk for other in lists if other.in_force == stamp.in_force_today), None)
        context = {
            **list_context(found, "earlier", permanent=True),
            "lists": lists,
            "in_force": {in_force},
            "today": selectors.office_today(),
        }
        return render_to_string("ratings/list_earlier.html", context, request)

    # The stamp of a list does not change with a revision of a later one.
    return public_page(request, ("earlier", *(other.pk for other in lists), *stamp), render_page)
