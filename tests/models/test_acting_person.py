"""The web writes rows only in the name of the person who acts, whatever SQL it sends."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.conf import settings
from django.db import IntegrityError, connection, models, transaction
from psycopg.errors import InsufficientPrivilege, RestrictViolation

from ratings.models import AnomalyAnswer, CalculationRun, Correction
from reporting.log.acting_person import LIFETIME_SECONDS, Proof, acting_key, signed, write_acting_key
from reporting.models import LogEntry, Role, User
from tests.models import rows
from tests.models.sealed import ACCOUNTS, rolled_back

SET = "SELECT set_config('office.acting_person', %s, true)"
REFUSAL = r"only (in the name of the person|while a person) who acts|only while a person acts"


def proof_of(person: int, backend_pid: int, *, seconds: int = LIFETIME_SECONDS) -> str:
    return signed(Proof(person, int(time.time()) + seconds), backend_pid)


# --- every column that says by whom: raw SQL as the web, with the proof of Rita, in the name of Olga


def in_a_copy(table: str, column: str, **others: str) -> str:
    """Adds a copy of a row with another number and another name; `others` are SQL that keeps the copy apart."""
    values = {"id": "id + 1000000", column: "%(person)s"} | others
    changed = ", ".join(f"'{name}', {value}" for name, value in values.items())
    return (
        f"INSERT INTO {table} SELECT (jsonb_populate_record(one, jsonb_build_object({changed}))).*"
        f" FROM {table} one WHERE id = %(row)s"
    )


def in_place(table: str, column: str, **others: str) -> str:
    changed = ", ".join(f"{name} = {value}" for name, value in ({column: "%(person)s"} | others).items())
    return f"UPDATE {table} SET {changed} WHERE id = %(row)s"


def log_entry() -> LogEntry:
    return LogEntry.objects.create(actor=rows.user(), action="report.accept", subject="report 7")


def anomaly_answer() -> AnomalyAnswer:
    return AnomalyAnswer.objects.create(anomaly=rows.anomaly(player=rows.player()), text="x", by=rows.user())


def calculation_run() -> CalculationRun:
    run = rows.run(period=rows.period(**rows.frozen()))
    rows.next_period()  # for the copy: a period has one run that is requested
    return run


def correction() -> Correction:
    asked = rows.correction()
    rows.rating_list(state="superseded")  # for the copy: a list is corrected once
    return asked


LAST_PLAYER = "(SELECT max(id) FROM reporting_player)"
LAST_LIST = "(SELECT max(id) FROM ratings_ratinglist)"
LAST_PERIOD = "(SELECT max(id) FROM ratings_period)"
LAST_USER = "(SELECT max(id) FROM reporting_user)"
PUBLISHED = {"state": "'published'", "published_sha256": "sha256", "published_at": "statement_timestamp()"}
FROZEN = {"state": "'frozen'", "frozen_at": "statement_timestamp()"}
UNDONE = {"undone_at": "now()", "undone_reason": "'no'"}

# A row, and the statement that writes a name into it or into a copy.
WRITTEN: dict[str, tuple[Callable[[], models.Model], str]] = {
    "act": (log_entry, in_a_copy("reporting_logentry", "actor_id", at="statement_timestamp()")),
    "announcement": (rows.announcement, in_a_copy("reporting_tournament", "announced_by_id", code="NULL")),
    "report": (rows.report, in_a_copy("reporting_report", "submitted_by_id")),
    "version": (rows.version, in_a_copy("reporting_reportversion", "created_by_id", number="2")),
    "comment": (
        lambda: rows.answer(version=rows.version()),
        in_a_copy("reporting_warningcomment", "by_id", finding="9"),
    ),
    "look-alike": (
        rows.look_alike_decision,
        in_a_copy(
            "reporting_lookalikedecision",
            "by_id",
            tournament_code="(SELECT max(code) FROM reporting_tournament)",
        ),
    ),
    "decision on a tournament": (
        rows.tournament_decision,
        in_a_copy("reporting_tournamentdecision", "by_id"),
    ),
    "remark": (rows.remark, in_a_copy("reporting_reviewremark", "by_id")),
    "step of a report": (
        lambda: rows.step(version=rows.version(), move="submit"),
        in_a_copy("reporting_reportstep", "by_id"),
    ),
    "note": (rows.note, in_a_copy("reporting_reportnote", "by_id")),
    "merge": (rows.merge, in_a_copy("reporting_playermerge", "merged_by_id", duplicate_id=LAST_PLAYER)),
    "merge undone": (rows.merge, in_place("reporting_playermerge", "undone_by_id", **UNDONE)),
    "request taken": (rows.asked, in_place("reporting_correctionrequest", "taken_by_id", state="'taken'")),
    "answer to a request": (rows.said, in_a_copy("reporting_requestentry", "by_id")),
    "invitation": (rows.invitation, in_a_copy("reporting_invitation", "invited_by_id", account_id=LAST_USER)),
    "named official": (rows.named_official, in_a_copy("reporting_namedofficial", "account_id")),
    "token": (
        rows.api_token,
        in_a_copy("reporting_apitoken", "account_id", name="'y'", **{"secret_sha256": "repeat('1', 64)"}),
    ),
    "token revoked": (rows.api_token, in_place("reporting_apitoken", "revoked_by_id", revoked_at="now()")),
    "answer to a program": (rows.api_answer, in_a_copy("reporting_apianswer", "account_id", key="'y'")),
    "freeze": (rows.period, in_place("ratings_period", "frozen_by_id", **FROZEN)),
    "past quarters": (rows.past_quarters, in_a_copy("ratings_pastquarters", "confirmed_by_id")),
    "values of a list": (
        rows.list_values,
        in_a_copy("ratings_listvalues", "set_by_id", in_force="'2030-01-01'"),
    ),
    "correction": (correction, in_a_copy("ratings_correction", "requested_by_id", replaces_id=LAST_LIST)),
    "calculation": (
        calculation_run,
        in_a_copy("ratings_calculationrun", "requested_by_id", period_id=LAST_PERIOD),
    ),
    "answer to an anomaly": (anomaly_answer, in_a_copy("ratings_anomalyanswer", "by_id")),
    "approval": (
        lambda: rows.rating_list(state="ready"),
        in_place(
            "ratings_ratinglist", "approved_by_id", state="'approved'", approved_sha256="sha256",
            approved_at="statement_timestamp()",
        ),
    ),
    "publication": (rows.approved_list, in_place("ratings_ratinglist", "published_by_id", **PUBLISHED)),
}  # fmt: skip


@contextmanager
def tried() -> Iterator[Any]:
    """A cursor as the web, in a savepoint that is rolled back."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET SESSION AUTHORIZATION app_web")
        try:
            yield cursor
        finally:
            transaction.set_rollback(True)


