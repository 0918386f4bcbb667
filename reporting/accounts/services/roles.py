"""Roles are assigned, confirmed and ended, only by functions of the database (sql/role_assignments.sql)."""

from collections.abc import Collection

from django.db import IntegrityError, connection, transaction
from psycopg.errors import RestrictViolation

from reporting.accounts.notifications import notify_role_confirmed
from reporting.log.audit import Actor, record
from reporting.models import RoleAssignment, User
from reporting.policies import check_can_manage_account, may_confirm_role
from reporting.refusals.domain_error import DomainError


@transaction.atomic
def confirm_role(*, assignment: RoleAssignment, by: Actor) -> RoleAssignment:
    """Confirm a role that another administrator assigned: it applies from the owner's next request.

    Raises DomainError `forbidden`, `own_account`, `own_act` (for the administrator who assigned it), `wrong_state`
    (confirmed or ended in the meantime).
    """
    account = managed_account(assignment.account, by)
    assignment = RoleAssignment.objects.get(pk=assignment.pk)
    may_confirm_role(by.user, assignment)
    if not assignment.is_pending:
        raise DomainError("wrong_state.role")
    _call("confirm_role", assignment.pk, by.user.pk)
    account.forget_roles()
    record(
        by=by,
        action="account.confirm_role",
        subject=subject_of(account),
        before={"role": assignment.role, "confirmed": False},
        after={"role": assignment.role, "confirmed": True, "given_by": assignment.assigned_by.name},
    )
    notify_role_confirmed(account, assignment, by)
    return RoleAssignment.objects.get(pk=assignment.pk)


def set_roles(account: User, wanted: Collection[str], by: Actor) -> None:
    """Assign the wanted roles that are missing and end the others. The caller has locked the account and records.

    Every role of the office (NEED_A_SECOND_PERSON) has to be confirmed by another administrator.
    """
    for assignment in RoleAssignment.objects.filter(account=account, ended_at=None).exclude(role__in=wanted):
        _call("end_role", assignment.pk, by.user.pk)
    account.forget_roles()
    for role in wanted:
        if role not in account.roles_given:
            _call("assign_role", account.pk, str(role), by.user.pk)
    account.forget_roles()


def give_first_administrators(accounts: Collection[User], by: Actor) -> None:
    """Make accounts administrators without confirmation, only by command. Their earlier roles end."""
    _call("assign_first_administrators", [account.pk for account in accounts], by.user.pk)
    for account in accounts:
        account.forget_roles()


def managed_account(account: User, by: Actor) -> User:
    """The account, locked together with the actor's: of two administrators who act on each other at the same time the
    second is checked after the first. Locked in one order, so that there is no deadlock."""
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=[account.pk, by.user.pk]).order_by("pk")
    locked = {row.pk: row for row in rows}
    for row in locked.values():
        row.forget_roles()  # read before the lock
    check_can_manage_account(locked[by.user.pk], locked[account.pk])
    return locked[account.pk]


def subject_of(account: User) -> str:
    """The account as subject of the log."""
    return f"account {account.pk}"


def _call(function: str, *arguments: int | str | list[int]) -> None:
    """Raises DomainError `forbidden` if the actor was closed or lost the role in the meantime."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"select {function}({', '.join(['%s'] * len(arguments))})", arguments)
    except IntegrityError as refused:
        if not isinstance(refused.__cause__, RestrictViolation):
            raise
        raise DomainError("forbidden.role_assignment") from None
