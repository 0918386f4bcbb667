"""Statements about the rows and changes of lists, in the tables of all rating systems, and the histories of players."""

from collections.abc import Iterable
from dataclasses import replace

from django.db.models import Model
from django.utils.translation import gettext_noop as _

from ratings.federations.facet import RatingSystem
from ratings.federations.registry import rating_systems
from ratings.rules.declared import Unit
from reporting.log.invariants.registry import Invariant

NEWEST = """(
            SELECT l.* FROM ratings_ratinglist l
            WHERE l.state = 'published' AND NOT EXISTS (
                SELECT FROM ratings_ratinglist later
                WHERE later.state = 'published' AND later.pool_id = l.pool_id AND later.in_force = l.in_force
                  AND later.revision > l.revision)) AS l"""
"""The newest published revision of each list."""

QUERIES = (
    Invariant(
        "list-counts-its-players",
        _("A list says how many players it has, and how many are on the official list."),
        """
        SELECT l.id FROM ratings_ratinglist l
        LEFT JOIN (SELECT list_id, count(*), count(official_position) AS official FROM {rows} GROUP BY list_id) AS r
            ON r.list_id = l.id
        WHERE l.state <> 'superseded' AND (l.players, l.official_players)
            <> (coalesce(r.count, 0), coalesce(r.official, 0))
        """,
    ),
    Invariant(
        "list-positions-without-gaps",
        _("The positions of a list count from 1 without gaps, by rating, by name and on the official list."),
        """
        SELECT list_id FROM {rows} GROUP BY list_id
        HAVING (max(position), max(name_position)) <> (count(*), count(*))
            OR count(DISTINCT position) <> count(*) OR count(DISTINCT name_position) <> count(*)
            OR coalesce(max(official_position), 0) <> count(official_position)
            OR count(DISTINCT official_position) <> count(official_position)
        """,
    ),
    Invariant(
        "list-has-each-player-once",
        _("A list has each player once."),
        "SELECT min(list_id) FROM {rows} GROUP BY list_id, player_id HAVING count(*) > 1",
    ),
    Invariant(
        "list-names-its-federations",
        _("A list names the federations of its players."),
        """
        SELECT l.id FROM ratings_ratinglist l
        JOIN (SELECT list_id, array_agg(DISTINCT federation) AS names FROM {rows} GROUP BY list_id) AS r
            ON r.list_id = l.id
        WHERE NOT (l.federations @> r.names AND l.federations <@ r.names)
        """,
    ),
    Invariant(
        "row-of-a-player",
        _("Each row of a list is of a player of the register."),
        """
        SELECT r.list_id FROM {rows} LEFT JOIN reporting_player p ON p.id = r.player_id WHERE p.id IS NULL
        """,
    ),
    Invariant(
        "held-player-on-no-list",
        _("A player whom a list holds is not on that list."),
        "SELECT h.list_id FROM ratings_heldrow h JOIN {rows} ON r.list_id = h.list_id AND r.player_id = h.player_id",
    ),
    Invariant(
        "change-of-a-listed-player",
        _("Each change of a list is of a player on it."),
        """
        SELECT c.list_id FROM {changes} LEFT JOIN {rows} ON r.list_id = c.list_id AND r.player_id = c.player_id
        WHERE r.list_id IS NULL
        """,
    ),
    Invariant(
        "change-of-a-counted-result-set",
        _(
            "Each change of a list is by a result set of its manifest; that by a game, or of an earlier list's."
        ),
        """
        SELECT c.list_id FROM {changes} JOIN ratings_ratinglist l ON l.id = c.list_id
        LEFT JOIN ratings_periodreport m ON m.period_id = l.period_id AND m.result_set_id = c.result_set_id
            AND m.correction_id IS NOT DISTINCT FROM l.correction_id
        WHERE m.id IS NULL AND NOT (c.is_by_game AND EXISTS (
            SELECT FROM ratings_periodreport earlier JOIN ratings_ratinglist e ON e.period_id = earlier.period_id
                AND e.correction_id IS NOT DISTINCT FROM earlier.correction_id
            WHERE earlier.result_set_id = c.result_set_id AND e.pool_id = l.pool_id AND e.in_force < l.in_force
                AND e.state = 'published'))
        """,
    ),
    Invariant(
        "change-from-a-list-read",
        _("Each change of a list uses the ratings of a list that the calculation read."),
        """
        SELECT c.list_id FROM {changes} JOIN ratings_ratinglist l ON l.id = c.list_id
        WHERE c.basis_id <> ALL (l.input_lists)
        """,
    ),
    Invariant(
        "history-of-each-row",
        _("Each row of the newest revision of a list is in the history of its player."),
        """
        SELECT r.list_id FROM {rows} JOIN {newest} ON l.id = r.list_id
        LEFT JOIN ratings_playerhistory h ON h.player_id = r.player_id AND h.list_id = r.list_id
            AND (h.in_force, h.rating, h.games) = (l.in_force, r.rating, r.games)
        WHERE h.player_id IS NULL
        """,
    ),
    Invariant(
        "history-of-the-newest-revision",
        _("The history of a player has the newest revision of each list, and no other one."),
        """
        SELECT h.player_id FROM ratings_playerhistory h LEFT JOIN {newest} ON l.id = h.list_id
        LEFT JOIN {rows} ON r.list_id = h.list_id AND r.player_id = h.player_id
        WHERE l.id IS NULL OR r.list_id IS NULL
        """,
    ),
)
"""Each query names the tables of all systems: `{rows}` as `r`, `{changes}` as `c`."""


def statements() -> tuple[Invariant, ...]:
    systems = rating_systems()
    tables = {
        "rows": _of_all_systems(
            [system.row_model for system in systems],
            "list_id, player_id, position, name_position, official_position, federation, rating, games",
        )
        + " AS r",
        "changes": f"({' UNION ALL '.join(map(_changes_of, systems))}) AS c",
        "newest": NEWEST,
    }
    return tuple(replace(invariant, query=invariant.query.format_map(tables)) for invariant in QUERIES)


def _changes_of(system: RatingSystem) -> str:
    declaration, table = system.declaration, system.change_model._meta.db_table
    basis = f"{declaration.basis}_id" if declaration.basis else "NULL::bigint"
    columns = f"list_id, player_id, result_set_id, {basis} AS basis_id, {declaration.unit is Unit.GAME} AS is_by_game"
    return f"SELECT {columns} FROM {table}"  # noqa: S608 (of the models alone)


def _of_all_systems(models: Iterable[type[Model]], columns: str) -> str:
    tables = (f"SELECT {columns} FROM {model._meta.db_table}" for model in models)  # noqa: S608 (of the models alone)
    return f"({' UNION ALL '.join(tables)})"
