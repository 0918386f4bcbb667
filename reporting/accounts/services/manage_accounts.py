"""Administrators manage other accounts; a command invites the first administrators of an installation."""

from collections.abc import Collection, Mapping, Sequence

from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q

from reporting.accounts.notifications import (
    notify_administrators,
    notify_closed,
    notify_factor_removed,
    notify_reopened,
    notify_roles_changed,
)
from reporting.accounts.services.accounts import (
    discard_unconfirmed_email,
    end_invitation,
    ensure_federation,
    send_invitation,
)
from reporting.accounts.services.roles import (
    give_first_administrators,
    managed_account,
    set_roles,
    subject_of,
)
from reporting.accounts.services.tokens import end_tokens
from reporting.log.audit import Actor, record
from reporting.log.security_log import end_sessions, record_security_event
from reporting.models import Invitation, Message, Role, SecurityEvent, User
from reporting.policies import validate_roles
from reporting.refusals.domain_error import DomainError
from reporting.rules.names.plain_text import plain_text

ADMINISTRATORS = 2  # the number an installation starts with: one assigns roles, the other confirms them


@transaction.atomic
def close_account(*, account: User, reason: str, by: Actor) -> User:
    """Close an account: its owner is logged out and can no longer log in.

    Past work stays under the owner's name. The password is removed, and with it all sessions, links and tokens. Of two
    administrators who close each other the second is refused, so one is always left. Raises DomainError
    `forbidden`, `own_account`, `wrong_state`, `reason_missing`.
    """
    account = managed_account(account, by)
    if not account.is_active:
        raise DomainError("wrong_state.account_closed", name=account.name)
    _close(account, _checked(reason), by)
    return account


@transaction.atomic
def close_own_account(*, by: Actor) -> None:
    """Close one's own account, as `close_account`; an administrator can reopen it.

    An administrator's account is closed by another one, so that one is always left. Raises DomainError
    `own_account.administrator`.
    """
    account = User.objects.select_for_update(of=("self",)).get(pk=by.user.pk)
    if Role.ADMINISTRATOR in account.roles_given:
        raise DomainError("own_account.administrator")
    _close(account, "account.closed_by_owner", by)


def _close(account: User, reason: str, by: Actor) -> None:
    end_tokens(account, by)
    record(  # first: a closed account does not act
        by=by,
        action="account.close",
        subject=subject_of(account),
        before={"active": True},
        after={"active": False},
        reason=reason,
    )
    account.is_active = False
    account.set_unusable_password()
    account.save(update_fields=["is_active", "password"])
    end_sessions(account)
    discard_unconfirmed_email(account)
    notify_closed(account, reason, by)


@transaction.atomic
def reopen_account(*, account: User, reason: str, by: Actor) -> User:
    """Reopen a closed account; its owner sets a new password with "Forgot your password?".

    Raises DomainError `forbidden`, `own_account`, `wrong_state` (also for an invitation never accepted),
    `reason_missing`.
    """
    account = managed_account(account, by)
    if account.is_active:
        raise DomainError("wrong_state.account_open", name=account.name)
    if Invitation.objects.filter(account=account, accepted_at=None).exists():
        raise DomainError("wrong_state.never_accepted", name=account.name)
    reason = _checked(reason)
    account.is_active = True
    account.save(update_fields=["is_active"])
    record(
        by=by,
        action="account.reopen",
        subject=subject_of(account),
        before={"active": False},
        after={"active": True},
        reason=reason,
    )
    notify_reopened(account, reason, by)
    return account


@transaction.atomic
def change_roles(
    *, account: User, roles: Collection[Role], federation: str, reason: str, looked_at: str, by: Actor
) -> User:
    """Replace the roles and the federation (a code, empty for none) of an account.

    They apply from its next request; signing roles and administrators once another administrator has confirmed them
    (`confirm_role`). An account that loses a role or changes federation loses its tokens. `looked_at` is the
    `rights_summary` that the page showed. If nothing changes, nothing is written.
    Raises DomainError `forbidden`, `own_account`, `changed_meanwhile`, `no_role`,
    `roles_conflict`, `federation_needed`, `federation_unknown`, `reason_missing`.
    """
    account = managed_account(account, by)
    code = ensure_federation(federation)
    wanted = [role for role in Role if role in roles]
    validate_roles(wanted, code)
    old_roles, old_federation = account.roles_given, account.federation_id or ""
    new_roles = [role.value for role in wanted]
    if (set(old_roles), old_federation) == (set(new_roles), code):
        return account
    if rights_summary(account) != looked_at:
        raise DomainError("changed_meanwhile")
    reason = _checked(reason)
    account.federation_id = code or None
    account.save(update_fields=["federation"])
    set_roles(account, new_roles, by)
    if old_federation != code or not set(old_roles) <= set(new_roles):
        end_tokens(account, by)
    record(
        by=by,
        action="account.change_roles",
        subject=subject_of(account),
        before={"roles": old_roles, "federation": old_federation},
        after={"roles": new_roles, "federation": code, "waiting": account.roles_waiting},
        reason=reason,
    )
    notify_roles_changed(account, (old_roles, old_federation), (new_roles, code), reason, by)
    notify_administrators(account, by)
    return account


