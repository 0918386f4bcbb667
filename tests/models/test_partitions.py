"""Figures of a list, once sealed, are out of reach of the accounts the application uses.

Two guards hold independently: the accounts have no right to write, and a trigger refuses whoever has. Each attempt
is made as the account, then with only one of the guards left, and then, as its twin, with both taken away: there it
must succeed, or the attempt would prove nothing. All of it in transactions that are rolled back.
"""

import json
import re

import psycopg
import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction
from psycopg.errors import (
    CheckViolation,
    DuplicateObject,
    DuplicateTable,
    ForeignKeyViolation,
    InsufficientPrivilege,
    InvalidTableDefinition,
    RestrictViolation,
)

from ratings.models import PublishedFile, RatingChange, RatingList, RatingListRow
from ratings.services.export_list import published_files

ACCOUNTS = ("app_worker", "app_web")
TABLES = ("ratings_ratinglistrow", "ratings_ratingchange")
MODELS = {"ratings_ratinglistrow": RatingListRow, "ratings_ratingchange": RatingChange}

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


# --- writing into a published list

# {list}: a published list, {draft}: a list id that does not exist.
NEW_ROW = (
    "SELECT (jsonb_populate_record(r, jsonb_build_object('position', 9001, 'name_position', 9001, 'player_id',"
    " (SELECT id FROM reporting_player WHERE id NOT IN"
    " (SELECT player_id FROM ratings_ratinglistrow WHERE list_id = {list}) LIMIT 1)))).*"
    " FROM ratings_ratinglistrow r WHERE list_id = {list} AND position = 1"
)
NEW_CHANGE = (
    "SELECT (jsonb_populate_record(c, '{{\"sequence\": 99}}')).*"
    " FROM ratings_ratingchange c WHERE list_id = {list} LIMIT 1"
)
ROW_LINE = (
    "{list}\t9001\t9001\t\\N\t{free}\t1\tX\tx\tNED\tM\t\\N\t\t2000\t\\N\t0\t0\t0\t\\N\tf\tC\t9001\t\\N\n"
)
WRITES = {
    "insert a row into the list's table": f"INSERT INTO ratings_ratinglistrow {NEW_ROW}",
    "insert a row into the list's partition": f"INSERT INTO ratings_ratinglistrow_{{list}} {NEW_ROW}",
    "insert or update": f"INSERT INTO ratings_ratinglistrow_{{list}} {NEW_ROW}"
    " ON CONFLICT (list_id, position) DO UPDATE SET rating = 9999",
    "update a rating in the list's table": "UPDATE ratings_ratinglistrow SET rating = 9999 WHERE list_id = {list}",
    "update a rating in the list's partition": "UPDATE ratings_ratinglistrow_{list} SET rating = rating + 1",
    "update one row": "UPDATE ratings_ratinglistrow SET rank = 1 WHERE list_id = {list} AND position = 2",
    "update a name": "UPDATE ratings_ratinglistrow SET name = 'Somebody Else' WHERE list_id = {list}",
    "update a category": "UPDATE ratings_ratinglistrow_{list} SET category = 'A'",
    "erase names without the owner's function": "UPDATE ratings_ratinglistrow"
    " SET name = 'Erased player', sort_name = 'erased player' WHERE list_id = {list}",
    "update through a join": "UPDATE ratings_ratinglistrow r SET rating = 9999 FROM reporting_player p"
    " WHERE p.id = r.player_id AND r.list_id = {list}",
    "merge": "MERGE INTO ratings_ratinglistrow r USING (SELECT 1) one ON r.list_id = {list}"
    " WHEN MATCHED THEN UPDATE SET rating = 9999",
    "delete from the list's table": "DELETE FROM ratings_ratinglistrow WHERE list_id = {list}",
    "delete from the list's partition": "DELETE FROM ratings_ratinglistrow_{list}",
    "delete in a subquery": "WITH gone AS (DELETE FROM ratings_ratinglistrow WHERE list_id = {list} RETURNING 1)"
    " SELECT count(*) FROM gone",
    "truncate the list's table": "TRUNCATE ratings_ratinglistrow",
    "truncate the list's partition": "TRUNCATE ratings_ratinglistrow_{list}",
    "truncate only the partition": "TRUNCATE ONLY ratings_ratinglistrow_{list}",
    "copy into the list's table": "COPY ratings_ratinglistrow FROM STDIN",
    "copy into the list's partition": "COPY ratings_ratinglistrow_{list} FROM STDIN",
    "insert a change into its table": f"INSERT INTO ratings_ratingchange {NEW_CHANGE}",
    "insert a change into its partition": f"INSERT INTO ratings_ratingchange_{{list}} {NEW_CHANGE}",
    "update a change in its table": "UPDATE ratings_ratingchange SET after_e4 = 0 WHERE list_id = {list}",
    "update a change in its partition": "UPDATE ratings_ratingchange_{list} SET performance_e4 = 0",
    "delete a change from its table": "DELETE FROM ratings_ratingchange WHERE list_id = {list}",
    "delete a change from its partition": "DELETE FROM ratings_ratingchange_{list}",
    "truncate the changes": "TRUNCATE ratings_ratingchange",
    "truncate the partition of changes": "TRUNCATE ratings_ratingchange_{list}",
    "truncate everything at once": "TRUNCATE ratings_ratinglistrow, ratings_ratingchange",
    "update a published file": "UPDATE ratings_publishedfile SET content = '' WHERE list_id = {list}",
    "update a published file's name": "UPDATE ratings_publishedfile SET name = 'x' || name WHERE list_id = {list}",
    "delete a published file": "DELETE FROM ratings_publishedfile WHERE list_id = {list}",
    "truncate the published files": "TRUNCATE ratings_publishedfile",
}
GUARDED = ("ratings_ratinglistrow", "ratings_ratingchange", "ratings_publishedfile")