@pytest.mark.django_db
@pytest.mark.database_role("owner")
@pytest.mark.parametrize("what", WRITTEN)
def test_no_row_is_written_in_the_name_of_another_person(what):
    make, statement = WRITTEN[what]
    row = make()
    rows.tournament(), rows.player()  # for the copies
    rita, olga = rows.user(), rows.user()
    with connection.cursor() as cursor:  # those of the pages that write such rows
        cursor.execute("SELECT give_roles_in_a_test(%s, %s::text[])", [rita.pk, list(Role)])
    table = row._meta.db_table
    proof = proof_of(rita.pk, connection.connection.info.backend_pid)

    def write(person: User, *, proven: str) -> None:
        with tried() as cursor:
            cursor.execute(SET, [proven])
            cursor.execute(statement, {"person": person.pk, "row": row.pk})
            assert cursor.rowcount == 1

    for person, proven in ((olga, proof), (rita, ""), (rita, proof[:-1] + "x")):
        with pytest.raises(IntegrityError, match=REFUSAL):
            write(person, proven=proven)
    write(rita, proven=proof)
    with connection.cursor() as cursor:  # the twin: it is this trigger alone that refuses
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER {table}_proven")
    write(olga, proven=proof)


# Accounts that a row is about, not by whom it is.
NOT_BY_WHOM = {
    "reporting_roleassignment.account_id",
    "reporting_invitation.account_id",
    "reporting_message.recipient_id",
    "reporting_mailoptout.account_id",  # also by the link in a mail, without log-in
    "reporting_securityevent.account_id",  # it has a trigger of its own, below
    "account_emailaddress.user_id",
    "mfa_authenticator.user_id",
    "reporting_accountsession.account_id",
}


