"""A published tournament as every page of it has it: its games as a table, its standings, its head."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404
from django.utils.translation import gettext_lazy

from ratings.models import RatingList
from ratings.queries import tournaments as selectors
from ratings.queries.lists import NotPublishedError
from ratings.queries.tournaments import CountedTournament
from reporting.formats.write_report import REPORT_FILES, NotOffered
from reporting.models import Player, ResultSet
from reporting.rules.regulations.rating_differences import rating_differences_e2
from reporting.rules.report import PointsScale, ReadReport
from reporting.rules.standings.classify import (
    RoundPointsError,
    Standings,
    TeamsOnlyError,
    TieBreakNotDefinedError,
    classify,
)
from reporting.rules.standings.cross_table import CrossTable, cross_table
from reporting.rules.standings.registry import TIE_BREAKS
from reporting.rules.standings.teams import NoTeamsError, NotTeamMatchesError, team_table
from reporting.rules.standings.unplayed import METHODS

NOT_OFFERED = {
    NotOffered.HALF_POINTS: gettext_lazy("This format has no half points."),
    NotOffered.ROUNDS: gettext_lazy("Report files have at most 99 rounds; a game of a session is a round."),
}
"""Why a file is not offered."""
NOT_DEFINED = (RoundPointsError, TeamsOnlyError, TieBreakNotDefinedError)


@dataclass(frozen=True)
class Played:
    """A published tournament with its games as a table: of its teams, where it is one of teams."""

    found: CountedTournament
    report: ReadReport
    players: dict[int, Player]
    persons: dict[int, Player]
    table: CrossTable
    rounds: int

    @property
    def tournament(self) -> ResultSet:
        tournament: ResultSet = self.found.tournament
        return tournament

    @property
    def rating_list(self) -> RatingList:
        return self.found.rating_list

    @property
    def is_of_teams(self) -> bool:
        return self.table.boards is not None


def played_or_404(code: str, last_round: int | None = None) -> Played:
    """The tournament of an address, its games up to a round."""
    try:
        found, report, players, persons = selectors.played_tournament(code)
    except NotPublishedError as error:
        raise Http404 from error
    tournament = found.tournament
    rounds = max((game.round for game in report.games), default=0)
    if last_round is not None:
        report = replace(report, games=tuple(game for game in report.games if game.round <= last_round))
    scale = PointsScale(tournament.points)
    table = cross_table(report, scale=scale, system=tournament.system, counting=tournament.details.counting)
    if tournament.system == "teams":
        with suppress(NoTeamsError, NotTeamMatchesError):  # else its players are shown
            table = team_table(table, report)
    return Played(found, report, players, persons, table, rounds)


def classified(played: Played, keys: Sequence[str], unplayed: str, edition: str) -> Standings:
    """The standings by these tie-breaks, else by those of the tournament's details, else of its federation.

    So with an empty method for unplayed games; an empty edition is that of the last day (R60e). Raises the errors of
    NOT_DEFINED.
    """
    own = [key for key in played.tournament.standings if key in TIE_BREAKS]
    method = unplayed or played.tournament.unplayed
    return classify(
        played.table,
        keys or own,
        unplayed=method if method in METHODS else "",
        edition=edition,
        last_day=played.tournament.played_to,
        rating_differences_e2=rating_differences_e2(played.rating_list.system),
    )


def head(found: CountedTournament) -> dict[str, Any]:
    """The values for the head of every page of a tournament."""
    rounds = (found.tournament.rounds_played or 0) * max(len(found.tournament.session), 1)
    return {
        "found": found,
        "tournament": found.tournament,
        "files": [
            (file, reason and NOT_OFFERED[reason])
            for file in REPORT_FILES
            # A format without half points is of another federation: nothing is missing.
            if (reason := file.not_offered(found.tournament.points, rounds)) is not NotOffered.HALF_POINTS
        ],
    }


def stamp_or_404(code: str) -> tuple[Any, ...]:
    try:
        return selectors.tournament_stamp(code)
    except NotPublishedError as error:
        raise Http404 from error
