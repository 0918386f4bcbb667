import json
from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from ratings.formats.tables import csv_file
from ratings.models import Pool
from ratings.office.selectors.forecast import read_only_snapshot
from ratings.office.selectors.recalculated.compare_rules import (
    LARGEST,
    ComparedRating,
    ComparedRules,
    comparable_pools,
    compare_rules,
)
from ratings.published.selectors.statistics.distribution import difference_ranges
from ratings.queries.lists import all_pools
from reporting.management.office import OfficeCommand


class Command(OfficeCommand):
    help = _(
        "Recalculate the newest lists of a pool by the rules of another pool, in memory, and compare them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--pool", required=True, help=gettext("The pool whose lists are compared."))
        parser.add_argument(
            "--periods", type=int, required=True, metavar="N", help=gettext("The number of its newest lists.")
        )
        parser.add_argument(
            "--with",
            dest="other",
            required=True,
            metavar="POOL",
            help=gettext("The pool whose rules are used."),
        )
        parser.add_argument("--format", choices=("table", "csv", "json"), default="table")

    def act(self, *, pool: str, periods: int, other: str, format: str, **_: Any) -> None:
        rated, ruling = _pool_of(pool, all_pools()), _pool_of(other, comparable_pools())
        with read_only_snapshot():
            found = compare_rules(rated, ruling, periods)
            if format == "csv":
                self.stdout.write(csv_file(ComparedRating._fields, found.rows()).decode(), ending="")
            elif format == "json":
                self.stdout.write(json.dumps(json_of(found), ensure_ascii=False, indent=2))
            else:
                self.print_table(found)

    def print_table(self, found: ComparedRules) -> None:
        """Figures of all players, the largest differences in columns, and what was assumed."""
        values = {"pool": found.pool, "other": found.other, "count": len(found.lists)}
        title = ngettext(
            "%(pool)s by the rules of %(other)s: %(count)s list recalculated. Nothing is stored.",
            "%(pool)s by the rules of %(other)s: %(count)s lists recalculated. Nothing is stored.",
            len(found.lists),
        )
        self.stdout.write(title % values)
        figures = gettext(
            "Players: %(players)s. Different: %(changed)s. Mean: %(mean)s. Standard deviation: %(deviation)s."
        )
        self.stdout.write(
            figures
            % {
                "players": found.players,
                "changed": found.changed,
                "mean": f"{found.mean:+.2f}",
                "deviation": f"{found.standard_deviation:.2f}",
            }
        )
        largest = [row for row in found.rows(LARGEST) if row.difference]
        heads = [
            gettext("id"), gettext("name"), gettext("federation"), gettext("games"), gettext("rating"),
            gettext("other"), gettext("difference"),
        ]  # fmt: skip
        table = [heads, *([*map(str, row[:-1]), f"{row.difference:+}"] for row in largest)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for line in table if largest else ():
            cells = [cell.rjust(width) for cell, width in zip(line, widths, strict=True)]
            self.stdout.write("  ".join(cells))
        for sentence in assumptions_of(found):
            self.stdout.write(f"- {sentence}")


def json_of(found: ComparedRules) -> dict[str, Any]:
    """The comparison as JSON: players without a difference are a range of the distribution too."""
    unchanged = (0, 0, found.players - found.changed)
    rows = [row._asdict() for row in found.rows()]
    return {
        "pool": found.pool.code,
        "with": found.other.code,
        "lists": [rating_list.in_force.isoformat() for rating_list in found.lists],
        "players": found.players,
        "mean": round(found.mean, 4),
        "standard_deviation": round(found.standard_deviation, 4),
        "changed": found.changed,
        "largest": rows[:LARGEST],
        "distribution": [
            {"from": first, "to": last, "players": players}
            for first, last, players in sorted([unchanged, *difference_ranges(found.differences)])
        ],
        "assumptions": assumptions_of(found),
        "rows": rows,
    }


def assumptions_of(found: ComparedRules) -> list[str]:
    """What was assumed, and how many players are not compared, as sentences."""
    sentences = [gettext(sentence) for sentence in found.assumptions]
    if found.without_rating:
        sentences.append(
            ngettext(
                "%(count)s player without a rating by these rules is left out.",
                "%(count)s players without a rating by these rules are left out.",
                found.without_rating,
            )
            % {"count": found.without_rating}
        )
    return sentences


def _pool_of(code: str, pools: list[Pool]) -> Pool:
    for pool in pools:
        if pool.code == code:
            return pool
    raise CommandError(
        gettext("There is no pool %(pool)s. Known pools: %(known)s.")
        % {"pool": code, "known": ", ".join(pool.code for pool in pools)}
    )
