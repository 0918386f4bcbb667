"""Accounts as the people see them who invite."""

from dataclasses import dataclass

from django.contrib.postgres.expressions import ArraySubquery
from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from reporting.errors import DomainError
from reporting.models import INVITATION_LIFETIME, Invitation, Role, RoleAssignment, SecurityEvent, User
from reporting.models.accounts import roles_of
from reporting.policies import can_invite_everywhere, check_can_manage_invitation

ACCOUNTS_ON_A_PAGE, EVENTS_ON_A_PAGE = 100, 50
STATES = ("Open", "Invited", "Invitation lapsed", "Withdrawn", "Closed")


@dataclass(frozen=True)
class AccountFilter:
    """What is asked of the list of accounts; empty asks for everything. `state` is one of STATES."""

    words: str = ""
    role: str = ""
    federation: str = ""
    state: str = ""


@dataclass(frozen=True)
class AccountLine:
    """An account in the list; `invitation` is None where it was not made by one."""

    account: User
    invitation: Invitation | None
    can_manage_invitation: bool

    @property
    def state(self) -> str:
        if self.invitation is not None and self.invitation.accepted_at is None:
            return str(self.invitation.state.label)
        return "Open" if self.account.is_active else "Closed"

    @property
    def tone(self) -> str:
        tones = {"Open": "good", "Invited": "stamp", "Invitation lapsed": "warn"}
        return tones.get(self.state, "")

    @property
    def roles(self) -> str:
        """Also those that give no rights yet, with the word for it."""
        waiting = self.account.roles_waiting
        return ", ".join(
            f"{Role(role).label}{' (not confirmed)' if role in waiting else ''}"
            for role in self.account.roles_given
        )


def visible_accounts(user: User) -> QuerySet[User]:
    """The accounts of their federation and those they invited, or all; never those of commands.

    Each comes with the roles that it holds and that it waits for.
    """
    waiting = ArraySubquery(roles_of(OuterRef("pk"), confirmed=False))
    found = User.objects.annotate(roles_waiting=waiting)  # type: ignore[no-redef]
    found = found.filter(acts_by_command=False).order_by("name", "pk")
    if can_invite_everywhere(user):
        return found
    return found.filter(Q(federation=user.federation_id) | Q(invitation__invited_by=user))


def account_page(user: User, asked: AccountFilter, number: str) -> "tuple[Page[User], list[AccountLine]]":
    """A page of the accounts that a person sees and asks for, by name. 2 queries."""
    found = visible_accounts(user).select_related("invitation", "federation")
    for word in asked.words.split():
        found = found.filter(Q(name__icontains=word) | Q(email__icontains=word))
    if asked.role:
        given = RoleAssignment.objects.filter(account=OuterRef("pk"), role=asked.role, ended_at=None)
        found = found.filter(Exists(given))
    if asked.federation:
        found = found.filter(federation=asked.federation)
    if asked.state:
        found = found.filter(_in_state(asked.state))
    page = Paginator(found, ACCOUNTS_ON_A_PAGE).get_page(number)
    return page, [_line(account, user) for account in page]


def visible_account(user: User, number: int) -> AccountLine:
    """One account with its invitation, its inviter and its federation. 1 query. Raises User.DoesNotExist."""
    found = visible_accounts(user).select_related("invitation__invited_by", "federation")
    return _line(found.get(pk=number), user)


def roles_of_account(account: User) -> list[RoleAssignment]:
    """The roles that an account holds or waits for, with who gave and confirmed them. 1 query."""
    given = RoleAssignment.objects.filter(account=account, ended_at=None).order_by("pk")
    return list(given.select_related("assigned_by", "confirmed_by"))


def roles_to_confirm(user: User) -> QuerySet[RoleAssignment]:
    """What waits for this administrator: given by another one, to another person."""
    waiting = RoleAssignment.objects.filter(confirmed_at=None, ended_at=None).exclude(
        account__invitation__withdrawn_at__isnull=False
    )
    own = Q(account=user) | Q(assigned_by=user)
    return waiting.exclude(own).select_related("account", "assigned_by").order_by("pk")


def _in_state(state: str) -> Q:
    """The accounts whose line says this."""
    if state == "Open":
        return Q(is_active=True)
    if state == "Closed":  # opened once, or never made by an invitation
        return Q(is_active=False) & (Q(invitation=None) | Q(invitation__accepted_at__isnull=False))
    if state == "Withdrawn":
        return Q(invitation__withdrawn_at__isnull=False)
    waits = Q(invitation__isnull=False, invitation__accepted_at=None, invitation__withdrawn_at=None)
    holds = Q(invitation__sent_at__gte=timezone.now() - INVITATION_LIFETIME)
    return waits & holds if state == "Invited" else waits & ~holds


def _line(account: User, user: User) -> AccountLine:
    invitation: Invitation | None = getattr(account, "invitation", None)
    keeps = invitation is not None and invitation.is_pending and _keeps(user, invitation)
    return AccountLine(account, invitation, keeps)


def _keeps(user: User, invitation: Invitation) -> bool:
    try:
        check_can_manage_invitation(user, invitation)
    except DomainError:
        return False
    return True


def security_events(words: str = "", kind: str = "", *, number: str) -> "Page[SecurityEvent]":
    """A page of the security log, newest first; each word is of a name, an e-mail or a network address. 2 queries."""
    found = SecurityEvent.objects.select_related("account").order_by("-at", "-pk")
    for word in words.split():
        found = found.filter(
            Q(email__icontains=word) | Q(account__name__icontains=word) | Q(address__startswith=word)
        )
    if kind:
        found = found.filter(kind=kind)
    return Paginator(found, EVENTS_ON_A_PAGE).get_page(number)
