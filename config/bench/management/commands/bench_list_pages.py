"""Pages of a short and of a long list, side by side in one run."""

from typing import Any

from django.core.management import BaseCommand, CommandParser

from config.bench.list_pages import measure_list_pages


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--players", type=int, nargs="+", default=[5_400, 54_000], help="Size of the registers."
        )
        parser.add_argument("--rounds", type=int, default=7, help="Times each page is made (default 7).")

    def handle(self, *, players: list[int], rounds: int, **_: Any) -> None:
        for line in measure_list_pages(players, rounds):
            self.stdout.write(line)
            self.stdout.flush()
