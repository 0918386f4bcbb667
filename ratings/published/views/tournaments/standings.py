"""Standings of a published tournament: by chosen tie-breaks, after a round, of one player, by every method."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
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

from ratings.models import RatingList
from ratings.published.selectors.tournaments.changes import EntryRating, rating_changes
from ratings.published.selectors.tournaments.tables import published_stamp, tournament_index
from ratings.published.views.list_query import address
from ratings.published.views.sharing.cards import tournament_card
from ratings.published.views.sharing.linked_data import sports_event
from ratings.queries import tournaments as selectors
from ratings.queries.list_rows import PAGE_ROWS
from ratings.queries.lists import NotPublishedError
from ratings.queries.tournaments import CountedTournament
from reporting.formats.write_report import REPORT_FILES, NotOffered
from reporting.models import Player, Report, ResultSet, User
from reporting.policies import check_can_submit
from reporting.reports.selectors.reports import accepted_report
from reporting.reports.standings.forms import TIE_BREAK_FIELDS, RegulationsForm
from reporting.reports.standings.labels import EDITION_LABELS, METHOD_LABELS, SHORT_METHODS
from reporting.reports.standings.shown import ShownPlayer, shown_players, shown_sums, tie_break_headings
from reporting.rules.points import points_text
from reporting.rules.regulations.decisive_places import decisive_places
from reporting.rules.regulations.rating_differences import rating_differences_e2
from reporting.rules.report import PointsScale, ReadReport
from reporting.rules.standings.classify import (
    RoundPointsError,
    Standings,
    TeamsOnlyError,
    TieBreakNotDefinedError,
    classify,
    ties_to_be_played,
)
from reporting.rules.standings.cross_table import CrossTable, cross_table
from reporting.rules.standings.fide import Edition
from reporting.rules.standings.registry import TIE_BREAKS
from reporting.rules.standings.teams import NoTeamsError, NotTeamMatchesError, team_table
from reporting.rules.standings.unplayed import METHODS
from reporting.web.access import refusal_message
from reporting.web.http_cache import cached, public_page
from reporting.web.paging import Rows, build_pager
from reporting.web.panels import panels_at, panels_stamp
from reporting.web.query_params import PageForm, WholeNumberField, declare_parameters

COMPARED = {"short": "BH/C1", "solkoff": "BH", "median": "BH/M1", "sb": "SB"}
"""The tie-breaks that depend on the method for unplayed games, and FIDE's of the same kind; the first by default."""


NOT_OFFERED = {
    NotOffered.HALF_POINTS: gettext_lazy("This format has no half points."),
    NotOffered.ROUNDS: gettext_lazy("Report files have at most 99 rounds; a game of a session is a round."),
}
"""Why a file is not offered."""

NOT_DEFINED = (RoundPointsError, TeamsOnlyError, TieBreakNotDefinedError)


class TournamentStandingsForm(RegulationsForm):
    """The regulations by which a tournament is shown, and the last round that counts."""

    round = WholeNumberField(
        label=gettext_lazy("After round"),
        required=False,
        min_value=1,
        max_value=99,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


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


@dataclass(frozen=True)
class Played:
    """A published tournament with its games as a table: of its teams, where it is one of teams."""

    found: CountedTournament
    report: ReadReport
    players: dict[int, Player]
    persons: dict[int, Player]
    table: CrossTable
    rounds: int

    @property
    def tournament(self) -> ResultSet:
        tournament: ResultSet = self.found.tournament
        return tournament

    @property
    def rating_list(self) -> RatingList:
        return self.found.rating_list

    @property
    def is_of_teams(self) -> bool:
        return self.table.boards is not None


def played_or_404(code: str, last_round: int | None = None) -> Played:
    """The tournament of an address, its games up to a round."""
    try:
        found, report, players, persons = selectors.played_tournament(code)
    except NotPublishedError as error:
        raise Http404 from error
    tournament = found.tournament
    rounds = max((game.round for game in report.games), default=0)
    if last_round is not None:
        report = replace(report, games=tuple(game for game in report.games if game.round <= last_round))
    scale = PointsScale(tournament.points)
    table = cross_table(report, scale=scale, system=tournament.system, counting=tournament.details.counting)
    if tournament.system == "teams":
        with suppress(NoTeamsError, NotTeamMatchesError):  # else its players are shown
            table = team_table(table, report)
    return Played(found, report, players, persons, table, rounds)


def classified(played: Played, keys: Sequence[str], unplayed: str, edition: str) -> Standings:
    """The standings by these tie-breaks, else by those of the tournament's details, else of its federation.

    So with an empty method for unplayed games; an empty edition is that of the last day (R60e). Raises the errors of
    NOT_DEFINED.
    """
    own = [key for key in played.tournament.standings if key in TIE_BREAKS]
    method = unplayed or played.tournament.unplayed
    return classify(
        played.table,
        keys or own,
        unplayed=method if method in METHODS else "",
        edition=edition,
        last_day=played.tournament.played_to,
        rating_differences_e2=rating_differences_e2(played.rating_list.system),
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


def head(found: CountedTournament) -> dict[str, Any]:
    """The values for the head of every page of a tournament."""
    rounds = (found.tournament.rounds_played or 0) * max(len(found.tournament.session), 1)
    return {
        "found": found,
        "tournament": found.tournament,
        "files": [
            (file, reason and NOT_OFFERED[reason])
            for file in REPORT_FILES
            # A format without half points is of another federation: nothing is missing.
            if (reason := file.not_offered(found.tournament.points, rounds)) is not NotOffered.HALF_POINTS
        ],
    }


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


@login_not_required
@require_safe
@declare_parameters(RegulationsForm, *TIE_BREAK_FIELDS)
def card(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """The rounds of one player, and the sum behind each tie-break.

    A value that cannot be used is named on the page of the standings, whose form has it.
    """
    form = RegulationsForm(request.GET)
    stamp = stamp_or_404(code)
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


def stamp_or_404(code: str) -> tuple[Any, ...]:
    try:
        return selectors.tournament_stamp(code)
    except NotPublishedError as error:
        raise Http404 from error
