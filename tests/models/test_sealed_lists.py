"""Figures of a list, once sealed, are out of reach of the accounts the application uses.

Two guards hold independently: the accounts have no right to write, and a trigger refuses anyone who has. Each attempt
is made as the account, then with only one of the guards left, and then, as its twin, with both taken away: there it
must succeed, or the attempt would prove nothing. All of it in transactions that are rolled back.
"""

import psycopg
import pytest
from django.db import IntegrityError, ProgrammingError, transaction
from psycopg.errors import InsufficientPrivilege, RestrictViolation

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import RatingList
from tests.models.sealed import ACCOUNTS, TABLES, published_list, rolled_back

# --- writing into a published list

# {list}: a published list, {draft}: a list id that does not exist.
NEW_ROW = (
    "SELECT (jsonb_populate_record(r, jsonb_build_object('position', 9001, 'name_position', 9001, 'player_id',"
    " (SELECT id FROM reporting_player WHERE id NOT IN"
    " (SELECT player_id FROM fmjd_listrow WHERE list_id = {list}) LIMIT 1)))).*"
    " FROM fmjd_listrow r WHERE list_id = {list} AND position = 1"
)
NEW_CHANGE = (
    "SELECT (jsonb_populate_record(c, '{{\"sequence\": 99}}')).*"
    " FROM fmjd_change c WHERE list_id = {list} LIMIT 1"
)
ROW_COLUMNS = (
    "list_id, position, name_position, official_position, player_id, register_number, name, sort_name, federation, sex,"
    " birth_year, title, rating, change, period_games, games, games_3_years, last_game, reached_2300, category, rank,"
    " official_rank"
)
ROW_LINE = (
    "{list}\t9001\t9001\t\\N\t{free}\t1\tX\tx\tNED\tM\t\\N\t\t2000\t\\N\t0\t0\t0\t\\N\tf\tC\t9001\t\\N\n"
)
WRITES = {
    "insert a row into the list's table": f"INSERT INTO fmjd_listrow {NEW_ROW}",
    "insert a row into the list's partition": f"INSERT INTO fmjd_listrow_{{list}} {NEW_ROW}",
    "insert or update": f"INSERT INTO fmjd_listrow_{{list}} {NEW_ROW}"
    " ON CONFLICT (list_id, position) DO UPDATE SET rating = 9999",
    "update a rating in the list's table": "UPDATE fmjd_listrow SET rating = 9999 WHERE list_id = {list}",
    "update a rating in the list's partition": "UPDATE fmjd_listrow_{list} SET rating = rating + 1",
    "update one row": "UPDATE fmjd_listrow SET rank = 1 WHERE list_id = {list} AND position = 2",
    "update a name": "UPDATE fmjd_listrow SET name = 'Somebody Else' WHERE list_id = {list}",
    "update a category": "UPDATE fmjd_listrow_{list} SET category = 'A'",
    "erase names without the owner's function": "UPDATE fmjd_listrow"
    " SET name = 'Erased player', sort_name = 'erased player' WHERE list_id = {list}",
    "update through a join": "UPDATE fmjd_listrow r SET rating = 9999 FROM reporting_player p"
    " WHERE p.id = r.player_id AND r.list_id = {list}",
    "merge": "MERGE INTO fmjd_listrow r USING (SELECT 1) one ON r.list_id = {list}"
    " WHEN MATCHED THEN UPDATE SET rating = 9999",
    "delete from the list's table": "DELETE FROM fmjd_listrow WHERE list_id = {list}",
    "delete from the list's partition": "DELETE FROM fmjd_listrow_{list}",
    "delete in a subquery": "WITH gone AS (DELETE FROM fmjd_listrow WHERE list_id = {list} RETURNING 1)"
    " SELECT count(*) FROM gone",
    "truncate the list's table": "TRUNCATE fmjd_listrow",
    "truncate the list's partition": "TRUNCATE fmjd_listrow_{list}",
    "truncate only the partition": "TRUNCATE ONLY fmjd_listrow_{list}",
    "copy into the list's table": f"COPY fmjd_listrow ({ROW_COLUMNS}) FROM STDIN",
    "copy into the list's partition": f"COPY fmjd_listrow_{{list}} ({ROW_COLUMNS}) FROM STDIN",
    "insert a change into its table": f"INSERT INTO fmjd_change {NEW_CHANGE}",
    "insert a change into its partition": f"INSERT INTO fmjd_change_{{list}} {NEW_CHANGE}",
    "update a change in its table": "UPDATE fmjd_change SET after_e4 = 0 WHERE list_id = {list}",
    "update a change in its partition": "UPDATE fmjd_change_{list} SET performance_e4 = 0",
    "delete a change from its table": "DELETE FROM fmjd_change WHERE list_id = {list}",
    "delete a change from its partition": "DELETE FROM fmjd_change_{list}",
    "truncate the changes": "TRUNCATE fmjd_change",
    "truncate the partition of changes": "TRUNCATE fmjd_change_{list}",
    "truncate everything at once": "TRUNCATE fmjd_listrow, fmjd_change",
    "update a published file": "UPDATE ratings_publishedfile SET content = '' WHERE list_id = {list}",
    "update a published file's name": "UPDATE ratings_publishedfile SET name = 'x' || name WHERE list_id = {list}",
    "delete a published file": "DELETE FROM ratings_publishedfile WHERE list_id = {list}",
    "truncate the published files": "TRUNCATE ratings_publishedfile, ratings_compressedfile",
}
GUARDED = ("fmjd_listrow", "fmjd_change", "ratings_publishedfile")


