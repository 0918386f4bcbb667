"""An account's page: who it is and what they did, and the acts of administrators behind their own password."""

import re
import time
from typing import Any
from urllib.parse import unquote

import pytest
from django.test import Client

from reporting.accounts.services.accounts import change_name, invite
from reporting.accounts.services.roles import set_roles
from reporting.accounts.views.manage_accounts import ROLE_DESCRIPTIONS
from reporting.log.audit import Actor
from reporting.models import LogEntry, Message, Role, User
from reporting.web.rate_limit import MAX_ATTEMPTS_PER_ACCOUNT, too_many_attempts
from tests.pages.locked_rows import held
from tests.pages.markup import tight
from tests.people import client_of, create_federation, create_user

pytestmark = [
    pytest.mark.django_db, pytest.mark.database_role("web"),
    pytest.mark.usefixtures("cleared_rate_limits", "ada"),
]  # fmt: skip

PASSWORD = "old-long-password"  # noqa: S105


def person(email: str, name: str, role: Role, federation: str | None = "NED") -> User:
    create_federation("SEN")
    return create_user(email, name, PASSWORD, roles=[role], federation_id=federation)


@pytest.fixture
def rina(db: None) -> User:
    return person("rina@example.org", "Rina Reader", Role.REFEREE)


@pytest.fixture
def ada(client: Client) -> User:
    """Logged in as `client`."""
    account = person("ada@example.org", "Ada Minister", Role.ADMINISTRATOR, None)
    client.force_login(account)
    return account


def of(account: User, act: str = "") -> str:
    return f"/accounts/{account.pk}/{act}{'/' if act else ''}"


CLOSE = {"reason": "Left the federation"}


def an_hour_old(client: Client) -> None:
    """Let a session have begun an hour ago and nothing been confirmed since."""
    session = client.session
    session["began"] = int(time.time()) - 3600
    session.pop("account_authentication_methods", None)
    session.save()


# --- the page


def test_the_page_says_who_it_is_and_what_they_did(client: Client, rina: User) -> None:
    page = client.get(of(rina)).text
    for text_shown in ("Rina Reader", "rina@example.org", "Referee", "Netherlands", "Never", ">Open</span>"):
        assert text_shown in page
    assert "No actions yet." in page
    change_name(name="Rina <i>Lector", by=Actor(rina))
    page = client.get(of(rina)).text
    assert "Name changed" in page
    assert "Rina &lt;i&gt;Lector" in page
    assert "<i>Lector" not in page
    assert "/office/log/?person=rina%40example.org" in page
    assert f"/office/log/?subject=account+{rina.pk}" in page


ONLY = "You are the only administrator"
INVITE_ANOTHER = "The person who runs the server invites a second administrator"


def test_an_administrator_without_a_second_one_reads_why_roles_wait_and_what_to_do(
    client: Client, ada: User, rina: User
) -> None:
    assert ONLY not in client.get(of(rina)).text  # no role of hers waits
    set_roles(rina, [Role.REFEREE, Role.RATING_OFFICER], Actor(ada))
    pages = ("/accounts/", of(rina), of(rina, "roles"))
    for address in pages:
        page = client.get(address).text
        assert ONLY in page, address
        assert INVITE_ANOTHER in page, address
    assert ONLY not in client.get(of(rina, "close")).text
    invited = create_user("bo@example.org", "Bo", roles=[Role.ADMINISTRATOR], is_active=False)
    assert ONLY in client.get("/accounts/").text  # not before the invitation is accepted
    User.objects.filter(pk=invited.pk).update(is_active=True)
    for address in pages:
        assert ONLY not in client.get(address).text, address


def test_an_invited_person_s_page_tells_of_the_invitation(client: Client, ada: User) -> None:
    new = {"email": "p@example.org", "name": "Piet Fluit", "role": Role.RATING_OFFICER, "federation": ""}
    invitation = invite(**new, by=Actor(ada))
    page = client.get(of(invitation.account)).text
    for words in (">Invited</span>", "Invited by", "Resend invitation"):
        assert words in page, words
    assert "Close account" not in page
    answer = client.post(of(invitation.account, "withdraw"), follow=True)
    assert answer.redirect_chain[-1][0] == f"{of(invitation.account)}#invitation"
    assert ">Invitation withdrawn</span>" in answer.text


def test_the_page_costs_fixed_queries(client: Client, rina: User, django_assert_num_queries: Any) -> None:
    for turn in range(30):
        change_name(name=f"Rina {turn}", by=Actor(rina))
    # Session, account, the one asked for, its roles, its factor, its acts, their things; the band's inbox, requests and
    # applications.
    with django_assert_num_queries(10):
        client.get(of(rina))


