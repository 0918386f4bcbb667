"""What administrators do with other people's accounts, and how an installation gets its first administrator."""

from collections.abc import Collection, Sequence

from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q

from reporting.accounts.services.accounts import (
    end_invitation,
    forget_new_address,
    known_federation,
    role_words,
    send_invitation,
    subject_of,
    tell_account,
)
from reporting.errors import DomainError
from reporting.log.audit import Actor, record
from reporting.log.security_log import end_sessions, record_security_event
from reporting.models import Invitation, Message, Role, SecurityEvent, User
from reporting.policies import may_manage_account, refuse_roles

IF_MISTAKEN = "If you think this is a mistake, write to the rating office."


@transaction.atomic
def close_account(*, account: User, reason: str, by: Actor) -> User:
    """Nobody logs in with this account any more, and whoever is logged in with it no longer is.

    What its owner did stays under his name. The password ends too: with it every session and every link, for good.
    Of two administrators who close each other the second is refused, so one is always left. Raises DomainError
    `forbidden`, `own_account`, `wrong_state`, `reason_missing`.
    """
    account = _managed(account, by)
    if not account.is_active:
        raise DomainError("wrong_state.account_closed", name=account.name)
    reason = _said(reason)
    account.is_active = False
    account.set_unusable_password()
    account.save(update_fields=["is_active", "password"])
    forget_new_address(account)
    record(
        by=by,
        action="account.close",
        subject=subject_of(account),
        before={"active": True},
        after={"active": False},
        reason=reason,
    )
    _tell(
        account,
        by,
        "Your account was closed",
        f"Nobody can log in with it any more. What you did stays as it is, under your name. {IF_MISTAKEN}",
        reason,
    )
    return account


@transaction.atomic
def reopen_account(*, account: User, reason: str, by: Actor) -> User:
    """Open a closed account again; its owner sets a new password by "Forgotten your password?".

    Raises DomainError `forbidden`, `own_account`, `wrong_state` (an invited person opens his account himself),
    `reason_missing`.
    """
    account = _managed(account, by)
    if account.is_active:
        raise DomainError("wrong_state.account_open", name=account.name)
    if Invitation.objects.filter(account=account, accepted_at=None).exists():
        raise DomainError("wrong_state.never_accepted", name=account.name)
    reason = _said(reason)
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
    _tell(
        account,
        by,
        "Your account is open again",
        'Your password of before no longer holds: set a new one by "Forgotten your password?" at the log-in.',
        reason,
    )
    return account


@transaction.atomic
def change_roles(
    *, account: User, roles: Collection[Role], federation: str, reason: str, looked_at: str, by: Actor
) -> User:
    """Give an account these roles and this federation (a code, empty for none) in place of those it has.

    They hold from its next request on. `looked_at` are the `rights_of` the account as the page showed them. Nothing
    is written where nothing changes. Raises DomainError `forbidden`, `own_account`, `changed_meanwhile`, `no_role`,
    `roles_exclude`, `federation_needed`, `federation_unknown`, `reason_missing`.
    """
    account = _managed(account, by)
    code = known_federation(federation)
    wanted = [role for role in Role if role in roles]
    refuse_roles(wanted, code)
    old_roles, old_federation = account.roles, account.federation_id or ""
    new_roles = [role.value for role in wanted]
    if (set(old_roles), old_federation) == (set(new_roles), code):
        return account
    if rights_of(account) != looked_at:
        raise DomainError("changed_meanwhile")
    reason = _said(reason)
    account.roles, account.federation_id = new_roles, code or None
    account.save(update_fields=["roles", "federation"])
    record(
        by=by,
        action="account.change_roles",
        subject=subject_of(account),
        before={"roles": old_roles, "federation": old_federation},
        after={"roles": new_roles, "federation": code},
        reason=reason,
    )
    _tell(
        account,
        by,
        "Your roles were changed",
        f"From now on: {_rights_words(new_roles, code)}. Before: {_rights_words(old_roles, old_federation)}."
        f" {IF_MISTAKEN}",
        reason,
    )
    return account


