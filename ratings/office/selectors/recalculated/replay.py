"""Published lists calculated again under another edition of the rules, in memory: what would differ."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from psycopg import sql

from ratings.federations.facet import Edition, Replay
from ratings.inputs.calculation_inputs import inputs_of_list
from ratings.inputs.in_force import FAR_FUTURE, lists_in_force
from ratings.inputs.read_columns import read_columns
from ratings.models import Pool, RatingList
from ratings.rules.columns import Integers, ListColumns
from reporting.models import Player

SMALL_MOVE = 5


@dataclass(frozen=True)
class ReplayedRating:
    """A player with the published rating and the replayed one; the number is that of the list."""

    player: Player
    register_number: int
    before: int
    after: int

    @property
    def change(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, eq=False)
class ReplayedList:
    """A published list compared with its replay.

    `differences` has the points by which each player on both lists differs, replayed less published; `mean` and
    `spread` are theirs, the spread as the standard deviation of all of them. The largest differences are None where no
    rating is higher, or lower. Positions are those of the official list: the players who move by 1, by 2 to 5 and by
    more, and who is on one of the two only.
    """

    rating_list: RatingList
    differences: Integers
    largest_up: ReplayedRating | None
    largest_down: ReplayedRating | None
    moved_by_1: int
    moved_by_2_to_5: int
    moved_by_more: int
    new_on_official: int
    removed_from_official: int

    @property
    def largest(self) -> list[ReplayedRating]:
        return [rating for rating in (self.largest_up, self.largest_down) if rating]

    @property
    def players(self) -> int:
        return int(self.differences.size)

    @property
    def differing(self) -> int:
        return int(np.count_nonzero(self.differences))

    @property
    def mean(self) -> float:
        return float(self.differences.mean()) if self.players else 0.0

    @property
    def spread(self) -> float:
        return float(self.differences.std()) if self.players else 0.0

    @property
    def mean_e4(self) -> int:
        return round(self.mean * 10_000)

    @property
    def spread_e4(self) -> int:
        return round(self.spread * 10_000)


def replayable_lists(pool: Pool) -> list[RatingList]:
    """The newest published revision of each calculated list of a pool, the oldest first. 1 query."""
    return [rating_list for rating_list in lists_in_force(pool.pk) if not rating_list.is_opening]


def replay_lists(pool: Pool, rules: Edition, lists: Sequence[RatingList]) -> list[ReplayedList]:
    """Calculate these lists of a pool again under an edition (`replayed_rows`), and compare each: 2 queries a list."""
    replayed = replayed_rows(pool, lists, rules)
    return [_compared(rating_list, replayed[rating_list.pk]) for rating_list in lists]


def replayed_rows(
    pool: Pool, lists: Sequence[RatingList], rules: Edition | None = None
) -> dict[int, ListColumns]:
    """The rows of these lists of a pool, by key, calculated again; `lists` are of `replayable_lists`.

    Under an edition, without one each list under its own. Each list is read from the same inputs as when it was
    published, but from the replayed ratings of every list before it from the first of `lists` on; replaced revisions
    are replayed where a later list was calculated from them. Corrections carry the points that they carried when
    published. Nothing is written. Per revision: the queries of `inputs_of_list` and of the system's `read_input`.
    """
    replayed: dict[int, ListColumns] = {}
    for rating_list in _with_their_inputs(pool, lists):
        replay = Replay(rules or rating_list.rules, replayed)
        calculation = pool.rating_system.read_input(inputs_of_list(rating_list), replay).calculate()
        replayed[rating_list.pk] = calculation.rows
    return replayed


def _with_their_inputs(pool: Pool, lists: Sequence[RatingList]) -> list[RatingList]:
    """The lists and the revisions that they were calculated from, since the first of them, in order of calculation."""
    published = RatingList.objects.filter(
        pool=pool,
        state=RatingList.State.PUBLISHED,
        is_opening=False,
        in_force__gte=min((rating_list.in_force for rating_list in lists), default=FAR_FUTURE),
    ).select_related("period__pool", "correction")
    wanted = {rating_list.pk for rating_list in lists}
    found = []
    for rating_list in published.order_by("-pk"):  # a list is calculated after those that it starts from
        if rating_list.pk in wanted:
            wanted.update(rating_list.input_lists)
            found.append(rating_list)
    return found[::-1]


def _compared(rating_list: RatingList, rows: ListColumns) -> ReplayedList:
    """2 queries."""
    player, rating, position = read_columns(
        sql.SQL(
            "SELECT player_id, rating, coalesce(official_position, 0) FROM {} WHERE list_id = {} ORDER BY player_id"
        ).format(
            sql.Identifier(rating_list.rating_system.row_model._meta.db_table), sql.Literal(rating_list.pk)
        ),
        3,
    )
    both, place, replayed = np.intersect1d(player, rows.player, assume_unique=True, return_indices=True)
    before, after = rating[place], rows.rating[replayed]
    differences = after - before
    largest = {sign: int(np.argmax(sign * differences)) for sign in (1, -1) if np.any(sign * differences > 0)}
    people = Player.objects.in_bulk(both[list(largest.values())].tolist())
    up, down = (
        ReplayedRating(
            people[int(both[index])],
            int(rows.register_number[replayed][index]),
            int(before[index]),
            int(after[index]),
        )
        if (index := largest.get(sign)) is not None
        else None
        for sign in (1, -1)
    )
    official_positions: Integers = getattr(rows, rating_list.declaration.official_source)
    official = rows.player[official_positions > 0]
    official_position = official_positions[replayed]
    on_both = (position[place] > 0) & (official_position > 0)
    moves = np.abs(official_position - position[place])[on_both]
    return ReplayedList(
        rating_list=rating_list,
        differences=differences,
        largest_up=up,
        largest_down=down,
        moved_by_1=int(np.count_nonzero(moves == 1)),
        moved_by_2_to_5=int(np.count_nonzero((moves > 1) & (moves <= SMALL_MOVE))),
        moved_by_more=int(np.count_nonzero(moves > SMALL_MOVE)),
        new_on_official=int(official.size - np.count_nonzero(on_both)),
        removed_from_official=int(np.count_nonzero(position) - np.count_nonzero(on_both)),
    )