def test_no_one_is_offered_their_own_account(client: Client, ada: User) -> None:
    page = client.get(of(ada)).text
    assert "Only another administrator" in page
    assert "Close account" not in page
    for act in ("close", "reopen", "roles"):
        answer = client.get(of(ada, act))
        assert (answer.status_code, "You cannot close your own account" in answer.text) == (409, True)
        assert client.post(of(ada, act), CLOSE).status_code == 409
    ada.refresh_from_db()
    assert ada.is_active


# --- closing and opening again


def test_without_password_or_reason_nothing_is_done_and_nothing_typed_lost(
    client: Client, rina: User
) -> None:
    for data, text_shown in (
        ({"reason": " "}, "required"),
        ({"reason": "Left <b>us" + "x" * 2001}, "at most 2000"),
        ({"reason": "a\0b"}, "a character that cannot be stored"),
    ):
        answer = client.post(of(rina, "close"), data)
        assert (answer.status_code, text_shown in answer.text) == (400, True), text_shown
        if "us" in data["reason"]:
            assert "Left &lt;b&gt;us" in answer.text
    an_hour_old(client)
    for password, text_shown in (("wrong", "Wrong password."), ("", "required")):
        asked = client.post(of(rina, "close"), CLOSE)
        assert text_shown in client.post(asked["Location"], {"password": password}).text
    rina.refresh_from_db()
    assert rina.is_active
    assert not Message.objects.exists()


def test_the_password_is_not_guessed_here_and_who_knows_it_goes_on(client: Client, rina: User) -> None:
    for turn in range(MAX_ATTEMPTS_PER_ACCOUNT + 2):
        an_hour_old(client)
        asked = client.post(of(rina, "close" if turn % 2 == 0 else "reopen"), CLOSE)
        assert client.post(asked["Location"], {"password": PASSWORD}).status_code == 302, turn
        assert User.objects.get(pk=rina.pk).is_active is (turn % 2 == 1)
    an_hour_old(client)
    asked = client.post(of(rina, "close"), CLOSE)
    for _ in range(MAX_ATTEMPTS_PER_ACCOUNT):
        assert too_many_attempts() not in client.post(asked["Location"], {"password": "wrong"}).text
    stopped = client.post(asked["Location"], {"password": PASSWORD})
    assert (stopped.status_code, too_many_attempts() in stopped.text) == (429, True)
    rina.refresh_from_db()
    assert rina.is_active


@pytest.mark.django_db(transaction=True)
def test_while_another_holds_the_account_it_is_to_be_tried_again_and_the_reason_stays(
    client: Client, rina: User
) -> None:
    chosen = roles(rina, "referee", "national_official", federation="SEN", reason="Typed with care.")
    for act, data in (("close", CLOSE | {"reason": "Typed with care."}), ("roles", chosen)):
        with held(rina):
            answer = client.post(of(rina, act), data)
        assert (answer.status_code, answer["Retry-After"]) == (503, "5"), act
        assert "Someone else is editing this. Please try again." in answer.text
        assert "Typed with care." in answer.text
    assert answer.text.count(" checked") == 2
    assert 'value="SEN" selected' in answer.text
    rina.refresh_from_db()
    assert (rina.is_active, rina.roles, rina.federation_id) == (True, ["referee"], "NED")


# --- roles


def roles(account: User, *chosen: str, **more: str) -> dict[str, Any]:
    looked_at = " ".join([*account.roles_given, account.federation_id or "-"])
    text_shown = {"roles": chosen, "federation": "NED", "reason": "Elected"}
    return text_shown | {"looked_at": looked_at} | more


def test_the_form_shows_what_they_have_and_what_each_role_does(client: Client, rina: User) -> None:
    page = client.get(of(rina, "roles")).text
    assert page.count("checked") == 1
    assert 'value="referee" id="id_roles_0" checked' in page
    assert 'value="NED" selected' in page
    assert set(ROLE_DESCRIPTIONS) == set(Role)
    for duty in ROLE_DESCRIPTIONS.values():
        assert str(duty) in page


def confirm_button(page: str) -> str:
    """The address of the page's one form that confirms a role; empty if there is none."""
    return "".join(re.findall(r'action="(/accounts/\d+/roles/\d+/confirm/)"', page))


