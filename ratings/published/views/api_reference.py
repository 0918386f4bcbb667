"""The reference of the API as a page: every endpoint of the OpenAPI file with its parameters and answer; Swagger UI."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_update
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from ratings.models import RatingList
from ratings.published.selectors.tournaments.tables import newest_tournaments
from ratings.queries.list_rows import leaders
from ratings.queries.lists import lists_of_today
from ratings.queries.terms import data_terms
from reporting.web.api.errors import CODES
from reporting.web.api.parameters import DEFAULT_ROWS, MAX_ROWS
from reporting.web.api.throttling import MAX_REQUESTS
from reporting.web.http_cache import office_address, public_page
from reporting.web.query_params import declare_parameters
from reporting.web.rate_limit import WINDOW_MINUTES

BASE = "/api/v1/"


@dataclass(frozen=True)
class Value:
    """A parameter or a field: its name, how its values are written, the type that it holds, what it means.

    `example` is a value as JSON, empty where none is needed.
    """

    name: str
    written: str
    holds: str
    about: str
    required: bool = False
    example: str = ""


@dataclass(frozen=True)
class Endpoint:
    """An address of the API with its method; `answers` says how many of the type `answer` there are.

    `example` is an address of this office that answers, empty where none is known.
    """

    method: str
    path: str
    name: str
    about: str
    parameters: Sequence[Value]
    answer: str
    answers: str
    example: str


@dataclass(frozen=True)
class Type:
    """What answers are made of."""

    name: str
    about: str
    fields: Sequence[Value]


@login_not_required
@require_safe
@declare_parameters()
def api_reference(request: HttpRequest) -> HttpResponseBase:
    """Every endpoint by subject, and every type of an answer. 2 queries, 4 where it is not kept."""
    today, terms = lists_of_today(), data_terms()

    def render_page() -> str:
        context = {
            "subjects": subjects(example_values(today.shown)),
            "errors": CODES.items(),
            "types": types(),
            "base": BASE,
            "default_rows": DEFAULT_ROWS,
            "max_rows": MAX_ROWS,
            "max_requests": MAX_REQUESTS,
            "minutes": WINDOW_MINUTES,
            "terms": terms,
        }
        return render_to_string("ratings/api_reference.html", context, request)

    return public_page(request, ("api reference", terms, *today.stamp), render_page)


@login_not_required
@require_safe
@csp_update({"img-src": [SELF, "data:"]})  # the icons in the style sheet of Swagger UI
@declare_parameters()
def swagger(request: HttpRequest) -> HttpResponseBase:
    """Swagger UI on the OpenAPI file, served from here."""
    return public_page(
        request, ("swagger",), lambda: render_to_string("ratings/swagger.html", request=request)
    )


@lru_cache(maxsize=1)
def document() -> Mapping[str, Any]:
    """The OpenAPI file; it changes only with the program."""
    generator: Any = SchemaGenerator  # without types
    made: Mapping[str, Any] = generator().get_schema(request=None, public=True)
    return made


def example_values(lists: Sequence[RatingList]) -> Mapping[str, Mapping[str, object]]:
    """Values that answer, for the parameters of addresses: by the first word of the address. 2 queries.

    They are of the first list, of its leader and of the last tournament; none where nothing is published.
    """
    if not lists:
        return {}
    chosen = lists[0]
    a_list = {"pool": chosen.pool.code, "in_force": chosen.in_force, "revision": chosen.revision}
    found: dict[str, Mapping[str, object]] = {"lists": a_list}
    for leader in leaders([chosen], 1)[chosen.pk][:1]:
        address = chosen.report_rules.register.address(leader["register_number"])
        found |= {"players": {**a_list, "address": address}, "federations": {"code": leader["federation"]}}
    for tournament in newest_tournaments(1):
        found["tournaments"] = {"code": tournament.code}
    return found


def subjects(examples: Mapping[str, Mapping[str, object]]) -> Mapping[str, Sequence[Endpoint]]:
    """The endpoints by the first word of their address."""
    found: dict[str, list[Endpoint]] = {}
    for path, operations in document()["paths"].items():
        short = path.removeprefix(BASE)
        subject = short.split("/")[0] or "index"
        try:
            example = office_address(path.format_map(examples.get(subject, {})))
        except KeyError:
            example = ""
        for method, operation in operations.items():
            is_public = method == "get" and not operation["security"]
            endpoint = _endpoint(method.upper(), short, operation, example if is_public else "")
            found.setdefault(subject, []).append(endpoint)
    return found


def types() -> Sequence[Type]:
    """The types by name, without the pages of rows, which are all alike."""
    return [
        Type(name, one.get("description", ""), list(_fields(one)))
        for name, one in sorted(document()["components"]["schemas"].items())
        if not name.endswith("Page")
    ]


def _endpoint(method: str, path: str, operation: Mapping[str, Any], example: str) -> Endpoint:
    contents = [
        one.get("content", {}) for status, one in operation["responses"].items() if status.startswith("2")
    ]
    answer: Mapping[str, Any] = next(
        (part["schema"] for content in contents for part in content.values()), {}
    )
    _, holds = _written(answer)
    answers = gettext("A list of") if answer.get("type") == "array" else gettext("One")
    if holds.endswith("Page"):
        answers = gettext("Pages of")
        _, holds = _written(document()["components"]["schemas"][holds]["properties"]["results"])
    sent = operation.get("requestBody", {}).get("content", {})
    body: Mapping[str, Any] = next((part["schema"] for part in sent.values()), {})
    return Endpoint(
        method,
        path,
        operation["operationId"],
        operation.get("description", ""),
        [
            Value(
                each["name"],
                _written(each["schema"])[0],
                "",
                each.get("description", ""),
                each.get("required", False),
            )
            for each in sorted(operation.get("parameters", ()), key=lambda each: each["in"] != "path")
        ]
        + list(_fields(body)),
        holds,
        answers,
        example,
    )


def _fields(of: Mapping[str, Any]) -> Iterator[Value]:
    for name, field in of.get("properties", {}).items():
        written, holds = _written(field)
        example = json.dumps(field["examples"][0], ensure_ascii=False) if "examples" in field else ""
        yield Value(name, written, holds, field.get("description", ""), example=example)


def _written(of: Mapping[str, Any]) -> tuple[str, str]:
    """How a value is written, and the name of the type that it holds, if any."""
    for part in (of, *of.get("allOf", ()), *of.get("oneOf", ())):
        if "$ref" in part:
            return "object", part["$ref"].rsplit("/", 1)[-1]
    if of.get("type") == "array":
        written, holds = _written(of["items"])
        return "list" if holds else f"list of {written}", holds
    kinds = of.get("type", "any value")
    written = " or ".join(kinds).replace("array", "list") if isinstance(kinds, list) else kinds
    if "enum" in of:
        written = " | ".join("null" if value is None else str(value) or "empty" for value in of["enum"])
    elif "format" in of:
        written += f", {of['format']}"
    elif "maximum" in of and "minimum" in of:
        written += f", {of['minimum']} to {of['maximum']}"
    elif "maxLength" in of:
        written += f", at most {of['maxLength']} characters"
    return written, ""
