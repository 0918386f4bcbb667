"""The rounds of one player of a published tournament, and the sum behind each tie-break."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from ratings.published.selectors.tournaments.tables import published_stamp
from ratings.published.views.list_query import address
from ratings.published.views.tournaments.played import (
    NOT_DEFINED,
    classified,
    head,
    played_or_404,
    stamp_or_404,
)
from ratings.published.views.tournaments.standings import chosen_of, standings
from reporting.reports.standings.forms import TIE_BREAK_FIELDS, RegulationsForm
from reporting.reports.standings.shown import shown_players, shown_sums, tie_break_headings
from reporting.rules.points import points_text
from reporting.rules.standings.cross_table import CrossTable
from reporting.web.http_cache import public_page
from reporting.web.query_params import declare_parameters


@login_not_required
@require_safe
@declare_parameters(RegulationsForm, *TIE_BREAK_FIELDS)
def card(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """The rounds of one player, and the sum behind each tie-break.

    A value that cannot be used is named on the page of the standings, whose form has it.
    """
    form = RegulationsForm(request.GET)
    stamp = (*stamp_or_404(code), *published_stamp())  # the player may come on a later list
    if not form.is_valid():
        return standings(request, code)

    def render_page() -> str:
        played = played_or_404(code)
        if played.is_of_teams or number not in played.players:
            raise Http404
        try:
            found = classified(played, form.keys, form.cleaned_data["unplayed"], form.cleaned_data["edition"])
        except NOT_DEFINED as error:
            raise Http404 from error
        by_number = {player.number: player for player in shown_players(found)}
        line = by_number[number]
        context = {
            **head(played.found),
            "person": played.players[number],
            "line": line,
            "rounds": rounds_of(found.table, number, by_number),
            "headings": list(zip(tie_break_headings(found), line.values, strict=True)),
            "sums": shown_sums(found, number),
            "query": address("", chosen_of(form)),
        }
        return render_to_string("ratings/tournament_card.html", context, request)

    return public_page(request, ("card", *stamp), render_page)


@dataclass(frozen=True)
class CardRound:
    """A round of a player: colour (empty without one), the line of the opponent (None without one), own points.

    The points of a plus draw end in +, those of a minus draw in −.
    """

    number: int
    colour: str
    opponent: Any
    points: str
    is_played: bool


def rounds_of(table: CrossTable, number: int, by_number: dict[int, Any]) -> Sequence[CardRound]:
    """The rounds of a player in order."""
    signs = {1: "+", -1: "−"}
    row = table.numbers.tolist().index(number)
    colours = {1: gettext("white"), -1: gettext("black")}
    found = []
    for turn in range(table.rounds):
        opponent = int(table.opponents[row, turn])
        found.append(
            CardRound(
                turn + 1,
                colours.get(int(table.colours[row, turn]), ""),
                by_number[int(table.numbers[opponent])] if opponent >= 0 else None,
                points_text(int(table.gained[row, turn]), table.scale)
                + (signs.get(int(table.advantages[row, turn]), "") if table.advantages is not None else ""),
                bool(table.played[row, turn]),
            )
        )
    return found
