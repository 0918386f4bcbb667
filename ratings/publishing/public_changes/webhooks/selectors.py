"""A person's webhooks and their deliveries."""

from django.db.models import QuerySet

from ratings.models import Webhook, WebhookDelivery
from reporting.models import User

SHOWN_DELIVERIES = 50


def own_webhooks(account: User) -> QuerySet[Webhook]:
    """The webhooks of a person with their tokens, oldest first. 1 query."""
    return Webhook.objects.filter(account=account).select_related("token__account").order_by("pk")


def last_deliveries(webhook: Webhook) -> QuerySet[WebhookDelivery]:
    """The last deliveries of a webhook with their changes, newest first. 1 query."""
    return webhook.deliveries.select_related("change").order_by("-pk")[:SHOWN_DELIVERIES]
