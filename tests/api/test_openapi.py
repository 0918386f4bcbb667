"""The OpenAPI file, and every endpoint asked by schemathesis what the file says and what it does not."""

import os
import re
from collections.abc import Iterator
from http import HTTPStatus

import pytest
import schemathesis
from django.contrib.staticfiles import finders
from django.core.cache import cache
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, settings
from jsonschema import Draft202012Validator
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from schemathesis.transport.serialization import Binary

from config.wsgi import application
from reporting.federations.registry import all_report_rules
from reporting.formats.tournament_details.sidecar import read_sidecar, write_details
from reporting.log.audit import Actor
from reporting.models import Report, Role, Scope
from reporting.reports.api import token_api
from reporting.reports.api.bodies import detail_values, validated
from reporting.reports.services import upload
from reporting.reports.services.upload import upload_report
from reporting.reports.views.check_file import example_file
from reporting.rules.details.known_details import details_of
from reporting.web.api import throttling
from reporting.web.query_params import SearchForm
from tests.people import create_user
from tests.program import Program

MANY = "MANY_FAULTS" in os.environ
EXAMPLES = 1_000 if MANY else 10
"""Requests that schemathesis makes up for an endpoint and a role."""
(API,) = [part for part in get_resolver().url_patterns if str(part.pattern) == "api/"]


def endpoints_below(part: URLResolver) -> Iterator[URLPattern]:
    """The addresses of a part, those of a federation's own parts too."""
    for one in part.url_patterns:
        yield from endpoints_below(one) if isinstance(one, URLResolver) else (one,)


DOCUMENT = SchemaGenerator(api_version="1").get_schema(request=None, public=True)
schema = schemathesis.openapi.from_dict(DOCUMENT)
schema.app = application
# A key drawn twice, with another body; where 422 is not in the file, it is a failure all the same.
schema.config.checks.positive_data_acceptance.expected_statuses.append("422")
if not MANY:  # hundreds of bodies at the edges of the schema of details
    schema.config.phases.coverage.enabled = False
OF_TOKENS = "^/api/v1/(reports|announcements|decisions|webhooks)/"
WITH_A_KEY = {"uploadReport", "submitReport", "decide", "announceTournament", "withdrawAnnouncement"}
EXAMINED = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture
def _one_connection() -> Iterator[None]:
    """The requests of one test share its transaction."""
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
    cache.clear()
    yield
    cache.clear()
    request_started.connect(close_old_connections)
    request_finished.connect(close_old_connections)


def test_the_openapi_file_is_made_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--api-version", "1")
    assert "openapi: 3.1" in capsys.readouterr().out


@pytest.mark.django_db
@pytest.mark.database_role("web")
def test_the_openapi_file_is_served_to_all_and_names_every_endpoint(client: Client) -> None:
    response = client.get("/api/v1/openapi.json")
    answer = response.json()
    assert (response.status_code, response["Access-Control-Allow-Origin"]) == (200, "*")
    again = client.get("/api/v1/openapi.json", headers={"If-None-Match": response["ETag"]})
    assert again.status_code == 304
    assert answer["info"]["version"] == "1"
    assert client.get("/api/v1/openapi.json?version=2").status_code == 400
    # Itself is not in it, nor is what answers where there is no endpoint.
    assert len(answer["paths"]) == len(list(endpoints_below(API))) - 2
    assert answer["components"]["securitySchemes"]["bearerAuth"]["scheme"] == "bearer"
    for path, operations in answer["paths"].items():
        for method, operation in operations.items():
            responses = set(operation["responses"])
            assert responses >= {"400", "404", "405", "406", "409", "429", "503"}
            has_token = operation.get("security") == [{"bearerAuth": []}]
            assert has_token == bool(re.match(OF_TOKENS, path))
            assert (responses >= {"401", "403"}) == has_token
            assert ("304" in responses) == (method == "get" and not has_token)
            has_body = method != "get" and operation["operationId"] not in {"deleteWebhook", "testWebhook"}
            assert ("requestBody" in operation) == has_body
            assert (responses >= {"411", "413", "415"}) == has_body
            unfit = operation["operationId"] in {*WITH_A_KEY, "saveComments", "predictTournament"}
            assert ("422" in responses) == unfit


