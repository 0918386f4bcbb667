import json
from pathlib import Path
from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from reporting.formats.pairing.entrants_file import read_round_robin
from reporting.management.office import OfficeCommand
from reporting.reports.pairing.answers import invalid_json
from reporting.rules.pairing.matching import SECONDS_OF_A_COMMAND, TooCostlyError, limited_time
from reporting.rules.pairing.round_robin import RoundRobin, draw_round_robin


class Command(OfficeCommand):
    help = _("Draw the numbers of a round robin: players of one federation meet early. Stores nothing.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--double", action="store_true", help=gettext("Two games of each pair."))
        parser.add_argument(
            "--seed",
            type=int,
            default=1,
            metavar="K",
            help=gettext("The lot (default 1): the same seed, the same lot."),
        )
        parser.add_argument("--json", action="store_true", dest="as_json", help=gettext("Print JSON."))

    def act(self, *, file: str, double: bool, seed: int, as_json: bool, **_: Any) -> None:
        federations, findings = read_round_robin(Path(file).read_bytes())
        if federations is None:
            if as_json:
                self.stdout.write(json.dumps(invalid_json(findings), ensure_ascii=False))
            else:
                self.print_findings(findings)
            raise CommandError(gettext("The file has errors, so no numbers were drawn."), returncode=2)
        try:
            with limited_time(SECONDS_OF_A_COMMAND):
                drawn = draw_round_robin(federations, seed, double=double)
        except TooCostlyError:
            raise CommandError(
                gettext("The lot takes more than %(seconds)s seconds. Try another seed.")
                % {"seconds": SECONDS_OF_A_COMMAND},
                returncode=2,
            ) from None
        if as_json:
            values = {
                "numbers": drawn.numbers,
                "rounds": drawn.rounds,
                "late": len(drawn.late),
                "late_games": drawn.late,
            }
            self.stdout.write(json.dumps(values))
        else:
            self._print(drawn)

    def _print(self, drawn: RoundRobin) -> None:
        for number, player in drawn.numbers.items():
            self.stdout.write(
                gettext("Number %(number)s: player %(player)s") % {"number": number, "player": player}
            )
        for round_, pairs in enumerate(drawn.rounds, start=1):
            games = "  ".join(f"{white}–{black}" for white, black in pairs)
            self.stdout.write(gettext("Round %(round)s: %(games)s") % {"round": round_, "games": games})
        if not drawn.late:
            self.stdout.write(gettext("Players of one federation meet in the first half."))
            return
        late = ngettext(
            "%(count)s game of one federation after the first half, the fewest possible: %(games)s",
            "%(count)s games of one federation after the first half, the fewest possible: %(games)s",
            len(drawn.late),
        )
        games = ", ".join(
            gettext("%(white)s–%(black)s in round %(round)s")
            % {"white": white, "black": black, "round": round_}
            for round_, white, black in drawn.late
        )
        self.stdout.write(late % {"count": len(drawn.late), "games": games})
