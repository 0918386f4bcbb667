"""The tables of a list: what they are, who may change them, and the functions that make and drop them."""

import re

import psycopg
import pytest
from django.db import connection
from psycopg.errors import (
    CheckViolation,
    DuplicateObject,
    DuplicateTable,
    ForeignKeyViolation,
    InsufficientPrivilege,
    InvalidTableDefinition,
    RestrictViolation,
)

from ratings.federations.fmjd.models import FmjdChange, FmjdListRow
from tests.models.sealed import ACCOUNTS, TABLES, published_list, refused, rolled_back

MODELS = {"fmjd_listrow": FmjdListRow, "fmjd_change": FmjdChange}


# --- what the tables are


@pytest.mark.django_db
@pytest.mark.parametrize("table", TABLES)
def test_the_columns_made_by_sql_are_the_fields_of_the_model(table):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name, data_type, character_maximum_length, is_nullable = 'YES'"
            " FROM information_schema.columns WHERE table_schema = 'public' AND table_name = %s",
            [table],
        )
        columns = {
            name: (f"{kind}({length})" if length else kind, nullable)
            for name, kind, length, nullable in cursor
        }
    fields = {
        field.column: (
            {"varchar": "character varying"}.get(kind.partition("(")[0], kind.partition("(")[0])
            + "".join(kind.partition("(")[1:]),
            field.null,
        )
        for field in MODELS[table]._meta.local_fields
        if (kind := field.db_parameters(connection)["type"])  # the composite key is no column
    }
    assert columns == fields


@pytest.mark.django_db
@pytest.mark.parametrize("table", TABLES)
def test_the_constraints_and_indexes_named_in_the_model_are_in_the_database(table):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname, contype FROM pg_constraint WHERE conrelid = %s::regclass AND contype IN ('c', 'u', 'p')",
            [table],
        )
        constraints = dict(cursor.fetchall())
        cursor.execute("SELECT indexname FROM pg_indexes WHERE tablename = %s", [table])
        indexes = {name for (name,) in cursor}
    meta = MODELS[table]._meta
    kinds = {"UniqueConstraint": "u", "CheckConstraint": "c"}
    expected = {constraint.name: kinds[type(constraint).__name__] for constraint in meta.constraints}
    assert constraints == expected | {f"{table}_pkey": "p"}
    assert {index.name for index in meta.indexes} == indexes - {
        name for name, kind in constraints.items() if kind != "c"
    }


def test_every_trigger_fires_in_every_mode_on_every_partition(session_of):
    """`ENABLE ALWAYS` is `A`; an ordinary trigger, `O`, would sleep under session_replication_role = replica."""
    with session_of("postgres") as owner:
        lists = [number for (number,) in owner.execute("SELECT id FROM ratings_ratinglist")]
        found = owner.execute(
            "SELECT tgrelid::regclass::text, tgtype, tgenabled FROM pg_trigger"
            " WHERE NOT tgisinternal AND tgfoid = 'refuse_published_change'::regproc"
        ).fetchall()
    row_level, before, insert, delete, update, truncate = 1, 2, 4, 8, 16, 32
    wanted = {
        (name, kind)
        for table in TABLES
        for name in (table, *(f"{table}_{number}" for number in lists))
        for kind in (row_level | before | insert | delete | update, before | truncate)
    }
    assert {(name, kind) for name, kind, _ in found if name.startswith(TABLES)} == wanted
    assert {enabled for _, _, enabled in found} == {"A"}


def test_there_is_no_default_partition(session_of):
    with session_of("postgres") as owner:
        bounds = owner.execute(
            "SELECT pg_get_expr(c.relpartbound, c.oid) FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid"
            " WHERE i.inhparent = ANY(%s::regclass[])",
            [list(TABLES)],
        ).fetchall()
    assert len(bounds) == 8  # four lists, two tables
    assert all(re.fullmatch(r"FOR VALUES IN \('\d+'\)", bound) for (bound,) in bounds)


# --- changing the tables themselves

