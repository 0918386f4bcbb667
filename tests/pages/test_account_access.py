"""Every address of accounts × everybody. An address without a row here fails the test."""

from collections.abc import Iterator
from http import HTTPStatus

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import get_resolver, reverse

from reporting.models import Federation, Invitation, Role, User
from reporting.services.accounts import invite
from reporting.services.audit import Actor

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

EVERYBODY = ("anonymous", *Role.values)
INVITERS = frozenset({"national_official", "rating_officer", "tournament_director", "administrator"})
NO_LINK = ("MQ", "dez6jy-0123456789abcdef0123456789abcdef")

# Arguments, and what a GET answers to whoever may come.
PUBLIC = {
    "account-forgotten": ((), HTTPStatus.OK),
    "account-forgotten-sent": ((), HTTPStatus.OK),
    "account-reset": (NO_LINK, HTTPStatus.GONE),
    "account-invitation": (NO_LINK, HTTPStatus.GONE),
}
PERSONAL = {
    "account": ((), HTTPStatus.OK),
    "account-name": ((), HTTPStatus.OK),
    "account-email": ((), HTTPStatus.OK),
    "account-password": ((), HTTPStatus.OK),
    "account-email-confirm": (NO_LINK, HTTPStatus.GONE),
}
OF_INVITERS = {
    "accounts": ((), HTTPStatus.OK),
    "account-invite": ((), HTTPStatus.OK),
    "account-invite-again": ((1,), HTTPStatus.METHOD_NOT_ALLOWED),
    "account-withdraw": ((1,), HTTPStatus.METHOD_NOT_ALLOWED),
}


@pytest.fixture(autouse=True)
def _no_attempts_before() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def client_of(who: str, federation: str = "NED") -> Client:
    client = Client()
    if who != "anonymous":
        Federation.objects.get_or_create(code=federation, defaults={"name": federation})
        user = User.objects.create_user(
            f"{who}.{federation}@example.org",
            who,
            "long-enough-for-all",
            roles=[who],
            federation_id=federation,
        )
        client.force_login(user)
    return client


def test_every_address_has_a_row() -> None:
    known = {
        name for name in get_resolver().reverse_dict if isinstance(name, str) and name.startswith("account")
    }
    assert known == {*PUBLIC, *PERSONAL, *OF_INVITERS}


@pytest.mark.parametrize("who", EVERYBODY)
def test_who_gets_which_page(who: str) -> None:
    client = client_of(who)
    for rows, may_come in (
        (PUBLIC, True),
        (PERSONAL, who != "anonymous"),
        (OF_INVITERS, who in INVITERS),
    ):
        for name, (arguments, answer) in rows.items():
            address = reverse(name, args=arguments)
            response = client.get(address)
            if may_come:
                assert response.status_code == answer, name
            elif who == "anonymous":
                assert (response.status_code, response["Location"]) == (302, f"/login/?next={address}")
            else:
                assert response.status_code == HTTPStatus.FORBIDDEN, name
            if rows is not PUBLIC and response.status_code == HTTPStatus.OK:
                assert response["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize("act", ["again", "withdraw"])
def test_who_keeps_an_invitation(who: str, act: str) -> None:
    Federation.objects.get_or_create(code="NED", defaults={"name": "Netherlands"})
    officer = Actor(User.objects.get(email="officer@office.invalid"), by_command=True)
    invitation = invite(email="p@example.org", name="P", role=Role.REFEREE, federation="NED", by=officer)
    address = f"/accounts/{invitation.account_id}/{act}/"
    response = client_of(who).post(address)
    if who == "anonymous":
        assert response["Location"] == f"/login/?next={address}"
    else:
        assert response.status_code == (HTTPStatus.FOUND if who in INVITERS else HTTPStatus.FORBIDDEN)
    invitation.refresh_from_db()
    assert (invitation.withdrawn_at is not None) == (act == "withdraw" and who in INVITERS)


@pytest.mark.parametrize("act", ["again", "withdraw"])
def test_of_another_federation_s_invitation_an_official_finds_nothing(act: str) -> None:
    client = client_of("national_official", "SEN")
    own = client_of("national_official", "NED")
    by = Actor(User.objects.get(email="national_official.NED@example.org"))
    invitation = invite(email="p@example.org", name="Piet Fluit", role=Role.REFEREE, federation="NED", by=by)
    assert client.post(f"/accounts/{invitation.account_id}/{act}/").status_code == HTTPStatus.NOT_FOUND
    assert "p@example.org" not in client.get("/accounts/").text
    assert "p@example.org" in own.get("/accounts/").text
    assert Invitation.objects.get().waits


def test_nobody_acts_without_the_token_of_the_form() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.create_user("a@example.org", "A", roles=["rating_officer"]))
    for name, (arguments, _) in {**PERSONAL, **OF_INVITERS, "account-forgotten": ((), 0)}.items():
        address = reverse(name, args=arguments)
        if name not in {"account", "accounts"}:
            assert client.post(address).status_code == HTTPStatus.FORBIDDEN, name
