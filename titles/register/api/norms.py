"""Endpoints of norms: the confirmed ones of published lists, and one with its requirements."""

from typing import Any

from django import forms
from django.http import Http404, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ratings.models import Pool
from ratings.published.api.players import ADDRESS, NO_PLAYER, NO_POOL, POOL
from ratings.published.api.tournaments.facts import NO_TOURNAMENT
from ratings.queries.addresses import published_players
from ratings.queries.counted_results import published_lines
from ratings.queries.lists import find_pool
from reporting.models import Player, ResultSet
from reporting.web.api.endpoints import PublicView
from reporting.web.api.fields import row_pages
from reporting.web.api.parameters import RowsForm
from reporting.web.forms import DayField
from reporting.web.query_params import KnownField
from titles.federations.registry import titles_of_norms
from titles.models import Norm
from titles.norms.selectors import published_norm
from titles.queries.norms import counting_norms, counting_norms_of
from titles.register.api.serializers import NormSerializer, WholeNormSerializer
from titles.register.selectors import titles_stamp
from titles.rules.requirement import Requirement

CODE = r"\A[a-z0-9-]{1,80}\Z"


def is_counted(code: str) -> bool:
    """Whether a published list counts a tournament with this code. 1 query."""
    return published_lines().filter(result_set__tournament__code=code).exists()


def is_published(address: str) -> bool:
    """Whether the player of this address is on a published list. 2 queries."""
    player = Player.objects.at_address(address)
    return player is not None and bool(published_players([player.pk]))


class NormsForm(RowsForm):
    """Which norms."""

    pool = KnownField(POOL, find_pool, NO_POOL, help_text="Of the lists of this pool.")
    in_force = DayField(required=False, help_text="Of the lists of this day.")
    tournament = KnownField(CODE, is_counted, NO_TOURNAMENT, help_text="Its code.")
    player = KnownField(rf"\A{ADDRESS}\Z", is_published, NO_PLAYER, help_text="The player in addresses.")
    title = forms.ChoiceField(required=False, choices=lambda: [(title, title) for title in titles_of_norms()])


class NormsView(PublicView):
    """The norms of published lists."""

    parameters = NormsForm

    @extend_schema(operation_id="listNorms", responses=row_pages(NormSerializer))
    def get(self, request: Request) -> HttpResponseBase:
        """The confirmed norms and automatic titles of published lists.

        Order: by the last day of the tournament, the latest first; then by `id`.
        """
        form = self.read(request)
        asked = form.cleaned_data
        found = counting_norms()
        if asked["player"]:
            player = Player.objects.at_address(asked["player"])
            found = counting_norms_of(player) if player else found.none()
        if asked["pool"]:
            found = found.filter(list__pool__in=Pool.objects.filter(code=asked["pool"]))
        if asked["in_force"]:
            found = found.filter(list__in_force=asked["in_force"])
        if asked["tournament"]:
            found = found.filter(
                result_set__in=ResultSet.objects.filter(tournament__code=asked["tournament"])
            )
        if asked["title"]:
            found = found.filter(title=asked["title"])
        stamp = tuple(found.order_by("pk").values_list("pk", flat=True))

        def make() -> Any:
            rows = found.select_related("player", "result_set").order_by("-result_set__played_to", "pk")
            answers = NormSerializer([norm_in_answer(norm) for norm in rows[form.rows]], many=True).data
            return self.rows(request, form, len(stamp), answers)

        return self.answer(request, (*titles_stamp(), *stamp), make)


class NormView(PublicView):
    """A norm."""

    nothing_found = gettext_lazy("There is no such norm of a published list.")

    @extend_schema(operation_id="retrieveNorm", responses=WholeNormSerializer)
    def get(self, request: Request, number: int) -> HttpResponseBase:
        """A confirmed norm or a near miss, with what each article asked and what was found."""
        self.read(request)
        try:
            norm = published_norm(number).norm
        except Norm.DoesNotExist:
            raise Http404 from None
        requirements = [requirement_in_answer(row) for row in norm.requirements]
        answer = WholeNormSerializer(norm_in_answer(norm) | {"requirements": requirements}).data
        return self.answer(request, (*titles_stamp(), norm.pk, norm.list_id), lambda: answer)


def norm_in_answer(norm: Norm) -> dict[str, Any]:
    names = (
        "title", "discipline", "kind", "colour", "games", "points_scored", "points_asked", "average_rating",
    )  # fmt: skip
    return {
        "id": norm.pk,
        "player": norm.player.address,
        "name": norm.player.printed_name,
        "tournament": norm.result_set.code,
        **{name: getattr(norm, name) for name in names},
        "url": reverse("api-norm", args=(norm.pk,)),
    }


def requirement_in_answer(row: Requirement) -> dict[str, Any]:
    return {
        "article": row.article,
        "asks": {"code": row.asks.code, "values": dict(row.asks.values)},
        "found": {"code": row.found.code, "values": dict(row.found.values)},
        "met": row.met,
        "colour": row.colour,
    }