@pytest.mark.django_db
def test_every_column_that_names_an_account_is_bound_or_is_not_by_whom():
    named = {
        f"{model._meta.db_table}.{field.column}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.related_model is User
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgrelid::regclass || '.' || unnest(string_to_array(encode(tgargs, 'escape'), '\\000'))"
            " FROM pg_trigger WHERE tgname LIKE '%\\_proven' AND tgenabled = 'A'"
        )
        bound = {name for (name,) in cursor.fetchall() if not name.endswith(".")}
    assert bound == named - NOT_BY_WHOM


# --- the proof


@pytest.fixture
def web(session_of):
    """A connection of the web, bound as it is outside the tests, and two open accounts."""
    with session_of("app_web", bound=True) as session:
        yield session, new_account(session, "rita"), new_account(session, "olga")


def new_account(session: psycopg.Connection, name: str) -> int:
    """An open account, which the web alone does not make."""
    session.execute("SET LOCAL tests.outside_a_request = on")
    made = session.execute(
        "INSERT INTO reporting_user (email, name, password, is_active, acts_by_command)"
        " VALUES (%s, 'Person', '!', true, false) RETURNING id",
        [f"{name}@acting.example"],
    ).fetchone()[0]
    session.execute("SET LOCAL tests.outside_a_request = off")
    return made


def add_act(session: psycopg.Connection, person: int, proof: str, action: str = "report.accept") -> None:
    with rolled_back(session):
        session.execute(SET, [proof])
        session.execute(
            "INSERT INTO reporting_logentry (actor_id, action, subject, before, after, reason, by_command)"
            " VALUES (%s, %s, 'report 7', '{}', '{}', '', false)",
            [person, action],
        )


def test_a_proof_is_of_one_person_connection_and_minute(web, settings):
    session, rita, olga = web
    pid = session.info.backend_pid
    good = proof_of(rita, pid)
    add_act(session, rita, good)
    worthless = {
        "another connection's": proof_of(rita, pid + 1),
        "expired": proof_of(rita, pid, seconds=0),
        "another person's": good.replace(f"{rita}:", f"{olga}:", 1),
        "with a later end": ":".join([*good.split(":")[:2], "9" * 12, good.split(":")[3]]),
        "without its end": good.rpartition(":")[0],
        "with a part more": f"{good}:",
        "no numbers": f"x:y:z:{good.split(':')[3]}",
        "empty": "",
    }
    for proof in worthless.values():
        for person in (rita, olga):
            with pytest.raises(RestrictViolation, match=REFUSAL):
                add_act(session, person, proof)
    settings.SECRET_KEY = "another" * 10
    with pytest.raises(RestrictViolation, match=REFUSAL):
        add_act(session, rita, proof_of(rita, pid))


def test_a_stolen_proof_is_worth_nothing_in_another_connection(session_of):
    """A thief with the password of the web reads the statements of the web's other connections."""
    with session_of("app_web", bound=True) as victim, session_of("app_web", bound=True) as thief:
        rita = new_account(thief, "rita")
        pid = victim.info.backend_pid
        psycopg.ClientCursor(victim).execute(SET, [proof_of(rita, pid)])  # as Django sends it
        (seen,) = thief.execute("SELECT query FROM pg_stat_activity WHERE pid = %s", [pid]).fetchone()
        stolen = re.search(r"'(\d+:\d+:\d+:[0-9a-f]{64})'", seen)[1]
        assert stolen.startswith(f"{rita}:{pid}:")
        with pytest.raises(RestrictViolation, match=REFUSAL):
            add_act(thief, rita, stolen)
        add_act(thief, rita, proof_of(rita, thief.info.backend_pid))  # the twin


def test_a_proof_ends_with_its_transaction(session_of):
    with session_of("app_web", bound=True) as session:
        for end in (session.commit, session.rollback):
            session.execute(SET, [proof_of(1, session.info.backend_pid)])
            end()
            left = session.execute("SELECT current_setting('office.acting_person', true)").fetchone()[0]
            assert not left


def test_visitors_need_no_proof_in_the_log_alone(web):
    session, _, _ = web
    visitor = session.execute(
        "SELECT id FROM reporting_user WHERE email = 'visitor@office.invalid'"
    ).fetchone()[0]
    add_act(session, visitor, "", "request.send")
    with pytest.raises(RestrictViolation, match="acts of open accounts alone"):
        add_act(session, visitor, "", "report.submit")
    with rolled_back(session), pytest.raises(RestrictViolation, match=REFUSAL):
        session.execute("INSERT INTO reporting_tournament (announced_by_id) VALUES (%s)", [visitor])


