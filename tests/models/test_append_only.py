"""What is written once stays: the audit log, what was sent in, what was answered, what is in a list; and a published
list's own row. Each refusal is made by the rights of the accounts and by triggers that bind the owner too.
"""

from itertools import product

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from psycopg.errors import (
    CheckViolation,
    ForeignKeyViolation,
    InsufficientPrivilege,
    RestrictViolation,
    UniqueViolation,
)

from tests.models.sealed import ACCOUNTS, rolled_back

APPEND_ONLY = {
    "reporting_logentry": "reason = 'another'",
    "reporting_reportversion": "content = 'other bytes'",
    "reporting_warningcomment": "text = 'another'",
    "reporting_reviewremark": "text = 'another'",
    "reporting_reportnote": "text = 'another'",
    "reporting_reportstep": "move = 'submit'",
    "reporting_lookalikedecision": "reason = 'another'",
    "reporting_tournamentdecision": "reason = 'another'",
    "reporting_requestentry": "text = 'another'",
    "reporting_registerchange": "id = reporting_registerchange.id",
    "reporting_membershiptable": "filename = 'another'",
    "reporting_clubmembership": "club = '020041'",
    "ratings_publicchange": "at = '2026-01-01'",
    "ratings_periodreport": "version_id = (SELECT max(id) FROM reporting_reportversion)",
    "ratings_publishedfile": "content = 'other bytes'",
    "ratings_sourcelist": "ratings = 'other bytes'",
    "titles_norm": "games = 8",
    "titles_normdecision": "reason = 'another'",
    "titles_normlayout": "requirements = '[1]'",
    "titles_applicationstep": "reason = 'another'",
    "fmjd_titles_placestep": "reason = 'another'",
    "fmjd_titles_drawnlot": "players = '{2,1}'",
    "fmjd_titles_standingdecision": "is_good = true",
    "fmjd_titles_enteredmedal": "year = 1990",
    "fmjd_titles_medalwithdrawal": "reason = 'another'",
    "fmjd_titles_titlematchstep": "reason = 'another'",
}
# Of what the demonstration has no row.
ADDED = {
    "reporting_reviewremark": "(version_id, field, text, by_id) VALUES (1, '', 'x', 1)",
    "reporting_reportnote": "(report_id, text, from_office, by_id) VALUES (1, 'x', false, 1)",
    "reporting_lookalikedecision": "(version_id, tournament_code, is_correction, reason, by_id)"
    " VALUES (1, 'x', false, 'x', 1)",
    "reporting_requestentry": "(correction_request_id, kind, outcome, basis, text, by_id)"
    " VALUES (1, 'question', '', '', 'x', 1)",
    "reporting_membershiptable": "(register, filename, sha256, imported_by_id, by_command)"
    " VALUES ('knsb', 'x', 'x', 1, false)",
    "reporting_clubmembership": "(table_id, player_id, club, member_from) VALUES (1, 1, '020032', '2026-01-01')",
    "ratings_sourcelist": "(source, kind, in_force, sha256, filename, size, players, matched, numbers, ratings,"
    " k_factors, titles, title_words, imported_by_id, by_command)"
    " VALUES ('fide', 'rapid', '2026-01-01', '', '', 1, 1, 0, '', '', '', '', '{}', 1, false)",
    "titles_applicationstep": '(application_id, move, state, "on", reference, reason, by_id)'
    " VALUES (1, 'submit', 'submitted', '2026-01-01', '', '', 1)",
    "fmjd_titles_placestep": '(championship_id, player_id, move, "on", reason, by_id)'
    " VALUES (1, 1, 'confirm', '2026-01-01', '', 1)",
    "fmjd_titles_drawnlot": '(championship_id, source, players, "on", by_id)'
    " VALUES (1, 'rating', '{1,2}', '2026-01-01', 1)",
    "fmjd_titles_standingdecision": "(federation_id, year, number, is_good, reason, by_id)"
    " VALUES ('NED', 2027, 1, false, 'x', 1)",
    "fmjd_titles_enteredmedal": "(championship, year, place, name, source, by_id)"
    " VALUES ('world-100-classic', 1948, 1, 'x', 'x', 1)",
    "fmjd_titles_medalwithdrawal": "(medal_id, reason, by_id) VALUES (1, 'x', 1)",
    "fmjd_titles_titlematchstep": '(championship, year, move, result, "on", reason, by_id)'
    " VALUES ('world-100-classic', 1948, 'cancel', '', '1949-01-01', 'x', 1)",
}
KEYS = {"ratings_publicchange": "number"}
"""Their primary keys, where it is not `id`."""
VERBS = {
    "update": "UPDATE {table} SET {change}",
    "update one": "UPDATE {table} SET {change} WHERE {key} = (SELECT min({key}) FROM {table})",
    "update nothing really": "UPDATE {table} SET {key} = {key}",
    "delete": "DELETE FROM {table}",
    "delete one": "DELETE FROM {table} WHERE {key} = (SELECT min({key}) FROM {table})",
    "truncate": "TRUNCATE {table} CASCADE",
    "merge": "MERGE INTO {table} t USING (SELECT 1) one ON true WHEN MATCHED THEN DELETE",
    "insert over it": "INSERT INTO {table} SELECT * FROM {table} ON CONFLICT ({key}) DO UPDATE SET {change}",
}


