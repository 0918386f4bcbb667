"""Two lists of a pool compared: who gained and who lost, who is new and who is gone.

The numbers of both lists are in the queries, so that only their partitions are opened.
"""

from dataclasses import dataclass
from enum import StrEnum

from django.db import connection
from psycopg import sql

from ratings.models import RatingList
from ratings.queries.list_rows import PAGE_ROWS
from ratings.queries.revisions import joined_lists


class Part(StrEnum):
    """A table of a comparison."""

    GAINS = "gains"
    LOSSES = "losses"
    NEW = "new"
    GONE = "gone"


@dataclass(frozen=True)
class ComparedRow:
    """A player on one of two lists or both: the ratings, and the games counted on each; None where not listed.

    Name, number, title and federation are those of the second list, else of the first.
    """

    number: int
    name: str
    title: str
    federation: str
    before: int | None
    after: int | None
    games_before: int | None
    games_after: int | None

    @property
    def difference(self) -> int:
        return (self.after or 0) - (self.before or 0)

    @property
    def games(self) -> int:
        """The games counted since the first list; of a player on one list the total there."""
        if self.games_after is None:
            return self.games_before or 0
        return self.games_after - (self.games_before or 0)


@dataclass(frozen=True)
class ListComparison:
    """How many players of two lists gained, lost, stayed, are new and are gone."""

    gains: int
    losses: int
    unchanged: int
    new: int
    gone: int

    def players(self, part: Part) -> int:
        """How many rows a table has."""
        number: int = getattr(self, part.value)
        return number


COUNTS = """
SELECT count(*) FILTER (WHERE new.rating > old.rating), count(*) FILTER (WHERE new.rating < old.rating),
    count(*) FILTER (WHERE new.rating = old.rating), count(*) FILTER (WHERE old.rating IS NULL),
    count(*) FILTER (WHERE new.rating IS NULL)
FROM {joined}
"""
PARTS = {
    Part.GAINS: ("new.rating > old.rating", "new.rating - old.rating DESC, new.rating DESC"),
    Part.LOSSES: ("new.rating < old.rating", "new.rating - old.rating, new.rating DESC"),
    Part.NEW: ("old.rating IS NULL", "new.rating DESC"),
    Part.GONE: ("new.rating IS NULL", "old.rating DESC"),
}
TABLE = """
SELECT coalesce(new.register_number, old.register_number) AS number, coalesce(new.name, old.name),
    coalesce(new.title, old.title), coalesce(new.federation, old.federation),
    old.rating, new.rating, old.games, new.games
FROM {joined} WHERE {condition} ORDER BY {order}, number LIMIT {most} OFFSET {first}
"""


def compare_lists(before: RatingList, after: RatingList) -> ListComparison:
    """Two lists of a pool compared, persons as the later list knows them (R24). 1 query."""
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL(COUNTS).format(joined=_joined_persons(before, after)))
        return ListComparison(*cursor.fetchone())


def compared_rows(
    before: RatingList, after: RatingList, part: Part, first: int = 0, most: int = PAGE_ROWS
) -> list[ComparedRow]:
    """Rows of a table from place `first` on: the largest gain or loss first, others by rating. 1 query."""
    condition, order = PARTS[part]
    query = sql.SQL(TABLE).format(
        joined=_joined_persons(before, after),
        condition=sql.SQL(condition),
        order=sql.SQL(order),
        most=sql.Literal(most),
        first=sql.Literal(first),
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        return [ComparedRow(*row) for row in cursor.fetchall()]


def _joined_persons(before: RatingList, after: RatingList) -> sql.Composed:
    later = max(before, after, key=lambda one: (one.in_force, one.revision))
    return joined_lists(after.rating_system, before.pk, after.pk, later.merges)
