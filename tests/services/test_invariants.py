"""Every rule that the stored data follow holds in the demonstration, and each finds the fault that breaks it."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from reporting.log.invariants.registry import broken_invariants, invariants
from tests.services.invariant_faults import FAULTS

pytestmark = pytest.mark.django_db(transaction=True)


def test_all_hold_in_the_demonstration(season_shared, capsys):
    """The worker may read all that they are about."""
    call_command("check_invariants")
    assert capsys.readouterr().out == f"All {len(invariants())} rules hold.\n"


@pytest.mark.database_role("owner")
def test_the_command_names_the_rule_and_the_rows(season, capsys):
    with connection.cursor() as cursor:
        for account in (1, 2, 3):
            cursor.execute(
                "INSERT INTO reporting_accountsession (session_key, session_data, expire_date, account_id, user_agent)"
                " VALUES (%s, '', now(), %s, '')",
                [f"key {account}", account],
            )
    with pytest.raises(CommandError, match=rf"^1 of {len(invariants())} rules are broken\.$"):
        call_command("check_invariants")
    assert capsys.readouterr().err == (
        "account-of-commands-has-no-session: 3 rows break this rule: An account that acts for commands has no session,"
        " token or second factor. Rows: 1, 2, 3\n"
    )
    call_command("check_invariants", only="log-actor-exists")
    assert capsys.readouterr().out == "1 rule holds.\n"
    with pytest.raises(CommandError, match=r"^There is no rule x\.$"):
        call_command("check_invariants", only="x")


def test_the_codes_differ_and_each_has_a_planted_fault():
    codes = [invariant.code for invariant in invariants()]
    assert len(codes) == len(set(codes))
    assert set(FAULTS) == set(codes)


@pytest.mark.database_role("owner")
def test_each_fault_breaks_its_rule_alone(season_shared, subtests):
    """The owner switches off every trigger and drops every constraint."""
    with unguarded():
        for code, fault in FAULTS.items():
            with subtests.test(code), planted(fault):
                assert [broken.invariant.code for broken in broken_invariants(invariants())] == [code]


@contextmanager
def unguarded() -> Iterator[None]:
    """Inside, no trigger fires and no constraint refuses; afterwards nothing has been done."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            """
            DO $$ DECLARE statement text; BEGIN
                SET LOCAL session_replication_role = replica;
                FOR statement IN
                    SELECT format('ALTER TABLE %s DISABLE TRIGGER USER', oid::regclass) FROM pg_class
                    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
                LOOP EXECUTE statement; END LOOP;
                FOR statement IN
                    SELECT format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I CASCADE', conrelid::regclass, conname)
                    FROM pg_constraint
                    WHERE connamespace = 'public'::regnamespace AND conrelid <> 0 AND conparentid = 0
                      AND coninhcount = 0 AND contype IN ('c', 'f', 'u', 'x')
                LOOP EXECUTE statement; END LOOP;
                FOR statement IN
                    SELECT format('DROP INDEX %s', indexrelid::regclass) FROM pg_index JOIN pg_class ON oid = indexrelid
                    WHERE indisunique AND NOT indisprimary AND NOT relispartition
                      AND relnamespace = 'public'::regnamespace
                LOOP EXECUTE statement; END LOOP;
            END $$
            """
        )
        yield
        transaction.set_rollback(True)


@contextmanager
def planted(fault: str) -> Iterator[None]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(fault)
        assert cursor.rowcount > 0
        yield
        transaction.set_rollback(True)
