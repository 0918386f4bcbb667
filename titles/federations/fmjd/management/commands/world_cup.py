import json
from datetime import date
from typing import Any

from django.core.management import CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from ratings.queries.lists import office_today
from reporting.management.office import OfficeCommand, parse_list_day
from titles.federations.fmjd.world_cup.standings import standing_rows, table_lines, world_cup_standing


class Command(OfficeCommand):
    help = _("Classify the World Cup on a day, from accepted reports. Stores nothing.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--on", type=parse_list_day, metavar="YYYY-MM-DD", help=gettext("The day (default today).")
        )
        parser.add_argument("--women", action="store_true", help=gettext("The women’s classification."))
        parser.add_argument("--section", choices=["100", "64"], default="100", help=gettext("The squares."))
        parser.add_argument("--json", action="store_true", dest="as_json", help=gettext("Print JSON."))

    def act(self, *, on: date | None, women: bool, section: str, as_json: bool, **_: Any) -> None:
        day = on or office_today()
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
