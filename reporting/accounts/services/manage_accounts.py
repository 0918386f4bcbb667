"""What administrators do with other people's accounts, and how an installation gets its first administrators."""

from collections.abc import Collection, Mapping, Sequence

from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q

from reporting.accounts.services.accounts import (
    discard_unconfirmed_email,
    end_invitation,
    ensure_federation,
    notify_account,
    role_labels,
    send_invitation,
)
from reporting.accounts.services.roles import (
    give_first_administrators,
    managed_account,
    set_roles,
    subject_of,
    tell_administrators,
)
from reporting.errors import DomainError
from reporting.log.audit import Actor, record
from reporting.log.security_log import end_sessions, record_security_event
from reporting.models import Invitation, Message, Role, SecurityEvent, User
from reporting.policies import validate_roles

ADMINISTRATORS = 2  # whom an installation begins with: one gives roles, the other confirms
MISTAKE_ADVICE = "If you think this is a mistake, write to the rating office."


@transaction.atomic
def close_account(*, account: User, reason: str, by: Actor) -> User:
    """Nobody logs in with this account any more, and whoever is logged in with it no longer is.

    What its owner did stays under his name. The password ends too: with it every session and every link, for good.
    Of two administrators who close each other the second is refused, so one is always left. Raises DomainError
    `forbidden`, `own_account`, `wrong_state`, `reason_missing`.
    """
    account = managed_account(account, by)
    if not account.is_active:
        raise DomainError("wrong_state.account_closed", name=account.name)
    reason = _said(reason)
    account.is_active = False
    account.set_unusable_password()
    account.save(update_fields=["is_active", "password"])
    discard_unconfirmed_email(account)
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
        f"Nobody can log in with it any more. What you did stays as it is, under your name. {MISTAKE_ADVICE}",
        reason,
    )
    return account


@transaction.atomic
def reopen_account(*, account: User, reason: str, by: Actor) -> User:
    """Open a closed account again; its owner sets a new password by "Forgotten your password?".

    Raises DomainError `forbidden`, `own_account`, `wrong_state` (an invited person opens his account himself),
    `reason_missing`.
    """
    account = managed_account(account, by)
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

    They hold from its next request on; signing roles and administrators once another administrator has confirmed
    them (`confirm_role`). `looked_at` are the `rights_summary` the account as the page showed them. Nothing
    is written where nothing changes. Raises DomainError `forbidden`, `own_account`, `changed_meanwhile`, `no_role`,
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
    reason = _said(reason)
    account.federation_id = code or None
    account.save(update_fields=["federation"])
    set_roles(account, new_roles, by)
    record(
        by=by,
        action="account.change_roles",
        subject=subject_of(account),
        before={"roles": old_roles, "federation": old_federation},
        after={"roles": new_roles, "federation": code, "waiting": account.roles_waiting},
        reason=reason,
    )
    waits = f" Until another administrator confirms it you are not {role_labels(account.roles_waiting)}."
    _tell(
        account,
        by,
        "Your roles were changed",
        f"From now on: {_rights_words(new_roles, code)}. Before: {_rights_words(old_roles, old_federation)}."
        f"{waits if account.roles_waiting else ''} {MISTAKE_ADVICE}",
        reason,
    )
    tell_administrators(account, by)
    return account


@transaction.atomic
def remove_second_factor(*, account: User, reason: str, by: Actor) -> User:
    """Take a lost second factor and its recovery codes off an account, and end its sessions.

    By another administrator, or by command where there is none. Who needs a factor sets up another one at the next
    log-in. Raises DomainError `forbidden`, `own_account`, `wrong_state`, `reason_missing`.
    """
    account = (
        User.objects.select_for_update().get(pk=account.pk) if by.by_command else managed_account(account, by)
    )
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
        f"Log in with your password and set up another one. {MISTAKE_ADVICE}",
        reason,
    )
    return account


@transaction.atomic
def invite_administrators(*, people: Sequence[tuple[str, str]], by: Actor) -> list[Message]:
    """Invite the first two administrators of an installation, or the one who is missing beside an open one.

    `people` are e-mail addresses and names; the messages answered carry the links. By command alone: beside fewer
    than two administrators nobody could confirm another one. Asked again the persons get other links, and whoever
    was invited before under another address loses theirs. Raises DomainError `forbidden`, `administrator_exists`,
    `two_administrators`, `email_refused`, `name_refused`, `account_exists`.
    """
    if not by.by_command:
        raise DomainError("forbidden.first_administrator")
    names = {User.objects.normalize_email(email): " ".join(name.split()) for email, name in people}
    for email, name in names.items():
        _refuse_person(email, name)
    # Of two commands at once the second sees whom the first invited.
    User.objects.select_for_update().get(pk=by.user.pk)
    known = list(
        User.objects.select_for_update()
        .filter(Q(email__in=names) | Q(pk__in=User.objects.holding(Role.ADMINISTRATOR).values("pk")))
        .order_by("pk")
    )
    here = [each for each in known if each.has_role(Role.ADMINISTRATOR)]
    if len(here) >= ADMINISTRATORS:
        raise DomainError("administrator_exists")
    if len(here) + len(names) != ADMINISTRATORS or len(names) != len(people):
        if here:
            raise DomainError("two_administrators.one_more", name=here[0].name)
        raise DomainError("two_administrators")
    waiting = {
        each.account_id: each for each in Invitation.objects.filter(account__in=known, accepted_at=None)
    }
    accounts = {each.email: each for each in known if each.email in names}
    if any(each.pk not in waiting for each in accounts.values()):
        raise DomainError("account_exists")
    for other in known:
        if other.email not in names and other.pk in waiting and waiting[other.pk].is_pending:
            end_invitation(waiting[other.pk], by)
    for email, name in names.items():
        account = accounts.setdefault(email, User(email=email, is_active=False))
        account.name, account.federation = name, None
        account.set_unusable_password()
        account.save()
    give_first_administrators(accounts.values(), by)
    return [_invite_administrator(accounts[email], waiting, by) for email in names]


def _invite_administrator(account: User, waiting: Mapping[int, Invitation], by: Actor) -> Message:
    invitation = waiting.get(account.pk) or Invitation()
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
    """Roles, also those that wait, and federation in one line, to compare what was looked at with what is there."""
    return " ".join([*account.roles_given, account.federation_id or "-"])


def _rights_words(roles: Sequence[str], federation: str) -> str:
    return f"{role_labels(roles)}{f' ({federation})' if federation else ''}"


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
    notify_account(account, Message.Kind.ACCOUNT_CHANGED, title, words)
