"""What the commands of the office share: the account they act as, and the output of refusals."""

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
    """The day in force of an FMJD list: the first one is of 1 Jan 1983 (Annex 9 art. 10)."""
    day = date.fromisoformat(text)
    if not date(1983, 1, 1) <= day < date(2100, 1, 1):
        raise ArgumentTypeError(f"{text} is not the day of a list: enter a day from 1983-01-01 to 2099-12-31")
    return day


class OfficeCommand(BaseCommand):
    """A command of the office: `act` does the work. A refusal is printed with its findings; the status is 1."""

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
            raise CommandError(f"No account has the e-mail address {email}.")
        return Actor(user, by_command=True)

    def print_findings(self, findings: Iterable[Mapping[str, Any]], indent: str = "") -> None:
        for finding in findings:
            place = ", ".join(f"{key} {finding[key]}" for key in ("line", "column") if finding[key])
            # A spreadsheet has lines in each sheet, and cells for columns: there the field names the cell.
            cell = finding["field"] if CELL_NAME.fullmatch(finding["field"] or "") else ""
            where = cell or place or finding["field"] or "report"
            text = f"{indent}{finding['severity']} {finding['code']} ({where}): {finding['message']}"
            if finding["found"]:
                text += f" Found: {finding['found']}."
            if finding["expected"]:
                text += f" Expected: {finding['expected']}."
            self.stderr.write(f"{text} [{finding['article']}]")
            if finding["suggestion"]:
                self.stderr.write(f"{indent}    {finding['suggestion']}")
