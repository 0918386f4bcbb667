import json
from typing import Any

from django.core.management import CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.management.office import OfficeCommand, whole_between
from titles.federations.fmjd.world_cup.inputs import FIRST_YEAR, LAST_YEAR
from titles.federations.fmjd.world_cup.standings import table_lines, youth_team_rows


class Command(OfficeCommand):
    help = _("Classify the federations of the world youth championships of a year. Stores nothing.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "year", type=whole_between(FIRST_YEAR, LAST_YEAR), help=gettext("The year of the championships.")
        )
        parser.add_argument(
            "--tempo", choices=["classic", "rapid", "blitz"], required=True, help=gettext("The tempo.")
        )
        parser.add_argument("--section", choices=["100", "64"], default="100", help=gettext("The squares."))
        parser.add_argument("--json", action="store_true", dest="as_json", help=gettext("Print JSON."))

    def act(self, *, year: int, tempo: str, section: str, as_json: bool, **_: Any) -> None:
        rows = youth_team_rows(year, tempo, section)
        if as_json:
            self.stdout.write(json.dumps({"rows": rows}, ensure_ascii=False, indent=1))
            return
        for line in table_lines(rows):
            self.stdout.write(line)
