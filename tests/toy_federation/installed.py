"""Install the toy federation for a test, in a database of its own: the tests of other systems don't know it."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import modify_settings

from ratings.federations import registry
from reporting.federations import registry as report_registry
from reporting.reports.reading.read_file import end_idle_readers
from reporting.rules.findings.catalogue import CODES
from tests.databases import point_connections_at


@contextmanager
def toy_installed(**changes: object) -> Iterator[None]:
    """The app is in INSTALLED_APPS; where its tables are not in the database in use, the owner makes them.

    `changes` are other attributes of the system, such as `calendar=None`.
    """
    with installed("tests.toy_federation", "toy", **changes):
        yield


@contextmanager
def installed(app: str, code: str, **changes: object) -> Iterator[None]:
    """The same for the app of any federation of tests; `code` is that of its system and the label of its app."""
    with modify_settings(INSTALLED_APPS={"append": app}):
        apps.clear_cache()  # Django forgets relations when an app goes, and does not look again when it returns
        if not any(label == code for label, _ in MigrationRecorder(connection).applied_migrations()):
            point_connections_at(USER=settings.DATABASE_USERS["owner"])
            call_command("migrate", code, verbosity=0)
            point_connections_at(USER=settings.DATABASE_USERS["worker"])
        vars(registry.rating_system(code)).update(changes)
        end_idle_readers()  # those that wait do not know its format
        yield
    del registry._systems[code]
    for finding in report_registry._rules.pop(code).finding_codes:
        del CODES[finding]
