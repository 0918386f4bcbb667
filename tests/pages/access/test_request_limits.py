"""What no page expects is refused at every address before it is read (guards.md T21, T24)."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from config.web.middleware import MAX_BODY_BYTES
from reporting.log.audit import Actor
from reporting.models import Report, Role
from reporting.reports.services.upload import upload_report
from reporting.reports.views.check_file import example_file
from reporting.rules.report import MAX_FILE_BYTES
from reporting.web.access import LARGE_FORM, SOURCE_UPLOAD, TABLE_UPLOAD, UPLOAD
from tests.people import create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

UPLOADS = {
    "report-new", "report-file", "check-file", "standings", "pair", "title-forecast", "title-forecast-running",
    "api-check",
    "api-reports", "api-report-versions",
}  # fmt: skip
TABLES = {"office-memberships", "office-players-import", "office-opening"}
LARGE_FORMS = {
    "report-results-entry", "report-results-entry-players", "report-results-entry-round",
    "report-results-entry-crosstable", "report-details",
    "report-people",
    "office-report", "office-correct", "api-report-details",
}  # fmt: skip
SAMPLES: dict[str, Any] = {
    "number": 1, "address": "1", "pool": "fmjd-100", "in_force": "2026-10-01", "revision": 1, "name": "list.csv",
    "day": "2026-10-01", "file_format": "csv",
    "variant": "women", "code": "NED", "key": "x", "uidb64": "MQ", "token": "a-b", "round_number": 1,
    "old": 1, "new": 2, "version": 1, "anomaly": 1, "assignment": 1,
    "system": "fmjd", "kind": "players", "part": 1, "register": "knsb", "club": "020032", "year": 2026,
    "tempo": "classic", "section": "100",
}  # fmt: skip


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from patterns(pattern)
        else:
            yield pattern


PATTERNS = {pattern.name: pattern for pattern in patterns(get_resolver())}


def address_of(pattern: URLPattern) -> str:
    values = {name: SAMPLES[name] for name in pattern.pattern.converters}
    if pattern.name == "tournament":
        values = {"code": "2026-open"}
    if pattern.name == "account_reset_password_from_key":
        values = {"uidb36": "1", "key": "a-b"}
    if pattern.name in {"title-certificate", "title-certificate-file", "api-certificate"}:
        values = {"code": "T1-ABCDEFGH"}
    if pattern.name == "check-file-example":
        values = {"name": "clean"}
    if pattern.name in {"championship-champions", "office-title-match"}:
        values["code"] = "world-100-classic"
    return reverse(pattern.name, kwargs=values)


@pytest.fixture
def officer(client: Client) -> Client:
    user = create_user("o@example.org", "O", roles=[Role.RATING_OFFICER])
    client.force_login(user)
    return client


def allowed_by(endpoint: Any) -> str:
    """The methods of an endpoint of the API; Django answers HEAD by its GET. A preflight is no method of its own."""
    own = {name for name in endpoint.http_method_names if hasattr(endpoint, name)} - {"options"}
    own |= {"head"} if "get" in own else set()
    return ", ".join(name.upper() for name in endpoint.http_method_names if name in own)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "OPTIONS", "PROPFIND"])
def test_other_methods_are_405_at_every_address(client: Client, officer: Client, method: str) -> None:
    stranger = Client()
    for pattern in PATTERNS.values():
        for reader in (stranger, officer):
            response = reader.generic(method, address_of(pattern))
            endpoint = getattr(pattern.callback, "cls", None)
            own = getattr(endpoint, "http_method_names", ()) if method != "OPTIONS" else ()
            if method.lower() in own and hasattr(endpoint, method.lower()):
                continue  # asked for with a token in tests/api/test_tokens.py
            allowed = allowed_by(endpoint) if endpoint else "GET, HEAD, POST"
            assert (response.status_code, response["Allow"]) == (405, allowed), pattern.name


def test_each_view_takes_as_much_as_its_largest_form() -> None:
    """U15's file in the forms of uploads; 12 MB for tables of the register and of opening lists, 64 MB
    for lists of sources;
    2.5 MB of fields where a tournament is typed, 400 KB of words on warnings;
    64 KB elsewhere.
    """
    found = {
        name: getattr(pattern.callback, "largest_body", MAX_BODY_BYTES) for name, pattern in PATTERNS.items()
    }
    expected = dict.fromkeys(PATTERNS, 64 * 1024)
    expected |= dict.fromkeys(LARGE_FORMS, LARGE_FORM) | dict.fromkeys(UPLOADS, UPLOAD)
    expected |= dict.fromkeys(TABLES, TABLE_UPLOAD) | {"office-sources": SOURCE_UPLOAD}
    expected |= dict.fromkeys(("report-submit", "api-report-comments", "api-report-submission"), 400_000)
    expected["api-predict"] = 600_000
    assert found == expected
    assert UPLOAD == MAX_FILE_BYTES + 100_000


class Untouchable:
    """A body of which at most so much may be read."""

    def __init__(self, most: int) -> None:
        self.left = most

    def read(self, size: int = -1) -> bytes:
        assert size >= 0
        self.left -= size
        assert self.left >= 0, "more was read than is thrown away"
        return b"x" * size

    readline = read


def test_a_body_too_large_is_413_everywhere_and_read_by_nobody(officer: Client) -> None:
    """200 MB from a referee and 400 MB to the log-in page were once stored; now 20 MB at most are thrown away."""
    for pattern in PATTERNS.values():
        for reader in (Client(), officer):
            sent = {"wsgi.input": Untouchable(20_065_536), "CONTENT_LENGTH": "400000000"}
            response = reader.generic("POST", address_of(pattern), **sent)
            assert response.status_code == 413, pattern.name
            assert "Too large: you sent 400.0 MB, at most" in response.text


def test_the_first_byte_over_the_limit_is_refused(client: Client) -> None:
    assert client.post("/login/", b"x" * MAX_BODY_BYTES, content_type="text/plain").status_code == 200
    refused = client.post("/login/", b"x" * (MAX_BODY_BYTES + 1), content_type="text/plain")
    assert refused.status_code == 413
    assert "at most 65.5 KB are allowed." in refused.text


def test_a_body_without_a_length_is_411(officer: Client) -> None:
    for pattern in PATTERNS.values():
        response = officer.generic("POST", address_of(pattern), HTTP_TRANSFER_ENCODING="chunked")
        assert response.status_code == 411, pattern.name


@pytest.mark.parametrize("length", ["-1", "1_000", "\u0661", "12 "])
def test_a_length_that_is_no_number_is_400(client: Client, length: str) -> None:
    assert client.generic("POST", "/login/", CONTENT_LENGTH=length).status_code == 400


def test_a_nul_in_any_field_is_no_500_at_any_address(season_shared: None, client: Client) -> None:
    """Once a 500 in the reason of a withdrawal and in comments on warnings."""
    client.raise_request_exception = False
    user = create_user("a@example.org", "A", roles=[Role.RATING_OFFICER])
    client.force_login(user)
    upload_report(content=example_file("newcomer"), filename="a.txt", sidecar=b"", by=Actor(user))
    drafts = [Report.objects.filter(state=state).last() for state in ("draft", "submitted")]
    names = (
        "reason", "words", "words-return", "comment-0", "comment-1", "name", "email", "line-1", "remark-1",
        "file", "based_on", "q", "action",
    )  # fmt: skip
    typed = dict.fromkeys(names, "a\0b") | {"based_on": "1"}
    for pattern in PATTERNS.values():
        if "number" not in pattern.pattern.converters:
            assert client.post(address_of(pattern), typed).status_code < 500, pattern.name
            continue
        for report in drafts:
            values = {name: SAMPLES[name] for name in pattern.pattern.converters} | {"number": report.pk}
            with transaction.atomic():
                for sent in (typed, typed | {"action": "return"}, typed | {"action": "reject"}):
                    response = client.post(reverse(pattern.name, kwargs=values), sent)
                    assert response.status_code < 500, (pattern.name, report.state)
                transaction.set_rollback(True)


@pytest.mark.database_role("owner")
def test_without_a_migration_of_this_release_the_office_is_not_ready(client: Client, db: None) -> None:
    """The web's own rights suffice to ask; a migration of a later release does not disturb."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL ROLE app_web")
        assert (client.get("/ready/").status_code, client.get("/ready/").text) == (200, "ready\n")
        cursor.execute(
            "RESET ROLE; INSERT INTO django_migrations (app, name, applied) VALUES ('a', 'b', now())"
        )
        assert client.get("/ready/").status_code == 200
        cursor.execute("DELETE FROM django_migrations WHERE app = 'ratings'")
        response = client.get("/ready/")
    assert (response.status_code, response.text) == (503, "migrations are missing\n")
    assert (response["Retry-After"], response["Cache-Control"]) == ("10", "no-store")


def test_without_the_database_every_address_answers_503(client: Client, monkeypatch: Any) -> None:
    """What Django raises where the server is away; the real server is killed in tests/processes/test_demo_start.py."""
    client.raise_request_exception = False
    monkeypatch.setattr(
        "django.db.backends.utils.CursorWrapper.execute",
        lambda *_: (_ for _ in ()).throw(OperationalError("connection refused")),
    )
    for address in ("/ready/", "/", "/lists/", "/players/", "/players/10001/", "/tournaments/"):
        response = client.get(address)
        assert (response.status_code, response["Retry-After"]) == (503, "10"), address
        assert "The database does not respond." in response.text
    for address in ("/api/v1/pools/", "/api/v1/reports/"):
        response = client.get(address, headers={"Authorization": "Bearer x"})
        assert (response.status_code, response.json()["code"]) == (503, "unavailable"), address
