"""What holds for every tournament, and the tie-breaks written a second time, player by player."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ratings.federations.fmjd.rules.tables import RATING_DIFFERENCE_E2
from reporting.rules.standings.classify import classify
from reporting.rules.standings.cross_table import NONE, CrossTable, Kind
from reporting.rules.standings.registry import TIE_BREAKS
from reporting.rules.standings.unplayed import METHODS

TABLE_IX_1 = RATING_DIFFERENCE_E2.tolist()


def random_table(seed: int, *, players: int = 13, rounds: int = 6) -> CrossTable:
    """A tournament with games, forfeits, pauses, half-point byes and absences at random, and ratings with gaps."""
    random = np.random.default_rng(seed)
    shape = (players, rounds)
    opponents, kinds = np.full(shape, NONE), np.full(shape, Kind.ABSENT)
    points, colours = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for column in range(rounds):
        order = random.permutation(players).tolist()
        while len(order) > 1:
            white, black = order.pop(), order.pop()
            match random.integers(0, 12):
                case 0:
                    kinds[white, column], points[white, column] = Kind.PAUSE, 2
                    kinds[black, column], points[black, column] = Kind.HALF_POINT_BYE, 1
                    continue
                case 1:
                    continue
                case 2:
                    kind, gained = Kind.FORFEIT, 2 * int(random.integers(0, 2))
                case _:
                    kind, gained = Kind.PLAYED, int(random.integers(0, 3))
            opponents[white, column], opponents[black, column] = black, white
            kinds[[white, black], column] = kind
            points[white, column], points[black, column] = gained, 2 - gained
            if kind == Kind.PLAYED:
                colours[white, column], colours[black, column] = 1, -1
    ratings = random.integers(1400, 2500, players)
    ratings[random.random(players) < 0.15] = NONE
    return CrossTable(
        numbers=np.arange(1, players + 1),
        names=tuple(f"P{number}" for number in range(1, players + 1)),
        ratings=ratings, opponents=opponents, kinds=kinds, points=points, colours=colours,
    )  # fmt: skip


def every_value(table: CrossTable, method: str = "face-value") -> dict[int, list]:
    """Each player's values by number, with every tie-break that the method has and that does not depend on groups."""
    keys = [
        key
        for key, tie_break in TIE_BREAKS.items()
        if not tie_break.of_group
        and not tie_break.teams_only
        and (method == "face-value" or not tie_break.face_value_only)
    ]
    standings = classify(table, keys, unplayed=method, rating_differences_e2=TABLE_IX_1)
    return {
        int(number): [column.value(row) for column in standings.columns]
        for row, number in enumerate(table.numbers)
    }


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_rows_does_not_matter(seed, method):
    table = random_table(seed)
    order = np.random.default_rng(seed + 100).permutation(table.players)
    place = np.argsort(order)
    met = table.opponents[order]
    shuffled = replace(
        table,
        numbers=table.numbers[order],
        names=tuple(table.names[row] for row in order),
        ratings=table.ratings[order], opponents=np.where(met == NONE, NONE, place[met]), kinds=table.kinds[order],
        points=table.points[order], colours=table.colours[order],
    )  # fmt: skip
    assert every_value(shuffled, method) == every_value(table, method)
    places = dict(zip(table.numbers.tolist(), classify(table).places.tolist(), strict=True))
    assert dict(zip(shuffled.numbers.tolist(), classify(shuffled).places.tolist(), strict=True)) == places


@pytest.mark.parametrize("seed", range(6))
def test_double_points_double_sums_and_make_products_fourfold(seed):
    table = random_table(seed)
    keys = ["solkoff", "median", "short", "full", "plus", "sb", "baliakin"]
    once = classify(table, keys).columns
    twice = classify(replace(table, points=2 * table.points), keys).columns
    for key, column, double in zip(keys, once, twice, strict=True):
        factor = 4 if key in ("sb", "baliakin") else 2
        assert (double.numerators == factor * column.numerators).all(), key


