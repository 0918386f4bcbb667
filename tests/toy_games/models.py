"""The tables of the toy league."""

from typing import ClassVar

from django.db import models

from ratings.models import GameChange, ListRow
from reporting.models import OwnDetails


class LeagueListRow(ListRow):
    club = models.CharField(max_length=6, help_text="Of the player on the day of the list; empty for none.")
    sum_e10 = models.BigIntegerField(
        null=True, help_text="Rating before it is rounded; empty without a game."
    )
    marks = models.CharField(max_length=7, help_text="new, won, both or none.")

    class Meta:
        db_table = "league_listrow"


class LeagueChange(GameChange):
    """A game of a player: both ratings are those of the list before (1000 without one)."""

    added_decimals: ClassVar[int] = 10

    colour = models.CharField(max_length=1, help_text="w or b.")
    own_rating = models.IntegerField(help_text="Rating of the player before the list.")
    own_list = models.CharField(max_length=40, help_text="The list that has it; empty for none.")
    opponent_rating = models.IntegerField(help_text="That of the opponent.")
    expected_e10 = models.BigIntegerField(help_text="We.")
    added_e10 = models.BigIntegerField(help_text="10 × (W − We).")

    class Meta:
        db_table = "league_change"

    @property
    def added(self) -> int | None:
        return self.added_e10


class LeagueResultSetDetails(OwnDetails):
    division = models.CharField(max_length=6, blank=True)

    class Meta:
        db_table = "league_resultset"
