"""The Rekenregels for readers: summary, worked examples, fields of the calculator, the table of We."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django import forms
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from ratings.federations.knsb.models import KnsbListRow
from ratings.federations.knsb.rules.calculator import calculate_games
from ratings.federations.knsb.rules.explain import explain_game, explain_list
from ratings.federations.knsb.rules.formulas import E10, expected_e10, factor_e6
from ratings.federations.knsb.rules.parameters import EDITIONS, TEMPOS, KnsbRules
from ratings.federations.knsb.texts import change_sentence
from ratings.federations.method import Calculated, MethodTable, PlayerForm, Result, WorkedExample, WorkedStep
from ratings.models import GameChanges
from ratings.rules.days import months_before
from ratings.rules.scaled_numbers import E4, decimals, rounded
from ratings.rules.values import RuleText
from reporting.rules.details.time_control import parse_time_control

MAX_RATING = 3500
FIRST_BIRTH_YEAR = 1900
NUMBERS = r"\A[1-9][0-9]{0,2}( ?, ?[1-9][0-9]{0,2}){0,99}\Z"
DIFFERENCES_PRINTED, ROWS_OF_A_PART = 750, 50
"""The table of the appendix has 15 columns of 50 differences."""

IN_WORDS = {
    "own": gettext_lazy("On the newest list on the calculation date, or the start rating"),
    "n_v": gettext_lazy("1 for a start rating, else as the list says"),
    "k": gettext_lazy("How far a result moves the rating: less for many games and high ratings"),
    "expected": gettext_lazy("By the difference of the two ratings"),
    "change": gettext_lazy("The score less the expected score, times the factor"),
    "r_i": gettext_lazy("On the list before, or the start rating"),
    "sum": gettext_lazy("Of all games"),
    "lpr": gettext_lazy("The rating whose expected scores add up to the score"),
    "limit_lpr": gettext_lazy("A rating passes the performance by a few points only"),
    "limit_r_i": gettext_lazy("Against the performance a rating moves by a few points only"),
    "minimum": gettext_lazy("No rating is lower"),
    "new_rating": gettext_lazy("Rounded half up"),
}
"""The formula of each step of an explanation in words, by its code."""

OF_ONE_GAME = ("expected", "change")
"""The steps that each game has of its own in the calculator, whose games are of one day."""


class KnsbPlayerForm(PlayerForm):
    """Tempo, rating, N_v, year of birth, and which opponents are youth players."""

    tempo = forms.ChoiceField(
        label=gettext_lazy("Pool"), required=False, choices=[(tempo, tempo) for tempo in TEMPOS]
    )
    rating = forms.IntegerField(
        label=gettext_lazy("Own rating"),
        required=False,
        min_value=1,
        max_value=MAX_RATING,
        help_text=gettext_lazy("On the list of this pool. Empty for a newcomer"),
    )
    n_v = forms.IntegerField(
        label=gettext_lazy("Games the rating rests on (N_v)"),
        required=False,
        min_value=1,
        help_text=gettext_lazy("As the list says"),
    )
    born = forms.IntegerField(
        label=gettext_lazy("Year of birth"),
        required=False,
        min_value=FIRST_BIRTH_YEAR,
        max_value=2100,
        help_text=gettext_lazy("For youth players"),
    )
    youth = forms.RegexField(
        NUMBERS,
        label=gettext_lazy("Opponents who are youth players"),
        required=False,
        help_text=gettext_lazy(
            "Numbers of their games, with N_v below 100: 1, 3. All others count as adults"
        ),
        error_messages={"invalid": gettext_lazy("Enter numbers of games with commas between them.")},
    )

    def clean_n_v(self) -> int | None:
        n_v: int | None = self.cleaned_data["n_v"]
        if n_v and n_v > self.rules.largest_n_v:
            message = gettext("N_v is at most %(most)s.")
            raise forms.ValidationError(message % {"most": self.rules.largest_n_v})
        return n_v

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if self.asks_all and values.get("rating") and "n_v" in values and not values["n_v"]:
            self.add_error("n_v", gettext("Enter N_v, which stands next to the rating on the list."))
        return values


class LookupForm(forms.Form):
    """A difference of ratings."""

    difference = forms.IntegerField(
        label=gettext_lazy("Rating difference"),
        required=False,
        min_value=-MAX_RATING,
        max_value=MAX_RATING,
        help_text=gettext_lazy("Own rating minus the opponent’s, for example 137 or -137"),
    )


class KnsbMethod:
    """The Rekenregels, step by step."""

    player_form = KnsbPlayerForm
    lookup_form = LookupForm

    def summary(self, rules: KnsbRules) -> Sequence[RuleText]:
        numbers = {**rules.numbers, "months": rules.waiting_months[0], "fast_months": rules.waiting_months[1]}
        return (
            RuleText(
                gettext("A game changes a rating by the score less the expected score, times a factor k"),
                "2, 3",
                ("R80", "R81h"),
            ),
            RuleText(
                gettext("Both ratings are those of the newest lists on the calculation date of the game"),
                "4, 4.1",
                ("R80b", "R80d"),
            ),
            RuleText(
                gettext(
                    "k falls with the games that the rating rests on (N_v) and with a rating over %(low)s"
                )
                % {"low": rules.falling_factor_rating},
                "7",
                ("R81",),
            ),
            RuleText(
                gettext(
                    "A player without a rating starts from the mean of the opponents, by the score. Games before the"
                    " first list wait, klassiek %(months)s months, rapid and blitz %(fast_months)s"
                )
                % numbers,
                "5.1, 5.2, 11.2",
                ("R81b", "R81c", "R84c"),
            ),
            RuleText(
                gettext(
                    "The changes of all games are added. A rating passes the performance on the list by"
                    " %(limit_points)s points at most"
                )
                % numbers,
                "9, 9.2",
                ("R82", "R82a"),
            ),
            RuleText(
                gettext("Youth may get a bonus up to %(bonus_rating)s. No rating is below %(least_rating)s")
                % numbers,
                "2, 9.1",
                ("R82", "R82c"),
            ),
        )

    def worked_examples(self, rules: KnsbRules) -> Sequence[WorkedExample]:  # noqa: ARG002 (those of rulings)
        return (
            WorkedExample(
                gettext("A player with a rating"),
                gettext("1600 with N_v 80 beats 1700 and draws with 1500, as in the example of ruling R82"),
                {"rating": "1600", "n_v": "80"},
                [Result(1700, 2), Result(1500, 1)],
            ),
            WorkedExample(
                gettext("A newcomer"),
                gettext("2½ points in six games against 1500, as in the example of ruling R81b"),
                {},
                [Result(1500, points) for points in (2, 2, 1, 0, 0, 0)],
            ),
            WorkedExample(
                gettext("A rise that the performance limits"),
                gettext("1400 with N_v 1 wins four games against 1400, as in the example of ruling R82a"),
                {"rating": "1400", "n_v": "1"},
                [Result(1400, 2)] * 4,
            ),
        )

    def values_of_row(self, row: KnsbListRow) -> Mapping[str, str]:
        tempo = row.list.pool.tempo
        return {
            "tempo": tempo,
            "rating": str(row.rating),
            "n_v": str(row.n_v),
            "born": str(row.birth_year or ""),
        }

    def values_of_change(
        self, rules: KnsbRules, change: GameChanges, time_control: str
    ) -> Mapping[str, str] | None:
        """Of games by one rating of a list.

        A youth player has the year of birth of the oldest, which gives the same; an opponent is one where k is halved.
        """
        games: Sequence[Any] = change.of_games  # those of KnsbChange
        first = games[0]
        figures = {(game.own_rating, game.n_v_e4, game.calculation_day) for game in games}
        seconds = parse_time_control(time_control).seconds_for_60_moves if time_control else 0
        if len(figures) > 1:
            return None
        n_v, rest = divmod(first.n_v_e4, E4)
        if rest or not first.own_from.startswith("knsb-"):
            return None
        values = {"tempo": rules.tempo(seconds), "rating": str(first.own_rating), "n_v": str(n_v)}
        for birth_year in ("", str(timezone.localdate().year - rules.youth_age)):
            is_youth = bool(birth_year)
            whole, halved = factor_e6(
                rules,
                np.array([first.own_rating] * 2),
                np.array([n_v] * 2),
                np.array([is_youth] * 2),
                np.array([False, not is_youth]),
            ).tolist()
            if all(game.k_e6 in (whole, halved) for game in games):
                youth = [str(number) for number, game in enumerate(games, 1) if game.k_e6 != whole]
                return values | {"born": birth_year, "youth": ", ".join(youth)}
        return None

    def calculate(self, rules: KnsbRules, player: Mapping[str, Any], results: Sequence[Result]) -> Calculated:
        this_month, tempo = timezone.localdate().replace(day=1), player["tempo"] or TEMPOS[0]
        found = calculate_games(
            rules,
            in_force=months_before(this_month, -1),
            rating=player["rating"] or 0,
            n_v=player["n_v"] or 0,
            birth_year=player["born"] or 0,
            results=[(result.rating, result.points) for result in results],
            tempo=tempo,
            youth=[int(number) for number in player["youth"].split(",") if number],
        )
        if found is None:
            return Calculated(change_sentence({"games": 0}), (), None)
        of_games = [explain_game(rules, game, tempo) for game in found.games]
        steps = [step for step in of_games[0] if step.code not in (*OF_ONE_GAME, "opponent")]
        steps += [step for of_game in of_games for step in of_game if step.code in OF_ONE_GAME]
        steps += explain_list(rules, found.row, found.games)
        added = rounded(sum(game.added_e10 for game in found.games), 10, 4)
        points = sum(game.points for game in found.games)
        return Calculated(
            change_sentence({"games": len(found.games), "points": points, "added_e4": added}),
            [WorkedStep(step, str(IN_WORDS[step.code])) for step in steps],
            found.row.rating,
        )

    def look_up(self, values: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
        if values["difference"] is None:
            return ()
        expected = int(expected_e10(EDITIONS[-1], values["difference"], 0))
        return (
            (gettext("Expected score"), decimals(expected, 10)),
            (gettext("Expected score of the opponent"), decimals(E10 - expected, 10)),
        )

    def tables(self) -> Sequence[MethodTable]:
        differences = np.arange(DIFFERENCES_PRINTED)
        rows = [
            (str(difference), decimals(higher, 3), decimals(1000 - higher, 3))
            for difference, expected in enumerate(expected_e10(EDITIONS[-1], differences, 0).tolist())
            for higher in [rounded(expected, 10, 3)]
        ]
        parts = [rows[first : first + ROWS_OF_A_PART] for first in range(0, len(rows), ROWS_OF_A_PART)]
        return (
            MethodTable(
                "we",
                gettext("Expected score by rating difference"),
                RuleText(
                    gettext("With three decimals, as in the appendix; a rating is calculated with ten"),
                    "3.1, 14",
                    ("R80",),
                ),
                (gettext("Difference"), gettext("Higher rated"), gettext("Lower rated")),
                [
                    (
                        gettext("%(first)s to %(last)s") % {"first": part[0][0], "last": part[-1][0]},
                        part,
                    )
                    for part in parts
                ],
            ),
        )
