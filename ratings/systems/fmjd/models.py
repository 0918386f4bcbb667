"""The tables of Annex 9: what its lists and changes have besides what all rating systems have."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Change, ListRow


class FmjdListRow(ListRow):
    """A player on an FMJD list, as printed."""

    games_3_years = models.IntegerField()
    reached_2300 = models.BooleanField()

    class Meta:
        db_table = "fmjd_listrow"
        constraints = [
            models.UniqueConstraint(fields=["list", "player"], name="ratinglistrow_player_once"),
            models.UniqueConstraint(fields=["list", "name_position"], name="ratinglistrow_name_position"),
            models.CheckConstraint(
                condition=Q(category__in=["A", "B", "C"]), name="ratinglistrow_category_known"
            ),
            models.CheckConstraint(
                condition=Q(position__gt=0, name_position__gt=0, rating__gt=0, games__gte=F("period_games")),
                name="ratinglistrow_figures_possible",
            ),
        ]


class FmjdChange(Change):
    """The change of one player by one tournament: every figure of Annex 9 art. 3.

    Figures ending in `_e4` are those of the regulations times 10 000 (R3). The five figures of art. 3.2 are empty for a
    provisional performance (art. 3.3.2).
    """

    class Method(models.TextChoices):
        PROVISIONAL = "provisional", _("Provisional")
        CHANGE = "change", _("Change")

    method = models.CharField(max_length=11)
    own_e4 = models.IntegerField(null=True, help_text="Ro; empty for a first result.")
    own_is_running = models.BooleanField(
        help_text="Ro is the running value, the player not being on the list (R8)."
    )
    unrated_games = models.IntegerField(help_text="Played, opponent not on the list: not counted (art. 5.3).")
    opponents_sum = models.IntegerField()
    average_e4 = models.IntegerField(help_text="Rc.")
    expected_percentage_e4 = models.IntegerField(null=True, help_text="Pe.")
    expected_score_e4 = models.IntegerField(null=True, help_text="We.")
    k = models.SmallIntegerField(null=True)
    development = models.SmallIntegerField(null=True, help_text="Percentage of K (R6).")
    delta_e4 = models.IntegerField(null=True, help_text="ΔR.")
    performance_e4 = models.IntegerField(help_text="Rp; within 1900 and 2400 where it is provisional (R4).")
    performance_limited = models.BooleanField(help_text="R4's limits moved the performance.")

    class Meta:
        db_table = "fmjd_change"
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    method="provisional",
                    expected_percentage_e4__isnull=True,
                    expected_score_e4__isnull=True,
                    k__isnull=True,
                    development__isnull=True,
                    delta_e4__isnull=True,
                )
                | Q(
                    method="change",
                    own_e4__isnull=False,
                    expected_percentage_e4__isnull=False,
                    expected_score_e4__isnull=False,
                    k__isnull=False,
                    development__isnull=False,
                    delta_e4__isnull=False,
                ),
                name="ratingchange_columns_of_method",
            ),
            models.CheckConstraint(condition=Q(games__gt=0), name="ratingchange_counts_a_game"),
        ]
        indexes = [models.Index(fields=["list", "tournament"], name="ratingchange_tournament")]

    @property
    def added_e4(self) -> int | None:
        return self.delta_e4
