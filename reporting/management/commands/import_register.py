from datetime import date
from pathlib import Path
from typing import Any

from django.core.management import CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.log.actions import field_label, value_label
from reporting.management.office import OfficeCommand
from reporting.register.services.import_register import import_register
from reporting.rules.register.registers import first_register, registers
from reporting.rules.register.titles import discipline_titles


class Command(OfficeCommand):
    help = _("Import players into the register from a CSV table, all or none; existing players are updated.")

    def add_arguments(self, parser: CommandParser) -> None:
        titles = ", ".join(discipline_titles())
        numbers = ", ".join(register.code for register in registers())
        parser.add_argument(
            "file",
            help=f"CSV or XLSX: id (or fmjd_id), last_name, first_name, federation, sex, born[, {titles}, {numbers}]",
        )
        parser.add_argument(
            "--register",
            choices=[register.code for register in registers() if register.counts],
            default=first_register().code,
            help=gettext("The register of the numbers."),
        )
        parser.add_argument(
            "--on",
            type=date.fromisoformat,
            metavar="DATE",
            help=gettext(
                "The day from which changed federations and titles count (2026-03-15). Default: today."
            ),
        )
        self.add_actor_argument(parser)

    def act(self, *, file: str, register: str, on: date | None, email: str, **_: Any) -> None:
        content = Path(file).read_bytes()
        done = import_register(content=content, register=register, on=on, by=self.actor(email))
        for number, changes in done.updated.items():
            for name, (old, new) in changes.items():
                before, after = (
                    value_label(name, str(value or "")) or gettext("empty") for value in (old, new)
                )
                self.stdout.write(f"{number} {field_label(name)}: {before} → {after}")
        self.stdout.write(
            gettext("%(created)s players created, %(updated)s updated, %(unchanged)s unchanged.")
            % {"created": len(done.created), "updated": len(done.updated), "unchanged": done.unchanged}
        )
