"""World Cup classifications, reserve lists and youth teams as commands print them, from accepted reports."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from ratings.federations.fmjd.models import FmjdListRow
from reporting.models import Player
from titles.federations.fmjd.rules.world_cup.classification import Classification, Counts, classify
from titles.federations.fmjd.rules.world_cup.lots import Lot, draw_lots
from titles.federations.fmjd.rules.world_cup.parameters import Parameters, edition_in_force
from titles.federations.fmjd.rules.world_cup.qualification import (
    RatedPlayer,
    Reserve,
    rating_order,
)
from titles.federations.fmjd.rules.world_cup.results import ResultColumns, results
from titles.federations.fmjd.rules.world_cup.youth_teams import YouthColumns, youth_results, youth_teams
from titles.federations.fmjd.world_cup.inputs import (
    CupInput,
    Federations,
    columns_from,
    cup_input,
    list_of_1_january,
    players_by_id,
    rounds_of,
    scores,
    youth_championships,
)


@dataclass(frozen=True)
class Standing:
    """A World Cup classification on a day with what it was calculated from."""

    day: date
    given: CupInput
    found: ResultColumns
    classification: Classification

    @property
    def ranked(self) -> list[tuple[int, int]]:
        """The players in order, each with the rank."""
        rows = self.classification.standing
        return list(zip(rows.player.tolist(), rows.rank.tolist(), strict=True))

    def order(self, lots: Collection[Lot] = ()) -> list[tuple[int, bool]]:
        """The players in order, each with whether a lot decides its place (R72a)."""
        return draw_lots(self.ranked, lots)


def world_cup_standing(day: date, section: str, *, women: bool) -> Standing:
    """The open or the women's classification of a section on a day (R71). 8 queries."""
    return standing_on(day, cup_input(section), women=women)


def standing_on(day: date, given: CupInput, *, women: bool) -> Standing:
    """The open or the women's classification on a day, of what was read for its section. No query."""
    parameters = edition_in_force(day)
    columns = (given.tournaments, given.participations, given.declarations)
    found = results(parameters, *columns)
    return Standing(day, given, found, classify(parameters, *columns, found, day, women=women))


def standing_rows(standing: Standing) -> list[dict[str, Any]]:
    """The rows of a classification with names, and all results of its window, the best first. 1 query.

    The federation is that of the day, as in a publication.
    """
    players, rows = standing.given.players, standing_figures(standing)
    federations = Federations({players[row["fmjd_id"]].pk for row in rows})
    return [
        {"rank": row["rank"], **_named(player, federations.on(player, standing.day))} | row
        for row in rows
        for player in [players[row["fmjd_id"]]]
    ]


def standing_figures(standing: Standing) -> list[dict[str, Any]]:
    """The rows of `standing_rows` without what the register says of a player: name and federation. No query."""
    rows, window = standing.classification.standing, standing.classification.results
    of_row: dict[int, list[dict[str, Any]]] = {}
    for row, participation, counts in zip(
        window.row.tolist(), window.participation.tolist(), window.counts.tolist(), strict=True
    ):
        of_row.setdefault(row, []).append(_result(standing, participation, counts))
    answer = []
    names = ("rank", "player", "points", "first", "second", "third", "last_result", "wins", "equal")
    for place, values in enumerate(zip(*(getattr(rows, name).tolist() for name in names), strict=True)):
        row = dict(zip(names, values, strict=True))
        answer.append(
            {"rank": row.pop("rank"), "fmjd_id": row.pop("player"), **row, "results": of_row[place]}
        )
    return answer


def _result(standing: Standing, participation: int, counts: int) -> dict[str, Any]:
    given, found = standing.given, standing.found
    tournament = int(given.participations.tournament[participation])
    result_set = given.result_sets[tournament]
    return {
        "tournament": result_set.code,
        "last_round": result_set.played_to.isoformat(),
        "stars": int(given.tournaments.stars[tournament]),
        "place": int(given.participations.place[participation]),
        "bonus_place": int(found.bonus_place[participation]) or None,
        "tp": int(given.participations.points[participation]),
        "factor": int(found.factor[participation]),
        "bonus": int(found.bonus[participation]),
        "points": int(found.points[participation]),
        "wins": int(given.participations.wins[participation]),
        "counts": counts == Counts.COUNTS,
        "absent": bool(given.participations.absent[participation]),
    }


