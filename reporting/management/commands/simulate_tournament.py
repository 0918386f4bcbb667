from argparse import ArgumentTypeError
from pathlib import Path
from random import Random
from typing import Any

from django.core.management import CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.formats.pairing.pairing_file import MAX_PLAYERS, MAX_ROUNDS, write_pairing_file
from reporting.formats.trf.write_trf16 import write_trf16
from reporting.management.office import OfficeCommand, whole_between
from reporting.reports.pairing.as_report import as_report
from reporting.rules.pairing.studies.simulate import Rates, random_players, simulate
from reporting.rules.pairing.tournament import PAUSE, SYSTEMS, Acceleration, Colours, Tournament


def share(text: str) -> float:
    """A rate from 0 to 1."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= 1:
        raise ArgumentTypeError(gettext("%(text)s is not a rate from 0 to 1") % {"text": text})
    return value


class Command(OfficeCommand):
    help = _(
        "Write a random Swiss tournament, paired, as JSON or (FILE.trf) TRF16. The same seed, the same file."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--system", choices=list(SYSTEMS), required=True)
        parser.add_argument("--players", type=whole_between(2, MAX_PLAYERS), metavar="N", required=True)
        parser.add_argument("--rounds", type=whole_between(1, MAX_ROUNDS), metavar="R", required=True)
        parser.add_argument("--seed", type=int, metavar="K", required=True)
        parser.add_argument("--colours", choices=list(Colours), default=Colours.NONE)
        parser.add_argument("--acceleration", choices=list(Acceleration), default=Acceleration.NONE)
        for name, value in vars(Rates()).items():
            parser.add_argument(f"--{name}", type=share, default=value, metavar="P")
        parser.add_argument("--out", required=True, metavar="FILE")

    def act(
        self,
        *,
        system: str,
        players: int,
        rounds: int,
        seed: int,
        colours: str,
        acceleration: str,
        out: str,
        **options: Any,
    ) -> None:
        rates = Rates(**{name: options[name] for name in vars(Rates())})
        random = Random(seed)  # noqa: S311 (a simulation)
        tournament = simulate(
            Tournament(
                system=SYSTEMS[system],
                players=random_players(players, rounds, rates, random),
                rounds=rounds,
                colours=Colours(colours),
                acceleration=Acceleration(acceleration),
                first_round_by_rating=SYSTEMS[system].by_rating,
            ),
            rates,
            random,
        )
        is_trf = Path(out).suffix.lower() == ".trf"
        text = (
            write_trf16(as_report(tournament, name=f"Simulated tournament {seed}", names={}))
            if is_trf
            else write_pairing_file(tournament)
        )
        Path(out).write_text(text, encoding="utf-8")
        self.stdout.write(
            gettext("%(file)s: %(players)s players, %(rounds)s rounds, %(games)s games.")
            % {
                "file": out,
                "players": players,
                "rounds": tournament.round - 1,
                "games": sum(game.black != PAUSE for game in tournament.games),
            }
        )
