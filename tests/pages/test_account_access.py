"""Who keeps which invitation, sees whose account and manages it; test_access.py has every address."""

from http import HTTPStatus

import pytest
from django.test import Client

from reporting.accounts.services.accounts import invite
from reporting.log.audit import Actor
from reporting.models import Federation, Invitation, Role, User
from tests.people import create_user

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("cleared_rate_limits"),
]

EVERYBODY = ("anonymous", *Role.values)
INVITERS = frozenset({"national_official", "rating_officer", "tournament_director", "administrator"})


def client_of(who: str, federation: str = "NED") -> Client:
    client = Client()
    if who != "anonymous":
        Federation.objects.get_or_create(code=federation, defaults={"name": federation})
        user = create_user(
            f"{who}.{federation}@example.org".lower(),
            who,
            "long-enough-for-all",
            roles=[who],
            federation_id=federation,
        )
        client.force_login(user)
    return client


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize("action", ["resend", "withdraw"])
def test_who_keeps_an_invitation(who: str, action: str) -> None:
    Federation.objects.get_or_create(code="NED", defaults={"name": "Netherlands"})
    officer = Actor(create_user("officer@example.org", "Olga Ames", roles=[Role.RATING_OFFICER]))
    invitation = invite(email="p@example.org", name="P", role=Role.REFEREE, federation="NED", by=officer)
    address = f"/accounts/{invitation.account_id}/{action}/"
    response = client_of(who).post(address)
    if who == "anonymous":
        assert response["Location"] == f"/login/?next={address}"
    else:
        assert response.status_code == (HTTPStatus.FOUND if who in INVITERS else HTTPStatus.FORBIDDEN)
    invitation.refresh_from_db()
    assert (invitation.withdrawn_at is not None) == (action == "withdraw" and who in INVITERS)


@pytest.mark.parametrize("action", ["resend", "withdraw"])
def test_of_another_federation_s_invitation_an_official_finds_nothing(action: str) -> None:
    client = client_of("national_official", "SEN")
    own = client_of("national_official", "NED")
    by = Actor(User.objects.get(email="national_official.ned@example.org"))
    invitation = invite(email="p@example.org", name="Piet Fluit", role=Role.REFEREE, federation="NED", by=by)
    assert client.post(f"/accounts/{invitation.account_id}/{action}/").status_code == HTTPStatus.NOT_FOUND
    assert "p@example.org" not in client.get("/accounts/").text
    assert "p@example.org" in own.get("/accounts/").text
    assert Invitation.objects.get().is_pending


# --- an account's page


def test_account_of_a_command_has_no_page_for_anybody() -> None:
    """Row 1 of the tables above is the importer's: an account of commands."""
    assert User.objects.get(pk=1).acts_by_command
    client = client_of("administrator")
    for account in User.objects.filter(acts_by_command=True):
        for page in ("", "close/", "reopen/", "roles/", "factor/"):
            assert client.get(f"/accounts/{account.pk}/{page}").status_code == HTTPStatus.NOT_FOUND
            assert client.post(f"/accounts/{account.pk}/{page}").status_code in {
                HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED,
            }  # fmt: skip
        assert account.email not in client.get(f"/accounts/?words={account.email}").text.replace(
            f'value="{account.email}"', ""
        )


# Who: what they get of the page of a referee of NED, and of one of SEN; None where they are sent to log in.
PAGES = {
    "anonymous": (None, None),
    "referee": (403, 403),
    "national_official": (200, 404),
    "rating_officer": (200, 200),
    "releasing_officer": (403, 403),
    "title_council": (403, 403),
    "tournament_director": (200, 200),
    "administrator": (200, 200),
}


@pytest.mark.parametrize("who", EVERYBODY)
def test_who_sees_whose_account(who: str) -> None:
    accounts = []
    for code in ("NED", "SEN"):
        Federation.objects.get_or_create(code=code, defaults={"name": code})
        accounts.append(create_user(f"r@{code}.example", f"R {code}", roles=["referee"], federation_id=code))
    client = client_of(who)
    for account, expected in zip(accounts, PAGES[who], strict=True):
        response = client.get(f"/accounts/{account.pk}/")
        assert response.status_code == (expected or HTTPStatus.FOUND)
        if expected == HTTPStatus.OK:
            assert response["Cache-Control"] == "private, no-store"
            assert ("Close account" in response.text) is (who == "administrator")
            assert ("Latest actions of" in response.text) is (who != "national_official")


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize("action", ["close", "reopen", "roles"])
def test_only_administrators_manage_an_account(who: str, action: str) -> None:
    Federation.objects.get_or_create(code="NED", defaults={"name": "Netherlands"})
    account = create_user(
        "r@example.org", "Rina", roles=["referee"], federation_id="NED", is_active=action != "reopen"
    )
    before = User.objects.filter(pk=account.pk).values().get()
    address, data = f"/accounts/{account.pk}/{action}/", {
        "reason": "Elected", "roles": ["title_council"], "federation": "",
        "looked_at": "referee NED",
    }  # fmt: skip
    response = client_of(who).post(address, data)
    if who == "anonymous":
        assert response["Location"] == f"/login/?next={address}"
    elif who == "administrator":
        assert (response.status_code, response["Location"]) == (302, f"/accounts/{account.pk}/")
    else:
        assert response.status_code == HTTPStatus.FORBIDDEN
    changed = User.objects.filter(pk=account.pk).values().get() != before
    assert changed is (who == "administrator")
