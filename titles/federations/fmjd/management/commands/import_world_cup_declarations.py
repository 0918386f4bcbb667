from pathlib import Path
from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from reporting.management.office import OfficeCommand
from titles.federations.fmjd.world_cup.declarations.services import COLUMNS, import_declarations


class Command(OfficeCommand):
    help = _("Record declarations for the open World Cup classification from a CSV table, all lines or none.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help=f"CSV: {', '.join(COLUMNS)}")
        self.add_actor_argument(parser)

    def act(self, *, file: str, email: str, **_: Any) -> None:
        recorded, problems = import_declarations(content=Path(file).read_bytes(), by=self.actor(email))
        for problem in problems:
            self.stderr.write(
                gettext("Line %(line)s, %(field)s: found %(found)s. %(reason)s")
                % {
                    "line": problem.line,
                    "field": problem.field,
                    "found": problem.found,
                    "reason": problem.reason,
                }
            )
        if problems:
            raise CommandError(gettext("The file cannot be used. Nothing was changed."))
        self.stdout.write(
            ngettext("%(count)s declaration recorded.", "%(count)s declarations recorded.", recorded)
            % {"count": recorded}
        )
