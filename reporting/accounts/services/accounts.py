"""Accounts: invited, opened by a password of one's own, and what people change about themselves."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils import timezone

from reporting.accounts.services.roles import set_roles, subject_of, tell_administrators
from reporting.errors import DomainError
from reporting.log.audit import Actor, record
from reporting.messages.notifications import format_day
from reporting.messages.one_time_links import INVITATION, PASSWORD, OneTimeLink
from reporting.models import Federation, Invitation, Message, Role, User
from reporting.policies import can_see_account, check_can_invite, check_can_manage_invitation, validate_roles
from reporting.register.services.import_register import ensure_federations
from reporting.rules.countries import country_code

KINDS = Message.Kind
RESEND_INTERVAL = timedelta(minutes=5)  # between two mails of one kind that somebody else's click sends
SECURITY_ADVICE = "If it was not you, change your password and write to the rating office."


@transaction.atomic
def invite(*, email: str, name: str, role: Role, federation: str, by: Actor) -> Invitation:
    """Make an account that nobody can use yet, and mail its owner the link to set a password.

    An address whose invitation was withdrawn is invited anew. `federation` is a code, empty for none: referees and
    national officials need one. Raises DomainError `forbidden`, `federation_unknown`, `federation_needed`,
    `account_exists`.
    """
    code = ensure_federation(federation)
    check_can_invite(by.user, role, code)
    validate_roles([role], code)
    account = User.objects.select_for_update().filter(email__iexact=email).first()
    if account is None:
        try:
            with transaction.atomic():
                account = User.objects.create_user(email, name, is_active=False)
        except IntegrityError:  # invited by somebody else at this moment
            raise DomainError("account_exists") from None
        invitation = Invitation(account=account)
    else:
        withdrawn = Invitation.objects.filter(account=account, withdrawn_at__isnull=False).first()
        if withdrawn is None:
            raise _already_there(account, by)
        invitation = withdrawn
    account.name, account.federation_id = name, code or None
    account.set_unusable_password()  # another one than before: with it end the links of an earlier invitation
    account.save()
    if invitation.pk:  # what the withdrawn invitation gave is given anew, by whoever invites now
        set_roles(account, [], by)
    set_roles(account, [role], by)
    tell_administrators(account, by)
    invitation.invited_by = by.user
    invitation.withdrawn_at = None
    send_invitation(invitation, by)
    record(
        by=by,
        action="account.invite",
        subject=subject_of(account),
        after={"email": account.email, "name": name, "roles": [role], "federation": code},
    )
    return invitation


@transaction.atomic
def resend_invitation(*, invitation: Invitation, by: Actor) -> Invitation:
    """Another link, for seven days more. Raises DomainError `forbidden`, `wrong_state`, `sent_recently`."""
    invitation = _waiting(invitation, by)
    if timezone.now() < invitation.sent_at + RESEND_INTERVAL:
        raise DomainError("sent_recently")
    before = invitation.sent_at
    send_invitation(invitation, by)
    record(
        by=by,
        action="account.resend_invitation",
        subject=subject_of(invitation.account),
        before={"sent": before.isoformat()},
        after={"sent": invitation.sent_at.isoformat()},
    )
    return invitation


@transaction.atomic
def withdraw_invitation(*, invitation: Invitation, by: Actor) -> Invitation:
    """The link ends; the account stays closed. Raises DomainError `forbidden`, `wrong_state`."""
    invitation = _waiting(invitation, by)
    end_invitation(invitation, by)
    return invitation


@transaction.atomic
def accept_invitation(*, account: User, token: str, password: str) -> User:
    """Open the account with a password its owner chose. Raises DomainError `link_ended`."""
    account = _by_link(INVITATION, account, token)
    account.is_active = True
    account.set_password(password)
    account.save()
    Invitation.objects.filter(account=account).update(accepted_at=timezone.now())
    record(
        by=Actor(account),
        action="account.accept_invitation",
        subject=subject_of(account),
        before={"active": False},
        after={"active": True},
    )
    return account


@transaction.atomic
def request_password_reset(*, email: str) -> None:
    """Mail a link to set a new password, if there is an open account with this address; whoever asks is not told.

    Asked again within five minutes nothing more is sent: the first mail is on its way.
    """
    make_password(email)  # the greater part of the time, whether or not there is such an account
    account = (
        User.objects.select_for_update(no_key=True)
        .filter(email__iexact=email, is_active=True, acts_by_command=False)
        .first()
    )
    if account is None:
        return
    asked = Message.objects.filter(recipient=account, kind=KINDS.PASSWORD_RESET)
    if asked.filter(created_at__gt=timezone.now() - RESEND_INTERVAL).exists():
        return
    notify_account(
        account,
        KINDS.PASSWORD_RESET,
        "A new password",
        "Somebody, probably you, asked for a new password for this account. The link below opens the page to set it."
        f" It works once, until {format_minute(timezone.now() + PASSWORD.holds)}.\n\n"
        "If it was not you, do nothing: your password stays as it is.",
    )


@transaction.atomic
def reset_password(*, account: User, token: str, password: str) -> User:
    """Set the password by a link; every session of the account ends. Raises DomainError `link_ended`."""
    account = _by_link(PASSWORD, account, token)
    set_password(account=account, password=password, action="account.reset_password")
    return account


@transaction.atomic
def set_password(*, account: User, password: str, action: str = "account.change_password") -> None:
    """A password that its owner chose, on the record given; all sessions and links of the old one end.

    Raises DomainError `forbidden` if the account was closed meanwhile.
    """
    by = Actor(account)
    _own(by)
    account.set_password(password)
    account.save(update_fields=["password"])
    discard_unconfirmed_email(account)  # asked for with the old password, it is asked for again
    record(by=by, action=action, subject=subject_of(account), after={"password": "new"})
    notify_account(
        account,
        KINDS.PASSWORD_CHANGED,
        "Your password was changed",
        f"The password of this account was changed, and all other devices were logged out. {SECURITY_ADVICE}",
    )


@transaction.atomic
def change_name(*, name: str, by: Actor) -> User:
    """The name that others read beside what one does. Raises DomainError `forbidden`."""
    account = _own(by)
    if account.name != name:
        before, account.name = account.name, name
        account.save(update_fields=["name"])
        record(
            by=by,
            action="account.change_name",
            subject=subject_of(account),
            before={"name": before},
            after={"name": name},
        )
    return account


@transaction.atomic
def request_email_change(*, email: str, by: Actor) -> EmailAddress:
    """Mail a link to the new address and word of it to the old one; nothing changes before the link is followed.

    If the new address has an account already no link is sent, and whoever asks is not told. Another address asked for
    before ends with its link. Raises DomainError `same_address`, `forbidden`.
    """
    account = _own(by)
    email = User.objects.normalize_email(email)
    if email == account.email:
        raise DomainError("same_address")
    discard_unconfirmed_email(account)
    # Beside an address that is not confirmed allauth removes every other one: the account's own is marked.
    EmailAddress.objects.update_or_create(
        user=account, primary=True, defaults={"email": account.email, "verified": True}
    )
    asked = EmailAddress.objects.create(user=account, email=email)
    notify_account(
        account,
        KINDS.EMAIL_CHANGE,
        "A new e-mail address",
        f"For this account another e-mail address was asked for: {email}. It changes once the link sent there is"
        f" followed. {SECURITY_ADVICE}",
        address=account.email,
    )
    if not User.objects.filter(email__iexact=email).exists():
        notify_account(
            account,
            KINDS.EMAIL_CONFIRM,
            "Confirm your e-mail address",
            "The link below makes this the e-mail address you log in with. It works once, for one day; log in with"
            " your current address to follow it.\n\n"
            "If you know nothing of this, do nothing.",
            address=email,
        )
    record(
        by=by,
        action="account.request_email_change",
        subject=subject_of(account),
        before={"email": account.email},
        after={"asked_for": email},
    )
    return asked


@transaction.atomic
def confirm_email(*, asked: EmailAddress, by: Actor) -> User:
    """Make the address that was asked for the account's own. Raises DomainError `link_ended`, `account_exists`."""
    account = _own(by)
    if not EmailAddress.objects.filter(pk=asked.pk, user=account, verified=False).exists():
        raise DomainError("link_ended")
    before, account.email = account.email, asked.email
    try:
        with transaction.atomic():
            account.save(update_fields=["email"])
    except IntegrityError:
        raise DomainError("account_exists") from None
    EmailAddress.objects.filter(user=account).exclude(pk=asked.pk).delete()
    asked.verified = asked.primary = True
    asked.save()
    record(
        by=by,
        action="account.change_email",
        subject=subject_of(account),
        before={"email": before},
        after={"email": account.email},
    )
    return account


