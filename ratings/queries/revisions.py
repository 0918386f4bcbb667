"""The differences between a revision and the list it replaces: figures row by row, and tournaments."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection
from psycopg import sql

from ratings.federations.facet import RatingSystem
from ratings.models import Correction, Period, PeriodReport, RatingList
from reporting.reports.selectors.parts import mark_parts


def correction_under_way(period: Period) -> Correction | None:
    """The correction under way in a period; None in every state but correcting."""
    if period.state != Period.State.CORRECTING:
        return None
    return (
        Correction.objects.select_related("replaces")
        .filter(replaces__period=period, withdrawn_at=None)
        .exclude(lists__state=RatingList.State.PUBLISHED)
        .get()
    )


ROWS = "SELECT * FROM {rows} WHERE list_id = {list}"
# The surviving record's own row comes before that of a duplicate (R24).
ROWS_OF_PERSONS = """
SELECT DISTINCT ON (coalesce(merge.surviving_id, own.player_id))
    coalesce(merge.surviving_id, own.player_id) AS player_id, own.register_number, own.name, own.federation,
    own.title, own.rating, own.games
FROM {rows} own LEFT JOIN reporting_playermerge merge ON merge.id = ANY({merges}) AND merge.duplicate_id = own.player_id
WHERE own.list_id = {list}
ORDER BY coalesce(merge.surviving_id, own.player_id), merge.id NULLS FIRST
"""


def joined_lists(system: RatingSystem, before: int, after: int, merges: Collection[int] = ()) -> sql.Composed:
    """The rows `old` and `new` of each player on one of two lists, by their keys; read with these merges."""
    rows = sql.SQL(ROWS_OF_PERSONS if merges else ROWS)
    old, new = (
        rows.format(
            rows=sql.Identifier(system.row_model._meta.db_table),
            list=sql.Literal(key),
            merges=sql.Literal([*merges]),
        )
        for key in (before, after)
    )
    return sql.SQL("({}) old FULL JOIN ({}) new USING (player_id)").format(old, new)


@dataclass(frozen=True)
class DifferingRow:
    """A player whose figures differ between a list and its revision: the values of the columns `declaration.compared`.

    None where the player is not on one of the two.
    """

    register_number: int
    name: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None


DIFFERING = """
SELECT coalesce(new.register_number, old.register_number), coalesce(new.name, old.name), {before}, {after}
FROM {joined}
WHERE ({before}) IS DISTINCT FROM ({after})
ORDER BY 1
"""


def differing_rows(revision: RatingList) -> list[DifferingRow]:
    """The players whose figures differ between a revision and the list it replaces, by number. 1 query."""
    names = revision.declaration.compared
    before, after = (
        sql.SQL(", ").join(sql.Identifier(side, name) for name in names) for side in ("old", "new")
    )
    with connection.cursor() as cursor:
        cursor.execute(
            sql.SQL(DIFFERING).format(
                before=before,
                after=after,
                joined=joined_lists(revision.rating_system, revision.replaced.pk, revision.pk),
            )
        )
        rows = cursor.fetchall()

    def figures(cells: tuple[Any, ...]) -> Mapping[str, Any] | None:
        return None if cells[0] is None else dict(zip(names, cells, strict=True))

    return [
        DifferingRow(row[0], row[1], figures(row[2 : 2 + len(names)]), figures(row[2 + len(names) :]))
        for row in rows
    ]


@dataclass(frozen=True)
class ManifestLineChange:
    """A tournament, or a part, that a revision counts differently from the list it replaces, with both reports."""

    before: PeriodReport | None
    after: PeriodReport | None

    @property
    def line(self) -> PeriodReport:
        line = self.after or self.before
        assert line is not None  # noqa: S101 (one of the two lists counts it)
        return line


def manifest_changes(revision: RatingList) -> list[ManifestLineChange]:
    """The tournaments a revision excludes, adds or counts by another report, in R5's order. 1 or 2 queries."""
    before: dict[str, PeriodReport] = {}
    after: dict[str, PeriodReport] = {}
    for line in (
        (revision.manifest | revision.replaced.manifest)
        .select_related("result_set", "version")
        .defer("version__content", "version__reading", "version__sidecar", "version__findings")
        .order_by("result_set__played_to", "result_set__number")
    ):
        (after if line.correction_id == revision.correction_id else before)[line.result_set.part_code] = line
    mark_parts(line.result_set for line in (*before.values(), *after.values()))
    changes = [
        ManifestLineChange(before.get(part), after.get(part)) for part in dict.fromkeys((*before, *after))
    ]
    return [
        change
        for change in changes
        if change.before is None
        or change.after is None
        or change.before.version_id != change.after.version_id
    ]