@transaction.atomic
def remove_second_factor(*, account: User, reason: str, by: Actor) -> User:
    """Remove a lost second factor and its recovery codes from an account, and end its sessions and tokens.

    By another administrator, or by command if there is none. An owner who needs a factor sets up a new one at the next
    log-in. Raises DomainError `forbidden`, `own_account`, `wrong_state`, `reason_missing`.
    """
    account = (
        User.objects.select_for_update().get(pk=account.pk) if by.by_command else managed_account(account, by)
    )
    factors = Authenticator.objects.filter(user=account)
    if not factors.exists():
        raise DomainError("wrong_state.no_second_factor", name=account.name)
    reason = _checked(reason)
    factors.delete()
    end_sessions(account)
    end_tokens(account, by)
    record_security_event(SecurityEvent.Kind.FACTOR_REMOVED, account=account, address=None)
    record(
        by=by,
        action="account.remove_factor",
        subject=subject_of(account),
        before={"second_factor": True},
        after={"second_factor": False},
        reason=reason,
    )
    notify_factor_removed(account, reason, by)
    return account


@transaction.atomic
def invite_administrators(*, people: Sequence[tuple[str, str]], by: Actor) -> list[Message]:
    """Invite the first two administrators of an installation, or the second one if there is only one.

    `people` are e-mail addresses and names; the messages returned carry the links. Only by command: with fewer than two
    administrators a new one could not be confirmed. A second call sends new links; people invited before under other
    addresses lose theirs. Raises DomainError `forbidden`, `administrator_exists`,
    `two_administrators`, `email_refused`, `name_refused`, `account_exists`.
    """
    if not by.by_command:
        raise DomainError("forbidden.first_administrator")
    names = {User.objects.normalize_email(email): plain_text(name) for email, name in people}
    for email, name in names.items():
        _check_person(email, name)
    # Of two commands at the same time the second sees the invitations of the first.
    User.objects.select_for_update().get(pk=by.user.pk)
    known = list(
        User.objects.select_for_update()
        .filter(Q(email__in=names) | Q(pk__in=User.objects.holding(Role.ADMINISTRATOR).values("pk")))
        .order_by("pk")
    )
    present = [account for account in known if account.has_role(Role.ADMINISTRATOR)]
    if len(present) >= ADMINISTRATORS:
        raise DomainError("administrator_exists")
    if len(present) + len(names) != ADMINISTRATORS or len(names) != len(people):
        if present:
            raise DomainError("two_administrators.one_more", name=present[0].name)
        raise DomainError("two_administrators")
    invitations = {
        invitation.account_id: invitation
        for invitation in Invitation.objects.filter(account__in=known, accepted_at=None)
    }
    accounts = {account.email: account for account in known if account.email in names}
    if any(account.pk not in invitations for account in accounts.values()):
        raise DomainError("account_exists")
    for other in known:
        if other.email not in names and other.pk in invitations and invitations[other.pk].is_pending:
            end_invitation(invitations[other.pk], by)
    for email, name in names.items():
        account = accounts.setdefault(email, User(email=email, is_active=False))
        account.name, account.federation = name, None
        account.set_unusable_password()
        account.save()
    give_first_administrators(accounts.values(), by)
    return [_invite_administrator(accounts[email], invitations, by) for email in names]


def _invite_administrator(account: User, invitations: Mapping[int, Invitation], by: Actor) -> Message:
    invitation = invitations.get(account.pk) or Invitation()
    invitation.account, invitation.invited_by, invitation.withdrawn_at = account, by.user, None
    message = send_invitation(invitation, by)
    record(
        by=by,
        action="account.invite",
        subject=subject_of(account),
        after={"email": account.email, "name": account.name, "roles": account.roles},
    )
    return message


def rights_summary(account: User) -> str:
    """Assigned roles and federation on one line: to compare what a page showed with the present state."""
    return " ".join([*account.roles_given, account.federation_id or "-"])


def _checked(reason: str) -> str:
    if not reason.strip():
        raise DomainError("reason_missing")
    return reason.strip()


def _check_person(email: str, name: str) -> None:
    try:
        User(email=email, name=name, password="!").clean_fields()  # noqa: S106 (no password)
    except ValidationError as error:
        if "email" in error.error_dict:
            raise DomainError("email_refused") from None
        raise DomainError("name_refused") from None
