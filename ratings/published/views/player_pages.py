"""Pages below that of a player: all tournaments, the opponents, two players compared, and the same as files."""

from http import HTTPStatus
from typing import cast

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from ratings.published.selectors.player_tournaments import best_results, player_tournaments
from ratings.published.selectors.players import PublishedPlayer
from ratings.published.views.players import player_or_404, player_stamp
from reporting.web.forms import StyledFormMixin
from reporting.web.http_cache import public_page
from reporting.web.paging import rows_on_page
from titles.ledger.selectors import ledger_stamp, norms_by_tournament


class PlayedForm(StyledFormMixin, forms.Form):
    """Which tournaments of a player: those of one pool, of one year."""

    pool = forms.ChoiceField(
        label=_("List"),
        required=False,
        error_messages={"invalid_choice": _("This player is on no such list.")},
    )
    year = forms.IntegerField(
        label=_("Year"),
        required=False,
        min_value=1000,
        max_value=9999,
        widget=forms.Select,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), _("This is not a year.")),
    )

    def __init__(self, data: QueryDict, player: PublishedPlayer) -> None:
        super().__init__(data)
        pools = [(code, pool.pool.name) for code, pool in player.pools.items()]
        cast(forms.ChoiceField, self.fields["pool"]).choices = [("", _("All")), *pools]

    def offer_years(self, years: list[int]) -> None:
        """Let the reader choose one of these years."""
        widget = cast(forms.Select, self.fields["year"].widget)
        widget.choices = [("", _("All")), *((year, year) for year in years)]


@login_not_required
@require_safe
def played(request: HttpRequest, address: str) -> HttpResponseBase:
    """All tournaments of a player that published lists count, newest first, and the best results."""
    found = player_or_404(address)
    if found.player.address != address:
        return redirect("player-tournaments", found.player.address)
    form = PlayedForm(request.GET, found)
    is_valid = form.is_valid()

    def render_page() -> str:
        every = player_tournaments(found)
        years = sorted({one.tournament.played_to.year for one in every}, reverse=True)
        pool, year = form.cleaned_data.get("pool"), form.cleaned_data.get("year")
        form.offer_years(years if year is None or year in years else [year, *years])
        shown = [
            one
            for one in every
            if (not pool or one.rating_list.pool.code == pool)
            and (year is None or one.tournament.played_to.year == year)
        ]
        context = {
            "player": found,
            "form": form,
            "rows": rows_on_page(request, shown),
            "best": best_results(shown),
            "norms": norms_by_tournament(found.player),
        }
        return render_to_string("ratings/player_tournaments.html", context, request)

    stamp = ("player tournaments", *ledger_stamp(found.player), *player_stamp(found))
    return public_page(
        request, stamp, render_page, status=HTTPStatus.OK if is_valid else HTTPStatus.BAD_REQUEST
    )
