"""Remove a lost second factor if there is no other administrator to do it."""

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.accounts.services.manage_accounts import remove_second_factor
from reporting.log.audit import OFFICER
from reporting.management.office import OfficeCommand


class Command(OfficeCommand):
    help = _("Remove the second factor and the recovery codes of an account, and end its sessions.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help=gettext("The e-mail address of the account."))
        parser.add_argument("reason", help=gettext("Shown in the log and to the person, in quotation marks."))

    def act(self, *, email: str, reason: str, **_: Any) -> None:
        account = self.actor(email).user
        remove_second_factor(account=account, reason=reason, by=self.actor(OFFICER))
        self.stdout.write(
            gettext("Second factor of %(name)s removed. Next: log in and set up another one.")
            % {"name": account.name}
        )
