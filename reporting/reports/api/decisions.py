"""What only the federation can say of a tournament, for programs of the office (R78, decision 0084)."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, ClassVar

from django.http import Http404
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateTimeField,
    IntegerField,
    Serializer,
)

from reporting.models import ResultSet, Scope
from reporting.policies import check_can_see_decisions
from reporting.reports.api import bodies
from reporting.reports.api.token_api import KEY_PARAMETER, TokenRequest, TokenView
from reporting.reports.decisions.selectors import ItemState, item_states, tournament_of
from reporting.reports.decisions.services import decide_tournaments
from reporting.rules.details.decided_items import known_items, values_of
from reporting.web.api.fields import OptionalTextField

DECISIONS_SCHEMA = bodies.object_of(
    {
        "decisions": bodies.object_of(
            {name: {"type": "string", "enum": list(values_of(item))} for name, item in known_items().items()}
        ),
        "reason": bodies.text(2_000),
        "seen": {"type": "integer", "minimum": 0, "maximum": bodies.LARGEST_NUMBER},
    },
    "decisions",
)


CODE_PARAMETER = OpenApiParameter(
    "code", {"type": "string", "pattern": "^[-a-zA-Z0-9_]{1,80}$"}, OpenApiParameter.PATH
)


class ItemSerializer(Serializer[Any]):
    """One item of a tournament: what its report proposes and what is decided."""

    item = ChoiceField(list(known_items()))
    proposal = OptionalTextField(help_text="What the report says.")
    value = OptionalTextField(help_text="What is decided; null for nothing.")
    number = IntegerField(help_text="Of the newest decision on the item; 0 before the first.")
    reason = OptionalTextField()
    decided_by = OptionalTextField()
    decided_at = DateTimeField(allow_null=True)
    waits = BooleanField(help_text="Whether it counts for nothing until it is decided.")


class DecisionsSerializer(Serializer[Any]):
    """What is decided of a tournament."""

    tournament = CharField()
    items = ItemSerializer(many=True)


def item_in_answer(state: ItemState) -> dict[str, Any]:
    decision = state.decision
    return {
        "item": state.item,
        "proposal": state.proposal,
        "value": decision.value if decision else None,
        "number": state.history[0].pk if state.history else 0,
        "reason": decision.reason if decision else None,
        "decided_by": decision.by.name if decision else None,
        "decided_at": decision.at if decision else None,
        "waits": state.is_waiting,
    }


class DecisionsView(TokenView):
    """What is decided of one tournament."""

    nothing_found = gettext_lazy("There is no report of a tournament with this code.")
    scopes: ClassVar[Mapping[str, Scope]] = {"GET": Scope.DECIDE, "POST": Scope.DECIDE}

    def tournament(self, request: TokenRequest, code: str) -> ResultSet:
        """The tournament. Raises DomainError `forbidden`, Http404."""
        check_can_see_decisions(request.user)
        found = tournament_of(code)
        if found is None:
            raise Http404
        return found

    def answer(self, tournament: ResultSet) -> dict[str, Any]:
        items = [item_in_answer(state) for state in item_states([tournament])[tournament.pk]]
        return dict(DecisionsSerializer({"tournament": tournament.code, "items": items}).data)

    @extend_schema(
        operation_id="retrieveDecisions", parameters=[CODE_PARAMETER], responses=DecisionsSerializer
    )
    def get(self, request: TokenRequest, code: str) -> Response:
        """What the report proposes and what is decided, for tokens of the office."""
        self.read(request)
        return Response(self.answer(self.tournament(request, code)))

    @extend_schema(
        operation_id="decide",
        parameters=[CODE_PARAMETER, KEY_PARAMETER],
        request={"application/json": DECISIONS_SCHEMA},
        responses=DecisionsSerializer,
    )
    def post(self, request: TokenRequest, code: str) -> Response:
        """Decide items, all or none. `seen` is the largest number of a decision that you saw."""
        self.read(request)
        sent = bodies.validated(request.data, DECISIONS_SCHEMA)
        tournament = self.tournament(request, code)

        def act() -> tuple[HTTPStatus, Any]:
            decide_tournaments(
                chosen=[(code, item, value) for item, value in sent["decisions"].items()],
                reason=sent.get("reason", ""),
                seen=sent.get("seen"),
                by=self.actor(request),
            )
            return HTTPStatus.OK, self.answer(tournament)

        status, answer = self.once(request, [code, sent], act)
        return Response(answer, status)