@pytest.mark.parametrize("account", ["app_worker", "postgres"])
def test_worker_and_owner_are_not_bound(session_of, account):
    with session_of(account, bound=True) as session:
        add_act(session, new_account(session, "rita"), "")


# --- roles and the security log


def test_roles_are_given_in_the_name_of_the_administrator_who_acts(session_of):
    with session_of("app_web", bound=True) as session:
        ada, bo, new = (new_account(session, name) for name in ("ada", "bo", "new"))
        for administrator in (ada, bo):
            session.execute("SELECT give_roles_in_a_test(%s, '{administrator}')", [administrator])

        def call(statement: str, *about: Any, acts: int) -> Any:
            session.execute(SET, [proof_of(acts, session.info.backend_pid)])
            return session.execute(statement, about).fetchone()[0]

        def refused(statement: str, *about: Any, acts: int) -> None:
            with session.transaction(force_rollback=True), pytest.raises(RestrictViolation, match=REFUSAL):
                call(statement, *about, acts=acts)

        give, confirm, end = (
            "SELECT assign_role(%s, 'rating_officer', %s)",
            "SELECT confirm_role(%s, %s)",
            "SELECT end_role(%s, %s)",
        )
        refused(give, new, ada, acts=new)
        assignment = call(give, new, ada, acts=ada)
        refused(confirm, assignment, bo, acts=ada)  # one administrator does not play the other
        call(confirm, assignment, bo, acts=bo)
        refused(end, assignment, ada, acts=new)
        call(end, assignment, ada, acts=ada)


ATTEMPTS = {"password_refused", "code_refused", "token_refused", "too_many"}


def test_what_the_security_log_says_of_a_person_that_person_does_but_for_attempts(web, subtests):
    session, rita, olga = web
    kinds = [kind for kind, _ in apps.get_model("reporting", "SecurityEvent").Kind.choices]
    assert set(kinds) > ATTEMPTS

    def log(kind: str, account: int | None, proof: str) -> None:
        with rolled_back(session):
            session.execute(SET, [proof])
            session.execute(
                "INSERT INTO reporting_securityevent (kind, account_id, email) VALUES (%s, %s, '')",
                [kind, account],
            )

    proof = proof_of(rita, session.info.backend_pid)
    for kind in kinds:
        with subtests.test(kind):
            log(kind, None, "")
            log(kind, rita, proof)
            for account, proven in ((olga, proof), (rita, "")):
                if kind in ATTEMPTS:
                    log(kind, account, proven)
                    continue
                with pytest.raises(RestrictViolation, match=REFUSAL):
                    log(kind, account, proven)


def test_an_administrator_is_logged_to_remove_the_factor_of_another(web):
    session, rita, olga = web
    insert = "INSERT INTO reporting_securityevent (kind, account_id, email) VALUES (%s, %s, '')"
    session.execute("SELECT give_roles_in_a_test(%s, '{administrator}')", [rita])
    session.execute(SET, [proof_of(rita, session.info.backend_pid)])
    session.execute(insert, ["factor_removed", olga])
    with pytest.raises(RestrictViolation, match=REFUSAL):
        session.execute(insert, ["password_changed", olga])


# --- the key


@pytest.mark.parametrize("account", ACCOUNTS)
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM reporting_actingkey", "UPDATE reporting_actingkey SET inner_pad = outer_pad",
        "DELETE FROM reporting_actingkey",
        "INSERT INTO reporting_actingkey (inner_pad, outer_pad) VALUES (decode(repeat('00', 64), 'hex'), '')",
        "TRUNCATE reporting_actingkey", "SELECT acting_person()", "SELECT is_acting(1)",
        "SELECT bind_to_acting_person('reporting_logentry', 'actor_id')",
        "ALTER TABLE reporting_logentry DISABLE TRIGGER reporting_logentry_proven",
        "SET SESSION AUTHORIZATION postgres",
    ],
)  # fmt: skip
def test_the_key_and_the_guard_are_the_owner_s_alone(session_of, account, statement):
    with session_of(account, bound=True) as session, pytest.raises(InsufficientPrivilege):
        session.execute(statement)