def _named(player: Player, federation: str) -> dict[str, Any]:
    return {"fmjd_id": int(player.numbers["fmjd"]), "name": player.printed_name, "federation": federation}


def reserve_sources(
    parameters: Parameters, year: int, *, women: bool
) -> tuple[list[tuple[int, bool]], list[tuple[int, bool]]]:
    """World Cup and ratings of the reserve list of a championship year, in their orders (R72). 11 queries."""
    cup = world_cup_standing(date(year - 1, 12, 31), "100", women=women)
    return cup.order(), rating_order(parameters, rated_players(list_of_1_january(year, women=women)))


def rated_players(rows: Iterable[FmjdListRow]) -> list[RatedPlayer]:
    """The players of a rating list as the rules of qualification take them. No query."""
    return [RatedPlayer(row.register_number, row.rating, row.games_3_years) for row in rows]


def reserve_rows(reserves: Sequence[Reserve]) -> list[dict[str, Any]]:
    """The rows of a reserve list with names and the federations of today. 1 query."""
    players = players_by_id([reserve.player for reserve in reserves])
    return [
        {
            "position": reserve.position,
            "source": reserve.source.value,
            "rank": reserve.rank,
            "by_lot": reserve.by_lot,
            **_named(player, player.federation_id),
        }
        for reserve in reserves
        for player in [players[reserve.player]]
    ]


def youth_team_rows(
    year: int, tempo: str, section: str, *, published: bool = False, with_others: bool = False
) -> list[dict[str, Any]]:
    """The team classification of the world youth championships of a year, with the results that count (R73).

    `published` is of published tournaments only; `with_others` has the results that do not count too, as `others`.

    Queries: 8, the same for one group and for ten.
    """
    groups = youth_championships(year, tempo, section, published=published)
    of_group = scores(groups)
    rounds = rounds_of(groups, of_group)
    memberships = Federations({score.player.pk for group in of_group.values() for score in group})
    rows: list[tuple[int, ...]] = []
    codes: list[str] = []
    names: list[str] = []
    federations: dict[str, int] = {}
    for group, found in enumerate(groups):
        for score in of_group[found.pk]:
            if not score.place or not score.games:
                continue
            federation = memberships.on(score.player, found.played_from)
            code = federations.setdefault(federation, len(federations) + 1)
            rows.append((group, score.fmjd_id, code, score.place, score.points, rounds[found.pk]))
            codes.append(found.code)
            names.append(federation)
    parameters = edition_in_force(date(year, 12, 31))
    columns = columns_from(YouthColumns, rows)
    found_results = youth_results(parameters, columns)
    of_team: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {}
    for row, (tournament, federation) in enumerate(zip(codes, names, strict=True)):
        counting, others = of_team.setdefault(federation, ([], []))
        (counting if found_results.counts[row] else others).append(
            {
                "tournament": tournament,
                "fmjd_id": int(columns.player[row]),
                "place": int(columns.place[row]),
                "tp": int(columns.points[row]),
                "percent": int(found_results.percent[row]),
                "bonus": int(found_results.bonus[row]),
                "points": int(found_results.points[row]),
            }
        )
    codes_of_federations = list(federations)
    teams = youth_teams(columns, found_results)
    answer = []
    names_of_sums = ("points", "first", "second", "third")
    for at, (rank, code) in enumerate(zip(teams.rank.tolist(), teams.federation.tolist(), strict=True)):
        federation = codes_of_federations[code - 1]
        sums = {name: int(getattr(teams, name)[at]) for name in names_of_sums}
        counting, others = of_team[federation]
        team = {"rank": rank, "federation": federation, **sums, "results": counting}
        answer.append(team | ({"others": others} if with_others else {}))
    return sorted(answer, key=lambda team: (team["rank"], team["federation"]))


def table_lines(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Rows as lines of a table: values in columns under their names, without lists and what is not so. No query."""
    shown = [
        {
            key: "" if value is None or value is False else str(value)
            for key, value in row.items()
            if not isinstance(value, list)
        }
        for row in rows
    ]
    if not shown:
        return []
    widths = {key: max(len(key), *(len(row[key]) for row in shown)) for key in shown[0]}
    lines = [dict(zip(widths, widths, strict=True)), *shown]
    return ["  ".join(line[key].ljust(width) for key, width in widths.items()).rstrip() for line in lines]
