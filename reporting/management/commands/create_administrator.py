"""The first two administrators of an installation. They invite all other people."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import CommandError
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.accounts.services.manage_accounts import invite_administrators
from reporting.log.audit import OFFICER
from reporting.management.office import OfficeCommand
from reporting.messages.notifications import format_minute
from reporting.messages.one_time_links import INVITATION, message_link
from reporting.messages.selectors import is_mail_configured

HERE = "http://127.0.0.1:8000"
"""The address of an office without an address of its own: that of its own web process."""


class Command(OfficeCommand):
    help = _(
        "Invite the first two administrators, or the second one if there is only one. Prints the links to set their"
        " passwords."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "people",
            nargs="+",
            metavar="EMAIL NAME",
            help=gettext(
                "E-mail address for the log-in, and name (in quotation marks if it has spaces), of each person."
            ),
        )

    def act(self, *, people: list[str], **_: Any) -> None:
        if len(people) % 2:
            raise CommandError(
                gettext("Enter an e-mail address and a name for each person: EMAIL NAME EMAIL NAME.")
            )
        pairs = list(zip(people[::2], people[1::2], strict=True))
        for message in invite_administrators(people=pairs, by=self.actor(OFFICER)):
            account = message.person
            until = format_minute(message.created_at + INVITATION.holds)
            where = (
                ""
                if settings.OFFICE_URL
                else " "
                + gettext("(OFFICE_URL is not set: if the office has another address, change the beginning)")
            )
            mailed = (
                gettext("It is also sent to %(email)s.") % {"email": account.email}
                if is_mail_configured()
                else gettext(
                    "No mail server is configured (docs/how-to/mail.md): the link is shown only here."
                )
            )
            invited = gettext(
                "%(name)s is invited as administrator. The link to set the password works once,"
                " until %(until)s%(where)s:"
            ) % {"name": account.name, "until": until, "where": where}
            self.stdout.write(
                f"{invited}\n\n    {(settings.OFFICE_URL or HERE).rstrip('/')}{message_link(message)}\n\n{mailed}\n"
            )
        self.stdout.write(
            gettext(
                "Next: log in; under Accounts invite a rating officer and a releasing officer (two people):"
                " one of you\n"
                "assigns the role, the other confirms it. Import the register and the opening list. The dashboard"
                " shows\n"
                "what is done; docs/how-to/start.md describes each step."
            )
        )
