from typing import Any

from django.core.management import CommandError, CommandParser
from django.db import connection, transaction
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from ratings.models import Pool
from ratings.publishing.verification.other_publications import verify_other_publications
from ratings.publishing.verification.verification_texts import COMPARED
from ratings.publishing.verification.verify_lists import verify_lists
from reporting.management.office import OfficeCommand
from reporting.rules.sentences import sentence


class Command(OfficeCommand):
    help = _(
        "Compare every published list with its files, digests, reports and histories. Nothing is written."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--pool", help=gettext("One pool only, by its code; default: all."))
        parser.add_argument(
            "--recalculate",
            action="store_true",
            help=gettext("Also read the inputs and recalculate every figure."),
        )

    def act(self, *, pool: str | None, recalculate: bool, **_: Any) -> None:
        one_pool = None if pool is None else Pool.objects.filter(code=pool).first()
        if pool is not None and one_pool is None:
            raise CommandError(gettext("There is no pool %(pool)s.") % {"pool": pool})
        lists = differences = 0
        with transaction.atomic():
            with connection.cursor() as cursor:
                # One snapshot: a list published meanwhile replaces histories of another one.
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            for verified in verify_lists(one_pool, recalculate=recalculate):
                lists += 1
                differences += len(verified.differences)
                compared = ", ".join(
                    sentence(COMPARED[what], {"count": number}) for what, number in verified.compared.items()
                )
                found = len(verified.differences)
                self.stdout.write(
                    (
                        ngettext(
                            "%(list)s: %(compared)s: %(differences)s difference",
                            "%(list)s: %(compared)s: %(differences)s differences",
                            found,
                        )
                        if found
                        else gettext("%(list)s: %(compared)s: no differences")
                    )
                    % {"list": verified.address, "compared": compared, "differences": found}
                )
                for difference in verified.differences:
                    self.stderr.write(str(difference))
            if one_pool is None:
                differences += self.verify_others()
        if differences:
            raise CommandError(
                gettext("%(differences)s differences in %(lists)s lists.")
                % {"differences": differences, "lists": lists}
            )
        self.stdout.write(gettext("%(lists)s lists, all as they were published.") % {"lists": lists})

    def verify_others(self) -> int:
        """Print what else is published, with its differences; returns how many."""
        differences = 0
        for address, found in verify_other_publications():
            differences += len(found)
            text = (
                ngettext(
                    "%(address)s: %(count)s difference", "%(address)s: %(count)s differences", len(found)
                )
                if found
                else gettext("%(address)s: no differences")
            )
            self.stdout.write(text % {"address": address, "count": len(found)})
            for difference in found:
                self.stderr.write(difference)
        return differences