@transaction.atomic
def remove_second_factor(*, account: User, reason: str, by: Actor) -> User:
    """Take a lost second factor and its recovery codes off an account, and end its sessions.

    By another administrator, or by command where there is none. Who needs a factor sets up another one at the next
    log-in. Raises DomainError `forbidden`, `own_account`, `wrong_state`, `reason_missing`.
    """
    account = User.objects.select_for_update().get(pk=account.pk) if by.by_command else _managed(account, by)
    factors = Authenticator.objects.filter(user=account)
    if not factors.exists():
        raise DomainError("wrong_state.no_second_factor", name=account.name)
    reason = _said(reason)
    factors.delete()
    end_sessions(account)
    record_security_event(SecurityEvent.Kind.FACTOR_REMOVED, account=account, address=None)
    record(
        by=by,
        action="account.remove_factor",
        subject=subject_of(account),
        before={"second_factor": True},
        after={"second_factor": False},
        reason=reason,
    )
    _tell(
        account,
        by,
        "Your second factor was removed",
        f"Log in with your password and set up another one. {IF_MISTAKEN}",
        reason,
    )
    return account


@transaction.atomic
def invite_first_administrator(*, email: str, name: str, by: Actor) -> Message:
    """Invite the first administrator of an installation; the message answered is the one that carries the link.

    By command alone, and while no administrator's account is open. Asked again the person gets another link, and
    whoever was invited before under another address loses his. Raises DomainError `forbidden`,
    `administrator_exists`, `email_refused`, `name_refused`, `account_exists`.
    """
    if not by.by_command:
        raise DomainError("forbidden.first_administrator")
    email, name = User.objects.normalize_email(email.strip()), " ".join(name.split())
    _refuse_person(email, name)
    # Of two at once the second sees whom the first invited.
    User.objects.select_for_update().get(pk=by.user.pk)
    people = list(
        User.objects.select_for_update()
        .filter(Q(email__iexact=email) | Q(roles__contains=[Role.ADMINISTRATOR]))
        .order_by("pk")
    )
    if any(each.has_role(Role.ADMINISTRATOR) for each in people):
        raise DomainError("administrator_exists")
    waiting = {
        each.account_id: each for each in Invitation.objects.filter(account__in=people, accepted_at=None)
    }
    account = next((each for each in people if each.email.casefold() == email.casefold()), None)
    if account is not None and account.pk not in waiting:
        raise DomainError("account_exists")
    for other in people:
        if other is not account and other.pk in waiting and waiting[other.pk].waits:
            end_invitation(waiting[other.pk], by)
    if account is None:
        account = User(email=email, is_active=False)
    account.name, account.roles, account.federation = name, [Role.ADMINISTRATOR.value], None
    account.set_unusable_password()
    account.save()
    invitation = waiting.get(account.pk) or Invitation()
    invitation.account, invitation.invited_by, invitation.withdrawn_at = account, by.user, None
    message = send_invitation(invitation, by)
    record(
        by=by,
        action="account.invite",
        subject=subject_of(account),
        after={"email": account.email, "name": name, "roles": account.roles},
    )
    return message


def rights_of(account: User) -> str:
    """Roles and federation in one line, to compare what was looked at with what is there."""
    return " ".join([*account.roles, account.federation_id or "-"])


def _rights_words(roles: Sequence[str], federation: str) -> str:
    return f"{role_words(roles)}{f' ({federation})' if federation else ''}"


def _managed(account: User, by: Actor) -> User:
    """The account under its lock, and that of whoever acts: of two administrators who act on each other at once the
    second is judged by what the first has left of him. In one order, so that they never wait for each other."""
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=[account.pk, by.user.pk]).order_by("pk")
    locked = {each.pk: each for each in rows}
    may_manage_account(locked[by.user.pk], locked[account.pk])
    return locked[account.pk]


def _said(reason: str) -> str:
    if not reason.strip():
        raise DomainError("reason_missing")
    return reason.strip()


def _refuse_person(email: str, name: str) -> None:
    try:
        User(email=email, name=name, password="!").clean_fields()  # noqa: S106 (a mark for none)
    except ValidationError as error:
        if "email" in error.error_dict:
            raise DomainError("email_refused") from None
        raise DomainError("name_refused") from None


def _tell(account: User, by: Actor, title: str, text: str, reason: str) -> None:
    who = "command" if by.by_command else f"{by.user.name}, administrator"
    words = f"{title} by {who}. {text}\n\nThe reason: {reason}"
    tell_account(account, Message.Kind.ACCOUNT_CHANGED, title, words)
