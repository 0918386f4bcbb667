"""The worker's delivery of changes to webhooks, by the Standard Webhooks specification.

At least once: a worker that is killed between an answer and its commit delivers again, with the same `webhook-id`.
"""

import asyncio
import json
import ssl
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus

import httpx
from cryptography.fernet import InvalidToken
from django.db import connection, transaction
from django.utils import timezone
from rest_framework.utils.encoders import JSONEncoder

from ratings.models import PublicChange, Webhook, WebhookDelivery
from ratings.publishing.notifications import notify_webhook_ended
from ratings.publishing.public_changes.selectors import change_values, changes, newest_number
from ratings.publishing.public_changes.webhooks.manage_webhooks import works
from ratings.publishing.public_changes.webhooks.secrets import decrypted, signature
from ratings.publishing.public_changes.webhooks.targets import (
    Target,
    TargetError,
    parse_target,
    public_addresses,
)
from reporting.log.audit import acting_worker, record
from reporting.models.locks import release

Problem = WebhookDelivery.Problem
SECONDS = 10
"""For all of an attempt, from the look-up of the host to the status of the answer."""
RUN_SECONDS = 10
"""After it no attempt begins until the next run."""
DELIVERY_LOCK = 9_091_026
AGAIN = [
    timedelta(seconds=5), timedelta(minutes=5), timedelta(minutes=30),
    *(timedelta(hours=hours) for hours in (2, 5, 10, 14, 20, 24)),
]  # fmt: skip
"""After which time a failed delivery is tried again, as the specification has it; 75 hours in all."""
CLAIM = timedelta(minutes=1)
"""A delivery that a killed worker had begun is tried again after it."""
WAITING = 100
"""Deliveries that wait at a webhook; further changes follow when some are done."""
AT_ONCE = 20
RETENTION = timedelta(days=30)


@dataclass(frozen=True)
class Outcome:
    """What became of an attempt: the status of the answer, if there was one; the problem, empty if there was none."""

    status: int | None
    problem: str


def deliver_webhooks() -> int:
    """Send what is due to all webhooks that work; answers how many attempts. May run repeatedly.

    One process does so at a time, and not for longer than RUN_SECONDS and an attempt: the receivers may be slow, and
    the worker has other tasks. 1 query where no webhook works, 5 and no transaction number where nothing is to be sent,
    so that kept pages stay.
    """
    working = [
        webhook
        for webhook in Webhook.objects.filter(ended_at=None).select_related("token__account").order_by("pk")
        if works(webhook)
    ]
    if not working:
        return 0
    newest = newest_number()
    for webhook in working:
        if webhook.queued < newest:
            _queue(webhook, newest)
    with _alone() as alone:
        return _deliver(working) if alone else 0


