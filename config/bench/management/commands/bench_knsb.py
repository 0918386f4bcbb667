"""A season of games in one KNSB list: its engine beside that of the FMJD, and the whole list beside the raw limit."""

from itertools import chain
from typing import Any

from django.core.management import BaseCommand, CommandParser

from config.bench.by_game.engines import measure_engines
from config.bench.by_game.whole_list import measure_list
from config.bench.database import scratch_database
from config.bench.season import Scale


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rounds", type=int, default=5, help="Pairs to measure (default 5).")
        parser.set_defaults(season=Scale(250_000, 1_500_000), scale=Scale(20_000, 120_000))

    def handle(self, *, season: Scale, scale: Scale, rounds: int, **_: Any) -> None:
        with scratch_database() as owner:
            for line in chain(measure_list(owner, scale, rounds), measure_engines(season, rounds)):
                self.stdout.write(line)
                self.stdout.flush()
