"""Annex 9 for readers: a summary, worked examples, the calculator's fields about the player, tables IX-1 and IX-2."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from ratings.federations.fmjd.models import FmjdChange
from ratings.federations.fmjd.rules import tables
from ratings.federations.fmjd.rules.calculator import calculate_tournament
from ratings.federations.fmjd.rules.columns import PROVISIONAL
from ratings.federations.fmjd.rules.edition import FmjdRules
from ratings.federations.fmjd.rules.explain import explain, explain_new_rating
from ratings.federations.fmjd.texts import change_sentence, parameter_text
from ratings.federations.method import Calculated, MethodTable, PlayerForm, Result, WorkedExample, WorkedStep
from ratings.rules.scaled_numbers import E4, decimals
from ratings.rules.values import RuleText
from reporting.rules.details.time_control import TimeControlError, parse_time_control

MAX_RATING = 3500
MAX_GAMES = 9999
MAX_DIFFERENCE = Decimal(3500)
ROWS_OF_A_PART = 100

IN_WORDS = {
    "own_rating": gettext_lazy("On the list in force when the tournament begins"),
    "average": gettext_lazy("Sum of the opponents’ ratings, divided by the number of games"),
    "difference": gettext_lazy("Own rating minus the mean of the opponents"),
    "expected_percentage": gettext_lazy(
        "The difference looked up in table IX-1, in proportion between two lines"
    ),
    "expected_points": gettext_lazy("The expected percentage of the most points possible, 2 a game"),
    "development_factor": gettext_lazy("How far a result moves the rating: K, reduced for fast games"),
    "change": gettext_lazy("Half of K, times the points above those expected"),
    "performance": gettext_lazy(
        "Mean of the opponents, plus the difference of table IX-1 for the percentage scored"
    ),
    "provisional": gettext_lazy("The rating before and the performance, each weighted by its games"),
    "new_rating": gettext_lazy("The rating before plus the change, rounded to a whole number"),
}
"""The formula of each step of an explanation in words, by its code."""

EXAMPLE = (1985, 2), (2010, 2), (2025, 1), (2040, 1), (2065, 2), (2095, 1), (2130, 0)
"""Opponents with a mean of 2050 and 9 points in 7 games, as in the examples of art. 2.4.2 to 3.2.2."""


class FmjdPlayerForm(PlayerForm):
    """Rating, games and time control of the tournament's player."""

    rating = forms.IntegerField(
        label=gettext_lazy("Own rating"),
        required=False,
        min_value=1,
        max_value=MAX_RATING,
        help_text=gettext_lazy("Empty for a newcomer"),
    )
    games = forms.IntegerField(
        label=gettext_lazy("Counted games before"),
        required=False,
        min_value=0,
        max_value=MAX_GAMES,
        help_text=gettext_lazy("Total games on the list"),
    )
    time_control = forms.CharField(
        label=gettext_lazy("Time control"),
        required=False,
        max_length=60,
        initial="80+60",
        help_text=gettext_lazy("Base minutes + seconds per move"),
    )
    reached = forms.BooleanField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limit = {"rating": self.rules.parameters.k_reached_rating}
        self.fields["reached"].label = gettext("Has had %(rating)s or more on a list") % limit

    def clean_time_control(self) -> str:
        text: str = self.cleaned_data["time_control"]
        try:
            seconds = parse_time_control(text).seconds_for_60_moves if text or self.asks_all else 1
        except TimeControlError:
            seconds = 0
        if not seconds:
            raise forms.ValidationError(gettext("Write base minutes + seconds per move, for example 80+60."))
        return text

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not self.asks_all or {"rating", "games"} & {*self.errors}:
            return values
        limit = self.rules.parameters.provisional_games
        if values["rating"] and values["games"] is None:
            self.add_error("games", gettext("Enter the number of games, 0 for none."))
        elif not values["rating"] and (values["games"] or 0) >= limit:
            message = gettext("Enter the rating: a player with %(games)s or more counted games has one.")
            self.add_error("rating", message % {"games": limit})
        return values


class LookupForm(forms.Form):
    """A difference of ratings."""

    difference = forms.DecimalField(
        label=gettext_lazy("Rating difference"),
        required=False,
        min_value=-MAX_DIFFERENCE,
        max_value=MAX_DIFFERENCE,
        decimal_places=4,
        help_text=gettext_lazy("Own rating minus the opponent’s, for example 137 or -137"),
    )


