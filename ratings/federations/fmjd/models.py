"""The tables of Annex 9, and the declaration of their columns: a new one is a field and a line below.

`tests/models/test_declared_columns.py` compares the two.
"""

from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from ratings.federations.fmjd.rules.columns import METHODS
from ratings.models import Change, ListRow, RatingList
from ratings.rules.declared import (
    CheckedColumn,
    Column,
    Declaration,
    Filter,
    Kind,
    ShownFigure,
    Sort,
    Tone,
)
from ratings.rules.derived_lists import gettext_noop


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

    basis_list = models.ForeignKey(
        RatingList, on_delete=models.PROTECT, related_name="+", help_text="Whose ratings were used."
    )
    before_e4 = models.IntegerField(null=True, help_text="Running value before; empty = none.")
    games_before = models.IntegerField()
    after_e4 = models.IntegerField(help_text="Running value after.")
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
    seconds_for_60_moves = models.IntegerField(
        null=True,
        help_text="Of the games of a session that it counts (R25); empty: all games of the tournament.",
    )

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
        indexes = [models.Index(fields=["list", "result_set"], name="ratingchange_tournament")]

    @property
    def added(self) -> int | None:
        return self.delta_e4

    @property
    def made_e4(self) -> int | None:
        return self.after_e4 if self.is_provisional else None

    @property
    def clock(self) -> int | None:
        return self.seconds_for_60_moves


ROWS: Final = (
    Column(name="position"),
    Column(name="official_position", given="official_position"),
    Column(name="player_id", array="player"),
    Column(
        name="register_number",
        meaning="Number in the register of the FMJD.",
        header="fmjd_id",
        text_header="id",
    ),
    Column(
        name="rating",
        meaning="Rating on the list.",
        label=gettext_noop("Rating"),
        tone=Tone.STRONG,
        sort=Sort(
            key="rating",
            rising=gettext_noop("by rating, lowest first"),
            falling=gettext_noop("by rating"),
            falls_first=True,
            position="position",
        ),
    ),
    Column(
        name="change",
        meaning="Rating less that on the list before; empty for a new player.",
        kind=Kind.DIFFERENCE,
        given="previous",
        label=gettext_noop("Change"),
        sort=Sort(
            key="change",
            rising=gettext_noop("by change, largest loss first"),
            falling=gettext_noop("by change, largest gain first"),
            falls_first=True,
        ),
    ),
    Column(
        name="period_games",
        meaning="Games counted in the period of the list.",
        label=gettext_noop("Games"),
        full_label=gettext_noop("Games counted in this period"),
        wide=True,
        sort=Sort(
            key="games",
            rising=gettext_noop("by games of the period, fewest first"),
            falling=gettext_noop("by games of the period"),
            falls_first=True,
        ),
    ),
    Column(
        name="games",
        meaning="Counted games in all, after the list.",
        label=gettext_noop("Total games"),
        wide=True,
        tone=Tone.SOFT,
        sort=Sort(
            key="total",
            rising=gettext_noop("by total games, fewest first"),
            falling=gettext_noop("by total games"),
            falls_first=True,
        ),
    ),
    Column(name="games_3_years", meaning="Counted games of the three years before the closing date."),
    Column(
        name="last_game",
        meaning="Day of the latest counted game; empty where none is known.",
        array="last_game_day",
        kind=Kind.DAY,
    ),
    Column(
        name="reached_2300", meaning="1 if a list so far shows 2300 or more, otherwise 0.", kind=Kind.FLAG
    ),
    Column(
        name="category",
        meaning="Category A, B or C.",
        kind=Kind.LETTER,
        label=gettext_noop("Cat."),
        full_label=gettext_noop("Category"),
        text_header="cat",
        wide=True,
        sort=Sort(
            key="category",
            rising=gettext_noop("by category"),
            falling=gettext_noop("by category, C first"),
        ),
        filter=Filter(
            values=("A", "B", "C"),
            every=gettext_noop("A, B and C"),
            in_use=gettext_noop("Category %(value)s"),
            unknown=gettext_noop("%(value)s is not a category."),
        ),
    ),
    Column(name="rank", meaning="1 + the number of higher ratings on the full list."),
    Column(name="official_rank", given="official_rank"),
)

