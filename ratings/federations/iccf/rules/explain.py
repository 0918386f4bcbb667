"""The calculation of a game and of a list, step by step, as it is shown to the player.

Each figure is formatted from the stored columns; what they hold as a product or a sum is taken apart exactly. Steps and
notes have codes and values; their sentences are in the two catalogues of this module. Articles are items.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

import numpy as np

from ratings.federations.iccf.rules.formulas import (
    E2,
    E6,
    E8,
    FIRST_DIFFERENCES,
    limited_opponent,
    rating_difference,
)
from ratings.federations.iccf.rules.parameters import IccfRules
from ratings.rules.scaled_numbers import MINUS, decimals
from reporting.federations.iccf.details import IccfDetails
from reporting.rules.details.known_details import details_of
from reporting.rules.sentences import Plural, Value, sentence

E3: Final = 10**3
GAMES_SHOWN: Final = 8
"""Games whose figures a sum names one by one."""
KIND_LABELS: Final = dict(details_of(IccfDetails)["kind"].labelled_choices())
"""The kinds of tournaments as reports name them."""

STEPS: Final[Mapping[str, str]] = {
    "began": "First day of the game",
    "own": "Own rating",
    "opponent": "Rating of the opponent",
    "difference": "Rating difference",
    "expected": "Expected score",
    "coefficient": "Development coefficient",
    "change": "Change",
    "score": "Score",
    "counted": "Rating counted for the opponent",
    "old_rating": "Rating on the list before",
    "games_before": "Rated games on the list before",
    "rating_factor": "Factor of the rating",
    "games_factor": "Factor of the games",
    "most_games": "Games up to which changes are added",
    "sum": "Sum of the changes",
    "earlier": "Games of an earlier list",
    "opening": "Games of the opening rating",
    "mean": "Mean of the opponents",
    "percentage": "Score per game",
    "rating_difference": "Rating difference of this score",
    "correction": "Correction factor",
    "new_rating": "New rating",
}
"""The name of each step, by its code."""

NOTES: Final[Mapping[str, str | Plural]] = {
    "assumed": "assumed, {kind:text}",
    "assumed_mean": "assumed, the mean of the rated players of a national tournament, at most {most}",
    "assumed_level": "assumed, the level of the tournament ({kind:text})",
    "no_list": "assumed, the player is on no list",
    "in_force": "in force that day",
    "earliest": "the earliest list, after the game began",
    "substitute": "counts for the substitute, who gains by it",
    "replaced": "counts for the player replaced, because the substitute does not gain by it",
    "higher_rated": "the higher rated of substitute and player replaced",
    "limited": "at most {points} points from the own rating",
    "largest_difference": "at most {points}",
    "between": "item 4: {first} to {last}",
    "rating_up_to": "old rating {rating} or less",
    "rating_from": "old rating {rating} or more",
    "rating_between": "old rating between {low} and {high}",
    "games_up_to": "{games} games or fewer",
    "games_from": "{games} games or more",
    "games_between": "between {low} and {high} games",
    "first_rating": "first rating: formula 5 over the games of the period",
    "all_games": "fewer than {games}: formula 5 over all games ever",
    "by_changes": Plural("not more with {games} game: formula 6", "not more with {games} games: formula 6", "games"),
    "of_period": "more with {games} games: formula 5 over the games of the period",
    "opening_draws": "draws against that rating",
    "rounded_percentage": "rounded to {percentage} %",
    "mirrored": "below one half: as for {percentage} %, negative",
    "rounded_once": "rounded only here",
}  # fmt: skip
"""The remarks next to a calculation, by their codes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedGame:
    """A row of the changes as it is stored; `k_e6`, `expected_e2` and `added_e8` are None by formula 5.

    The day and the lists are empty for typed ratings. `games_before` are the rated games of the list before. `kind` is
    that of the tournament, empty where it is not known; `has_level` says whether a level was announced, accepted or
    stated. `opponent_is_one_of_two` says whether a substitute played for the other side.
    """

    first_game: date | None = None
    own_rating: int
    own_from: str = "list"
    own_list: str = ""
    opponent_rating: int
    opponent_from: str = "list"
    opponent_list: str = ""
    points: int
    k_e6: int | None
    expected_e2: int | None
    added_e8: int | None
    substitute: str = ""
    games_before: int = 0
    kind: str = ""
    has_level: bool = False
    opponent_is_one_of_two: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedList:
    """A row of a list as it is stored; figures of another method are None. `list_before` is empty for typed ratings."""

    rating: int
    games: int
    period_games: int
    method: str
    k_e6: int | None
    formula_games: int | None
    opponents_sum: int | None
    points_sum: int | None
    list_before: str = ""


