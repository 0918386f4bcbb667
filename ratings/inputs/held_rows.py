"""The rows that lists hold: kept for later lists, published nowhere (decision 0156)."""

import hashlib
from typing import Any

from ratings.formats.tables import csv_file
from ratings.models import RatingList


def held_rows(rating_list: RatingList) -> list[dict[str, Any]]:
    """The rows that a list holds, column → value, by the number in the register; days are ISO. 1 query, or none."""
    if not rating_list.declaration.held:
        return []
    return sorted(
        (
            {"player_id": player, **values}
            for player, values in rating_list.held_rows.values_list("player_id", "values")
        ),
        key=lambda row: row["register_number"],
    )


def held_digest(rating_list: RatingList) -> str:
    """The SHA-256 of the rows that a list holds, without our keys; empty for none. 1 query, or none."""
    rows = held_rows(rating_list)
    names = [column.name for column in rating_list.declaration.held if column.name != "player_id"]
    content = csv_file(names, [[row[name] for name in names] for row in rows])
    return hashlib.sha256(content).hexdigest() if rows else ""
