"""Accounts: invitations, passwords, and what people change about themselves."""

from datetime import timedelta

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import get_hasher, identify_hasher, make_password
from django.db import IntegrityError, transaction
from django.utils import timezone

from reporting.accounts.notifications import (
    notify_administrators,
    notify_email_change,
    notify_factor_change,
    notify_invited,
    notify_new_address,
    notify_password_changed,
    notify_password_link,
)
from reporting.accounts.selectors import is_named_official
from reporting.accounts.services.roles import set_roles, subject_of
from reporting.accounts.services.tokens import end_tokens
from reporting.log.acting_person import acting_as
from reporting.log.audit import Actor, record
from reporting.log.security_log import end_sessions
from reporting.messages.one_time_links import INVITATION, PASSWORD, OneTimeLink
from reporting.models import Invitation, Message, NamedOfficial, Role, RoleAssignment, User
from reporting.policies import (
    can_see_account,
    check_can_be_named,
    check_can_invite,
    check_can_manage_invitation,
    validate_roles,
)
from reporting.refusals.domain_error import DomainError
from reporting.register.services.federations import ensure_federations
from reporting.rules.register.countries import country_code

RESEND_INTERVAL = timedelta(minutes=5)  # between two mails of one kind that another person can trigger


@transaction.atomic
def invite(*, email: str, name: str, role: Role, federation: str, by: Actor) -> Invitation:
    """Create a closed account, and mail its owner the link to set a password.

    An address whose invitation was withdrawn can be invited again. `federation` is a code, empty for none: referees and
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
        except IntegrityError:  # another invitation at the same moment
            raise DomainError("account_exists") from None
        invitation = Invitation(account=account)
    else:
        withdrawn = Invitation.objects.filter(account=account, withdrawn_at__isnull=False).first()
        if withdrawn is None:
            raise _account_exists(account, by)
        invitation = withdrawn
    account.name, account.federation_id = name, code or None
    account.set_unusable_password()  # a new one: the links of an earlier invitation stop working
    account.save()
    if invitation.pk:  # the roles of the withdrawn invitation are assigned again, by the present inviter
        set_roles(account, [], by)
    set_roles(account, [role], by)
    notify_administrators(account, by)
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
    """Mail a new link, valid for seven days. Raises DomainError `forbidden`, `wrong_state`, `sent_recently`."""
    invitation = _pending(invitation, by)
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
    """Withdraw an invitation: its link stops working, the account stays closed.

    Raises DomainError `forbidden`, `wrong_state`.
    """
    invitation = _pending(invitation, by)
    end_invitation(invitation, by)
    return invitation


@transaction.atomic
def accept_invitation(*, account: User, token: str, password: str) -> User:
    """Open the account with the password that its owner chose. Raises DomainError `link_ended`."""
    account = _by_link(INVITATION, account, token)
    account.is_active = True
    account.set_password(password)
    with acting_as(account):
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
    """Mail a link to set a new password, if there is an open account with this address; the answer does not tell.

    A second request within five minutes sends no mail: the first one is on its way.
    """
    make_password(email)  # takes the same time whether or not there is such an account
    account = (
        User.objects.select_for_update(no_key=True)
        .filter(email__iexact=email, is_active=True, acts_by_command=False)
        .first()
    )
    if account is None:
        return
    earlier = Message.objects.filter(recipient=account, kind=Message.Kind.PASSWORD_RESET)
    if earlier.filter(created_at__gt=timezone.now() - RESEND_INTERVAL).exists():
        return
    notify_password_link(account)


@transaction.atomic
def reset_password(*, account: User, token: str, password: str) -> User:
    """Set the password by a link; all sessions of the account end. Raises DomainError `link_ended`."""
    account = _by_link(PASSWORD, account, token)
    with acting_as(account):
        set_password(account=account, password=password, action="account.reset_password")
    return account


@transaction.atomic
def set_password(*, account: User, password: str, action: str = "account.change_password") -> None:
    """Set the password that the owner chose, on the object given; all sessions, links and tokens of the old one end.

    Raises DomainError `forbidden` if the account was closed in the meantime.
    """
    by = Actor(account)
    _own(by)
    account.set_password(password)
    account.save(update_fields=["password"])
    end_sessions(account)
    discard_unconfirmed_email(account)  # requested with the old password: it has to be requested again
    end_tokens(account, by)
    record(by=by, action=action, subject=subject_of(account), after={"password": "new"})
    notify_password_changed(account)


@transaction.atomic
def renew_hash(*, account: User, password: str) -> None:
    """Store the password, which is the right one, by the present way of hashing if it was stored by an earlier one."""
    present = get_hasher()
    if identify_hasher(account.password).algorithm != present.algorithm or present.must_update(
        account.password
    ):
        account.set_password(password)
        with acting_as(account):
            account.save(update_fields=["password"])


@transaction.atomic
def change_name(*, name: str, by: Actor) -> User:
    """Change one's name, which others see next to one's actions. Raises DomainError `forbidden`."""
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
def choose_public_name(*, shown: bool, by: Actor) -> None:
    """Show one's name as national ratings official on the public page of one's federation, or no longer.

    It is shown until the role ends, the account is closed or gets another federation. If nothing changes, nothing is
    written. Raises DomainError `forbidden`.
    """
    account = _own(by)
    account.forget_roles()  # read before the lock
    check_can_be_named(account)
    if is_named_official(account) == shown:
        return
    NamedOfficial.objects.filter(account=account).delete()  # also the choice of a role that ended
    if shown:
        role = RoleAssignment.objects.get(account=account, role=Role.NATIONAL_OFFICIAL, ended_at=None)
        NamedOfficial.objects.create(account=account, assignment=role)
    record(
        by=by,
        action=f"account.{'show' if shown else 'hide'}_name",
        subject=subject_of(account),
        before={"public_name": not shown, "federation": account.federation_id},
        after={"public_name": shown, "federation": account.federation_id},
    )


@transaction.atomic
def request_email_change(*, email: str, by: Actor) -> EmailAddress:
    """Mail a link to the new address and a notice to the old one; the address changes when the link is followed.

    If the new address already has an account no link is sent, and the answer does not tell. An earlier requested
    address is dropped with its link. Raises DomainError `same_address`, `forbidden`.
    """
    account = _own(by)
    email = User.objects.normalize_email(email)
    if email == account.email:
        raise DomainError("same_address")
    discard_unconfirmed_email(account)
    # allauth removes all other addresses next to an unconfirmed one, unless the account's own is marked.
    EmailAddress.objects.update_or_create(
        user=account, primary=True, defaults={"email": account.email, "verified": True}
    )
    new_email = EmailAddress.objects.create(user=account, email=email)
    notify_email_change(account, email)
    if not User.objects.filter(email__iexact=email).exists():
        notify_new_address(account, email)
    record(
        by=by,
        action="account.request_email_change",
        subject=subject_of(account),
        before={"email": account.email},
        after={"asked_for": email},
    )
    return new_email


@transaction.atomic
def confirm_email(*, new_email: EmailAddress, by: Actor) -> User:
    """Make the requested address the account's own. Raises DomainError `link_ended`, `account_exists`."""
    account = _own(by)
    if not EmailAddress.objects.filter(pk=new_email.pk, user=account, verified=False).exists():
        raise DomainError("link_ended")
    before, account.email = account.email, new_email.email
    try:
        with transaction.atomic():
            account.save(update_fields=["email"])
    except IntegrityError:
        raise DomainError("account_exists") from None
    EmailAddress.objects.filter(user=account).exclude(pk=new_email.pk).delete()
    new_email.verified = new_email.primary = True
    new_email.save()
    record(
        by=by,
        action="account.change_email",
        subject=subject_of(account),
        before={"email": before},
        after={"email": account.email},
    )
    return account


