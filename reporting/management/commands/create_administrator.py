"""The first administrator of an installation, who invites everybody else."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.utils import timezone

from reporting.accounts.services.manage_accounts import invite_first_administrator
from reporting.management.office import OFFICER, OfficeCommand
from reporting.messages.one_time_links import INVITATION, link_of
from reporting.messages.selectors import mail_leaves


class Command(OfficeCommand):
    help = "Invite the first administrator: prints the link by which he sets his password."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="What he logs in with.")
        parser.add_argument("name", help="His name, in quotation marks if it has spaces.")

    def act(self, *, email: str, name: str, **_: Any) -> None:
        message = invite_first_administrator(email=email, name=name, by=self.actor(OFFICER))
        account = message.person
        until = timezone.localtime(message.created_at + INVITATION.holds)
        where = "" if settings.OFFICE_URL else " (after the office's own address, as http://127.0.0.1:8000)"
        mailed = (
            f"It is mailed to {account.email} as well."
            if mail_leaves()
            else "No mail leaves this office yet (docs/how-to/mail.md): it stands nowhere else."
        )
        self.stdout.write(
            f"{account.name} is invited as administrator. The link sets the password, once, until"
            f" {until:%d %b %Y, %H:%M %Z}{where}:\n\n"
            f"    {settings.OFFICE_URL.rstrip('/')}{link_of(message)}\n\n"
            f"{mailed}\n"
            "Next: log in; invite a rating officer and a releasing officer, two persons, under Accounts; import the\n"
            "register and the opening list. The office desk shows what is done; docs/how-to/start.md tells each step."
        )
