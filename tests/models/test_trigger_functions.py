"""What triggers write, no trigger of a table that the worker makes for itself writes; which moments they give."""

import pytest
from django.apps import apps
from django.db import connection, models
from django.db.models.functions import Now
from psycopg.errors import InsufficientPrivilege

OF_THEIR_OWNER = r"""
SELECT proname,
    has_function_privilege('app_web', oid, 'EXECUTE') OR has_function_privilege('app_worker', oid, 'EXECUTE')
FROM pg_proc
WHERE pronamespace = 'public'::regnamespace AND prorettype = 'trigger'::regtype AND prosecdef
    AND prosrc ~ '\m(INSERT INTO|UPDATE|DELETE FROM|LOCK TABLE)\M public\.'
"""


@pytest.mark.django_db
def test_nobody_else_attaches_a_function_that_writes_with_the_rights_of_its_owner():
    with connection.cursor() as cursor:
        cursor.execute(OF_THEIR_OWNER)
        found = dict(cursor)
    assert found.keys() >= {"spell_player", "transfer_membership", "note_register_change"}
    assert [name for name, is_free in found.items() if is_free] == []


@pytest.mark.parametrize("function", ["spell_player", "transfer_membership"])
def test_the_worker_writes_no_membership_or_spelling_by_a_table_of_its_own(session_of, function):
    own = "CREATE TEMP TABLE own (id bigint, sort_name text, federation_id varchar, birth_year int)"
    trigger = f"CREATE TRIGGER own AFTER INSERT ON own FOR EACH ROW EXECUTE FUNCTION {function}()"
    with session_of("app_worker") as session:
        session.execute(own)
        with pytest.raises(InsufficientPrivilege):
            session.execute(trigger)


def test_each_moment_of_an_act_is_that_of_its_statement(session_of):
    moments = {
        (model._meta.db_table, field.column)
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.DateTimeField) and isinstance(field.db_default, Now)
    }
    with session_of("postgres") as owner:
        bound = set(
            owner.execute(
                "SELECT tgrelid::regclass::text, split_part(encode(tgargs, 'escape'), '\\000', 1)"
                " FROM pg_trigger WHERE tgname LIKE '%\\_moment' AND tgenabled = 'A'"
            ).fetchall()
        )
    assert moments - bound == {
        ("reporting_logentry", "at"),  # refused: refuse_log_entry_of_others
        ("reporting_message", "created_at"),  # when it was sent says the worker
        ("reporting_message", "due_at"),
        ("reporting_user", "created_at"),  # nothing is decided by it
        ("reporting_correctionrequest", "waiting_since"),  # moves with its state
        ("reporting_registerupload", "uploaded_at"),  # forgotten after a day
        ("reporting_roleassignment", "assigned_at"),  # no right to write it
        ("ratings_webhookdelivery", "created_at"),  # forgotten after a month
        ("ratings_webhookdelivery", "next_at"),
        ("ratings_ratinglist", "calculated_at"),  # never changes: ratings_ratinglist_numbers
    }
    assert bound <= moments
