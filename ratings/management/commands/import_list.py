from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from ratings.models import Pool
from ratings.production.imports.import_list import import_list
from reporting.management.office import RELEASER, OfficeCommand, parse_list_day


class Command(OfficeCommand):
    help = _("Publish the opening list of a pool that has none, from a CSV table; all or nothing.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", help="CSV: id, rating, games[, last_game and the columns of the rating system]"
        )
        parser.add_argument("--pool", default=settings.DEFAULT_POOL)
        parser.add_argument("--in-force", required=True, type=parse_list_day, metavar="YYYY-MM-DD")
        self.add_actor_argument(parser)

    def act(self, *, file: str, pool: str, in_force: date, email: str, **_: Any) -> None:
        found = Pool.objects.filter(code=pool).first()
        if found is None:
            raise CommandError(gettext("There is no pool %(pool)s.") % {"pool": pool})
        rating_list = import_list(
            content=Path(file).read_bytes(),
            pool=found,
            in_force=in_force,
            by=self.actor(email),
            releaser=self.actor(RELEASER),
        )
        self.stdout.write(
            gettext("%(players)s players on the opening list %(list)s.")
            % {"players": rating_list.players, "list": rating_list.address}
        )
        self.stdout.write(f"list digest {rating_list.sha256}")
