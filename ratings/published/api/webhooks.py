"""Endpoints of webhooks, for programs with a token that has their scope."""

from http import HTTPStatus
from typing import Any, ClassVar

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.response import Response
from rest_framework.serializers import (
    BooleanField,
    CharField,
    DateTimeField,
    IntegerField,
    Serializer,
    URLField,
)

from ratings.models import Webhook, WebhookDelivery
from ratings.publishing.public_changes.webhooks.manage_webhooks import (
    delete_webhook,
    register_webhook,
    send_test,
    works,
)
from ratings.publishing.public_changes.webhooks.selectors import last_deliveries, own_webhooks
from ratings.publishing.public_changes.webhooks.targets import TargetError
from reporting.models import Scope
from reporting.reports.api import bodies
from reporting.reports.api.token_api import TokenRequest, TokenView
from reporting.web.api.errors import BadParametersError
from reporting.web.api.fields import OptionalChoiceField
from reporting.web.api.parameters import shortened

JSON = "application/json"
WEBHOOK_SCHEMA = bodies.object_of({"url": bodies.text(500)}, "url")


class DeliverySerializer(Serializer[Any]):
    """A delivery with the outcome of its last attempt; `change` is null for a test."""

    change = IntegerField(allow_null=True, help_text="The number of the change.", source="change_id")
    created_at = DateTimeField()
    attempts = IntegerField()
    tried_at = DateTimeField(allow_null=True)
    status = IntegerField(allow_null=True, help_text="Of the last answer.")
    problem = OptionalChoiceField(WebhookDelivery.Problem.values)
    next_at = DateTimeField(allow_null=True, help_text="When it is tried next.")
    delivered_at = DateTimeField(allow_null=True)


class WebhookSerializer(Serializer[Any]):
    """A webhook; without `works` nothing is sent: it has ended, or its token has."""

    number = IntegerField()
    url = URLField()
    token = CharField(help_text="The name of the token with which it ends.")
    works = BooleanField()
    created_at = DateTimeField()
    ended_at = DateTimeField(allow_null=True)


class NewWebhookSerializer(WebhookSerializer):
    """A new webhook with the secret of its signatures, which no later answer has."""

    secret = CharField()


class WholeWebhookSerializer(WebhookSerializer):
    """A webhook with its last deliveries, the newest first."""

    deliveries = DeliverySerializer(many=True)


def webhook_in_answer(webhook: Webhook) -> dict[str, Any]:
    return {
        "number": webhook.pk,
        "url": webhook.url,
        "token": webhook.token.name,
        "works": works(webhook),
        "created_at": webhook.created_at,
        "ended_at": webhook.ended_at,
    }


class WebhooksView(TokenView):
    """Webhooks."""

    scopes: ClassVar = {"GET": Scope.WEBHOOKS, "POST": Scope.WEBHOOKS}

    @extend_schema(operation_id="listWebhooks", responses=WebhookSerializer(many=True))
    def get(self, request: TokenRequest) -> Response:
        """Your webhooks.

        Order: the oldest first.
        """
        self.read(request)
        rows = [webhook_in_answer(webhook) for webhook in own_webhooks(request.user)]
        return Response(WebhookSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="registerWebhook",
        request={JSON: WEBHOOK_SCHEMA},
        responses={201: NewWebhookSerializer},
    )
    def post(self, request: TokenRequest) -> Response:
        """Register an address for the changes from now on. It gets them as long as this token works."""
        self.read(request)
        url = bodies.validated(request.data, WEBHOOK_SCHEMA)["url"]
        # Without `once`: a kept answer would have the secret, and the same address is refused the second time anyway.
        try:
            created = register_webhook(url=url, token=request.auth, by=self.actor(request))
        except TargetError as error:
            problem = error.problem
            finding = {
                "code": problem.value,
                "field": "url",
                "found": shortened(url),
                "message": str(problem.label),
            }
            raise BadParametersError([finding]) from error
        created.webhook.refresh_from_db(fields=["created_at"])
        answer = webhook_in_answer(created.webhook) | {"secret": created.secret}
        location = reverse("api-webhook", args=[created.webhook.pk])
        return Response(NewWebhookSerializer(answer).data, HTTPStatus.CREATED, headers={"Location": location})


class OneWebhookView(TokenView):
    """A webhook."""

    http_method_names = ["get", "head", "delete"]  # noqa: RUF012 (as Django declares it)
    scopes: ClassVar = {"GET": Scope.WEBHOOKS, "DELETE": Scope.WEBHOOKS}

    @extend_schema(operation_id="retrieveWebhook", responses=WholeWebhookSerializer)
    def get(self, request: TokenRequest, number: int) -> Response:
        """A webhook of yours with its last 50 deliveries."""
        self.read(request)
        webhook = own_webhooks(request.user).filter(pk=number).first()
        if webhook is None:
            raise Http404
        answer = webhook_in_answer(webhook) | {"deliveries": last_deliveries(webhook)}
        return Response(WholeWebhookSerializer(answer).data)

    @extend_schema(operation_id="deleteWebhook", responses={204: OpenApiResponse(description="Deleted.")})
    def delete(self, request: TokenRequest, number: int) -> Response:
        """Delete a webhook of yours with its deliveries."""
        self.read(request)
        delete_webhook(number=number, by=self.actor(request))
        return Response(status=HTTPStatus.NO_CONTENT)


class WebhookTestView(TokenView):
    """A test of a webhook."""

    scopes: ClassVar = {"POST": Scope.WEBHOOKS}

    @extend_schema(operation_id="testWebhook", request=None, responses={202: DeliverySerializer})
    def post(self, request: TokenRequest, number: int) -> Response:
        """Have a test sent, of the type `test`, within seconds and once."""
        self.read(request)
        delivery = send_test(number=number, by=self.actor(request))
        delivery.refresh_from_db()
        return Response(DeliverySerializer(delivery).data, HTTPStatus.ACCEPTED)
