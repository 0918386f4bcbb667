"""The tables of the toy league."""

from django.db import models

from ratings.models import Change, ListRow


class LeagueListRow(ListRow):
    class Meta:
        db_table = "league_listrow"


class LeagueChange(Change):
    """A game of a player, against one opponent: both ratings are those of the list before (1000 without one)."""

    own = models.IntegerField(help_text="Rating of the player before the list.")
    opponent_rating = models.IntegerField()

    class Meta:
        db_table = "league_change"

    @property
    def added_e4(self) -> int | None:
        return None if self.before_e4 is None else self.after_e4 - self.before_e4
