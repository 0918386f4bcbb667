from datetime import date
from pathlib import Path
from typing import Any

from django.core.management import CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from ratings.production.imports.import_source import SOURCES, import_source
from reporting.management.office import OfficeCommand, parse_list_day


class Command(OfficeCommand):
    help = _("Import a list that a source publishes, by itself or in a ZIP archive; all or nothing.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", choices=SOURCES)
        parser.add_argument("file", help=gettext("The file as the source publishes it."))
        parser.add_argument("--in-force", required=True, type=parse_list_day, metavar="YYYY-MM-DD")
        parser.add_argument(
            "--kind",
            default="",
            choices=sorted({kind for source in SOURCES.values() for kind in source.kinds}),
            help=gettext("The kind of ratings of a file that has only one."),
        )
        self.add_actor_argument(parser)

    def act(self, *, source: str, file: str, in_force: date, kind: str, email: str, **_: Any) -> None:
        path = Path(file)
        with path.open("rb") as opened:
            lists = import_source(
                source=source,
                file=opened,
                filename=path.name,
                in_force=in_force,
                kind=kind,
                by=self.actor(email),
            )
        if not lists:
            self.stdout.write(gettext("%(file)s is already there.") % {"file": path.name})
        for stored in lists:
            self.stdout.write(
                gettext("%(list)s %(kind)s: %(players)s players, %(matched)s of them in the register.")
                % {
                    "list": stored.address,
                    "kind": stored.kind,
                    "players": stored.players,
                    "matched": stored.matched,
                }
            )
        if lists:
            self.stdout.write(f"file digest {lists[0].sha256}")
