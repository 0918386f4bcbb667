import sys
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from ratings.models import RatingList
from ratings.publishing.export_list import FORMATS, export_changes, export_list
from reporting.management.office import OfficeCommand, parse_list_day


class Command(OfficeCommand):
    help = _("Write a published list, or its changes, as CSV, JSON, text or XLSX.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("pool", nargs="?", default=settings.DEFAULT_POOL)
        parser.add_argument(
            "--in-force", type=parse_list_day, metavar="YYYY-MM-DD", help=gettext("Default: the newest list.")
        )
        parser.add_argument("--revision", type=int, help=gettext("Default: the newest."))
        parser.add_argument(
            "--list", dest="form", default=None, help="full, official, women, …, club:020032, federation:CODE"
        )
        parser.add_argument("--format", dest="file_format", choices=FORMATS, default="csv")
        parser.add_argument(
            "--changes",
            action="store_true",
            help=gettext("Every tournament of every player, with the figures of the formula."),
        )
        parser.add_argument("--output", help=gettext("A file; default: standard output."))

    def act(
        self,
        *,
        pool: str,
        in_force: date | None,
        revision: int | None,
        form: str | None,
        file_format: str,
        changes: bool,
        output: str | None,
        **_: Any,
    ) -> None:
        if changes and form is not None:
            raise CommandError(
                gettext("Changes are those of the whole list. Use either --list or --changes.")
            )
        lists = RatingList.objects.select_related("pool").filter(state=RatingList.State.PUBLISHED)
        for word, wanted in (("pool__code", pool), ("in_force", in_force), ("revision", revision)):
            lists = lists if wanted is None else lists.filter(**{word: wanted})
            if not lists.exists():
                raise CommandError(
                    gettext("There is no published list of %(field)s %(value)s.")
                    % {"field": word.removesuffix("__code"), "value": wanted}
                )
        rating_list = lists.order_by("-in_force", "-revision")[0]
        content = (
            export_changes(rating_list=rating_list, file_format=file_format)
            if changes
            else export_list(rating_list=rating_list, form=form or "full", file_format=file_format)
        )
        if output:
            Path(output).write_bytes(content)
            self.stdout.write(
                gettext("%(file)s: %(list)s revision %(revision)s, %(size)s bytes.")
                % {
                    "file": output,
                    "list": rating_list.address,
                    "revision": rating_list.revision,
                    "size": len(content),
                }
            )
        else:
            sys.stdout.buffer.write(content)
