"""Accounts with roles as tests need them: held at once, without the two administrators who give and confirm them."""

from collections.abc import Collection
from typing import Any

from django.db import connection

from reporting.messages.one_time_links import message_link
from reporting.models import Message, Player, User
from reporting.rules.register.registers import register_by_code


def create_user(
    email: str, name: str, password: str | None = None, *, roles: Collection[str] = (), **fields: Any
) -> User:
    """An account that holds these roles."""
    account = User.objects.create_user(email, name, password, **fields)
    return give_roles(account, *roles)


def give_roles(account: User, *roles: str) -> User:
    """These roles in place of those that the account holds."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select give_roles_in_a_test(%s, %s::text[])", [account.pk, [str(role) for role in roles]]
        )
    account.forget_roles()
    return account


def create_player(number: int, register: str = "fmjd", **fields: Any) -> Player:
    """A player with a number in a register."""
    (player,) = Player.objects.create_with_numbers(register_by_code(register), [(number, Player(**fields))])
    return player


def newest_link(kind: str) -> str:
    """The link in the newest message of a kind."""
    return message_link(Message.objects.filter(kind=kind).latest("pk"))
