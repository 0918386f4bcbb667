"""The endpoints of published lists of participants and reserve lists."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from reporting.web.api.fields import row_pages
from reporting.web.query_params import KnownField
from titles.federations.fmjd.championships.publication import key_of_list
from titles.federations.fmjd.championships.views.public import FILES
from titles.federations.fmjd.models import Championship, Publication
from titles.federations.fmjd.world_cup.publications.selectors import published
from titles.federations.fmjd.world_cup.sharing.api import serializers
from titles.federations.fmjd.world_cup.sharing.api.revisions import (
    DIFFERENCES,
    DifferencesView,
    PublicationsView,
    RevisionView,
    YearForm,
    changed,
    described,
    whole,
)


class ChampionshipsForm(YearForm):
    """Which lists of participants and reserve lists."""

    championship = KnownField(
        r"\A[a-z0-9-]{1,12}\Z",
        lambda code: Championship.objects.filter(code=code).exists(),
        _("There is no championship with this code."),
        help_text="Its code, such as world-2027.",
    )
    kind = forms.ChoiceField(
        required=False,
        choices=[(one, one) for one in serializers.LISTS],
        help_text="Participants or reserves.",
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.fields["year"].help_text = "Of the championship."


class ListsView(PublicationsView):
    """The published lists of championships."""

    parameters = ChampionshipsForm
    row = serializers.PublishedListSerializer

    def found(self, filters: Mapping[str, Any]) -> QuerySet[Publication]:
        found = published().filter(kind__in=serializers.LISTS)
        if filters["championship"]:
            found = found.filter(championship=filters["championship"])
        if filters["kind"]:
            found = found.filter(kind=filters["kind"])
        if filters["year"]:
            codes = Championship.objects.filter(year=filters["year"]).values("code")
            found = found.filter(championship__in=codes)
        return found

    @extend_schema(
        operation_id="listChampionshipLists", responses=row_pages(serializers.PublishedListSerializer)
    )
    def get(self, request: Request) -> HttpResponseBase:
        """The published lists of participants and reserve lists of championships, all revisions.

        Order: by `published_at`, the last one first.
        """
        return self.rows_of(request)


@described(
    "retrieveParticipants",
    "A published list of the participants of a championship: the places in order of the items.",
    whole(serializers.PublishedListSerializer, serializers.ParticipantSerializer),
)
class ParticipantsView(RevisionView):
    """A list of participants."""

    key = staticmethod(key_of_list)
    published_type = serializers.PublishedListSerializer
    row = serializers.ParticipantSerializer
    files = (*FILES,)


@described(
    "listParticipantsDifferences",
    DIFFERENCES.format("a list of participants"),
    changed(serializers.ParticipantDifferenceSerializer),
)
class ParticipantsDifferencesView(DifferencesView):
    """What a revision of a list of participants changed."""

    key = staticmethod(key_of_list)
    row = serializers.ParticipantDifferenceSerializer


@described(
    "retrieveReserves",
    "A published reserve list of a championship.",
    whole(serializers.PublishedListSerializer, serializers.ReserveSerializer),
)
class ReservesView(RevisionView):
    """A reserve list."""

    key = staticmethod(key_of_list)
    published_type = serializers.PublishedListSerializer
    row = serializers.ReserveSerializer
    files = (*FILES,)


@described(
    "listReservesDifferences",
    DIFFERENCES.format("a reserve list"),
    changed(serializers.ReserveDifferenceSerializer),
)
class ReservesDifferencesView(DifferencesView):
    """What a revision of a reserve list changed."""

    key = staticmethod(key_of_list)
    row = serializers.ReserveDifferenceSerializer
