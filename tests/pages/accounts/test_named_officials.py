"""National ratings officials on the public page of their federation: only by their own choice, as long as it counts."""

import json
import re
from collections.abc import Callable

import pytest
from django.test import Client

from reporting.accounts.services import manage_accounts as managed
from reporting.accounts.services.accounts import choose_public_name
from reporting.accounts.services.manage_accounts import rights_summary
from reporting.log.audit import Actor
from reporting.models import LogEntry, NamedOfficial, Role, User
from reporting.refusals.domain_error import DomainError
from tests.people import client_of, create_user, give_roles
from tests.visitor import Visitor

pytestmark = [
    pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared", "cleared_rate_limits"),
]  # fmt: skip

NAME = "Xanthippe Quillfeather"  # of no player
EMAIL = "xq@example.org"


def official(name: str = NAME, email: str = EMAIL) -> User:
    return create_user(email, name, roles=[Role.NATIONAL_OFFICIAL], federation_id="NED")


def is_public(federation: str = "NED", name: str = NAME) -> bool:
    """Whether visitors read the name on the page of a federation; the API agrees, and neither has the address."""
    page = Client().get(f"/federations/{federation}/")
    answer = Client().get(f"/api/v1/federations/{federation}/")
    assert page.status_code == answer.status_code == 200
    assert EMAIL not in page.text + answer.content.decode()
    assert (name in page.text) is (name in answer.json()["national_officials"])
    return name in page.text


def values(visitor: Visitor) -> dict[str, str]:
    """The names and values at the head of a page."""
    return dict(zip(visitor.texts(".//dt"), visitor.texts(".//dd"), strict=True))


def change_roles(account: User, by: Actor, *roles: Role, federation: str = "NED") -> None:
    managed.change_roles(
        account=account, roles=roles, federation=federation, reason="Elected", by=by,
        looked_at=rights_summary(User.objects.get(pk=account.pk)),
    )  # fmt: skip


def end_role(account: User, by: Actor) -> None:
    change_roles(account, by, Role.REFEREE)


def end_role_and_assign_it_again(account: User, by: Actor) -> None:
    change_roles(account, by, Role.REFEREE)
    change_roles(account, by, Role.NATIONAL_OFFICIAL)


def change_federation(account: User, by: Actor) -> None:
    change_roles(account, by, Role.NATIONAL_OFFICIAL, federation="SEN")


def change_federation_and_back(account: User, by: Actor) -> None:
    change_federation(account, by)
    change_roles(account, by, Role.NATIONAL_OFFICIAL)


def close(account: User, by: Actor) -> None:
    managed.close_account(account=account, reason="Left", by=by)


def close_own(account: User, by: Actor) -> None:
    managed.close_own_account(by=Actor(account))


def close_and_reopen(account: User, by: Actor) -> None:
    close(account, by)
    managed.reopen_account(account=account, reason="Back", by=by)


def test_a_federation_names_its_official_only_by_choice() -> None:
    account = official()
    assert not is_public()
    stranger = Visitor()
    stranger.open("/federations/NED/")
    before = stranger.response["ETag"]
    assert values(stranger)["National ratings official"] == "Not named Write to the rating office"
    assert stranger.link("Write to the rating office").get("href") == "/privacy/#operator"

    visitor = Visitor(account)
    visitor.open("/account/")
    assert "The public page of Netherlands does not name you." in visitor.text
    visitor.press("Show my name")
    assert visitor.text.count("Your name is shown.") == 1
    assert "The public page of Netherlands names you as national ratings official." in visitor.text
    assert is_public()
    stranger.open("/federations/NED/")
    assert values(stranger)["National ratings official"] == NAME
    assert stranger.response["ETag"] != before
    assert not is_public("SEN")

    visitor.press("Remove my name")
    assert "Your name is no longer shown." in visitor.text
    assert not is_public()
    entries = LogEntry.objects.filter(subject=f"account {account.pk}").order_by("pk")
    assert [(entry.actor, entry.action, entry.before, entry.after) for entry in entries] == [
        (account, "account.show_name", {"public_name": False, "federation": "NED"},
         {"public_name": True, "federation": "NED"}),
        (account, "account.hide_name", {"public_name": True, "federation": "NED"},
         {"public_name": False, "federation": "NED"}),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "end",
    [end_role, end_role_and_assign_it_again, change_federation, change_federation_and_back,
     close, close_own, close_and_reopen],
)  # fmt: skip
def test_the_choice_ends_with_role_account_and_federation(end: Callable[[User, Actor], None]) -> None:
    account = official()
    ada = Actor(create_user("ada@example.org", "Ada Minister", roles=[Role.ADMINISTRATOR]))
    choose_public_name(shown=True, by=Actor(account))
    assert is_public()
    end(account, ada)
    assert not is_public()
    assert not is_public("SEN")
    account = User.objects.get(pk=account.pk)
    if account.has_role(Role.NATIONAL_OFFICIAL):  # it can be chosen again
        choose_public_name(shown=True, by=Actor(account))
        assert is_public(str(account.federation_id))


