"""The tables of the ICCF's working rules. Their columns are declared in `declaration.py`."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from ratings.models import GameChange, ListRow


class IccfListRow(ListRow):
    """A player on an ICCF list, as printed. Figures of its calculation are empty on an opening list."""

    method = models.CharField(max_length=8, help_text="5-all, 5-period or 6; empty without games.")
    k_e6 = models.BigIntegerField(null=True, help_text="k, by method 6 and 5-period.")
    status = models.CharField(max_length=9, help_text="fixed or not fixed.")
    formula_games = models.IntegerField(null=True, help_text="The games of formula 5.")
    opponents_sum = models.IntegerField(
        null=True, help_text="The sum of the opponents' limited ratings, by formula 5."
    )
    points_sum = models.IntegerField(null=True, help_text="Points of formula 5, in halves.")

    class Meta:
        db_table = "iccf_listrow"
        constraints = [
            models.UniqueConstraint(fields=["list", "player"], name="iccflistrow_player_once"),
            models.UniqueConstraint(fields=["list", "name_position"], name="iccflistrow_name_position"),
            models.CheckConstraint(
                condition=Q(position__gt=0, name_position__gt=0, games__gte=F("period_games")),
                name="iccflistrow_figures_possible",
            ),
            models.CheckConstraint(
                condition=Q(method="", period_games=0, k_e6=None, formula_games=None)
                | Q(method="5-all", period_games__gt=0, k_e6=None, formula_games__gt=0)
                | Q(method="5-period", period_games__gt=0, k_e6__gt=0, formula_games=F("period_games"))
                | Q(method="6", period_games__gt=0, k_e6__gt=0, formula_games=None),
                name="iccflistrow_figures_of_method",
            ),
            models.CheckConstraint(
                condition=Q(formula_games=None, opponents_sum=None, points_sum=None)
                | Q(
                    formula_games__gt=0,
                    opponents_sum__isnull=False,
                    points_sum__range=(0, 2 * F("formula_games")),
                ),
                name="iccflistrow_sums_of_formula",
            ),
        ]


class IccfChange(GameChange):
    """The change of a player by one game: both ratings, and by method 6 every figure of items 7 to 9."""

    added_decimals: ClassVar[int] = 8

    colour = models.CharField(max_length=1, help_text="w or b.")
    own_rating = models.IntegerField(help_text="Rating of the player on the day the game began.")
    own_from = models.CharField(max_length=7, help_text="list or assumed.")
    own_list = models.CharField(max_length=40, help_text="The list that has it; empty for none.")
    opponent_rating = models.IntegerField(help_text="Rating of the opponent on the day the game began.")
    opponent_from = models.CharField(max_length=7, help_text="list or assumed.")
    opponent_list = models.CharField(max_length=40, help_text="The list that has it; empty for none.")
    method = models.CharField(max_length=8, help_text="5-all, 5-period or 6.")
    k_e6 = models.BigIntegerField(null=True, help_text="k, by method 6.")
    expected_e2 = models.IntegerField(null=True, help_text="We, by method 6.")
    added_e8 = models.BigIntegerField(null=True, help_text="k × (W − We), by method 6.")
    substitute = models.CharField(max_length=10, help_text="substitute, replaced or empty.")

    class Meta:
        db_table = "iccf_change"
        constraints = [
            models.CheckConstraint(
                condition=Q(games=1, points__range=(0, 2), last_game__gte=F("first_game")),
                name="iccfchange_figures_possible",
            ),
            models.CheckConstraint(
                condition=Q(method__in=["5-all", "5-period"], k_e6=None, expected_e2=None, added_e8=None)
                | Q(method="6", k_e6__gt=0, expected_e2__range=(1, 99), added_e8__isnull=False),
                name="iccfchange_figures_of_method",
            ),
        ]
        indexes = [models.Index(fields=["list", "result_set"], name="iccfchange_tournament")]

    @property
    def added(self) -> int | None:
        return self.added_e8
