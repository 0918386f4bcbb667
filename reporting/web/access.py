"""Access to pages: a policy is checked first, and a refusal is a page with its own status."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.defaults import page_not_found
from psycopg.errors import LockNotAvailable

from reporting.log.audit import Actor
from reporting.models import Report, User
from reporting.refusals.domain_error import DomainError
from reporting.rules.report import MAX_FILE_BYTES

View = Callable[..., HttpResponseBase]
LARGE_FORM = 2_500_000
"""Bytes of the largest form of fields: thousands of players, or the lines of a file."""
UPLOAD = MAX_FILE_BYTES + 100_000
"""Bytes of a form with the largest report file (contracts U15)."""
MAX_TABLE_BYTES = 12_000_000
"""Bytes of a table for the register or of an opening list: more than 100,000 lines."""
TABLE_UPLOAD = MAX_TABLE_BYTES + 100_000
"""Bytes of a form with such a table, on pages of administrators and the office."""
MAX_SOURCE_BYTES = 64_000_000
"""Bytes of a list of a source in its archive: half as much again as the largest of FIDE."""
SOURCE_UPLOAD = MAX_SOURCE_BYTES + 100_000
"""Bytes of a form with such a list, on a page of administrators and the office."""
MAX_TEXT_LENGTH = 2000
"""Characters of a comment, remark or reason."""
RETRY_AFTER_SECONDS = 5


class OfficeRequest(HttpRequest):
    """A request of a person who is logged in, as `LoginRequiredMiddleware` admits it. It is only a type."""

    user: User


class MovedError(Exception):
    """301: what an address named has another one for good. `current` is the player's address, if it is one."""

    def __init__(self, path: str, query: str, current: str) -> None:
        super().__init__(path)
        self.location = f"{path}?{query}" if query else path
        self.current = current


class GoneError(Exception):
    """410: what an address named was erased on request."""


def require_access(
    may_enter: Callable[[User], None], *methods: str, may_post: Callable[[User], None] | None = None
) -> Callable[[View], View]:
    """A page that is never cached, for people whom a policy admits. A refusal that the view does not handle is a page.

    `may_post` is the policy for its forms, if fewer people may change than read. `forbidden` is 403, `busy` 503, every
    other refusal 409.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: OfficeRequest, *args: Any, **named: Any) -> HttpResponseBase:
            try:
                policy = may_post if may_post and request.method == "POST" else may_enter
                policy(request.user)
                response = (
                    view(request, *args, **named)
                    if request.method in methods
                    else HttpResponseNotAllowed(methods)
                )
            except DomainError as refusal:
                response = render_refusal(request, refusal)
            except Http404 as missing:
                response = page_not_found(request, missing)
            except Report.DoesNotExist:  # a draft that was deleted while this request waited for it
                response = page_not_found(request, Http404(gettext("This draft was deleted.")))
            except OperationalError as error:
                response = render_refusal(request, as_refusal(error))
            response["Cache-Control"] = "private, no-store"
            if response.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
                response["Retry-After"] = str(RETRY_AFTER_SECONDS)
            return response

        return guarded

    return decorate


def allow_large_body(largest_body: int) -> Callable[[View], View]:
    """Mark a view whose forms may be larger than config/web/middleware.py lets through elsewhere; in bytes."""

    def mark(view: Any) -> Any:
        view.largest_body = largest_body
        return view

    return mark


def as_refusal(error: DomainError | OperationalError) -> DomainError:
    """A lock not available in time is a refusal like others; other database errors are raised."""
    if isinstance(error, DomainError):
        return error
    if isinstance(error.__cause__, LockNotAvailable):
        return DomainError("busy")
    raise error


def refusal_status(refusal: DomainError) -> HTTPStatus:
    known = {
        "forbidden": HTTPStatus.FORBIDDEN,
        "busy": HTTPStatus.SERVICE_UNAVAILABLE,
        "idempotency_key_reused": HTTPStatus.UNPROCESSABLE_ENTITY,
    }
    return known.get(refusal.code, HTTPStatus.CONFLICT)


def render_refusal(request: HttpRequest, refusal: DomainError) -> HttpResponse:
    """The page of a refusal."""
    status = refusal_status(refusal)
    if status is HTTPStatus.FORBIDDEN:
        return render(request, "403.html", {"exception": refusal.message}, status=status)
    return render(request, "reporting/check_file/refused.html", {"refusal": refusal}, status=status)


def refusal_message(policy: Callable[..., None], *about: Any) -> str:
    """The sentence of a refusal; empty if the policy admits."""
    try:
        policy(*about)
    except DomainError as refusal:
        return refusal.message
    return ""


def is_offered(policy: Callable[[User], None], user: User | AnonymousUser) -> bool:
    """Whether a page for everybody links to one with this policy: a reader without a log-in is asked for it there."""
    return not isinstance(user, User) or not refusal_message(policy, user)


def actor(request: OfficeRequest) -> Actor:
    return Actor(request.user)
