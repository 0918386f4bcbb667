"""SQL of the web writes what figures, titles and decisions stand on only for a person who acts in a role that may."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import psycopg
import pytest
from psycopg.errors import CheckViolation, InsufficientPrivilege, RestrictViolation

from reporting.models import Role
from tests.models.sealed import rolled_back
from tests.models.test_acting_person import SET, new_account, proof_of
from tests.models.test_append_only import new_list

# Written by the web without a person of a role, or in the name of its person alone. What follows for an attacker is in
# docs/decisions/0034-the-database-knows-who-acts.md, "What this does not prevent".
NOT_BY_ROLE = {
    "account_emailaddress": "the account itself, by a link",
    "account_emailconfirmation": "the same",
    "mfa_authenticator": "the account itself",
    "reporting_accountsession": "visitors have one too",
    "reporting_user": "a log-in; opened, closed and moved by guard_account",
    "reporting_securityevent": "attempts, before it is known whose",
    "reporting_logentry": "visitors too, in the name of their account",
    "reporting_message": "visitors too: a link by mail",
    "reporting_mailoptout": "by the link in a mail",
    "reporting_namedofficial": "in its own name alone",
    "reporting_apianswer": "in its own name alone",
    "reporting_apitoken": "the same; the day of its use is written before it is known whose it is",
    "ratings_webhook": "in its own name alone",
    "ratings_webhookdelivery": "a test, or deleted with its webhook; what is sent is public",
    "reporting_correctionrequest": "visitors",
    "reporting_requestentry": "visitors",
}


def test_each_table_that_the_web_writes_is_bound_to_roles_or_says_why_not(session_of):
    with session_of("postgres") as owner:
        written = owner.execute(
            "SELECT c.relname, EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgenabled = 'A'"
            " AND t.tgname = c.relname || '_by_role') FROM pg_class c"
            " WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition"
            " AND (has_table_privilege('app_web', c.oid, 'INSERT, DELETE')"
            " OR has_any_column_privilege('app_web', c.oid, 'UPDATE'))"
        ).fetchall()
    free = {name for name, is_bound in written if not is_bound}
    assert free == NOT_BY_ROLE.keys() | {"ratings_pool"}  # whose updates are refused, below
    assert len(written) > 40


@pytest.fixture
def web(session_of):
    """A session of the web, bound as it is outside the tests; `acts(roles)` lets a new person act in them."""
    with session_of("app_web", bound=True) as session:
        numbers = iter(range(100))
        prepare(session)

        def acts(*roles: Role) -> int:
            person = new_account(session, f"person{next(numbers)}")
            session.execute("SELECT give_roles_in_a_test(%s, %s::text[])", [person, list(roles)])
            session.execute(SET, [proof_of(person, session.info.backend_pid)])
            return person

        yield session, acts


def prepare(session: psycopg.Connection) -> None:
    """What the season has none of: an open period, a draft, a closed account of a federation, an application."""
    session.execute("SET LOCAL tests.outside_a_request = on")
    new_list(session, state="ready")
    for statement in (
        "INSERT INTO ratings_period (pool_id, closing, in_force, played_since, played_before, freezes_at, state,"
        " freeze_reason) SELECT id, '2030-03-15', '2030-04-01', '2029-12-16', '2030-03-16', '2030-03-23', 'open', ''"
        " FROM ratings_pool WHERE code = 'fmjd-64'",
        "INSERT INTO reporting_user (email, name, password, is_active, acts_by_command, federation_id)"
        " VALUES ('closed@acting.example', 'Person', '!', false, false, 'FRA')",
        "INSERT INTO reporting_playeridentity (player_id, register, number) SELECT max(id), 'national', '7'"
        " FROM reporting_player",
        "INSERT INTO titles_titleapplication (player_id, federation_id, awarded_by, discipline, title, basis, evidence,"
        " state, submitted_by_id) SELECT p.id, p.federation_id, 'fmjd', '100', 'GMI', 'norms', '{}', 'paid', u.id"
        " FROM reporting_player p, reporting_user u ORDER BY p.id DESC, u.id LIMIT 1",
        'INSERT INTO titles_applicationstep (application_id, move, state, "on", reference, reason, by_id)'
        " SELECT id, 'submit', 'paid', current_date, '', '', submitted_by_id FROM titles_titleapplication"
        " ORDER BY id DESC LIMIT 1",
    ):
        assert session.execute(statement).rowcount == 1
    session.execute("SET LOCAL tests.outside_a_request = off")


def no_one_acts(session: psycopg.Connection) -> None:
    session.execute("SELECT set_config('office.acting_person', '', true)")


CHECKED = "SET CONSTRAINTS ALL IMMEDIATE"  # what is deferred to the end of the transaction
DRAFT = "(SELECT id FROM ratings_ratinglist WHERE state IN ('calculated', 'norms_searched', 'ready') LIMIT 1)"
ACCEPTED = (
    "(SELECT id FROM reporting_report WHERE state = 'accepted' AND result_set_id NOT IN"
    " (SELECT result_set_id FROM ratings_periodreport) LIMIT 1)"
)
OPEN = "(SELECT id FROM ratings_period WHERE state = 'open' LIMIT 1)"
UNCOUNTED = f"(SELECT result_set_id FROM reporting_report WHERE id = {ACCEPTED})"
ATTACKS = {
    "a list approved": f"UPDATE ratings_ratinglist SET state = 'approved' WHERE id = {DRAFT}",
    "a list thrown away": f"UPDATE ratings_ratinglist SET state = 'superseded' WHERE id = {DRAFT}",
    "a freeze day moved": f"UPDATE ratings_period SET freezes_at = freezes_at + interval '1 day' WHERE id = {OPEN}",
    "a game changed": f"UPDATE reporting_game SET white_points = 1, black_points = 1 WHERE result_set_id = {UNCOUNTED}",
    "games deleted": f"DELETE FROM reporting_game WHERE result_set_id = {UNCOUNTED}",
    "a player exchanged": "UPDATE reporting_entry SET player_id = (SELECT min(id) FROM reporting_player)"
    f" WHERE result_set_id = {UNCOUNTED}",
    "a player given": "UPDATE reporting_entry SET player_id = (SELECT min(id) FROM reporting_player)"
    " WHERE result_set_id IN (SELECT result_set_id FROM reporting_report WHERE state = 'submitted')",
    "a tournament made official": f"UPDATE reporting_resultset SET official = true WHERE id = {UNCOUNTED}",
    "a detail of one federation": "UPDATE fmjd_reports_resultsetdetails SET council_approved = true"
    f" WHERE result_set_id = {UNCOUNTED}",
    "a report returned": "UPDATE reporting_report SET state = 'returned', accepted_version_id = NULL"
    f" WHERE id = {ACCEPTED}",
    "a report admitted": "UPDATE reporting_report SET admitted_reason = 'x' WHERE state = 'submitted'",
    "a player moved": "UPDATE reporting_player SET birth_year = 1990 WHERE id = (SELECT max(id) FROM reporting_player)",
    "a title": "INSERT INTO reporting_playertitle (player_id, awarded_by, discipline, title, ladder)"
    " SELECT max(id), 'fmjd', '100', 'GMI', '' FROM reporting_player",
    "a number": "DELETE FROM reporting_playeridentity WHERE register = 'national'",
    "a calculation given up": "UPDATE ratings_calculationrun SET state = 'failed'",
    "histories deleted": "DELETE FROM ratings_playerhistory",
    "an application": "UPDATE titles_titleapplication SET state = 'approved' WHERE state = 'paid'",
    "an account reopened": "UPDATE reporting_user SET is_active = true WHERE NOT is_active",
    "a federation changed": "UPDATE reporting_user SET federation_id = 'NED' WHERE federation_id <> 'NED'",
    "a new account": "INSERT INTO reporting_user (email, name, password, is_active, acts_by_command)"
    " VALUES ('eve@acting.example', 'Eve', '!', true, false)",
    "an account of commands": "UPDATE reporting_user SET acts_by_command = false WHERE acts_by_command",
    "a pool": "UPDATE ratings_pool SET name = 'x'",
}


# What refuses a referee where the table is bound to any person; for the last ones also SQL without a person.
REFUSED_OTHERWISE = {
    "a game changed": "reporting_game of an accepted report",
    "games deleted": "reporting_game of an accepted report",
    "a player exchanged": "reporting_entry of an accepted report",
    "a player given": "the office says who a line is",
    "a tournament made official": "reporting_resultset of an accepted report",
    "a detail of one federation": "fmjd_reports_resultsetdetails of an accepted report",
    "a report returned": "a report is accepted and admitted by the office",
    "a report admitted": "a report is accepted and admitted by the office",
    "an account reopened": "an account is opened, closed and moved by its owner or an administrator",
    "a federation changed": "an account is opened, closed and moved by its owner or an administrator",
    "a new account": "an account begins closed",
    "an account of commands": "reporting_user is append-only",
    "a pool": "ratings_pool",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_sql_without_a_person_and_of_a_referee_is_refused(web, attack):
    session, acts = web
    table = re.search(r"(?:UPDATE|INTO|FROM) (\w+)", ATTACKS[attack])[1]
    without_role = f"the web writes {table} only while a person acts who may"
    otherwise = REFUSED_OTHERWISE.get(attack, without_role)
    is_free = table in (*NOT_BY_ROLE, "ratings_pool")
    no_one_acts(session)
    with refused(session, otherwise if is_free else without_role):
        session.execute(ATTACKS[attack])
    acts(Role.REFEREE)
    with refused(session, otherwise):
        session.execute(ATTACKS[attack])


@pytest.mark.parametrize("attack", ATTACKS)
def test_twin_the_database_without_these_triggers_lets_it_through(session_of, attack):
    with session_of("postgres") as owner:
        prepare(owner)
        owner.execute(CHECKED)
        for name, table in owner.execute(
            "SELECT tgname, tgrelid::regclass::text FROM pg_trigger WHERE tgenabled = 'A' AND tgparentid = 0"
        ).fetchall():
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER {name}")
        owner.execute("ALTER TABLE ratings_ratinglist DROP CONSTRAINT list_approved_by_someone")
        assert owner.execute(ATTACKS[attack]).rowcount > 0


@contextmanager
def refused(session: psycopg.Connection, match: str) -> Iterator[None]:
    with pytest.raises((RestrictViolation, CheckViolation), match=match), session.transaction():
        yield


SIGN = (
    "UPDATE ratings_ratinglist SET state = 'approved', approved_by_id = %s, approved_at = '2020-01-01',"
    " approved_sha256 = sha256 WHERE id = %s"
)


def test_an_officer_approves_in_their_own_name_or_not_at_all(web):
    session, acts = web
    acts(Role.RATING_OFFICER)
    draft = session.execute(f"SELECT {DRAFT}").fetchone()[0]
    with refused(session, "list_approved_by_someone"):
        session.execute("UPDATE ratings_ratinglist SET state = 'approved' WHERE id = %s", [draft])
    for role in (Role.RELEASING_OFFICER, Role.TITLE_COUNCIL):
        with refused(session, "a rating officer without a part"):
            session.execute(SIGN, [acts(role), draft])
    with rolled_back(session):  # the twin; the moment is that of the statement
        session.execute(SIGN, [acts(Role.RATING_OFFICER), draft])
        at = session.execute(
            "SELECT approved_at = statement_timestamp() OR approved_at > now() - interval '1 minute'"
            " FROM ratings_ratinglist WHERE id = %s", [draft]
        ).fetchone()[0]  # fmt: skip
        assert at


def test_an_officer_does_not_approve_the_opening_list_that_they_uploaded(web):
    """Nor after it is said to be of another person; the twin is another officer, and below the database without it."""
    session, acts = web
    officer = acts(Role.RATING_OFFICER)
    session.execute("SET LOCAL tests.outside_a_request = on")
    uploaded = new_list(session, state="ready", in_force="2030-04-01", imported_by_id=officer)
    session.execute("SET LOCAL tests.outside_a_request = off")
    with refused(session, "list_approved_by_another_than_its_importer"):
        session.execute(SIGN, [officer, uploaded])
    for instead in (None, acts(Role.ADMINISTRATOR)):
        acts(Role.RATING_OFFICER)
        with refused(session, "refused"):
            session.execute(
                "UPDATE ratings_ratinglist SET imported_by_id = %s WHERE id = %s", [instead, uploaded]
            )
    session.execute(SIGN, [acts(Role.RATING_OFFICER), uploaded])


def test_twin_without_the_constraint_the_list_is_approved_by_who_uploaded_it(session_of):
    with session_of("postgres") as owner:
        officer = new_account(owner, "officer")
        uploaded = new_list(owner, state="ready", imported_by_id=officer)
        owner.execute(CHECKED)
        owner.execute(
            "ALTER TABLE ratings_ratinglist DROP CONSTRAINT list_approved_by_another_than_its_importer"
        )
        assert owner.execute(SIGN, [officer, uploaded]).rowcount == 1


def test_an_administrator_discards_no_other_draft_and_writes_nothing_else(web):
    """What is let through, the draft of an opening list, is in tests/pages/office/test_opening_list.py."""
    session, acts = web
    (opening,) = session.execute(f"SELECT {DRAFT}").fetchone()
    (period,) = session.execute(f"SELECT {OPEN}").fetchone()
    session.execute("SET LOCAL tests.outside_a_request = on")
    days = {"in_force": "2030-04-01", "closing": "2030-03-15"}
    draft = new_list(session, state="ready", is_opening=False, period_id=period, **days)
    session.execute("SET LOCAL tests.outside_a_request = off")
    acts(Role.ADMINISTRATOR)
    for number, change in (
        (draft, "state = 'superseded'"),
        (opening, "state = 'calculated'"),
        (opening, "state = 'superseded', by_command = true"),
    ):
        with refused(session, "an administrator only discards"):
            session.execute(f"UPDATE ratings_ratinglist SET {change} WHERE id = %s", [number])


def test_a_period_goes_its_way_and_stays_as_it_was_frozen(web):
    session, acts = web
    acts(Role.RATING_OFFICER)
    for change in (
        "state = 'open'",
        "freezes_at = freezes_at + interval '1 day'",
        "frozen_at = now()",
        "closing = closing + 1",
    ):
        with refused(session, "a frozen period stays|does not go from"):
            session.execute(
                f"UPDATE ratings_period SET {change}"
                " WHERE id = (SELECT min(id) FROM ratings_period WHERE state <> 'open')"
            )
    with pytest.raises(InsufficientPrivilege), session.transaction():
        session.execute("DELETE FROM ratings_period")


def test_the_accepted_version_is_that_of_a_step_of_this_act(web):
    """Undone, accepted again without a step; with the step of another report; a version of another report."""
    session, acts = web
    report, version = session.execute(
        f"SELECT id, accepted_version_id FROM reporting_report WHERE id = {ACCEPTED}"
    ).fetchone()
    acts(Role.RATING_OFFICER)
    session.execute(
        "UPDATE reporting_report SET state = 'submitted', accepted_version_id = NULL WHERE id = %s", [report]
    )
    accept = "UPDATE reporting_report SET state = 'accepted', accepted_version_id = %s WHERE id = %s"
    with refused(session, "has no step"):
        session.execute(accept, [version, report])
        session.execute(CHECKED)
    step = "INSERT INTO reporting_reportstep (version_id, move, by_id) VALUES (%s, 'accept', %s)"
    other = session.execute(
        "SELECT v.id FROM reporting_reportversion v JOIN reporting_report r ON r.id = v.report_id"
        " WHERE r.state = 'submitted' AND r.id <> %s LIMIT 1", [report]
    ).fetchone()[0]  # fmt: skip
    with refused(session, "has no step"):
        session.execute(step, [other, acts(Role.RATING_OFFICER)])
        session.execute(accept, [other, report])
        session.execute(CHECKED)
    session.execute(step, [version, acts(Role.RATING_OFFICER)])  # the twin
    session.execute(accept, [version, report])
    session.execute(CHECKED)


def test_a_version_is_the_next_one_and_the_newest_one_is_accepted(web):
    """A version 0, or an older one beside a newer one, would be accepted by the person who wrote the newest."""
    session, acts = web
    report = session.execute("SELECT max(id) FROM reporting_report WHERE state = 'submitted'").fetchone()[0]
    write = (
        "INSERT INTO reporting_reportversion (report_id, number, filename, content, reading, sha256, sidecar, format,"
        " encoding, findings, errors, warnings, name, players, games, results, created_by_id)"
        " SELECT report_id, %s, filename, content, reading, sha256, sidecar, format, encoding, findings, errors,"
        " warnings, name, players, games, results, %s FROM reporting_reportversion WHERE report_id = %s"
        " ORDER BY number LIMIT 1 RETURNING id"
    )
    newest, oldest = session.execute(
        "SELECT max(number), min(id) FROM reporting_reportversion WHERE report_id = %s", [report]
    ).fetchone()
    for number in (0, newest, newest + 2):
        with refused(session, "the number after the newest one|reporting_reportversion_number_check"):
            session.execute(write, [number, acts(Role.TOURNAMENT_DIRECTOR), report])
    session.execute(write, [newest + 1, acts(Role.TOURNAMENT_DIRECTOR), report])  # the twin
    with refused(session, "the newest version"):
        session.execute(
            "INSERT INTO reporting_reportstep (version_id, move, by_id) VALUES (%s, 'accept', %s)",
            [oldest, acts(Role.RATING_OFFICER)],
        )


def test_who_made_or_changed_the_announcement_does_not_accept(web):
    session, acts = web
    report, version = session.execute(
        "SELECT r.id, max(v.id) FROM reporting_report r JOIN reporting_reportversion v ON v.report_id = r.id"
        " WHERE r.state = 'submitted' GROUP BY r.id ORDER BY r.id DESC LIMIT 1"
    ).fetchone()
    step = "INSERT INTO reporting_reportstep (version_id, move, by_id) VALUES (%s, 'accept', %s)"
    values = {"by": acts(Role.TOURNAMENT_DIRECTOR), "days": 30, "official": False, "mark": ""}
    made = session.execute(ANNOUNCED, values).fetchone()[0]
    session.execute("UPDATE reporting_report SET announcement_id = %s WHERE id = %s", [made, report])
    with refused(session, "who acted on report"):
        session.execute(step, [version, values["by"]])
    changed = acts(Role.TOURNAMENT_DIRECTOR)
    with refused(session, "who acted on report"):
        session.execute(
            "INSERT INTO reporting_logentry (actor_id, action, subject, before, after, reason, by_command, at)"
            " VALUES (%s, 'announcement.change', 'announcement ' || %s, '{}', '{}', '', false, statement_timestamp())",
            [changed, made],
        )
        session.execute(step, [version, changed])
    session.execute(step, [version, acts(Role.TOURNAMENT_DIRECTOR)])  # the twin


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("CREATE TEMP TABLE reporting_logentry (id bigint)", "the web defines nothing"),
        ("CREATE FUNCTION pg_temp.evil() RETURNS int LANGUAGE sql AS 'SELECT 1'", "the web defines nothing"),
        ("SELECT 1 AS one INTO TEMP spied", "the web defines nothing"),
        ("UPDATE reporting_federation SET name = 'Other' WHERE code = 'BEL'", "permission denied"),
    ],
)
def test_the_web_defines_nothing_and_renames_no_federation(web, statement, message):
    session, acts = web
    acts(Role.ADMINISTRATOR)
    with pytest.raises(InsufficientPrivilege, match=message), session.transaction():
        session.execute(statement)


VISITOR = "email = 'visitor@office.invalid'"


@pytest.mark.parametrize(
    ("role", "statement", "message"),
    [
        (Role.RELEASING_OFFICER, f"INSERT INTO ratings_ratinglist SELECT * FROM ratings_ratinglist WHERE id = {DRAFT}",
         "INSERT refused"),
        (Role.RATING_OFFICER, f"UPDATE reporting_user SET email = 'a@example.org' WHERE {VISITOR}", "UPDATE refused"),
        (Role.RELEASING_OFFICER, f"UPDATE ratings_period SET played_before = played_before - interval '1 day'"
         f" WHERE id = {OPEN}", "a rating officer opens periods"),
        (Role.TOURNAMENT_DIRECTOR,
         "INSERT INTO reporting_tournamentdecision (tournament_code, item, value, reason, by_id)"
         f" SELECT code, 'council_approved', 'yes', '', %s FROM reporting_resultset WHERE id = {UNCOUNTED}",
         "a person of another role decides"),
    ],
    ids=["a list made", "an address of commands", "days of a period", "the Council's item"],
)  # fmt: skip
def test_sql_of_a_person_who_may_write_the_table_but_not_this(web, role, statement, message):
    session, acts = web
    person = acts(role)
    with refused(session, message):
        session.execute(statement, [person] if "%s" in statement else None)


COUNT = (
    "INSERT INTO ratings_periodreport (period_id, result_set_id, version_id) SELECT p.id, r.result_set_id, v.id"
    " FROM ratings_period p, reporting_report r JOIN reporting_reportversion v ON v.report_id = r.id"
    " WHERE p.state = 'frozen' AND r.state = %s AND r.result_set_id NOT IN (SELECT result_set_id FROM"
    " ratings_periodreport) AND v.id = coalesce(r.accepted_version_id, v.id) LIMIT 1"
)


def test_a_list_counts_accepted_versions_alone(web):
    session, acts = web
    officer = acts(Role.RATING_OFFICER)
    session.execute(
        "UPDATE ratings_period SET state = 'frozen', frozen_by_id = %s, freeze_reason = 'x',"
        " played_since = now() - interval '2 days', played_before = now() - interval '1 day'"
        f" WHERE id = {OPEN}",
        [officer],
    )
    with refused(session, "a list counts accepted versions alone"):
        session.execute(COUNT, ["submitted"])
    assert session.execute(COUNT, ["accepted"]).rowcount == 1  # the twin


@pytest.mark.parametrize(("frozen", "is_refused"), [("now() - interval '1 minute'", True), ("now()", False)])
def test_the_web_counts_a_report_only_in_the_transaction_of_the_freeze(session_of, frozen, is_refused):
    with session_of("postgres") as owner:
        prepare(owner)
        owner.execute(
            f"UPDATE ratings_period SET state = 'frozen', frozen_at = {frozen}, freeze_reason = 'x',"
            f" frozen_by_id = (SELECT min(id) FROM reporting_user) WHERE id = {OPEN}"
        )
        owner.execute("SET LOCAL tests.outside_a_request = on")
        owner.execute("SET SESSION AUTHORIZATION app_web")
        with refused(owner, "a report enters a list with the freeze") if is_refused else nullcontext():
            owner.execute(COUNT, ["accepted"])


ANNOUNCED = (
    "INSERT INTO reporting_tournament (name, place, country_id, played_from, played_to, rating_system, discipline,"
    " time_control, system, official, national_championship, announced_by_id, announced_on)"
    " VALUES ('Open', '', 'NED', current_date + 40, current_date + 42, '', '100', '80+30', '', %(official)s, %(mark)s,"
    " %(by)s, current_date - %(days)s) RETURNING id"
)


def test_a_tournament_is_announced_on_the_day_that_it_is_announced(web):
    session, acts = web

    def announce(*roles: Role, days: int = 0, official: bool = False, mark: str = "") -> Any:
        values = {"by": acts(*roles), "days": days, "official": official, "mark": mark}
        return session.execute(ANNOUNCED, values).fetchone()[0]

    with refused(session, "a tournament is announced today"):
        announce(Role.REFEREE, days=30)
    for marked in ({"official": True}, {"mark": "championship"}):
        with refused(session, "the office says"):
            announce(Role.REFEREE, **marked)
    made = announce(Role.REFEREE)
    with refused(session, "a tournament is announced today"):
        session.execute(
            "UPDATE reporting_tournament SET announced_on = announced_on - 30 WHERE id = %s", [made]
        )
    announce(Role.RATING_OFFICER, days=30)  # the twin: it reached the office another way


def test_an_application_reaches_a_state_by_a_step_of_a_person_who_may(web):
    session, acts = web
    number = session.execute("SELECT max(id) FROM titles_titleapplication WHERE state = 'paid'").fetchone()[0]
    approve = "UPDATE titles_titleapplication SET state = 'approved' WHERE id = %s"
    step = (
        'INSERT INTO titles_applicationstep (application_id, move, state, "on", reference, reason, by_id)'
        " VALUES (%s, 'approve', 'approved', current_date, '', '', %s)"
    )
    acts(Role.TITLE_COUNCIL)
    with refused(session, "has no step to its state"):
        session.execute(approve, [number])
        session.execute(CHECKED)
    with refused(session, "does not approve an application"):
        session.execute(step, [number, acts(Role.TOURNAMENT_DIRECTOR)])
    session.execute(step, [number, acts(Role.TITLE_COUNCIL)])  # the twin
    session.execute(approve, [number])
    session.execute(CHECKED)


def test_an_act_has_the_moment_of_its_statement(web):
    session, acts = web
    report = session.execute("SELECT max(id) FROM reporting_report WHERE state = 'submitted'").fetchone()[0]
    at = session.execute(
        "INSERT INTO reporting_reportnote (report_id, text, from_office, by_id, at)"
        " VALUES (%s, 'x', true, %s, '2020-01-01') RETURNING at = statement_timestamp()",
        [report, acts(Role.RATING_OFFICER)]
    ).fetchone()[0]  # fmt: skip
    assert at
