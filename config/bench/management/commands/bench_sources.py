"""The import of a list of FIDE, its bytes in the database, and ratings read from it next to a list's calculation."""

from typing import Any

from django.core.management import BaseCommand, CommandParser

from config.bench.database import scratch_database
from config.bench.season import Scale
from config.bench.sources import LINES, measure_sources


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--lines", type=int, default=LINES)
        parser.add_argument("--rounds", type=int, default=7, help="Pairs to measure (default 7, at most 12).")
        parser.set_defaults(scale=Scale(15_000, 60_000))

    def handle(self, *, scale: Scale, lines: int, rounds: int, **_: Any) -> None:
        with scratch_database() as owner:
            for line in measure_sources(owner, scale, lines, rounds):
                self.stdout.write(line)
                self.stdout.flush()
