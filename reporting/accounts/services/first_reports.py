"""How many first reports of an account are left to people who did not bring it in (docs/decisions/0098)."""

from typing import Any

from django.conf import settings
from django.db import connections


def write_first_reports(*, using: str = "default", **_: Any) -> None:
    """Give the database the number of FIRST_REPORTS: after every `migrate`, as the owner of the tables."""
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT to_regprocedure('public.first_reports()') IS NOT NULL")
        if not cursor.fetchone()[0]:  # not migrated so far
            return
        cursor.execute(
            "CREATE OR REPLACE FUNCTION public.first_reports() RETURNS integer LANGUAGE sql IMMUTABLE"
            f" AS 'SELECT {settings.FIRST_REPORTS:d}'"
        )
