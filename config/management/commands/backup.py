from pathlib import Path
from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from config.backup import BackupError, write_backup
from reporting.management.office import OfficeCommand


class Command(OfficeCommand):
    help = _("Write the whole office to one file: the database, its roles, and the names of the settings.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--recipient", default="", help=gettext("Encrypt to this public key of age (age1…).")
        )

    def act(self, *, file: Path, recipient: str, **_: Any) -> None:
        try:
            backup = write_backup(file, recipient=recipient)
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        encrypted = (
            gettext("encrypted to %(recipient)s") % {"recipient": recipient}
            if recipient
            else gettext("not encrypted")
        )
        self.stdout.write(
            gettext("%(file)s: %(rows)s rows of %(tables)s tables, %(size)s bytes, %(encrypted)s.")
            % {
                "file": file,
                "rows": f"{sum(backup.rows.values()):,}",
                "tables": len(backup.rows),
                "size": f"{backup.size_bytes:,}",
                "encrypted": encrypted,
            }
        )