CHANGES_OF_TABLES = {
    "drop the list's partition": "DROP TABLE fmjd_listrow_{list}",
    "drop the partition of changes": "DROP TABLE fmjd_change_{list}",
    "drop the whole table": "DROP TABLE fmjd_listrow CASCADE",
    "detach the partition": "ALTER TABLE fmjd_listrow DETACH PARTITION fmjd_listrow_{list}",
    "detach the partition of changes": "ALTER TABLE fmjd_change DETACH PARTITION fmjd_change_{list}",
    "disable one trigger": "ALTER TABLE fmjd_listrow DISABLE TRIGGER fmjd_listrow_immutable",
    "disable all triggers": "ALTER TABLE fmjd_listrow_{list} DISABLE TRIGGER ALL",
    "disable the user's triggers": "ALTER TABLE ratings_publishedfile DISABLE TRIGGER USER",
    "disable the list's own guard": "ALTER TABLE ratings_ratinglist DISABLE TRIGGER ratings_ratinglist_guard",
    "let a trigger sleep in replica mode": "ALTER TABLE fmjd_listrow"
    " ENABLE REPLICA TRIGGER fmjd_listrow_immutable",
    "drop a trigger": "DROP TRIGGER fmjd_listrow_immutable ON fmjd_listrow",
    "rename a trigger": "ALTER TRIGGER ratings_ratinglist_guard ON ratings_ratinglist RENAME TO other",
    "replace the trigger's function": "CREATE OR REPLACE FUNCTION refuse_published_change() RETURNS trigger"
    " LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
    "drop the trigger's function": "DROP FUNCTION refuse_published_change() CASCADE",
    "rename the table": "ALTER TABLE fmjd_listrow RENAME TO other",
    "rename the partition": "ALTER TABLE fmjd_listrow_{list} RENAME TO other",
    "rename a column": "ALTER TABLE fmjd_listrow RENAME rating TO other",
    "rewrite a column": "ALTER TABLE fmjd_listrow ALTER rating TYPE integer USING rating + 1",
    "drop a column": "ALTER TABLE fmjd_listrow DROP change",
    "add a column": "ALTER TABLE fmjd_listrow ADD other integer DEFAULT 1",
    "drop a constraint": "ALTER TABLE ratings_ratinglist DROP CONSTRAINT list_published_with_two_signatures",
    "move the table out of sight": "ALTER TABLE fmjd_listrow_{list} SET SCHEMA information_schema",
    "take the table over": "ALTER TABLE fmjd_listrow_{list} OWNER TO {account}",
    "write a rule": "CREATE RULE other AS ON UPDATE TO ratings_publishedfile DO INSTEAD NOTHING",
    "write a trigger": "CREATE TRIGGER a_first BEFORE UPDATE ON ratings_ratinglist"
    " FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "hide rows by a policy": "CREATE POLICY other ON fmjd_listrow USING (false)",
    "switch row security on": "ALTER TABLE fmjd_listrow ENABLE ROW LEVEL SECURITY",
    "make a partition by hand": "CREATE TABLE other PARTITION OF fmjd_listrow FOR VALUES IN (999999)",
    "make a default partition": "CREATE TABLE other PARTITION OF fmjd_listrow DEFAULT",
    "make a table": "CREATE TABLE public.other (id integer)",
    "make a function": "CREATE FUNCTION public.other() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
    "make a schema": "CREATE SCHEMA other",
    "drop the schema": "DROP SCHEMA public CASCADE",
    "switch triggers off by replica mode": "SET session_replication_role = replica",
    "become the owner": "SET ROLE postgres",
    "log in as the owner": "SET SESSION AUTHORIZATION postgres",
    "become a superuser": "ALTER ROLE {account} SUPERUSER",
    "make a superuser": "CREATE ROLE other SUPERUSER",
    "give oneself the owner's rights": "GRANT postgres TO {account}",
    "switch the trigger off in the catalogue": "UPDATE pg_trigger SET tgenabled = 'D'",
    "write a file on the server": "COPY (SELECT 1) TO '/dev/null'",
    "run a program on the server": "COPY (SELECT 1) TO PROGRAM 'cat > /dev/null'",
}


