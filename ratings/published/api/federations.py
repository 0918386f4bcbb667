"""Endpoints of federations: all of the register, and one with its places in the rankings."""

from typing import Any

from django.http import Http404, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ratings.published.api.lists import federation_in_answer
from ratings.published.api.serializers.lists import FederationKeySerializer, WholeFederationSerializer
from ratings.published.selectors.federations import federation_name, federation_ranks
from ratings.queries.addresses import list_key
from ratings.queries.lists import lists_of_today
from reporting.accounts.selectors import named_officials
from reporting.models import Federation
from reporting.web.api.endpoints import PublicView
from reporting.web.api.fields import row_pages
from reporting.web.api.parameters import RowsForm


class FederationsView(PublicView):
    """The federations."""

    parameters = RowsForm

    @extend_schema(operation_id="listFederations", responses=row_pages(FederationKeySerializer))
    def get(self, request: Request) -> HttpResponseBase:
        """The federations of the register.

        Order: by `code`.
        """
        form = self.read(request)
        every = tuple(Federation.objects.order_by("code").values_list("code", "name"))

        def make() -> Any:
            rows = [federation_key(code, name) for code, name in every[form.rows]]
            return self.rows(request, form, len(every), FederationKeySerializer(rows, many=True).data)

        return self.answer(request, every, make)


class FederationView(PublicView):
    """A federation."""

    nothing_found = gettext_lazy("There is no such federation in the register.")

    @extend_schema(operation_id="retrieveFederation", responses=WholeFederationSerializer)
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """A federation: officials who chose to be named, ranks on the lists in force and the next ones (R13)."""
        self.read(request)
        name = federation_name(code)
        if name is None:
            raise Http404
        today, officials = lists_of_today(), named_officials(code)

        def make() -> Any:
            rankings = [
                {"list": list_key(ranking.rating_list), **federation_in_answer(row)}
                for ranking in map(federation_ranks, today.shown)
                for row in ranking.all_players
                if row.code == code
            ]
            page = reverse("federation", args=(code,))
            return WholeFederationSerializer(
                {
                    **federation_key(code, name),
                    "national_officials": officials,
                    "rankings": rankings,
                    "page": page,
                }
            ).data

        return self.answer(request, (name, officials, *today.stamp), make)


def federation_key(code: str, name: str) -> dict[str, str]:
    return {"code": code, "name": name, "url": reverse("api-federation", args=(code,))}