def discard_unconfirmed_email(account: User) -> None:
    """An address that was asked for and not confirmed; its link ends."""
    EmailAddress.objects.filter(user=account, verified=False).delete()


@transaction.atomic
def record_factor_change(*, account: User, added: bool) -> None:
    """Write down that the owner of an account set up a second factor or took it off, and tell them."""
    record(
        by=Actor(account),
        action=f"account.{'add' if added else 'remove'}_factor",
        subject=subject_of(account),
        before={"second_factor": not added},
        after={"second_factor": added},
    )
    title = f"Second factor {'set up' if added else 'removed'}"
    notify_account(
        account,
        KINDS.ACCOUNT_CHANGED,
        title,
        f"{title} for this account. {SECURITY_ADVICE}",
    )


def role_labels(roles: Sequence[str]) -> str:
    """`referee, rating officer`."""
    return ", ".join(str(Role(role).label).lower() for role in roles) or "no role"


def ensure_federation(written: str) -> str:
    """The code of a federation that is there from now on; empty for none. Raises DomainError `federation_unknown`."""
    if not written:
        return ""
    code = country_code(written)
    if not code:
        raise DomainError("federation_unknown")
    ensure_federations([code])
    return code


def send_invitation(invitation: Invitation, by: Actor) -> Message:
    """Keep the invitation as sent now, and write the message whose mail carries its link."""
    account = invitation.account
    invitation.sent_at = timezone.now()
    invitation.save()
    of = f" of {Federation.objects.get(pk=account.federation_id).name}" if account.federation_id else ""
    return notify_account(
        account,
        KINDS.INVITATION,
        "Invitation to the rating office",
        f"{by.user.name} invites you to the rating office as {role_labels(account.roles_given)}{of}. The link below"
        " opens the page to set a password of your own; with it you log in by this e-mail address. The link holds until"
        f" {format_minute(invitation.sent_at + INVITATION.holds)}, and once.\n\n"
        "If you did not expect this, do nothing: without a password the account stays closed.",
    )


