import sys
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management import CommandError, CommandParser

from ratings.models import RatingList
from ratings.services.export_list import FORMATS, export_changes, export_list
from reporting.management.office import OfficeCommand


class Command(OfficeCommand):
    help = "Write a published list, or its changes, as CSV, JSON, text or XLSX."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("pool", nargs="?", default="fmjd-100")
        parser.add_argument(
            "--in-force", type=date.fromisoformat, metavar="YYYY-MM-DD", help="Default: the newest list."
        )
        parser.add_argument("--revision", type=int, help="Default: the newest.")
        parser.add_argument(
            "--list", dest="form", default="full", help="full, official, women, …, federation:CODE."
        )
        parser.add_argument("--format", dest="file_format", choices=FORMATS, default="csv")
        parser.add_argument(
            "--changes", action="store_true", help="Every event of every player, with the formula's figures."
        )
        parser.add_argument("--output", help="A file; default: standard output.")

    def act(
        self,
        *,
        pool: str,
        in_force: date | None,
        revision: int | None,
        form: str,
        file_format: str,
        changes: bool,
        output: str | None,
        **_: Any,
    ) -> None:
        lists = RatingList.objects.select_related("pool").filter(
            pool__code=pool, state=RatingList.State.PUBLISHED
        )
        if in_force is not None:
            lists = lists.filter(in_force=in_force)
        if revision is not None:
            lists = lists.filter(revision=revision)
        rating_list = lists.order_by("-in_force", "-revision").first()
        if rating_list is None:
            raise CommandError("There is no such published list.")
        content = (
            export_changes(rating_list=rating_list, file_format=file_format)
            if changes
            else export_list(rating_list=rating_list, form=form, file_format=file_format)
        )
        if output:
            Path(output).write_bytes(content)
            self.stdout.write(
                f"{output}: {rating_list.address} revision {rating_list.revision}, {len(content)} bytes."
            )
        else:
            sys.stdout.buffer.write(content)
