"""What the office's commands share: through whom they act, and how they tell a refusal."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django.core.management import BaseCommand, CommandError

from reporting.errors import DomainError
from reporting.log.audit import Actor
from reporting.models import User
from reporting.rules.findings import CELL_NAME

IMPORTER = "importer@office.invalid"
OFFICER = "officer@office.invalid"
RELEASER = "releaser@office.invalid"


def parse_list_day(text: str) -> date:
    """A day an FMJD list can be of: the first one came into force on 1 January 1983 (Annex 9 art. 10)."""
    day = date.fromisoformat(text)
    if not date(1983, 1, 1) <= day < date(2100, 1, 1):
        raise ArgumentTypeError(f"{text} is no day of a list: from 1983-01-01 to 2099-12-31")
    return day


class OfficeCommand(BaseCommand):
    """A command of the office: `act` does the work; a refusal is printed with its findings and ends with status 1."""

    def add_actor_argument(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--as", dest="email", default=OFFICER, help=f"Act as this account (default {OFFICER})."
        )

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            self.act(**options)
        except DomainError as refusal:
            self.print_findings(finding.to_json() for finding in refusal.findings)
            raise CommandError(f"{refusal.code}: {refusal.message} Nothing was changed.") from None
        except OSError as problem:
            raise CommandError(f"{problem.filename or 'file'}: {problem.strerror or problem}.") from None

    def act(self, *args: Any, **options: Any) -> None:
        raise NotImplementedError

    def actor(self, email: str) -> Actor:
        user = User.objects.filter(email__iexact=email).first()
        if user is None:
            raise CommandError(f"There is no account {email}.")
        return Actor(user, by_command=True)

    def print_findings(self, findings: Iterable[Mapping[str, Any]], indent: str = "") -> None:
        for finding in findings:
            place = ", ".join(
                f"{word} {finding[key]}"
                for word, key in (("line", "line"), ("column", "column"))
                if finding[key]
            )
            # The lines of a spreadsheet are those of one sheet, its columns are cells: there the field is the cell.
            cell = finding["field"] if CELL_NAME.fullmatch(finding["field"] or "") else ""
            where = cell or place or finding["field"] or "report"
            says = f"{indent}{finding['severity']} {finding['code']} ({where}): {finding['message']}"
            if finding["found"]:
                says += f" Found: {finding['found']}."
            if finding["expected"]:
                says += f" Expected: {finding['expected']}."
            self.stderr.write(f"{says} [{finding['article']}]")
            if finding["suggestion"]:
                self.stderr.write(f"{indent}    {finding['suggestion']}")
