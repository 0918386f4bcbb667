"""What a request says of its own body is never believed: encodings that are no text, senders who hang up."""

import io
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client, RequestFactory

from config.wsgi import application

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]


@pytest.fixture(autouse=True)
def _keep_the_connection() -> Iterator[None]:
    """The transaction of a test outlives a request; Django's own client does the same."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def asked(method: str, address: str, kind: str, body: bytes = b"") -> tuple[str, bytes]:
    """The answer of the program that gunicorn serves: Django reads these heads before any middleware."""
    environ = RequestFactory().generic(method, "/").environ
    path, _, query = address.partition("?")
    environ |= {
        "PATH_INFO": path, "QUERY_STRING": query, "CONTENT_TYPE": kind,
        "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body),
    }  # fmt: skip
    status: list[str] = []
    answer = application(environ, lambda line, _: status.append(line))
    try:
        return status[0], b"".join(answer)
    finally:
        getattr(answer, "close", lambda: None)()


@pytest.mark.parametrize("kind", [
    "text/plain; charset=hex", "text/plain; charset=rot13", "text/plain; charset=idna",
    'text/plain; charset="undefined"', "text/plain; CHARSET = utf-16", "text/plain; charset=cp1252",
    "text/plain; charset=utf-8; charset=hex", "text/plain; charset*=utf-8''hex", "text/plain; x*=hex''%41",
    "text/plain; x=1;charset=utf-8x",
])  # fmt: skip
@pytest.mark.parametrize("address", ["/players/?q=%41", "/login/", "/nowhere/"])
def test_an_encoding_that_is_not_utf_8_is_415(kind: str, address: str) -> None:
    """`charset=hex` was a LookupError, a 500 at every address; another page's words stood under a cached address."""
    for method in ("GET", "POST"):
        status, said = asked(method, address, kind, b"q=%41" if method == "POST" else b"")
        assert status == "415 Unsupported Media Type"
        assert b"UTF-8" in said


@pytest.mark.parametrize("kind", [
    "", "text/plain", "application/x-www-form-urlencoded; charset=UTF-8", 'text/plain; charset="utf8"',
    "multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxk",
])  # fmt: skip
def test_what_browsers_say_is_read(kind: str) -> None:
    assert asked("GET", "/players/?q=van", kind)[0] == "200 OK"


def test_health_asks_neither_django_nor_the_database(django_assert_num_queries: Any) -> None:
    """A container is not restarted because the database is away, nor for a host or scheme that no page accepts."""
    with django_assert_num_queries(0):
        assert asked("GET", "/health/", "text/plain; charset=hex") == ("200 OK", b"well\n")


class Gone:
    """A sender who hung up."""

    def read(self, *_: Any) -> bytes:
        raise OSError("connection reset")

    readline = read


def test_a_sender_who_hangs_up_is_no_fault_of_ours(client: Client) -> None:
    client.raise_request_exception = False
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        sent = {"wsgi.input": Gone(), "CONTENT_LENGTH": "100", "CONTENT_TYPE": kind}
        answer = client.generic("POST", "/login/", **sent)
        assert answer.status_code == 400, kind


@pytest.mark.parametrize(
    "head",
    [
        "form-data; name*=hex''%41", "form-data; name=file; filename*=rot13''a%41.txt", "form-data; name*=idna''%C3",
        "form-data; name*=undefined''%C3", "form-data; name=a\r\nContent-Type: text/plain; charset*=hex''%41",
        "form-data; name=a\r\nContent-Transfer-Encoding: base64", "form-data; name*='''''", "form-data; name*=x",
    ],
)  # fmt: skip
def test_the_head_of_a_part_makes_nothing_fail(client: Client, head: str) -> None:
    client.raise_request_exception = False
    body = f"--x\r\nContent-Disposition: {head}\r\n\r\nabc\r\n--x--\r\n".encode()
    for address in ("/login/", "/check/"):
        answer = client.post(address, body, content_type="multipart/form-data; boundary=x")
        assert answer.status_code in (200, 400), (address, answer.status_code)
