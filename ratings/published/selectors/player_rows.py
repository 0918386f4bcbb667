"""The rows of which a published player is made, in two statements.

In SQL because every request for a player runs them: the ORM takes longer to build such statements than all the rest.
The number is looked up on its own: as one more table of the join it doubles the time in which PostgreSQL plans it.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Model

from ratings.federations.registry import rating_system
from ratings.models import ListRow, PlayerHistory, Pool, RatingList
from reporting.models import Player
from reporting.rules.register.registers import Register

Row = TypeVar("Row", bound=Model)

HISTORY = """
SELECT {columns},
    EXISTS (SELECT FROM reporting_playermerge WHERE player.id IN (duplicate_id, surviving_id)),
    (SELECT coalesce(jsonb_agg(jsonb_build_array(id, withdrawn_on, awarded_by, discipline, title,
            coalesce(registered_on <= %(day)s, true) AND coalesce(withdrawn_on > %(day)s, true)) ORDER BY id), '[]')
        FROM reporting_playertitle WHERE player_id = player.id)
FROM reporting_player AS player
JOIN ratings_playerhistory AS history ON history.player_id = player.id
JOIN ratings_ratinglist AS list ON list.id = history.list_id AND list.state = 'published'
JOIN ratings_pool AS pool ON pool.id = list.pool_id
WHERE player.id = (SELECT player_id FROM reporting_playeridentity WHERE register = %(register)s AND number = %(number)s)
ORDER BY list.pool_id, history.in_force, list.revision
"""
JSON_FIELDS = ("numbers", "derived_ranks")


class TitleRow(NamedTuple):
    """What `PlayerTitle` has of a title, and whether it counts on the day asked for."""

    key: int
    withdrawn_on: str | None
    awarded_by: str
    discipline: str
    title: str
    is_held: bool


@dataclass(frozen=True)
class PlayerRows:
    """A player, the figures on every published list by pool, day and revision, and all titles."""

    player: Player
    entries: Sequence[PlayerHistory]
    is_merged: bool
    titles: Sequence[TitleRow]


def player_rows(register: Register, number: str, day: date) -> PlayerRows | None:
    """The rows of the player with this number, with the titles of a day; None for one on no list. 1 query."""
    with connection.cursor() as cursor:
        cursor.execute(history_statement(), {"register": register.code, "number": number, "day": day})
        found = cursor.fetchall()
    if not found:
        return None
    *_, is_merged, titles = found[0]
    pools: dict[int, Pool] = {}
    entries = []
    for row in found:
        values = iter(row)
        entry = instance_of(PlayerHistory, values)
        entry.list = instance_of(RatingList, values)
        entry.list.pool = pools.setdefault(entry.list.pool_id, instance_of(Pool, values))
        entries.append(entry)
    player = instance_of(Player, values)
    return PlayerRows(player, entries, is_merged, [TitleRow(*title) for title in json.loads(titles)])


@cache
def history_statement() -> str:
    models = {"history": PlayerHistory, "list": RatingList, "pool": Pool, "player": Player}
    return HISTORY.format(columns=", ".join(columns_of(model, table) for table, model in models.items()))


def printed_rows(player: int, lists: Iterable[RatingList]) -> list[ListRow]:
    """The rows of a player on these lists. 1 query a rating system."""
    by_system: dict[str, list[int]] = {}
    for rating_list in lists:
        by_system.setdefault(rating_list.system, []).append(rating_list.pk)
    rows = []
    for system, keys in by_system.items():
        model = rating_system(system).row_model
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT {columns_of(model, 'printed')} FROM {model._meta.db_table} AS printed"  # noqa: S608 (own names)
                " WHERE list_id = ANY(%s) AND player_id = %s",
                [keys, player],
            )
            rows += [instance_of(model, iter(values)) for values in cursor.fetchall()]
    return rows


def columns_of(model: type[Model], table: str) -> str:
    """The columns of a model as a statement names them, in the order of its fields."""
    return ", ".join(f"{table}.{field.column}" for field in model._meta.concrete_fields)


def instance_of(model: type[Row], values: Iterable[Any]) -> Row:
    """The row of a model in the next of these values, one a field."""
    names = [field.attname for field in model._meta.concrete_fields]
    read = zip(names, values, strict=False)
    return model.from_db(
        connection.alias, names, [json.loads(value) if name in JSON_FIELDS else value for name, value in read]
    )
