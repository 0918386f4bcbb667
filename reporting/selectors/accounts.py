"""Accounts as the people see them who invite."""

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet

from reporting.errors import DomainError
from reporting.models import Invitation, Role, User
from reporting.policies import invites_everywhere, may_keep_invitation

ACCOUNTS_ON_A_PAGE = 100


@dataclass(frozen=True)
class AccountLine:
    """An account in the list; `invitation` is None where it was not made by one."""

    account: User
    invitation: Invitation | None
    keeps_invitation: bool

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
        return ", ".join(str(Role(role).label) for role in self.account.roles)


def accounts_seen_by(user: User) -> QuerySet[User]:
    """The accounts of his federation and those he invited, or all; never those of commands."""
    found = User.objects.filter(acts_by_command=False).order_by("name", "pk")
    if invites_everywhere(user):
        return found
    return found.filter(Q(federation=user.federation_id) | Q(invitation__invited_by=user))


def account_page(user: User, number: str) -> "tuple[Page[User], list[AccountLine]]":
    """A page of the accounts that a person sees, by name. 2 queries."""
    found = accounts_seen_by(user).select_related("invitation", "federation")
    page = Paginator(found, ACCOUNTS_ON_A_PAGE).get_page(number)
    return page, [_line(account, user) for account in page]


def _line(account: User, user: User) -> AccountLine:
    invitation: Invitation | None = getattr(account, "invitation", None)
    keeps = invitation is not None and invitation.waits and _keeps(user, invitation)
    return AccountLine(account, invitation, keeps)


def _keeps(user: User, invitation: Invitation) -> bool:
    try:
        may_keep_invitation(user, invitation)
    except DomainError:
        return False
    return True
