"""A person's webhooks: registered with a token, tested, deleted."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from ratings.models import Webhook, WebhookDelivery
from ratings.publishing.public_changes.selectors import newest_number
from ratings.publishing.public_changes.webhooks.secrets import encrypted, new_secret
from ratings.publishing.public_changes.webhooks.targets import (
    Problem,
    TargetError,
    parse_target,
    public_addresses,
)
from reporting.accounts.services.tokens import may_act
from reporting.log.audit import Actor, record
from reporting.models import ApiToken, Scope, User
from reporting.policies import check_can_upload
from reporting.refusals.domain_error import DomainError

MOST_WEBHOOKS = 5
"""Of a person."""
LOOK_UP_SECONDS = 3
_look_ups = ThreadPoolExecutor(
    max_workers=2
)  # those that take longer hold these two, and no thread of the web


@dataclass(frozen=True)
class NewWebhook:
    """A stored webhook with its secret, which is shown this once."""

    webhook: Webhook
    secret: str


def register_webhook(*, url: str, token: ApiToken, by: Actor) -> NewWebhook:
    """Register an address for the changes from now on; it works as long as the token.

    Raises `TargetError`, and DomainError `webhook_token`, `webhook_registered`, `too_many_webhooks`, `forbidden`.
    """
    _look_up(url)  # before any lock: it asks other servers
    return _store(url, token, by)


def _look_up(url: str) -> None:
    """Check an address within `LOOK_UP_SECONDS`, however long the servers of its name take."""
    try:
        _look_ups.submit(public_addresses, parse_target(url)).result(LOOK_UP_SECONDS)
    except TimeoutError as error:
        raise TargetError(Problem.UNKNOWN_HOST) from error


@transaction.atomic
def _store(url: str, token: ApiToken, by: Actor) -> NewWebhook:
    account = _locked_account(by)
    check_can_upload(account)
    if token.account_id != account.pk or Scope.WEBHOOKS not in token.scopes or not may_act(token):
        raise DomainError("webhook_token")
    if Webhook.objects.filter(account=account).count() >= MOST_WEBHOOKS:
        raise DomainError("too_many_webhooks", most=MOST_WEBHOOKS)
    secret = new_secret()
    webhook = Webhook(account=account, token=token, url=url, secret=encrypted(secret), queued=newest_number())
    try:
        with transaction.atomic():
            webhook.save()
    except IntegrityError:
        raise DomainError("webhook_registered") from None
    record(
        by=by,
        action="webhook.register",
        subject=f"webhook {webhook.pk}",
        after={"url": url, "token": token.name},
    )
    return NewWebhook(webhook, secret)


@transaction.atomic
def delete_webhook(*, number: int, by: Actor) -> Webhook:
    """Delete a webhook of one's own with its deliveries. Raises DomainError `wrong_state.webhook`."""
    webhook = _own(number, by)
    record(
        by=by,
        action="webhook.delete",
        subject=f"webhook {webhook.pk}",
        before={"url": webhook.url, "token": webhook.token.name},
    )
    webhook.delete()
    return webhook


@transaction.atomic
def send_test(*, number: int, by: Actor) -> WebhookDelivery:
    """Have the worker send a test, once; one that waits already is the answer.

    Raises DomainError `wrong_state.webhook`, `webhook_ended`.
    """
    webhook = _own(number, by)
    if not works(webhook):
        raise DomainError("webhook_ended")
    waiting = webhook.deliveries.filter(change=None, next_at__isnull=False).first()
    return waiting or WebhookDelivery.objects.create(webhook=webhook)


def works(webhook: Webhook) -> bool:
    """Whether a webhook gets changes: it has not failed for good, and its token may act. 1 query, if it was read with
    token and account.
    """
    return webhook.ended_at is None and may_act(webhook.token)


def _locked_account(by: Actor) -> User:
    """The account that acts, one act on its webhooks at a time."""
    return User.objects.select_for_update(no_key=True).get(pk=by.user.pk)


def _own(number: int, by: Actor) -> Webhook:
    webhooks = Webhook.objects.filter(account=_locked_account(by)).select_related("token__account")
    webhook = webhooks.filter(pk=number).first()
    if webhook is None:
        raise DomainError("wrong_state.webhook")
    return webhook
