"""The places of a published tournament by every method for unplayed games."""

from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

from ratings.published.views.list_query import address
from ratings.published.views.tournaments.played import Played, head, played_or_404, stamp_or_404
from ratings.queries.list_rows import PAGE_ROWS
from reporting.reports.standings.labels import EDITION_LABELS, METHOD_LABELS, SHORT_METHODS
from reporting.reports.standings.shown import shown_players
from reporting.rules.standings.classify import classify
from reporting.rules.standings.fide import Edition
from reporting.rules.standings.registry import TIE_BREAKS
from reporting.rules.standings.unplayed import METHODS
from reporting.web.http_cache import public_page
from reporting.web.paging import Rows, build_pager
from reporting.web.query_params import PageForm, declare_parameters

COMPARED = {"short": "BH/C1", "solkoff": "BH", "median": "BH/M1", "sb": "SB"}
"""The tie-breaks that depend on the method for unplayed games, and FIDE's of the same kind; the first by default."""


class ComparedForm(forms.Form):
    """The tie-break whose methods are compared, and whether players and methods that make no difference are shown."""

    tie_break = forms.ChoiceField(
        label=gettext_lazy("Tie-break"),
        required=False,
        choices=lambda: [(key, gettext(TIE_BREAKS[key].name)) for key in COMPARED],
        widget=forms.Select(attrs={"class": "field__input"}),
    )
    show = forms.ChoiceField(
        label=gettext_lazy("Show"),
        required=False,
        choices=[("", gettext_lazy("What differs")), ("all", gettext_lazy("All players and methods"))],
        widget=forms.Select(attrs={"class": "field__input"}),
    )


@login_not_required
@require_safe
@declare_parameters(ComparedForm, "page")
def methods(request: HttpRequest, code: str) -> HttpResponseBase:
    """The places by one tie-break with every method for unplayed games, and by FIDE's in both editions."""
    form = ComparedForm(request.GET)
    page = PageForm(request.GET).number_or_400
    stamp = stamp_or_404(code)
    is_valid = form.is_valid()

    def render_page() -> str:
        played = played_or_404(code)
        key = form.cleaned_data.get("tie_break") or next(iter(COMPARED))
        context: dict[str, Any] = {**head(played.found), "form": form}
        if is_valid and played.table.round_points is not None:
            context["has_round_points"] = True
        elif is_valid:
            context |= compared(request, played, key, page, form.cleaned_data["show"] == "all")
        return render_to_string("ratings/tournament_methods.html", context, request)

    status = HTTPStatus.OK if is_valid else HTTPStatus.BAD_REQUEST
    return public_page(request, ("methods", *stamp), render_page, status=status)


def compared(request: HttpRequest, played: Played, key: str, page: int, shows_all: bool) -> dict[str, Any]:
    """The place of each player by each method; what is another place than by face value is marked.

    Without `shows_all` only the methods and the players that differ; the other methods are named.
    """
    columns = [
        (
            str(SHORT_METHODS[method]),
            str(METHOD_LABELS[method]),
            classify(played.table, [key], unplayed=method),
        )
        for method in METHODS
    ]
    columns += [
        (
            f"FIDE {edition[:4]}",
            gettext("FIDE’s %(name)s, edition %(edition)s")
            % {"name": gettext(TIE_BREAKS[COMPARED[key]].name), "edition": EDITION_LABELS[edition]},
            classify(played.table, [COMPARED[key]], edition=edition),
        )
        for edition in Edition
    ]
    base = columns[0][2]
    alike = [label for _, label, found in columns[1:] if (found.places == base.places).all()]
    changed = sum((found.places != base.places) for _, _, found in columns) > 0
    order = base.order.tolist()
    if not shows_all:
        columns = [columns[0], *(column for column in columns[1:] if column[1] not in alike)]
        order = [row for row in order if changed[row]]
    pages = max(-(-len(order) // PAGE_ROWS), 1)
    if page > pages:
        raise Http404
    first = (page - 1) * PAGE_ROWS

    def href(page: str) -> str:
        shown = "all" if shows_all else ""
        return address(request.path, {"tie_break": key, "show": shown, "page": page})

    points = {player.number: player.points for player in shown_players(base)}
    rows = [
        (
            int(base.table.numbers[row]),
            base.table.names[row],
            points[int(base.table.numbers[row])],
            [
                (int(found.places[row]), bool(found.places[row] != base.places[row]))
                for _, _, found in columns
            ],
        )
        for row in order[first : first + PAGE_ROWS]
    ]
    pager = build_pager(page, pages, len(order), href)
    return {
        "columns": [(name, label) for name, label, _ in columns],
        "alike": alike,
        "differing": int(changed.sum()),
        "total": len(base.order),
        "players": Rows(rows, first + 1, first + len(rows), len(order), pager),
    }
