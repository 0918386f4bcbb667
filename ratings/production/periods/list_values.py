"""Values of a list: what the officer decides for one list, until its period is frozen."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date

from django.db import transaction
from django.db.models.functions import Now

from ratings.inputs.calculation_inputs import values_of_list
from ratings.models import ListValues, Period, Pool, RatingList
from ratings.policies import check_can_run_period
from ratings.production.imports.import_list import check_list_day
from ratings.rules.declared import ListValue
from reporting.formats.tables.csv_table import TableRow, read_table
from reporting.log.audit import Actor, record
from reporting.models.locks import take_closing_lock
from reporting.refusals.domain_error import DomainError

ARTICLE = "docs/how-to/sources.md"
MOST_ROWS = 1_000


@transaction.atomic
def set_list_values(
    *, pool: Pool, in_force: date, content: bytes, by: Actor, unchanged: Callable[[], None] | None = None
) -> tuple[tuple[int, ...], ...]:
    """Replace the values of the list of a day by the lines of a table; answers them, by rising lines.

    A table with its header alone removes them. The period need not be there yet. `unchanged` is called under the locks
    and raises where the page of the act showed something else (R24a). Raises DomainError `values_refused` with all
    findings, `values_fixed` from the freeze on, `no_values`, `too_far_ahead`, `too_far_back`, `busy`, `forbidden`.
    """
    check_can_run_period(by.user)
    refuse_fixed(pool, in_force)
    rows = read_values(content, pool)
    take_closing_lock()  # a freeze fixes them
    refuse_fixed(pool, in_force)
    if unchanged is not None:
        unchanged()
    before = values_of_list(pool, in_force)
    if rows == before:
        return rows
    values = ListValues.objects.filter(pool=pool, in_force=in_force)
    if rows:
        values.update_or_create(
            pool=pool,
            in_force=in_force,
            defaults={"rows": rows, "set_by": by.user, "set_at": Now(), "by_command": by.by_command},
        )
    else:
        values.delete()
    record(
        by=by,
        action="list.set_values",
        subject=f"list {pool.code}/{in_force.isoformat()}",
        before={"values": values_text(before)},
        after={"values": values_text(rows)},
    )
    return rows


def refuse_fixed(pool: Pool, in_force: date) -> None:
    """Refuse values of a system that has none, and of a list whose period is frozen or that is published. 2 queries.

    Raises DomainError `no_values`, `values_fixed`, `too_far_ahead`, `too_far_back`.
    """
    if not pool.rating_system.declaration.values:
        raise DomainError("no_values", pool=pool.name)
    check_list_day(in_force)
    frozen = Period.objects.filter(pool=pool, in_force=in_force).exclude(state=Period.State.OPEN)
    published = RatingList.objects.filter(pool=pool, in_force=in_force, state=RatingList.State.PUBLISHED)
    if frozen.exists() or published.exists():
        raise DomainError("values_fixed", in_force=in_force)


def read_values(content: bytes, pool: Pool) -> tuple[tuple[int, ...], ...]:
    """The lines of a table with the columns that the system declares, rising by the first.

    Raises DomainError `values_refused` with all findings.
    """
    columns = pool.rating_system.declaration.values
    names = [column.name for column in columns]
    rows, findings = read_table(
        content, required=names, optional=(), aliases={}, most_rows=MOST_ROWS, article=ARTICLE
    )
    lines: dict[int, tuple[int, ...]] = {}

    def number(row: TableRow, name: str, least: int, most: int) -> int:
        if not row.values[name]:
            findings.add("value-missing", line=row.line, field=name)
        return findings.whole_number(row, name, least, most) or 0

    for row in rows:
        line = tuple(number(row, column.name, column.least, column.most) for column in columns)
        if line[0] in lines:
            findings.add("value-repeated", line=row.line, field=names[0], found=str(line[0]))
        lines[line[0]] = line
    if findings.findings:
        raise DomainError("values_refused", findings.in_order())
    return tuple(lines[first] for first in sorted(lines))


def values_table(columns: Sequence[ListValue], rows: Iterable[Sequence[int]]) -> str:
    """Values as the table that `read_values` reads, with its header."""
    lines = [[column.name for column in columns], *rows]
    return "\n".join(",".join(map(str, line)) for line in lines) + "\n"


def values_text(rows: tuple[tuple[int, ...], ...]) -> str:
    """Values in one line, for the audit log: `2009,1200; 2010,1100`."""
    return "; ".join(",".join(map(str, row)) for row in rows)
