"""Accounts as people who invite see them, and the security log."""

from dataclasses import dataclass

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.postgres.expressions import ArraySubquery
from django.core.paginator import Page, Paginator
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from reporting.models import (
    INVITATION_LIFETIME,
    AccountSession,
    AccountState,
    ApiToken,
    Invitation,
    NamedOfficial,
    Role,
    RoleAssignment,
    SecurityEvent,
    User,
)
from reporting.models.accounts import roles_of
from reporting.policies import can_invite_everywhere, check_can_manage_invitation
from reporting.refusals.domain_error import DomainError

ACCOUNTS_PER_PAGE, EVENTS_PER_PAGE = 100, 50


@dataclass(frozen=True)
class AccountFilter:
    """Filters of the list of accounts; empty ones match every account. `state` is a value of AccountState."""

    words: str = ""
    role: str = ""
    federation: str = ""
    state: str = ""


@dataclass(frozen=True)
class AccountLine:
    """An account in the list; `invitation` is None if it was created without one."""

    account: User
    invitation: Invitation | None
    can_manage_invitation: bool

    @property
    def state(self) -> AccountState:
        invitation = self.invitation
        if invitation is None or invitation.accepted_at is not None:
            return AccountState.OPEN if self.account.is_active else AccountState.CLOSED
        if invitation.withdrawn_at is not None:
            return AccountState.WITHDRAWN
        return AccountState.EXPIRED if invitation.is_expired else AccountState.INVITED

    @property
    def can_be_closed(self) -> bool:
        return self.state == AccountState.OPEN

    @property
    def can_be_reopened(self) -> bool:
        return self.state == AccountState.CLOSED

    @property
    def roles(self) -> list[tuple[Role, bool]]:
        """The assigned roles, each with whether it is confirmed: only then it gives rights."""
        return [(Role(role), role not in self.account.roles_waiting) for role in self.account.roles_given]


def visible_accounts(user: User) -> QuerySet[User]:
    """The accounts of the user's federation and those the user invited, or all; never those of commands.

    Each comes with the roles that it holds and those not confirmed yet.
    """
    waiting = ArraySubquery(roles_of(OuterRef("pk"), confirmed=False))
    accounts = User.objects.annotate(roles_waiting=waiting)  # type: ignore[no-redef]
    accounts = accounts.filter(acts_by_command=False).order_by("name", "pk")
    if can_invite_everywhere(user):
        return accounts
    return accounts.filter(Q(federation=user.federation_id) | Q(invitation__invited_by=user))


def account_page(
    user: User, account_filter: AccountFilter, number: int | None
) -> "tuple[Page[User], list[AccountLine]]":
    """A page of the visible accounts that match, by name. 2 queries."""
    accounts = visible_accounts(user).select_related("invitation", "federation")
    for word in account_filter.words.split():
        accounts = accounts.filter(Q(name__icontains=word) | Q(email__icontains=word))
    if account_filter.role:
        assigned = RoleAssignment.objects.filter(
            account=OuterRef("pk"), role=account_filter.role, ended_at=None
        )
        accounts = accounts.filter(Exists(assigned))
    if account_filter.federation:
        accounts = accounts.filter(federation=account_filter.federation)
    if account_filter.state:
        accounts = accounts.filter(_in_state(AccountState(account_filter.state)))
    page = Paginator(accounts, ACCOUNTS_PER_PAGE).get_page(number)
    return page, [_line(account, user) for account in page]


def visible_account(user: User, number: int) -> AccountLine:
    """One account with its invitation, its inviter and its federation. 1 query. Raises User.DoesNotExist."""
    accounts = visible_accounts(user).select_related("invitation__invited_by", "federation")
    return _line(accounts.get(pk=number), user)


def roles_of_account(account: User) -> list[RoleAssignment]:
    """The assigned roles of an account, with the people who assigned and confirmed them. 1 query."""
    assignments = RoleAssignment.objects.filter(account=account, ended_at=None).order_by("pk")
    return list(assignments.select_related("assigned_by", "confirmed_by"))


def roles_to_confirm(user: User) -> QuerySet[RoleAssignment]:
    """The roles that this administrator can confirm: assigned by another one, to another person."""
    waiting = RoleAssignment.objects.filter(confirmed_at=None, ended_at=None).exclude(
        account__invitation__withdrawn_at__isnull=False
    )
    own = Q(account=user) | Q(assigned_by=user)
    return waiting.exclude(own).select_related("account", "assigned_by").order_by("pk")


