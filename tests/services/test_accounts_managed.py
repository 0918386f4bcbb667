"""Administrators close, open and change accounts, never their own, each act with its reason; one is always left."""

import io
import threading
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth import authenticate
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from reporting.accounts.services import accounts
from reporting.accounts.services import manage_accounts as managed
from reporting.accounts.services.manage_accounts import rights_summary
from reporting.accounts.services.roles import confirm_role
from reporting.log.audit import Actor
from reporting.messages.one_time_links import INVITATION, PASSWORD, message_link
from reporting.messages.send_messages import send_messages
from reporting.models import Invitation, LogEntry, Message, Role, RoleAssignment, User
from reporting.refusals.domain_error import DomainError
from tests.concurrency import run_concurrently, wait_for_lock
from tests.people import create_federation, create_user
from tests.services import report_helpers

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]
by_the_worker = pytest.mark.database_role("worker")  # as commands are run

PASSWORD_SET, ANOTHER = "a-board-of-ten-by-ten", "another-board-of-ten"
ACTS = ("close", "reopen", "roles")


@pytest.fixture(autouse=True)
def federations(db: None) -> None:
    for code in ("NED", "SEN"):
        create_federation(code)


def person(role: Role, name: str = "", **fields: Any) -> User:
    name = name or role.label
    email = f"{name.replace(' ', '.')}@example.org".lower()
    return create_user(email, name, PASSWORD_SET, roles=[role], federation_id="NED", **fields)


@pytest.fixture
def ada(federations: None) -> Actor:
    return Actor(person(Role.ADMINISTRATOR, "Ada Minister"))


@pytest.fixture
def rina(federations: None) -> User:
    return person(Role.REFEREE, "Rina Reader")


def act(name: str, account: User, by: Actor, **more: Any) -> User:
    """One of the three acts, as it would be done to this account at this moment."""
    arguments: dict[str, Any] = {"account": account, "reason": "Left the federation", "by": by}
    if name == "roles":
        arguments |= {
            "roles": [Role.TITLE_COUNCIL],
            "federation": "NED",
            "looked_at": rights_summary(account),
        }
    acts = {"close": managed.close_account, "reopen": managed.reopen_account, "roles": managed.change_roles}
    return acts[name](**arguments | more)


def closed(account: User) -> User:
    User.objects.filter(pk=account.pk).update(is_active=False)
    account.refresh_from_db()
    return account


def refusal(name: str, account: User, by: Actor, **more: Any) -> str:
    """The code of a refusal that left everything as it was."""
    before = list(User.objects.order_by("pk").values()), LogEntry.objects.count(), Message.objects.count()
    code = report_helpers.refusal(act, name, account, by, **more).code
    after = list(User.objects.order_by("pk").values()), LogEntry.objects.count(), Message.objects.count()
    assert after == before
    return code


def token_of(message: Message) -> str:
    return message_link(message).rstrip("/").rpartition("/")[2]


# --- who, and whom


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("role", [role for role in Role if role != Role.ADMINISTRATOR])
def test_no_one_but_an_administrator_does_any_of_it(rina: User, role: Role, name: str) -> None:
    account = closed(rina) if name == "reopen" else rina
    assert refusal(name, account, Actor(person(role, "Otto Other"))) == "forbidden"


@pytest.mark.parametrize("name", ACTS)
def test_no_one_does_any_of_it_to_themselves(ada: Actor, name: str) -> None:
    person(Role.ADMINISTRATOR, "Bo Second")
    assert refusal(name, ada.user, ada) == "own_account"


@pytest.mark.parametrize("name", ACTS)
def test_accounts_of_commands_are_never_touched(ada: Actor, name: str) -> None:
    for account in User.objects.filter(acts_by_command=True):
        assert refusal(name, account, ada) == "forbidden"


@pytest.mark.parametrize("name", ACTS)
def test_each_asks_for_a_reason(ada: Actor, rina: User, name: str) -> None:
    account = closed(rina) if name == "reopen" else rina
    assert refusal(name, account, ada, reason=" \n") == "reason_missing"


