"""The endpoints of youth teams below `/api/v1/`."""

from typing import Any

from django.http import Http404, HttpResponseBase
from django.urls import path
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.serializers import CharField, ChoiceField, IntegerField, Serializer

from reporting.web.api.endpoints import PublicView
from reporting.web.api.fields import row_pages
from reporting.web.api.parameters import RowsForm
from titles.federations.fmjd.world_cup.forms import SECTIONS
from titles.federations.fmjd.world_cup.inputs import FIRST_YEAR, LAST_YEAR
from titles.federations.fmjd.world_cup.selectors import stamp
from titles.federations.fmjd.world_cup.youth_teams.forms import TEMPOS, SectionForm
from titles.federations.fmjd.world_cup.youth_teams.selectors import championships, published_teams


class YouthChampionshipSerializer(Serializer[Any]):
    """World youth championships of a year, tempo and discipline."""

    year = IntegerField()
    tempo = ChoiceField(list(TEMPOS))
    section = ChoiceField([code for code, _label in SECTIONS])
    groups = IntegerField(help_text="Of age, boys and girls, that published lists count.")


class YouthResultSerializer(Serializer[Any]):
    """What a player of a group brings the federation."""

    tournament = CharField(help_text="Code of the group.")
    fmjd_id = IntegerField()
    place = IntegerField()
    tp = IntegerField(help_text="Points of the final table, in 2-1-0.")
    percent = IntegerField()
    bonus = IntegerField()
    points = IntegerField(help_text="`percent` and `bonus`.")


class YouthTeamSerializer(Serializer[Any]):
    """A federation of the team classification."""

    rank = IntegerField(help_text="Federations that are equal in all share it.")
    federation = CharField()
    points = IntegerField()
    first = IntegerField(help_text="Number of first places.")
    second = IntegerField()
    third = IntegerField()
    results = YouthResultSerializer(many=True, help_text="Those that count.")
    others = YouthResultSerializer(many=True, help_text="Those that do not.")


class TeamsForm(SectionForm, RowsForm):
    """Which teams."""


class YouthChampionshipsView(PublicView):
    """The years with youth teams."""

    parameters = RowsForm

    @extend_schema(operation_id="listYouthChampionships", responses=row_pages(YouthChampionshipSerializer))
    def get(self, request: Request) -> HttpResponseBase:
        """The world youth championships that published lists count.

        Order: by `year`, the newest first; then by `tempo` and `section`.
        """
        form = self.read(request)

        def make() -> Any:
            found = [
                {"year": year, "tempo": tempo, "section": section, "groups": groups}
                for (year, tempo, section), groups in championships().items()
                if tempo
            ]
            rows = YouthChampionshipSerializer(found[form.rows], many=True).data
            return self.rows(request, form, len(found), rows)

        return self.answer(request, stamp(), make)


class YouthTeamsView(PublicView):
    """The youth teams of a year and tempo."""

    parameters = TeamsForm
    nothing_found = _("There are no youth teams of this year and tempo.")

    @extend_schema(operation_id="listYouthTeams", responses=row_pages(YouthTeamSerializer))
    def get(self, request: Request, year: int, tempo: str) -> HttpResponseBase:
        """The federations of the world youth championships of a year and tempo, with the results of their players.

        Order: by `rank`, then by `federation`.
        """
        form = self.read(request)
        if tempo not in TEMPOS or not FIRST_YEAR <= year <= LAST_YEAR:
            raise Http404

        def make() -> Any:
            found = published_teams(year, tempo, form.cleaned_data["section"])
            rows = YouthTeamSerializer(found[form.rows], many=True).data
            return self.rows(request, form, len(found), rows)

        return self.answer(request, stamp(), make)


urlpatterns = [
    path("youth-teams/", YouthChampionshipsView.as_view(), name="api-youth-championships"),
    path("youth-teams/<number:year>/<slug:tempo>/", YouthTeamsView.as_view(), name="api-youth-teams"),
]
