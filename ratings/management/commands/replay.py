from datetime import date
from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from ratings.models import Pool
from ratings.office.selectors.forecast import read_only_snapshot
from ratings.office.selectors.recalculated.replay import (
    ReplayedList,
    ReplayedRating,
    replay_lists,
    replayable_lists,
)
from reporting.management.office import OfficeCommand, parse_list_day


class Command(OfficeCommand):
    help = _(
        "Recalculate published lists under another edition of the rules, in memory, and show what would differ."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("pool")
        parser.add_argument(
            "--rules", dest="edition", required=True, metavar="EDITION", help=gettext("Name of the edition.")
        )
        parser.add_argument(
            "--from",
            dest="since",
            type=parse_list_day,
            metavar="YYYY-MM-DD",
            help=gettext(
                "The first list replayed is the first one in force on this day or later. Default: the first."
            ),
        )

    def act(self, *, pool: str, edition: str, since: date | None, **_: Any) -> None:
        found = Pool.objects.filter(code=pool).first()
        if found is None:
            raise CommandError(gettext("There is no pool %(pool)s.") % {"pool": pool})
        editions = {rules.id: rules for rules in found.rating_system.editions}
        if edition not in editions:
            raise CommandError(
                gettext("There is no edition %(edition)s. Known editions: %(known)s.")
                % {"edition": edition, "known": ", ".join(editions)}
            )
        with read_only_snapshot():
            lists = [
                rating_list
                for rating_list in replayable_lists(found)
                if since is None or rating_list.in_force >= since
            ]
            replayed = replay_lists(found, editions[edition], lists)
        self.stdout.write(
            ngettext(
                "%(pool)s, %(edition)s: %(count)s list replayed. Nothing is stored.",
                "%(pool)s, %(edition)s: %(count)s lists replayed. Nothing is stored.",
                len(replayed),
            )
            % {"pool": pool, "edition": edition, "count": len(replayed)}
        )
        if replayed:
            self.print_table(replayed)

    def print_table(self, replayed: list[ReplayedList]) -> None:
        """One line for each list, in columns; positions are those of the official list."""
        table = [
            [
                gettext("list"), gettext("players"), gettext("differ"), gettext("mean"), gettext("spread"),
                gettext("largest up"), gettext("largest down"), gettext("moved by 1"), gettext("by 2 to 5"),
                gettext("by more"), gettext("new"), gettext("removed"),
            ],
            *(
                [
                    f"{found.rating_list.in_force}/r{found.rating_list.revision}", str(found.players),
                    str(found.differing), f"{found.mean:+.2f}", f"{found.spread:.2f}",
                    shown(found.largest_up), shown(found.largest_down), str(found.moved_by_1),
                    str(found.moved_by_2_to_5), str(found.moved_by_more), str(found.new_on_official),
                    str(found.removed_from_official),
                ]
                for found in replayed
            ),
        ]  # fmt: skip
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for line in table:
            cells = [cell.rjust(width) for cell, width in zip(line, widths, strict=True)]
            self.stdout.write("  ".join(cells))
        positions = gettext("Moved, new, removed: positions on the official list.")
        carried = gettext("A carried correction adds the points that it added when it was published.")
        self.stdout.write(f"{positions} {carried}")


def shown(rating: ReplayedRating | None) -> str:
    """Number of the player, published and replayed rating."""
    return f"{rating.register_number}: {rating.before} → {rating.after}" if rating else "–"
