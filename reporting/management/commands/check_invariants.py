from typing import Any

from django.core.management import CommandError, CommandParser
from django.db import connection, transaction
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from reporting.log.invariants.registry import broken_invariants, invariants
from reporting.management.office import OfficeCommand


class Command(OfficeCommand):
    help = _("Check every rule that the stored data must follow. Nothing is written.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--only", metavar="CODE", help=gettext("One rule only, by its code."))

    def act(self, *, only: str | None, **_: Any) -> None:
        checked = [invariant for invariant in invariants() if only in (None, invariant.code)]
        if not checked:
            raise CommandError(gettext("There is no rule %(code)s.") % {"code": only})
        broken = 0
        with transaction.atomic(durable=True):
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            for found in broken_invariants(checked):
                broken += 1
                self.stderr.write(str(found))
        if broken:
            raise CommandError(
                gettext("%(broken)s of %(checked)s rules are broken.")
                % {"broken": broken, "checked": len(checked)}
            )
        self.stdout.write(
            ngettext("%(checked)s rule holds.", "All %(checked)s rules hold.", len(checked))
            % {"checked": len(checked)}
        )
