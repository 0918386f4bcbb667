"""A season of games in one KNSB list: its engine beside that of the FMJD, by the same games."""

from typing import Any

from django.core.management import BaseCommand, CommandParser

from config.bench.knsb import measure_engines
from config.bench.season import Scale


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rounds", type=int, default=5, help="Pairs to measure (default 5).")
        parser.set_defaults(season=Scale(250_000, 1_500_000))

    def handle(self, *, season: Scale, rounds: int, **_: Any) -> None:
        for line in measure_engines(season, rounds):
            self.stdout.write(line)
            self.stdout.flush()
