"""The errors of endpoints, always `{"code", "message", "findings"}` (contracts U13).

A stable code, a sentence, and what is wrong value by value.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, UnreadablePostError
from django.utils.translation import gettext, gettext_lazy
from psycopg.errors import LockNotAvailable
from rest_framework import exceptions
from rest_framework.response import Response

from reporting.refusals.domain_error import DomainError
from reporting.rules.findings.finding_list import MAX_FINDINGS, Finding
from reporting.rules.sentences import Listed, Value
from reporting.web.access import RETRY_AFTER_SECONDS, GoneError, MovedError, as_refusal, refusal_status
from reporting.web.http_cache import REVALIDATED

CODES = {
    HTTPStatus.BAD_REQUEST: "bad_request",
    HTTPStatus.UNAUTHORIZED: "not_authenticated",
    HTTPStatus.FORBIDDEN: "forbidden",
    HTTPStatus.NOT_FOUND: "not_found",
    HTTPStatus.METHOD_NOT_ALLOWED: "method_not_allowed",
    HTTPStatus.NOT_ACCEPTABLE: "not_acceptable",
    HTTPStatus.GONE: "gone",
    HTTPStatus.LENGTH_REQUIRED: "length_required",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too_large",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
    HTTPStatus.UNPROCESSABLE_ENTITY: "unfit_values",
    HTTPStatus.TOO_MANY_REQUESTS: "too_many_requests",
    HTTPStatus.SERVICE_UNAVAILABLE: "unavailable",
}
FINDING = {
    "code": {"type": "string"},
    "field": {"type": ["string", "null"]},
    "found": {"type": ["string", "null"]},
    "message": {"type": "string"},
    "severity": {"type": ["string", "null"], "enum": ["error", "warning", "note", None]},
    "line": {"type": ["integer", "null"]},
    "column": {"type": ["integer", "null"]},
    "expected": {"type": ["string", "null"]},
    "article": {"type": ["string", "null"]},
    "suggestion": {"type": ["string", "null"]},
    "asked_detail": {"type": ["string", "null"]},
    "proposed_value": {"type": ["string", "null"]},
    "values": {"type": "object", "additionalProperties": True},
}
"""The names that a finding of an error has, with their JSON Schema."""
NO_FINDING = dict.fromkeys(FINDING) | {"values": {}}


class BadParametersError(exceptions.APIException):
    """400: parameters or values of a body that can't be used, all of them at once, at most MAX_FINDINGS."""

    status_code = HTTPStatus.BAD_REQUEST

    def __init__(self, findings: Sequence[Mapping[str, str]]) -> None:
        self.findings = findings[:MAX_FINDINGS]
        names = ", ".join(dict.fromkeys(finding["field"] for finding in self.findings))
        super().__init__(gettext("These parameters cannot be used: %(names)s.") % {"names": names})


class UnfitValuesError(BadParametersError):
    """422: values of a body that its schema admits and that do not fit together, all of them at once."""

    status_code = HTTPStatus.UNPROCESSABLE_ENTITY


class ErasedPersonError(exceptions.APIException):
    """410: the name of the person was erased on request."""

    status_code = HTTPStatus.GONE
    default_detail = gettext_lazy("The name of this person was erased on request.")


SECONDS_TO_RETRY = 10


class UnavailableError(exceptions.APIException):
    """503: the database does not respond."""

    status_code = HTTPStatus.SERVICE_UNAVAILABLE
    default_detail = "The database does not respond."
    wait = SECONDS_TO_RETRY


def error_response(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """The answer to an error of an endpoint; None for a bug, which is raised."""
    if isinstance(error, MovedError):
        return moved_response(error)
    if isinstance(error, GoneError):
        error = ErasedPersonError()
    if isinstance(error, Http404):
        error = exceptions.NotFound(context["view"].nothing_found)
    elif isinstance(error, UnreadablePostError | SuspiciousOperation):
        error = exceptions.ParseError()
    elif isinstance(error, OperationalError) and isinstance(error.__cause__, LockNotAvailable):
        error = as_refusal(error)
    elif isinstance(error, OperationalError | InterfaceError):
        error = UnavailableError()
    if isinstance(error, DomainError):
        return refusal_response(error)
    if not isinstance(error, exceptions.APIException):
        return None
    status = HTTPStatus(error.status_code)
    headers = {}
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait))
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if isinstance(error, exceptions.MethodNotAllowed):
        headers["Allow"] = ", ".join(context["view"].allowed_methods)
    return Response(
        {
            "code": CODES[status],
            "message": str(error.detail),
            "findings": [
                NO_FINDING | null_for_nothing(finding) for finding in getattr(error, "findings", ())
            ],
        },
        status=status,
        headers={**headers, "Cache-Control": "no-store"},
    )


def moved_response(moved: MovedError) -> Response:
    """301 with the address that holds now; of a merged record, `merged_into` is the surviving one."""
    answer: dict[str, Any] = {
        "code": "moved",
        "message": gettext("This has another address."),
        "findings": [],
        "merged_into": moved.current or None,
        "url": moved.location,
    }
    headers = {"Location": moved.location, "Cache-Control": REVALIDATED}
    return Response(answer, status=HTTPStatus.MOVED_PERMANENTLY, headers=headers)


def refusal_response(refusal: DomainError) -> Response:
    """The answer to a refusal: 403 for `forbidden`, 503 for `busy`, 422 for a key sent again, otherwise 409."""
    status = refusal_status(refusal)
    findings = [finding_in_answer(finding) for finding in refusal.findings]
    headers = {"Cache-Control": "no-store"}
    if status is HTTPStatus.SERVICE_UNAVAILABLE:
        headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    answer = {"code": refusal.code, "message": refusal.message, "findings": findings}
    return Response(answer, status=status, headers=headers)


def finding_in_answer(finding: Finding) -> dict[str, Any]:
    """A finding with its values, which name what its sentences say."""
    return null_for_nothing(finding.to_json()) | {"values": values_in_answer(dict(finding.values))}


def null_for_nothing(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with null in place of empty texts."""
    return {name: None if value == "" else value for name, value in row.items()}


def values_in_answer(values: Mapping[str, Value]) -> dict[str, Any]:
    """The values of a sentence, as JSON has them: several names as a list of the first ones; null for nothing."""
    return null_for_nothing(
        {name: list(value.names) if isinstance(value, Listed) else value for name, value in values.items()}
    )
