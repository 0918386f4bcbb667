"""Accounts with roles as tests need them: held at once, without the two administrators who give and confirm them."""

from collections.abc import Collection
from typing import Any

from django.db import connection
from django.test import Client

from reporting.messages.one_time_links import message_link
from reporting.models import Federation, Message, Player, User
from reporting.rules.register.registers import register_by_code

PASSWORD = "long-enough-for-all"  # noqa: S105
"""Of the accounts made here, if a test names no other."""
FEDERATIONS = {"BEL": "Belgium", "NED": "Netherlands", "SEN": "Senegal"}


def create_federation(code: str) -> Federation:
    return Federation.objects.get_or_create(code=code, defaults={"name": FEDERATIONS.get(code, code)})[0]


def create_user(
    email: str, name: str, password: str | None = PASSWORD, *, roles: Collection[str] = (), **fields: Any
) -> User:
    """An account that holds these roles; its federation is created where it is missing."""
    if federation := fields.get("federation_id"):
        create_federation(federation)
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


def client_of(account: User | None, **client: Any) -> Client:
    """A browser where an account is logged in, or none."""
    browser = Client(**client)
    if account is not None:
        browser.force_login(account)
    return browser


def logged_in(role: str | None, name: str = "", *, federation: str | None = None, **client: Any) -> Client:
    """A browser of a new account with this role; without a role and as `anonymous` it is not logged in."""
    if role in {None, "anonymous"}:
        return Client(**client)
    email = ".".join(filter(None, [*name.split(), role, federation])).lower()
    account = create_user(
        f"{email}@example.org", name or "Somebody", roles=[str(role)], federation_id=federation
    )
    return client_of(account, **client)


def create_player(number: int, register: str = "fmjd", **fields: Any) -> Player:
    """A player with a number in a register; the federation is created where it is missing."""
    if federation := fields.get("federation_id"):
        create_federation(federation)
    (player,) = Player.objects.create_with_numbers(register_by_code(register), [(number, Player(**fields))])
    return player


def newest_link(kind: str) -> str:
    """The link in the newest message of a kind."""
    return message_link(Message.objects.filter(kind=kind).latest("pk"))