def statement(table: str, verb: str) -> str:
    return VERBS[verb].format(table=table, change=APPEND_ONLY[table], key=KEYS.get(table, "id"))


def written(session: psycopg.Connection, table: str, verb: str) -> int:
    """Carry the verb out; answers how many rows it took."""
    before = session.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    done = session.execute(statement(table, verb))
    if verb.startswith("truncate"):
        return before - session.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    return done.rowcount


@pytest.fixture
def owner(session_of):
    """A session of the owner in which each of the tables has rows: an empty one would refuse nothing."""
    with session_of("postgres") as session:
        session.execute("SET LOCAL session_replication_role = replica")  # keys are not looked at
        for table, row in ADDED.items():
            session.execute(f"INSERT INTO {table} {row}")
        session.execute("SET LOCAL session_replication_role = origin")
        for table in APPEND_ONLY:
            assert session.execute(f"SELECT count(*) FROM {table}").fetchone()[0] > 0, table
        yield session


@pytest.mark.parametrize("account", ACCOUNTS)
def test_the_accounts_have_no_right_to_change_it(session_of, subtests, account):
    with session_of(account) as session:
        for table, verb in product(APPEND_ONLY, VERBS):
            with (
                subtests.test(f"{table}, {verb}"),
                rolled_back(session),
                pytest.raises(InsufficientPrivilege),
            ):
                written(session, table, verb)


@pytest.mark.parametrize("mode", ["origin", "replica"])
def test_the_trigger_refuses_even_the_owner_in_any_mode(owner, subtests, mode):
    refusal = pytest.raises(RestrictViolation, match=r"append-only|published figures|is frozen|never change")
    owner.execute(f"SET LOCAL session_replication_role = {mode}")
    for table, verb in product(APPEND_ONLY, VERBS):
        with subtests.test(f"{table}, {verb}"), rolled_back(owner), refusal:
            written(owner, table, verb)


def test_twin_without_the_triggers_the_owner_could(owner, subtests):
    for other_table in (*APPEND_ONLY, "reporting_report", "titles_titleapplication"):
        owner.execute(f"ALTER TABLE {other_table} DISABLE TRIGGER ALL")  # the keys of others too, for DELETE
    for table in APPEND_ONLY:
        with rolled_back(owner):
            drop_keys(owner, table)
            for verb in VERBS:
                with subtests.test(f"{table}, {verb}"), rolled_back(owner):
                    assert written(owner, table, verb) > 0


def drop_keys(owner: psycopg.Connection, table: str) -> None:
    """The keys that point at the table, and its own that allow a value once."""
    for (constraint, holder) in owner.execute(
        "SELECT conname, conrelid::regclass::text FROM pg_constraint WHERE contype = 'f'"
        " AND confrelid = %s::regclass", [table]
    ).fetchall():  # fmt: skip
        owner.execute(f"ALTER TABLE {holder} DROP CONSTRAINT {constraint}")
    for (constraint,) in owner.execute(
        "SELECT conname FROM pg_constraint WHERE contype = 'u' AND conrelid = %s::regclass", [table]
    ).fetchall():
        owner.execute(f"ALTER TABLE {table} DROP CONSTRAINT {constraint}")


def new_account(session: psycopg.Connection, *, is_active: bool) -> int:
    return session.execute(
        "INSERT INTO reporting_user (email, name, password, is_active, acts_by_command)"
        " VALUES ('rina@log.example', 'Rina', '!', %s, false) RETURNING id",
        [is_active],
    ).fetchone()[0]


def add_act(session: psycopg.Connection, actor: int, by_command: str = "false", at: str = "default") -> int:
    return session.execute(
        "INSERT INTO reporting_logentry (actor_id, action, subject, before, after, reason, by_command, at)"
        f" VALUES (%s, 'request.send', 'y', '{{}}', '{{}}', '', {by_command}, {at})",
        [actor],
    ).rowcount