# What the application writes when it publishes, and so has the right to: only the triggers know that it is over.
LATE_WRITES = {
    "add a file": "INSERT INTO ratings_publishedfile"
    " (list_id, name, content_type, content, sha256, size, carries_names)"
    " VALUES ({list}, 'late.csv', 'text/csv', '', '', 0, false)",
    "add a line to a player's history": "INSERT INTO ratings_playerhistory (player_id, list_id, in_force, rating,"
    " change, period_games, games, category, rank, official_rank) SELECT"
    " (SELECT id FROM reporting_player p WHERE NOT EXISTS"
    " (SELECT FROM ratings_playerhistory WHERE player_id = p.id AND list_id = {list}) LIMIT 1),"
    " list_id, in_force, 2400, change, period_games, games, category, rank, official_rank"
    " FROM ratings_playerhistory WHERE list_id = {list} LIMIT 1",
    "delete a player's history": "DELETE FROM ratings_playerhistory WHERE list_id = {list}",
    "add a report to the list's manifest": "INSERT INTO ratings_periodreport (period_id, tournament_id, version_id)"
    " SELECT (SELECT period_id FROM ratings_ratinglist WHERE id = {list}), tournament_id, accepted_version_id"
    " FROM reporting_report WHERE accepted_version_id NOT IN (SELECT version_id FROM ratings_periodreport) LIMIT 1",
}


def published_list(session: psycopg.Connection) -> int:
    """The newest published list: it has rows, changes and files."""
    return session.execute("SELECT id FROM ratings_ratinglist ORDER BY in_force DESC LIMIT 1").fetchone()[0]


