"""What only triggers write, no trigger of a table that the worker makes for itself writes either."""

import pytest
from django.db import connection
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
