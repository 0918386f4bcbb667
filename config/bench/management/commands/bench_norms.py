"""The search for norms next to the rating calculation of the same quarter, the raw limit, and the naive way."""

from typing import Any

from django.core.management import BaseCommand, CommandParser

from config.bench.database import scratch_database
from config.bench.norms import SCALE, measure_norms


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rounds", type=int, default=7, help="Pairs to measure (default 7).")
        parser.add_argument(
            "--sample", type=int, default=100, help="Players searched one by one (default 100)."
        )
        parser.set_defaults(scale=SCALE)

    def handle(self, *, scale: Any, rounds: int, sample: int, **_: Any) -> None:
        with scratch_database() as owner:
            for line in measure_norms(owner, scale, rounds, sample):
                self.stdout.write(line)
                self.stdout.flush()