def attempt(session: psycopg.Connection, statement: str, number: int) -> int:
    """Carry a statement out; answers how many rows it wrote (TRUNCATE: how many are gone)."""
    rows = "SELECT (SELECT count(*) FROM ratings_ratinglistrow) + (SELECT count(*) FROM ratings_ratingchange)"
    before = session.execute(rows + " + (SELECT count(*) FROM ratings_publishedfile)").fetchone()[0]
    if statement.startswith("COPY"):
        free = session.execute(
            "SELECT id FROM reporting_player WHERE id NOT IN"
            " (SELECT player_id FROM ratings_ratinglistrow WHERE list_id = %s) LIMIT 1",
            [number],
        ).fetchone()[0]
        with session.cursor() as cursor:
            with cursor.copy(statement.format(list=number)) as copy:
                copy.write(ROW_LINE.format(list=number, free=free))
            return cursor.rowcount
    done = session.execute(statement.format(list=number))
    if statement.startswith("WITH"):
        return done.fetchone()[0]
    if statement.startswith("TRUNCATE"):
        return (
            before - session.execute(rows + " + (SELECT count(*) FROM ratings_publishedfile)").fetchone()[0]
        )
    return done.rowcount


def guarded_tables(owner: psycopg.Connection) -> list[str]:
    """The three parents and every partition."""
    partitions = owner.execute(
        "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = ANY(%s::regclass[])",
        [list(TABLES)],
    )
    return [*GUARDED, *(name for (name,) in partitions)]


def give_rights(owner: psycopg.Connection, account: str) -> None:
    owner.execute(f"GRANT ALL ON {', '.join(guarded_tables(owner))} TO {account}")


def take_triggers_away(owner: psycopg.Connection) -> None:
    for table in guarded_tables(owner):
        owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")


@pytest.mark.parametrize("account", ACCOUNTS)
@pytest.mark.parametrize("way", WRITES)
def test_nobody_writes_into_a_published_list(session_of, way, account):
    statement = WRITES[way]
    with session_of(account) as session, pytest.raises(InsufficientPrivilege, match="permission denied"):
        attempt(session, statement, published_list(session))


@pytest.mark.parametrize("account", ACCOUNTS)
@pytest.mark.parametrize("way", WRITES)
def test_the_trigger_alone_refuses_even_where_rights_were_given(session_of, way, account):
    with session_of("postgres") as owner:
        number = published_list(owner)
        give_rights(owner, account)
        owner.execute(f"SET LOCAL ROLE {account}")
        with pytest.raises(RestrictViolation, match="holds published figures"):
            attempt(owner, WRITES[way], number)


@pytest.mark.parametrize("account", ACCOUNTS)
@pytest.mark.parametrize("way", WRITES)
def test_the_missing_right_alone_refuses_even_without_the_trigger(session_of, way, account):
    with session_of("postgres") as owner:
        number = published_list(owner)
        take_triggers_away(owner)
        owner.execute(f"SET LOCAL ROLE {account}")
        with pytest.raises(InsufficientPrivilege, match="permission denied"):
            attempt(owner, WRITES[way], number)


@pytest.mark.parametrize("account", ACCOUNTS)
@pytest.mark.parametrize("way", WRITES)
def test_twin_with_both_guards_away_the_same_statement_succeeds(session_of, way, account):
    with session_of("postgres") as owner:
        number = published_list(owner)
        take_triggers_away(owner)
        give_rights(owner, account)
        owner.execute(f"SET LOCAL ROLE {account}")
        assert attempt(owner, WRITES[way], number) > 0


# Erasing a name is the owner's own way: see the tests of erasure.
@pytest.mark.parametrize("way", [way for way in WRITES if not way.startswith("erase names")])
def test_even_the_owner_is_refused_while_the_trigger_stands(session_of, way):
    with session_of("postgres") as owner, pytest.raises(RestrictViolation, match="holds published figures"):
        attempt(owner, WRITES[way], published_list(owner))


@pytest.mark.parametrize("account", ACCOUNTS)
@pytest.mark.parametrize("way", LATE_WRITES)
def test_what_is_written_at_publication_can_t_be_written_afterwards(session_of, way, account):
    with session_of(account) as session, pytest.raises(RestrictViolation, match="refused"):
        session.execute(LATE_WRITES[way].format(list=published_list(session)))


