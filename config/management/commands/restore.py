from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from config.backup import BackupError, restore_backup


class Command(BaseCommand):
    help = (
        "Fill the empty database of a new installation from a file of `manage.py backup`, before `migrate`."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--identity", type=Path, help="The file with the secret key of an encrypted backup."
        )

    def handle(self, *, file: Path, identity: Path | None, **_: Any) -> None:
        try:
            backup = restore_backup(file, identity=identity)
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{sum(backup.rows.values()):,} rows of {len(backup.rows)} tables restored, as in the manifest."
        )