@pytest.mark.parametrize("account", ACCOUNTS)
def test_the_log_can_be_added_to(session_of, account):
    with session_of(account) as session:
        assert add_act(session, new_account(session, is_active=True)) == 1
        assert add_act(session, account_of(session, "visitor@office.invalid")) == 1


def account_of(session: psycopg.Connection, email: str) -> int:
    return session.execute("SELECT id FROM reporting_user WHERE email = %s", [email]).fetchone()[0]


def test_the_web_adds_no_act_of_commands_of_closed_accounts_or_of_another_moment(session_of, subtests):
    with session_of("app_web") as session:
        officer = account_of(session, "officer@office.invalid")
        opened = new_account(session, is_active=True)
        for wrong, arguments in {
            "a command's account": (officer,),
            "by command": (opened, "true"),
            "backdated": (opened, "false", "now() - interval '1 hour'"),
            "to come": (opened, "false", "now() + interval '1 hour'"),
        }.items():
            with subtests.test(wrong), rolled_back(session), pytest.raises(RestrictViolation):
                add_act(session, *arguments)
        session.execute("UPDATE reporting_user SET is_active = false WHERE id = %s", [opened])
        with pytest.raises(RestrictViolation):
            add_act(session, opened)


def test_twin_the_worker_adds_acts_of_commands(session_of):
    with session_of("app_worker") as session:
        assert add_act(session, account_of(session, "officer@office.invalid"), "true") == 1


@pytest.mark.parametrize(("account", "begins"), [("app_web", False), ("app_worker", True)])
def test_the_web_begins_no_report_of_a_command(session_of, account, begins):
    begin = "INSERT INTO reporting_report (state, submitted_by_id, admitted_reason) VALUES ('draft', %s, '')"
    with session_of(account) as session:
        assert session.execute(begin, [new_account(session, is_active=True)]).rowcount == 1
        if begins:
            assert session.execute(begin, [account_of(session, "importer@office.invalid")]).rowcount == 1
        else:
            with pytest.raises(RestrictViolation):
                session.execute(begin, [account_of(session, "importer@office.invalid")])


# --- a published list's row

NEWEST = "(SELECT id FROM ratings_ratinglist WHERE state = 'published' ORDER BY in_force DESC LIMIT 1)"
CHANGES_OF_A_PUBLISHED_LIST = {
    "its digest": "UPDATE ratings_ratinglist SET sha256 = repeat('0', 64) WHERE id = {newest}",
    "its state": "UPDATE ratings_ratinglist SET state = 'superseded' WHERE id = {newest}",
    "back to approved": "UPDATE ratings_ratinglist SET state = 'approved' WHERE id = {newest}",
    "its date": "UPDATE ratings_ratinglist SET in_force = in_force + 1 WHERE id = {newest}",
    "its signature": "UPDATE ratings_ratinglist SET approved_by_id = published_by_id WHERE id = {newest}",
    "its predecessor": "UPDATE ratings_ratinglist SET previous_sha256 = '' WHERE id = {newest}",
    "its number of players": "UPDATE ratings_ratinglist SET players = players + 1 WHERE id = {newest}",
    "nothing really": "UPDATE ratings_ratinglist SET id = id WHERE id = {newest}",
    "all lists": "UPDATE ratings_ratinglist SET by_command = NOT by_command",
}
SIGNATURES = {"list_approved_by_someone", "list_published_with_two_signatures"}
SIGNED = ("its digest", "its signature")  # these a constraint refuses too


@pytest.mark.parametrize("account", [*ACCOUNTS, "postgres"])
def test_a_published_list_s_row_never_changes(session_of, subtests, account):
    refusal = pytest.raises(RestrictViolation, match="a published list never changes")
    with session_of(account) as session:
        for change, statement in CHANGES_OF_A_PUBLISHED_LIST.items():
            with subtests.test(change), rolled_back(session), refusal:
                session.execute(statement.format(newest=NEWEST))


def test_twin_without_its_guard_a_published_list_s_row_would_change(session_of, subtests):
    with session_of("postgres") as owner:
        owner.execute("ALTER TABLE ratings_ratinglist DISABLE TRIGGER USER")
        for change, statement in CHANGES_OF_A_PUBLISHED_LIST.items():
            if change not in SIGNED:
                with subtests.test(change), rolled_back(owner):
                    assert owner.execute(statement.format(newest=NEWEST)).rowcount > 0