@pytest.mark.parametrize("account", ACCOUNTS)
@pytest.mark.parametrize("way", LATE_WRITES)
def test_twin_without_the_trigger_it_could_be_written(session_of, way, account):
    with session_of("postgres") as owner:
        number = published_list(owner)
        for table in ("ratings_publishedfile", "ratings_playerhistory", "ratings_periodreport"):
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        owner.execute(f"SET LOCAL ROLE {account}")
        assert owner.execute(LATE_WRITES[way].format(list=number)).rowcount > 0


@pytest.mark.parametrize(
    "statement", ["UPDATE ratings_playerhistory SET rating = 2300", "TRUNCATE ratings_playerhistory"]
)
def test_a_player_s_history_is_never_changed(session_of, statement):
    for account in ACCOUNTS:
        with session_of(account) as session, pytest.raises(InsufficientPrivilege):
            session.execute(statement)
    with session_of("postgres") as owner, pytest.raises(RestrictViolation):
        owner.execute(statement)
    with session_of("postgres") as owner:  # the twin
        owner.execute("ALTER TABLE ratings_playerhistory DISABLE TRIGGER USER")
        owner.execute(statement)


def test_a_player_s_history_gives_way_only_to_a_later_revision(session_of):
    with session_of("postgres") as owner:
        number = published_list(owner)
        owner.execute(
            "WITH asked AS (INSERT INTO ratings_correction (replaces_id, reason, later, requested_by_id)"
            " SELECT id, 'x', 'carry', approved_by_id FROM ratings_ratinglist WHERE id = %s RETURNING id)"
            " INSERT INTO ratings_ratinglist SELECT (jsonb_populate_record(l, jsonb_build_object('id', 999999,"
            " 'revision', 2, 'state', 'approved', 'correction_id', asked.id))).* FROM ratings_ratinglist l, asked"
            " WHERE l.id = %s",
            [number, number],
        )
        owner.execute("SET LOCAL ROLE app_worker")
        lines = owner.execute(
            "SELECT count(*) FROM ratings_playerhistory WHERE list_id = %s", [number]
        ).fetchone()
        assert (
            owner.execute("DELETE FROM ratings_playerhistory WHERE list_id = %s", [number]).rowcount
            == lines[0]
        )
        with pytest.raises(RestrictViolation):
            owner.execute("DELETE FROM ratings_playerhistory")


def test_a_row_can_t_move_from_one_list_to_another(session_of):
    with session_of("postgres") as owner:
        newest = published_list(owner)
        older = owner.execute(
            "SELECT id FROM ratings_ratinglist WHERE id <> %s ORDER BY in_force LIMIT 1", [newest]
        ).fetchone()[0]
        with pytest.raises(RestrictViolation):
            owner.execute("UPDATE ratings_ratinglistrow SET list_id = %s WHERE list_id = %s", [older, newest])


def test_replica_mode_does_not_put_the_trigger_to_sleep(session_of):
    with session_of("postgres") as owner:
        number = published_list(owner)
        owner.execute("SET LOCAL session_replication_role = replica")
        with pytest.raises(RestrictViolation):
            owner.execute(f"UPDATE ratings_ratinglistrow_{number} SET rating = 1")


def test_twin_an_ordinary_trigger_would_sleep_in_replica_mode(session_of):
    with session_of("postgres") as owner:
        number = published_list(owner)
        partition = f"ratings_ratinglistrow_{number}"
        owner.execute(f"ALTER TABLE {partition} ENABLE TRIGGER ratings_ratinglistrow_immutable")
        owner.execute("SET LOCAL session_replication_role = replica")
        assert owner.execute(f"UPDATE {partition} SET rating = 1").rowcount > 0


# --- changing the tables themselves

