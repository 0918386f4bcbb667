from pathlib import Path
from typing import Any

from django.core.management import CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.management.office import OfficeCommand
from reporting.register.services.import_memberships import COLUMNS, import_memberships
from reporting.rules.register.registers import register_by_code, registers_with_clubs


class Command(OfficeCommand):
    help = _("Import who is a member of which club from a CSV table, in place of all memberships before.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help=f"CSV or XLSX: {', '.join(COLUMNS)}")
        parser.add_argument(
            "--register",
            choices=[register.code for register in registers_with_clubs()],
            required=True,
            help=gettext("The register of the numbers."),
        )
        self.add_actor_argument(parser)

    def act(self, *, file: str, register: str, email: str, **_: Any) -> None:
        path = Path(file)
        done = import_memberships(
            content=path.read_bytes(),
            filename=path.name,
            register=register_by_code(register),
            by=self.actor(email),
        )
        sentence = (
            gettext("Already there: %(lines)s memberships of %(players)s players.")
            if done.already_there
            else gettext("%(lines)s memberships of %(players)s players imported.")
        )
        self.stdout.write(sentence % {"lines": done.lines, "players": done.players})
