import json
from pathlib import Path
from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.formats.pairing.pairing_file import MAX_ROUNDS
from reporting.management.office import OfficeCommand, whole_between
from reporting.reports.pairing.answers import broken_text, invalid_json, judged_json, objective_text
from reporting.reports.pairing.read_tournament import read_paired_tournament
from reporting.rules.pairing.judge_round import JudgedRound, judge_rounds
from reporting.rules.pairing.matching import SECONDS_OF_A_COMMAND, TooCostlyError, limited_time
from reporting.rules.pairing.pair_round import MissingRatingsError
from reporting.rules.pairing.tournament import SYSTEMS, Acceleration, Colours


class Command(OfficeCommand):
    help = _("Judge the rounds of a Swiss tournament, from JSON or a report file. Stores nothing.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument(
            "--round",
            type=whole_between(1, MAX_ROUNDS),
            metavar="N",
            help=gettext("This round only."),
        )
        parser.add_argument("--json", action="store_true", dest="as_json", help=gettext("Print JSON."))
        of_reports = parser.add_argument_group(gettext("of a report file"))
        of_reports.add_argument("--system", choices=list(SYSTEMS), default="rating")
        of_reports.add_argument("--colours", choices=list(Colours), default=Colours.NONE)
        of_reports.add_argument("--no-floats", action="store_true")
        of_reports.add_argument("--acceleration", choices=list(Acceleration), default=Acceleration.NONE)
        of_reports.add_argument("--first-round", choices=("rating", "lot"))

    def act(self, *, file: str, round: int | None, as_json: bool, **options: Any) -> None:
        reading = read_paired_tournament(
            Path(file).read_bytes(),
            system=options["system"],
            colours=options["colours"],
            has_floats=not options["no_floats"],
            acceleration=options["acceleration"],
            first_round=options["first_round"],
        )
        if reading.tournament is None:
            if as_json:
                self.stdout.write(json.dumps(invalid_json(reading.findings), ensure_ascii=False))
            else:
                self.print_findings(reading.findings)
            raise CommandError(gettext("The file could not be read as a paired tournament."), returncode=2)
        judged = []
        try:
            with limited_time(SECONDS_OF_A_COMMAND):
                for judgement in judge_rounds(reading.tournament):
                    if round in (None, judgement.round):
                        judged.append(judgement)
        except TooCostlyError:
            raise CommandError(
                gettext(
                    "The check takes more than %(seconds)s seconds. Leave out forbidden pairs that cannot meet."
                )
                % {"seconds": SECONDS_OF_A_COMMAND},
                returncode=2,
            ) from None
        except MissingRatingsError as missing:
            raise CommandError(
                gettext("Players without a rating: %(numbers)s. Give estimates, or choose a Solkoff system.")
                % {"numbers": missing},
                returncode=2,
            ) from None
        for judgement in judged:
            if as_json:
                self.stdout.write(json.dumps(judged_json(judgement), ensure_ascii=False))
            else:
                self._print(judgement)

    def _print(self, judged: JudgedRound) -> None:
        if judged.is_same:
            text = gettext("the best pairing")
        elif judged.best is None:
            text = gettext("these players cannot be paired")
        else:
            text = gettext("%(count)s pairs differ from the best pairing: %(pairs)s") % {
                "count": len(judged.differences),
                "pairs": ", ".join(f"{white}–{black}" for white, black in judged.differences),
            }
        if judged.best is not None and not judged.is_same:
            text += gettext(" (%(own)s; the best one: %(best)s)") % {
                "own": objective_text(judged.objective),
                "best": objective_text(judged.best),
            }
        hard = " ".join(map(broken_text, judged.hard))
        self.stdout.write(
            gettext("Round %(round)s: %(text)s.") % {"round": judged.round, "text": text} + f" {hard}"
        )
