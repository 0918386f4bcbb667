"""The working rules for readers: summary, worked examples, fields of the calculator, the tables of items 3 and 4."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django import forms
from django.utils.translation import gettext, gettext_lazy

from ratings.federations.iccf.models import IccfListRow
from ratings.federations.iccf.rules.calculator import calculate_games
from ratings.federations.iccf.rules.explain import explain_game, explain_list, plain
from ratings.federations.iccf.rules.formulas import (
    E2,
    E6,
    FIRST_DIFFERENCES,
    HIGHER_E2,
    RATING_DIFFERENCES,
    coefficient_e6,
    expected_e2,
)
from ratings.federations.iccf.rules.parameters import EDITIONS, KINDS, IccfRules
from ratings.federations.iccf.texts import change_sentence
from ratings.federations.method import Calculated, MethodTable, PlayerForm, Result, WorkedExample, WorkedStep
from ratings.models import GameChanges
from ratings.rules.scaled_numbers import MINUS, decimals, rounded
from ratings.rules.values import RuleText

MAX_RATING = 3500
LEAST_LEVEL, LARGEST_LEVEL = 1000, 3000
ROWS_OF_A_PART = 10

IN_WORDS = {
    "own": gettext_lazy("On the list of the day the game began, or assumed"),
    "difference": gettext_lazy("Own rating less that of the opponent"),
    "expected": gettext_lazy("By the difference of the two ratings"),
    "change": gettext_lazy("The score less the expected score, times the coefficient"),
    "counted": gettext_lazy("A rating far away is brought nearer to the own one"),
    "old_rating": gettext_lazy("What the changes are added to"),
    "games_before": gettext_lazy("They decide by which formula a rating is calculated"),
    "rating_factor": gettext_lazy("Less for high ratings"),
    "games_factor": gettext_lazy("Less for many games"),
    "coefficient": gettext_lazy("How far a result moves the rating"),
    "most_games": gettext_lazy("With more games in the period formula 5 takes the place of the changes"),
    "sum": gettext_lazy("Of all games"),
    "opening": gettext_lazy("A rating without its games counts as draws against it"),
    "mean": gettext_lazy("The ratings counted, by the number of games"),
    "percentage": gettext_lazy("Points by the number of games"),
    "rating_difference": gettext_lazy("The line of the table for this score"),
    "correction": gettext_lazy("Largest for half of the points"),
    "new_rating": gettext_lazy("Rounded half up"),
}
"""The formula of each step of an explanation in words, by its code."""

OF_ONE_GAME = ("difference", "expected", "change")
AFTER_GAMES = ("sum", "mean", "percentage", "rating_difference", "correction", "new_rating")
"""The steps of each game in the calculator, and those of the list that follow them."""


class IccfPlayerForm(PlayerForm):
    """Rating, rated games, and the assumed rating of the tournament."""

    rating = forms.IntegerField(
        label=gettext_lazy("Own rating"),
        required=False,
        min_value=1,
        max_value=MAX_RATING,
        help_text=gettext_lazy("On the list before. Empty for a newcomer"),
    )
    games = forms.IntegerField(
        label=gettext_lazy("Rated games"),
        required=False,
        min_value=1,
        max_value=100_000,
        help_text=gettext_lazy("On the list before"),
    )
    level = forms.IntegerField(
        label=gettext_lazy("Assumed rating"),
        required=False,
        min_value=LEAST_LEVEL,
        max_value=LARGEST_LEVEL,
        help_text=gettext_lazy("Of players without a rating (0). Empty: that of the open class"),
    )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if self.asks_all and values.get("rating") and "games" in values and not values["games"]:
            self.add_error("games", gettext("Enter the games, which are next to the rating on the list."))
        if self.asks_all and values.get("games") and "rating" in values and not values["rating"]:
            self.add_error("rating", gettext("Enter the rating that these games gave."))
        return values


class LookupForm(forms.Form):
    """A difference of ratings, a score, and a rating with its games."""

    difference = forms.IntegerField(
        label=gettext_lazy("Rating difference"),
        required=False,
        min_value=-MAX_RATING,
        max_value=MAX_RATING,
        help_text=gettext_lazy("Own rating minus the opponent’s, for example 137 or -137"),
    )
    percentage = forms.IntegerField(
        label=gettext_lazy("Score in percent"),
        required=False,
        min_value=0,
        max_value=100,
        help_text=gettext_lazy("For example 75"),
    )
    rating = forms.IntegerField(
        label=gettext_lazy("Rating"),
        required=False,
        min_value=1,
        max_value=MAX_RATING,
        help_text=gettext_lazy("With its games it gives k"),
    )
    games = forms.IntegerField(
        label=gettext_lazy("Rated games"), required=False, min_value=0, max_value=100_000
    )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        for name, other in (("rating", "games"), ("games", "rating")):
            if values.get(other) is not None and name in values and values[name] is None:
                self.add_error(name, gettext("k needs the rating and its games."))
        return values


class IccfMethod:
    """The working rules, step by step."""

    player_form = IccfPlayerForm
    lookup_form = LookupForm

    def summary(self, rules: IccfRules) -> Sequence[RuleText]:
        numbers = rules.numbers
        return (
            RuleText(
                gettext("A game has the ratings of the list in force on the day it began"),
                "8",
                ("R91", "R91a"),
            ),
            RuleText(
                gettext("A player on no list has the assumed rating of the kind of tournament"),
                "8, 11",
                ("R93", "R93c"),
            ),
            RuleText(
                gettext(
                    "With fewer than %(fixed_games)s rated games, formula 5 over all games ever gives the rating: the"
                    " mean of the opponents, and a difference that the score shows"
                )
                % numbers,
                "5, 14, 15",
                ("R90", "R92", "R92a"),
            ),
            RuleText(
                gettext(
                    "From %(fixed_games)s games on, formula 6 adds the changes of the games: the score less the"
                    " expected score, times a coefficient k"
                )
                % numbers,
                "6, 7",
                ("R91", "R92"),
            ),
            RuleText(
                gettext("k falls with a rating over %(weak_rating)s and with more than %(few_games)s games")
                % numbers,
                "9",
                ("R91",),
            ),
            RuleText(
                gettext(
                    "With more than %(period_points)s/k games in a quarter, formula 5 over these gives the rating"
                )
                % numbers,
                "16",
                ("R92",),
            ),
            RuleText(
                gettext("No opponent counts as more than %(largest_difference)s points away") % numbers,
                "5, 8",
                ("R90", "R91"),
            ),
            RuleText(
                gettext(
                    "The game of a substitute counts for the substitute who gains by it, else for the player replaced"
                ),
                "18",
                ("R94",),
            ),
        )

    def worked_examples(self, rules: IccfRules) -> Sequence[WorkedExample]:  # noqa: ARG002 (those of rulings)
        return (
            WorkedExample(
                gettext("A fixed rating"),
                gettext("2200 on 50 games beats 2300 and draws with 2100, as in the example of ruling R91"),
                {"rating": "2200", "games": "50"},
                [Result(2300, 2), Result(2100, 1)],
            ),
            WorkedExample(
                gettext("A newcomer"),
                gettext("A win over 1800 and a draw with 1900, as in the example of ruling R90"),
                {},
                [Result(1800, 2), Result(1900, 1)],
            ),
            WorkedExample(
                gettext("A rating on few games"),
                gettext("1875 on 12 games beats 1875, as in the example of ruling R92a"),
                {"rating": "1875", "games": "12"},
                [Result(1875, 2)],
            ),
            WorkedExample(
                gettext("More than 800/k games"),
                gettext("1900 on 30 games draws 33 games against 1950: the limit is 32, as in ruling R92"),
                {"rating": "1900", "games": "30"},
                [Result(1950, 1)] * 33,
            ),
        )

    def values_of_row(self, row: IccfListRow) -> Mapping[str, str]:
        return {"rating": str(row.rating), "games": str(row.games)}

    def values_of_change(
        self,
        rules: IccfRules,
        change: GameChanges,
        time_control: str,  # noqa: ARG002
    ) -> Mapping[str, str] | None:
        """Of games by formula 6 that began with one rating of a list, that of the list before.

        The number of games is the one that gives k, at its limits the nearest.
        """
        games: Sequence[Any] = change.of_games  # those of IccfChange
        figures = {(game.own_rating, game.own_from, game.k_e6) for game in games}
        ((rating, source, k_e6),) = figures if len(figures) == 1 else ((0, "", None),)
        if k_e6 is None or source != "list":
            return None
        possible = np.arange(rules.few_games, rules.many_games + 1)
        found = np.flatnonzero(coefficient_e6(rules, rating, possible) == k_e6)
        return {"rating": str(rating), "games": str(possible[found[0]])} if found.size else None

    def calculate(self, rules: IccfRules, player: Mapping[str, Any], results: Sequence[Result]) -> Calculated:
        found = calculate_games(
            rules,
            rating=player["rating"] or 0,
            games=player["games"] or 0,
            level=player["level"] or rules.levels[KINDS.index("open-class")],
            results=[(result.rating, result.points) for result in results],
        )
        if found is None:
            return Calculated(change_sentence({"games": 0}), (), None)
        of_list = explain_list(rules, found.row, found.games)
        of_games = [explain_game(rules, game) for game in found.games]
        steps = [step for step in of_games[0] if step.code == "own" and found.row.method != "6"]
        steps += [step for step in of_list if step.code not in AFTER_GAMES]
        # Of formula 5 only what is limited: else the rating that counts is the one that was typed.
        steps += [
            step
            for of_game in of_games
            for step in of_game
            if step.code in OF_ONE_GAME or (step.code == "counted" and step.notes)
        ]
        steps += [step for step in of_list if step.code in AFTER_GAMES]
        added = [game.added_e8 for game in found.games if game.added_e8 is not None]
        values = {
            "games": len(found.games),
            "points": sum(game.points for game in found.games),
            "added_e4": rounded(sum(added), 8, 4) if added else None,
        }
        return Calculated(
            change_sentence(values),
            [WorkedStep(step, str(IN_WORDS[step.code])) for step in steps],
            found.row.rating,
        )

    def look_up(self, values: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
        rules, found = EDITIONS[-1], []
        if values["difference"] is not None:
            expected = int(expected_e2(rules, np.array(values["difference"]), np.array(0)))
            found += [
                (gettext("Expected score"), decimals(expected, 2)),
                (gettext("Expected score of the opponent"), decimals(E2 - expected, 2)),
            ]
        if values["percentage"] is not None:
            difference = str(RATING_DIFFERENCES[values["percentage"]]).replace("-", MINUS)
            found.append((gettext("Rating difference of this score"), difference))
        if values["rating"] is not None:
            k_e6 = int(coefficient_e6(rules, values["rating"], values["games"]))
            most = rules.period_points * E6 // k_e6
            found += [
                (gettext("Development coefficient"), plain(k_e6, 6)),
                (gettext("Games up to which changes are added"), str(most)),
            ]
        return found

    def tables(self) -> Sequence[MethodTable]:
        """Those of items 3 and 4, in parts of ten lines."""
        percentages = [
            (f"{percentage} %", str(RATING_DIFFERENCES[percentage]).replace("-", MINUS))
            for percentage in range(100, -1, -1)
        ]
        firsts = FIRST_DIFFERENCES.tolist()
        differences = [
            (
                gettext("%(first)s to %(last)s") % {"first": first, "last": after - 1}
                if after
                else gettext("from %(first)s") % {"first": first},
                decimals(higher, 2),
                decimals(E2 - higher, 2),
            )
            for first, after, higher in zip(firsts, [*firsts[1:], 0], HIGHER_E2.tolist(), strict=True)
        ]
        return (
            MethodTable(
                "item-3",
                gettext("Rating difference by score"),
                RuleText(gettext("D(p) of formula 5; the score is rounded to whole percents"), "3", ("R90",)),
                (gettext("Score"), gettext("Rating difference")),
                _parts(percentages),
            ),
            MethodTable(
                "item-4",
                gettext("Expected score by rating difference"),
                RuleText(
                    gettext(
                        "A difference of more than %(largest_difference)s counts as %(largest_difference)s"
                    )
                    % EDITIONS[-1].numbers,
                    "4, 8",
                    ("R91",),
                ),
                (gettext("Difference"), gettext("Higher rated"), gettext("Lower rated")),
                _parts(differences),
            ),
        )


def _parts(rows: Sequence[Sequence[str]]) -> list[tuple[str, Sequence[Sequence[str]]]]:
    parts = [rows[first : first + ROWS_OF_A_PART] for first in range(0, len(rows), ROWS_OF_A_PART)]
    return [(" – ".join(dict.fromkeys((part[0][0], part[-1][0]))), part) for part in parts]
