"""What opens an account is written by its owner alone: SQL of the web takes over none (decision 0034)."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from psycopg.errors import RestrictViolation

from reporting.models import Role
from tests.models.sealed import rolled_back
from tests.models.test_acting_person import SET, new_account, proof_of

REFUSAL = "by its owner"
TRIGGERS = {
    "reporting_user": ("reporting_user_password", "reporting_user_password_begins"),
    "mfa_authenticator": ("mfa_authenticator_owned", "mfa_authenticator_changed"),
    "account_emailaddress": ("account_emailaddress_owned", "account_emailaddress_changed"),
}
# By statements of the thief, separated by "; ", about an account with password, authenticator, used recovery codes and
# a new address.
ATTACKS = {
    "its password is the thief's": "UPDATE reporting_user SET password = 'argon2$known' WHERE id = %(victim)s",
    "its address is the thief's": "UPDATE reporting_user SET email = 'eve@evil.example' WHERE id = %(victim)s",
    "its number is the thief's": "UPDATE reporting_user SET id = -1 WHERE id = %(thief)s; "
    "UPDATE reporting_user SET id = %(thief)s WHERE id = %(victim)s; "
    "UPDATE reporting_user SET id = %(victim)s WHERE id = -1",
    "its factor is gone": "DELETE FROM mfa_authenticator WHERE user_id = %(victim)s AND type = 'totp'",
    "its factor is another one": 'UPDATE mfa_authenticator SET data = \'{"secret": "known"}\''
    " WHERE user_id = %(victim)s AND type = 'totp'",
    "its factor is the thief's": "UPDATE mfa_authenticator SET user_id = %(thief)s, type = 'webauthn'"
    " WHERE user_id = %(victim)s AND type = 'totp'",
    "the thief's factor is its own": "UPDATE mfa_authenticator SET user_id = %(victim)s, type = 'webauthn'"
    " WHERE user_id = %(thief)s",
    "it has one more factor": "INSERT INTO mfa_authenticator (user_id, type, data, created_at)"
    " VALUES (%(victim)s, 'webauthn', '{}', now())",
    "its used codes work again": "UPDATE mfa_authenticator SET data = data || '{\"used_mask\": 0}'"
    " WHERE user_id = %(victim)s AND type = 'recovery_codes'",
    "its new address is the thief's": "UPDATE account_emailaddress SET email = 'eve@evil.example'"
    " WHERE user_id = %(victim)s",
    "it has one more address": 'INSERT INTO account_emailaddress (user_id, email, verified, "primary")'
    " VALUES (%(victim)s, 'eve@evil.example', true, false)",
    "its new address is gone": "DELETE FROM account_emailaddress WHERE user_id = %(victim)s",
}
OF_TWO_ACCOUNTS = {"its number is the thief's", "its factor is the thief's", "the thief's factor is its own"}
TAKEN_AWAY_BY_ADMINISTRATORS = {"its factor is gone", "its new address is gone"}


class Accounts:
    """A session of the web, outside a request, with an account of a victim and one of a thief."""

    def __init__(self, session: psycopg.Connection) -> None:
        self.session = session
        self.victim, self.thief = new_account(session, "victim"), new_account(session, "thief")
        session.execute("SET LOCAL tests.outside_a_request = on")
        session.execute("UPDATE reporting_user SET password = 'argon2$unknown' WHERE id = %s", [self.victim])
        for owner, kind, data in (
            (self.victim, "totp", '{"secret": "unknown"}'),
            (self.victim, "recovery_codes", '{"seed": "unknown", "used_mask": 1}'),
            (self.thief, "totp", '{"secret": "known"}'),
        ):
            session.execute(
                "INSERT INTO mfa_authenticator (user_id, type, data, created_at) VALUES (%s, %s, %s, now())",
                [owner, kind, data],
            )
        session.execute(
            'INSERT INTO account_emailaddress (user_id, email, verified, "primary")'
            " VALUES (%s, 'new@acting.example', false, false)",
            [self.victim],
        )
        session.execute("SET LOCAL tests.outside_a_request = off")

    def acts(self, person: int, *roles: Role) -> None:
        self.session.execute("SELECT give_roles_in_a_test(%s, %s::text[])", [person, list(roles)])
        self.session.execute(SET, [proof_of(person, self.session.info.backend_pid)])

    def do(self, attack: str) -> None:
        for statement in ATTACKS[attack].split("; "):
            done = self.session.execute(statement, {"victim": self.victim, "thief": self.thief})
            assert done.rowcount == 1


@pytest.fixture
def accounts(session_of) -> Iterator[Accounts]:
    with session_of("app_web", bound=True) as session:
        yield Accounts(session)


@contextmanager
def refused(accounts: Accounts) -> Iterator[None]:
    with pytest.raises(RestrictViolation, match=REFUSAL), accounts.session.transaction():
        yield


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_account_is_taken_over_by_no_one(accounts, attack):
    with refused(accounts):
        accounts.do(attack)
    accounts.acts(accounts.thief, Role.REFEREE, Role.RATING_OFFICER)
    with refused(accounts):
        accounts.do(attack)
    accounts.acts(accounts.thief, Role.ADMINISTRATOR)
    if attack in TAKEN_AWAY_BY_ADMINISTRATORS:
        accounts.do(attack)
    else:
        with refused(accounts):
            accounts.do(attack)


@pytest.mark.parametrize("attack", ATTACKS)
def test_twin_without_the_triggers_each_takes_it_over(session_of, attack):
    with session_of("postgres") as owner:
        accounts = Accounts(owner)
        for table, names in TRIGGERS.items():
            owner.execute("SET CONSTRAINTS ALL IMMEDIATE")
            for name in names:
                owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER {name}")
        owner.execute("SET CONSTRAINTS ALL DEFERRED")
        owner.execute("SET SESSION AUTHORIZATION app_web")
        accounts.do(attack)
        owner.execute("RESET SESSION AUTHORIZATION")


def test_the_owner_writes_all_of_it(accounts):
    accounts.acts(accounts.victim)
    for attack in ATTACKS.keys() - OF_TWO_ACCOUNTS:
        with rolled_back(accounts.session):
            accounts.do(attack)
    for attack in OF_TWO_ACCOUNTS:
        with refused(accounts):
            accounts.do(attack)


def test_others_only_take_a_password_away(accounts):
    """An administrator who closes the account; an inviter where it was never opened."""
    change = "UPDATE reporting_user SET password = %s WHERE id = %s"
    with refused(accounts):
        accounts.session.execute(change, ["!none", accounts.victim])
    accounts.acts(accounts.thief, Role.NATIONAL_OFFICIAL)
    with refused(accounts):
        accounts.session.execute(change, ["!none", accounts.victim])
    begin = (
        "INSERT INTO reporting_user (email, name, password, is_active, acts_by_command)"
        " VALUES ('new@acting.example', 'Person', %s, false, false) RETURNING id"
    )
    with refused(accounts):
        accounts.session.execute(begin, ["argon2$known"])
    invited = accounts.session.execute(begin, ["!none"]).fetchone()[0]
    accounts.session.execute(change, ["!other", invited])
    with refused(accounts):
        accounts.session.execute(change, ["argon2$known", invited])
    with refused(accounts):
        accounts.session.execute(
            "UPDATE reporting_user SET email = 'eve@evil.example' WHERE id = %s", [invited]
        )
    accounts.acts(accounts.thief, Role.ADMINISTRATOR)
    accounts.session.execute(change, ["!none", accounts.victim])


def test_uses_of_a_factor_and_log_ins_need_no_one_who_acts(accounts):
    for statement in (
        "UPDATE mfa_authenticator SET last_used_at = now(), data = data || '{\"viewed_at\": 1}' WHERE user_id = %s",
        "UPDATE reporting_user SET last_login = now() WHERE id = %s",
    ):
        assert accounts.session.execute(statement, [accounts.victim]).rowcount > 0