@pytest.mark.parametrize("name", ACTS)
def test_an_administrator_who_was_closed_meanwhile_does_nothing(ada: Actor, rina: User, name: str) -> None:
    account = closed(rina) if name == "reopen" else rina
    User.objects.filter(pk=ada.user.pk).update(is_active=False)
    assert ada.user.is_active, "as the request remembers them"
    assert refusal(name, account, ada) == "forbidden"


# --- closing and opening again


def test_a_closed_account_logs_in_no_more_and_gets_a_message(ada: Actor, rina: User) -> None:
    token = PASSWORD.token_at(rina, rina.created_at)
    session = rina.get_session_auth_hash()
    act("close", rina, ada, reason=" Left the federation ")
    rina.refresh_from_db()
    assert not rina.is_active
    assert authenticate(username=rina.email, password=PASSWORD_SET) is None
    entry = LogEntry.objects.get()
    assert (entry.actor, entry.action, entry.subject, entry.before, entry.after, entry.reason) == (
        ada.user, "account.close", f"account {rina.pk}", {"active": True}, {"active": False}, "Left the federation",
    )  # fmt: skip
    message = Message.objects.get()
    assert (message.kind, message.recipient) == ("account_changed", rina)
    assert message.title == "Your account was closed"
    assert "Administrator: Ada Minister" in message.text
    assert "Reason: Left the federation" in message.text
    act("reopen", rina, ada)
    rina.refresh_from_db()
    assert rina.is_active
    assert not rina.has_usable_password(), "a session or link from before does not come to life again"
    assert rina.get_session_auth_hash() != session
    assert not PASSWORD.check_token(rina, token)


@pytest.mark.database_role("worker")
def test_the_mail_leaves_although_the_account_is_closed(ada: Actor, rina: User, settings) -> None:
    settings.OFFICE_URL = "https://ratings.example"
    act("close", rina, ada)
    assert send_messages() == 1
    assert (mail.outbox[0].to, mail.outbox[0].subject) == ([rina.email], "Your account was closed")
    assert "https://" not in mail.outbox[0].body, "no page opens to a closed account"


def test_who_is_closed_while_typing_changes_nothing_of_their_own(ada: Actor, rina: User) -> None:
    """Else a password set at that moment would hold when the account is opened again."""
    act("close", rina, ada)
    by = Actor(rina)  # as their request remembers them
    for own in (
        lambda: accounts.set_password(account=rina, password=ANOTHER),
        lambda: accounts.change_name(name="Rina Lector", by=by),
        lambda: accounts.request_email_change(email="new@example.org", by=by),
    ):
        with pytest.raises(DomainError, match="This account is closed"):
            own()
    account = User.objects.get(pk=rina.pk)
    assert (account.has_usable_password(), account.name) == (False, "Rina Reader")
    assert not EmailAddress.objects.exists()


def test_opened_again_its_owner_sets_a_password_of_their_own(ada: Actor, rina: User) -> None:
    act("close", rina, ada)
    act("reopen", rina, ada, reason="Back again")
    entry = LogEntry.objects.latest("pk")
    assert (entry.action, entry.before, entry.after, entry.reason) == (
        "account.reopen", {"active": False}, {"active": True}, "Back again",
    )  # fmt: skip
    accounts.request_password_reset(email=rina.email)
    token = token_of(Message.objects.get(kind="password_reset")).partition("-")[2]
    accounts.reset_password(account=rina, token=token, password=ANOTHER)
    assert authenticate(username=rina.email, password=ANOTHER) == rina


def test_what_is_closed_is_not_closed_again_and_what_is_open_not_opened(ada: Actor, rina: User) -> None:
    assert refusal("reopen", rina, ada) == "wrong_state"
    act("close", rina, ada)
    assert refusal("close", rina, ada) == "wrong_state"


@pytest.mark.parametrize("withdrawn", [False, True])
def test_an_invited_account_is_opened_by_no_one_but_its_owner(ada: Actor, withdrawn: bool) -> None:
    invitation = accounts.invite(
        email="piet@example.org", name="Piet Fluit", role=Role.REFEREE, federation="NED", by=ada
    )
    if withdrawn:
        accounts.withdraw_invitation(invitation=invitation, by=ada)
    for name in ("close", "reopen"):
        assert refusal(name, invitation.account, ada) == "wrong_state"


