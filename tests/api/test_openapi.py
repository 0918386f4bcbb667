"""The OpenAPI file, and every endpoint asked by schemathesis what the file says and what it does not."""

import re
from collections.abc import Iterator

import pytest
import schemathesis
from django.core.cache import cache
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from django.urls import get_resolver
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, settings

from config.wsgi import application
from reporting.web.query_params import SearchForm

API = [
    address
    for part in get_resolver().url_patterns
    if str(part.pattern) == "api/v1/"
    for address in part.url_patterns
]
schema = schemathesis.openapi.from_dict(
    SchemaGenerator(api_version="1").get_schema(request=None, public=True)
)
schema.app = application


@schema.hook
def filter_query(context: schemathesis.HookContext, query: dict[str, str] | None) -> bool:
    """A search is text with a letter or number, which JSON Schema cannot say; test_public_endpoints.py sends others."""
    return not query or not isinstance(query.get("q"), str) or not SearchForm(query).search.problem


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
    # Itself and every other address are not in it.
    assert len(answer["paths"]) == len(API) - 2
    for operations in answer["paths"].values():
        assert set(operations) == {"get"}
        assert set(operations["get"]["responses"]) >= {"200", "304", "400", "404", "405", "406", "429", "503"}


@pytest.mark.django_db
@pytest.mark.database_role("web")
def test_the_reference_page_has_every_endpoint_parameter_and_type(client: Client) -> None:
    page = client.get("/reference/api/").text
    answer = client.get("/api/v1/openapi.json").json()
    for path, operations in answer["paths"].items():
        assert f"<code>GET {path}</code>" in page
        for parameter in operations["get"].get("parameters", ()):
            assert f"<code>{parameter['name']}</code>" in page
    for name, of in answer["components"]["schemas"].items():
        assert name.endswith("Page") or f'id="type-{name}"' in page
        assert all(f"<code>{field}</code>" in page for field in of["properties"] if not name.endswith("Page"))
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert {each for each in links if f'id="{each}"' not in page} == set()


@pytest.mark.django_db
@pytest.mark.database_role("web")
@pytest.mark.usefixtures("season_shared", "_one_connection")
@schema.parametrize()
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_endpoint_answers_as_the_file_says(case: schemathesis.Case) -> None:
    case.call_and_validate()
