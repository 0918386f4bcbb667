"""Accounts: invited within what one may, opened and changed by links that hold once, each act in the log."""

import re
import threading
import time
from datetime import UTC, timedelta
from typing import Any
from unittest.mock import patch

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.contrib.auth import authenticate
from django.core import mail, signing
from django.core.checks import run_checks
from django.db import connection, transaction
from django.utils import timezone

from reporting.accounts.services import accounts
from reporting.log.audit import Actor
from reporting.messages.one_time_links import INVITATION, PASSWORD, message_link
from reporting.messages.send_messages import send_messages
from reporting.models import Invitation, LogEntry, Message, Role, User
from reporting.refusals.domain_error import DomainError
from tests.concurrency import run_concurrently, wait_for_lock
from tests.people import create_federation, create_user
from tests.services.report_helpers import refusal

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

PASSWORD_SET = "a-board-of-ten-by-ten"  # noqa: S105
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


@pytest.fixture(autouse=True)
def federations(db: None) -> None:
    for code in ("NED", "SEN"):
        create_federation(code)


def person(role: Role, federation: str | None = "NED", name: str = "") -> Actor:
    email, name = f"{role}.{federation or 'none'}@example.org".lower(), name or role.label
    return Actor(create_user(email, name, "old-long-password", roles=[role], federation_id=federation))


def invited(by: Actor, email="piet@example.org", role=Role.REFEREE, federation="NED") -> Invitation:
    return accounts.invite(email=email, name="Piet Fluit", role=role, federation=federation, by=by)


def token_of(kind: str) -> str:
    last = message_link(Message.objects.filter(kind=kind).latest("pk")).rstrip("/").rpartition("/")[2]
    return last.partition("-")[2] if kind == "password_reset" else last


def asked_for(account: User) -> EmailAddress:
    """The address that an account waits to have confirmed."""
    return EmailAddress.objects.get(user=account, verified=False)


def log() -> list[tuple[str, str]]:
    return [(entry.actor.email, entry.action) for entry in LogEntry.objects.order_by("pk")]


# --- who invites whom


MAY_INVITE = {
    (Role.NATIONAL_OFFICIAL, Role.REFEREE, "NED"),
    *(
        (inviter, role, federation)
        for inviter in (Role.RATING_OFFICER, Role.TOURNAMENT_DIRECTOR)
        for role in (Role.REFEREE, Role.NATIONAL_OFFICIAL)
        for federation in ("NED", "SEN")
    ),
    *((Role.ADMINISTRATOR, role, federation) for role in Role for federation in ("NED", "SEN")),
}


@pytest.mark.parametrize("inviter", Role)
def test_each_role_invites_those_it_may_and_no_one_else(inviter: Role) -> None:
    by = person(inviter)
    for role in Role:
        for federation in ("NED", "SEN"):
            email = f"{role}.{federation}.invited@example.org"
            if (inviter, role, federation) in MAY_INVITE:
                assert invited(by, email, role, federation).account.roles_given == [role]
            else:
                assert refusal(invited, by, email, role, federation).code == "forbidden"
                assert not User.objects.filter(email=email).exists()


def test_a_national_official_without_a_federation_invites_nobody() -> None:
    assert refusal(invited, person(Role.NATIONAL_OFFICIAL, None)).code == "forbidden"


def test_who_was_closed_since_the_page_was_opened_invites_nobody() -> None:
    by = person(Role.ADMINISTRATOR)
    User.objects.filter(pk=by.user.pk).update(is_active=False)
    assert by.user.has_role(Role.ADMINISTRATOR), "as the request read it"
    assert refusal(invited, by).code == "forbidden"
    assert not Invitation.objects.exists()


def test_only_referees_and_officials_need_a_federation() -> None:
    by = person(Role.ADMINISTRATOR)
    account = invited(by, "ruth@example.org", Role.RATING_OFFICER, "").account
    assert (account.roles_given, account.roles, account.federation_id) == (["rating_officer"], [], None)
    assert "invites you to the rating office. Role: Rating officer.\n\n" in Message.objects.get().text
    for role in (Role.REFEREE, Role.NATIONAL_OFFICIAL):
        assert refusal(invited, by, "nils@example.org", role, "").code == "federation_needed"


def test_a_mail_names_the_zone_of_its_moment(settings: Any) -> None:
    """Bogota is 5 hours behind UTC all year."""
    settings.OFFICE_TIME_ZONE = settings.TIME_ZONE = "America/Bogota"
    until = invited(person(Role.ADMINISTRATOR)).sent_at + INVITATION.holds - timedelta(hours=5)
    text = Message.objects.get().text
    assert f"{until.astimezone(UTC):%H:%M} America/Bogota" in text
    assert "UTC" not in text