@pytest.mark.parametrize("change", SIGNED)
def test_without_its_guard_a_list_not_signed_as_it_stands_is_still_refused(session_of, change):
    with session_of("postgres") as owner:
        owner.execute("ALTER TABLE ratings_ratinglist DISABLE TRIGGER USER")
        with pytest.raises(CheckViolation) as refused:
            owner.execute(CHANGES_OF_A_PUBLISHED_LIST[change].format(newest=NEWEST))
        assert refused.value.diag.constraint_name in SIGNATURES


@pytest.mark.parametrize("verb", ["DELETE FROM ratings_ratinglist", "TRUNCATE ratings_ratinglist CASCADE"])
def test_no_list_is_deleted(session_of, verb):
    for account in ACCOUNTS:
        with session_of(account) as session, pytest.raises(InsufficientPrivilege):
            session.execute(verb)
    with session_of("postgres") as owner, pytest.raises(RestrictViolation):
        owner.execute(verb)


def test_a_list_with_rows_is_not_deleted_even_without_its_guard(session_of):
    with session_of("postgres") as owner:
        owner.execute("ALTER TABLE ratings_ratinglist DISABLE TRIGGER USER")
        with pytest.raises(ForeignKeyViolation):
            owner.execute(
                f"DELETE FROM ratings_ratinglist WHERE id = {NEWEST}; SET CONSTRAINTS ALL IMMEDIATE"
            )


# --- becoming published

DIGEST, OTHER = "1" * 64, "2" * 64


def people(session: psycopg.Connection) -> tuple[int, int]:
    found = session.execute(
        "SELECT email, id FROM reporting_user WHERE email IN ('officer@office.invalid', 'releaser@office.invalid')"
    ).fetchall()
    return dict(found)["officer@office.invalid"], dict(found)["releaser@office.invalid"]


def new_list(session: psycopg.Connection, **values: object) -> int:
    """A list with a digest, of a pool and day that have none; `values` override what it starts with."""
    columns = {
        "pool_id": session.execute("SELECT id FROM ratings_pool WHERE code = 'fmjd-64'").fetchone()[0],
        "system": "fmjd", "in_force": "2030-01-01", "closing": "2029-12-15", "revision": 1, "state": "calculated",
        "is_opening": True,
        "edition": "annex-9-2024-04", "players": 0, "official_players": 0, "federations": [], "tournaments": 0,
        "games": 0,
        "input_sha256": "", "sha256": DIGEST, "previous_sha256": "", "input_lists": [], "other_lists": [],
        "source_lists": [], "merges": [],
        "approved_sha256": "", "published_sha256": "", "by_command": False,
    } | values  # fmt: skip
    if columns["state"] == "approved":
        columns |= {
            "approved_by_id": people(session)[0],
            "approved_at": "2030-01-01",
            "approved_sha256": DIGEST,
        }
    return session.execute(
        f"INSERT INTO ratings_ratinglist ({', '.join(columns)}) VALUES ({', '.join(['%s'] * len(columns))})"
        " RETURNING id",
        list(columns.values()),
    ).fetchone()[0]


def signed(session: psycopg.Connection, **instead: object) -> dict[str, object]:
    officer, releaser = people(session)
    return {
        "state": "published", "approved_by_id": officer, "approved_at": "2030-01-01T00:00Z",
        "approved_sha256": DIGEST, "published_by_id": releaser, "published_sha256": DIGEST,
        "published_at": "2030-01-01T00:00Z",
    } | instead  # fmt: skip


def change_list(session: psycopg.Connection, number: int, **values: object) -> int:
    return session.execute(
        f"UPDATE ratings_ratinglist SET {', '.join(f'{name} = %s' for name in values)} WHERE id = %s",
        [*values.values(), number],
    ).rowcount


@pytest.mark.parametrize("account", ACCOUNTS)
@pytest.mark.parametrize("state", ["calculated", "norms_searched", "ready", "superseded"])
def test_only_an_approved_list_is_published_whatever_the_signatures(session_of, account, state):
    with session_of(account) as session:
        number = new_list(session, state=state)
        with pytest.raises(RestrictViolation, match="only an approved list can be published"):
            change_list(session, number, **signed(session))


@pytest.mark.parametrize("account", ACCOUNTS)
def test_no_list_is_born_published(session_of, account):
    with session_of(account) as session, pytest.raises(RestrictViolation, match="only an approved list"):
        new_list(session, **signed(session))


MISSING = {
    "no approver": {"approved_by_id": None},
    "no publisher": {"published_by_id": None},
    "no signature": {"approved_by_id": None, "published_by_id": None},
    "no instant": {"published_at": None},
    "approved with another digest": {"approved_sha256": OTHER},
    "released with another digest": {"published_sha256": OTHER},
    "both with another digest": {"approved_sha256": OTHER, "published_sha256": OTHER},
    "approved with no digest": {"approved_sha256": ""},
}


