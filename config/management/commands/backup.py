from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from config.backup import BackupError, write_backup


class Command(BaseCommand):
    help = "Write the whole office to one file: the database, its roles, and the names of the settings."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--recipient", default="", help="Encrypt to this public key of age (age1…).")

    def handle(self, *, file: Path, recipient: str, **_: Any) -> None:
        try:
            backup = write_backup(file, recipient=recipient)
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        encrypted = f", encrypted to {recipient}" if recipient else ", not encrypted"
        rows = f"{sum(backup.rows.values()):,} rows of {len(backup.rows)} tables"
        self.stdout.write(f"{file}: {rows}, {backup.size_bytes:,} bytes{encrypted}.")
