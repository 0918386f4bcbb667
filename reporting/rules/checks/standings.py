"""The check of the places against the tie-breaks of the details (R25, R52)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reporting.federations.registry import rules_of_report
from reporting.rules.checks.context import NOT_ABOUT_GAMES, CheckContext
from reporting.rules.details.shared_details import System
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import Severity
from reporting.rules.points import points_text
from reporting.rules.regulations.decisive_places import decisive_places
from reporting.rules.regulations.rating_differences import rating_differences_e2
from reporting.rules.report import ReadReport
from reporting.rules.sentences import joined
from reporting.rules.standings.classify import (
    RoundPointsError,
    Standings,
    TeamsOnlyError,
    TieBreakNotDefinedError,
    classify,
    ties_to_be_played,
)
from reporting.rules.standings.cross_table import Integers, cross_table
from reporting.rules.standings.teams import NoTeamsError, NotTeamMatchesError, team_table

WITHDRAWN, POINTS = -2, -1
"""What decides before the first tie-break; a tie-break has its index."""

_ABOUT_PLACES = frozenset({"shared_places", "round_scores", "plus_draws", "decided_ties"})
"""Details that places depend on."""

_BY_RATINGS = frozenset({"own", "aro", "tpr", "ARO", "TPR", "PTP", "APRO"})


@dataclass(frozen=True)
class _WrongPlace:
    """A row of the standings in place `found` instead of the first to the last place of the players equal to it."""

    row: int
    found: int
    first: int
    last: int

    @property
    def expected(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


def check_standings(context: CheckContext) -> None:
    """The places follow the points and the tie-breaks that the details name (R25, R52).

    Nothing is checked without such tie-breaks, points of rounds or decided ties, or with an error about a player or a
    game. Players equal in all may have their places in any order. Lots are unknown, and ratings may be: from such a
    tie-break on, nothing is decided but by decided ties.
    Where places contradict the printed points, which `check_places` reports, only players with equal points are
    compared. There is one finding for each tie-break that decides, at the line of the first player.
    """
    details = context.details
    if details is None or not context.is_finished or not context.read.games:
        return
    if not (details.standings or details.round_scores or details.decided_ties):
        return
    if context.read.undecided or _has_errors(context):
        return
    keys = _known_tie_breaks(details.standings, context.read)
    standings = _classified(context.read, details, keys, context.system)
    if standings is None:
        return
    is_teams = standings.table.boards is not None
    _check_decided_ties(context, standings)
    found = (
        standings.table.numbers
        if is_teams
        else np.array([details.place_of(player.place) or 0 for player in context.read.players])
    )
    points_are_checked = any(each.code == "places-contradict-points" for each in context.findings)
    blocks = standings.table.scores if points_are_checked else np.zeros_like(found)
    if details.standings and not is_teams and details.standings[len(keys) :][:1] in ((), ("lot",)):
        _check_ties_to_be_played(context, details, standings)
    for level, wrong in sorted(_wrong_places(standings, found, blocks).items()):
        _add_finding(context, standings, level, sorted(wrong, key=lambda each: (each.found, each.first)))


def _has_errors(context: CheckContext) -> bool:
    read = context.read
    if any(each.severity is Severity.ERROR and each.field not in NOT_ABOUT_GAMES for each in read.findings):
        return True
    errors = [
        each
        for each in context.findings
        if each.severity is Severity.ERROR and each.field not in NOT_ABOUT_GAMES
    ]
    if not errors:
        return False
    lines = {player.line for player in read.players}.union(*(game.lines for game in read.games))
    return any(each.line in lines or each.field in _ABOUT_PLACES for each in errors)


def _known_tie_breaks(keys: Sequence[str], read: ReadReport) -> Sequence[str]:
    """The tie-breaks up to the first one whose values the report does not have."""
    rated = sum(player.rating_printed is not None for player in read.players)
    for place, key in enumerate(keys):
        is_unrated = key in _BY_RATINGS and not rated
        if key == "lot" or is_unrated or (key == "own" and rated < len(read.players)):
            return keys[:place]
    return keys


def places_by_tie_breaks(
    read: ReadReport, details: TournamentDetails, system: System | None
) -> Mapping[int, int | None]:
    """Return the places by points and the tie-breaks of the details, by number.

    Without tie-breaks in the details those of art. 5.11 hold (R52). None for players who are equal in all that is
    known: a lot or a deciding match gives them their order. In a tournament of teams, and where the tie-breaks are not
    defined for it, points alone decide.
    """
    keys = _known_tie_breaks(details.standings, read)
    standings = None
    if system is not System.TEAMS and (keys or not details.standings):
        standings = _classified(read, details, keys, system, by_default=True)
    if standings is None:
        ranked = {number: -points for number, points in read.points_summed.items()}
    else:
        last = standings.table.players + 1  # for a player who left after half of the games or fewer (5.9)
        ranked = dict(
            zip(
                standings.table.numbers.tolist(),
                [place or last for place in standings.places.tolist()],
                strict=True,
            )
        )
    taken = Counter(ranked.values())
    in_turn = {place: 1 + sum(other < place for other in ranked.values()) for place in taken}
    return {number: in_turn[place] if taken[place] == 1 else None for number, place in ranked.items()}


def _classified(
    read: ReadReport,
    details: TournamentDetails,
    keys: Sequence[str],
    system: System | None,
    *,
    by_default: bool = False,
) -> Standings | None:
    """The standings by these tie-breaks; None where they are not defined for the tournament.

    Without any, None, or those of art. 5.11 with `by_default`.
    """
    differences_e2 = rating_differences_e2(rules_of_report(details.rating_system, details.discipline).system)
    if not keys and (details.round_scores or details.decided_ties):
        keys = ("decided",)
    if not (keys or by_default) or ("tpr" in keys and not differences_e2):
        return None
    table = cross_table(read, scale=details.points_scale, system=system or "", counting=details.counting)
    try:
        return classify(
            team_table(table, read) if system is System.TEAMS else table,
            keys,
            unplayed=details.unplayed,
            last_day=details.played_to or read.info.played_to,
            rating_differences_e2=differences_e2,
        )
    except (NoTeamsError, NotTeamMatchesError, RoundPointsError, TeamsOnlyError, TieBreakNotDefinedError):
        return None


def _check_decided_ties(context: CheckContext, standings: Standings) -> None:
    """The players of a decided tie have equal points."""
    table = standings.table
    scores = dict(zip(table.numbers.tolist(), table.scores.tolist(), strict=True))
    for order in context.counting.decided_ties:
        if len({scores[number] for number in order}) > 1:
            context.findings.add(
                "decided-ties-differ.points",
                field="decided_ties",
                numbers=joined(order),
                points=joined([points_text(scores[number], table.scale) for number in order]),
            )


def _check_ties_to_be_played(context: CheckContext, details: TournamentDetails, standings: Standings) -> None:
    """No title depends on the order of players equal in all tie-breaks, or the details say how it was decided (R52)."""
    decisive = decisive_places(details, len(context.read.players))
    for first, last in ties_to_be_played(standings, decisive):
        if any(start <= first and last <= end for start, end in details.shared_places):
            continue
        numbers = standings.table.numbers[standings.places == first].tolist()
        tied = [player for player in context.read.players if player.number in numbers]
        context.findings.add(
            "tie-break-to-be-played",
            line=tied[0].line,
            column=tied[0].column("place"),
            field="place",
            first=first,
            last=last,
            about=tuple(numbers),
        )


def _wrong_places(
    standings: Standings, found: Integers, blocks: Integers
) -> Mapping[int, Sequence[_WrongPlace]]:
    """Return the rows whose place contradicts the order of their block, by what decides.

    That is the first criterion in which a row differs from one that it is wrongly ahead of, behind or level with.
    """
    players = standings.table.players
    expected = np.where(standings.places == 0, players + 1, standings.places)
    criteria = [
        (WITHDRAWN, standings.places == 0),
        (POINTS, standings.table.scores),
        *(
            (place, column.ranks(ascending=tie_break.ascending))
            for place, (tie_break, column) in enumerate(
                zip(standings.tie_breaks, standings.columns, strict=True)
            )
        ),
    ]
    wrong: dict[int, list[_WrongPlace]] = defaultdict(list)
    placed = np.flatnonzero(found > 0)
    for block in np.unique(blocks[placed]):
        rows = placed[blocks[placed] == block]
        places = np.sort(found[rows])
        here = np.searchsorted(places, found[rows])
        order = np.sort(expected[rows])
        first = np.searchsorted(order, expected[rows])
        last = np.searchsorted(order, expected[rows], side="right") - 1
        in_turn = (
            places + np.arange(len(places)) - np.searchsorted(places, places)
        )  # 2, 2 are the places 2, 3
        for place in np.flatnonzero((here < first) | (here > last)).tolist():
            row = int(rows[place])
            better, ahead = expected[rows] < expected[row], found[rows] <= found[row]
            worse, behind = expected[rows] > expected[row], found[rows] >= found[row]
            others = rows[(better & behind) | (worse & ahead)]
            level = next(level for level, values in criteria if (values[others] != values[row]).any())
            wrong[level].append(
                _WrongPlace(row, int(found[row]), int(in_turn[first[place]]), int(in_turn[last[place]]))
            )
    return wrong


def _add_finding(
    context: CheckContext, standings: Standings, level: int, wrong: Sequence[_WrongPlace]
) -> None:
    players, names = context.read.players, standings.table.names
    tie_break = standings.tie_breaks[level] if level >= 0 else None
    is_teams = standings.table.boards is not None
    in_order = sorted(wrong, key=lambda each: (each.first, each.last, each.found))
    at = (
        next(player for player in players if player.place == wrong[0].found)
        if is_teams
        else players[wrong[0].row]
    )
    context.findings.add(
        "places-contradict-tie-breaks.withdrawn" if level == WITHDRAWN else "places-contradict-tie-breaks",
        line=at.line,
        column=at.column("place"),
        field="place",
        article=tie_break.article if tie_break else None,
        tie_break=tie_break.name if tie_break else "",
        count=len(wrong),
        places=joined([each.found for each in wrong]),
        team_places=joined([each.expected for each in wrong]) if is_teams else "",
        order=joined([f"{each.expected}. {names[each.row]}" for each in in_order]),
        about=() if is_teams else tuple(players[each.row].number for each in wrong),
    )
