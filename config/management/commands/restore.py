from pathlib import Path
from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from config.backup import BackupError, restore_backup
from reporting.management.office import OfficeCommand


class Command(OfficeCommand):
    help = _(
        "Fill the empty database of a new installation from a file of `manage.py backup`, before `migrate`."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--identity", type=Path, help=gettext("The file with the secret key of an encrypted backup.")
        )

    def act(self, *, file: Path, identity: Path | None, **_: Any) -> None:
        try:
            backup = restore_backup(file, identity=identity)
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            gettext("%(rows)s rows of %(tables)s tables restored, as in the manifest.")
            % {"rows": f"{sum(backup.rows.values()):,}", "tables": len(backup.rows)}
        )