CHANGES_OF_TABLES = {
    "drop the list's partition": "DROP TABLE ratings_ratinglistrow_{list}",
    "drop the partition of changes": "DROP TABLE ratings_ratingchange_{list}",
    "drop the whole table": "DROP TABLE ratings_ratinglistrow CASCADE",
    "detach the partition": "ALTER TABLE ratings_ratinglistrow DETACH PARTITION ratings_ratinglistrow_{list}",
    "detach the partition of changes": "ALTER TABLE ratings_ratingchange DETACH PARTITION ratings_ratingchange_{list}",
    "disable one trigger": "ALTER TABLE ratings_ratinglistrow DISABLE TRIGGER ratings_ratinglistrow_immutable",
    "disable all triggers": "ALTER TABLE ratings_ratinglistrow_{list} DISABLE TRIGGER ALL",
    "disable the user's triggers": "ALTER TABLE ratings_publishedfile DISABLE TRIGGER USER",
    "disable the list's own guard": "ALTER TABLE ratings_ratinglist DISABLE TRIGGER ratings_ratinglist_guard",
    "let a trigger sleep in replica mode": "ALTER TABLE ratings_ratinglistrow"
    " ENABLE REPLICA TRIGGER ratings_ratinglistrow_immutable",
    "drop a trigger": "DROP TRIGGER ratings_ratinglistrow_immutable ON ratings_ratinglistrow",
    "rename a trigger": "ALTER TRIGGER ratings_ratinglist_guard ON ratings_ratinglist RENAME TO other",
    "replace the trigger's function": "CREATE OR REPLACE FUNCTION refuse_published_change() RETURNS trigger"
    " LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
    "drop the trigger's function": "DROP FUNCTION refuse_published_change() CASCADE",
    "rename the table": "ALTER TABLE ratings_ratinglistrow RENAME TO other",
    "rename the partition": "ALTER TABLE ratings_ratinglistrow_{list} RENAME TO other",
    "rename a column": "ALTER TABLE ratings_ratinglistrow RENAME rating TO other",
    "rewrite a column": "ALTER TABLE ratings_ratinglistrow ALTER rating TYPE integer USING rating + 1",
    "drop a column": "ALTER TABLE ratings_ratinglistrow DROP change",
    "add a column": "ALTER TABLE ratings_ratinglistrow ADD other integer DEFAULT 1",
    "drop a constraint": "ALTER TABLE ratings_ratinglist DROP CONSTRAINT list_published_with_two_signatures",
    "move the table out of sight": "ALTER TABLE ratings_ratinglistrow_{list} SET SCHEMA information_schema",
    "take the table over": "ALTER TABLE ratings_ratinglistrow_{list} OWNER TO {account}",
    "write a rule": "CREATE RULE other AS ON UPDATE TO ratings_publishedfile DO INSTEAD NOTHING",
    "write a trigger": "CREATE TRIGGER a_first BEFORE UPDATE ON ratings_ratinglist"
    " FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "hide rows by a policy": "CREATE POLICY other ON ratings_ratinglistrow USING (false)",
    "switch row security on": "ALTER TABLE ratings_ratinglistrow ENABLE ROW LEVEL SECURITY",
    "make a partition by hand": "CREATE TABLE other PARTITION OF ratings_ratinglistrow FOR VALUES IN (999999)",
    "make a default partition": "CREATE TABLE other PARTITION OF ratings_ratinglistrow DEFAULT",
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
@pytest.mark.parametrize("way", CHANGES_OF_TABLES)
def test_nobody_changes_the_tables_or_his_own_rights(session_of, way, account):
    with session_of(account) as session:
        statement = CHANGES_OF_TABLES[way].format(list=published_list(session), account=account)
        with pytest.raises(InsufficientPrivilege, match=r"must be owner|permission denied"):
            session.execute(statement)


@pytest.mark.parametrize("way", CHANGES_OF_TABLES)
def test_twin_the_same_statement_is_the_owner_s_to_make(session_of, way):
    with session_of("postgres") as owner:
        number = published_list(owner)
        owner.execute(CHANGES_OF_TABLES[way].format(list=number, account="app_worker"))


# --- the functions that make and drop a list's tables


def fresh_draft(session: psycopg.Connection) -> int:
    """A draft without tables yet, as a calculation makes it."""
    return session.execute(
        "INSERT INTO ratings_ratinglist (pool_id, in_force, closing, revision, state, is_opening, edition, players,"
        " official_players, tournaments, games, facts_sha256, sha256, previous_sha256, read_lists, approved_sha256,"
        " released_sha256, by_command)"
        " SELECT pool_id, '2030-01-01', '2029-12-15', 1, 'calculated', true, edition, 0,"
        " 0, 0, 0, '', '', '', '{}', '', '', false FROM ratings_ratinglist LIMIT 1 RETURNING id"
    ).fetchone()[0]


@pytest.mark.parametrize(
    "function", ["open_partition", "index_partition", "seal_partition", "drop_superseded_partition"]
)
def test_the_web_makes_and_drops_no_list(session_of, function):
    with session_of("app_web") as web:
        number = published_list(web)
        with pytest.raises(InsufficientPrivilege, match=f"permission denied for function {function}"):
            web.execute(f"SELECT {function}({number})")


@pytest.mark.parametrize(
    ("function", "refusal"),
    [
        ("open_partition", RestrictViolation),
        ("index_partition", InvalidTableDefinition),  # it has its primary key already
        ("seal_partition", DuplicateObject),  # and its constraint
        ("drop_superseded_partition", RestrictViolation),
    ],
)
def test_the_worker_neither_opens_nor_seals_nor_drops_a_published_list(session_of, function, refusal):
    with session_of("app_worker") as worker:
        number = published_list(worker)
        with pytest.raises(refusal):
            worker.execute(f"SELECT {function}({number})")


def test_the_worker_does_not_erase_names(session_of):
    with session_of("app_worker") as worker, pytest.raises(InsufficientPrivilege):
        worker.execute("SELECT erase_player_name(1)")


def copied_rows(number: int, into: str, **changes: int) -> str:
    """The newest published list's rows as those of another list."""
    values = ", ".join(f"'{name}', {value}" for name, value in ({"list_id": number} | changes).items())
    return (
        f"INSERT INTO {into} SELECT (jsonb_populate_record(r, jsonb_build_object({values}))).*"
        " FROM ratings_ratinglistrow r WHERE list_id ="
        " (SELECT id FROM ratings_ratinglist WHERE state = 'published' ORDER BY in_force DESC LIMIT 1)"
    )


def refused(session: psycopg.Connection, error: type[Exception], statement: str) -> None:
    with pytest.raises(error), session.transaction():  # a savepoint
        session.execute(statement)


def test_twin_the_worker_opens_fills_and_seals_a_fresh_draft_and_then_never_again(session_of):
    with session_of("app_worker") as worker:
        number = fresh_draft(worker)
        count = f"SELECT count(*) FROM ratings_ratinglistrow WHERE list_id = {number}"
        worker.execute(f"SELECT open_partition({number})")
        filled = worker.execute(copied_rows(number, f"ratings_ratinglistrow_{number}")).rowcount
        assert filled > 0
        assert worker.execute(count).fetchone() == (0,)  # not part of the table before it is sealed
        worker.execute(f"SELECT index_partition({number})")
        worker.execute(f"SELECT seal_partition({number})")
        assert worker.execute(count).fetchone() == (filled,)
        one_more = copied_rows(number, f"ratings_ratinglistrow_{number}", position=9001)
        refused(worker, InsufficientPrivilege, one_more)
        refused(worker, InsufficientPrivilege, f"DELETE FROM ratings_ratinglistrow_{number}")
        refused(worker, InvalidTableDefinition, f"SELECT index_partition({number})")
        refused(worker, DuplicateObject, f"SELECT seal_partition({number})")
        refused(worker, DuplicateTable, f"SELECT open_partition({number})")
        refused(worker, RestrictViolation, f"SELECT drop_superseded_partition({number})")


def test_only_a_superseded_draft_is_dropped_and_only_its_own_tables(session_of):
    with session_of("app_worker") as worker:
        rows = "SELECT count(*) FROM ratings_ratinglistrow"
        published = worker.execute(rows).fetchone()
        number = fresh_draft(worker)
        worker.execute(f"SELECT open_partition({number})")
        worker.execute(copied_rows(number, f"ratings_ratinglistrow_{number}"))
        worker.execute(f"SELECT seal_partition({number})")
        assert worker.execute(rows).fetchone() > published
        worker.execute("UPDATE ratings_ratinglist SET state = 'superseded' WHERE id = %s", [number])
        worker.execute(f"SELECT drop_superseded_partition({number})")
        assert worker.execute(rows).fetchone() == published
        assert worker.execute("SELECT to_regclass(%s)", [f"ratings_ratingchange_{number}"]).fetchone() == (
            None,
        )


def test_a_table_being_filled_is_out_of_reach_of_the_web_and_only_grows(session_of):
    with session_of("postgres") as owner:
        owner.execute("SET LOCAL ROLE app_worker")
        number = fresh_draft(owner)
        owner.execute(f"SELECT open_partition({number})")
        owner.execute(copied_rows(number, f"ratings_ratinglistrow_{number}"))
        refused(owner, InsufficientPrivilege, f"UPDATE ratings_ratinglistrow_{number} SET rating = 1")
        refused(owner, InsufficientPrivilege, f"DELETE FROM ratings_ratinglistrow_{number}")
        owner.execute("SET LOCAL ROLE app_web")
        refused(owner, InsufficientPrivilege, f"SELECT * FROM ratings_ratinglistrow_{number}")
        refused(owner, InsufficientPrivilege, copied_rows(number, f"ratings_ratinglistrow_{number}"))


def test_sealing_refuses_rows_of_another_list_and_unknown_players(session_of):
    with session_of("app_worker") as worker:
        number = fresh_draft(worker)
        worker.execute(f"SELECT open_partition({number})")
        with worker.transaction(force_rollback=True):
            worker.execute(copied_rows(number, f"ratings_ratinglistrow_{number}") + " LIMIT 1")
            worker.execute(f"SELECT seal_partition({number})")  # the twin: such a row alone would do
        with worker.transaction(force_rollback=True):
            worker.execute(copied_rows(number, f"ratings_ratinglistrow_{number}", list_id=1) + " LIMIT 1")
            refused(worker, CheckViolation, f"SELECT seal_partition({number})")
        worker.execute(
            copied_rows(number, f"ratings_ratinglistrow_{number}", player_id=999_999_999) + " LIMIT 1"
        )
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


# --- through Django

ORM_WAYS = {
    "update": lambda rows: rows.update(rating=9999),
    "delete": lambda rows: rows.delete(),
    "save one": lambda rows: save(rows[0]),
    "delete one": lambda rows: rows[0].delete(),
    "bulk_update": lambda rows: rows.model.objects.bulk_update(list(rows), ["rating"]),
    "bulk_create": lambda rows: rows.model.objects.bulk_create(list(rows)),
    "bulk_create over what is there": lambda rows: rows.model.objects.bulk_create(
        list(rows), update_conflicts=True, unique_fields=["list", "position"], update_fields=["rating"]
    ),
    "get_or_create": lambda rows: rows.model.objects.create(
        **{field.attname: getattr(rows[0], field.attname) for field in rows.model._meta.local_concrete_fields}
    ),
}


def save(row):
    row.rating = 9999
    row.save()


@pytest.mark.parametrize("way", ORM_WAYS)
@pytest.mark.parametrize(
    "account", [pytest.param(each, marks=pytest.mark.database_role(each)) for each in ("worker", "web")]
)
def test_the_models_give_no_way_round(season_shared, way, account):
    rows = RatingListRow.objects.filter(list=RatingList.objects.latest("in_force"))
    assert rows.exists()
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        ORM_WAYS[way](rows)


@pytest.mark.parametrize("way", ORM_WAYS)
@pytest.mark.database_role("owner")
def test_nor_do_they_as_the_owner(season_shared, way):
    rows = RatingListRow.objects.filter(list=RatingList.objects.latest("in_force"))
    with pytest.raises(IntegrityError, match="holds published figures"), transaction.atomic():
        ORM_WAYS[way](rows)


# --- the one change: a person's name is erased


def all_rows() -> list[dict]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT to_jsonb(r) FROM ratings_ratinglistrow r ORDER BY list_id, position",
        )
        return [json.loads(row) for (row,) in cursor]


