"""The endpoint of champions below `/api/v1/`."""

from typing import Any

from django import forms
from django.http import HttpResponseBase
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.serializers import BooleanField, CharField, ChoiceField, IntegerField, Serializer

from reporting.web.api.endpoints import PublicView
from reporting.web.api.fields import OptionalTextField, row_pages
from reporting.web.api.parameters import RowsForm
from titles.federations.fmjd.champions.forms import ChampionsForm
from titles.federations.fmjd.champions.medals import all_podiums, champions_stamp
from titles.federations.fmjd.champions.views.public import lines_of
from titles.federations.fmjd.rules.championship_kinds import AREAS, SECTIONS, TEMPOS

DESCRIPTIONS = {
    "area": "Of the world or of a continent.",
    "section": "The squares of the board.",
    "tempo": "By the time for 60 moves.",
    "group": "The age group; `all-ages` for none.",
    "event": "Individual championships (`open`, `women`), or `teams`.",
    "year": "Of the last round.",
}
"""What the parameters are."""


class MedalSerializer(Serializer[Any]):
    """A medal of a championship."""

    championship = CharField(help_text="The championship in addresses, whatever its year.")
    area = ChoiceField(AREAS)
    section = ChoiceField(SECTIONS)
    tempo = ChoiceField(TEMPOS)
    group = OptionalTextField(help_text="The age group; null for all ages.")
    women = BooleanField()
    teams = BooleanField()
    year = IntegerField(help_text="Of the last round.")
    place = IntegerField(min_value=1, max_value=3)
    fmjd_id = IntegerField(allow_null=True, help_text="null for a team, and for who is not in the register.")
    name = OptionalTextField(
        help_text="Of the player, or as the source prints it; null for a team without a name."
    )
    federation = OptionalTextField(help_text="At the time of the championship.")
    tournament = OptionalTextField(help_text="The code of the tournament that was reported.")
    source = OptionalTextField(  # type: ignore[assignment]  # a field of that name
        help_text="Of a medal that the office entered."
    )


class MedalsForm(ChampionsForm, RowsForm):
    """Which championships: the filters of the page."""

    federation = forms.RegexField(r"\A[A-Z]{3}\Z", required=False, help_text="With a medal of it.")

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        for name, description in DESCRIPTIONS.items():
            self.fields[name].help_text = description


class ChampionsView(PublicView):
    """The medals of official championships."""

    parameters = MedalsForm

    @extend_schema(operation_id="listChampions", responses=row_pages(MedalSerializer))
    def get(self, request: Request) -> HttpResponseBase:
        """The medals of championships of the world and of continents that published lists count, or that were entered.

        Order: by year, the newest first; then by championship and place.
        """
        form = self.read(request)

        def make() -> Any:
            podiums = [podium for podium in all_podiums(published=True).podiums if form.admits(podium)]
            lines = list(lines_of(podiums))
            rows = MedalSerializer(lines[form.rows], many=True).data
            return self.rows(request, form, len(lines), rows)

        return self.answer(request, champions_stamp(), make)


urlpatterns = [path("champions/", ChampionsView.as_view(), name="api-champions")]