# --- roles and federation


def test_roles_and_federation_are_changed_with_a_message(ada: Actor, rina: User) -> None:
    roles = [Role.RATING_OFFICER, Role.REFEREE, Role.RELEASING_OFFICER]
    act("roles", rina, ada, roles=roles, federation="SEN", reason="Elected")
    rina.refresh_from_db()
    assert (rina.roles, rina.federation_id) == (["referee"], "SEN")
    waiting = ["rating_officer", "releasing_officer"]
    assert rina.roles_waiting == waiting
    entry = LogEntry.objects.get()
    assert (entry.action, entry.reason) == ("account.change_roles", "Elected")
    assert entry.before == {"roles": ["referee"], "federation": "NED"}
    assert entry.after == {"roles": ["referee", *waiting], "federation": "SEN", "waiting": waiting}
    message = Message.objects.get()
    assert "New: Referee, Rating officer, Releasing officer (SEN). Before: Referee (NED)." in message.text


def test_the_same_roles_again_leave_no_trace(ada: Actor, rina: User) -> None:
    act("roles", rina, ada, roles=[Role.REFEREE], federation="NED")
    assert not LogEntry.objects.exists()
    assert not Message.objects.exists()


def test_who_looked_at_an_older_state_changes_nothing(ada: Actor, rina: User) -> None:
    looked_at = rights_summary(rina)
    act("roles", rina, ada, roles=[Role.REFEREE, Role.TOURNAMENT_DIRECTOR])
    assert refusal("roles", rina, ada, roles=[Role.TITLE_COUNCIL], looked_at=looked_at) == "changed_meanwhile"


@pytest.mark.parametrize(
    ("roles", "federation", "code"),
    [
        ([], "NED", "no_role"),
        ([Role.NATIONAL_OFFICIAL], "", "federation_needed"),
        ([Role.REFEREE], "", "federation_needed"),
        ([Role.REFEREE], "XYZ", "federation_unknown"),
        ([Role.ADMINISTRATOR, Role.RATING_OFFICER], "", "roles_conflict"),
        ([Role.ADMINISTRATOR, Role.RELEASING_OFFICER], "", "roles_conflict"),
        ([Role.ADMINISTRATOR, Role.TITLE_COUNCIL], "", "roles_conflict"),
    ],
)
def test_roles_that_cannot_be_are_refused(ada, rina, roles: list[Role], federation: str, code: str) -> None:
    assert refusal("roles", rina, ada, roles=roles, federation=federation) == code


@pytest.mark.parametrize(
    "roles",
    [[Role.ADMINISTRATOR, Role.TOURNAMENT_DIRECTOR], [Role.RATING_OFFICER, Role.RELEASING_OFFICER, Role.TITLE_COUNCIL]],
)  # fmt: skip
def test_roles_that_exclude_nothing_go_together_without_a_federation(ada, rina, roles: list[Role]) -> None:
    act("roles", rina, ada, roles=roles, federation="")
    rina.refresh_from_db()
    assert (set(rina.roles_given), rina.federation_id) == (set(roles), None)