# What the application writes of a list until it is published, and so has the right to: only the triggers know that it
# is over. Files are written by the worker alone.
LATE_WRITES = {
    "add a file": "INSERT INTO ratings_publishedfile"
    " (list_id, name, content_type, content, sha256, size, has_names)"
    " VALUES ({list}, 'late.csv', 'text/csv', '', '', 0, false)",
    "add a line to a player's history": "INSERT INTO ratings_playerhistory (player_id, list_id, in_force, rating,"
    " change, period_games, games, category, rank, official_rank) SELECT"
    " (SELECT id FROM reporting_player p WHERE NOT EXISTS"
    " (SELECT FROM ratings_playerhistory WHERE player_id = p.id AND list_id = {list}) LIMIT 1),"
    " list_id, in_force, 2400, change, period_games, games, category, rank, official_rank"
    " FROM ratings_playerhistory WHERE list_id = {list} LIMIT 1",
    "delete a player's history": "DELETE FROM ratings_playerhistory WHERE list_id = {list}",
    "add a report to the list's manifest": "INSERT INTO ratings_periodreport (period_id, result_set_id, version_id)"
    " SELECT (SELECT period_id FROM ratings_ratinglist WHERE id = {list}), result_set_id, accepted_version_id"
    " FROM reporting_report WHERE accepted_version_id NOT IN (SELECT version_id FROM ratings_periodreport) LIMIT 1",
}


