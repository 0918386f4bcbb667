"""What other pages show of published classifications: the pages of a tournament and of a player (R71c)."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from django.utils.translation import gettext

from ratings.published.views.statistics.charts import Charts, rank_charts
from reporting.models import Player, User
from reporting.web.panels import Panel, register_panel
from titles.federations.fmjd.models import Publication, PublicationRow
from titles.federations.fmjd.rules.world_cup.parameters import edition_in_force
from titles.federations.fmjd.world_cup.publications.kinds import address_of, label_of
from titles.federations.fmjd.world_cup.publications.published_results import (
    published_tournament,
    results_of_tournament,
    rows_of_player,
)
from titles.federations.fmjd.world_cup.publications.selectors import (
    publications_stamp,
    publications_to_sign,
    tournaments_by_code,
    what_is_published,
)


def register() -> None:
    """Register the panels. Called once, at start."""
    register_panel("office-dashboard-waiting", Panel("titles/publications/to_sign.html", _to_sign))
    register_panel(
        "tournament-standings", Panel("titles/world_cup/points_note.html", _standings, what_is_published)
    )
    register_panel(
        "uncounted-tournament", Panel("titles/world_cup/tournament.html", _uncounted, publications_stamp)
    )
    register_panel("player", Panel("titles/world_cup/player.html", player_results, what_is_published))


def _to_sign(user: User) -> Mapping[str, Any]:
    """1 query for who signs publications, and 1 for each list of a championship."""
    return {"publications": [(one, label_of(one)) for one in publications_to_sign(user)]}


def _standings(about: tuple[str, Mapping[int, Player], Mapping[int, Player]]) -> Mapping[str, Any]:
    """The World Cup points of players (by their number in the report), as `values`, and where they are from. 1 query.

    A result is of the record that had survived when it was published: of each player both records are asked for.
    """
    code, players, surviving = about
    keys = {number: (player.pk, surviving.get(player.pk, player).pk) for number, player in players.items()}
    results = results_of_tournament(code, {key for both in keys.values() for key in both})
    found = {number: results[key] for number, both in keys.items() for key in both if key in results}
    return {
        "name": gettext("World Cup points"),
        "short": gettext("WCP"),
        "values": {number: result.values["points"] for number, result in found.items()},
        "sources": _sources([result.publication for result in found.values()]),
    }


def _uncounted(code: str) -> Mapping[str, Any]:
    """Queries as `published_tournament`."""
    found = published_tournament(code)
    if found is None:
        return {"tournament": None}
    publications = [line.result.publication for line in found.lines if line.result]
    return {
        "tournament": found.tournament,
        "found": found,
        "sources": _sources([found.publication, *publications]),
    }


def player_results(player: Player) -> Mapping[str, Any]:
    """The newest classification of each section that lists a player, and all ranks with plots. At most 2 queries."""
    sections = [
        [(row, label_of(row.publication), address_of(row.publication)) for row in rows]
        for _, rows in groupby(rows_of_player(player), key=lambda row: row.publication.section)
    ]
    codes = {result["tournament"] for rows in sections for result in rows[0][0].values["results"]}
    return {
        "sections": [
            (rows, _best_results(rows[0][0].publication), _rank_plots([row for row, *_ in rows]))
            for rows in sections
        ],
        "tournaments": tournaments_by_code(codes) if codes else {},
        "name": player.printed_name,
    }


def _rank_plots(rows: Sequence[PublicationRow]) -> list[Charts]:
    """The ranks over time in the open and in the women's classification, each where two or more have the player."""
    plots: list[Charts] = []
    for women, name in ((False, gettext("World Cup rank")), (True, gettext("World Cup rank, women"))):
        ranks = [
            (row.publication.day, row.values["rank"])
            for row in reversed(rows)
            if row.publication.women == women and row.publication.day
        ]
        plots += filter(None, [rank_charts(name, ranks)])
    return plots


def _best_results(publication: Publication) -> int:
    assert publication.day is not None  # noqa: S101 (of every classification)
    return edition_in_force(publication.day).best_results


def _sources(publications: list[Publication]) -> list[tuple[str, str]]:
    """The labels and addresses of publications, each once, in the order of their names. No query."""
    return sorted({(label_of(one), address_of(one)) for one in publications})