@dataclass(frozen=True, slots=True)
class EarlierGames:
    """The games of one earlier list that formula 5 counts: the limited ratings of their opponents, points in halves."""

    list_read: str
    opponents: Sequence[int]
    points: int


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


def explain_game(rules: IccfRules, game: ExplainedGame) -> tuple[Step, ...]:
    """The steps of one game of a player: both ratings, and by formula 6 We, k and the change (items 7 to 9, 11, 18), by
    formula 5 the score and the rating that counts for the opponent (item 5).
    """
    steps = [*_began(game), _own(rules, game), _opponent(rules, game)]
    if game.k_e6 is None or game.expected_e2 is None or game.added_e8 is None:
        return (*steps, Step("score", "W", "", _points(game.points), "5", ("R90",)), _counted(rules, game))
    r_e3, g_e3 = _factors_e3(rules, game.k_e6, game.games_before)
    k, expected = plain(game.k_e6, 6), decimals(game.expected_e2, 2)
    working = f"{k} × ({_points(game.points)} {MINUS} {expected})"
    return (
        *steps,
        *_expected(rules, game, expected),
        Step("coefficient", "k", f"r × g = {plain(r_e3, 3)} × {plain(g_e3, 3)}", k, "9", ("R91",)),
        Step("change", "ΔR", working, _signed(game.added_e8, 8), "7", ("R91",)),
    )


def explain_list(
    rules: IccfRules, row: ExplainedList, games: Sequence[ExplainedGame], earlier: Sequence[EarlierGames] = ()
) -> tuple[Step, ...]:
    """The steps to the new rating (items 5, 6, 9, 14 to 17); the games are those of the period, in their order.

    `earlier` are the games of earlier lists by list, for formula 5 over all games ever. Empty without a game in the
    period.
    """
    if row.method == "6":
        return tuple(_by_changes(rules, row, games))
    return tuple(_by_performance(rules, row, games, earlier)) if row.method else ()


def plain(figure: int, places: int) -> str:
    """A figure without the zeros at its end: ``17.25``, ``20``."""
    return decimals(figure, places).rstrip("0").rstrip(".")


def _signed(figure: int, places: int) -> str:
    return ("+" if figure > 0 else "") + plain(figure, places)


def _whole(difference: int) -> str:
    return ("+" if difference > 0 else "") + str(difference).replace("-", MINUS)


def _points(halves: int) -> str:
    return f"{halves / 2:g}"


def _began(game: ExplainedGame) -> Iterator[Step]:
    if game.first_game is not None:
        day = sentence("{day:date}", {"day": game.first_game.isoformat()})
        yield Step("began", "", "", day, "8", ("R91",))


def _own(rules: IccfRules, game: ExplainedGame) -> Step:
    article, rulings, notes = _source(rules, game, game.own_from, game.own_list)
    if game.substitute:
        article, rulings, notes = f"{article}, 18 a", (*rulings, "R94"), (*notes, Note(game.substitute))
    return Step("own", "", "", str(game.own_rating), article, rulings, notes, game.own_list)


def _opponent(rules: IccfRules, game: ExplainedGame) -> Step:
    article, rulings, notes = _source(rules, game, game.opponent_from, game.opponent_list)
    if game.opponent_is_one_of_two:
        article, rulings, notes = f"{article}, 18 b", (*rulings, "R94"), (*notes, Note("higher_rated"))
    return Step("opponent", "", "", str(game.opponent_rating), article, rulings, notes, game.opponent_list)


def _source(
    rules: IccfRules, game: ExplainedGame, source: str, list_read: str
) -> tuple[str, tuple[str, ...], tuple[Note, ...]]:
    """Item, rulings and notes of a rating of a list, or of an assumed one."""
    if source == "list":
        if game.first_game is None or not list_read:
            return "8", ("R91",), ()
        is_later = list_read.split("/")[1] > game.first_game.isoformat()
        return "8", ("R91",), (Note("earliest" if is_later else "in_force"),)
    if not game.kind:
        return "8, 11", ("R91", "R93"), (Note("no_list"),)
    if game.kind == "national" and not game.has_level:
        return "8, 11", ("R91", "R93c"), (Note("assumed_mean", {"most": rules.largest_national_level}),)
    note = Note("assumed_level" if game.has_level else "assumed", {"kind": KIND_LABELS[game.kind]})
    return "8, 11", ("R91", "R93c" if game.kind == "national" else "R93"), (note,)


