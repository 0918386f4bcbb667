"""An ICCF quarter with all games ever behind it, beside reading the columns of its games."""

from typing import Any

from django.core.management import BaseCommand, CommandParser

from config.bench.by_game.iccf import Past, measure_quarter
from config.bench.database import scratch_database
from config.bench.season import Scale


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rounds", type=int, default=5, help="Pairs to measure (default 5).")
        parser.add_argument("--past", type=int, default=5_000_000, help="Games ever (default 5,000,000).")
        # Without pauses and the forfeits, one game in fifty, some 60,000 are left.
        parser.set_defaults(scale=Scale(20_000, 67_000))

    def handle(self, *, scale: Scale, past: int, rounds: int, **_: Any) -> None:
        with scratch_database() as owner:
            for line in measure_quarter(owner, scale, Past(past, 40), rounds):
                self.stdout.write(line)
                self.stdout.flush()