# --- two at once


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["close", "roles"])
@pytest.mark.parametrize("turn", range(3))
def test_of_two_administrators_who_end_each_other_at_once_one_is_left(federations, name: str, turn: int):
    first, second = (person(Role.ADMINISTRATOR, name) for name in ("Ada Minister", "Bo Second"))
    outcomes = run_concurrently(
        lambda: act(name, second, Actor(first)), lambda: act(name, first, Actor(second))
    )
    refused = [outcome.code for outcome in outcomes if isinstance(outcome, DomainError)]
    assert refused == ["forbidden"]
    assert sum(isinstance(outcome, Exception) for outcome in outcomes) == 1
    both = User.objects.filter(pk__in=[first.pk, second.pk])
    assert sum(account.has_role(Role.ADMINISTRATOR) for account in both) == 1
    assert LogEntry.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_who_waits_for_the_other_is_judged_by_what_is_left_of_him(federations: None) -> None:
    """The second waits for the lock while the first has closed the account and not yet committed."""
    first, second = (person(Role.ADMINISTRATOR, name) for name in ("Ada Minister", "Bo Second"))
    outcomes: list[str] = []

    def closes_back() -> None:
        try:
            act("close", first, Actor(second))
            outcomes.append("done")
        except DomainError as refused:
            outcomes.append(refused.code)
        finally:
            connection.close()

    thread = threading.Thread(target=closes_back)
    with transaction.atomic():
        act("close", second, Actor(first))
        thread.start()
        wait_for_lock()
        assert outcomes == [], "it waits"
    thread.join()
    assert outcomes == ["forbidden"]
    first.refresh_from_db()
    assert first.is_active


@pytest.mark.django_db(transaction=True)
def test_of_two_who_confirm_at_once_one_reads_that_it_is_done(federations: None) -> None:
    ada, bo, cleo = (person(Role.ADMINISTRATOR, name) for name in ("Ada Minister", "Bo Second", "Cleo Third"))
    rina = person(Role.REFEREE, "Rina Reader")
    act("roles", rina, Actor(ada), roles=[Role.RELEASING_OFFICER])
    given = RoleAssignment.objects.get(account=rina, confirmed_at=None, ended_at=None)
    outcomes = run_concurrently(
        *(lambda by=by: confirm_role(assignment=given, by=Actor(by)) for by in (bo, cleo))
    )
    assert [outcome.code for outcome in outcomes if isinstance(outcome, DomainError)] == ["wrong_state"]
    assert sum(isinstance(outcome, Exception) for outcome in outcomes) == 1
    assert LogEntry.objects.filter(action="account.confirm_role").count() == 1
    rina.refresh_from_db()
    assert rina.roles == ["releasing_officer"]


@pytest.mark.django_db(transaction=True)
def test_who_is_closed_while_confirming_confirms_nothing_or_did_it_before(federations: None) -> None:
    ada, bo = (person(Role.ADMINISTRATOR, name) for name in ("Ada Minister", "Bo Second"))
    rina = person(Role.REFEREE, "Rina Reader")
    act("roles", rina, Actor(ada), roles=[Role.RATING_OFFICER])
    given = RoleAssignment.objects.get(account=rina, confirmed_at=None, ended_at=None)
    run_concurrently(
        lambda: act("close", bo, Actor(ada)), lambda: confirm_role(assignment=given, by=Actor(bo))
    )
    acts = list(LogEntry.objects.order_by("pk").values_list("action", flat=True))
    assert acts in (
        ["account.change_roles", "account.close"],
        ["account.change_roles", "account.confirm_role", "account.close"],
    )
    rina.refresh_from_db()
    assert bool(rina.roles) is ("account.confirm_role" in acts)


# --- a second factor that was lost