@pytest.mark.parametrize("role", [Role.RATING_OFFICER, Role.TOURNAMENT_DIRECTOR])
def test_a_role_that_accepts_holds_once_another_administrator_confirms_it(
    client: Client, rina: User, role: Role
) -> None:
    """The whole story: Ada gives, Rina has nothing yet, Ada can't confirm, Bo gets a message and does, Rina may."""
    bo, there, other = person("bo@example.org", "Bo Second", Role.ADMINISTRATOR, None), Client(), Client()
    there.force_login(rina)
    other.force_login(bo)
    given = client.post(of(rina, "roles"), roles(rina, role, "referee"), follow=True)
    until_then = f"Another administrator has to confirm: {role.label}. Until then these give no rights."
    assert until_then in given.text
    assert f"Referee, {role.label} (not confirmed)" in tight(given.text)
    assert (confirm_button(given.text), "No rights until another" in given.text) == ("", True)
    assert there.get("/office/").status_code == 403
    assert until_then in " ".join(Message.objects.filter(recipient=rina).values_list("text", flat=True))
    for path, waits in (("/accounts/", True), ("/office/", True)):
        assert ("1 role to confirm" in other.get(path).text) is waits
        assert "role to confirm" not in client.get(path).text
    assert "Role to confirm: Rina Reader" in other.get("/messages/").text
    address = confirm_button(other.get(of(rina)).text)
    own_act = client.post(address, follow=True)
    assert "You assigned this role. Another administrator confirms it." in own_act.text
    assert there.post(address).status_code == 403
    assert there.get("/office/").status_code == 403
    an_hour_old(other)
    asked = other.post(address)
    assert unquote(asked["Location"]).startswith("/account/confirm/?next=")
    assert other.post(asked["Location"], {"password": PASSWORD}).status_code == 302
    assert there.get("/office/").status_code == 200
    assert f"Role confirmed: {role.label}" in there.get("/messages/").text
    entry = LogEntry.objects.get(action="account.confirm_role")
    assert (entry.actor, entry.subject, entry.after["given_by"]) == (bo, f"account {rina.pk}", "Ada Minister")
    assert "This role is no longer waiting for a confirmation." in other.post(address, follow=True).text
    assert "role to confirm" not in other.get("/accounts/").text


def test_what_is_undone_before_it_is_confirmed_never_holds(client: Client, ada: User, rina: User) -> None:
    bo, other = person("bo@example.org", "Bo Second", Role.ADMINISTRATOR, None), Client()
    other.force_login(bo)
    client.post(of(rina, "roles"), roles(rina, "releasing_officer"))
    address = confirm_button(other.get(of(rina)).text)
    client.post(of(rina, "roles"), roles(User.objects.get(pk=rina.pk), "referee"))
    assert "This role is no longer waiting for a confirmation." in other.post(address, follow=True).text
    assert User.objects.get(pk=rina.pk).roles == ["referee"]
    another = other.post(f"/accounts/{bo.pk}/roles/{address.split('/')[4]}/confirm/")
    assert another.status_code == 409, "one's own account"
    assert other.post(f"/accounts/{ada.pk}/roles/{address.split('/')[4]}/confirm/").status_code == 404


def test_an_invited_officer_signs_once_the_account_is_open_and_the_role_confirmed(client: Client) -> None:
    text_shown = {
        "email": "ruth@example.org", "name": "Ruth Abara", "role": "rating_officer", "federation": "",
    }  # fmt: skip
    page = client.post("/accounts/invite/", text_shown, follow=True).text
    assert "The role applies once another administrator confirms it." in page
    ruth = User.objects.get(email="ruth@example.org")
    bo, other = person("bo@example.org", "Bo Second", Role.ADMINISTRATOR, None), Client()
    other.force_login(bo)
    # Withdrawn it is no longer asked for; invited again it waits again, also where it was confirmed before.
    other.post(confirm_button(other.get(of(ruth)).text))
    assert User.objects.get(pk=ruth.pk).roles == ["rating_officer"]
    client.post(of(ruth, "withdraw"))
    client.post("/accounts/invite/", text_shown)
    assert (User.objects.get(pk=ruth.pk).roles, ruth.roles_waiting) == ([], ["rating_officer"])
    client.post(of(ruth, "withdraw"))
    assert "role to confirm" not in other.get("/accounts/").text


