"""The rating changes of a report if it alone counted today: an expectation, not a list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from django.utils import timezone

from ratings.federations.facet import Edition
from ratings.federations.registry import edition_in_force, rating_system, system_of_games
from ratings.inputs.in_force import lists_in_force
from ratings.models import Pool, RatingList
from ratings.queries.periods import pools_of_games
from ratings.rules.values import ExpectedChange
from reporting.models import Player
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.report import ReadReport


@dataclass(frozen=True)
class ExpectedChanges:
    """The pool of a report with the edition of its rules and the weight of its games, None where the system weighs
    none, the list its ratings come from, and its players by number.

    Of a session the pool of the games with the most time, whose games alone are rated here; `pools` are all (R25).
    """

    pool: Pool
    rules: Edition
    weight_percentage: int | None
    basis: RatingList | None
    players: Mapping[int, ExpectedChange]
    pools: Sequence[Pool] = ()


@dataclass(frozen=True)
class WeighedGames:
    """The games of a tournament with one time for 60 moves, if any: their pool and their weight in percent (R6).

    Without a weight where the rules of the system say nothing of one.
    """

    seconds: int | None
    pool: Pool
    weight_percentage: int | None


def weighed_games(details: TournamentDetails, read: ReadReport | None = None) -> list[WeighedGames]:
    """The games of a tournament by their time for 60 moves, the longest first; several only with a session (R25).

    1 query.
    """
    times = details.seconds_of_games
    day = _counting_day(details, read)
    system = system_of_games(details.rating_system, details.discipline)
    rules, is_weighed = edition_in_force(system, day), "weight" in system.explanation.texts
    pools = {
        pool.tempo: pool for pool in pools_of_games(details.rating_system, details.discipline, times, day)
    }
    return [
        WeighedGames(
            seconds, pools[rules.tempo(seconds)], rules.weight_percentage(seconds) if is_weighed else None
        )
        for seconds in times
    ]


def expected_changes(
    details: TournamentDetails,
    read: ReadReport,
    players: Mapping[int, Player | None],
    ratings: Mapping[int, int] = MappingProxyType({}),
) -> ExpectedChanges:
    """Rate a report alone on the newest published list, for its preview; merged records count for the surviving one,
    as the next list reads them (R24). 6 queries.

    Players are those of the matching; one without a player of the register counts as a newcomer, one with a number in
    `ratings` as a player whom the lists have with this rating, after enough games. There are no
    expectations where the pool has no list or dates that the tournament must have are unknown.
    """
    weighed = weighed_games(details, read)
    pool, percentage = weighed[0].pool, weighed[0].weight_percentage
    pools = list({games.pool.pk: games.pool for games in weighed}.values())
    system = rating_system(pool.system)
    rules = edition_in_force(system, _counting_day(details, read))
    lists = lists_in_force(pool.pk)
    begins, ends = details.played_from, details.played_to
    if not lists or begins is None or (ends is None and "played_to" not in details.optional):
        return ExpectedChanges(pool, rules, percentage, None, {}, pools)
    basis = rules.basis_of([rating_list.in_force for rating_list in lists], begins)
    expected = system.expected_changes(lists, details, read, players, ratings)
    return ExpectedChanges(pool, rules, percentage, lists[basis], expected, pools)


def _counting_day(details: TournamentDetails, read: ReadReport | None) -> date:
    """The day by which the list of a report is found if it is received today; without one the newest edition holds."""
    return details.counting_day(details.received or timezone.localdate(), read) or date.max
