from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.management.office import OfficeCommand
from reporting.reports.decisions.services import decide_tournaments
from reporting.rules.details.decided_items import known_items, values_of

NOTHING = "none"
"""The word for the empty value."""


class Command(OfficeCommand):
    help = _("Decide what only the federation can say of a tournament; its report only proposes it.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", help=gettext("The code of the tournament."))
        for name, item in known_items().items():
            values = dict.fromkeys(value or NOTHING for value in values_of(item))
            parser.add_argument(option_of(name), dest=name, choices=list(values))
        parser.add_argument("--reason", default="", help=gettext("Why; required for a refusal or a change."))
        self.add_actor_argument(parser)

    def act(self, *, code: str, reason: str, email: str, **options: Any) -> None:
        items = known_items()
        given = {name: options[name] for name in items if options[name] is not None}
        if not given:
            known = ", ".join(map(option_of, items))
            raise CommandError(gettext("Name at least one of %(options)s.") % {"options": known})
        chosen = [
            (code, name, value if value in values_of(items[name]) else "") for name, value in given.items()
        ]
        for decision in decide_tournaments(chosen=chosen, reason=reason, by=self.actor(email)):
            self.stdout.write(f"{code}  {decision.item}: {decision.value or NOTHING}")


def option_of(name: str) -> str:
    return f"--{name.replace('_', '-')}"
