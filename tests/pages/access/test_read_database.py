"""A person who reads the database, or a backup, has no session, no second factor and no link of an account."""

import re
from http import HTTPStatus

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from cryptography.fernet import InvalidToken
from django.conf import LazySettings
from django.db import IntegrityError, connection, transaction
from django.test import Client

from reporting.accounts.encryption import FACTOR, cipher, encrypt_factors_again
from reporting.accounts.sessions import stored_key
from reporting.models import AccountSession, Message, Role, User
from tests.people import create_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cleared_rate_limits")]

PASSWORD, SECRET = "long-enough-for-all", "JBSWY3DPEHPK3PXP"


def logged_in(name: str) -> tuple[User, str]:
    """An account, and the key in the cookie of its browser."""
    account, client = create_user(f"{name}@example.org", name, PASSWORD, roles=[Role.REFEREE]), Client()
    response = client.post("/login/", {"login": account.email, "password": PASSWORD})
    assert response.status_code == HTTPStatus.FOUND
    return account, client.cookies["sessionid"].value


def shown(key: str) -> str:
    """Whose account is behind the key of a cookie; empty for the page of the log-in."""
    client = Client()
    client.cookies["sessionid"] = key
    answer = client.get("/account/own-data.json")
    return str(answer.json()["account"]["name"]) if answer.status_code == HTTPStatus.OK else ""


def test_a_row_of_a_session_opens_nothing() -> None:
    account, key = logged_in("Rita")
    with connection.cursor() as cursor:
        cursor.execute("SELECT row(one.*)::text FROM reporting_accountsession one")
        (row,) = cursor.fetchone()
    assert key not in row
    session = AccountSession.objects.get()
    assert (session.account, session.session_key) == (account, stored_key(key))
    assert shown(session.session_key) == ""
    assert shown(key) == "Rita"  # the twin


def test_a_session_written_into_the_row_of_another_is_empty() -> None:
    (olga, key_of_olga), (rita, key) = logged_in("Olga"), logged_in("Rita")
    hers, own = AccountSession.objects.get(account=olga), AccountSession.objects.get(account=rita)
    AccountSession.objects.filter(account=rita).update(session_data=hers.session_data)
    assert shown(key) == ""
    AccountSession.objects.filter(account=rita).update(session_data=own.session_data)
    assert shown(key) == "Rita"  # the twin
    AccountSession.objects.filter(account=rita).delete()
    AccountSession.objects.filter(account=olga).update(session_key=own.session_key)
    assert (shown(key), shown(key_of_olga)) == ("", "")
    AccountSession.objects.filter(account=olga).update(session_key=hers.session_key)
    assert shown(key_of_olga) == "Olga"  # the twin


def test_second_factors_are_encrypted_and_follow_another_secret_key(settings: LazySettings) -> None:
    account = create_user("ruth@example.org", "Ruth", PASSWORD, roles=[Role.REFEREE])
    TOTP.activate(account, SECRET)
    codes = RecoveryCodes.activate(account).get_unused_codes()
    stored = {factor.type: factor.data for factor in Authenticator.objects.filter(user=account)}
    assert SECRET not in stored["totp"]["secret"]
    assert cipher(FACTOR).decrypt(stored["totp"]["secret"]).decode() == SECRET
    seed = cipher(FACTOR).decrypt(stored["recovery_codes"]["seed"]).decode()
    assert re.fullmatch("[0-9a-f]{80}", seed)

    def present_codes() -> list[str]:
        return Authenticator.objects.get(user=account, type="recovery_codes").wrap().get_unused_codes()

    former, settings.SECRET_KEY = settings.SECRET_KEY, "another" * 10
    with pytest.raises(InvalidToken):
        present_codes()
    settings.SECRET_KEY_FALLBACKS = [former]
    assert present_codes() == codes
    encrypt_factors_again()
    settings.SECRET_KEY_FALLBACKS = []
    assert present_codes() == codes
    assert cipher(FACTOR).decrypt(Authenticator.objects.get(type="totp").data["secret"]).decode() == SECRET


def test_a_link_to_set_a_password_goes_to_no_other_address() -> None:
    account = create_user("rita@example.org", "Rita", PASSWORD, roles=[Role.REFEREE])
    for kind in ("password_reset", "invitation"):
        written = {"recipient": account, "kind": kind, "about": "/account/", "title": "x", "text": "x"}
        with pytest.raises(IntegrityError, match="message_to_own_address"), transaction.atomic():
            Message.objects.create(**written, address="thief@example.org")
        assert Message.objects.create(**written).mail_address == account.email
