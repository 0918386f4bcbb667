"""Who keeps which invitation, sees whose account and manages it; test_access.py has every address."""

from http import HTTPStatus

import pytest

from reporting.accounts.services.accounts import invite
from reporting.log.audit import Actor
from reporting.models import Invitation, Role, User
from tests.people import create_user, logged_in

pytestmark = [
    pytest.mark.django_db, pytest.mark.database_role("web"), pytest.mark.usefixtures("cleared_rate_limits"),
]  # fmt: skip

EVERYBODY = ("anonymous", *Role.values)


@pytest.mark.parametrize("action", ["resend", "withdraw"])
def test_of_another_federation_s_invitation_an_official_finds_nothing(action: str) -> None:
    client = logged_in("national_official", federation="SEN")
    own = logged_in("national_official", federation="NED")
    by = Actor(User.objects.get(email="national_official.ned@example.org"))
    invitation = invite(email="p@example.org", name="Piet Fluit", role=Role.REFEREE, federation="NED", by=by)
    assert client.post(f"/accounts/{invitation.account_id}/{action}/").status_code == HTTPStatus.NOT_FOUND
    assert "p@example.org" not in client.get("/accounts/").text
    assert "p@example.org" in own.get("/accounts/").text
    assert Invitation.objects.get().is_pending


# --- an account's page


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
        accounts.append(create_user(f"r@{code}.example", f"R {code}", roles=["referee"], federation_id=code))
    client = logged_in(who, federation="NED")
    for account, expected in zip(accounts, PAGES[who], strict=True):
        response = client.get(f"/accounts/{account.pk}/")
        assert response.status_code == (expected or HTTPStatus.FOUND)
        if expected == HTTPStatus.OK:
            assert response["Cache-Control"] == "private, no-store"
            assert ("Close account" in response.text) is (who == "administrator")
            assert ("Latest actions of" in response.text) is (who != "national_official")
