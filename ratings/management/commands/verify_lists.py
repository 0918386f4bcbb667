from typing import Any

from django.core.management import CommandError, CommandParser
from django.db import connection, transaction

from ratings.models import Pool
from ratings.publishing.verify_lists import verify_lists
from reporting.management.office import OfficeCommand


class Command(OfficeCommand):
    help = "Compare every published list with its files, digests, reports and histories. Nothing is written."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--pool", help="One pool only, by its code; default: all.")
        parser.add_argument(
            "--recalculate", action="store_true", help="Also read the inputs and recalculate every figure."
        )

    def act(self, *, pool: str | None, recalculate: bool, **_: Any) -> None:
        found = None if pool is None else Pool.objects.filter(code=pool).first()
        if pool is not None and found is None:
            raise CommandError(f"There is no pool {pool}.")
        lists = differences = 0
        with transaction.atomic():
            with connection.cursor() as cursor:
                # One snapshot: a list published meanwhile replaces histories of another one.
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            for verified in verify_lists(found, recalculate=recalculate):
                lists += 1
                differences += len(verified.differences)
                compared = ", ".join(f"{number} {what}" for what, number in verified.compared.items())
                self.stdout.write(
                    f"{verified.address}: {compared}: {len(verified.differences) or 'no'} differences"
                )
                for each in verified.differences:
                    self.stderr.write(str(each))
        if differences:
            raise CommandError(f"{differences} differences in {lists} lists.")
        self.stdout.write(f"{lists} lists, all as they were published.")
