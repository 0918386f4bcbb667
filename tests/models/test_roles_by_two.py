"""Roles: written by the database's own functions alone, which ask for two administrators themselves."""

import psycopg
import pytest
from psycopg.errors import CheckViolation, InsufficientPrivilege, RestrictViolation, UniqueViolation

from reporting.models import NEED_A_SECOND_PERSON, Role
from tests.models.sealed import ACCOUNTS, rolled_back

PEOPLE = ("ada", "bo", "closed", "rita", "ruth", "nils")


@pytest.fixture
def people(session_of):
    """Two administrators, a closed one, a referee, a rating officer, a national official; then as an account does."""
    roles = {
        "ada": "administrator", "bo": "administrator", "closed": "administrator", "rita": "referee",
        "ruth": "rating_officer", "nils": "national_official",
    }  # fmt: skip

    def made(session: psycopg.Connection) -> dict[str, int]:
        numbers = {}
        for name, role in roles.items():
            numbers[name] = new_account(session, name, is_active=name != "closed")
            session.execute("SELECT give_roles_in_a_test(%s, %s)", [numbers[name], [role]])
        return numbers

    return made


def new_account(session: psycopg.Connection, name: str, *, is_active: bool = True) -> int:
    session.execute(
        "INSERT INTO reporting_federation (code, name) VALUES ('NED', 'Netherlands') ON CONFLICT DO NOTHING"
    )
    return session.execute(
        "INSERT INTO reporting_user (email, name, password, is_active, acts_by_command, federation_id)"
        " VALUES (%s, %s, '!', %s, false, 'NED') RETURNING id",
        [f"{name}@role.example", name, is_active],
    ).fetchone()[0]


def assigned(session: psycopg.Connection, account: int, role: str, by: int) -> int:
    return session.execute("SELECT assign_role(%s, %s, %s)", [account, role, by]).fetchone()[0]


def confirmed(session: psycopg.Connection, assignment: int, by: int) -> None:
    session.execute("SELECT confirm_role(%s, %s)", [assignment, by])


def holds(session: psycopg.Connection, account: int) -> set[str]:
    found = session.execute(
        "SELECT role FROM reporting_roleassignment"
        " WHERE account_id = %s AND confirmed_at IS NOT NULL AND ended_at IS NULL",
        [account],
    )
    return {role for (role,) in found}


DIRECT = (
    "INSERT INTO reporting_roleassignment (account_id, role, assigned_by_id, by_command, confirmed_at)"
    " SELECT id, 'administrator', id, true, now() FROM reporting_user LIMIT 1",
    "UPDATE reporting_roleassignment SET role = 'administrator'",
    "UPDATE reporting_roleassignment SET confirmed_at = now()",
    "UPDATE reporting_roleassignment SET ended_at = NULL",
    "UPDATE reporting_roleassignment SET account_id = account_id",
    "DELETE FROM reporting_roleassignment",
    "TRUNCATE reporting_roleassignment",
    "MERGE INTO reporting_roleassignment t USING (SELECT 1) one ON true WHEN MATCHED THEN DELETE",
    "ALTER TABLE reporting_roleassignment DISABLE TRIGGER ALL",
    "CREATE OR REPLACE FUNCTION holds_role(person bigint, VARIADIC wanted text[]) RETURNS boolean"
    " LANGUAGE sql AS 'SELECT true'",
    "SELECT holds_role(1, 'administrator')",
)


@pytest.mark.parametrize("account", ACCOUNTS)
def test_no_one_writes_roles_directly(session_of, subtests, account):
    with session_of(account) as session:
        assert session.execute("SELECT count(*) FROM reporting_roleassignment").fetchone()[0] > 0
        for statement in DIRECT:
            with subtests.test(statement), rolled_back(session), pytest.raises(InsufficientPrivilege):
                session.execute(statement)


@pytest.mark.parametrize(
    "statement", ["DELETE FROM reporting_roleassignment", "TRUNCATE reporting_roleassignment CASCADE"]
)
def test_no_role_that_was_given_is_forgotten_even_by_the_owner(session_of, statement):
    with session_of("postgres") as owner, pytest.raises(RestrictViolation):
        owner.execute(statement)


@pytest.mark.parametrize("role", Role.values)
def test_which_role_waits_for_a_second_administrator(session_of, people, role):
    with session_of("app_web") as session:
        who = people(session)
        account = new_account(session, "new")
        given = assigned(session, account, role, who["ada"])
        waits = role in NEED_A_SECOND_PERSON
        assert holds(session, account) == (set() if waits else {role})
        if waits:
            confirmed(session, given, who["bo"])
            assert holds(session, account) == {role}
        with pytest.raises(RestrictViolation):  # once
            confirmed(session, given, who["bo"])


