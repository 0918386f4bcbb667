"""Youth teams as pages, files and the API show them: from the championships that published lists count (R73)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from ratings.queries.addresses import published_players
from titles.federations.fmjd.world_cup.inputs import players_by_id, tempo_of, world_youth_championships
from titles.federations.fmjd.world_cup.selectors import tournament_names
from titles.federations.fmjd.world_cup.standings import youth_team_rows

Championship = tuple[int, str, str]
"""Year, tempo and section."""


@dataclass(frozen=True)
class YouthTeams:
    """The rows of a year and tempo, each result with its `player`; players with a page, and names of tournaments."""

    rows: Sequence[Mapping[str, Any]]
    published: frozenset[int]
    tournaments: Mapping[str, str]


def championships() -> Mapping[Championship, int]:
    """The world youth championships with the number of their groups, the newest year first. 2 queries."""
    found = Counter(
        (one.played_to.year, tempo_of(one), one.discipline)
        for one in world_youth_championships(Q(), published=True)
    )
    return dict(sorted(found.items(), key=lambda item: (-item[0][0], item[0][1:])))


def published_teams(year: int, tempo: str, section: str) -> list[dict[str, Any]]:
    """The rows of a year and tempo, those that do not count as `others`. 8 queries."""
    return youth_team_rows(year, tempo, section, published=True, with_others=True)


def shown_teams(year: int, tempo: str, section: str) -> YouthTeams:
    """What the page of a year and tempo shows. 11 queries."""
    rows = published_teams(year, tempo, section)
    results = [result for team in rows for result in (*team["results"], *team["others"])]
    players = players_by_id({result["fmjd_id"] for result in results})
    for result in results:
        result["player"] = players[result["fmjd_id"]]
    return YouthTeams(
        rows,
        frozenset(published_players({player.pk for player in players.values()})),
        tournament_names({result["tournament"] for result in results}),
    )