def test_an_invited_account_is_closed_without_password_and_gets_one_message() -> None:
    by = person(Role.NATIONAL_OFFICIAL)
    account = invited(by).account
    account.refresh_from_db()
    assert (account.is_active, account.has_usable_password()) == (False, False)
    assert (account.name, account.roles, account.federation_id) == ("Piet Fluit", ["referee"], "NED")
    message = Message.objects.get()
    assert (message.kind, message.recipient) == ("invitation", account)
    assert "invites you to the rating office. Role: Referee. Federation: Netherlands." in message.text
    assert log() == [(by.user.email, "account.invite")]
    facts = {"email": "piet@example.org", "name": "Piet Fluit", "roles": ["referee"], "federation": "NED"}
    assert LogEntry.objects.get().after == facts


def test_a_federation_that_no_one_played_for_yet_can_be_invited_and_an_unknown_one_not() -> None:
    by = person(Role.RATING_OFFICER)
    assert invited(by, federation="BFA").account.federation.name
    assert refusal(invited, by, "other@example.org", federation="XYZ").code == "federation_unknown"


# --- an address that is there


@pytest.mark.parametrize("email", ["rina@example.org", "RINA@example.org"])
def test_of_another_federation_s_account_an_official_learns_only_that_it_is_there(email: str) -> None:
    create_user("rina@example.org", "Rina Reader", roles=["referee"], federation_id="SEN")
    for inviter, names_person in ((Role.NATIONAL_OFFICIAL, False), (Role.RATING_OFFICER, True)):
        refused = refusal(invited, person(inviter), email)
        assert refused.code == "account_exists"
        assert ("Rina Reader" in refused.message) is names_person
    assert not Message.objects.exists()


def test_inviting_twice_points_to_sending_again_and_no_one_invites_themselves() -> None:
    by = person(Role.NATIONAL_OFFICIAL)
    invited(by)
    with pytest.raises(DomainError, match="Send the invitation again"):
        invited(by)
    assert refusal(invited, by, by.user.email).code == "account_exists"
    assert Message.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_who_invite_one_address_at_once_the_second_is_refused() -> None:
    by = person(Role.NATIONAL_OFFICIAL)
    outcomes: list[str] = []

    def invites() -> None:
        try:
            outcomes.append(refusal(invited, by).code)
        finally:
            connection.close()

    inviting = threading.Thread(target=invites)
    with transaction.atomic():
        create_user("piet@example.org", "Piet of another")
        inviting.start()
        wait_for_lock()
    inviting.join(30)
    assert outcomes == ["account_exists"]
    assert not Invitation.objects.exists()


# --- the link


def test_the_link_sets_the_password_once() -> None:
    account = invited(person(Role.NATIONAL_OFFICIAL)).account
    token = token_of("invitation")
    opened = accounts.accept_invitation(account=account, token=token, password=PASSWORD_SET)
    assert opened.is_active
    assert authenticate(username="piet@example.org", password=PASSWORD_SET) == opened
    assert Invitation.objects.get().accepted_at is not None
    assert log()[-1] == ("piet@example.org", "account.accept_invitation")
    again = {"account": account, "token": token, "password": "another-password"}
    assert refusal(accounts.accept_invitation, **again).code == "link_ended"
    assert authenticate(username="piet@example.org", password=PASSWORD_SET) == opened


def account_with(link) -> User:
    """An account to which only this link is open."""
    if link is INVITATION:
        return invited(person(Role.NATIONAL_OFFICIAL)).account
    return person(Role.REFEREE).user


@pytest.mark.parametrize(("link", "holds"), [(INVITATION, timedelta(days=7)), (PASSWORD, timedelta(hours=3))])
def test_a_link_holds_so_long_and_altered_not_at_all(link, holds: timedelta) -> None:
    account, now = account_with(link), timezone.now()
    assert link.check_token(account, link.token_at(account, now - holds + 10 * MINUTE))
    assert not link.check_token(account, link.token_at(account, now - holds - 10 * MINUTE))
    token = link.token_at(account, now - SECOND)
    assert link.check_token(account, token)
    stamp, _, mark = token.partition("-")
    later = link.token_at(account, now + timedelta(hours=1)).partition("-")[0]
    altered = [f"{later}-{mark}", f"{stamp}-{mark[::-1]}", token[:-1], token + "0", mark, f"{stamp}-", ""]
    for changed in (*altered, "-", "é-é", None):
        assert not link.check_token(account, changed), changed