@by_the_worker
def test_the_only_administrator_s_lost_factor_is_removed_by_command(ada: Actor) -> None:
    Authenticator.objects.create(user=ada.user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    with pytest.raises(DomainError, match="another administrator"):
        managed.remove_second_factor(account=ada.user, reason="Lost", by=ada)
    for arguments, message in (
        (("nobody@example.org", "Lost the phone"), "No account has the e-mail address"),
        ((ada.user.email, " "), "reason_missing"),
    ):
        with pytest.raises(CommandError, match=message):
            call_command("remove_second_factor", *arguments)
    assert Authenticator.objects.exists()
    call_command("remove_second_factor", ada.user.email.upper(), "Lost the phone", stdout=io.StringIO())
    assert not Authenticator.objects.exists()
    entry = LogEntry.objects.get()
    assert (entry.action, entry.by_command, entry.reason) == ("account.remove_factor", True, "Lost the phone")
    assert "Administrator: command" in Message.objects.get().text
    with pytest.raises(CommandError, match="wrong_state"):
        call_command("remove_second_factor", ada.user.email, "Lost the phone")


# --- the first administrators of an installation

OFFICER = "officer@office.invalid"
ADA, BO = ("ada@example.org", "Ada Minister"), ("bo@example.org", "Bo Second")


def first_administrators(*people: tuple[str, str]) -> list[Message]:
    by = Actor(User.objects.get(email=OFFICER), by_command=True)
    return managed.invite_administrators(people=people or (ADA, BO), by=by)


def first_refused(*people: tuple[str, str]) -> str:
    return report_helpers.refusal(first_administrators, *people).code


def opened_by(message: Message) -> User:
    return accounts.accept_invitation(account=message.person, token=token_of(message), password=PASSWORD_SET)


@by_the_worker
def test_the_first_two_administrators_open_their_accounts_by_links_and_are_the_only_ones_made_so() -> None:
    ada, bo = map(opened_by, first_administrators())
    assert ada.has_role(Role.ADMINISTRATOR)
    assert bo.has_role(Role.ADMINISTRATOR)
    entry = LogEntry.objects.earliest("pk")
    assert (entry.actor.email, entry.by_command, entry.action) == (OFFICER, True, "account.invite")
    assert entry.after == {"email": "ada@example.org", "name": "Ada Minister", "roles": ["administrator"]}
    assert first_refused() == "administrator_exists"
    assert first_refused(("cleo@example.org", "Cleo")) == "administrator_exists"


@by_the_worker
def test_next_to_one_open_administrator_one_more_is_made_and_no_two() -> None:
    ada, _ = first_administrators()
    opened_by(ada)
    assert first_refused() == "two_administrators"
    assert first_refused(ADA) == "account_exists"
    (cleo,) = first_administrators(("cleo@example.org", "Cleo Third"))
    assert opened_by(cleo).has_role(Role.ADMINISTRATOR)
    bo = User.objects.get(email="bo@example.org")
    assert bo.roles == []
    assert Invitation.objects.get(account=bo).withdrawn_at is not None


@by_the_worker
@pytest.mark.parametrize(
    "people", [[ADA], [ADA, ("ADA@example.org", "Ada")], [ADA, BO, ("c@example.org", "C")]]
)
def test_not_one_and_not_three(people: list[tuple[str, str]]) -> None:
    assert first_refused(*people) == "two_administrators"


@by_the_worker
def test_asked_again_they_get_other_links_and_those_before_end() -> None:
    before, _ = first_administrators()
    again, _ = first_administrators(("ADA@example.org", "Ada  Ministerová"), BO)
    assert before.person == again.person
    assert not INVITATION.check_token(again.person, token_of(before))
    assert opened_by(again).name == "Ada Ministerová"


@by_the_worker
def test_an_address_given_by_mistake_loses_its_link_and_its_role() -> None:
    (wrong, _), (right, _) = first_administrators(("adda@example.org", "Ada"), BO), first_administrators()
    with pytest.raises(DomainError, match="was used, has expired or was replaced"):
        opened_by(wrong)
    assert Invitation.objects.get(account=wrong.person).withdrawn_at is not None
    assert User.objects.get(email="adda@example.org").roles == []
    assert opened_by(right).email == "ada@example.org"


@by_the_worker
@pytest.mark.parametrize(
    ("email", "name", "code"),
    [
        ("ada", "Ada Minister", "email_refused"),
        (f"{'a' * 60}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 60}.org", "Ada", "email_refused"),
        ("ada@example.org", "  ", "name_refused"),
        ("ada@example.org", "A" * 121, "name_refused"),
        ("rina.reader@example.org", "Rina Reader", "account_exists"),
        ("releaser@office.invalid", "Releaser", "account_exists"),
    ],
)
def test_what_is_no_person_s_first_account_is_refused(rina: User, email: str, name: str, code: str) -> None:
    assert first_refused(BO, (email, name)) == code
    assert not Message.objects.exists()


def test_by_hand_no_one_makes_a_first_administrator(rina: User) -> None:
    invite = managed.invite_administrators
    assert report_helpers.refusal(invite, people=[ADA, BO], by=Actor(rina)).code == "forbidden"
