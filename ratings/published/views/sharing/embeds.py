"""Small pages for iframes on other sites: the top of a list, and the card of a player.

They have no script, use no cookie and are the same for everybody. Only they may be shown in a frame.
"""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any, cast

from csp.decorators import csp_replace
from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from ratings.models import RatingList
from ratings.published.views.list_query import address, variant_address, variant_heading, variant_label
from ratings.published.views.lists.published import cached_list, stamp_or_404
from ratings.published.views.players.players import player_at, player_stamp
from ratings.published.views.statistics.charts import sparkline
from ratings.queries.list_rows import (
    OFFICIAL,
    federation_names,
    federations_on,
    list_page,
    variants_to_choose,
)
from reporting.web.forms import set_choices
from reporting.web.http_cache import cached, public_page
from reporting.web.query_params import WholeNumberField, declare_parameters

MOST_ROWS = 50
DEFAULT_ROWS = 10

View = Callable[..., HttpResponseBase]


def embeddable(view: View) -> View:
    """A public page that every site may show in a frame; all else that its policy forbids stays forbidden."""

    @login_not_required
    @require_safe
    @xframe_options_exempt
    @csp_replace({"frame-ancestors": ["*"]})
    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        request.COOKIES.clear()  # the same page for a reader who is logged in
        return view(request, *args, **named)

    return cast(View, shown)


class EmbeddedListForm(forms.Form):
    """Which rows of a list: how many from the top, of which variant, of one federation."""

    top = WholeNumberField(label=_("Rows"), required=False, min_value=1, max_value=MOST_ROWS)
    variant = forms.ChoiceField(label=_("List"), required=False)
    federation = forms.ChoiceField(label=_("Federation"), required=False)

    def __init__(self, data: QueryDict, rating_list: RatingList, federations: dict[str, str]) -> None:
        super().__init__(data)
        self.variants = variants_to_choose(rating_list, str(self["variant"].value() or ""))
        choices = [(name, variant_label(rating_list, variant)) for name, variant in self.variants.items()]
        set_choices(self, "variant", choices)
        set_choices(self, "federation", list(federations.items()))


@embeddable
@declare_parameters(EmbeddedListForm)
def rating_list(request: HttpRequest, pool: str) -> HttpResponseBase:
    """The top of the list in force in a pool. The queries of the first page of a list, 1 for a second reader."""
    stamp = stamp_or_404(pool, None, None)
    found = cached_list(stamp).rating_list
    federations = cached(("federations", *stamp), lambda: federations_on(found))
    form = EmbeddedListForm(request.GET, found, federations)
    is_valid = form.is_valid()

    def render_page() -> str:
        context: dict[str, Any] = {"form": form, "list": found, "published": cached_list(stamp)}
        if is_valid:
            variant = form.variants[form.cleaned_data["variant"] or OFFICIAL]
            federation = form.cleaned_data["federation"]
            rows = form.cleaned_data["top"] or DEFAULT_ROWS
            matching = (lambda rows: rows.filter(federation=federation)) if federation else None
            page = list_page(found, variant, matching, page_rows=rows)
            context |= {
                "rows": page.rows,
                "heading": variant_heading(found, variant),
                "federation": federations.get(federation, ""),
                "address": address(variant_address(found, variant.name), {"federation": federation}),
            }
        return render_to_string("sharing/embed_list.html", context, request)

    status = HTTPStatus.OK if is_valid else HTTPStatus.BAD_REQUEST
    return public_page(request, ("embedded list", *stamp), render_page, status=status)


@embeddable
def player(request: HttpRequest, address: str) -> HttpResponseBase:
    """The card of a player: title, rating and rank in each pool with a line of the ratings. 4 or 5 queries, then 1."""
    found = player_at(request, address)

    def render_page() -> str:
        context = {
            "player": found,
            "federation": federation_names([found.row.federation])[found.row.federation],
            "pools": [
                (history, sparkline([entry.rating for entry in history.entries]))
                for history in found.pools.values()
                if history.entries
            ],
            "address": reverse("player", args=[address]),
        }
        return render_to_string("sharing/embed_player.html", context, request)

    return public_page(request, ("embedded player", *player_stamp(found)), render_page)