def erase(player_id: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT erase_player_name(%s)", [player_id])
        return cursor.fetchone()[0]


@pytest.mark.database_role("web")
def test_erasing_a_person_takes_the_name_from_every_list_and_leaves_every_figure(season_shared):
    before = all_rows()
    person = (
        RatingListRow.objects.filter(list=RatingList.objects.latest("in_force"))
        .order_by("position")[0]
        .player_id
    )
    listed = [row for row in before if row["player_id"] == person]
    assert len(listed) == 4  # the opening list and three quarters
    assert erase(person) == 4
    expected = [
        row | {"name": "Erased player", "sort_name": "erased player"} if row["player_id"] == person else row
        for row in before
    ]
    assert all_rows() == expected
    assert {row["name"] for row in listed} != {"Erased player"}


@pytest.mark.database_role("web")
def test_after_an_erasure_the_figures_file_has_the_same_bytes_and_every_list_its_digest(season_shared):
    lists = list(RatingList.objects.select_related("pool").order_by("in_force"))
    assert len(lists) == 4
    for player in RatingListRow.objects.filter(list=lists[-1], position__lte=20).values_list(
        "player_id", flat=True
    ):
        assert erase(player) > 0
    for rating_list in lists:
        again = {file.name: file for file in published_files(rating_list)}
        kept = PublishedFile.objects.get(list=rating_list, name="figures.csv")
        assert bytes(again["figures.csv"].content) == bytes(kept.content)
        assert again["figures.csv"].sha256 == kept.sha256 == rating_list.sha256
        for name in ("games.csv", "tournaments.csv", "changes.csv"):
            assert again[name].sha256 == PublishedFile.objects.get(list=rating_list, name=name).sha256
        assert b"Erased player" in again["list.csv"].content  # made again, the files with names show it


@pytest.mark.database_role("web")
def test_erasing_nobody_changes_nothing(season_shared):
    before = all_rows()
    assert erase(999_999_999) == 0
    assert all_rows() == before


@pytest.mark.parametrize(
    "change",
    [
        "name = 'Somebody Else'",
        "name = 'Erased player'",  # the sort name would still tell
        "name = 'Erased player', sort_name = 'erased player', rating = rating + 1",
        "name = 'Erased player', sort_name = 'erased player', birth_year = NULL",
        "name = 'Erased player', sort_name = 'erased player', player_id = player_id + 1",
        "name = 'Erased player', sort_name = 'erased player', position = position + 100000",
    ],
)
def test_even_the_owner_lets_through_the_erasure_and_nothing_beside_it(session_of, change):
    with session_of("postgres") as owner:
        number = published_list(owner)
        one = f"UPDATE ratings_ratinglistrow SET {{}} WHERE list_id = {number} AND position = 1"
        refused(owner, RestrictViolation, one.format(change))
        # The twin: the change that the function makes.
        assert owner.execute(one.format("name = 'Erased player', sort_name = 'erased player'")).rowcount == 1


def test_a_file_with_names_is_rewritten_by_the_owner_alone_and_the_signed_one_by_nobody(session_of):
    with session_of("postgres") as owner:
        number = published_list(owner)
        update = (
            f"UPDATE ratings_publishedfile SET content = 'x', sha256 = 'y', size = 1 WHERE list_id = {number}"
        )
        refused(owner, RestrictViolation, f"{update} AND name = 'figures.csv'")
        refused(owner, RestrictViolation, f"{update} AND name = 'changes.csv'")
        refused(
            owner,
            RestrictViolation,
            f"{update.replace('size = 1', 'size = 1, name = name')} AND NOT carries_names",
        )
        assert owner.execute(f"{update} AND name = 'list.csv'").rowcount == 1
    for account in ACCOUNTS:
        with session_of(account) as session, pytest.raises(InsufficientPrivilege):
            session.execute(f"{update} AND name = 'list.csv'")
