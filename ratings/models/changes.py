"""What a list changes for a player: by a tournament, by a game, by the games of a tournament together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.db import models

from ratings.models.lists import RatingList
from ratings.rules.scaled_numbers import rounded


class Change(models.Model):
    """The change of one player by one tournament or game: what the changes of all rating systems have.

    Partitioned by list and written once, as its rows. Figures ending in `_e4` are those of the regulations times
    10 000. `added_decimals` are those of what it adds.
    """

    added_decimals: ClassVar[int] = 4

    pk = models.CompositePrimaryKey("list_id", "player_id", "sequence")
    list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="+")
    player = models.ForeignKey("reporting.Player", on_delete=models.PROTECT, related_name="+")
    sequence = models.SmallIntegerField(help_text="0, 1, … in the order of the calculation.")
    result_set = models.ForeignKey("reporting.ResultSet", on_delete=models.PROTECT, related_name="+")
    games = models.IntegerField(help_text="N, counted.")
    points = models.IntegerField(help_text="W, in halves: 2-1-0.")
    first_game = models.DateField()
    last_game = models.DateField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.player_id} at {self.result_set_id}"

    @property
    def added(self) -> int | None:
        """What the change adds to the rating; None for a provisional result, which makes one.

        Times ten to the power of `added_decimals`.
        """
        raise NotImplementedError

    @property
    def added_e4(self) -> int | None:
        """The same times 10,000, halves away from zero."""
        return None if self.added is None else rounded(self.added, self.added_decimals, 4)

    @property
    def made_e4(self) -> int | None:
        """The rating that a provisional result makes, times 10,000."""
        return None

    @property
    def is_provisional(self) -> bool:
        return self.added is None

    @property
    def clock(self) -> int | None:
        """Seconds for 60 moves of the games of a session that it counts (R25); None for all games of the pool."""
        return None


class GameChange(Change):
    """The change of one player by one game, in a system that rates by the game (`Declaration.unit`).

    Its table has `own_rating` and `opponent_rating`, the ratings that the game counts by: columns or properties. The
    opponent is the one it is counted against, by the regulations perhaps another player than the one at the board.
    """

    game = models.ForeignKey("reporting.Game", on_delete=models.PROTECT, related_name="+")
    opponent = models.ForeignKey("reporting.Player", on_delete=models.PROTECT, related_name="+")

    game_id: int
    own_rating: int | None
    opponent_rating: int | None

    class Meta:
        abstract = True


@dataclass(frozen=True)
class GameChanges:
    """The changes of a player by the games of one tournament, in the order of the calculation; at least one."""

    of_games: Sequence[GameChange]

    @property
    def games(self) -> int:
        return sum(change.games for change in self.of_games)

    @property
    def points(self) -> int:
        """Of counted games, in halves."""
        return sum(change.points for change in self.of_games)

    @property
    def added_e4(self) -> int | None:
        """The exact sum of what the games add, times 10,000, halves away from zero; None if one is provisional."""
        added = [change.added for change in self.of_games if change.added is not None]
        if len(added) < len(self.of_games):
            return None
        return rounded(sum(added), self.of_games[0].added_decimals, 4)

    @property
    def made_e4(self) -> int | None:
        return self.of_games[-1].made_e4

    @property
    def is_provisional(self) -> bool:
        return self.added_e4 is None

    @property
    def own_rating(self) -> int | None:
        """The rating that the first game counts by."""
        return self.of_games[0].own_rating

    @property
    def clock(self) -> None:
        """All games of the pool."""
        return


TournamentFigures = Change | GameChanges
"""What a list counts of a tournament for a player."""


def basis_of(figures: TournamentFigures | None, rating_list: RatingList) -> int | None:
    """The list (id) whose ratings all games of a tournament use; None where each has its own, or none counts."""
    if figures is None or isinstance(figures, GameChanges):
        return None
    basis: int = getattr(figures, f"{rating_list.declaration.basis}_id")
    return basis


def by_clock(rating_list: RatingList, changes: Sequence[Change]) -> dict[int | None, TournamentFigures]:
    """The changes, one or more, of a player by a tournament: time for 60 moves (R25) → change; of games one for all."""
    if rating_list.is_by_game:
        return {None: GameChanges([change for change in changes if isinstance(change, GameChange)])}
    return {change.clock: change for change in changes}
