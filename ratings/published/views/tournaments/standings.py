"""The first page of a published tournament: its standings by chosen tie-breaks, after all rounds or some."""

from collections.abc import Mapping, Sequence
from functools import cache
from http import HTTPStatus
from itertools import pairwise
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponsePermanentRedirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from ratings.published.selectors.tournaments.changes import EntryRating, rating_changes
from ratings.published.selectors.tournaments.tables import published_stamp, tournament_index
from ratings.published.views.list_query import address
from ratings.published.views.sharing.cards import tournament_card
from ratings.published.views.sharing.linked_data import sports_event
from ratings.published.views.tournaments.played import NOT_DEFINED, Played, classified, head, played_or_404
from ratings.queries import tournaments as selectors
from ratings.queries.list_rows import PAGE_ROWS
from ratings.queries.lists import NotPublishedError
from reporting.models import Report, ResultSet, User
from reporting.policies import check_can_submit
from reporting.reports.selectors.reports import accepted_report
from reporting.reports.standings.forms import TIE_BREAK_FIELDS, RegulationsForm
from reporting.reports.standings.labels import METHOD_LABELS
from reporting.reports.standings.shown import ShownPlayer, shown_players, tie_break_headings
from reporting.rules.regulations.decisive_places import decisive_places
from reporting.rules.standings.classify import Standings, ties_to_be_played
from reporting.rules.standings.registry import TIE_BREAKS
from reporting.web.access import refusal_message
from reporting.web.http_cache import cached, public_page
from reporting.web.paging import Rows, build_pager
from reporting.web.panels import panels_at, panels_stamp
from reporting.web.query_params import PageForm, WholeNumberField, declare_parameters


