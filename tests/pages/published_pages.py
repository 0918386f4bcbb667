"""Reading the table of a list as a reader sees it, and a second revision of a list."""

import re
from dataclasses import dataclass
from html import unescape
from typing import Any

from django.db import connection, transaction

from ratings.models import RatingList
from reporting.models import User

ROW = re.compile(
    r'<tr><td class="table__num table__soft">(?P<rank>\d+)</td>'
    r'.*?href="/players/(?P<number>\d+)/">(?P<name>.*?)</a>.*?</tr>',
    re.DOTALL,
)
CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)
TAG = re.compile(r"<[^>]+>")


@dataclass(frozen=True)
class ShownRow:
    """A row of a list as a reader sees it."""

    rank: int
    number: int
    name: str
    cells: tuple[str, ...]


def shown_rows(page: str) -> list[ShownRow]:
    """The rows of a list's table, in their order."""
    return [
        ShownRow(
            int(row["rank"]),
            int(row["number"]),
            unescape(row["name"]),
            tuple(unescape(TAG.sub("", cell)).strip() for cell in CELL.findall(row[0])),
        )
        for row in ROW.finditer(page)
    ]


def second_revision(rating_list: RatingList) -> RatingList:
    """The same list published once more as its next revision, by hand: for what pages say of it."""
    fields: dict[str, Any] = {
        field.attname: getattr(rating_list, field.attname)
        for field in RatingList._meta.concrete_fields
        if field.attname
        not in {
            "id",
            "state",
            "approved_at",
            "approved_sha256",
            "released_by_id",
            "published_at",
            "released_sha256",
        }
    }
    # The period may have one draft at a time; the first revision's is published.
    again = RatingList(**fields | {"revision": rating_list.revision + 1, "reason": "A result was corrected."})
    with transaction.atomic(), connection.cursor() as cursor:
        again.save()
        cursor.execute("select open_partition(%s)", [again.pk])
        for table in ("ratings_ratinglistrow", "ratings_ratingchange"):
            cursor.execute(
                "select string_agg(quote_ident(column_name), ',' order by ordinal_position)"
                " from information_schema.columns where table_name = %s and column_name <> 'list_id'",
                [table],
            )
            (columns,) = cursor.fetchone()
            cursor.execute(
                f"insert into {table}_{again.pk} (list_id, {columns})"
                f" select {again.pk}, {columns} from {table} where list_id = {rating_list.pk}"
            )
        cursor.execute("select seal_partition(%s)", [again.pk])
    officer, releaser = (User.objects.get(email=f"{name}@office.invalid") for name in ("officer", "releaser"))
    again.state, again.approved_by, again.approved_sha256 = "approved", officer, again.sha256
    again.approved_at = rating_list.approved_at
    again.save()
    again.state, again.released_by, again.released_sha256 = "published", releaser, again.sha256
    again.published_at = rating_list.published_at
    again.save()
    return again