@pytest.mark.parametrize("account", ACCOUNTS)
def test_no_one_changes_the_tables_or_their_own_rights(session_of, subtests, account):
    refusal = pytest.raises(InsufficientPrivilege, match=r"must be owner|permission denied|defines nothing")
    with session_of(account) as session:
        number = published_list(session)
        for way, statement in CHANGES_OF_TABLES.items():
            with subtests.test(way), rolled_back(session), refusal:
                session.execute(statement.format(list=number, account=account))


def test_twin_the_same_statement_is_the_owner_s_to_make(session_of, subtests):
    with session_of("postgres") as owner:
        number = published_list(owner)
        for way, statement in CHANGES_OF_TABLES.items():
            with subtests.test(way), rolled_back(owner):
                owner.execute(statement.format(list=number, account="app_worker"))


# --- the functions that make and drop a list's tables


def fresh_draft(session: psycopg.Connection) -> int:
    """A draft without tables yet, as a calculation makes it."""
    return session.execute(
        "INSERT INTO ratings_ratinglist (pool_id, system, in_force, closing, revision, state, is_opening, edition,"
        " players, official_players, federations, tournaments, games, input_sha256, sha256, previous_sha256,"
        " input_lists, other_lists, source_lists, merges, approved_sha256, published_sha256, by_command)"
        " SELECT pool_id, system, '2030-01-01', '2029-12-15', 1, 'calculated', true, edition, 0,"
        " 0, '{}', 0, 0, '', '', '', '{}', '{}', '{}', '{}', '', '', false FROM ratings_ratinglist LIMIT 1 RETURNING id"
    ).fetchone()[0]


@pytest.mark.parametrize(
    ("function", "refusal"),
    [
        ("open_partition", RestrictViolation),
        ("index_partition", InvalidTableDefinition),  # it has its primary key already
        ("seal_partition", DuplicateObject),  # and its constraint
        ("drop_superseded_partition", RestrictViolation),
        ("drop_draft_files", RestrictViolation),
    ],
)
def test_web_and_worker_neither_open_nor_seal_nor_drop_a_published_list(session_of, function, refusal):
    for account, error in (("app_web", InsufficientPrivilege), ("app_worker", refusal)):
        denied = f"permission denied for function {function}" if account == "app_web" else None
        with session_of(account) as session:
            number = published_list(session)
            with pytest.raises(error, match=denied):
                session.execute(f"SELECT {function}({number})")


def test_the_worker_does_not_erase_names(session_of):
    with session_of("app_worker") as worker, pytest.raises(InsufficientPrivilege):
        worker.execute("SELECT erase_player_name(1)")


def copied_rows(number: int, into: str, **changes: int) -> str:
    """The newest published list's rows as those of another list."""
    values = ", ".join(f"'{name}', {value}" for name, value in ({"list_id": number} | changes).items())
    return (
        f"INSERT INTO {into} SELECT (jsonb_populate_record(r, jsonb_build_object({values}))).*"
        " FROM fmjd_listrow r WHERE list_id ="
        " (SELECT id FROM ratings_ratinglist WHERE state = 'published' ORDER BY in_force DESC LIMIT 1)"
    )


def test_twin_the_worker_opens_fills_and_seals_a_fresh_draft_and_then_never_again(session_of):
    with session_of("app_worker") as worker:
        number = fresh_draft(worker)
        count = f"SELECT count(*) FROM fmjd_listrow WHERE list_id = {number}"
        worker.execute(f"SELECT open_partition({number})")
        filled = worker.execute(copied_rows(number, f"fmjd_listrow_{number}")).rowcount
        assert filled > 0
        assert worker.execute(count).fetchone() == (0,)  # not part of the table before it is sealed
        worker.execute(f"SELECT index_partition({number})")
        worker.execute(f"SELECT seal_partition({number})")
        assert worker.execute(count).fetchone() == (filled,)
        one_more = copied_rows(number, f"fmjd_listrow_{number}", position=9001)
        refused(worker, InsufficientPrivilege, one_more)
        refused(worker, InsufficientPrivilege, f"DELETE FROM fmjd_listrow_{number}")
        refused(worker, InvalidTableDefinition, f"SELECT index_partition({number})")
        refused(worker, DuplicateObject, f"SELECT seal_partition({number})")
        refused(worker, DuplicateTable, f"SELECT open_partition({number})")
        refused(worker, RestrictViolation, f"SELECT drop_superseded_partition({number})")