@contextmanager
def _alone() -> Iterator[bool]:
    """Whether no other process delivers, which none does until the end of the block."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [DELIVERY_LOCK])
        (alone,) = cursor.fetchone()
    try:
        yield alone
    finally:
        if alone:
            release("SELECT pg_advisory_unlock(%s)", DELIVERY_LOCK)


def _deliver(working: Sequence[Webhook]) -> int:
    attempts, until = 0, time.monotonic() + RUN_SECONDS
    while time.monotonic() < until and (due := _claim(working)):
        with ThreadPoolExecutor(max_workers=1) as sender:  # the thread of the caller may have an event loop
            outcomes = sender.submit(asyncio.run, _send_all(due)).result()
        for delivery, outcome in zip(due, outcomes, strict=True):
            _store(delivery, outcome)
        attempts += len(due)
    return attempts


def delete_old_deliveries() -> int:
    """Delete deliveries older than a month; answers the number. May run repeatedly."""
    return WebhookDelivery.objects.filter(created_at__lt=timezone.now() - RETENTION).delete()[0]


@transaction.atomic
def _queue(webhook: Webhook, newest: int) -> None:
    """Give the next changes their deliveries, as many as may wait."""
    locked = Webhook.objects.select_for_update(skip_locked=True).filter(pk=webhook.pk, ended_at=None).first()
    if locked is None:
        return
    room = WAITING - locked.deliveries.filter(next_at__isnull=False).count()
    found = PublicChange.objects.filter(number__gt=locked.queued, number__lte=newest).order_by("number")
    numbers = list(found.values_list("number", flat=True)[: max(room, 0)])
    if numbers:
        WebhookDelivery.objects.bulk_create(
            WebhookDelivery(webhook=locked, change_id=number) for number in numbers
        )
        locked.queued = numbers[-1]
        locked.save(update_fields=["queued"])


def _claim(working: Sequence[Webhook]) -> list[WebhookDelivery]:
    """The next deliveries that are due; no other worker tries them meanwhile."""
    due = WebhookDelivery.objects.filter(
        next_at__lte=timezone.now(), webhook__in=[webhook.pk for webhook in working], webhook__ended_at=None
    )
    if not due.exists():
        return []
    with transaction.atomic():
        claimed = list(
            due.select_for_update(skip_locked=True, of=("self",)).order_by("next_at", "pk")[:AT_ONCE]
        )
        for delivery in claimed:
            delivery.attempts += 1
            delivery.next_at = timezone.now() + CLAIM
        WebhookDelivery.objects.bulk_update(claimed, ["attempts", "next_at"])
    read = WebhookDelivery.objects.select_related("webhook").in_bulk([delivery.pk for delivery in claimed])
    told = changes().in_bulk([delivery.change_id for delivery in claimed if delivery.change_id is not None])
    for delivery in read.values():
        if delivery.change_id is not None:
            delivery.change = told[delivery.change_id]
    return list(read.values())


@dataclass(frozen=True)
class SignedRequest:
    """The headers and the body of an attempt."""

    headers: Mapping[str, str]
    body: bytes


def request_of(delivery: WebhookDelivery) -> SignedRequest:
    """What is sent to a webhook now, signed with its secret."""
    if delivery.change is None:
        message, content = f"test_{delivery.pk}", {"type": "test", "timestamp": timezone.now(), "data": {}}
    else:
        values = change_values(delivery.change)
        message = f"change_{delivery.change.number}"
        content = {"type": values["event"], "timestamp": values["at"], "data": values}
    body = json.dumps(content, cls=JSONEncoder).encode()
    timestamp = int(time.time())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "rating-office-webhooks",
        "webhook-id": message,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature(decrypted(delivery.webhook.secret), message, timestamp, body),
    }
    return SignedRequest(headers, body)


async def _send_all(deliveries: Sequence[WebhookDelivery]) -> list[Outcome]:
    context = ssl.create_default_context()  # reads the certificates of this machine, for 40 ms
    return await asyncio.gather(*(attempt(delivery, context) for delivery in deliveries))


async def attempt(delivery: WebhookDelivery, context: ssl.SSLContext) -> Outcome:
    """Send to an address, checked now; no redirect is followed, and no body of an answer is read. No query."""
    try:
        request = request_of(delivery)
        async with asyncio.timeout(SECONDS):
            target = parse_target(delivery.webhook.url)
            addresses = await asyncio.to_thread(public_addresses, target)
            status = await _post(target, addresses[0], request, context)
    except InvalidToken:
        return Outcome(None, Problem.SECRET_LOST)
    except TargetError as error:
        return Outcome(None, error.problem)
    except (TimeoutError, httpx.TimeoutException):
        return Outcome(None, Problem.TOO_SLOW)
    except (httpx.HTTPError, OSError):
        return Outcome(None, Problem.NO_CONNECTION)
    accepted = HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES
    return Outcome(status, "" if accepted else Problem.STATUS)


async def _post(target: Target, address: str, request: SignedRequest, context: ssl.SSLContext) -> int:
    """The status of the answer of a server at this address, whose certificate is that of the target's host."""
    numeric = f"[{address}]" if ":" in address else address
    url = f"{target.scheme}://{numeric}:{target.port}{target.path}"
    async with httpx.AsyncClient(verify=context, trust_env=False, follow_redirects=False) as client:
        sent = client.build_request(
            "POST",
            url,
            headers={"Host": target.authority, **request.headers},
            content=request.body,
            extensions={"sni_hostname": target.host},
            timeout=SECONDS,
        )
        answer = await client.send(sent, stream=True)
        await answer.aclose()
    return answer.status_code


def _store(delivery: WebhookDelivery, outcome: Outcome) -> None:
    """Write the outcome of an attempt; end the webhook after the last one, or where no other one can succeed."""
    now = timezone.now()
    is_delivered, is_test = not outcome.problem, delivery.change_id is None
    is_hopeless = outcome.status == HTTPStatus.GONE or outcome.problem == Problem.SECRET_LOST
    is_last = is_delivered or is_test or is_hopeless or delivery.attempts > len(AGAIN)
    with transaction.atomic():
        WebhookDelivery.objects.filter(pk=delivery.pk).update(
            tried_at=now,
            status=outcome.status,
            problem=outcome.problem,
            delivered_at=now if is_delivered else None,
            next_at=None if is_last else now + AGAIN[delivery.attempts - 1],
        )
        if is_last and not is_delivered and not is_test:
            _end(delivery.webhook)


def _end(webhook: Webhook) -> None:
    if not Webhook.objects.filter(pk=webhook.pk, ended_at=None).update(ended_at=timezone.now()):
        return
    worker = acting_worker()
    record(by=worker, action="webhook.end", subject=f"webhook {webhook.pk}", after={"url": webhook.url})
    notify_webhook_ended(webhook)