@pytest.mark.parametrize("account", ACCOUNTS)
def test_a_list_is_published_with_two_different_signatures_or_not_at_all(session_of, subtests, account):
    with session_of(account) as session:
        officer, releaser = people(session)
        one_person = {
            "the releaser is the approver": {"published_by_id": officer},
            "the approver is the releaser": {"approved_by_id": releaser},
        }
        number = new_list(session, state="approved")
        for lack, instead in (MISSING | one_person).items():
            with subtests.test(lack), rolled_back(session):
                with pytest.raises(CheckViolation) as refused:
                    change_list(session, number, **signed(session, **instead))
                assert refused.value.diag.constraint_name in SIGNATURES


@pytest.mark.parametrize("account", ACCOUNTS)
def test_twin_with_two_signatures_under_its_digest_it_is_published_once(session_of, account):
    with session_of(account) as session:
        first, second = new_list(session, state="approved"), new_list(session, state="approved")
        assert change_list(session, first, **signed(session)) == 1
        with pytest.raises(UniqueViolation) as refused:  # the same pool, day and revision
            change_list(session, second, **signed(session))
        assert refused.value.diag.constraint_name == "list_revision_published_once"


# --- drafts

FIGURES = {
    "sha256": OTHER, "previous_sha256": OTHER, "input_sha256": OTHER, "edition": "another",
    "in_force": "2030-04-01", "closing": "2030-03-15", "previous_id": NEWEST,
    "pool_id": "(SELECT id FROM ratings_pool WHERE code = 'fmjd-100')",
    "period_id": "(SELECT max(id) FROM ratings_period)",
    "revision": "0", "correction_id": "7", "input_lists": "{1}", "merges": "{1}",
}  # fmt: skip


@pytest.mark.parametrize("account", [*ACCOUNTS, "postgres"])
@pytest.mark.parametrize("state", ["calculated", "norms_searched", "ready", "approved", "superseded"])
def test_a_draft_s_figures_never_change(session_of, subtests, account, state):
    with session_of(account) as session:
        number = new_list(session, state=state)
        refusal = pytest.raises(
            RestrictViolation, match=r"the figures of a draft never change|is append-only"
        )
        for column, value in FIGURES.items():
            written = value if value.startswith("(") else f"'{value}'"
            with subtests.test(column), rolled_back(session), refusal:
                session.execute(f"UPDATE ratings_ratinglist SET {column} = {written} WHERE id = {number}")
        # The twin: what is no figure of it may change, as its state does.
        assert change_list(session, number, by_command=True) == 1


def test_a_draft_gets_its_digest_once(session_of):
    with session_of("app_worker") as worker:
        number = new_list(worker, sha256="")
        assert change_list(worker, number, sha256=DIGEST) == 1
        with pytest.raises(RestrictViolation), worker.transaction():
            change_list(worker, number, sha256=OTHER)
        with pytest.raises(RestrictViolation):
            change_list(worker, number, sha256="")


@pytest.mark.parametrize("account", ACCOUNTS)
@pytest.mark.parametrize(
    "action",
    [
        "INSERT INTO django_migrations (app, name, applied) VALUES ('reporting', '9999_another', now())",
        "UPDATE django_migrations SET name = 'another'",
        "DELETE FROM django_migrations",
        "TRUNCATE django_migrations",
    ],
)
def test_what_was_migrated_is_the_owner_s_to_say(session_of, account, action):
    with session_of(account) as session:
        assert session.execute("SELECT count(*) FROM django_migrations").fetchone()[0] > 20
        with pytest.raises(InsufficientPrivilege):
            session.execute(action)


@pytest.mark.django_db
@pytest.mark.database_role("owner")
def test_tables_of_before_the_initial_migrations_are_not_migrated():
    MigrationRecorder(connection).record_applied("reporting", "0002_database_roles")
    with pytest.raises(CommandError, match="earlier state of the program"):
        call_command("migrate", verbosity=0)


@pytest.mark.parametrize("account", [*ACCOUNTS, "postgres"])
def test_a_report_keeps_its_submitter(session_of, account):
    """Who made a report does not decide about it: to change that afterwards would be to decide about one's own."""
    with session_of(account) as session:
        assert session.execute("UPDATE reporting_report SET submitted_by_id = submitted_by_id").rowcount > 0
        with pytest.raises(RestrictViolation):
            session.execute(
                "UPDATE reporting_report SET submitted_by_id ="
                " (SELECT max(id) FROM reporting_user WHERE id <> submitted_by_id)"
            )
