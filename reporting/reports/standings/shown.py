"""Standings as pages show them: headings, a line for each player, the sum behind each value."""

from dataclasses import dataclass

from django.utils.translation import gettext

from reporting.reports.standings.labels import SHORT_NAMES, Part, sum_parts, value_text
from reporting.rules.points import points_text
from reporting.rules.standings.classify import Standings
from reporting.rules.standings.explain import Explanation, explain


@dataclass(frozen=True)
class ShownSum:
    """A tie-break of a player with its sum; `unplayed_article` is that of rounds without a game, if there are any."""

    key: str
    name: str
    article: str
    unplayed_article: str
    value: str
    parts: list[Part]


@dataclass(frozen=True)
class ShownPlayer:
    """A line of the standings. `sums` are empty where the page has too many players."""

    place: int
    number: int
    name: str
    points: str
    values: list[str]
    sums: list[ShownSum]


@dataclass(frozen=True)
class Heading:
    """A tie-break as the heading of a column: its name, and the same in short."""

    key: str
    name: str
    short: str
    article: str


def tie_break_headings(found: Standings) -> list[Heading]:
    """The tie-breaks in their order."""
    return [
        Heading(
            each.key, gettext(each.name), str(SHORT_NAMES.get(each.key, gettext(each.name))), each.article
        )
        for each in found.tie_breaks
    ]


def shown_players(
    found: Standings, *, first: int = 0, most: int | None = None, explained: int = 0
) -> list[ShownPlayer]:
    """The lines of `most` players from place `first` on, counted from 0; of the first `explained` with their sums."""
    table = found.table
    players = []
    for place, row in enumerate(found.order.tolist()[first : None if most is None else first + most]):
        number = int(table.numbers[row])
        players.append(
            ShownPlayer(
                place=int(found.places[row]),
                number=number,
                name=table.names[row],
                points=points_text(int(table.scores[row]), table.scale),
                values=[value_text(column.value(row, table.halves_a_point)) for column in found.columns],
                sums=shown_sums(found, number) if place < explained else [],
            )
        )
    return players


def shown_sums(found: Standings, number: int) -> list[ShownSum]:
    """The sums behind the values of a player. Raises KeyError without one."""
    return [_sum(each) for each in explain(found, number) if each.rounds]


def _sum(explanation: Explanation) -> ShownSum:
    tie_break = explanation.tie_break
    return ShownSum(
        tie_break.key,
        gettext(tie_break.name),
        tie_break.article,
        next((each.article for each in explanation.rounds if each.article), ""),
        value_text(explanation.value),
        sum_parts(explanation),
    )