def test_the_examples_of_details_are_read_as_they_are_written() -> None:
    for of in (DOCUMENT["components"]["schemas"][name] for name in ("TournamentDetails", "CheckedDetails")):
        examples = {name: one["examples"][0] for name, one in of["properties"].items() if "examples" in one}
        assert {"shared_places", "round_scores", "plus_draws", "decided_ties", "newcomers", "rounds"} <= set(
            examples
        )
        Draft202012Validator(of).validate(examples)
        for name, example in examples.items():
            sent = detail_values(validated({name: example}, {"properties": of["properties"]}))
            system = next(rules.system for rules in all_report_rules() if name in details_of(rules.details))
            found = read_sidecar(write_details({"rating_system": system, **sent})).findings
            assert [one.code for one in found if one.field == name] == [], (name, example)


def test_values_that_are_known_are_said_and_addresses_and_headers_too() -> None:
    schemas = DOCUMENT["components"]["schemas"]

    def values(kind: str, name: str) -> list[str]:
        return list(schemas[kind]["properties"][name]["enum"])

    assert values("Report", "waits_for") == ["referee", "office", "none"]
    assert set(values("Report", "state")) == {state.value for state in Report.State}
    assert values("VersionFinding", "severity") == ["error", "warning", "note"]
    assert values("Norm", "colour") == ["red", "black", None]
    assert values("PlayerGame", "colour") == ["white", "black"]
    assert schemas["EntryPage"]["properties"]["next"]["format"] == "uri"
    assert schemas["Player"]["properties"]["url"]["format"] == "uri-reference"
    operations = [operation for path in DOCUMENT["paths"].values() for operation in path.values()]
    parameters = [one for operation in operations for one in operation.get("parameters", ())]
    assert [one["name"] for one in parameters if not one.get("description")] == []
    assert [
        one for operation in operations for one in operation["responses"].values() if not one["description"]
    ] == []
    answers = DOCUMENT["paths"]["/api/v1/pools/"]["get"]["responses"]
    assert {"ETag", "RateLimit-Remaining"} <= set(answers["200"]["headers"])
    assert "Retry-After" in answers["429"]["headers"]
    assert "ETag" not in DOCUMENT["paths"]["/api/v1/reports/"]["get"]["responses"]["200"]["headers"]
    keys = schemas["TournamentDetails"]["properties"]["standings"]["items"]
    assert len(set(keys["x-enum-varnames"])) == len(keys["enum"])


def test_an_operation_reads_like_its_name_and_says_the_order_of_its_rows() -> None:
    for path, operations in DOCUMENT["paths"].items():
        for operation in operations.values():
            assert re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", operation["operationId"])
            assert operation["tags"] == [path.split("/")[3] or "index"]
            assert operation["summary"].strip(".")
            is_list = operation["operationId"].startswith("list")
            assert ("\n\nOrder: " in operation["description"]) == is_list, operation["operationId"]


def test_columns_have_the_types_of_their_declaration() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    assert schemas["EntryPage"]["properties"]["results"]["items"] == {"$ref": "#/components/schemas/Entry"}
    of_systems = [f"#/components/schemas/{system}Entry" for system in ("Fmjd", "Knsb", "Iccf")]
    assert [one["$ref"] for one in schemas["Entry"]["oneOf"]] == of_systems
    entry, figures = (schemas[name]["properties"] for name in ("FmjdEntry", "FmjdFigures"))
    assert (entry["fmjd_id"]["type"], entry["title"]["type"]) == ("integer", ["string", "null"])
    assert (figures["we"]["type"], figures["performance"]["type"]) == (["number", "null"], "number")
    assert figures["method"]["enum"] == ["provisional", "change"]
    assert schemas["Session"]["properties"]["time"] == {"type": "string", "format": "duration"}


