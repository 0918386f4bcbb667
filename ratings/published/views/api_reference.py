"""The reference of the API as a page: every endpoint of the OpenAPI file, with its parameters and its answer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from reporting.web.api import DEFAULT_ROWS, MAX_REQUESTS, MAX_ROWS
from reporting.web.http_cache import public_page
from reporting.web.rate_limit import WINDOW_MINUTES

BASE = "/api/v1/"


@dataclass(frozen=True)
class Value:
    """A parameter or a field: its name, how its values are written, the type that it holds, what it means."""

    name: str
    written: str
    holds: str
    about: str
    required: bool = False


@dataclass(frozen=True)
class Endpoint:
    """An address of the API with its method; `answers` says how many of the type `answer` there are."""

    method: str
    path: str
    name: str
    about: str
    parameters: Sequence[Value]
    answer: str
    answers: str


@dataclass(frozen=True)
class Type:
    """What answers are made of."""

    name: str
    about: str
    fields: Sequence[Value]


@login_not_required
@require_safe
def api_reference(request: HttpRequest) -> HttpResponseBase:
    """Every endpoint by subject, and every type of an answer."""

    def render_page() -> str:
        context = {
            "subjects": subjects(),
            "types": types(),
            "base": BASE,
            "default_rows": DEFAULT_ROWS,
            "max_rows": MAX_ROWS,
            "max_requests": MAX_REQUESTS,
            "minutes": WINDOW_MINUTES,
        }
        return render_to_string("ratings/api_reference.html", context, request)

    return public_page(request, ("api reference",), render_page)


@lru_cache(maxsize=1)
def schema() -> Mapping[str, Any]:
    """The OpenAPI file; it changes only with the program."""
    generator: Any = SchemaGenerator  # without types
    made: Mapping[str, Any] = generator(api_version="1").get_schema(request=None, public=True)
    return made


def subjects() -> Mapping[str, Sequence[Endpoint]]:
    """The endpoints by the first word of their address."""
    found: dict[str, list[Endpoint]] = {}
    for path, operations in schema()["paths"].items():
        short = path.removeprefix(BASE)
        for method, operation in operations.items():
            found.setdefault(short.split("/")[0], []).append(_endpoint(method.upper(), short, operation))
    return found


def types() -> Sequence[Type]:
    """The types by name, without the pages of rows, which are all alike."""
    return [
        Type(name, one.get("description", ""), list(_fields(one)))
        for name, one in sorted(schema()["components"]["schemas"].items())
        if not name.endswith("Page")
    ]


def _endpoint(method: str, path: str, operation: Mapping[str, Any]) -> Endpoint:
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
        _, holds = _written(schema()["components"]["schemas"][holds]["properties"]["results"])
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
    )


def _fields(of: Mapping[str, Any]) -> Iterator[Value]:
    for name, field in of.get("properties", {}).items():
        written, holds = _written(field)
        yield Value(name, written, holds, field.get("description", ""))


def _written(of: Mapping[str, Any]) -> tuple[str, str]:
    """How a value is written, and the name of the type that it holds, if any."""
    for part in (of, *of.get("allOf", ()), *of.get("oneOf", ())):
        if "$ref" in part:
            return "object", part["$ref"].rsplit("/", 1)[-1]
    if of.get("type") == "array":
        _, holds = _written(of["items"])
        return "list", holds
    kinds = of.get("type", "any value")
    written = " or ".join(kinds) if isinstance(kinds, list) else kinds
    if "enum" in of:
        written = " | ".join(map(str, of["enum"]))
    elif "format" in of:
        written += f", {of['format']}"
    elif "maximum" in of and "minimum" in of:
        written += f", {of['minimum']} to {of['maximum']}"
    elif "maxLength" in of:
        written += f", at most {of['maxLength']} characters"
    return written, ""