@pytest.mark.parametrize("seed", range(10))
def test_sums_written_a_second_time(seed):
    """Annex 5 art. 3.1 a to g by loops over the rounds of one player at a time."""
    table = random_table(seed)
    scores = table.points.sum(axis=1).tolist()

    def faced(row):
        return [
            (int(other), scores[other] if other != NONE else 0, int(points))
            for other, points in zip(table.opponents[row], table.points[row], strict=True)
        ]

    solkoff = [sum(score for _, score, _ in faced(row)) for row in range(table.players)]
    standings = classify(table, ["solkoff", "median", "short", "full", "plus", "baliakin", "sb"])
    for row in range(table.players):
        met = faced(row)
        sorted_scores = sorted(score for _, score, _ in met)
        assert [column.value(row) for column in standings.columns] == [
            solkoff[row],
            sum(sorted_scores[1:-1]),
            sum(sorted_scores[1:]),
            [sum(sorted_scores[cut:]) for cut in range(1, len(met))],
            sum(solkoff[other] for other, _, _ in met if other != NONE),
            sum(score * solkoff[other] for other, score, _ in met if other != NONE),
            sum(points * score for _, score, points in met),
        ]


@pytest.mark.parametrize("seed", range(10))
def test_the_performance_expects_the_score(seed):
    """App. D: put into table IX-1, read between its lines, the performance gives the score again, exactly."""
    table = random_table(seed)
    column = classify(table, ["tpr"], rating_differences_e2=TABLE_IX_1).columns[0]
    upper = TABLE_IX_1[50:]

    def expected(difference_e2: Fraction) -> Fraction:
        distance = min(abs(difference_e2), Fraction(upper[-1]))
        step = max(place for place in range(50) if upper[place] <= distance)
        share = (50 + step + (distance - upper[step]) / (upper[step + 1] - upper[step])) / 50
        return share if difference_e2 >= 0 else 2 - share

    for row in range(table.players):
        games = [
            (int(table.ratings[other]), int(points))
            for other, points, kind in zip(
                table.opponents[row], table.points[row], table.kinds[row], strict=True
            )
            if kind == Kind.PLAYED and table.ratings[other] != NONE
        ]
        score = sum(points for _, points in games)
        if games and 0 < score < 2 * len(games):
            own = column.value(row)
            assert sum(expected(100 * (own - rating)) for rating, _ in games) == score


@pytest.mark.parametrize("seed", range(4))
def test_a_finished_tournament_without_unplayed_rounds_has_the_same_values_by_every_method(seed):
    """Ricca: IgnoreUG was made to coincide there; FIDE's Buchholz too."""
    random = np.random.default_rng(seed)
    players, rounds = 12, 5
    opponents, points = (
        np.zeros((players, rounds), dtype=np.int64),
        np.zeros((players, rounds), dtype=np.int64),
    )
    for column in range(rounds):
        for white, black in random.permutation(players).reshape(-1, 2):
            opponents[white, column], opponents[black, column] = black, white
            points[white, column] = random.integers(0, 3)
            points[black, column] = 2 - points[white, column]
    table = replace(
        random_table(seed, players=players, rounds=rounds), opponents=opponents, points=points,
        kinds=np.zeros_like(points), colours=np.zeros_like(points),
    )  # fmt: skip
    for keys in (
        ("solkoff", "BH", "sivakasi", "aaso"),
        ("short", "BH/C1", "sivakasi-cut1", "aaso-cut1"),
        ("median", "BH/M1"),
        ("sb", "SB", "sivakasi-sb", "aaso-sb"),
    ):
        for method in METHODS:
            standings = classify(table, keys, unplayed=method)
            for row in range(players):
                assert len({column.value(row) for column in standings.columns}) == 1, (keys, method)
    face_value = classify(table, ["solkoff", "short", "median", "sb"]).columns
    for method in METHODS:
        for column, other in zip(
            face_value,
            classify(table, ["solkoff", "short", "median", "sb"], unplayed=method).columns,
            strict=True,
        ):
            assert [column.value(row) for row in range(players)] == [
                other.value(row) for row in range(players)
            ], method