@pytest.mark.django_db
@pytest.mark.database_role("web")
def test_the_reference_page_has_every_endpoint_parameter_and_type(client: Client) -> None:
    page = client.get("/reference/api/").text
    answer = client.get("/api/v1/openapi.json").json()
    for path, operations in answer["paths"].items():
        for method, operation in operations.items():
            assert f"<code>{method.upper()} {path}</code>" in page
            for parameter in operation.get("parameters", ()):
                assert f"<code>{parameter['name']}</code>" in page
    for name, of in answer["components"]["schemas"].items():
        assert name.endswith("Page") or f'id="type-{name}"' in page
        fields = of.get("properties", ()) if not name.endswith("Page") else ()
        assert all(f"<code>{field}</code>" in page for field in fields)
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert {each for each in links if f'id="{each}"' not in page} == set()


@pytest.mark.django_db
@pytest.mark.database_role("web")
@pytest.mark.usefixtures("season_shared")
def test_the_examples_of_the_reference_page_answer(client: Client) -> None:
    examples = re.findall(r'curl "<a href="http://localhost([^"]+)"', client.get("/reference/api/").text)
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    public = [path for path, of in paths.items() if "get" in of and not re.match(OF_TOKENS, path)]
    # A norm, a certificate, the youth teams of a year and eight of published World Cup and places have none.
    assert len(examples) == len(public) - 11
    assert {address for address in examples if client.get(address).status_code != 200} == set()


@pytest.mark.django_db
@pytest.mark.database_role("web")
def test_swagger_ui_is_served_from_here_without_inline_script(client: Client) -> None:
    answer = client.get("/reference/api/swagger/")
    head = answer.text.partition("</head>")[0]
    files = re.findall(r'<(?:script src|link rel="stylesheet" href)="/static/([^"]+)"', head)
    assert [file for file in files if "swagger" in file] == [
        "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui.css",
        "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js",
        "js/swagger.js",
    ]
    assert all(finders.find(file) for file in files)
    assert not re.search(r"<style|<script(?![^>]* src=)|://", head)
    policy = dict(part.split(" ", 1) for part in answer["Content-Security-Policy"].split("; "))
    assert (policy["default-src"], policy["img-src"]) == ("'self'", "'self' data:")
    # Only this page loads it, and only this page's policy is wider.
    assert "swagger-ui" not in client.get("/reference/api/").text
    assert "img-src" not in client.get("/reference/api/")["Content-Security-Policy"]


@pytest.mark.django_db
@pytest.mark.database_role("web")
@pytest.mark.usefixtures("season_shared", "_one_connection")
@schema.exclude(path_regex=OF_TOKENS).parametrize()
@EXAMINED
def test_every_public_endpoint_answers_as_the_file_says(case: schemathesis.Case) -> None:
    # It says the length of a text and the form of a code: a search for signs alone is refused, and a code of nothing.
    query = case.query or {}
    is_search = not SearchForm({"q": str(query.get("q", ""))}).search.problem
    is_admitted = is_search and not {"championship", "pool", "tournament", "player", "since"} & query.keys()
    excluded = [] if is_admitted else [positive_data_acceptance]
    if case.operation.method != "get" and is_request_allowed(case):
        excluded.append(negative_data_rejection)
    case.call_and_validate(excluded_checks=excluded)


ROLES: dict[str, list[Scope]] = {"a stranger": [], "a referee": list(Scope), "a reader": [Scope.READ]}
"""Scopes of the token; no token without scopes. A token that ended is in test_tokens.py."""


