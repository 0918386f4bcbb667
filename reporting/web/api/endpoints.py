"""What all endpoints of the API share: parameters, conditional requests, paging, limits.

Public endpoints read no cookie, so that their answers are the same for all and open to other sites.
"""

from collections.abc import Callable, Hashable
from datetime import datetime
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.urls import resolve
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import http_date, quote_etag
from django.utils.translation import gettext, gettext_lazy
from drf_spectacular.openapi import AutoSchema
from rest_framework import exceptions
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from reporting.web.access import MovedError
from reporting.web.api.errors import BadParametersError
from reporting.web.api.parameters import NoParametersForm, RowsForm, message_of, parameters_of, shortened
from reporting.web.api.throttling import COUNTED, SourceThrottle, is_known, limit_headers
from reporting.web.http_cache import PAGES, REVALIDATED, etag_of, mark_public

API = "/api/"
"""Where the addresses of all endpoints begin."""


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
        errors = found.errors.as_data()
        for name, field in found.fields.items():
            messages = [message_of(error, field) for error in errors.get(name, ())]
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
            if is_known(request._request, response.status_code):
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
