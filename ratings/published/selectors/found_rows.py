"""The rows of one list that a search finds."""

from ratings.models import ListRow, RatingList
from ratings.published.selectors.lists import ListsOfToday
from ratings.published.selectors.players import found_players


def found_rows(
    today: ListsOfToday, rating_list: RatingList, typed: str, number: int | None, *, most: int
) -> list[ListRow]:
    """The rows on one list of the likeliest players on any list of today, by name or by number.

    4 queries, one less for a name once the names are read.
    """
    found, _ = found_players(today.shown, today.stamp, typed, number, most=most)
    keys = [player.row["player_id"] for player in found]
    rows = {row.player_id: row for row in rating_list.rows.filter(player_id__in=keys)}
    return [rows[key] for key in keys if key in rows]
