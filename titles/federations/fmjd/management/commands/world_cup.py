import json
from datetime import date
from typing import Any

from django.core.management import CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from ratings.queries.lists import office_today
from reporting.management.office import IMPORTER, RELEASER, OfficeCommand, parse_list_day
from titles.federations.fmjd.world_cup.publications.kinds import address_of
from titles.federations.fmjd.world_cup.publications.selectors import key_of_classification
from titles.federations.fmjd.world_cup.publications.steps import publish_by_command
from titles.federations.fmjd.world_cup.standings import standing_rows, table_lines, world_cup_standing


class Command(OfficeCommand):
    help = _(
        "Classify the World Cup on a day, from accepted reports. Stores nothing but with --publish, which approves it"
        " as --as and publishes it as the releasing officer."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--on", type=parse_list_day, metavar="YYYY-MM-DD", help=gettext("The day (default today).")
        )
        parser.add_argument("--women", action="store_true", help=gettext("The women’s classification."))
        parser.add_argument("--section", choices=["100", "64"], default="100", help=gettext("The squares."))
        parser.add_argument(
            "--publish", action="store_true", help=gettext("Publish it by command, or its next revision.")
        )
        parser.add_argument(
            "--reason", default="", help=gettext("Why there is a revision; all readers see it.")
        )
        parser.add_argument(
            "--as",
            dest="email",
            default=IMPORTER,
            help=gettext("Request and approve as this account (default %(account)s).")
            % {"account": IMPORTER},
        )
        parser.add_argument("--json", action="store_true", dest="as_json", help=gettext("Print JSON."))

    def act(
        self,
        *,
        on: date | None,
        women: bool,
        section: str,
        publish: bool,
        reason: str,
        email: str,
        as_json: bool,
        **_: Any,
    ) -> None:
        day = on or office_today()
        if publish:
            done = publish_by_command(
                key=key_of_classification(section, day, women=women),
                reason=reason,
                by=self.actor(email),
                releaser=self.actor(RELEASER),
            )
            self.stderr.write(f"{address_of(done)} {done.sha256}")
        standing = world_cup_standing(day, section, women=women)
        for problem in standing.given.problems:
            who = f" ({problem.fmjd_id})" if problem.fmjd_id else ""
            self.stderr.write(
                gettext("%(tournament)s: not counted without %(missing)s.")
                % {"tournament": problem.code + who, "missing": problem.missing}
            )
        rows = standing_rows(standing)
        if as_json:
            answer = {
                "on": day.isoformat(),
                "classification": "women" if women else "open",
                "section": section,
                "rows": rows,
            }
            self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=1))
            return
        for line in table_lines(rows):
            self.stdout.write(line)