def test_a_choice_made_twice_is_one_row_and_one_entry_of_the_log() -> None:
    account = official()
    for shown in (False, True, True):
        choose_public_name(shown=shown, by=Actor(account))
    assert NamedOfficial.objects.get().account == account
    assert LogEntry.objects.get(subject=f"account {account.pk}").action == "account.show_name"


def test_several_officials_are_named_by_name_and_a_new_name_counts_at_once() -> None:
    for account in (official("Zeno Quillfeather", "zq@example.org"), official()):
        choose_public_name(shown=True, by=Actor(account))
    visitor = Visitor()
    visitor.open("/federations/NED/")
    assert values(visitor)["National ratings officials"] == f"{NAME}, Zeno Quillfeather"
    client = client_of(account)
    client.post("/account/name/", {"name": "Yolande Quillfeather"})
    assert is_public(name="Yolande Quillfeather")
    assert not is_public()


@pytest.mark.parametrize("role", [role for role in Role if role != Role.NATIONAL_OFFICIAL])
def test_other_roles_have_no_choice(role: Role) -> None:
    account = create_user(EMAIL, NAME, roles=[role], federation_id="NED")
    client = client_of(account)
    assert "Show my name" not in client.get("/account/").text
    assert client.post("/account/", {"action": "show-name"}).status_code == 403
    with pytest.raises(DomainError) as refused:
        choose_public_name(shown=True, by=Actor(account))
    assert refused.value.code == "forbidden"
    assert not is_public()


def test_an_official_without_a_federation_has_no_choice_and_a_stranger_is_sent_to_log_in() -> None:
    account = create_user(EMAIL, NAME, roles=[Role.NATIONAL_OFFICIAL])
    client = Client()
    assert client.post("/account/", {"action": "show-name"})["Location"] == "/login/?next=/account/"
    client.force_login(account)
    assert client.post("/account/", {"action": "show-name"}).status_code == 403
    assert not NamedOfficial.objects.exists()


@pytest.mark.parametrize("data", [{}, {"action": "shout"}, {"named": "on"}])
def test_a_form_that_says_nothing_changes_nothing(data: dict[str, str]) -> None:
    client = client_of(official())
    assert client.post("/account/", data).status_code == 400
    assert not NamedOfficial.objects.exists()


def test_a_role_that_ended_since_the_page_was_opened_is_refused() -> None:
    account = official()
    by = Actor(User.objects.get(pk=account.pk))
    give_roles(account, Role.REFEREE)
    assert by.user.has_role(Role.NATIONAL_OFFICIAL)  # as it was read
    with pytest.raises(DomainError):
        choose_public_name(shown=True, by=by)


def test_the_own_data_and_the_privacy_notice_say_it() -> None:
    account = official()
    choose_public_name(shown=True, by=Actor(account))
    client = client_of(account)
    (row,) = json.loads(client.get("/account/own-data.json").content)["public_name"]
    assert (row["assignment__role"], row["assignment__ended_at"]) == ("national_official", None)
    assert re.search("can choose to be\\s+named on the page of the federation", client.get("/privacy/").text)
