"""What the OpenAPI file says of all endpoints: errors, headers, subjects, the parts of addresses, parameters."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from reporting.web.api.errors import FINDING
from reporting.web.api.throttling import COUNTED


def with_errors(result: dict[str, Any], generator: object, request: object, public: object) -> dict[str, Any]:  # noqa: ARG001
    """A hook of drf-spectacular: the errors and headers of every endpoint, and what its address and parameters are."""
    schema = {"schema": {"$ref": "#/components/schemas/Error"}}
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            statuses = ["400", "404", "405", "406", "409", "429", "503"]
            has_token = any(operation.get("security", ()))
            if has_token:
                statuses += ["401", "403"]
            else:
                operation["security"] = []  # not [{}], which generators of clients take for a token
            if "requestBody" in operation:
                statuses += ["411", "413", "415"]
                operation["requestBody"]["required"] = True
            if any(parameter["name"] == "Idempotency-Key" for parameter in operation.get("parameters", ())):
                statuses.append("422")
            for status in statuses:
                phrase = HTTPStatus(int(status)).phrase
                operation["responses"].setdefault(
                    status, {"description": phrase, "content": {"application/json": schema}}
                )
            if method == "get" and not has_token:
                operation["responses"].setdefault("304", {"description": "The answer has not changed."})
            for status, response in operation["responses"].items():
                response["description"] = response["description"] or HTTPStatus(int(status)).phrase
                names = [*HEADERS_OF.get(status, ()), *(() if has_token else OF_PUBLIC.get(status, ()))]
                if names:
                    response["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
            describe_parameters(path.split("/")[3], operation.get("parameters", ()))
    used = {tag for of_path in result["paths"].values() for one in of_path.values() for tag in one["tags"]}
    result["tags"] = [{"name": tag, "description": SUBJECTS[tag]} for tag in sorted(used)]
    result["components"].setdefault("schemas", {}).update(ERROR_SCHEMAS)
    result["components"]["headers"] = HEADERS
    return result


def describe_parameters(subject: str, parameters: Iterable[dict[str, Any]]) -> None:
    """Say of the parameters of an endpoint what they are; of a query those that its form describes by a label only."""
    for parameter in parameters:
        if parameter["in"] == "path":
            parameter["description"] = PARTS_OF_ADDRESSES[subject, parameter["name"]]
        elif not parameter.get("description"):
            parameter["description"] = FILTERS[parameter["name"]]


POOL, DAY = "The code of a pool, such as fmjd-100.", "The day on which the list comes into force."
REVISION = "1 is the first; a correction makes the next one."
PARTS_OF_ADDRESSES = {
    ("lists", "pool"): POOL,
    ("lists", "in_force"): DAY,
    ("lists", "revision"): "1 is the list as first published; a correction makes the next one.",
    ("players", "pool"): POOL,
    ("players", "in_force"): DAY,
    ("players", "address"): "The number in the first register, or such as knsb-4711.",
    ("tournaments", "code"): "The code of the tournament.",
    ("decisions", "code"): "The code of the tournament.",
    ("federations", "code"): "The code of the federation.",
    ("certificates", "code"): "As it is printed, such as T12-7KQ2MXPA.",
    ("norms", "number"): "The id of the norm.",
    ("reports", "number"): "The number of the report.",
    ("announcements", "number"): "The number of the announcement.",
    ("webhooks", "number"): "The number of the webhook.",
    ("championships", "code"): "The code of the championship, such as world-2027.",
    ("championships", "revision"): REVISION,
    ("world-cup", "section"): "100 or 64 squares.",
    ("world-cup", "day"): "The day of the classification.",
    ("world-cup", "revision"): REVISION,
    ("youth-teams", "year"): "In which the championships were played.",
    ("youth-teams", "tempo"): "classic, rapid or blitz.",
}
"""What the parts of addresses are, by the first word and the name."""

SUBJECTS = {
    "announcements": "Announced tournaments, by token.",
    "calendar": "Announced tournaments, for everybody.",
    "certificates": "Certificates of titles and norms, by their code.",
    "champions": "Medals of official championships.",
    "championships": "Published lists of participants and reserve lists.",
    "changes": "What changed in all that is published, by numbers.",
    "check": "A report file checked; nothing is stored.",
    "decisions": "What only the federation can say of a tournament, by token.",
    "federations": "Federations and their ranks.",
    "findings": "The codes of findings.",
    "index": "What the API has.",
    "lists": "Published lists, their entries, comparisons and corrections.",
    "norms": "Norms, with what each article asked and what was found.",
    "parameters": "The numbers of the regulations.",
    "players": "Players of published lists: ratings, calculations, games, titles.",
    "pools": "Pools of ratings, each with its list in force.",
    "predict": "What a tournament would bring: rating changes and norms; nothing is stored.",
    "refusals": "The codes of refusals.",
    "reports": "Reports, by token.",
    "rulings": "How the office reads the regulations.",
    "search": "Players, tournaments and federations by words.",
    "sources": "Lists of sources that ratings are calculated from.",
    "titles": "The register of titles.",
    "tournaments": "Tournaments: entries, games, crosstable, standings; those that wait for a list.",
    "webhooks": "Addresses to which changes are sent, by token.",
    "world-cup": "Published classifications of the World Cup.",
    "youth-teams": "Federations by the results of their players in world youth championships.",
}
"""What endpoints are about, by the first word of their address."""

FILTERS = {
    "q": "Words of the name, in any spelling.",
    "min_rating": "On one of the lists of today.",
    "max_rating": "On one of the lists of today, the same as for `min_rating`.",
    "year": "In which it was played; of a title that of its registration.",
    "country": "Where it was played.",
    "federation": "The code of the federation.",
    "discipline": "100 or 64 squares.",
    "tempo": "That of a pool.",
    "players": "For women or for young players only.",
    "with_stars": "Only World Cup events, as approved.",
    "sort": "A column, with a minus in front for the highest first.",
    "title": "The title in short.",
    "category": "The list of art. 6.3 and 6.4.",
    "status": "Whether the rating rests on enough games to be fixed.",
    "state": "Only reports in this state.",
    "version": "The newest one by default.",
}
"""What parameters of a query are, by name."""

HEADERS_OF = {
    "200": COUNTED,
    "201": ("Location", *COUNTED),
    "304": COUNTED,
    "401": ("WWW-Authenticate",),
    "429": ("Retry-After", *COUNTED),
    "503": ("Retry-After",),
}
OF_PUBLIC = {"200": ("ETag", "Last-Modified", "Cache-Control"), "304": ("ETag", "Cache-Control")}
HEADERS = {
    name: {"description": about, "schema": {"type": kind}}
    for name, kind, about in (
        ("RateLimit-Limit", "integer", "Requests of one token, else of one network address, in 15 minutes."),
        ("RateLimit-Remaining", "integer", "Requests that are left of them. A 304 does not count."),
        ("RateLimit-Reset", "integer", "Seconds until the 15 minutes end."),
        ("Retry-After", "integer", "Seconds to wait."),
        ("ETag", "string", "Send it back as If-None-Match: 304 while the answer has not changed."),
        ("Last-Modified", "string", "The publication, where an answer is about one list."),
        ("Cache-Control", "string", "Who may keep the answer."),
        ("Location", "string", "The address of what was made."),
        ("WWW-Authenticate", "string", "What the request lacks (RFC 6750)."),
    )
}
"""The headers of answers, by name."""

ERROR_SCHEMAS = {
    "Finding": {
        "type": "object",
        "description": "What is wrong with one value; of a finding of the catalogue also its place in the file.",
        "required": [*FINDING],
        "properties": FINDING,
    },
    "Error": {
        "type": "object",
        "description": "Every error of the API.",
        "required": ["code", "message", "findings"],
        "properties": {
            "code": {"type": "string", "description": "Of this file or of the catalogue of refusals."},
            "message": {"type": "string"},
            "findings": {"type": "array", "items": {"$ref": "#/components/schemas/Finding"}},
        },
    },
}
