"""What all endpoints of the API share: parameters read by forms, conditional requests, paging, throttling, errors.

An error is always `{"code", "message", "findings"}` (contracts U13): a stable code, a sentence, and what is wrong value
by value. Public endpoints read no cookie, so that their answers are the same for all and open to other sites.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import SuspiciousOperation, ValidationError
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict, UnreadablePostError
from django.urls import resolve
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import http_date, quote_etag
from django.utils.translation import gettext, gettext_lazy
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, extend_schema_field, inline_serializer
from psycopg.errors import LockNotAvailable
from rest_framework import exceptions, serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from reporting.refusals.domain_error import DomainError
from reporting.rules.findings.finding_list import MAX_FINDINGS, Finding
from reporting.rules.sentences import Listed, Value
from reporting.web.access import RETRY_AFTER_SECONDS, GoneError, MovedError, as_refusal, refusal_status
from reporting.web.http_cache import PAGES, REVALIDATED, etag_of, mark_public
from reporting.web.query_params import MAX_SEARCH_LENGTH, SearchForm, WholeNumberField
from reporting.web.rate_limit import RequestCount, count_requests

API = "/api/"
"""Where the addresses of all endpoints begin."""
REQUESTS_LEFT = "RateLimit-Remaining"
MAX_REQUESTS = 3_000
"""Requests of one network address in 15 minutes."""
MAX_ROWS = 500
"""Rows of one answer."""
DEFAULT_ROWS = 100
LARGEST_OFFSET = 10_000_000
SECONDS_TO_RETRY = 10
MOST_CHOICES_NAMED = 60
"""Values of a parameter that the answer to another one lists."""

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


def kept_limit_headers(request: HttpRequest, status: HTTPStatus | int) -> dict[str, str] | None:
    """Count a request that a kept answer answers, unless it is a 304: its headers; None if it is one too many."""
    by = 0 if status == HTTPStatus.NOT_MODIFIED else 1
    counted = count_requests(request, SourceThrottle.act, by=by)
    return limit_headers(MAX_REQUESTS, counted) if counted.number <= MAX_REQUESTS else None


@extend_schema_field({"type": "string", "format": "uri-reference"})
class AddressField(serializers.CharField):
    """An address on this site, from the slash on."""


class OptionalTextField(serializers.CharField):
    """A text; null where there is none, also where the database has an empty one."""

    def __init__(self, **named: Any) -> None:
        super().__init__(allow_null=True, **named)

    def to_representation(self, value: Any) -> Any:
        return super().to_representation(value) or None


class OptionalChoiceField(serializers.ChoiceField):
    """One of some values; null for none."""

    def __init__(self, choices: Sequence[Any], **named: Any) -> None:
        super().__init__(choices, allow_null=True, **named)

    def to_representation(self, value: Any) -> Any:
        return super().to_representation(value) or None


def row_pages(
    row: type[serializers.Serializer[Any]],
    *,
    rows: serializers.Serializer[Any] | None = None,
    **more: serializers.Field[Any, Any, Any, Any],
) -> serializers.Serializer[Any]:
    """The serializer of a page of rows: the number of all, the addresses of other pages, the rows.

    `rows` are what they are made of, where that is not `row` alone; `more` stands before them.
    """
    return inline_serializer(
        f"{row.__name__.removesuffix('Serializer')}Page",
        {
            **more,
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": rows or row(many=True),
        },
    )


class NoParametersForm(forms.Form):
    """An address without parameters."""


class RowsForm(forms.Form):
    """Which rows of a long answer: `limit` of them from `offset` on."""

    limit = WholeNumberField(
        required=False,
        min_value=1,
        max_value=MAX_ROWS,
        help_text=f"Rows of the answer; {DEFAULT_ROWS} by default.",
    )
    offset = WholeNumberField(
        required=False, min_value=0, max_value=LARGEST_OFFSET, help_text="Rows to leave out at the beginning."
    )

    @property
    def rows(self) -> slice:
        """The rows asked for, from 0."""
        first = self.cleaned_data["offset"] or 0
        return slice(first, first + (self.cleaned_data["limit"] or DEFAULT_ROWS))


class SearchRowsForm(SearchForm, RowsForm):
    """A search, and which rows of what it finds; a search that cannot be used is an error."""

    q = forms.CharField(
        required=False,
        max_length=MAX_SEARCH_LENGTH,
        help_text="Words of the name in any spelling, or a number; at least one letter or digit.",
    )

    def clean(self) -> None:
        if self.search.problem and "q" not in self.errors:
            self.add_error("q", self.search.problem)


class ParameterSchema(AutoSchema):
    """Describes the parameters of an endpoint by its form, and says in short what it does."""

    def get_summary(self) -> str:
        """The first paragraph of the description, without its full stop."""
        return " ".join(self.get_description().partition("\n\n")[0].split()).removesuffix(".")

    def get_tags(self) -> list[str]:
        """The first word of the address."""
        return super().get_tags() or ["index"]

    def get_override_parameters(self) -> list[Any]:
        form = cast(Endpoint, self.view).parameters if self.method == "GET" else NoParametersForm
        return [*super().get_override_parameters(), *parameters_of(form())]


def parameters_of(form: forms.Form) -> Iterator[OpenApiParameter]:
    """The fields of a form as parameters of OpenAPI."""
    for name, field in form.fields.items():
        described: dict[str, Any] = {"type": "string"}
        if isinstance(field, forms.IntegerField):
            described = {"type": "integer", "minimum": field.min_value, "maximum": field.max_value}
        elif isinstance(field, forms.ChoiceField):
            described["enum"] = values_of(field)
        elif isinstance(field, forms.DateField):
            described["format"] = "date"
        elif isinstance(field, forms.RegexField):
            described["pattern"] = pattern_of(field)
        elif isinstance(field, forms.CharField) and field.max_length:
            described["maxLength"] = field.max_length
        yield OpenApiParameter(name, described, required=field.required, description=str(field.help_text))


def values_of(field: forms.ChoiceField) -> list[str]:
    """The values that a parameter can have."""
    choices: Any = field.choices
    return [str(value) for value, _ in choices if value]


COUNTED = ("RateLimit-Limit", REQUESTS_LEFT, "RateLimit-Reset")
"""The headers of `limit_headers`."""
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


class Endpoint(APIView):
    """What all endpoints share: limited requests, and for a GET a query string read by the form `parameters`."""

    throttle_classes = (SourceThrottle,)
    schema: Any = ParameterSchema()
    parameters: Callable[..., forms.Form] = NoParametersForm
    nothing_found = gettext_lazy("There is no such address. /reference/api/ has them all.")
    """The sentence of a 404."""

    def read(self, request: Request, form: Callable[..., forms.Form] | None = None) -> Any:
        """The form of the query string, valid. Raises `BadParametersError` with everything that is wrong."""
        sent: QueryDict = request.query_params
        asked = self.parameters if request.method in {"GET", "HEAD"} else NoParametersForm
        found = (form or asked)(sent)
        findings = [
            {
                "code": "unknown_parameter",
                "field": shortened(name),
                "found": shortened(sent.get(name, "")),
                "message": gettext("There is no such parameter here."),
            }
            for name in sent
            if name not in found.fields
        ]
        for name, field in found.fields.items():
            messages = [message_of(error, field) for error in found.errors.as_data().get(name, ())]
            is_text = isinstance(field, forms.CharField) and not isinstance(field, forms.RegexField)
            if name in sent and not sent[name] and not is_text:
                messages.append(gettext("The parameter has no value."))
            if len(sent.getlist(name)) > 1 and not isinstance(field, forms.MultipleChoiceField):
                messages.append(gettext("The parameter is there more than once."))
            findings += [
                {
                    "code": "bad_parameter",
                    "field": name,
                    "found": shortened(sent.get(name, "")),
                    "message": message,
                }
                for message in messages
            ]
        if findings:
            raise BadParametersError(findings)
        return found

    def rows(
        self, request: Request, form: RowsForm, count: int, rows: Any, **defaults: str
    ) -> dict[str, Any]:
        """A page of rows: the number of all, the addresses of the rows after and before these, the rows.

        `defaults` are parameters that another page must have as this one, whatever is the default by then.
        """
        asked = form.rows
        size = asked.stop - asked.start
        after = asked.stop if asked.stop < count else None
        before = max(asked.start - size, 0) if asked.start else None

        def page(offset: int | None) -> str | None:
            if offset is None:
                return None
            return self.address_with(request, **defaults, limit=size, offset=offset)

        return {"count": count, "next": page(after), "previous": page(before), "results": rows}

    def address_with(self, request: Request, **parameters: object) -> str:
        """The address of this answer with other parameters."""
        query = request.query_params.dict() | {name: str(value) for name, value in parameters.items()}
        return request.build_absolute_uri(f"{request.path}?{urlencode(query)}")

    def finalize_response(self, request: Request, response: Any, *args: Any, **named: Any) -> Any:
        response = super().finalize_response(request, response, *args, **named)
        throttle: SourceThrottle | None = getattr(self, "throttle", None)
        if throttle is not None:
            if response.status_code == HTTPStatus.NOT_MODIFIED:
                throttle.count(by=-1)
            for name, value in limit_headers(throttle.most, throttle.counted).items():
                response.headers[name] = value
        return response


class PublicView(Endpoint):
    """An endpoint without log-in, the same answer for all, also for the scripts of other sites."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    http_method_names = ["get", "head", "options"]  # noqa: RUF012 (as Django declares it)

    def options(self, request: HttpRequest, *args: Any, **named: Any) -> Response:  # noqa: ARG002 (the protocol of DRF)
        """What a browser asks before a script of another site sends a header such as If-None-Match."""
        if "Access-Control-Request-Method" not in request.headers:
            raise exceptions.MethodNotAllowed("OPTIONS")
        reads = "GET" in self.allowed_methods
        headers = {
            "Access-Control-Allow-Methods": ", ".join(self.allowed_methods),
            "Access-Control-Allow-Headers": "If-None-Match, If-Modified-Since" if reads else "Content-Type",
            "Access-Control-Max-Age": str(24 * 3600),
            "Cache-Control": "no-store",
        }
        return Response(status=HTTPStatus.NO_CONTENT, headers=headers)

    @property
    def allowed_methods(self) -> list[str]:
        """For `Allow`; a preflight is no method of an endpoint."""
        return [method for method in super().allowed_methods if method != "OPTIONS"]

    def check_throttles(self, request: Request) -> None:
        """A preflight is no request of a program."""
        if request.method != "OPTIONS":
            super().check_throttles(request)

    def answer(
        self,
        request: Request,
        stamp: tuple[Hashable, ...],
        make: Callable[[], Any],
        *,
        modified: datetime | None = None,
    ) -> HttpResponseBase:
        """The answer, or 304 for a reader who has it; `stamp` is what it depends on besides its address.

        `modified` is the instant of its publication.
        """
        etag = etag_of(request._request, request.accepted_media_type, *stamp)
        # By the ETag alone: an erased person or a later revision changes an answer after its publication.
        response: HttpResponseBase | None = get_conditional_response(request._request, etag=quote_etag(etag))
        if response is None and (body := PAGES.get(etag)):
            response = HttpResponse(body, content_type=request.accepted_renderer.media_type)
        if response is None:
            response = Response(make())
        response.headers["ETag"] = quote_etag(etag)
        if modified is not None:
            response.headers["Last-Modified"] = http_date(modified.timestamp())
        response.headers["Cache-Control"] = REVALIDATED
        patch_vary_headers(response, ["Accept"])
        mark_public(response)
        return response

    def finalize_response(self, request: Request, response: Any, *args: Any, **named: Any) -> Any:
        response = super().finalize_response(request, response, *args, **named)
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = ", ".join(
            ("ETag", "Last-Modified", *COUNTED, "Retry-After")
        )
        return response


