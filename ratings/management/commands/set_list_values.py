from datetime import date
from pathlib import Path
from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from ratings.models import Pool
from ratings.production.periods.list_values import set_list_values
from reporting.management.office import OfficeCommand, parse_list_day


class Command(OfficeCommand):
    help = _("Set what the officer decides for one list, from a CSV table; until its period is frozen.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("pool")
        parser.add_argument("--in-force", required=True, type=parse_list_day, metavar="YYYY-MM-DD")
        parser.add_argument("--file", required=True, help=gettext("CSV: the columns of the rating system."))
        self.add_actor_argument(parser)

    def act(self, *, pool: str, in_force: date, file: str, email: str, **_: Any) -> None:
        found = Pool.objects.filter(code=pool).first()
        if found is None:
            raise CommandError(gettext("There is no pool %(pool)s.") % {"pool": pool})
        rows = set_list_values(
            pool=found, in_force=in_force, content=Path(file).read_bytes(), by=self.actor(email)
        )
        message = ngettext(
            "%(count)s line for the list %(list)s.", "%(count)s lines for the list %(list)s.", len(rows)
        )
        self.stdout.write(message % {"count": len(rows), "list": f"{found.code}/{in_force}"})