CHANGES: Final = (
    Column(name="player_id", array="player"),
    Column(name="sequence"),
    Column(name="result_set_id", array="tournament"),
    Column(name="basis_list_id", array="basis"),
    Column(
        name="method",
        meaning="provisional: fewer than 25 counted games before the tournament; change: by ΔR.",
        kind=Kind.WORD,
        words=METHODS,
    ),
    Column(
        name="own_e4",
        meaning="Ro, the rating of the player; empty for a first result.",
        header="own",
        kind=Kind.SCALED,
        given="own_e4",
        whole_unless="own_is_running",
    ),
    Column(name="own_is_running", kind=Kind.FLAG),
    Column(name="before_e4", kind=Kind.SCALED, given="before_e4"),
    Column(name="games_before"),
    Column(name="games", meaning="N, counted games."),
    Column(name="unrated_games"),
    Column(name="opponents_sum"),
    Column(
        name="average_e4", meaning="Rc, average rating of the opponents.", header="average", kind=Kind.SCALED
    ),
    Column(name="points", meaning="W, points of counted games; a win is 2."),
    # These five belong to ΔR: `method` is 0 for a provisional performance.
    Column(
        name="expected_percentage_e4",
        meaning="Pe, the expected score in percent.",
        header="pe",
        kind=Kind.SCALED,
        given="method",
    ),
    Column(
        name="expected_score_e4",
        meaning="We, expected points; a win is 2.",
        header="we",
        kind=Kind.SCALED,
        given="method",
    ),
    Column(name="k", meaning="K, the development coefficient.", given="method"),
    Column(name="development", meaning="Percentage of K.", given="method"),
    Column(
        name="delta_e4", meaning="ΔR, points of rating.", header="delta", kind=Kind.SCALED, given="method"
    ),
    Column(name="performance_e4", meaning="Rp, the performance.", header="performance", kind=Kind.SCALED),
    Column(name="performance_limited", kind=Kind.FLAG),
    Column(name="after_e4", meaning="Running value after the tournament.", header="after", kind=Kind.SCALED),
    Column(name="first_game", array="first_day", kind=Kind.DAY),
    Column(name="last_game", array="last_day", kind=Kind.DAY),
    Column(name="seconds_for_60_moves", given="seconds_for_60_moves"),
)

DECLARATION: Final = Declaration(
    rows=ROWS,
    changes=CHANGES,
    figures=(
        "register_number", "rating", "change", "period_games", "games", "category", "rank", "reached_2300",
        "games_3_years", "last_game",
    ),
    list_file=(
        "rank", "register_number", "name", "title", "federation", "sex", "birth_year", "rating", "change",
        "period_games", "games", "category",
    ),
    text_file=(
        "rank", "register_number", "name", "title", "federation", "rating", "change", "games", "category",
    ),
    list_page=("federation", "birth_year", "rating", "change", "period_games", "games", "category"),
    opening_file=("reached_2300", "games_3_years"),
    change_file=(
        "method", "own_e4", "average_e4", "games", "points", "expected_percentage_e4", "expected_score_e4", "k",
        "development", "delta_e4", "performance_e4", "after_e4",
    ),
    change_page=(
        ShownFigure(
            name="average_e4",
            label=gettext_noop("Opponents"),
            title=gettext_noop("Average rating of the opponents"),
        ),
        ShownFigure(name="performance_e4", label=gettext_noop("Performance")),
    ),
    basis="basis_list",
    before="before_e4",
    performance="performance_e4",
    compared=(
        "rating", "change", "period_games", "games", "category", "reached_2300", "games_3_years", "last_game",
    ),
    checked=(
        CheckedColumn(
            name="category",
            other=gettext_noop("Other category"),
            moved=gettext_noop("Category %(before)s to %(after)s"),
        ),
    ),
)  # fmt: skip
