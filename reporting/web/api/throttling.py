"""How many requests a program has, and what its answers say about that."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from reporting.web.rate_limit import RequestCount, count_requests

REQUESTS_LEFT = "RateLimit-Remaining"
COUNTED = ("RateLimit-Limit", REQUESTS_LEFT, "RateLimit-Reset")
"""The headers of `limit_headers`."""
MAX_REQUESTS = 3_000
"""Requests of one network address in 15 minutes."""


class SourceThrottle(BaseThrottle):
    """So many requests of a token, else of a network, in 15 minutes; counted in the cache, all admitted if it fails."""

    act = "api"

    @property
    def most(self) -> int:
        return MAX_REQUESTS

    def allow_request(self, request: Request, view: Any) -> bool:
        self.request, self.token = request._request, request.auth.pk if request.auth else None
        allowed = self.count().number <= self.most
        view.throttle = self  # not before: who asks is read from the database, which may be away
        return allowed

    def count(self, by: int = 1) -> RequestCount:
        self.counted = count_requests(self.request, self.act, token=self.token, by=by)
        return self.counted

    def wait(self) -> float:
        return self.counted.seconds_left


def limit_headers(most: int, counted: RequestCount) -> dict[str, str]:
    """The headers of an answer that say how many requests are left, and when a new window begins."""
    left, seconds = max(most - counted.number, 0), counted.seconds_left
    return dict(zip(COUNTED, map(str, (most, left, seconds)), strict=True))


def is_known(request: HttpRequest, status: HTTPStatus | int) -> bool:
    """Whether a reader has the answer already, and says which one."""
    return status == HTTPStatus.NOT_MODIFIED and "*" not in request.headers.get("If-None-Match", "*")


def kept_limit_headers(request: HttpRequest, status: HTTPStatus | int) -> dict[str, str] | None:
    """Count a request that a kept answer answers, unless it has it already: its headers; None if it is one too many."""
    by = 0 if is_known(request, status) else 1
    counted = count_requests(request, SourceThrottle.act, by=by)
    return limit_headers(MAX_REQUESTS, counted) if counted.number <= MAX_REQUESTS else None