@pytest.mark.django_db
@pytest.mark.database_role("owner")
def test_another_secret_key_holds_from_the_next_migration(settings):
    """Rotation: the new key in the settings, then `migrate`, which writes it every time."""
    rita = rows.user()

    def is_known(proof: str) -> bool:
        with connection.cursor() as cursor:
            cursor.execute(SET, [proof])
            cursor.execute("SELECT acting_person()")
            return cursor.fetchone()[0] == rita.pk

    pid = connection.connection.info.backend_pid
    old_key, old = acting_key(), proof_of(rita.pk, pid)
    assert is_known(old)
    settings.SECRET_KEY = "another" * 10
    new = proof_of(rita.pk, pid)
    assert acting_key() != old_key
    assert not is_known(new)
    write_acting_key()
    assert is_known(new)
    assert not is_known(old)


@pytest.mark.django_db
@pytest.mark.database_role("owner")
def test_the_key_in_the_database_is_not_the_secret_key():
    with connection.cursor() as cursor:
        cursor.execute("SELECT inner_pad FROM reporting_actingkey")
        pad = bytes(cursor.fetchone()[0])
    key = bytes(byte ^ 0x36 for byte in pad)[:32]
    assert key == acting_key()
    assert settings.SECRET_KEY.encode()[:32] not in (key, pad[:32])


# --- drafts that are deleted


def new_draft(session: psycopg.Connection, person: int) -> int:
    """A draft of a person with one version, whose columns are those of a stored one."""
    number = session.execute(
        "INSERT INTO reporting_report (state, submitted_by_id, admitted_reason) VALUES ('draft', %s, '') RETURNING id",
        [person],
    ).fetchone()[0]
    session.execute(
        "INSERT INTO reporting_reportversion SELECT (jsonb_populate_record(one, jsonb_build_object("
        " 'id', id + 1000000, 'report_id', %(report)s::bigint, 'number', 1, 'created_by_id', %(person)s::bigint))).*"
        " FROM reporting_reportversion one ORDER BY id LIMIT 1",
        {"report": number, "person": person},
    )
    return number


def versions_of(session: psycopg.Connection, report: int) -> int:
    return session.execute(
        "SELECT count(*) FROM reporting_reportversion WHERE report_id = %s", [report]
    ).fetchone()[0]


def test_a_draft_is_deleted_by_the_person_who_made_it_and_no_other_report_is(web):
    session, rita, olga = web
    pid = session.info.backend_pid
    session.execute(SET, [proof_of(rita, pid)])
    draft = new_draft(session, rita)

    def refused(report: int) -> None:
        with (
            pytest.raises(
                RestrictViolation,
                match=r"not a draft that the person who acts can delete|only while a person acts",
            ),
            session.transaction(),
        ):
            session.execute("SELECT delete_draft(%s)", [report])
        assert versions_of(session, report) >= 1

    for proof in ("", proof_of(olga, pid)):  # no acting person, another one
        with rolled_back(session):
            session.execute(SET, [proof])
            refused(draft)
    with rolled_back(session):  # the log says that it was submitted, whatever the web made of the row since
        session.execute(
            "INSERT INTO reporting_logentry (actor_id, action, subject, before, after, reason, by_command)"
            " VALUES (%s, 'report.submit', %s, '{}', '{}', '', false)",
            [rita, f"report {draft}"],
        )
        refused(draft)
    for change in ("first_submitted_at = now()", "state = 'withdrawn'"):
        with rolled_back(session):
            session.execute(f"UPDATE reporting_report SET {change} WHERE id = %s", [draft])
            refused(draft)
    (submitted, person) = session.execute(
        "SELECT id, submitted_by_id FROM reporting_report WHERE first_submitted_at IS NOT NULL LIMIT 1"
    ).fetchone()
    with rolled_back(session):
        session.execute(SET, [proof_of(person, pid)])
        refused(submitted)
    for table in ("reporting_report", "reporting_reportversion"):
        with pytest.raises(InsufficientPrivilege), session.transaction():
            session.execute(f"DELETE FROM {table} WHERE id = 0")
    with rolled_back(session):  # the office deletes it too, and no report that was submitted
        session.execute("SELECT give_roles_in_a_test(%s, '{rating_officer}')", [olga])
        session.execute(SET, [proof_of(olga, pid)])
        refused(submitted)
        session.execute("SELECT delete_draft(%s)", [draft])
        assert versions_of(session, draft) == 0
    session.execute("SELECT delete_draft(%s)", [draft])
    session.execute("SET CONSTRAINTS ALL IMMEDIATE")  # nothing refers to what is gone
    assert versions_of(session, draft) == 0
    with pytest.raises(RestrictViolation), session.transaction():
        session.execute("SELECT delete_draft(%s)", [draft])
