import json
from pathlib import Path
from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.formats.pairing.entrants_file import read_championship
from reporting.management.office import OfficeCommand
from reporting.reports.pairing.answers import invalid_json
from reporting.rules.regulations.championship_of_40 import (
    FINAL_ROUNDS,
    Entrant,
    Finalist,
    final_numbers,
    groups_of_40,
)


class Command(OfficeCommand):
    help = _("Make the groups of a championship of 40 players, or the numbers of its final. Stores nothing.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument(
            "--seed", type=int, default=1, metavar="K", help=gettext("The lot of the final (default 1).")
        )
        parser.add_argument("--json", action="store_true", dest="as_json", help=gettext("Print JSON."))

    def act(self, *, file: str, seed: int, as_json: bool, **_: Any) -> None:
        rows, findings = read_championship(Path(file).read_bytes())
        if rows is None:
            if as_json:
                self.stdout.write(json.dumps(invalid_json(findings), ensure_ascii=False))
            else:
                self.print_findings(findings)
            raise CommandError(gettext("The file has errors, so no groups were made."), returncode=2)
        entrants = [row for row in rows if isinstance(row, Entrant)]
        finalists = [row for row in rows if isinstance(row, Finalist)]
        answer: dict[str, Any] = (
            {"groups": groups_of_40(entrants)}
            if entrants
            else {"numbers": final_numbers(finalists, seed), "rounds": FINAL_ROUNDS}
        )
        if as_json:
            self.stdout.write(json.dumps(answer))
            return
        for group, numbers in answer.get("groups", {}).items():
            players = " ".join(map(str, numbers))
            self.stdout.write(gettext("Group %(group)s: %(players)s") % {"group": group, "players": players})
        for number, player in answer.get("numbers", {}).items():
            self.stdout.write(
                gettext("Number %(number)s: player %(player)s") % {"number": number, "player": player}
            )
        for round_, pairs in enumerate(answer.get("rounds", ()), start=1):
            games = "  ".join(f"{white}–{black}" for white, black in pairs)
            self.stdout.write(gettext("Round %(round)s: %(games)s") % {"round": round_, "games": games})
