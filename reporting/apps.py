from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Warning
from django.core.checks import register as register_check
from django.core.management import CommandError
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.signals import post_migrate, pre_migrate
from django.utils import formats, translation

from reporting.log import labels as log_labels
from reporting.log.invariants import accounts, register, reports, result_sets
from reporting.log.invariants.registry import register_invariants
from reporting.messages import labels as message_labels
from reporting.refusals.catalogue import REFUSALS
from reporting.refusals.domain_error import register_refusals
from reporting.refusals.field_messages import use_field_messages
from reporting.rules.sentences import Translation, use_labels, use_translation

use_field_messages()


class ReportingConfig(AppConfig):
    name = "reporting"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Fill the catalogues of this app and connect the receivers of log-ins and migrations."""
        register_refusals(REFUSALS)
        log_labels.register()
        message_labels.register()
        for subject in (accounts, register, reports, result_sets):
            register_invariants(subject.statements)
        use_translation(
            Translation(
                translation.gettext, translation.ngettext, lambda day: formats.date_format(day, "j M Y")
            )
        )
        from reporting.models import Role  # noqa: PLC0415 (needs the apps)

        use_labels("role", lambda code: str(Role(code).label))
        from reporting.accounts.encryption import encrypt_factors_again  # noqa: PLC0415
        from reporting.accounts.services.first_reports import write_first_reports  # noqa: PLC0415
        from reporting.accounts.views import allauth_adapters, office_sessions  # noqa: F401, PLC0415 (they need the models)
        from reporting.log.acting_person import write_acting_key  # noqa: PLC0415

        pre_migrate.connect(refuse_earlier_tables, sender=self)
        post_migrate.connect(write_acting_key, sender=self)
        post_migrate.connect(write_first_reports, sender=self)
        post_migrate.connect(encrypt_factors_again, sender=self)


def refuse_earlier_tables(*, using: str = "default", **_: Any) -> None:
    """Raise CommandError for a database of before the one migration an app: they do not change its tables."""
    if ("reporting", "0002_database_roles") in MigrationRecorder(connections[using]).applied_migrations():
        raise CommandError(
            "This database has tables of an earlier state of the program, which are not carried over. Begin with an"
            " empty database; `make demo-reset` does so for the demonstration."
        )


@register_check
def check_office_url(**_: Any) -> list[CheckMessage]:
    """Warn if mail is sent without OFFICE_URL: links in mails need the address of the office."""
    if settings.EMAIL_BACKEND.endswith("smtp.EmailBackend") and not settings.OFFICE_URL:
        return [Warning("Mail is sent, but OFFICE_URL is empty: its links do not work.", id="reporting.W001")]
    return []