def end_invitation(invitation: Invitation, by: Actor) -> None:
    """Withdraw an invitation whose account is locked and which waits."""
    invitation.withdrawn_at = timezone.now()
    invitation.save(update_fields=["withdrawn_at"])
    record(
        by=by,
        action="account.withdraw_invitation",
        subject=subject_of(invitation.account),
        before={"invitation": "open"},
        after={"invitation": "withdrawn"},
    )


def notify_account(account: User, kind: Message.Kind, title: str, text: str, *, address: str = "") -> Message:
    """A message about the account itself; its link, if its kind has one, is made when the mail leaves."""
    return Message.objects.create(
        kind=kind, recipient=account, about="/account/", title=title, text=text, address=address
    )


def _locked(account: User) -> User:
    return User.objects.select_for_update().get(pk=account.pk)


def _own(by: Actor) -> User:
    """One's own account under its lock; not if it was closed while one typed."""
    account = _locked(by.user)
    if not account.is_active:
        raise DomainError("forbidden.account_closed")
    return account


def _by_link(link: OneTimeLink, account: User, token: str) -> User:
    """The account under its lock, asked once more whether the link holds: of two that follow it one is first."""
    account = _locked(account)
    if not link.check_token(account, token):
        raise DomainError("link_ended")
    return account


def _waiting(invitation: Invitation, by: Actor) -> Invitation:
    locked = User.objects.select_for_update().get(pk=invitation.account_id)
    invitation = Invitation.objects.get(pk=invitation.pk)
    invitation.account = locked
    check_can_manage_invitation(by.user, invitation)
    if not invitation.is_pending:
        raise DomainError("wrong_state.invitation")
    return invitation


def _already_there(account: User, by: Actor) -> DomainError:
    """As much as the inviter may know: of an account of another federation nothing but that it is there."""
    if not can_see_account(by.user, account):
        return DomainError("account_exists")
    waits = Invitation.objects.filter(account=account, accepted_at=None, withdrawn_at=None).exists()
    return DomainError(
        "account_exists.invited"
        if waits
        else "account_exists.named"
        if account.is_active
        else "account_exists.closed",
        name=account.name,
    )


def format_minute(moment: datetime) -> str:
    local = timezone.localtime(moment)
    return f"{format_day(local.date())}, {local:%H:%M %Z}"
