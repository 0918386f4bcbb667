import json
from pathlib import Path
from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.management.office import OfficeCommand
from titles.federations.fmjd.world_cup.qualification_file import qualification_answer, read_qualification_file
from titles.federations.fmjd.world_cup.standings import table_lines


class Command(OfficeCommand):
    help = _(
        "Fill the places of a world championship from a TOML file, lists and accepted reports. Stores nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE.toml", help=gettext("The TOML file."))
        parser.add_argument("--json", action="store_true", dest="as_json", help=gettext("Print JSON."))

    def act(self, *, file: Path, as_json: bool, **_: Any) -> None:
        given, problems = read_qualification_file(file.read_bytes())
        if given is None:
            for problem in problems:
                self.stderr.write(problem)
            raise CommandError(gettext("The file cannot be used. Nothing was calculated."))
        answer = qualification_answer(given)
        if as_json:
            self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=1))
            return
        self.stdout.write(gettext("Group A: %(codes)s") % {"codes": ", ".join(answer["group_a"])})
        for rows in (answer["places"], answer["findings"], answer["reserves"]):
            for line in ("", *table_lines(rows)):
                self.stdout.write(line)
