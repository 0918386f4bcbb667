"""The endpoint that searches players, tournaments and federations as the site does."""

from typing import Any

from django.http import HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ratings.published.api.federations import federation_key
from ratings.published.api.players import player_in_answer
from ratings.published.api.serializers.reference import FoundSerializer
from ratings.published.selectors.search import Found, search
from ratings.queries.lists import lists_of_today
from reporting.register.selectors.titles import title_changes
from reporting.web.api.endpoints import PublicView
from reporting.web.api.parameters import SearchRowsForm
from reporting.web.query_params import WholeNumberField

MOST_FOUND, FOUND = 100, 20


class SearchEverythingForm(SearchRowsForm):
    """What is searched for, and how many of each kind are in the answer."""

    limit = WholeNumberField(
        required=False,
        min_value=1,
        max_value=MOST_FOUND,
        help_text=f"At most so many of each kind; {FOUND} by default.",
    )
    offset = None  # type: ignore[assignment]


class SearchView(PublicView):
    """The search."""

    parameters = SearchEverythingForm

    @extend_schema(operation_id="searchEverything", responses=FoundSerializer)
    def get(self, request: Request) -> HttpResponseBase:
        """Players, tournaments and federations, of each kind the likeliest first; without `q` nothing."""
        form = self.read(request)
        today, asked = lists_of_today(), form.search

        def make() -> Any:
            most = form.cleaned_data["limit"] or FOUND
            found = (
                search(today.shown, today.stamp, asked.words, asked.number, most) if asked.typed else Found()
            )
            names = ("code", "name", "place", "country", "played_from", "played_to")
            return FoundSerializer(
                {
                    "players": [player_in_answer(player, today.shown) for player in found.players],
                    "player_count": found.player_total,
                    "tournaments": [
                        {name: getattr(tournament, name) for name in names}
                        | {"url": reverse("api-tournament", args=(tournament.code,))}
                        for tournament in found.tournaments
                    ],
                    "tournament_count": found.tournament_total,
                    "federations": [federation_key(code, name) for code, name in found.federations],
                }
            ).data

        return self.answer(request, (*today.stamp, *title_changes()), make)
