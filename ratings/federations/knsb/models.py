"""The tables of the KNSB's rating rules. Their columns are declared in `declaration.py`."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from ratings.models import GameChange, ListRow


class KnsbListRow(ListRow):
    """A player on a KNSB list, as printed. Figures of its calculation are empty on an opening list."""

    n_v = models.SmallIntegerField(help_text="N_v, 1 to 100.")
    r_i = models.IntegerField(null=True, help_text="R_i.")
    r_i_from = models.CharField(max_length=13, help_text="What gives R_i; empty on an opening list.")
    r_i_list = models.CharField(max_length=40, help_text="The list that has R_i; empty for none.")
    sum_e10 = models.BigIntegerField(null=True, help_text="R_tt; empty without games.")
    bonus_e4 = models.IntegerField(help_text="Points added by article 9.1.")
    lpr_e3 = models.IntegerField(null=True, help_text="LPR; empty without games.")
    limited_by = models.CharField(
        max_length=20, help_text="The articles that changed the figure, in their order."
    )
    club = models.CharField(max_length=6, help_text="Of the player on the day of the list; empty for none.")

    class Meta:
        db_table = "knsb_listrow"
        constraints = [
            models.UniqueConstraint(fields=["list", "player"], name="knsblistrow_player_once"),
            models.UniqueConstraint(fields=["list", "name_position"], name="knsblistrow_name_position"),
            models.CheckConstraint(
                condition=Q(
                    position__gt=0,
                    name_position__gt=0,
                    rating__gt=0,
                    n_v__range=(1, 100),
                    games__gte=F("period_games"),
                ),
                name="knsblistrow_figures_possible",
            ),
            models.CheckConstraint(
                condition=Q(period_games=0, sum_e10=None, lpr_e3=None)
                | Q(period_games__gt=0, sum_e10__isnull=False, lpr_e3__isnull=False),
                name="knsblistrow_figures_of_games",
            ),
        ]


class KnsbChange(GameChange):
    """The change of a player by one game: every figure of articles 3 and 7, with the lists of both ratings."""

    added_decimals: ClassVar[int] = 10

    colour = models.CharField(max_length=1, help_text="w or b.")
    calculation_day = models.DateField(help_text="Article 4.1.")
    own_rating = models.IntegerField(help_text="R_o.")
    own_from = models.CharField(max_length=13, help_text="What gives R_o.")
    own_list = models.CharField(max_length=40, help_text="The list that has R_o; empty for none.")
    opponent_rating = models.IntegerField(help_text="R_c.")
    opponent_from = models.CharField(max_length=13, help_text="What gives R_c.")
    opponent_list = models.CharField(max_length=40, help_text="The list that has R_c; empty for none.")
    n_v_e4 = models.IntegerField(help_text="N_v of R_o.")
    k_e6 = models.BigIntegerField(help_text="k.")
    expected_e10 = models.BigIntegerField(help_text="W_e.")
    added_e10 = models.BigIntegerField(help_text="(W − W_e) × k.")
    waited = models.BooleanField(help_text="Of a report of an earlier list (article 5.2).")

    class Meta:
        db_table = "knsb_change"
        constraints = [
            models.CheckConstraint(
                condition=Q(games=1, points__range=(0, 2), k_e6__gt=0, expected_e10__range=(0, 10**10)),
                name="knsbchange_figures_possible",
            ),
        ]
        indexes = [models.Index(fields=["list", "result_set"], name="knsbchange_tournament")]

    @property
    def added(self) -> int | None:
        return self.added_e10
