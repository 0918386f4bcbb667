"""The stages of a quarter next to the raw limit of the same columns, and the naive way, all in one run."""

import argparse
from itertools import chain
from typing import Any

from django.core.management import BaseCommand, CommandParser

from config.bench.change_rows import measure_change_rows
from config.bench.database import scratch_database
from config.bench.season import Scale
from config.bench.whole_quarter import measure


def scale(text: str) -> Scale:
    try:
        players, games = map(int, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError("two numbers with a comma between: players,games") from None
    if players < 100 or games < 60:
        raise argparse.ArgumentTypeError("at least 100 players and 60 games")
    return Scale(players, games)


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--scale", type=scale, default=Scale(15_000, 60_000), metavar="PLAYERS,GAMES")
        parser.add_argument("--rounds", type=int, default=7, help="Pairs to measure (default 7).")
        parser.add_argument("--sample", type=int, default=150, help="Players rated one by one (default 150).")

    def handle(self, *, scale: Scale, rounds: int, sample: int, **_: Any) -> None:
        with scratch_database() as owner:
            lines = chain(measure(owner, scale, rounds, sample), measure_change_rows(scale.games, rounds))
            for line in lines:
                self.stdout.write(line)
                self.stdout.flush()
