"""The rows that lists hold: kept for later lists, published nowhere (decision 0156)."""

import hashlib
from typing import Any

from ratings.formats.tables import csv_file
from ratings.inputs.calculation_inputs import CalculationInputs
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


def held_starts(inputs: CalculationInputs) -> dict[int, tuple[int, int]]:
    """Rating and games of the players whom the previous list holds, read with the merges: player → both.

    The surviving record of a merge starts from the held row of the duplicate where neither record is on the list nor
    has a held row of its own. 1 query, or none; 1 more where a list holds players.
    """
    held = {row["player_id"]: (row["rating"], row["games"]) for row in held_rows(inputs.previous)}
    if not held:
        return {}
    survivors = {merge.duplicate_id: merge.surviving_id for merge in inputs.merges}
    found = {player: row for player, row in held.items() if player not in survivors}
    for duplicate, surviving in survivors.items():
        if duplicate in held:
            found.setdefault(surviving, held[duplicate])
    listed = set(
        inputs.previous.rows.filter(player__in=[*found, *survivors]).values_list("player", flat=True)
    )
    listed |= {survivors[player] for player in listed & survivors.keys()}
    return {player: row for player, row in found.items() if player not in listed}