def test_only_a_superseded_draft_is_dropped_and_only_its_own_tables_and_files(session_of):
    with session_of("app_worker") as worker:
        rows = "SELECT (SELECT count(*) FROM fmjd_listrow), (SELECT count(*) FROM ratings_publishedfile)"
        published = worker.execute(rows).fetchone()
        number = fresh_draft(worker)
        worker.execute(f"SELECT open_partition({number})")
        worker.execute(copied_rows(number, f"fmjd_listrow_{number}"))
        worker.execute(f"SELECT seal_partition({number})")
        worker.execute(
            "INSERT INTO ratings_publishedfile (list_id, name, content_type, content, sha256, size, has_names)"
            " VALUES (%s, 'figures.csv', 'text/csv', '', '', 0, false)",
            [number],
        )
        now = worker.execute(rows).fetchone()
        assert now[0] > published[0]
        assert now[1] == published[1] + 1
        worker.execute("UPDATE ratings_ratinglist SET state = 'superseded' WHERE id = %s", [number])
        worker.execute(f"SELECT drop_superseded_partition({number})")
        assert worker.execute(rows).fetchone() == published
        assert worker.execute("SELECT to_regclass(%s)", [f"fmjd_change_{number}"]).fetchone() == (None,)


def test_a_table_being_filled_is_out_of_reach_of_the_web_and_only_grows(session_of):
    with session_of("postgres") as owner:
        owner.execute("SET LOCAL ROLE app_worker")
        number = fresh_draft(owner)
        owner.execute(f"SELECT open_partition({number})")
        owner.execute(copied_rows(number, f"fmjd_listrow_{number}"))
        refused(owner, InsufficientPrivilege, f"UPDATE fmjd_listrow_{number} SET rating = 1")
        refused(owner, InsufficientPrivilege, f"DELETE FROM fmjd_listrow_{number}")
        owner.execute("SET LOCAL ROLE app_web")
        refused(owner, InsufficientPrivilege, f"SELECT * FROM fmjd_listrow_{number}")
        refused(owner, InsufficientPrivilege, copied_rows(number, f"fmjd_listrow_{number}"))


def test_sealing_refuses_rows_of_another_list_and_unknown_players(session_of):
    with session_of("app_worker") as worker:
        number = fresh_draft(worker)
        worker.execute(f"SELECT open_partition({number})")
        with worker.transaction(force_rollback=True):
            worker.execute(copied_rows(number, f"fmjd_listrow_{number}") + " LIMIT 1")
            worker.execute(f"SELECT seal_partition({number})")  # the twin: such a row alone would do
        with worker.transaction(force_rollback=True):
            worker.execute(copied_rows(number, f"fmjd_listrow_{number}", list_id=1) + " LIMIT 1")
            refused(worker, CheckViolation, f"SELECT seal_partition({number})")
        worker.execute(copied_rows(number, f"fmjd_listrow_{number}", player_id=999_999_999) + " LIMIT 1")
        refused(worker, ForeignKeyViolation, f"SELECT seal_partition({number})")


def test_a_table_of_the_same_name_in_one_s_own_schema_deceives_no_function(session_of):
    """The functions run with the owner's rights: names in them must not be looked up where the caller says."""
    with session_of("app_worker") as worker:
        number = published_list(worker)
        worker.execute(
            "CREATE TEMP TABLE ratings_ratinglist AS SELECT id, 'superseded'::text AS state FROM ratings_ratinglist"
        )
        worker.execute("SET LOCAL search_path = pg_temp, public")
        # The twin: to the caller's own eyes the list is superseded.
        assert worker.execute("SELECT state FROM ratings_ratinglist WHERE id = %s", [number]).fetchone() == (
            "superseded",
        )
        refused(worker, RestrictViolation, f"SELECT public.drop_superseded_partition({number})")
        worker.execute("UPDATE ratings_ratinglist SET state = 'calculated'")
        refused(worker, RestrictViolation, f"SELECT public.open_partition({number})")