class NoSuchEndpointView(PublicView):
    """404 in the form of the API for an address that it does not have."""

    schema = None

    def get(self, request: Request) -> HttpResponseBase:
        """404; 301 for an address of which only the last slash is missing."""
        path = f"{request.path}/"
        if not request.path.endswith("/") and resolve(path).url_name != "api-not-found":
            raise MovedError(path, request.META["QUERY_STRING"], "")
        raise Http404


def pattern_of(field: forms.RegexField) -> str:
    """As JSON Schema writes it."""
    return str(field.regex.pattern.replace(r"\A", "^").replace(r"\Z", "$"))


def message_of(error: ValidationError, field: forms.Field) -> str:
    """What is wrong with a parameter: its pattern, unless it has a sentence; the values that it can have, if few."""
    if (
        error.code == "invalid"
        and isinstance(field, forms.RegexField)
        and "invalid" not in field.error_messages
    ):
        return gettext("This must be like %(values)s.") % {"values": pattern_of(field)}
    if error.code != "invalid_choice" or not isinstance(field, forms.ChoiceField):
        return " ".join(error.messages)
    values = values_of(field)
    if len(values) > MOST_CHOICES_NAMED:
        return gettext("This value is not known here.")
    return gettext("This must be one of %(values)s.") % {"values": ", ".join(values)}


def shortened(text: str, most: int = 80) -> str:
    """A value of a visitor, short and printable."""
    return "".join(character if character.isprintable() else "�" for character in text[:most])