class TournamentStandingsForm(RegulationsForm):
    """The regulations by which a tournament is shown, and the last round that counts."""

    round = WholeNumberField(
        label=gettext_lazy("After round"),
        required=False,
        min_value=1,
        max_value=99,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


@login_not_required
@require_safe
@declare_parameters(TournamentStandingsForm, *TIE_BREAK_FIELDS, "page")
def standings(request: HttpRequest, code: str) -> HttpResponseBase:
    """The first page of a published tournament: its standings by chosen tie-breaks, after all rounds or an earlier one.

    400 where a value, or the choice of tie-breaks and method together, cannot be used.
    """
    form = TournamentStandingsForm(request.GET)
    page = PageForm(request.GET).number_or_400
    try:
        stamp = (*selectors.tournament_stamp(code), *panels_stamp("tournament-standings"))
    except NotPublishedError:
        return uncounted(request, code)
    other_years = tournament_index(published_stamp()).other_years(code)
    is_valid = form.is_valid()
    chosen = chosen_of(form) if is_valid else {}

    @cache  # what is chosen is needed for the status, and again for the page
    def found() -> tuple[Played, Standings | None, str]:
        played = played_or_404(code, form.cleaned_data.get("round"))
        if (form.cleaned_data.get("round") or 0) > max(played.rounds, 1):
            message = ngettext(
                "This tournament has %(n)s round.", "This tournament has %(n)s rounds.", played.rounds
            )
            form.add_error("round", message % {"n": played.rounds})
        if form.errors:
            return played, None, ""
        try:
            unplayed, edition = form.cleaned_data["unplayed"], form.cleaned_data["edition"]
            return played, classified(played, form.keys, unplayed, edition), ""
        except NOT_DEFINED as refused:
            return played, None, names_of(refused)

    def render_page() -> str:
        played, classification, refused = found()
        card = tournament_card(played.found)
        context = {
            **head(played.found),
            "card": card,
            "linked_data": sports_event(played.found, card),
            "form": form,
            "fields": shown_fields(form),
            "rounds": played.rounds,
            "refused": refused,
            "is_refused_query": bool(form.errors),
            "other_years": other_years,
            "to_correct": report_to_correct(request, played.tournament),
        }
        context |= regulations(played)
        if classification:
            context |= lines(request, played, classification, page, chosen)
            query = address("", chosen | {"round": ""})
            context |= {"of_teams": played.is_of_teams, "query": query, "file_query": address("", chosen)}
            context["columns"] = () if chosen else more_columns(played)
        return render_to_string("ratings/tournament_standings.html", context, request)

    is_refused = not is_valid or bool(chosen and (found()[2] or form.errors))
    status = HTTPStatus.BAD_REQUEST if is_refused else HTTPStatus.OK
    return public_page(request, ("standings", *stamp, *other_years), render_page, status=status)


def more_columns(played: Played) -> list[Mapping[str, Any]]:
    """The panels that have a value for a player of this tournament: of each a column, and a note below the table."""
    persons = {} if played.is_of_teams else played.players
    panels = panels_at("tournament-standings", (played.tournament.code, persons, played.persons))
    return [panel for panel in panels if panel["values"]]


def uncounted(request: HttpRequest, code: str) -> HttpResponseBase:
    """A tournament that no list counts yet, where something else that is published has its places; else 404."""
    shown = [panel for panel in panels_at("uncounted-tournament", code) if panel["tournament"]]
    if not shown:
        raise Http404

    def render_page() -> str:
        context = {"panels": shown, "tournament": shown[0]["tournament"]}
        return render_to_string("ratings/tournament_uncounted.html", context, request)

    stamp = ("uncounted", code, *panels_stamp("uncounted-tournament"))
    return public_page(request, stamp, render_page)


@login_not_required
@require_safe
@declare_parameters(TournamentStandingsForm, *TIE_BREAK_FIELDS, "page")
def moved_standings(request: HttpRequest, code: str) -> HttpResponseBase:
    """Leads to the standings, which open a tournament: they had an address of their own."""
    query = request.META["QUERY_STRING"]
    path = reverse("tournament", args=[code])
    return HttpResponsePermanentRedirect(f"{path}?{query}" if query else path)


def shown_fields(form: TournamentStandingsForm) -> SafeString:
    """The fields with their 200 options: a fifth of the page, and the same for all tournaments."""

    def render() -> SafeString:
        return render_to_string("ratings/tournament_standings.html#fields", {"form": form})

    if not form.is_valid():
        return render()
    return cached(("fields", get_language(), *(form[name].value() or "" for name in form.fields)), render)


def report_to_correct(request: HttpRequest, tournament: ResultSet) -> Report | None:
    """The accepted report of a tournament, for a reader who may correct it. A page with a session is never cached."""
    user = request.user
    if not isinstance(user, User):
        return None
    report = accepted_report(tournament.pk)
    return None if report is None or refusal_message(check_can_submit, user, report) else report


def names_of(refused: Exception) -> str:
    """The names of the tie-breaks, or of the method for unplayed games, that an error of NOT_DEFINED names by key."""
    return ", ".join(
        gettext(TIE_BREAKS[key].name) if key in TIE_BREAKS else str(METHOD_LABELS[key])
        for key in str(refused).split(", ")
    )


def regulations(played: Played) -> dict[str, Any]:
    """What the details of the tournament say about its standings."""
    own = [key for key in played.tournament.standings if key in TIE_BREAKS]
    return {
        "has_default_tie_breaks": played.tournament.details.default_tie_breaks != (),
        "own_tie_breaks": [gettext(TIE_BREAKS[key].name) for key in own],
        "own_method": METHOD_LABELS.get(played.tournament.unplayed, ""),
        "round_scores": [f"{more}-{less}" for more, less in played.tournament.round_scores],
    }


def lines(
    request: HttpRequest, played: Played, found: Standings, page: int, chosen: Mapping[str, str]
) -> dict[str, Any]:
    """A page of the standings; each player with the place of the report where that is another one, and
    whether the tie-break for the place is to be played (R52).
    """
    total = len(found.order)
    pages = max(-(-total // PAGE_ROWS), 1)
    if page > pages:
        raise Http404
    first = (page - 1) * PAGE_ROWS

    def href(page: str) -> str:
        return address(request.path, {**chosen, "page": page})

    shown = shown_players(found, first=first, most=PAGE_ROWS)
    reported = {} if played.is_of_teams else {one.number: one.place for one in played.report.players}
    is_whole = (
        found.table.rounds >= 1
        and max((game.round for game in played.report.games), default=0) == played.rounds
    )
    own = played.tournament.details
    decisive = decisive_places(own, total) if is_whole and not chosen else ()
    to_be_played = {first for first, _ in ties_to_be_played(found, decisive)}
    rows = [
        (
            player,
            reported.get(player.number) if is_whole and reported.get(player.number) != player.place else None,
            player.place in to_be_played,
        )
        for player in shown
    ]
    figures, listed = shown_figures(played, [player.number for player in shown])
    return {
        "headings": tie_break_headings(found),
        "marked": deciding_tie_breaks(shown),
        "ratings": figures,
        "listed": listed,
        "persons": played.players,
        "players": Rows(rows, first + 1, first + len(rows), total, build_pager(page, pages, total, href)),
    }


def shown_figures(played: Played, numbers: Sequence[int]) -> tuple[dict[int, EntryRating], Mapping[int, str]]:
    """Number → rating and change of these players, and the titles of those on the list.

    No figures of teams, nor of a session or of several parts: their games count apart, each in its list (R25).
    """
    if played.is_of_teams:
        return {}, {}
    players = {number: played.players[number].pk for number in numbers}
    counted, listed = rating_changes(played.found, list(players.values()), played.persons)
    if played.tournament.session or played.found.has_parts:
        return {}, listed
    figures = counted[0].figures
    return {number: figures[player] for number, player in players.items()}, listed


def deciding_tie_breaks(shown: Sequence[ShownPlayer]) -> dict[int, int]:
    """Number → the tie-break, from 1, that parts a player from a neighbour with equal points, from the second on."""
    decided: dict[int, int] = {}
    for before, after in pairwise(shown):
        values = zip(before.values, after.values, strict=True)
        place = next((place for place, (own, other) in enumerate(values, 1) if own != other), 0)
        if place > 1 and before.points == after.points:
            for player in (before, after):
                decided[player.number] = max(place, decided.get(player.number, 0))
    return decided


def chosen_of(form: forms.Form) -> dict[str, str]:
    """What was chosen, as parameters of an address."""
    return {name: str(value) for name, value in form.cleaned_data.items() if value}