def _counted_opponent(rules: IccfRules, game: ExplainedGame) -> int:
    return int(limited_opponent(rules, np.array(game.own_rating), np.array(game.opponent_rating)))


def _counted(rules: IccfRules, game: ExplainedGame) -> Step:
    """The opponent's rating in Rc (item 5, R90)."""
    counted = _counted_opponent(rules, game)
    if counted == game.opponent_rating:
        return Step("counted", "", "", str(counted), "5", ("R90",))
    sign = "+" if counted > game.own_rating else MINUS
    working = f"{game.own_rating} {sign} {rules.largest_difference}"
    limited = Note("limited", {"points": rules.largest_difference})
    return Step("counted", "", working, str(counted), "5", ("R90",), (limited,))


def _expected(rules: IccfRules, game: ExplainedGame, expected: str) -> tuple[Step, Step]:
    """The difference, at most 350, and the line of item 4 that has We."""
    difference = game.own_rating - game.opponent_rating
    limited = game.own_rating - _counted_opponent(rules, game)
    notes: tuple[Note, ...] = ()
    if limited != difference:
        notes = (Note("largest_difference", {"points": rules.largest_difference}),)
    line = int(np.searchsorted(FIRST_DIFFERENCES, abs(limited), side="right"))
    between = {"first": int(FIRST_DIFFERENCES[line - 1]), "last": int(FIRST_DIFFERENCES[line]) - 1}
    working = f"{game.own_rating} {MINUS} {game.opponent_rating}"
    return (
        Step("difference", "D", working, _whole(limited), "8", ("R91",), notes),
        Step("expected", "We", "", expected, "4, 8", ("R91",), (Note("between", between),)),
    )


def _factors_e3(rules: IccfRules, k_e6: int, games_before: int) -> tuple[int, int]:
    """r and g times 1000, of k and the games before: g follows from these, and k is the exact product."""
    g_n = min(max(games_before, rules.few_games), rules.many_games)
    g_e3 = rules.games_factor_e1 * E3 // 10 - g_n * E3 // rules.games_divisor
    return k_e6 // g_e3, g_e3


