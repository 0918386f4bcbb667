"""A forecast for the whole field: each title with what the closest player still needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from titles.federations.facet import ForecastRow
from titles.rules.requirement import Requirement


@dataclass(frozen=True)
class TitleRow:
    """A title for the whole field: for how many players it is possible, the least points, and what prevents it.

    `colours` has, of each colour but the least, for how many players a norm of it or of a higher one is possible.
    `closest` is the player whom the fewest requirements prevent, where it is possible for none.
    """

    title: str
    players: int
    colours: Mapping[str, int]
    fewest_points: int
    games: int
    closest: ForecastRow | None
    prevents: Sequence[Requirement]


def title_rows(rows: Sequence[ForecastRow], colours: Sequence[str]) -> list[TitleRow]:
    """Each title examined for the whole field, the highest first. `colours` are those of the rules."""
    found = []
    for title in dict.fromkeys(norm.title for row in rows for norm in row.norms):
        norms = [(row, norm) for row in rows for norm in row.norms if norm.title == title]
        possible = [norm for _, norm in norms if norm.points is not None]
        closest, nearest = min(norms, key=lambda pair: len(pair[1].prevents))
        found.append(
            TitleRow(
                title,
                len(possible),
                {
                    colour: sum(norm.colour in colours[place:] for norm in possible)
                    for place, colour in enumerate(colours)
                    if place
                },
                min((norm.points or 0 for norm in possible), default=0),
                nearest.games,
                None if possible else closest,
                () if possible else nearest.prevents,
            )
        )
    return found