def discard_unconfirmed_email(account: User) -> None:
    """Delete a requested address that was not confirmed; its link stops working."""
    EmailAddress.objects.filter(user=account, verified=False).delete()


@transaction.atomic
def record_factor_change(*, account: User, added: bool) -> None:
    """Record that the owner of an account set up or removed a second factor, and notify them."""
    record(
        by=Actor(account),
        action=f"account.{'add' if added else 'remove'}_factor",
        subject=subject_of(account),
        before={"second_factor": not added},
        after={"second_factor": added},
    )
    notify_factor_change(account, added=added)


def ensure_federation(written: str) -> str:
    """The code of a federation, which is created if it is missing; empty for none.

    Raises DomainError `federation_unknown`.
    """
    if not written:
        return ""
    code = country_code(written)
    if not code:
        raise DomainError("federation_unknown")
    ensure_federations([code])
    return code


def send_invitation(invitation: Invitation, by: Actor) -> Message:
    """Save the invitation as sent now, and write the message whose mail carries its link."""
    invitation.sent_at = timezone.now()
    invitation.save()
    return notify_invited(invitation, by)


def end_invitation(invitation: Invitation, by: Actor) -> None:
    """Withdraw a pending invitation. The caller has locked the account."""
    invitation.withdrawn_at = timezone.now()
    invitation.save(update_fields=["withdrawn_at"])
    record(
        by=by,
        action="account.withdraw_invitation",
        subject=subject_of(invitation.account),
        before={"invitation": "open"},
        after={"invitation": "withdrawn"},
    )


def _locked(account: User) -> User:
    return User.objects.select_for_update().get(pk=account.pk)


def _own(by: Actor) -> User:
    """One's own account, locked. Raises DomainError `forbidden` if it was closed in the meantime."""
    account = _locked(by.user)
    if not account.is_active:
        raise DomainError("forbidden.account_closed")
    return account


def _by_link(link: OneTimeLink, account: User, token: str) -> User:
    """The account, locked. The link is checked under the lock: of two requests only the first succeeds."""
    account = _locked(account)
    if not link.check_token(account, token):
        raise DomainError("link_ended")
    return account


def _pending(invitation: Invitation, by: Actor) -> Invitation:
    locked = User.objects.select_for_update().get(pk=invitation.account_id)
    invitation = Invitation.objects.get(pk=invitation.pk)
    invitation.account = locked
    check_can_manage_invitation(by.user, invitation)
    if not invitation.is_pending:
        raise DomainError("wrong_state.invitation")
    return invitation


def _account_exists(account: User, by: Actor) -> DomainError:
    """The refusal with as much as the inviter may know: of other federations only that the account exists."""
    if not can_see_account(by.user, account):
        return DomainError("account_exists")
    is_invited = Invitation.objects.filter(account=account, accepted_at=None, withdrawn_at=None).exists()
    return DomainError(
        "account_exists.invited"
        if is_invited
        else "account_exists.named"
        if account.is_active
        else "account_exists.closed",
        name=account.name,
    )