def attempt(session: psycopg.Connection, statement: str, number: int) -> int:
    """Carry a statement out; answers how many rows it wrote (TRUNCATE: how many are gone)."""
    rows = "SELECT (SELECT count(*) FROM fmjd_listrow) + (SELECT count(*) FROM fmjd_change)"
    before = session.execute(rows + " + (SELECT count(*) FROM ratings_publishedfile)").fetchone()[0]
    if statement.startswith("COPY"):
        free = session.execute(
            "SELECT id FROM reporting_player WHERE id NOT IN"
            " (SELECT player_id FROM fmjd_listrow WHERE list_id = %s) LIMIT 1",
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
    # Compressed forms have no guard of their own: their key protects the files.
    owner.execute(f"GRANT ALL ON {', '.join(guarded_tables(owner))}, ratings_compressedfile TO {account}")


def take_triggers_away(owner: psycopg.Connection) -> None:
    for table in guarded_tables(owner):
        owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")


PERMISSION_DENIED = pytest.raises(InsufficientPrivilege, match="permission denied")
GUARD = pytest.raises(RestrictViolation, match="holds published figures")


@pytest.mark.parametrize("account", ACCOUNTS)
def test_no_one_writes_into_a_published_list(session_of, subtests, account):
    with session_of(account) as session:
        number = published_list(session)
        for way, statement in WRITES.items():
            with subtests.test(way), rolled_back(session), PERMISSION_DENIED:
                attempt(session, statement, number)


@pytest.mark.parametrize("account", ACCOUNTS)
@pytest.mark.parametrize(
    ("has_rights", "has_triggers"), [(True, True), (False, False), (True, False)],
    ids=["the trigger alone", "the missing right alone", "the twin without both"],
)  # fmt: skip
def test_either_guard_alone_refuses_every_way(session_of, subtests, account, has_rights, has_triggers):
    with session_of("postgres") as owner:
        number = published_list(owner)
        if not has_triggers:
            take_triggers_away(owner)
        if has_rights:
            give_rights(owner, account)
        owner.execute(f"SET LOCAL ROLE {account}")
        for way, statement in WRITES.items():
            with subtests.test(way), rolled_back(owner):
                if has_rights and not has_triggers:
                    assert attempt(owner, statement, number) > 0
                    continue
                with GUARD if has_triggers else PERMISSION_DENIED:
                    attempt(owner, statement, number)


def test_even_the_owner_is_refused_while_the_trigger_stands(session_of, subtests):
    with session_of("postgres") as owner:
        number = published_list(owner)
        for way, statement in WRITES.items():
            if way.startswith("erase names"):
                continue  # the owner's own way: see the tests of erasure
            with subtests.test(way), rolled_back(owner), GUARD:
                attempt(owner, statement, number)


@pytest.mark.parametrize("account", ACCOUNTS)
def test_what_is_written_at_publication_can_t_be_written_afterwards(session_of, subtests, account):
    with session_of(account) as session:
        number = published_list(session)
        for way, statement in LATE_WRITES.items():
            is_allowed = way != "add a file" or account == "app_worker"
            refusal = pytest.raises(
                RestrictViolation if is_allowed else InsufficientPrivilege, match=r"refused|permission denied"
            )
            with subtests.test(way), rolled_back(session), refusal:
                session.execute(statement.format(list=number))


@pytest.mark.parametrize("account", ACCOUNTS)
def test_twin_without_the_trigger_it_could_be_written(session_of, subtests, account):
    with session_of("postgres") as owner:
        number = published_list(owner)
        for table in ("ratings_publishedfile", "ratings_playerhistory", "ratings_periodreport"):
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        owner.execute("GRANT INSERT ON ratings_publishedfile TO app_web")
        owner.execute(f"SET LOCAL ROLE {account}")
        for way, statement in LATE_WRITES.items():
            with subtests.test(way), rolled_back(owner):
                assert owner.execute(statement.format(list=number)).rowcount > 0


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
            owner.execute("UPDATE fmjd_listrow SET list_id = %s WHERE list_id = %s", [older, newest])


def test_replica_mode_does_not_put_the_trigger_to_sleep(session_of):
    with session_of("postgres") as owner:
        number = published_list(owner)
        owner.execute("SET LOCAL session_replication_role = replica")
        with pytest.raises(RestrictViolation):
            owner.execute(f"UPDATE fmjd_listrow_{number} SET rating = 1")


def test_twin_an_ordinary_trigger_would_sleep_in_replica_mode(session_of):
    with session_of("postgres") as owner:
        number = published_list(owner)
        partition = f"fmjd_listrow_{number}"
        owner.execute(f"ALTER TABLE {partition} ENABLE TRIGGER fmjd_listrow_immutable")
        owner.execute("SET LOCAL session_replication_role = replica")
        assert owner.execute(f"UPDATE {partition} SET rating = 1").rowcount > 0


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
    ("account", "refusal"),
    [
        pytest.param(role, refusal, marks=pytest.mark.database_role(role))
        for role, refusal in (
            ("worker", "permission denied"), ("web", "permission denied"), ("owner", "holds published figures"),
        )
    ],
)  # fmt: skip
def test_the_models_give_no_way_round(season_shared, way, account, refusal):
    rows = FmjdListRow.objects.filter(list=RatingList.objects.latest("in_force"))
    assert rows.exists()
    error = IntegrityError if account == "owner" else ProgrammingError
    with pytest.raises(error, match=refusal), transaction.atomic():
        ORM_WAYS[way](rows)
