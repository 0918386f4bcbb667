"""How tests log in: people with a password, codes of an authenticator, and sessions that are older."""

import time
from datetime import timedelta
from typing import Any
from urllib.parse import unquote

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.test import Client

from reporting.models import Role, User
from tests.people import client_of, create_user

PASSWORD, HERE, ELSEWHERE = "old-long-password", "192.0.2.7", "198.51.100.9"
SECRET = "JBSWY3DPEHPK3PXP"  # noqa: S105 (the secret of a test's authenticator)
HALF_MINUTE = 59_999_999  # counted from 1970 (RFC 6238)
SET_UP = "/account/factor/set-up/"


def person(role: Role, email: str = "") -> User:
    email = email or f"{role}@example.org"
    return create_user(email, role.label, PASSWORD, roles=[role], federation_id="NED")


def log_in(client: Client, account: User, password: str = PASSWORD, source: str = HERE, **data: str) -> Any:
    return client.post("/login/", {"login": account.email, "password": password} | data, REMOTE_ADDR=source)


def asks_again(answer: Any, address: str) -> bool:
    """Whether an answer leads to the page that asks for the password, and from there back."""
    leads_to = unquote(answer.get("Location", ""))
    return (answer.status_code, leads_to) == (302, f"/account/confirm/?next={address}")


def code_now() -> str:
    return format_hotp_value(hotp_value(SECRET, HALF_MINUTE))


def wrong_code() -> str:
    return f"{(int(code_now()) + 1) % 1_000_000:06}"


def office_client() -> Client:
    return client_of(person(Role.ADMINISTRATOR))


def older(client: Client, **ago: timedelta) -> None:
    """Let a session have begun, or its person have been seen, so long ago."""
    session = client.session
    for name, age in ago.items():
        session[name] = int(time.time() - age.total_seconds())
    session.save()
