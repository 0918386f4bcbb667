"""The sums of systems whose changes follow one another, each from the running value that the one before left."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ratings.rules.scaled_numbers import E4
from ratings.rules.values import PlayerStart, RowDifference


def check_running_values(
    _: Any, before: Mapping[int, PlayerStart], rows: Sequence[Any], changes: Mapping[int, Sequence[Any]]
) -> Iterator[RowDifference]:
    """What does not follow of stored rows with their changes (`before_e4`, `games_before`, `added_e4`, `after_e4`).

    Start and changes make the rating, halves up, and so the games; a player who was rated before has a row (R9).
    """
    listed = set()
    for row in rows:
        player, own = row.player_id, changes.get(row.player_id, ())
        listed.add(player)
        start = before.get(player, PlayerStart())
        running, games = start.rating * E4, start.games
        compared: list[tuple[str, Any, Any, bool]] = []
        for change in own:
            compared.append(("before_e4", change.before_e4, running or None, True))
            compared.append(("games_before", change.games_before, games, True))
            if change.added_e4 is not None:
                compared.append(("after_e4", change.after_e4, running + change.added_e4, True))
            running, games = change.after_e4, games + change.games
        compared += [
            ("rating", row.rating, (running + E4 // 2) // E4, False),
            ("period_games", row.period_games, sum(change.games for change in own), False),
            ("games", row.games, games, False),
        ]
        for column, found, expected, of_change in compared:
            if found != expected:
                yield RowDifference(player, column, found, expected, of_change)
    for player, start in before.items():
        if start.rating > 0 and player not in listed:
            yield RowDifference(player, "player_id", None, player)
