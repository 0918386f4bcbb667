from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.management.office import OfficeCommand
from reporting.reports.decisions.services import decide_tournaments
from reporting.rules.details.decided_items import DecidedItem

NOTHING = "none"
"""The word for the empty value of a competition, of stars and of a level."""
OPTIONS = {
    "--council-approved": DecidedItem.COUNCIL_APPROVED,
    "--official": DecidedItem.OFFICIAL,
    "--competition": DecidedItem.COMPETITION,
    "--stars": DecidedItem.WORLD_CUP_STARS,
    "--referee-level": DecidedItem.REFEREE_LEVEL,
    "--over-age": DecidedItem.OVER_AGE,
}


class Command(OfficeCommand):
    help = _("Decide what only the federation can say of a tournament; its report only proposes it.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", help=gettext("The code of the tournament."))
        for option, item in OPTIONS.items():
            names = dict.fromkeys(value or NOTHING for value in item.values)
            parser.add_argument(option, dest=item, choices=list(names))
        parser.add_argument("--reason", default="", help=gettext("Why; required for a refusal or a change."))
        self.add_actor_argument(parser)

    def act(self, *, code: str, reason: str, email: str, **options: Any) -> None:
        given = {item: options[item] for item in OPTIONS.values() if options[item] is not None}
        if not given:
            raise CommandError(gettext("Name at least one of %(options)s.") % {"options": ", ".join(OPTIONS)})
        chosen = [(code, item, value if value in item.values else "") for item, value in given.items()]
        for decision in decide_tournaments(chosen=chosen, reason=reason, by=self.actor(email)):
            self.stdout.write(f"{code}  {decision.item}: {decision.value or NOTHING}")
