"""A forecast for the whole field: each title with what the closest player still needs."""

from collections.abc import Sequence
from dataclasses import dataclass

from titles.federations.facet import ForecastRow
from titles.rules.requirement import Requirement


@dataclass(frozen=True)
class TitleRow:
    """A title for the whole field: for how many players it is possible, the least points, and what prevents it.

    `closest` is the player whom the fewest requirements prevent, where it is possible for none.
    """

    title: str
    players: int
    red_players: int
    fewest_points: int
    games: int
    closest: ForecastRow | None
    prevents: Sequence[Requirement]


def title_rows(rows: Sequence[ForecastRow]) -> list[TitleRow]:
    """Each title examined for the whole field, the highest first."""
    found = []
    for title in dict.fromkeys(norm.title for row in rows for norm in row.norms):
        norms = [(row, norm) for row in rows for norm in row.norms if norm.title == title]
        possible = [norm for _, norm in norms if norm.points is not None]
        closest, nearest = min(norms, key=lambda pair: len(pair[1].prevents))
        found.append(
            TitleRow(
                title,
                len(possible),
                sum(norm.is_red_possible for norm in possible),
                min((norm.points or 0 for norm in possible), default=0),
                nearest.games,
                None if possible else closest,
                () if possible else nearest.prevents,
            )
        )
    return found
