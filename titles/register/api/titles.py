"""Endpoints of titles: the register of titles, and the titles and norms of a player."""

from typing import Any

from django import forms
from django.http import HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ratings.published.api.players import NO_PLAYER
from ratings.published.views.players.players import player_at, player_stamp
from reporting.models import PlayerTitle
from reporting.register.title_codes import title_code_of
from reporting.web.api.endpoints import PublicView
from reporting.web.api.fields import row_pages
from reporting.web.api.parameters import SearchRowsForm
from titles.queries.ledgers import DisciplineLedger, TitleProgress, player_ledgers
from titles.register.api.norms import norm_in_answer, requirement_in_answer
from titles.register.api.serializers import LedgerSerializer, TitleSerializer
from titles.register.selectors import found_titles, titles_stamp
from titles.register.views import TitleForm


class TitlesForm(TitleForm, SearchRowsForm):
    """Which titles: the filters of the page."""

    federation = forms.RegexField(r"\A[A-Z]{3}\Z", required=False)
    former = forms.ChoiceField(required=False, choices=[("on", "on")], help_text="Former titles too.")

    def __init__(self, data: Any = None) -> None:
        super().__init__(data or {})


class TitlesView(PublicView):
    """The register of titles."""

    parameters = TitlesForm

    @extend_schema(operation_id="listTitles", responses=row_pages(TitleSerializer))
    def get(self, request: Request) -> HttpResponseBase:
        """The titles of players: those held now, with `former=on` all.

        Order: by name, then by discipline and `registered_on`.
        """
        form = self.read(request)

        def make() -> Any:
            found = found_titles(form.filters)
            rows = TitleSerializer([title_in_answer(title) for title in found[form.rows]], many=True).data
            return self.rows(request, form, found.count(), rows)

        return self.answer(request, titles_stamp(), make)


def title_in_answer(title: PlayerTitle) -> dict[str, Any]:
    return {
        "player": title.player.address,
        "name": title.player.printed_name,
        "federation": title.player.federation_id,
        **{
            name: getattr(title, name)
            for name in ("title", "discipline", "awarded_by", "registered_on", "withdrawn_on")
        },
        "certificate": reverse("title-certificate", args=(title_code_of(title),)),
    }


class PlayerTitlesView(PublicView):
    """The titles and norms of a player."""

    nothing_found = NO_PLAYER

    @extend_schema(operation_id="listPlayerTitles", responses=LedgerSerializer(many=True))
    def get(self, request: Request, address: str) -> HttpResponseBase:
        """The titles of a player, the confirmed norms, and what the next titles still ask.

        Order: by discipline; norms the newest first.
        """
        self.read(request)
        found = player_at(request._request, address)
        player = found.player

        def make() -> Any:
            (ledger,) = player_ledgers([player], with_applications=False)
            return LedgerSerializer(
                [discipline_in_answer(of_discipline) for of_discipline in ledger.disciplines], many=True
            ).data

        return self.answer(request, (*titles_stamp(), *found.titles_stamp, *player_stamp(found)), make)


def discipline_in_answer(ledger: DisciplineLedger) -> dict[str, Any]:
    return {
        "discipline": ledger.discipline,
        "awarded_by": ledger.awarded_by,
        "titles": [title_in_answer(title) for title in ledger.held],
        "norms": [norm_in_answer(norm) for norm in (*ledger.automatic_norms, *ledger.norms)],
        "progress": [progress_in_answer(progress) for progress in ledger.shown],
    }


def progress_in_answer(progress: TitleProgress) -> dict[str, Any]:
    return {
        "title": progress.title,
        "is_due": progress.is_due,
        "norms": [norm.pk for norm in progress.norms],
        "requirements": [requirement_in_answer(row) for row in progress.requirements],
        "by_rating": [requirement_in_answer(row) for row in progress.by_rating],
    }
