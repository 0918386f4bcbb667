"""The rows of one list that a search finds."""

from collections.abc import Sequence

from ratings.models import ListRow, RatingList
from ratings.published.selectors.players import found_players


def found_rows(
    rating_list: RatingList,
    lists: Sequence[RatingList],
    stamp: tuple[str, ...],
    typed: str,
    number: int | None,
    *,
    most: int,
) -> list[ListRow]:
    """The rows on one list of the likeliest players on `lists`, by name or by number, as `found_players` finds them.

    3 queries; 2 for a name once the names are read.
    """
    found, _ = found_players(lists, stamp, typed, number, most=most)
    keys = [player.row["player_id"] for player in found]
    rows = {row.player_id: row for row in rating_list.rows.filter(player_id__in=keys)}
    return [rows[key] for key in keys if key in rows]