def test_a_link_to_a_new_address_holds_a_day_and_altered_not_at_all() -> None:
    by = person(Role.REFEREE)
    accounts.request_email_change(email="new@example.org", by=by)
    with time_machine_of(timedelta(days=1) - 10 * MINUTE):
        early = token_of("email_confirm")
    with time_machine_of(timedelta(days=1) + 10 * MINUTE):
        late = token_of("email_confirm")
    assert EmailConfirmationHMAC.from_key(early).email_address == asked_for(by.user)
    assert EmailConfirmationHMAC.from_key(late) is None
    number, stamp, mark = early.split(":")
    later = token_of("email_confirm").split(":")[1]
    other = signing.dumps(asked_for(by.user).pk)  # signed by us for something else
    altered = [f"{number}:{later}:{mark}", f"Mw:{stamp}:{mark}", early[:-1], early + "0", mark]
    for changed in (*altered, other, "", "::"):
        if changed != early:
            assert EmailConfirmationHMAC.from_key(changed) is None, changed


def time_machine_of(ago: timedelta):
    """What is signed inside was signed so long ago."""
    now = time.time()
    return patch("django.core.signing.time.time", lambda: now - ago.total_seconds())


def test_no_link_opens_what_another_is_for_or_another_account() -> None:
    account, other = person(Role.REFEREE).user, person(Role.TITLE_COUNCIL).user
    for link in (INVITATION, PASSWORD):
        token = link.token_at(account, timezone.now())
        for check in (INVITATION, PASSWORD):
            assert check.check_token(account, token) is (check is link and link is not INVITATION)
        assert EmailConfirmationHMAC.from_key(token) is None
        assert not link.check_token(other, token)
    accounts.request_email_change(email="new@example.org", by=Actor(account))
    key = token_of("email_confirm")
    assert not any(link.check_token(account, key) for link in (INVITATION, PASSWORD))
    refused = refusal(accounts.confirm_email, new_email=asked_for(account), by=Actor(other))
    assert refused.code == "link_ended", "followed by the reader of the mail and not by its owner"


@pytest.mark.parametrize(("changes"), [{"is_active": False}, {"acts_by_command": True}])
def test_closed_accounts_and_those_of_commands_have_no_link(changes: dict[str, bool]) -> None:
    account = account_with(PASSWORD)
    token = PASSWORD.token_at(account, timezone.now())
    assert PASSWORD.check_token(account, token)
    for name, value in changes.items():
        setattr(account, name, value)
    assert not PASSWORD.check_token(account, token)


# --- again, withdrawn


def test_sent_again_it_holds_from_then_but_not_at_once() -> None:
    by = person(Role.NATIONAL_OFFICIAL)
    invitation = invited(by)
    assert refusal(accounts.resend_invitation, invitation=invitation, by=by).code == "sent_recently"
    Invitation.objects.update(sent_at=timezone.now() - timedelta(days=8))
    invitation.refresh_from_db()
    assert invitation.is_expired
    again = accounts.resend_invitation(invitation=invitation, by=by)
    assert again.is_pending
    assert not again.is_expired
    assert Message.objects.count() == 2
    assert INVITATION.check_token(again.account, token_of("invitation"))


def test_withdrawn_its_link_ends_and_a_new_invitation_does_not_revive_it() -> None:
    by = person(Role.NATIONAL_OFFICIAL)
    invitation = invited(by)
    first = token_of("invitation")
    accounts.withdraw_invitation(invitation=invitation, by=by)
    account = User.objects.get(pk=invitation.account_id)
    assert not INVITATION.check_token(account, first)
    for act in (accounts.withdraw_invitation, accounts.resend_invitation):
        assert refusal(act, invitation=invitation, by=by).code == "wrong_state"
    assert invited(by).account == account
    account.refresh_from_db()
    assert not INVITATION.check_token(account, first)
    assert INVITATION.check_token(account, token_of("invitation"))


def test_an_accepted_invitation_is_neither_sent_nor_withdrawn() -> None:
    by = person(Role.NATIONAL_OFFICIAL)
    invitation = invited(by)
    token = token_of("invitation")
    accounts.accept_invitation(account=invitation.account, token=token, password=PASSWORD_SET)
    for act in (accounts.withdraw_invitation, accounts.resend_invitation):
        assert refusal(act, invitation=invitation, by=by).code == "wrong_state"


