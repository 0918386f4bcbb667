"""The first two administrators of an installation, who invite everybody else."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import CommandError
from django.utils import timezone

from reporting.accounts.services.manage_accounts import invite_administrators
from reporting.management.office import OFFICER, OfficeCommand
from reporting.messages.one_time_links import INVITATION, message_link
from reporting.messages.selectors import is_mail_configured


class Command(OfficeCommand):
    help = (
        "Invite the first two administrators, or the one who is missing beside another: prints the links by which"
        " they set their passwords."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "people",
            nargs="+",
            metavar="EMAIL NAME",
            help="What each logs in with, and each one's name, in quotation marks if it has spaces.",
        )

    def act(self, *, people: list[str], **_: Any) -> None:
        if len(people) % 2:
            raise CommandError("Give an address and a name for each person: EMAIL NAME EMAIL NAME.")
        pairs = list(zip(people[::2], people[1::2], strict=True))
        for message in invite_administrators(people=pairs, by=self.actor(OFFICER)):
            account = message.person
            until = timezone.localtime(message.created_at + INVITATION.holds)
            where = (
                "" if settings.OFFICE_URL else " (after the office's own address, as http://127.0.0.1:8000)"
            )
            mailed = (
                f"It is mailed to {account.email} as well."
                if is_mail_configured()
                else "No mail leaves this office yet (docs/how-to/mail.md): it stands nowhere else."
            )
            self.stdout.write(
                f"{account.name} is invited as administrator. The link sets the password, once, until"
                f" {until:%d %b %Y, %H:%M %Z}{where}:\n\n"
                f"    {settings.OFFICE_URL.rstrip('/')}{message_link(message)}\n\n"
                f"{mailed}\n"
            )
        self.stdout.write(
            "Next: log in; invite a rating officer and a releasing officer, two persons, under Accounts: one of you\n"
            "gives the role, the other confirms it. Import the register and the opening list. The office desk shows\n"
            "what is done; docs/how-to/start.md tells each step."
        )
