"""The calculation of a game and of a list, step by step, as it is shown to the player.

Each figure is formatted from the stored columns; nothing is calculated a second time. Steps and notes have codes and
values; their sentences are in the two catalogues of this module. Articles are those of the Rekenregels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from math import sqrt
from typing import Final

from ratings.federations.knsb.rules.parameters import TEMPOS, KnsbRules
from ratings.rules.scaled_numbers import E4, MINUS, decimals, signed
from reporting.rules.sentences import Value, sentence

E6: Final = 10**6
E10: Final = 10**10
OPPONENTS_SHOWN: Final = 8
"""Different ratings of opponents that the equation of the LPR names one by one."""

STEPS: Final[Mapping[str, str]] = {
    "calculation_day": "Calculation date",
    "own": "Own rating",
    "opponent": "Rating of the opponent",
    "n_v": "Games that the own rating rests on",
    "k": "Factor",
    "expected": "Expected score",
    "change": "Change",
    "r_i": "Rating of the period before",
    "sum": "Sum of the changes",
    "lpr": "Performance on the list (LPR)",
    "limit_lpr": "Limit by the LPR",
    "limit_r_i": "Limit by the rating before",
    "bonus": "Bonus for youth",
    "minimum": "Lowest rating",
    "n_v_fallen": "Games the rating rests on",
    "new_rating": "New rating",
}
"""The name of each step, by its code."""

NOTES: Final[Mapping[str, str]] = {
    "knsb-klassiek": "KNSB klassiek",
    "knsb-rapid": "KNSB rapid",
    "knsb-blitz": "KNSB blitz",
    "fide-klassiek": "FIDE klassiek",
    "fide-rapid": "FIDE rapid",
    "fide-blitz": "FIDE blitz",
    "5.1a": "start rating: the rating of the period before",
    "5.1b": "start rating, from all games of the list",
    "6.1b": "last known rating",
    "6.3": "performance in the tournament (TLPR)",
    "6.4": "an adult counts with at least {rating}",
    "waited": "the game waited: it was reported for an earlier list",
    "start_rating": "a start rating",
    "fide_k": "1000 / {k}, the K of FIDE",
    "few_games": "N_v below {limit}",
    "few_games_adult": "no youth player, N_v below {limit}",
    "youth": "youth player, N_v {limit} or more",
    "adult": "no youth player, N_v {limit} or more",
    "rating_up_to": "rating up to {rating}",
    "rating_between": "rating between {low} and {high}",
    "rating_from": "rating {rating} or more",
    "halved": "halved, because the score against a youth player is less than expected",
    "no_games": "no counted game: the rating of the list before stays",
    "inactive": "{games} less on each anniversary of the last game from {years} years on, to no less than {least}",
    "fictitious_draw": "with one draw against the own rating, because all games were won or all were lost",
    "most_points": "at most {points} points beyond it",
    "most_rating": "up to {rating}",
}
"""The remarks next to a calculation, by their codes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedGame:
    """A row of the changes as it is stored. `own_from` and the day are empty for typed ratings."""

    calculation_day: date | None = None
    own_rating: int
    own_from: str = ""
    own_list: str = ""
    opponent_rating: int
    opponent_from: str = ""
    opponent_list: str = ""
    n_v_e4: int
    k_e6: int
    expected_e10: int
    points: int
    added_e10: int
    waited: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedList:
    """A row of a list as it is stored; sum and LPR are None without games. `limited_by` names articles."""

    rating: int
    r_i: int
    r_i_from: str = ""
    r_i_list: str = ""
    sum_e10: int | None
    lpr_e3: int | None
    bonus_e4: int
    limited_by: str


