"""The rating changes of a report if it alone counted today: an expectation, not a list."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from ratings.inputs.calculation_inputs import lists_in_force
from ratings.models import Pool, RatingList
from ratings.office.selectors.periods import pool_of_games
from ratings.systems.protocol import ExpectedChange, Rules
from ratings.systems.registry import rating_system
from reporting.models import Player
from reporting.rules.report import ReadReport
from reporting.rules.tournament_details import TournamentDetails


@dataclass(frozen=True)
class ExpectedChanges:
    """The pool of a report with the edition of its rules and the weight of its games, the list its ratings come from,
    and its players by number.
    """

    pool: Pool
    rules: Rules
    weight_percentage: int
    basis: RatingList | None
    players: Mapping[int, ExpectedChange]


def pool_of_tournament(details: TournamentDetails) -> tuple[Pool, int]:
    """The pool of a tournament by discipline and time, with the weight of its games in percent (R6). 1 query."""
    seconds = details.seconds_for_60_moves
    assert seconds is not None  # noqa: S101 (read_facts asks for it)
    day = details.played_to or date.max
    pool = pool_of_games(details.discipline, seconds, day)
    return pool, rating_system(pool.system).rules_on(day).weight_percentage(seconds)


def expected_changes(
    *, details: TournamentDetails, read: ReadReport, players: Mapping[int, Player | None]
) -> ExpectedChanges:
    """Rate a report alone on the newest published list, for its preview; merged records count for the surviving one,
    as the next list reads them (R24). 6 queries.

    Players are those of the matching; one without a player of the register counts as a newcomer. There are no
    expectations where the pool has no list or the dates of the tournament are unknown.
    """
    pool, percentage = pool_of_tournament(details)
    system = rating_system(pool.system)
    rules = system.rules_on(details.played_to or date.max)
    lists = lists_in_force(pool.pk)
    if not lists or details.played_from is None or details.played_to is None:
        return ExpectedChanges(pool, rules, percentage, None, {})
    basis = rules.basis_of([rating_list.in_force for rating_list in lists], details.played_from)
    expected = system.expected_changes(lists, details, read, players)
    return ExpectedChanges(pool, rules, percentage, lists[basis], expected)