@pytest.mark.parametrize("by", ["ada", "closed", "rita", "ruth", "nils", "themselves", "command", "waiting"])
def test_who_does_not_confirm(session_of, people, by):
    """The one who gave it or gets it, a closed account, who is no administrator or not yet, a command's account."""
    with session_of("app_web") as session:
        who = people(session)
        account = new_account(session, "new")
        waiting = new_account(session, "waiting")
        assigned(session, waiting, "administrator", who["ada"])
        given = assigned(session, account, "administrator", who["ada"])
        command = session.execute("SELECT id FROM reporting_user WHERE acts_by_command LIMIT 1").fetchone()[0]
        numbers = who | {"themselves": account, "command": command, "waiting": waiting}
        with rolled_back(session), pytest.raises(RestrictViolation):
            confirmed(session, given, numbers[by])
        confirmed(session, given, who["bo"])  # the twin


@pytest.mark.parametrize("by", ["themselves", "closed", "rita", "ruth", "nils"])
@pytest.mark.parametrize("role", Role.values)
def test_who_gives_no_role_to_an_open_account(session_of, people, by, role):
    with session_of("app_web") as session:
        who = people(session)
        account = who["bo"] if by == "themselves" else new_account(session, "new")
        with pytest.raises(RestrictViolation):
            assigned(session, account, role, who["bo"] if by == "themselves" else who[by])


# Who gives which role to an account that was never opened (docs/how-to/accounts.md).
INVITES = {
    "ada": set(Role.values), "ruth": {"referee", "national_official"}, "nils": {"referee"}, "rita": set(),
    "closed": set(),
}  # fmt: skip


@pytest.mark.parametrize("by", INVITES)
def test_who_gives_which_role_by_an_invitation(session_of, people, subtests, by):
    with session_of("app_web") as session:
        who = people(session)
        for role in Role.values:
            with subtests.test(role), rolled_back(session):
                account = new_account(session, "new", is_active=False)
                if role in INVITES[by]:
                    assigned(session, account, role, who[by])
                else:
                    with pytest.raises(RestrictViolation), session.transaction():
                        assigned(session, account, role, who[by])


def test_an_administrator_signs_nothing_and_no_role_is_given_twice(session_of, people):
    with session_of("app_web") as session:
        who = people(session)
        for account, role in (("ruth", "administrator"), ("bo", "title_council")):
            with rolled_back(session), pytest.raises(RestrictViolation, match="signs nothing"):
                assigned(session, who[account], role, who["ada"])
        with rolled_back(session), pytest.raises(UniqueViolation):
            assigned(session, who["rita"], "referee", who["ada"])
        with rolled_back(session), pytest.raises(CheckViolation):
            assigned(session, who["rita"], "emperor", who["ada"])


@pytest.mark.parametrize("by", ["themselves", "closed", "rita", "ruth", "nils"])
def test_who_ends_no_role(session_of, people, by):
    with session_of("app_web") as session:
        who = people(session)
        number = session.execute(
            "SELECT id FROM reporting_roleassignment WHERE account_id = %s", [who["bo"]]
        ).fetchone()[0]
        with rolled_back(session), pytest.raises(RestrictViolation):
            session.execute("SELECT end_role(%s, %s)", [number, who["bo"] if by == "themselves" else who[by]])
        session.execute("SELECT end_role(%s, %s)", [number, who["ada"]])
        assert holds(session, who["bo"]) == set()


def test_accounts_of_commands_keep_their_roles(session_of, people):
    with session_of("app_web") as session:
        who = people(session)
        number, account = session.execute(
            "SELECT r.id, r.account_id FROM reporting_roleassignment r JOIN reporting_user u ON u.id = r.account_id"
            " WHERE u.acts_by_command LIMIT 1"
        ).fetchone()
        for statement, first in (
            ("SELECT end_role(%s, %s)", number),
            ("SELECT assign_role(%s, 'referee', %s)", account),
        ):
            with rolled_back(session), pytest.raises(RestrictViolation):
                session.execute(statement, [first, who["ada"]])


# --- the first administrators

FIRST = "SELECT assign_first_administrators(%s::bigint[], %s)"


def test_the_web_makes_no_first_administrators(session_of):
    with session_of("app_web") as session:
        accounts = [new_account(session, name, is_active=False) for name in ("one", "two")]
        with pytest.raises(InsufficientPrivilege):
            session.execute(FIRST, [accounts, accounts[0]])


def test_by_command_there_are_never_more_than_two(session_of, people):
    """Open accounts, a third one, and people who are no command are refused; next to two none is made."""
    with session_of("app_worker") as session:
        command = session.execute(
            "SELECT id FROM reporting_user WHERE email = 'officer@office.invalid'"
        ).fetchone()[0]
        one, two, three = (new_account(session, name, is_active=False) for name in ("one", "two", "three"))
        opened = new_account(session, "opened")
        for accounts, by in (([one, two, three], command), ([one, opened], command), ([one, two], one)):
            with rolled_back(session), pytest.raises(RestrictViolation):
                session.execute(FIRST, [accounts, by])
        session.execute(FIRST, [[one, two], command])
        assert holds(session, one) == holds(session, two) == {"administrator"}
        session.execute("UPDATE reporting_user SET is_active = true WHERE id = %s", [one])
        session.execute(FIRST, [[three], command])
        assert (holds(session, two), holds(session, three)) == (set(), {"administrator"})
        session.execute("UPDATE reporting_user SET is_active = true WHERE id = %s", [three])
        with pytest.raises(RestrictViolation):
            session.execute(FIRST, [[two], command])
