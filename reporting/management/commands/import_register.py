from pathlib import Path
from typing import Any

from django.core.management import CommandParser

from reporting.management.office import OfficeCommand
from reporting.register.services.import_register import import_register


class Command(OfficeCommand):
    help = "Import players into the register from a CSV table, all or none; existing players are updated."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", help="CSV: fmjd_id, last_name, first_name, federation, sex, born[, title, title_64]"
        )
        parser.add_argument(
            "--register",
            choices=["fmjd", "knsb", "iccf"],
            default="fmjd",
            help="The register of the numbers.",
        )
        self.add_actor_argument(parser)

    def act(self, *, file: str, register: str, email: str, **_: Any) -> None:
        done = import_register(content=Path(file).read_bytes(), register=register, by=self.actor(email))
        for number, changes in done.updated.items():
            for name, (old, new) in changes.items():
                self.stdout.write(f"{number} {name.removesuffix('_id')}: {old or 'empty'} → {new or 'empty'}")
        self.stdout.write(
            f"{len(done.created)} players created, {len(done.updated)} updated, {done.unchanged} unchanged."
        )