class FmjdMethod:
    """Annex 9, step by step."""

    player_form = FmjdPlayerForm
    lookup_form = LookupForm

    def summary(self, rules: FmjdRules) -> Sequence[RuleText]:
        parameters = rules.parameters
        games = {"games": parameters.provisional_games}
        days = {"days": parameter_text(parameters.closing_days, "closing_days")}
        return (
            RuleText(
                gettext("A list counts the tournaments that ended by its closing date: %(days)s") % days,
                "4.4, 6.2",
                ("R10",),
            ),
            RuleText(
                gettext("Ratings come from the list in force on the first day of the tournament"),
                "5.2",
                ("R8",),
            ),
            RuleText(
                gettext("A game counts if it was played and the opponent is on that list"),
                "5.2, 5.3",
                ("R8",),
            ),
            RuleText(
                gettext(
                    "The ratings say how many points to expect. More points raise the rating, fewer points lower it"
                ),
                "3.2.1, 3.2.2",
                ("R2", "R3"),
            ),
            RuleText(
                gettext("How far it moves depends on K, higher for new players, and on the time control"),
                "1.2.2, 3.2.3",
                ("R5", "R6"),
            ),
            RuleText(
                gettext(
                    "With fewer than %(games)s counted games a rating is provisional: the mean of the performances,"
                    " weighted by games"
                )
                % games,
                "3.3",
                ("R7",),
            ),
            RuleText(
                gettext("The changes of all tournaments are added, then rounded to a whole number"),
                "3.3.1, 6.2",
                ("R9",),
            ),
        )

    def worked_examples(self, rules: FmjdRules) -> Sequence[WorkedExample]:
        games = rules.parameters.k_new_games
        results = [Result(rating, points) for rating, points in EXAMPLE]
        newcomer = gettext("The same games, played by a player without a rating")
        rated = gettext(
            "Rating 2150 after %(games)s games, never 2300; 9 points in 7 games against a mean of 2050, at 80 minutes"
            " + 60 seconds a move. Change and expected points are those printed in art. 3.2.1 and 3.2.2"
        )
        return (
            WorkedExample(
                gettext("A player with a rating"),
                rated % {"games": games},
                {"rating": "2150", "games": str(games), "time_control": "80+60"},
                results,
            ),
            WorkedExample(gettext("A newcomer"), newcomer, {"time_control": "80+60"}, results),
        )

    def values_of_row(self, row: Any) -> Mapping[str, str]:
        reached = "True" if row.reached_2300 else ""
        return {"rating": str(row.rating), "games": str(row.games), "reached": reached}

    def values_of_change(
        self, rules: FmjdRules, change: FmjdChange, time_control: str
    ) -> Mapping[str, str] | None:
        own, rest = divmod(change.own_e4 or 0, E4)
        if rest:  # a running value of this period, not a rating
            return None
        return {
            "rating": str(own or ""),
            "games": str(change.games_before),
            "reached": "True" if change.k == rules.parameters.k_reached else "",
            "time_control": time_control,
        }

    def calculate(self, rules: FmjdRules, player: Mapping[str, Any], results: Sequence[Result]) -> Calculated:
        clock = parse_time_control(player["time_control"])
        found = calculate_tournament(
            rules.parameters,
            rating=player["rating"] or 0,
            games=player["games"] or 0,
            has_reached_limit=player["reached"],
            time_control=clock.words,
            seconds=clock.seconds_for_60_moves,
            results=[(result.rating, result.points) for result in results],
        )
        if found is None:
            return Calculated(change_sentence({"games": 0}), (), None)
        change = found.change
        names = ("performance_e4", "points", "games", "average_e4", "after_e4")
        values = {name: getattr(change, name) for name in names}
        values["delta_e4"] = None if change.method == PROVISIONAL else change.delta_e4
        new_rating = explain_new_rating(player["rating"] or 0, [change], found.rating)
        steps = (*explain(change, rules.parameters), new_rating)
        return Calculated(
            change_sentence(values),
            [WorkedStep(step, str(IN_WORDS[step.code])) for step in steps],
            found.rating,
        )

    def look_up(self, values: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
        if values["difference"] is None:
            return ()
        percentage = _percentage_e4(int(values["difference"] * E4))
        per_game = int(tables.expected_score_e4(percentage, 1))
        return (
            (gettext("Expected percentage"), f"{decimals(percentage)} %"),
            (
                gettext("Expected points in a game"),
                gettext("%(points)s of 2") % {"points": decimals(per_game)},
            ),
        )

    def tables(self) -> Sequence[MethodTable]:
        percentages = [
            (f"{percentage} %", decimals(int(tables.RATING_DIFFERENCE_E2[percentage]) * 100)[:-2])
            for percentage in range(101)
        ]
        differences = [
            (str(difference), decimals(higher), decimals(100 * E4 - higher))
            for difference in range(tables.LARGEST_DIFFERENCE + 1)
            for higher in [_percentage_e4(difference * E4)]
        ]
        return (
            MethodTable(
                "ix-1",
                gettext("IX-1: rating difference by percentage"),
                RuleText(
                    gettext("The difference of ratings at which a percentage is expected"), "2.3", ("R1",)
                ),
                (gettext("Percentage"), gettext("Difference")),
                [(_range(part), part) for part in (percentages[:50], percentages[50:])],
            ),
            MethodTable(
                "ix-2",
                gettext("IX-2: expected percentage by rating difference"),
                RuleText(
                    gettext("For whole differences; others are calculated in proportion"), "2.4", ("R2", "R3")
                ),
                (gettext("Difference"), gettext("Higher rated, %"), gettext("Lower rated, %")),
                [
                    (_range(part), part)
                    for first in range(0, len(differences), ROWS_OF_A_PART)
                    for part in [differences[first : first + ROWS_OF_A_PART]]
                ],
            ),
        )


def _percentage_e4(difference_e4: int) -> int:
    return int(tables.expected_percentage_e4(difference_e4, 0, 1))


def _range(rows: Sequence[Sequence[str]]) -> str:
    return gettext("%(first)s to %(last)s") % {"first": rows[0][0], "last": rows[-1][0]}
