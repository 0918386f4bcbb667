"""What pages of reports and of the register show of rating lists. The app of the lists answers: it registers here."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import QuerySet

from reporting.models import Player, PlayerQuerySet, Report
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.report import ReadReport


@dataclass(frozen=True)
class CountedIn:
    """The list that counts a tournament: the name of its pool, its day, and the key of the result set it counts.

    For a corrected tournament this is the result set of the report that the newest revision counts.
    """

    pool: str
    in_force: date
    tournament: int


@dataclass(frozen=True)
class ComingList:
    """The list in which a report would count if it were accepted now, or which it would revise.

    `pools` are the names of its pool and, of a session, of the others (R25); `pool_code` is of the first. No day where
    it is not chosen yet; `freezes_on` is the day on which the scheduler freezes it, None also for a revision.
    """

    pools: Sequence[str]
    pool_code: str
    in_force: date | None
    freezes_on: date | None = None
    is_revision: bool = False


@dataclass(frozen=True)
class RatingLists:
    """The questions that pages ask. What is `Any` is only for templates; the queries are those of the functions."""

    published_players: Callable[[Collection[int]], set[int]]
    """Those of these keys of players who have a public page."""
    newest_ratings: Callable[[Collection[int]], tuple[Sequence[Any], Mapping[int, Mapping[int, int]]]]
    """The newest lists of the pools in order; player's key → list's key → rating."""
    players_on_newest_lists: Callable[[PlayerQuerySet, bool], PlayerQuerySet]
    """Those of the players who are on one of the newest lists (True), or on none of them."""
    published_in: Callable[[Iterable[str]], Mapping[str, CountedIn]]
    """`part_code` of a tournament → the published list that counts it in its newest revision."""
    counted_in: Callable[[Sequence[int]], Mapping[int, Sequence[CountedIn]]]
    """Key of a result set → the lists that count it, published or not."""
    list_of_report: Callable[[Report], Any]
    """The list that counts a report; None before its submission."""
    coming_lists: Callable[[Sequence[Report]], Mapping[int, ComingList]]
    """Key of a submitted report → its coming list."""
    uncounted_reports: Callable[[QuerySet[Report]], QuerySet[Report]]
    """Of these reports those that no list counts."""
    expected_changes: Callable[[TournamentDetails, ReadReport, Mapping[int, Player | None]], Any]
    """The rating changes of a report if it alone counted today; its `players` by number in the report."""
    weighed_games: Callable[[TournamentDetails], Sequence[Any]]
    """The games of a tournament by their time for 60 moves: `seconds`, `pool`, `weight_percentage`."""


_registered: list[RatingLists] = []


def register_rating_lists(lists: RatingLists) -> None:
    """Make the app of rating lists known; called at start."""
    _registered[:] = [lists]


def rating_lists() -> RatingLists:
    """The questions to the app of rating lists."""
    return _registered[0]
