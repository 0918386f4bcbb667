"""What the commands of the office share: the account they act as, and the output of refusals."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext

from reporting.log.audit import OFFICER, Actor
from reporting.models import User
from reporting.refusals.domain_error import DomainError
from reporting.rules.findings.finding_list import Finding
from reporting.rules.report import FIRST_LIST_DAY

IMPORTER = "importer@office.invalid"
RELEASER = "releaser@office.invalid"


def parse_list_day(text: str) -> date:
    """The day in force of a list."""
    day = date.fromisoformat(text)
    if not FIRST_LIST_DAY <= day < date(2100, 1, 1):
        raise ArgumentTypeError(
            gettext("%(text)s is not the day of a list: enter a day from 1983-01-01 to 2099-12-31")
            % {"text": text}
        )
    return day


def whole_between(least: int, most: int) -> Callable[[str], int]:
    """The type of an argument that is a whole number from `least` to `most`."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise ArgumentTypeError(
                gettext("%(text)s is not a whole number from %(least)s to %(most)s")
                % {"text": text, "least": least, "most": most}
            )
        return value

    return read


class OfficeCommand(BaseCommand):
    """A command of the office: `act` does the work. A refusal is printed with its findings; the status is 1."""

    def add_actor_argument(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--as",
            dest="email",
            default=OFFICER,
            help=gettext("Act as this account (default %(account)s).") % {"account": OFFICER},
        )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.description = gettext(self.help)
        return parser

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            self.act(**options)
        except DomainError as refusal:
            self.print_findings(refusal.findings)
            nothing = gettext("Nothing was changed.")
            raise CommandError(f"{refusal.code}: {refusal.message} {nothing}") from None
        except OSError as problem:
            raise CommandError(
                f"{problem.filename or gettext('file')}: {problem.strerror or problem}."
            ) from None

    def act(self, *args: Any, **options: Any) -> None:
        raise NotImplementedError

    def actor(self, email: str) -> Actor:
        user = User.objects.filter(email__iexact=email).first()
        if user is None:
            raise CommandError(gettext("No account has the e-mail address %(email)s.") % {"email": email})
        return Actor(user, by_command=True)

    def print_findings(self, findings: Iterable[Finding], indent: str = "") -> None:
        for finding in findings:
            where = finding.place or finding.field or gettext("report")
            text = f"{indent}{finding.severity} {finding.code} ({where}): {finding.message}"
            if finding.found:
                text += " " + gettext("Found: %(found)s.") % {"found": finding.found}
            if finding.expected:
                text += " " + gettext("Expected: %(expected)s.") % {"expected": finding.expected}
            self.stderr.write(f"{text} [{finding.article}]" if finding.article else text)
            if finding.suggestion:
                self.stderr.write(f"{indent}    {finding.suggestion}")