@pytest.fixture
def program(
    role: str, season_shared: None, _one_connection: None, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, int]:
    """The secret of the role's token, and the number of a draft of its owner."""
    monkeypatch.setattr(token_api, "MAX_ATTEMPTS_PER_ACCOUNT", 10**9)
    monkeypatch.setattr(throttling, "MAX_REQUESTS", 10**9)
    monkeypatch.setattr(upload, "MOST_VERSIONS", 10**9)
    monkeypatch.setattr(upload, "MOST_REPORTS_A_DAY", 10**9)
    user = create_user("p@example.org", "P", roles=[Role.REFEREE], federation_id="NED")
    # Not by a request: the client of Django's tests connects again what `_one_connection` took off.
    draft = upload_report(content=example_file("clean"), filename="x.txt", sidecar=b"", by=Actor(user)).report
    scopes = ROLES[role]
    return Program(user, *scopes, name="tried").secret if scopes else "", draft.pk


def is_request_allowed(case: schemathesis.Case) -> bool:
    """By the file itself: what schemathesis breaks deep in a body it does not always send, and the token is put in."""
    assert case.meta
    broken = {place for place, component in case.meta.components.items() if component.mode.is_negative}
    keys = [value for name, value in (case.headers or {}).items() if name.lower() == "idempotency-key"]
    if not broken <= {ParameterLocation.HEADER, ParameterLocation.BODY}:
        return False
    return all(re.fullmatch("[!-~]{1,64}", str(key)) for key in keys) and is_body_allowed(case)


def is_body_allowed(case: schemathesis.Case) -> bool:
    operation = DOCUMENT["paths"][case.operation.path][case.operation.method]
    if "requestBody" not in operation:
        return True
    contents = operation["requestBody"]["content"]
    if case.media_type not in contents or not isinstance(case.body, dict):
        return False
    file = case.body.get("file")
    content = file.data if isinstance(file, Binary) else file
    sent = case.body | ({"file": "bytes"} if isinstance(content, bytes) and content else {})
    allowed = contents[case.media_type]["schema"] | {"components": DOCUMENT["components"]}
    return Draft202012Validator(allowed, format_checker=Draft202012Validator.FORMAT_CHECKER).is_valid(sent)


@pytest.mark.django_db
@pytest.mark.database_role("web")
@pytest.mark.parametrize("role", ROLES)
@schema.include(path_regex=OF_TOKENS).parametrize()
@EXAMINED
def test_every_endpoint_with_a_token_answers_as_the_file_says(
    case: schemathesis.Case, program: tuple[str, int], role: str
) -> None:
    secret, number = program
    made_up = (case.path_parameters or {}).get("number")
    if isinstance(made_up, int) and made_up % 2 and 1 <= made_up < 2**63:
        case.path_parameters["number"] = number
    # The token is put in here, also where schemathesis leaves it out to be refused.
    is_allowed = case.operation.method == "get" or is_request_allowed(case)
    excluded = [negative_data_rejection] if is_allowed else []
    details = case.body.get("details") if isinstance(case.body, dict) else None
    # A text that is no address, or a private one, is refused; so is a detail that only another federation asks for.
    if case.operation.path == "/api/v1/webhooks/" or (isinstance(details, dict) and "received" in details):
        excluded.append(positive_data_acceptance)
    headers = {"Authorization": f"Bearer {secret}"} if secret else None
    response = case.call_and_validate(headers=headers, excluded_checks=excluded)
    code = (case.path_parameters or {}).get("code", "x")
    # Some endpoints have numbers from 1 to 999,999,999: all others are no address there.
    is_address = (made_up is None or re.fullmatch("[1-9][0-9]{0,8}", str(made_up))) and re.fullmatch(
        r"[-\w]+", str(code), re.ASCII
    )
    if is_address and response.status_code != HTTPStatus.METHOD_NOT_ALLOWED:
        if role == "a stranger":
            assert response.status_code == HTTPStatus.UNAUTHORIZED
        if role == "a reader" and case.operation.method != "get":
            assert response.status_code in {HTTPStatus.FORBIDDEN, HTTPStatus.UNAUTHORIZED}