def is_only_administrator(user: User) -> bool:
    """Whether this is an administrator without a second one who could confirm roles. 1 query."""
    others = User.objects.holding(Role.ADMINISTRATOR).filter(is_active=True).exclude(pk=user.pk)
    return user.has_role(Role.ADMINISTRATOR) and not others.exists()


def has_second_factor(account: User) -> bool:
    """Whether an authenticator app is set up. 1 query."""
    return bool(Authenticator.objects.filter(user=account, type=Authenticator.Type.TOTP).exists())


def unconfirmed_address(account: User) -> EmailAddress | None:
    """The new e-mail address of an account until it is confirmed. 1 query."""
    return EmailAddress.objects.filter(user=account, verified=False).first()


def open_sessions(account: User) -> list[AccountSession]:
    """The sessions of an account that have not expired, oldest first. 1 query."""
    sessions = AccountSession.objects.filter(account=account, expire_date__gt=timezone.now())
    return list(sessions.order_by("began_at"))


def visible_invitation(user: User, number: int) -> Invitation | None:
    """The invitation of an account that the user sees. 1 query."""
    invitations = Invitation.objects.select_related("account")
    return invitations.filter(account__in=visible_accounts(user), account_id=number).first()


def role_assignment(account: User, number: int) -> RoleAssignment | None:
    """An assignment of a role to this account, ended or not. 1 query."""
    return RoleAssignment.objects.filter(account=account, pk=number).first()


def own_tokens(user: User) -> list[ApiToken]:
    """The tokens of a person that are not revoked, newest first. 1 query."""
    return list(ApiToken.objects.filter(account=user, revoked_at=None).order_by("-created_at", "-pk"))


def named_officials(federation: str) -> tuple[str, ...]:
    """The names of the national ratings officials of a federation who chose to be named in public. 1 query."""
    named = _named().filter(account__federation=federation).order_by("account__name", "account")
    return tuple(named.values_list("account__name", flat=True))


def is_named_official(user: User) -> bool:
    """Whether the public page of the federation names this person. 1 query."""
    return _named().filter(account=user).exists()


def _named() -> QuerySet[NamedOfficial]:
    """The choices that count: the account is open, and the role is confirmed and not ended."""
    return NamedOfficial.objects.filter(
        account__is_active=True,
        assignment__account=F("account"),
        assignment__role=Role.NATIONAL_OFFICIAL,
        assignment__confirmed_at__isnull=False,
        assignment__ended_at=None,
    )


def _in_state(state: AccountState) -> Q:
    """The accounts in this state, as `AccountLine.state` says it."""
    if state == AccountState.OPEN:
        return Q(is_active=True)
    if state == AccountState.CLOSED:  # once open, or created without an invitation
        return Q(is_active=False) & (Q(invitation=None) | Q(invitation__accepted_at__isnull=False))
    if state == AccountState.WITHDRAWN:
        return Q(invitation__withdrawn_at__isnull=False)
    pending = Q(invitation__isnull=False, invitation__accepted_at=None, invitation__withdrawn_at=None)
    in_time = Q(invitation__sent_at__gte=timezone.now() - INVITATION_LIFETIME)
    return pending & in_time if state == AccountState.INVITED else pending & ~in_time


def _line(account: User, user: User) -> AccountLine:
    invitation: Invitation | None = getattr(account, "invitation", None)
    can_manage = invitation is not None and invitation.is_pending and _can_manage(user, invitation)
    return AccountLine(account, invitation, can_manage)


def _can_manage(user: User, invitation: Invitation) -> bool:
    try:
        check_can_manage_invitation(user, invitation)
    except DomainError:
        return False
    return True


def security_events(words: str = "", kind: str = "", *, number: int | None) -> "Page[SecurityEvent]":
    """A page of the security log, newest first. Each word is a part of a name or e-mail address, or the start of a
    network address. 2 queries."""
    events = SecurityEvent.objects.select_related("account").order_by("-at", "-pk")
    for word in words.split():
        events = events.filter(
            Q(email__icontains=word) | Q(account__name__icontains=word) | Q(address__startswith=word)
        )
    if kind:
        events = events.filter(kind=kind)
    return Paginator(events, EVENTS_PER_PAGE).get_page(number)
