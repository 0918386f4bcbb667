import json
from pathlib import Path
from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.formats.pairing.pairing_file import MAX_ROUNDS, read_pairing_file
from reporting.management.office import OfficeCommand, whole_between
from reporting.reports.pairing.answers import (
    impossible_text,
    invalid_json,
    reason_text,
    round_json,
    too_costly_json,
    too_costly_text,
)
from reporting.rules.pairing.matching import SECONDS_OF_A_COMMAND, TooCostlyError, limited_time
from reporting.rules.pairing.pair_round import ImpossibleRound, PairedRound, pair_round
from reporting.rules.regulations.editions import edition_on


class Command(OfficeCommand):
    help = _("Pair the next round of Swiss tournaments, with a reason for each pair. Stores nothing.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument(
            "--round",
            type=whole_between(1, MAX_ROUNDS),
            metavar="N",
            help=gettext("The round (default: that of the file, else the next one)."),
        )
        parser.add_argument("--json", action="store_true", dest="as_json", help=gettext("Print JSON."))

    def act(self, *, files: list[str], round: int | None, as_json: bool, **_: Any) -> None:
        refused = 0
        least_rounds = edition_on(timezone.localdate()).min_rounds
        for name in files:
            reading = read_pairing_file(Path(name).read_bytes(), round_=round, least_rounds=least_rounds)
            if reading.tournament is None:
                refused += 1
                if as_json:
                    self._print_json(invalid_json(reading.findings))
                else:
                    self.print_findings(reading.findings)
                continue
            self.print_findings(reading.findings)
            try:
                with limited_time(SECONDS_OF_A_COMMAND):
                    answer = pair_round(reading.tournament)
            except TooCostlyError:
                refused += 1
                if as_json:
                    self._print_json(too_costly_json(reading.tournament.round))
                else:
                    self.stdout.write(too_costly_text(reading.tournament.round))
                continue
            refused += isinstance(answer, ImpossibleRound)
            if as_json:
                self._print_json(round_json(answer))
            else:
                self._print(answer)
        if refused:
            raise CommandError(
                gettext("%(refused)s of %(files)s files could not be paired.")
                % {"refused": refused, "files": len(files)},
                returncode=2,
            )

    def _print_json(self, answer: dict[str, Any]) -> None:
        self.stdout.write(json.dumps(answer, ensure_ascii=False))

    def _print(self, answer: PairedRound | ImpossibleRound) -> None:
        if isinstance(answer, ImpossibleRound):
            self.stdout.write(impossible_text(answer))
            return
        self.stdout.write(gettext("Round %(round)s") % {"round": answer.round})
        for pair in answer.pairs:
            floats = pair.scores[0] != pair.scores[1]
            why = " ".join(
                reason_text(reason, floats=floats and place == 0) for place, reason in enumerate(pair.why)
            )
            self.stdout.write(f"{pair.board:3}  {pair.white:4} – {pair.black:<4}  {why}".rstrip())
        if answer.pause is not None:
            why = " ".join(map(reason_text, answer.why_pause))
            self.stdout.write(f"{gettext('Pause')}: {answer.pause}  {why}")
