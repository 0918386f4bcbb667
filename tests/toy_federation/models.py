"""The tables of the toy federation: what its rows and changes have besides what all rating systems have."""

from django.db import models
from django.db.models import Q

from ratings.models import Change, ListRow, RatingList
from reporting.models import OwnDetails


class ToyListRow(ListRow):
    wins = models.IntegerField(help_text="Counted games won in the period.")
    draws = models.IntegerField(
        null=True,
        help_text="Counted draws in the period; none on lists before 2026, which did not have them.",
    )

    class Meta:
        db_table = "toy_listrow"
        constraints = (models.CheckConstraint(condition=Q(wins__gte=0), name="toy_listrow_wins"),)


class ToyChange(Change):
    basis_list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="+")
    before_e4 = models.IntegerField(null=True, help_text="Running value before; empty = none.")
    games_before = models.IntegerField()
    after_e4 = models.IntegerField(help_text="Running value after.")
    halves_over = models.IntegerField(
        help_text="Half points over a draw in every counted game, below zero too."
    )

    class Meta:
        db_table = "toy_change"

    @property
    def added(self) -> int | None:
        return None if self.before_e4 is None else self.after_e4 - self.before_e4

    @property
    def made_e4(self) -> int | None:
        return self.after_e4 if self.is_provisional else None


class ToyResultSetDetails(OwnDetails):
    pieces = models.CharField(max_length=7, blank=True)
    registered = models.DateField(null=True, blank=True)

    class Meta:
        db_table = "toy_resultset"
