import json
from datetime import date
from typing import Any

from django.conf import settings
from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from ratings.models import Pool
from reporting.management.office import OfficeCommand, parse_list_day
from reporting.models import ResultSet
from titles.norms.explain import explained_search, search_as_json
from titles.queries.search_norms import norms_of_period, norms_of_tournament


class Command(OfficeCommand):
    help = _("Find the norms and automatic titles of a tournament or of a period. Stores nothing.")

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--tournament", metavar="CODE", help=gettext("The code of the tournament."))
        which.add_argument(
            "--pool",
            metavar="CODE",
            nargs="?",
            const=settings.DEFAULT_POOL,
            help=gettext("The pool; with --closing."),
        )
        parser.add_argument(
            "--closing",
            type=parse_list_day,
            metavar="YYYY-MM-DD",
            help=gettext("The closing date of the period."),
        )
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--explain", action="store_true", help=gettext("Print each requirement."))
        form.add_argument("--json", action="store_true", dest="as_json", help=gettext("Print JSON."))

    def act(
        self,
        *,
        tournament: str | None,
        pool: str | None,
        closing: date | None,
        explain: bool,
        as_json: bool,
        **_: Any,
    ) -> None:
        if tournament is not None:
            results = ResultSet.objects.filter(tournament__code=tournament)
            found = results.order_by("-revision").first()
            if found is None:
                raise CommandError(gettext("There is no tournament %(code)s.") % {"code": tournament})
            if results.filter(part__gt=1).exists():
                raise CommandError(
                    gettext("%(code)s is reported in parts. Norms are found in tournaments with one report.")
                    % {"code": tournament}
                )
            search = norms_of_tournament(found)
        else:
            of = Pool.objects.filter(code=pool).first()
            if of is None:
                raise CommandError(gettext("There is no pool %(pool)s.") % {"pool": pool})
            if closing is None:
                raise CommandError(gettext("--closing is required with --pool."))
            search = norms_of_period(of, closing)
        if search is None:
            raise CommandError(gettext("There are no rules of titles for these games."))
        if as_json:
            self.stdout.write(json.dumps(search_as_json(search), ensure_ascii=False, indent=1))
        else:
            for line in explained_search(search, with_requirements=explain):
                self.stdout.write(line)