@dataclass(frozen=True, slots=True)
class Note:
    """A remark next to a calculation: its code in `NOTES` and the values of its sentence."""

    code: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        """The sentence, in the language in use."""
        return sentence(NOTES[self.code], self.values)


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the calculation, as `ExplanationStep` describes it."""

    code: str
    symbol: str
    working: str
    result: str
    article: str
    rulings: tuple[str, ...]
    notes: tuple[Note, ...] = ()
    list_read: str = ""

    @property
    def name(self) -> str:
        """The name of the figure, in the language in use."""
        return sentence(STEPS[self.code], {})


def explain_game(rules: KnsbRules, game: ExplainedGame, tempo: str = TEMPOS[0]) -> tuple[Step, ...]:
    """The steps of one game of a player: both ratings, N_v, k, We and the change (art. 3 to 7).

    `tempo` is one of `TEMPOS`.
    """
    opponent = _opponent(game)
    if tempo == TEMPOS[1] and game.opponent_rating == rules.least_senior_opponent:
        note = Note("6.4", {"rating": rules.least_senior_opponent})
        opponent = replace(opponent, article=f"{opponent.article}, 6.4", notes=(*opponent.notes, note))
    return (*_calculation_day(game), _own(game), opponent, _n_v(game), _k(rules, game), *_change(game))


def explain_list(
    rules: KnsbRules,
    row: ExplainedList,
    games: Sequence[ExplainedGame],
    fallen_n_v: tuple[int, int] | None = None,
) -> tuple[Step, ...]:
    """The steps from R_i to the new rating (art. 8 and 9); the games are in their order.

    `fallen_n_v` is N_v before and after it fell (art. 10, R84). Empty for a player without a counted game whose rating
    and N_v stay.
    """
    if not games and row.rating == row.r_i and fallen_n_v is None:
        return ()
    figure = row.r_i * E10 + (row.sum_e10 or 0)
    working = f"{row.r_i} {signed(row.sum_e10, 10)}" if row.sum_e10 is not None else str(row.r_i)
    steps = [_r_i(row)]
    if games and row.sum_e10 is not None and row.lpr_e3 is not None:
        steps += [_sum(row.sum_e10, games), _lpr(row.lpr_e3, games)]
    articles = row.limited_by.split()
    for article, start, code in (("9.2.1", row.lpr_e3, "limit_lpr"), ("9.2.2", row.r_i * 1000, "limit_r_i")):
        if article in articles and start is not None and row.sum_e10 is not None:
            sign = 1 if row.sum_e10 > 0 else -1
            before, figure = figure, (start * E10 // 1000) + sign * rules.limit_points * E10
            text = decimals(start, 3) if code == "limit_lpr" else str(row.r_i)
            working = f"{text} {'+' if sign > 0 else MINUS} {rules.limit_points}"
            most = Note("most_points", {"points": rules.limit_points})
            cut = f"{_plain(before)} → {_plain(figure)}"
            steps.append(Step(code, "", cut, _plain(figure), article, ("R82", "R82a"), (most,)))
    if row.bonus_e4:
        figure += row.bonus_e4 * (E10 // E4)
        if abs(figure - rules.bonus_rating * E10) < E10 // E4:  # the points were cut, and are stored rounded
            figure = rules.bonus_rating * E10
        working += f" + {_plain(row.bonus_e4 * (E10 // E4))}"
        upper = Note("most_rating", {"rating": rules.bonus_rating})
        steps.append(Step("bonus", "Rb", "", signed(row.bonus_e4), "9.1", ("R82", "R82c", "R81d"), (upper,)))
    if "2" in articles:
        working = f"max({row.rating}; {working})"
        steps.append(Step("minimum", "", "", str(row.rating), "2", ("R82", "R81d")))
        figure = row.rating * E10
    if fallen_n_v is not None:
        before, after = fallen_n_v
        numbers = {
            "games": rules.inactive_games,
            "years": rules.inactive_years,
            "least": rules.least_inactive_n_v,
        }
        note = Note("inactive", numbers)
        steps.append(Step("n_v_fallen", "Nv", f"{before} → {after}", str(after), "10", ("R84",), (note,)))
    working += f" = {_plain(figure)}"
    return (*steps, Step("new_rating", "Rn", working, str(row.rating), "2, 9", ("R82",)))


def _plain(figure_e10: int) -> str:
    """A figure without the zeros at its end: ``1612.5``, ``1600``."""
    return decimals(figure_e10, 10).rstrip("0").rstrip(".")


def _source(code: str) -> tuple[Note, ...]:
    return (Note(code),) if code else ()


def _calculation_day(game: ExplainedGame) -> tuple[Step, ...]:
    if game.calculation_day is None:
        return ()
    day = sentence("{day:date}", {"day": game.calculation_day.isoformat()})
    if game.waited:
        return (Step("calculation_day", "", "", day, "4.1, 5.2", ("R80d", "R81b"), notes=(Note("waited"),)),)
    return (Step("calculation_day", "", "", day, "4.1", ("R80d",)),)


_OWN = {"5.1a": ("5.1 a", ("R81a",)), "5.1b": ("5.1 b, 5.2", ("R81b", "R81c"))}
_OPPONENT = {"6.1b": ("6.1.b a", ("R83a",)), "6.3": ("6.1.b, 6.2, 6.3", ("R83",))}
"""Article and rulings of ratings that no list has."""


def _own(game: ExplainedGame) -> Step:
    of_list = ("4, 5", ("R80b", "R80c", "R80e") if game.own_from.startswith("fide-") else ("R80b",))
    article, rulings = _OWN.get(game.own_from, of_list)
    notes = _source(game.own_from)
    return Step("own", "Ro", "", str(game.own_rating), article, rulings, notes, game.own_list)


def _opponent(game: ExplainedGame) -> Step:
    is_fide = game.opponent_from.startswith("fide-")
    of_list = ("4, 6", ("R80b", "R80c", "R80e", "R83b") if is_fide else ("R80b",))
    article, rulings = _OPPONENT.get(game.opponent_from, of_list)
    notes = _source(game.opponent_from)
    return Step("opponent", "Rc", "", str(game.opponent_rating), article, rulings, notes, game.opponent_list)


def _n_v(game: ExplainedGame) -> Step:
    notes: tuple[Note, ...] = ()
    if game.own_from in _OWN:
        notes = (Note("start_rating"),)
    elif game.own_from.startswith("fide-"):
        notes = (Note("fide_k", {"k": round(1000 * E4 / game.n_v_e4)}),)
    n_v = _plain(game.n_v_e4 * (E10 // E4))
    return Step("n_v", "Nv", "", n_v, "7.1", ("R81a",) if game.own_from in _OWN else ("R81",), notes)


def _k(rules: KnsbRules, game: ExplainedGame) -> Step:
    """k with the case of the table (art. 7) that gives the stored figure.

    A row does not say whether the player is a youth player. The figure does, but for N_v 36 with 2140 and N_v 64 with
    2230, where both cases give the same: the one by N_v is named.
    """
    n_v = _plain(game.n_v_e4 * (E10 // E4))
    root_e6 = rules.factor_constant * E6 / sqrt(game.n_v_e4 / E4)
    is_few = game.n_v_e4 < rules.youth_games * E4
    by_games = is_few or (
        game.n_v_e4 < rules.adult_games * E4
        and min(abs(game.k_e6 - root_e6), abs(game.k_e6 - root_e6 / 2)) < E6 // 1000
    )
    if by_games:
        working, is_halved = f"{rules.factor_constant} / √{n_v}", game.k_e6 < root_e6 * 3 / 4
        notes = [
            Note("few_games", {"limit": rules.youth_games})
            if is_few
            else Note("few_games_adult", {"limit": rules.adult_games})
        ]
    else:
        working, is_halved, notes = _k_by_rating(rules, game)
    if is_halved:
        working = f"{working} / 2" if working.isdigit() else f"({working}) / 2"
        notes.append(Note("halved"))
    result = decimals(game.k_e6, 6).rstrip("0").rstrip(".")
    return Step("k", "k", working, result, "7, 7.1" if is_halved else "7", ("R81", "R81h"), tuple(notes))


def _k_by_rating(rules: KnsbRules, game: ExplainedGame) -> tuple[str, bool, list[Note]]:
    """The case by the rating: its formula, whether it is halved, and notes."""
    over = game.own_rating - rules.falling_factor_rating
    if game.own_rating >= rules.strong_rating:
        note = Note("rating_from", {"rating": rules.strong_rating})
        return str(rules.strong_factor), game.k_e6 < rules.strong_factor * E6, [note]
    youth_e6 = rules.youth_factor * E6 - max(over, 0) * E6 // rules.youth_points_a_step
    is_youth = game.k_e6 == youth_e6
    factor, step, games, group = (
        (rules.youth_factor, rules.youth_points_a_step, rules.youth_games, "youth")
        if is_youth
        else (rules.adult_factor, rules.adult_points_a_step, rules.adult_games, "adult")
    )
    whole_e6 = factor * E6 - max(over, 0) * E6 // step
    notes = [Note(group, {"limit": games})]
    if over <= 0:
        notes.append(Note("rating_up_to", {"rating": rules.falling_factor_rating}))
        return str(factor), game.k_e6 < whole_e6, notes
    between = {"low": rules.falling_factor_rating, "high": rules.strong_rating}
    working = f"{factor} {MINUS} ({game.own_rating} {MINUS} {rules.falling_factor_rating}) / {step}"
    return working, game.k_e6 < whole_e6, [*notes, Note("rating_between", between)]


def _change(game: ExplainedGame) -> tuple[Step, Step]:
    expected, score = decimals(game.expected_e10, 10), _points(game.points)
    k = decimals(game.k_e6, 6).rstrip("0").rstrip(".")
    difference = f"Φ({game.own_rating} {MINUS} {game.opponent_rating})"
    working = f"({score} {MINUS} {expected}) × {k}"
    return (
        Step("expected", "We", difference, expected, "3", ("R80",)),
        Step("change", "Rt", working, signed(game.added_e10, 10), "2, 9", ("R81h",)),
    )


def _points(halves: int) -> str:
    return f"{halves / 2:g}"


def _r_i(row: ExplainedList) -> Step:
    if row.sum_e10 is None:
        notes = (*_source(row.r_i_from), Note("no_games"))
        return Step("r_i", "Ri", "", str(row.r_i), "8, 9", ("R82b",), notes, row.r_i_list)
    article, rulings = ("8, 5.1 b", ("R81f", "R81c")) if row.r_i_from == "5.1b" else ("8, 4", ("R80b",))
    return Step("r_i", "Ri", "", str(row.r_i), article, rulings, _source(row.r_i_from), row.r_i_list)


def _sum(sum_e10: int, games: Sequence[ExplainedGame]) -> Step:
    terms = [signed(game.added_e10, 10) for game in games] if len(games) <= OPPONENTS_SHOWN else []
    return Step("sum", "Rtt", " ".join(terms), signed(sum_e10, 10), "9", ("R81h",))


def _lpr(lpr_e3: int, games: Sequence[ExplainedGame]) -> Step:
    """The LPR with its equation: the expected scores of a player of that rating add up to the score (art. 9.2)."""
    met, points = Counter(game.opponent_rating for game in games), sum(game.points for game in games)
    notes: tuple[Note, ...] = ()
    if points in (0, 2 * len(games)):
        met[games[-1].own_rating] += 1
        points += 1
        notes = (Note("fictitious_draw"),)
    terms = [
        f"{f'{times} × ' if times > 1 else ''}Φ(LPR {MINUS} {rating})"
        for rating, times in sorted(met.items())
    ]
    left = " + ".join(terms) if len(terms) <= OPPONENTS_SHOWN else f"Σ Φ(LPR {MINUS} R_c)"
    return Step("lpr", "", f"{left} = {_points(points)}", decimals(lpr_e3, 3), "9.2", ("R82a",), notes)
