"""What must I score? The total and rank of a player after a World Cup tournament to come, from what is published."""

from collections.abc import Iterable
from datetime import date
from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from ratings.queries.addresses import published_players
from ratings.queries.lists import office_today
from reporting.federations.fmjd.models import WorldCupProposal
from reporting.models import Player, Sex
from reporting.web.http_cache import public_page
from reporting.web.query_params import declare_parameters
from titles.federations.fmjd.rules.world_cup.classification import window_start
from titles.federations.fmjd.rules.world_cup.parameters import edition_in_force
from titles.federations.fmjd.rules.world_cup.score_needed import PlannedTournament, scores_with
from titles.federations.fmjd.world_cup.events.selectors import events_to_come, public_event
from titles.federations.fmjd.world_cup.forms import EventForm, ScoreForm
from titles.federations.fmjd.world_cup.inputs import players_by_id
from titles.federations.fmjd.world_cup.publications.kinds import address_of, label_of
from titles.federations.fmjd.world_cup.publications.published_results import PublishedCup, published_cup
from titles.federations.fmjd.world_cup.publications.selectors import tournaments_by_code, what_is_published
from titles.federations.fmjd.world_cup.selectors import stamp
from titles.federations.fmjd.world_cup.standings import Standing, standing_figures, standing_on

TEMPOS = {"classic": _("Classic"), "rapid": _("Rapid"), "blitz": _("Blitz")}


@login_not_required
@require_safe
@declare_parameters(ScoreForm, EventForm, lasting=[*ScoreForm.base_fields, *EventForm.base_fields])
def what_must_i_score(request: HttpRequest) -> HttpResponseBase:
    """The total and rank of a player by place and points in a tournament to come. 23 queries, 7 without a player."""
    event = event_or_404(request)
    form = ScoreForm(request.GET, event)
    player = player_of(form) if form.is_valid() else None
    events = events_to_come(office_today())

    def render_page() -> str:
        context = {
            "form": form,
            "player": player,
            "event": event,
            "events": [(one, "★" * one.stars) for one in events],
            "number": form["player"].value() or "",
            **(scores(form, player) if player else {}),
        }
        return render_to_string("titles/world_cup/score.html", context, request)

    status = HTTPStatus.BAD_REQUEST if form.is_bound and not player else HTTPStatus.OK
    named = [
        (one.pk, one.tournament.name, one.tournament.played_from, one.tournament.played_to) for one in events
    ]
    return public_page(request, ("score", *stamp(), *what_is_published(), *named), render_page, status=status)


def event_or_404(request: HttpRequest) -> WorldCupProposal | None:
    """The approved event that an address names; 404 for what is none. At most 1 query."""
    form = EventForm(request.GET)
    if not form.is_valid():
        raise Http404
    number = form.cleaned_data["event"]
    if number is None:
        return None
    event = public_event(number)
    if event is None:
        raise Http404
    return event


def player_of(form: ScoreForm) -> Player | None:
    """The player of a published list; None with an error in the form. 2 queries."""
    player = players_by_id([form.cleaned_data["player"]]).get(form.cleaned_data["player"])
    if player is None or not published_players([player.pk]):
        form.add_error("player", gettext("No player of a published list has this number."))
        return None
    return player


def scores(form: ScoreForm, player: Player) -> dict[str, Any]:
    """What the page shows of a player and a tournament. At most 12 queries."""
    values = form.cleaned_data
    today, last_day, number = office_today(), values["last_day"], values["player"]
    parameters = edition_in_force(last_day)
    since = window_start(today, parameters.years)
    public = published_cup(values["section"], since)
    given, declared = public.given, public.given.declarations
    women = (
        player.sex == Sex.WOMAN and not ((declared.player == number) & (declared.year == last_day.year)).any()
    )
    found = scores_with(
        parameters,
        given.tournaments,
        given.participations,
        given.declarations,
        number,
        PlannedTournament(last_day, last_day, values["stars"], values["rounds"]),
        women=women,
    )
    columns = (found.place, found.points, found.result, found.total, found.rank)
    cells = list(zip(*(column.tolist() for column in columns), strict=True))
    places = len(parameters.bonus) + 1
    by_points = [
        (points, [(total, rank) for _, own, _, total, rank in cells if own == points])
        for points in range(2 * values["rounds"], -1, -1)
    ]
    now = row_of(standing_on(today, given, women=women), number)
    first_day = window_start(last_day, parameters.years)
    return {
        "signs": "★" * values["stars"],
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
        **tournaments_in(public, since),
        "has_pages": True,
        "last_place": places,
        "places": range(1, places),
        "by_points": by_points,
        "least": least_results(cells, values["rank"]) if values["rank"] else None,
        "source": parameters.source,
    }


def tournaments_in(public: PublishedCup, since: date) -> dict[str, Any]:
    """The tournaments from a day on, the latest first, each with stars and the classification that has it. 1 query."""
    stars = public.given.tournaments.stars.tolist()
    ended = [
        (one.played_to, one.code, number)
        for one, number in zip(public.given.result_sets, stars, strict=True)
        if one.played_to >= since
    ]
    names = tournaments_by_code([code for _, code, _ in ended])
    sources = {
        code: (label_of(publication), address_of(publication)) for code, publication in public.sources.items()
    }
    return {
        "tournaments": names,
        "since": since,
        "included": [
            (names[code], day, number, sources.get(code)) for day, code, number in sorted(ended, reverse=True)
        ],
    }


def row_of(standing: Standing, number: int) -> dict[str, Any] | None:
    """The row of a player in a classification; None where the player is not listed. No query."""
    return next((row for row in standing_figures(standing) if row["fmjd_id"] == number), None)


def least_results(
    cells: Iterable[tuple[int, int, int, int, int]], rank: int
) -> list[tuple[int, int, int, int]]:
    """For each place from which a rank can be reached, the fewest points that do: place, points, total, rank."""
    least: dict[int, tuple[int, int, int, int]] = {}
    for place, points, _result, total, reached in cells:
        if reached <= rank:
            least.setdefault(place, (place, points, total, reached))
    return list(least.values())