@pytest.mark.parametrize("action", [accounts.withdraw_invitation, accounts.resend_invitation])
def test_an_official_keeps_the_invitations_of_referees_of_their_federation(action) -> None:
    office, own = person(Role.RATING_OFFICER), person(Role.NATIONAL_OFFICIAL)
    of_referee = invited(office)
    of_official = invited(office, "official@example.org", Role.NATIONAL_OFFICIAL)
    Invitation.objects.update(sent_at=timezone.now() - timedelta(hours=1))
    for by in (person(Role.NATIONAL_OFFICIAL, "SEN"), person(Role.REFEREE)):
        assert refusal(action, invitation=of_referee, by=by).code == "forbidden"
    assert refusal(action, invitation=of_official, by=own).code == "forbidden"
    action(invitation=of_referee, by=own)


# --- forgotten


def test_a_forgotten_password_is_set_again_once() -> None:
    account = person(Role.REFEREE).user
    accounts.request_password_reset(email="REFEREE.ned@example.org")
    token = token_of("password_reset")
    accounts.reset_password(account=account, token=token, password=PASSWORD_SET)
    assert authenticate(username=account.email, password=PASSWORD_SET) == account
    again = {"account": account, "token": token, "password": "another-password"}
    assert refusal(accounts.reset_password, **again).code == "link_ended"
    kinds = Message.objects.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["password_reset", "password_changed"]
    assert log() == [(account.email, "account.reset_password")]


def test_asked_again_at_once_no_second_mail_leaves_and_later_one_does() -> None:
    account = person(Role.REFEREE).user
    long_ago = timezone.now() - accounts.RESEND_INTERVAL - SECOND
    Message.objects.create(
        kind="password_reset", recipient=account, about="/account/", title="x", text="x", created_at=long_ago
    )
    for _ in range(3):
        accounts.request_password_reset(email=account.email)
    assert Message.objects.count() == 2


def test_an_account_made_without_a_password_gets_its_first_one_so() -> None:
    account = create_user("ruth@example.org", "Ruth Abara", None, roles=["rating_officer"])
    accounts.request_password_reset(email=account.email)
    accounts.reset_password(account=account, token=token_of("password_reset"), password=PASSWORD_SET)
    assert authenticate(username=account.email, password=PASSWORD_SET) == account


def test_no_one_else_is_sent_a_link() -> None:
    closed = person(Role.REFEREE).user
    User.objects.filter(pk=closed.pk).update(is_active=False)
    waiting = invited(person(Role.NATIONAL_OFFICIAL)).account
    for email in ("nobody@example.org", closed.email, waiting.email, "officer@office.invalid", ""):
        accounts.request_password_reset(email=email)
    assert not Message.objects.filter(kind="password_reset").exists()


def test_logging_in_ends_a_link_that_was_asked_for() -> None:
    account = person(Role.REFEREE).user
    token = PASSWORD.token_at(account, timezone.now())
    User.objects.filter(pk=account.pk).update(last_login=timezone.now())
    assert (
        refusal(accounts.reset_password, account=account, token=token, password="x" * 20).code == "link_ended"
    )


# --- one's own


def test_another_address_counts_once_it_is_confirmed_from_there() -> None:
    by = person(Role.REFEREE)
    old = by.user.email
    accounts.request_email_change(email="new@EXAMPLE.org", by=by)
    by.user.refresh_from_db()
    assert (by.user.email, asked_for(by.user).email) == (old, "new@example.org")
    sent = {message.kind: message.mail_address for message in Message.objects.all()}
    assert sent == {"email_change": old, "email_confirm": "new@example.org"}
    User.objects.filter(pk=by.user.pk).update(last_login=timezone.now())  # to follow the link one logs in
    asked = EmailConfirmationHMAC.from_key(token_of("email_confirm")).email_address
    assert accounts.confirm_email(new_email=asked, by=by).email == "new@example.org"
    assert refusal(accounts.confirm_email, new_email=asked, by=by).code == "link_ended"
    assert EmailConfirmationHMAC.from_key(EmailConfirmationHMAC(asked).key) is None
    addresses = EmailAddress.objects.values_list("email", "verified", "primary")
    assert list(addresses) == [("new@example.org", True, True)]
    entry = LogEntry.objects.get(action="account.change_email")
    assert (entry.before, entry.after) == ({"email": old}, {"email": "new@example.org"})


