"""The rows of a classification as pages show them, with what separates neighbours in sentences (R71a)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.models import Player
from titles.federations.fmjd.world_cup.publications.kinds import PublicationKey, Row, kind_of
from titles.federations.fmjd.world_cup.publications.selectors import Difference, names_of

CRITERIA = {
    "points": _("World Cup points"),
    "first": _("first places"),
    "second": _("second places"),
    "third": _("third places"),
    "last_result": _("points of the latest result"),
    "wins": _("games won"),
}
"""The criteria of R71a in their order, by their names in a row."""


@dataclass(frozen=True)
class ShownRow:
    """A row of a classification, and what separates it from its neighbours, in sentences."""

    values: Mapping[str, Any]
    player: Player
    neighbours: Sequence[str]


def shown_rows(rows: Sequence[Mapping[str, Any]], players: Mapping[int, Player]) -> Iterator[ShownRow]:
    """The rows in order, each with its player (by FMJD-ID) and its neighbours. No query."""
    for at, row in enumerate(rows):
        neighbours = []
        if at:
            neighbours.append(_separation(row, rows[at - 1], gettext("Behind %(name)s")))
        if at + 1 < len(rows):
            neighbours.append(_separation(row, rows[at + 1], gettext("Ahead of %(name)s")))
        yield ShownRow(row, players[row["fmjd_id"]], neighbours)


def shown_changes(key: PublicationKey, changes: Sequence[Difference]) -> list[tuple[str, str, str]]:
    """The differences as lines: which player or item, before, now. 1 query, of a list of participants 2."""
    kind = kind_of(key)
    items = kind.items(key)
    rows = [row for change in changes for row in (change.before, change.after) if row]
    names = names_of(row["fmjd_id"] for row in rows if row["fmjd_id"])

    def name(row: Row) -> str:
        return names.get(row["fmjd_id"], "") if row["fmjd_id"] else gettext("No player")

    def side(row: Row | None) -> str:
        if row is None:
            return "–"
        place = name(row) if items else f"#{row[kind.columns[0]]}"
        return f"{place}: {kind.words(row)}"

    return [
        (items[row["item"]] if items else name(row), side(change.before), side(change.after))
        for change in changes
        for row in [change.after or change.before or {}]
    ]


def _separation(row: Mapping[str, Any], other: Mapping[str, Any], side: str) -> str:
    """What separates a row from a neighbour, in a sentence; `side` names the neighbour."""
    differing = (criterion for criterion in CRITERIA.items() if row[criterion[0]] != other[criterion[0]])
    value, label = next(differing, ("", ""))
    if not value:
        return gettext("Equal to %(name)s in all criteria.") % {"name": other["name"]}
    return gettext("%(side)s by %(criterion)s: %(own)s to %(other)s.") % {
        "side": side % {"name": other["name"]},
        "criterion": label,
        "own": row[value],
        "other": other[value],
    }
