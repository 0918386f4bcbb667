"""What Prometheus reads of the web process: times of requests, and what the database says of worker, backup and mail.

Imported only where METRICS_BIND is set (config/wsgi.py). No label is a person's name or value.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from wsgiref.types import StartResponse, WSGIEnvironment

from django.db import DatabaseError, InterfaceError, close_old_connections
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils import timezone
from prometheus_client import CollectorRegistry, Counter, Histogram, make_wsgi_app
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from ratings.models import WebhookDelivery
from ratings.publishing.signs import read_signs
from ratings.worker.worker_signal import QUEUE, messages_in_queue
from reporting.models import SecurityEvent

Kind = SecurityEvent.Kind
REFUSED = {Kind.PASSWORD_REFUSED, Kind.CODE_REFUSED, Kind.TOO_MANY, Kind.TOKEN_REFUSED}
REQUESTS = Histogram(
    "rating_office_request_seconds",
    "Time to the beginning of an answer, by the name of its address and the class of its status.",
    ["view", "status"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
LOG_INS_REFUSED = Counter(
    "rating_office_log_ins_refused",
    "Wrong passwords, codes and tokens, and attempts over the limit.",
    ["kind"],
)


def measure_requests(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Count each request and its time."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        response = get_response(request)
        seconds = time.perf_counter() - began
        REQUESTS.labels(view_name(request), f"{response.status_code // 100}xx").observe(seconds)
        return response

    return middleware


def view_name(request: HttpRequest) -> str:
    """The name of the address, never what was typed; `none` where it has none. A kept page was not resolved yet."""
    try:
        return (request.resolver_match or resolve(request.path_info)).view_name
    except Resolver404:
        return "none"


@receiver(post_save, sender=SecurityEvent)
def count_refusal(instance: SecurityEvent, **_: object) -> None:
    if instance.kind in REFUSED:
        LOG_INS_REFUSED.labels(instance.kind).inc()


class OfficeCollector:
    """What is asked at each scrape: 4 queries, one question to the broker, one to the cache; without what is away."""

    def collect(self) -> Iterator[Metric]:
        queued = GaugeMetricFamily(
            "rating_office_queue_messages", "Messages that wait for the worker.", labels=["queue"]
        )
        if (messages := messages_in_queue()) is not None:
            queued.add_metric([QUEUE], messages)
        yield queued
        try:
            yield from self.of_database()
            answered = 1
        except (DatabaseError, InterfaceError):
            answered = 0
        yield GaugeMetricFamily(
            "rating_office_database_up", "1 if the database answered this scrape.", value=answered
        )

    def of_database(self) -> Iterator[Metric]:
        signs = read_signs()
        deliveries = WebhookDelivery.objects.filter(next_at__isnull=False, webhook__ended_at=None).count()
        ages = GaugeMetricFamily(
            "rating_office_age_seconds",
            "Since the last heartbeat of the worker, backup, verification; since the oldest waiting mail was written.",
            labels=["sign"],
        )
        now = timezone.now()
        for sign, since in signs.since.items():
            if since is not None:
                ages.add_metric([sign.value], (now - since).total_seconds())
        yield ages
        yield GaugeMetricFamily("rating_office_mail_waiting", "Messages to be mailed.", value=signs.mail)
        yield GaugeMetricFamily(
            "rating_office_webhook_deliveries_waiting",
            "Deliveries to webhooks that are due now or later.",
            value=deliveries,
        )


def metrics_application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """The answer at METRICS_BIND: counts of all processes of this web, and the state of the office."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    registry.register(OfficeCollector())
    close_old_connections()
    try:
        answer: Iterable[bytes] = make_wsgi_app(registry)(environ, start_response)
        return answer
    finally:
        close_old_connections()