def test_a_refusal_shows_what_was_chosen(client: Client, rina: User) -> None:
    for data, text_shown in (
        (roles(rina, "administrator", "releasing_officer"), "signs nothing"),
        (roles(rina), "at least one role"),
        (roles(rina, "national_official", federation=""), "belongs to a federation"),
        (roles(rina, "title_council", looked_at="referee SEN"), "since you opened the page"),
    ):
        answer = client.post(of(rina, "roles"), data)
        assert (answer.status_code, text_shown in answer.text) == (409, True), text_shown
        assert answer.text.count(" checked") == len(data["roles"])
        assert "Elected" in answer.text
    for data in (
        roles(rina, "emperor"),
        roles(rina, "referee", federation="XXX"),
        roles(rina, "referee", looked_at=""),
    ):
        assert client.post(of(rina, "roles"), data).status_code == 400
    rina.refresh_from_db()
    assert (rina.roles, rina.federation_id) == (["referee"], "NED")


# --- inviting


def test_a_role_of_the_office_is_given_with_one_s_own_password_and_others_without(client: Client) -> None:
    text_shown = {"email": "p@example.org", "name": "Piet Fluit", "federation": ""}
    an_hour_old(client)
    for role in set(Role) - {Role.REFEREE, Role.NATIONAL_OFFICIAL}:
        asked = client.post("/accounts/invite/", text_shown | {"role": role})
        assert unquote(asked["Location"]) == "/account/confirm/?next=/accounts/invite/", role
        assert "Wrong password." in client.post(asked["Location"], {"password": "wrong"}).text
    assert not User.objects.filter(email="p@example.org").exists()
    asked = client.post("/accounts/invite/", text_shown | {"role": "administrator"})
    assert client.post(asked["Location"], {"password": PASSWORD})["Location"] == "/accounts/"
    assert User.objects.get(email="p@example.org").roles_waiting == ["administrator"]
    an_hour_old(client)
    referee = {"email": "r@example.org", "name": "Rina", "role": "referee", "federation": "NED"}
    assert client.post("/accounts/invite/", referee).status_code == 302
    refused = client.post("/accounts/invite/", referee | {"email": "s@example.org", "federation": ""})
    assert "belongs to a federation" in refused.text
    office = client_of(person("ruth@example.org", "Ruth Abara", Role.RATING_OFFICER))
    an_hour_old(office)
    assert office.post("/accounts/invite/", referee | {"email": "t@example.org"})["Location"] == "/accounts/"


# --- the list


def names_in(client: Client, **query: str) -> list[str]:
    """Those listed, in the order of the list."""
    return re.findall(r'<a href="/accounts/[0-9]+/">(.+?)</a>', client.get("/accounts/", query).text)


def test_the_list_is_searched_and_filtered(client: Client, ada: User, rina: User) -> None:
    person("nils@sen.example", "Nils Offerman", Role.NATIONAL_OFFICIAL, "SEN")
    person("olga@example.org", "Olga Old", Role.REFEREE)
    client.post(of(User.objects.get(name="Olga Old"), "close"), CLOSE)
    invite(email="p@example.org", name="Piet Fluit", role=Role.REFEREE, federation="SEN", by=Actor(ada))
    for query, expected in (
        ({"words": "reader"}, ["Rina Reader"]),
        ({"words": "EXAMPLE.org ada"}, ["Ada Minister"]),
        ({"words": "sen.example"}, ["Nils Offerman"]),
        ({"role": "referee"}, ["Olga Old", "Piet Fluit", "Rina Reader"]),
        ({"federation": "SEN"}, ["Nils Offerman", "Piet Fluit"]),
        ({"state": "closed"}, ["Olga Old"]),
        ({"state": "invited"}, ["Piet Fluit"]),
        ({"state": "open", "role": "referee"}, ["Rina Reader"]),
        ({"state": "withdrawn"}, []),
        ({"words": "nobody at all"}, []),
    ):
        assert names_in(client, **query) == expected, query
    assert "No accounts match these filters." in client.get("/accounts/?words=nobody").text


def test_a_national_official_filters_within_what_they_may_know(rina: User) -> None:
    person("olga@sen.example", "Olga Old", Role.REFEREE, "SEN")
    official = client_of(person("nils@example.org", "Nils Offerman", Role.NATIONAL_OFFICIAL))
    assert names_in(official) == ["Nils Offerman", "Rina Reader"]
    assert names_in(official, federation="SEN", words="offer") == ["Nils Offerman"]
    assert 'name="federation"' not in official.get("/accounts/").text


@pytest.mark.parametrize("name", ["words", "role", "federation", "state", "page"])
def test_whatever_is_asked_of_the_list_is_answered(client: Client, name: str) -> None:
    for value in (
        "%00", "a%00b", "x" * 5000, "9" * 400, "-1", "%FF", "%F4%90%80%80", "[]", "referee%27", "%25%5F",
    ):  # fmt: skip
        assert client.get(f"/accounts/?{name}={value}&{name}={value}").status_code == 200
