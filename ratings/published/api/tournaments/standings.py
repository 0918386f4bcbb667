"""The endpoint of the standings of a tournament."""

import re
from typing import Any

from django import forms
from django.http import HttpResponseBase
from django.utils.translation import gettext, gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from ratings.published.api.serializers.tournaments import StandingSerializer
from ratings.published.api.tournaments.facts import NO_TOURNAMENT, tournament_or_404
from ratings.published.views.tournaments.played import classified, played_or_404
from ratings.queries import tournaments as selectors
from reporting.refusals.domain_error import DomainError
from reporting.rules.standings.classify import RoundPointsError, TeamsOnlyError, TieBreakNotDefinedError
from reporting.rules.standings.fide import Edition
from reporting.rules.standings.registry import TIE_BREAKS
from reporting.rules.standings.unplayed import METHODS
from reporting.web.api.endpoints import PublicView
from reporting.web.query_params import WholeNumberField

KEYS = "|".join(map(re.escape, TIE_BREAKS))


class StandingsForm(forms.Form):
    """The regulations by which a tournament is classified, and the last round that counts."""

    tie_breaks = forms.RegexField(
        rf"\A({KEYS})(,({KEYS})){{0,4}}\Z",
        required=False,
        help_text="At most five keys in order, with commas; without any those of the tournament's details, else of its "
        f"federation, if any (R50 to R60e, C.07 of FIDE): {', '.join(TIE_BREAKS)}.",
        error_messages={
            "invalid": gettext_lazy("At most five of these, with commas: %(known)s.")
            % {"known": ", ".join(TIE_BREAKS)}
        },
    )
    unplayed = forms.ChoiceField(
        required=False,
        choices=[(key, key) for key in METHODS],
        help_text="How unplayed games count in tie-breaks; without it as the tournament's details say.",
    )
    edition = forms.ChoiceField(
        required=False,
        choices=[(one.value, one.value) for one in Edition],
        help_text="Of FIDE's C.07, for its keys; without it that of the tournament's last day.",
    )
    round = WholeNumberField(
        required=False, min_value=1, max_value=99, help_text="The standings after this round."
    )

    @property
    def keys(self) -> list[str]:
        """The tie-breaks in order, each once."""
        return list(dict.fromkeys(filter(None, self.cleaned_data["tie_breaks"].split(","))))


class StandingsView(PublicView):
    """The standings of a tournament."""

    nothing_found = NO_TOURNAMENT

    parameters = StandingsForm

    @extend_schema(operation_id="listTournamentStandings", responses=StandingSerializer(many=True))
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """The standings by chosen tie-breaks, with the exact values behind the places.

        Order: by place, those who are not classified last.
        """
        form = self.read(request)
        asked = form.cleaned_data
        _, stamp = tournament_or_404(code)

        def make() -> Any:
            played = played_or_404(code, asked["round"])
            if (asked["round"] or 0) > played.rounds:
                raise NotFound(gettext("The tournament has %(rounds)s rounds.") % {"rounds": played.rounds})
            try:
                found = classified(played, form.keys, asked["unplayed"], asked["edition"])
            except RoundPointsError as refused:
                raise DomainError("round_points_only", keys=str(refused)) from None
            except TieBreakNotDefinedError as refused:
                raise DomainError("tie_break_not_defined", keys=str(refused)) from None
            except TeamsOnlyError as refused:
                raise DomainError("tie_break_of_teams", keys=str(refused)) from None
            fixed = ("number", "name", "points", "place")
            addresses = {} if played.is_of_teams else selectors.player_addresses(played.found)
            rows = [
                {name: row[name] for name in fixed}
                | {"player": addresses.get(row["number"])}
                | {"tie_breaks": {key: value for key, value in row.items() if key not in fixed}}
                for row in found.to_json()
            ]
            return StandingSerializer(rows, many=True).data

        return self.answer(request, stamp, make)