def test_an_address_that_has_an_account_gets_no_link_and_is_never_taken() -> None:
    by = person(Role.REFEREE)
    taken = person(Role.TITLE_COUNCIL).user.email
    accounts.request_email_change(email=taken.upper(), by=by)
    assert [message.kind for message in Message.objects.all()] == ["email_change"]
    assert refusal(accounts.confirm_email, new_email=asked_for(by.user), by=by).code == "account_exists"
    by.user.refresh_from_db()
    assert by.user.email == "referee.ned@example.org"
    assert refusal(accounts.request_email_change, email=by.user.email, by=by).code == "same_address"
    accounts.request_password_reset(email=taken)
    # And not the one who asked for it.
    assert Message.objects.get(kind="password_reset").recipient.email == taken


def test_another_address_or_password_ends_the_link_of_the_first() -> None:
    by = person(Role.REFEREE)
    keys = []
    for address in ("first@example.org", "second@example.org"):
        accounts.request_email_change(email=address, by=by)
        keys.append(token_of("email_confirm"))
    assert EmailConfirmationHMAC.from_key(keys[0]) is None
    second = EmailConfirmationHMAC.from_key(keys[1]).email_address
    assert second.email == "second@example.org"
    accounts.set_password(account=by.user, password=PASSWORD_SET)
    assert EmailConfirmationHMAC.from_key(keys[1]) is None
    assert refusal(accounts.confirm_email, new_email=second, by=by).code == "link_ended"
    # A mail that was still to leave leaves without a link.
    assert message_link(Message.objects.get(kind="email_confirm", address="first@example.org")) == ""


@pytest.mark.django_db(transaction=True)
def test_of_two_who_confirm_one_address_at_once_one_has_it() -> None:
    first, second = person(Role.REFEREE), person(Role.TITLE_COUNCIL)
    for by in (first, second):
        accounts.request_email_change(email="new@example.org", by=by)
    outcomes = run_concurrently(
        *(lambda by=by: accounts.confirm_email(new_email=asked_for(by.user), by=by) for by in (first, second))
    )
    assert User.objects.filter(email="new@example.org").count() == 1
    assert sum(isinstance(outcome, DomainError) for outcome in outcomes) == 1


def test_a_name_is_changed_with_before_and_after() -> None:
    by = person(Role.REFEREE, name="Rina Reader")
    for _ in range(2):
        accounts.change_name(name="Rina Lector", by=by)
    entry = LogEntry.objects.get()
    assert (entry.before, entry.after) == ({"name": "Rina Reader"}, {"name": "Rina Lector"})


# --- the mail


@pytest.mark.database_role("worker")
def test_the_link_is_in_the_mail_and_in_no_row(settings) -> None:
    settings.OFFICE_URL = "https://ratings.example/"
    by = person(Role.NATIONAL_OFFICIAL)
    accounts.request_email_change(email="new@example.org", by=by)
    accounts.request_password_reset(email=by.user.email)
    invited(by)
    expected = {
        "email_change": (by.user.email, "/account/"),
        "email_confirm": ("new@example.org", "/account/email/"),
        "password_reset": (by.user.email, "/account/reset/"),
        "invitation": ("piet@example.org", "/account/invitation/"),
    }
    messages = {message.kind: message for message in Message.objects.select_related("recipient")}
    assert send_messages() == len(expected)
    assert send_messages() == 0
    mails = {mail_sent.to[0] + mail_sent.subject: mail_sent for mail_sent in mail.outbox}
    for kind, (address, page) in expected.items():
        message = messages[kind]
        body = mails[address + message.title].body
        assert f"https://ratings.example{page}" in body
        if message_link(message):  # signed with the second in which the mail leaves, so it is read there
            (link,) = re.findall(rf"https://ratings\.example({page}\S+)", body)
            assert link.rstrip("/").rpartition("/")[2] not in message.text + message.about + message.title


@pytest.mark.parametrize(("address", "warnings"), [("", ["reporting.W001"]), ("https://ratings.example", [])])
def test_an_office_that_mails_without_an_address_is_warned(settings, address: str, warnings: list[str]):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.OFFICE_URL = address
    assert [run_check.id for run_check in run_checks() if run_check.id.startswith("reporting.")] == warnings


@pytest.mark.database_role("worker")
def test_a_withdrawn_invitation_no_longer_leaves_and_its_twin_does() -> None:
    by = person(Role.NATIONAL_OFFICIAL)
    accounts.withdraw_invitation(invitation=invited(by, "withdrawn@example.org"), by=by)
    invited(by, "twin@example.org")
    assert send_messages() == 1
    assert [mail_sent.to for mail_sent in mail.outbox] == [["twin@example.org"]]
