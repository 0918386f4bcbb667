"""Every address of accounts × everybody. An address without a row here fails the test."""

from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

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
PEOPLE_WHO_REPORT = frozenset({"referee", "national_official", "rating_officer", "tournament_director"})
LOGGED_IN_GO_ON = "200, or a redirect of those who are logged in"
NO_LINK = ("MQ", "dez6jy-0123456789abcdef0123456789abcdef")

# Arguments, and what a GET answers to a person who may come.
PUBLIC = {
    "account_login": ((), LOGGED_IN_GO_ON),
    "account_logout": ((), HTTPStatus.METHOD_NOT_ALLOWED),
    "mfa_authenticate": ((), HTTPStatus.FOUND),
    "account_reset_password": ((), HTTPStatus.OK),
    "account_reset_password_done": ((), HTTPStatus.OK),
    "account_reset_password_from_key": (NO_LINK, HTTPStatus.GONE),
    "account-invitation": (NO_LINK, HTTPStatus.GONE),
    "account-stop-mails": (("x",), HTTPStatus.NOT_FOUND),
}
PERSONAL = {
    "account": ((), HTTPStatus.OK),
    "account-mails": ((), HTTPStatus.OK),
    "account-data": ((), HTTPStatus.OK),
    "account-close-own": ((), HTTPStatus.OK),
    "account-name": ((), HTTPStatus.OK),
    "account_email": ((), HTTPStatus.OK),
    "account_confirm_email": (("x",), HTTPStatus.GONE),
    "account_change_password": ((), HTTPStatus.OK),
    "account_reauthenticate": ((), HTTPStatus.OK),
    "mfa_reauthenticate": ((), HTTPStatus.FOUND),  # without a factor by the password
    "mfa_index": ((), HTTPStatus.OK),
    "mfa_activate_totp": ((), HTTPStatus.OK),
    "mfa_deactivate_totp": ((), HTTPStatus.NOT_FOUND),
    "mfa_view_recovery_codes": ((), HTTPStatus.NOT_FOUND),
    "mfa_generate_recovery_codes": ((), HTTPStatus.OK),
    "account-sessions": ((), HTTPStatus.OK),
}
OF_PEOPLE_WHO_REPORT = {
    "account-tokens": ((), HTTPStatus.OK),
    "account-token-new": ((), HTTPStatus.OK),
}
OF_INVITERS = {
    "accounts": ((), HTTPStatus.OK),
    "account-invite": ((), HTTPStatus.OK),
    "account-resend-invitation": ((1,), HTTPStatus.METHOD_NOT_ALLOWED),
    "account-withdraw": ((1,), HTTPStatus.METHOD_NOT_ALLOWED),
    "account-page": ((1,), HTTPStatus.NOT_FOUND),
}
OF_ADMINISTRATORS = {
    "account-close": ((1,), HTTPStatus.NOT_FOUND),
    "account-reopen": ((1,), HTTPStatus.NOT_FOUND),
    "account-roles": ((1,), HTTPStatus.NOT_FOUND),
    "account-factor": ((1,), HTTPStatus.NOT_FOUND),
    "account-confirm-role": ((1, 1), HTTPStatus.METHOD_NOT_ALLOWED),
    "account-security": ((), HTTPStatus.OK),
}


READ_ONLY = {
    "account-data", "accounts", "account-page", "account-security", "account_reset_password_done",
    "mfa_index", "mfa_view_recovery_codes",
}  # fmt: skip
# Mail programs post here without a page before it (RFC 8058): the signed link is the permission.
BY_SIGNED_LINK = {"account-stop-mails"}


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


def test_every_address_has_a_row() -> None:
    known = {
        name
        for name in get_resolver().reverse_dict
        if isinstance(name, str) and name.startswith(("account", "mfa"))
    }
    assert known == {*PUBLIC, *PERSONAL, *OF_PEOPLE_WHO_REPORT, *OF_INVITERS, *OF_ADMINISTRATORS}


@pytest.mark.parametrize("who", EVERYBODY)
def test_who_gets_which_page(who: str) -> None:
    client = client_of(who)
    for rows, may_come in (
        (PUBLIC, True),
        (PERSONAL, who != "anonymous"),
        (OF_PEOPLE_WHO_REPORT, who in PEOPLE_WHO_REPORT),
        (OF_INVITERS, who in INVITERS),
        (OF_ADMINISTRATORS, who == "administrator"),
    ):
        for name, (arguments, answer) in rows.items():
            address = reverse(name, args=arguments)
            response = client.get(address)
            if answer == LOGGED_IN_GO_ON:
                assert response.status_code == (HTTPStatus.OK if who == "anonymous" else HTTPStatus.FOUND)
            elif may_come:
                assert response.status_code == answer, name
            elif who == "anonymous":
                assert (response.status_code, response["Location"]) == (302, f"/login/?next={address}")
            else:
                assert response.status_code == HTTPStatus.FORBIDDEN, name
            if rows is not PUBLIC and response.status_code == HTTPStatus.OK:
                assert response["Cache-Control"] == "private, no-store"


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


def test_no_one_acts_without_the_token_of_the_form() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(create_user("a@example.org", "A", roles=["rating_officer"]))
    rows = {**PERSONAL, **OF_PEOPLE_WHO_REPORT, **OF_INVITERS, **OF_ADMINISTRATORS, **PUBLIC}
    for name, (arguments, _) in rows.items():
        address = reverse(name, args=arguments)
        if name not in READ_ONLY | BY_SIGNED_LINK:
            assert client.post(address).status_code == HTTPStatus.FORBIDDEN, name


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
