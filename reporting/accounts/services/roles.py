"""Roles are given, confirmed and ended by the database's own functions alone (sql/role_assignments.sql)."""

from collections.abc import Collection

from django.db import IntegrityError, connection, transaction
from psycopg.errors import RestrictViolation

from reporting.errors import DomainError
from reporting.log.audit import Actor, record
from reporting.messages.notifications import create_message
from reporting.models import Message, Role, RoleAssignment, User
from reporting.policies import check_can_manage_account, may_confirm_role


@transaction.atomic
def confirm_role(*, assignment: RoleAssignment, by: Actor) -> RoleAssignment:
    """Let a role hold that another administrator gave: from the next request of its owner on, and tell them.

    Raises DomainError `forbidden`, `own_account`, `own_act` (whoever gave a role does not confirm it),
    `wrong_state` (confirmed or ended meanwhile).
    """
    account = managed_account(assignment.account, by)
    assignment = RoleAssignment.objects.get(pk=assignment.pk)
    may_confirm_role(by.user, assignment)
    if not assignment.is_pending:
        raise DomainError("wrong_state.role")
    _call("confirm_role", assignment.pk, by.user.pk)
    account.forget_roles()
    role = Role(assignment.role).label
    record(
        by=by,
        action="account.confirm_role",
        subject=subject_of(account),
        before={"role": assignment.role, "confirmed": False},
        after={"role": assignment.role, "confirmed": True, "given_by": assignment.assigned_by.name},
    )
    create_message(
        kind=Message.Kind.ACCOUNT_CHANGED,
        recipient=account,
        about="/account/",
        title=f"Your role is confirmed: {role.lower()}",
        text=f"{assignment.assigned_by.name} gave it, {by.user.name} confirmed it. It holds from now on.",
    )
    return RoleAssignment.objects.get(pk=assignment.pk)


def set_roles(account: User, wanted: Collection[str], by: Actor) -> None:
    """Give what is wanted and not given, end what is given and not wanted; the caller holds the account and records.

    Signing roles and administrators wait for another administrator; all of them are told.
    """
    for assignment in RoleAssignment.objects.filter(account=account, ended_at=None).exclude(role__in=wanted):
        _call("end_role", assignment.pk, by.user.pk)
    account.forget_roles()
    for role in wanted:
        if role not in account.roles_given:
            _call("assign_role", account.pk, str(role), by.user.pk)
    account.forget_roles()


def tell_administrators(account: User, by: Actor) -> None:
    """Tell those who can confirm what waits for an account, if anything does."""
    if not account.roles_waiting:
        return
    roles = " and ".join(Role(role).label.lower() for role in account.roles_waiting)
    for other in User.objects.holding(Role.ADMINISTRATOR).exclude(pk__in=[by.user.pk, account.pk]):
        create_message(
            kind=Message.Kind.ACCOUNT_CHANGED,
            recipient=other,
            about=f"/accounts/{account.pk}/",
            title=f"A role waits for your confirmation: {account.name}",
            text=f"{by.user.name} gave {account.name} ({account.email}) the role {roles}. It holds once another"
            " administrator confirms it on the page of the account. If you know nothing of it, ask by another way"
            " than e-mail before you confirm.",
        )


def give_first_administrators(accounts: Collection[User], by: Actor) -> None:
    """By command: the only way to administrators whom nobody has confirmed. Roles they had before end."""
    _call("assign_first_administrators", [each.pk for each in accounts], by.user.pk)
    for each in accounts:
        each.forget_roles()


def managed_account(account: User, by: Actor) -> User:
    """The account under its lock, and that of whoever acts: of two administrators who act on each other at once the
    second is judged by what the first has left of them. In one order, so that they never wait for each other."""
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=[account.pk, by.user.pk]).order_by("pk")
    locked = {each.pk: each for each in rows}
    for each in locked.values():
        each.forget_roles()  # read before the lock was had
    check_can_manage_account(locked[by.user.pk], locked[account.pk])
    return locked[account.pk]


def subject_of(account: User) -> str:
    """How the log names an account."""
    return f"account {account.pk}"


def _call(function: str, *arguments: int | str | list[int]) -> None:
    """Raises DomainError `forbidden` where who acts no longer may: closed or without the role since they were asked."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"select {function}({', '.join(['%s'] * len(arguments))})", arguments)
    except IntegrityError as refused:
        if not isinstance(refused.__cause__, RestrictViolation):
            raise
        raise DomainError("forbidden.role_assignment") from None
