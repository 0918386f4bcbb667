"""The differences between a revision and the list it replaces: figures row by row, and tournaments."""

from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Q

from ratings.models import PeriodReport, RatingList


class ListedFigures(NamedTuple):
    """A player's figures on one list by which revisions are compared (`tables.COMPARED`)."""

    rating: int
    change: int | None
    period_games: int
    games: int
    category: str
    reached_2300: int
    games_3_years: int
    last_game: date | None


@dataclass(frozen=True)
class DifferingRow:
    """A player whose figures differ between a list and its revision; None where the player is not on one of them."""

    fmjd_id: int
    name: str
    before: ListedFigures | None
    after: ListedFigures | None


# The numbers of both lists are in the query, so that only their partitions are opened.
DIFFERING = """
SELECT coalesce(new.register_number, old.register_number), coalesce(new.name, old.name),
    old.rating, old.change, old.period_games, old.games, old.category, old.reached_2300::int, old.games_3_years,
    old.last_game,
    new.rating, new.change, new.period_games, new.games, new.category, new.reached_2300::int, new.games_3_years,
    new.last_game
FROM (SELECT * FROM ratings_ratinglistrow WHERE list_id = %(replaced)s) old
FULL JOIN (SELECT * FROM ratings_ratinglistrow WHERE list_id = %(revision)s) new USING (player_id)
WHERE (old.rating, old.change, old.period_games, old.games, old.category, old.reached_2300, old.games_3_years,
        old.last_game)
    IS DISTINCT FROM (new.rating, new.change, new.period_games, new.games, new.category, new.reached_2300,
        new.games_3_years, new.last_game)
ORDER BY 1
"""


def differing_rows(revision: RatingList) -> list[DifferingRow]:
    """The players whose figures differ between a revision and the list it replaces, by FMJD-ID. 1 query."""
    assert revision.correction is not None  # noqa: S101 (a constraint of the database)
    with connection.cursor() as cursor:
        cursor.execute(DIFFERING, {"replaced": revision.correction.replaces_id, "revision": revision.pk})
        rows = cursor.fetchall()
    width = len(ListedFigures._fields)

    def figures(cells: tuple[Any, ...]) -> ListedFigures | None:
        return None if cells[0] is None else ListedFigures(*cells)

    return [
        DifferingRow(row[0], row[1], figures(row[2 : 2 + width]), figures(row[2 + width :])) for row in rows
    ]


@dataclass(frozen=True)
class ManifestLineChange:
    """A tournament that a revision counts differently from the list it replaces, with both reports."""

    before: PeriodReport | None
    after: PeriodReport | None

    @property
    def line(self) -> PeriodReport:
        line = self.after or self.before
        assert line is not None  # noqa: S101 (one of the two lists counts it)
        return line


def manifest_changes(revision: RatingList) -> list[ManifestLineChange]:
    """The tournaments a revision excludes, adds or counts by another report, in R5's order. 1 query."""
    assert revision.correction is not None  # noqa: S101 (a constraint of the database)
    before: dict[str, PeriodReport] = {}
    after: dict[str, PeriodReport] = {}
    for line in (
        PeriodReport.objects.filter(
            Q(correction=revision.correction_id) | Q(correction=revision.correction.replaces.correction_id),
            period=revision.period_id,
        )
        .select_related("tournament", "version")
        .defer("version__content", "version__reading", "version__sidecar", "version__findings")
        .order_by("tournament__played_to", "tournament__number")
    ):
        (after if line.correction_id == revision.correction_id else before)[line.tournament.code] = line
    changes = [
        ManifestLineChange(before.get(code), after.get(code)) for code in dict.fromkeys((*before, *after))
    ]
    return [
        change
        for change in changes
        if change.before is None
        or change.after is None
        or change.before.version_id != change.after.version_id
    ]