def _coefficient(rules: IccfRules, row: ExplainedList) -> tuple[Step, Step, Step, Step]:
    """r, g, k and 800/k (items 9, 16). Between its limits r tells the old rating.

    800/k is printed to two decimals, rounded down: a number of games that is more than it is more than what is printed.
    """
    k_e6, games_before = row.k_e6 or 0, row.games - row.period_games
    r_e3, g_e3 = _factors_e3(rules, k_e6, games_before)
    rating = rules.rating_divisor * (rules.rating_factor * E3 - r_e3) // E3
    working, notes = "", Note("rating_up_to", {"rating": rules.weak_rating})
    if rating >= rules.strong_rating:
        notes = Note("rating_from", {"rating": rules.strong_rating})
    elif rating > rules.weak_rating:
        working = f"{rules.rating_factor} {MINUS} {rating} / {rules.rating_divisor}"
        notes = Note("rating_between", {"low": rules.weak_rating, "high": rules.strong_rating})
    of_games, games_note = "", Note("games_up_to", {"games": rules.few_games})
    if games_before >= rules.many_games:
        games_note = Note("games_from", {"games": rules.many_games})
    elif games_before > rules.few_games:
        of_games = f"{plain(rules.games_factor_e1, 1)} {MINUS} {games_before} / {rules.games_divisor}"
        games_note = Note("games_between", {"low": rules.few_games, "high": rules.many_games})
    r, g = plain(r_e3, 3), plain(g_e3, 3)
    return (
        Step("rating_factor", "r", working, r, "9", ("R91",), (notes,)),
        Step("games_factor", "g", of_games, g, "9", ("R91",), (games_note,)),
        Step("coefficient", "k", f"r × g = {r} × {g}", plain(k_e6, 6), "9", ("R91",)),
        Step(
            "most_games",
            "",
            f"{rules.period_points} / {plain(k_e6, 6)}",
            plain(rules.period_points * E6 * E2 // k_e6, 2),
            "16",
            ("R92",),
            (Note("of_period" if row.method == "5-period" else "by_changes", {"games": row.period_games}),),
        ),
    )


def _games_before(row: ExplainedList, *notes: Note) -> Step:
    games = row.games - row.period_games
    article = "16" if row.method in ("6", "5-period") else "15" if games else "14"
    return Step("games_before", "gn", "", str(games), article, ("R92",), notes, row.list_before)


def _by_changes(rules: IccfRules, row: ExplainedList, games: Sequence[ExplainedGame]) -> Iterator[Step]:
    """Formula 6: the rounded sum lies between the old and the new rating, so the old one follows exactly."""
    added = [game.added_e8 or 0 for game in games]
    total = sum(added)
    old = row.rating - (total + E8 // 2) // E8
    yield Step("old_rating", "R0", "", str(old), "6, 9", ("R91",), (), row.list_before)
    yield _games_before(row)
    yield from _coefficient(rules, row)
    terms = " ".join(_signed(one, 8) for one in added) if len(added) <= GAMES_SHOWN else ""
    yield Step("sum", "ΔR", terms, _signed(total, 8), "6", ("R91",))
    working = f"{old} {'+' if total >= 0 else MINUS} {plain(abs(total), 8)} = {plain(old * E8 + total, 8)}"
    yield Step("new_rating", "Rn", working, str(row.rating), "6, 17", ("R92c",))


def _by_performance(
    rules: IccfRules, row: ExplainedList, games: Sequence[ExplainedGame], earlier: Sequence[EarlierGames]
) -> Iterator[Step]:
    """Formula 5 over n games with w points in halves: F is (n² + 2nw − w²) / 2n² (R90)."""
    n, total, w = row.formula_games or 0, row.opponents_sum or 0, row.points_sum or 0
    counted = [_counted_opponent(rules, game) for game in games]
    if row.method == "5-period":
        yield _games_before(row)
        yield from _coefficient(rules, row)
    else:
        is_first = row.games == row.period_games
        note = Note("first_rating") if is_first else Note("all_games", {"games": rules.fixed_games})
        yield _games_before(row, note)
        points = sum(game.points for game in games)
        yield from _earlier_games(n - len(games), total - sum(counted), w - points, earlier)
    mean = f"{total} / {n}"
    yield Step("mean", "Rc", _terms_of_mean(counted, n, mean), _three(total, n), "5", ("R90",))
    yield Step("percentage", "p", f"{_points(w)} / {n}", _three(w, 2 * n), "5", ("R90",))
    larger = (E2 * max(w, 2 * n - w) + n) // (2 * n)
    note = Note("rounded_percentage" if w >= n else "mirrored", {"percentage": larger})
    difference = int(rating_difference(w, n))
    yield Step("rating_difference", "D", "", _whole(difference), "3, 5", ("R90",), (note,))
    dividend = n * n + 2 * n * w - w * w
    of_p = f"{MINUS}2p² + 2p + 0.5 = {dividend} / {2 * n * n}"
    yield Step("correction", "F", of_p, _three(dividend, 2 * n * n), "5", ("R90",))
    exact = _three(2 * n * total + difference * dividend, 2 * n * n)
    sign = "+" if difference >= 0 else MINUS
    working = f"{mean} {sign} {abs(difference)} × {dividend} / {2 * n * n} = {exact}"
    once = (Note("rounded_once"),)
    yield Step("new_rating", "Rp", working, str(row.rating), "5, 17", ("R92c",), once)


def _earlier_games(left: int, opponents: int, points: int, earlier: Sequence[EarlierGames]) -> Iterator[Step]:
    """A step for the games of each earlier list, and one for those that an opening rating stands on: what is left of
    games before the period, of the sum of their opponents' ratings and of their points.
    """
    for one in earlier:
        left, opponents, points = (
            left - len(one.opponents),
            opponents - sum(one.opponents),
            points - one.points,
        )
        score = f"{_points(one.points)} / {len(one.opponents)}"
        yield Step("earlier", "", _terms(one.opponents), score, "15", ("R90",), (), one.list_read)
    if left:
        rating, rest = divmod(opponents, left)
        working = (
            f"{opponents} / {left}" if rest else f"{left} × {rating}"
        )  # of merged records there are two ratings
        score = f"{_points(points)} / {left}"
        yield Step("opening", "", working, score, "15", ("R92a",), (Note("opening_draws"),))


def _terms(ratings: Sequence[int]) -> str:
    return " + ".join(map(str, ratings))


def _terms_of_mean(counted: Sequence[int], n: int, mean: str) -> str:
    """The ratings one by one, where they are all games and few."""
    if len(counted) == n and 1 < n <= GAMES_SHOWN:
        return f"({_terms(counted)}) / {n}"
    return mean


def _three(dividend: int, divisor: int) -> str:
    """A quotient to three decimals, half up, without the zeros at its end."""
    return plain((2 * E3 * dividend + divisor) // (2 * divisor), 3)
