import json
from argparse import ArgumentTypeError
from itertools import islice
from typing import Any

from django.core.management import CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.management.office import OfficeCommand, whole_between
from titles.federations.fmjd.championships.selectors import reserves_of_year
from titles.federations.fmjd.world_cup.inputs import FIRST_YEAR, LAST_YEAR
from titles.federations.fmjd.world_cup.standings import reserve_rows, table_lines


def parse_length(text: str) -> int:
    """A length of a list, from 1 on."""
    length = int(text)
    if length < 1:
        raise ArgumentTypeError(
            gettext("%(text)s is not a length: enter a whole number from 1 on") % {"text": text}
        )
    return length


class Command(OfficeCommand):
    help = _("Print the global reserve list of a year, from World Cup and rating list. Stores nothing.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "year", type=whole_between(FIRST_YEAR, LAST_YEAR), help=gettext("The year of the championship.")
        )
        parser.add_argument("--women", action="store_true", help=gettext("The list of the women."))
        parser.add_argument("--length", type=parse_length, help=gettext("Only so many rows."))
        parser.add_argument("--json", action="store_true", dest="as_json", help=gettext("Print JSON."))

    def act(self, *, year: int, women: bool, length: int | None, as_json: bool, **_: Any) -> None:
        rows = reserve_rows(list(islice(reserves_of_year(year, women=women), length)))
        if as_json:
            self.stdout.write(json.dumps({"rows": rows}, ensure_ascii=False, indent=1))
            return
        for line in table_lines(rows):
            self.stdout.write(line)
