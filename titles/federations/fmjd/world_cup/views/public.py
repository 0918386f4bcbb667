"""The public pages of the World Cup and of youth teams, from the tournaments that published lists count."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from ratings.queries.addresses import published_players
from ratings.queries.lists import office_today
from reporting.models import Player, Sex
from reporting.web.http_cache import public_page
from reporting.web.query_params import declare_parameters
from titles.federations.fmjd.rules.world_cup.classification import window_start
from titles.federations.fmjd.rules.world_cup.parameters import edition_in_force
from titles.federations.fmjd.rules.world_cup.score_needed import PlannedTournament, scores_with
from titles.federations.fmjd.world_cup.forms import ScoreForm
from titles.federations.fmjd.world_cup.inputs import cup_input, players_by_id
from titles.federations.fmjd.world_cup.selectors import stamp
from titles.federations.fmjd.world_cup.standings import Standing, standing_on, standing_rows

TEMPOS = {"classic": _("Classic"), "rapid": _("Rapid"), "blitz": _("Blitz")}


@login_not_required
@require_safe
@declare_parameters(ScoreForm, lasting=ScoreForm.base_fields)
def what_must_i_score(request: HttpRequest) -> HttpResponseBase:
    """The total and rank of a player by place and points in a tournament to come. 19 queries, 5 without a player."""
    form = ScoreForm(request.GET)
    player = player_of(form) if form.is_valid() else None

    def render_page() -> str:
        context = {"form": form, "player": player, **(scores(form, player) if player else {})}
        return render_to_string("titles/world_cup/score.html", context, request)

    status = HTTPStatus.BAD_REQUEST if form.is_bound and not player else HTTPStatus.OK
    return public_page(request, ("score", *stamp()), render_page, status=status)


def player_of(form: ScoreForm) -> Player | None:
    """The player of a published list; None with an error in the form. 2 queries."""
    player = players_by_id([form.cleaned_data["player"]]).get(form.cleaned_data["player"])
    if player is None or not published_players([player.pk]):
        form.add_error("player", gettext("No player of a published list has this number."))
        return None
    return player


def scores(form: ScoreForm, player: Player) -> dict[str, Any]:
    """What the page shows of a player and a tournament. At most 10 queries."""
    asked = form.cleaned_data
    today, last_day, number = office_today(), asked["last_day"], asked["player"]
    given = cup_input(asked["section"], published=True)
    declared = given.declarations
    women = (
        player.sex == Sex.WOMAN and not ((declared.player == number) & (declared.year == last_day.year)).any()
    )
    parameters = edition_in_force(last_day)
    found = scores_with(
        parameters,
        given.tournaments,
        given.participations,
        given.declarations,
        number,
        PlannedTournament(last_day, last_day, asked["stars"], asked["rounds"]),
        women=women,
    )
    columns = (found.place, found.points, found.result, found.total, found.rank)
    cells = list(zip(*(column.tolist() for column in columns), strict=True))
    places = len(parameters.bonus) + 1
    by_points = [
        (points, [(total, rank) for _, own, _, total, rank in cells if own == points])
        for points in range(2 * asked["rounds"], -1, -1)
    ]
    now = row_of(standing_on(today, given, women=women), number)
    first_day = window_start(last_day, parameters.years)
    return {
        "women": women,
        "first_day": first_day,
        "now": now,
        "without": row_of(standing_on(last_day, given, women=women), number),
        "leaving": [
            result
            for result in (now["results"] if now else ())
            if result["last_round"] < first_day.isoformat()
        ],
        "best_results": parameters.best_results,
        "tournaments": {one.code: one for one in given.result_sets},
        "has_pages": True,
        "last_place": places,
        "places": range(1, places),
        "by_points": by_points,
        "least": least_results(cells, asked["rank"]) if asked["rank"] else None,
        "source": parameters.source,
    }


def row_of(standing: Standing, number: int) -> dict[str, Any] | None:
    """The row of a player in a classification; None where the player is not listed. No query."""
    return next((row for row in standing_rows(standing) if row["fmjd_id"] == number), None)


def least_results(
    cells: Iterable[tuple[int, int, int, int, int]], rank: int
) -> list[tuple[int, int, int, int]]:
    """For each place from which a rank can be reached, the fewest points that do: place, points, total, rank."""
    least: dict[int, tuple[int, int, int, int]] = {}
    for place, points, _result, total, reached in cells:
        if reached <= rank:
            least.setdefault(place, (place, points, total, reached))
    return list(least.values())
