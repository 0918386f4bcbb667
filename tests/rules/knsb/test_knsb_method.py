"""The calculator, by the examples of the rulings."""

from datetime import date

import pytest

from ratings.federations.knsb.rules.calculator import calculate_games
from ratings.federations.knsb.rules.parameters import EDITIONS

RULES = EDITIONS[-1]
IN_FORCE = date(2027, 1, 1)


def calculated(rating, n_v, birth_year, results):
    return calculate_games(
        RULES, in_force=IN_FORCE, rating=rating, n_v=n_v, birth_year=birth_year, results=results
    )


@pytest.mark.parametrize(
    ("rating", "n_v", "birth_year", "results", "expected"),
    [
        # R82: 15.92076628 − 3.42076628 = +12.5.
        (1600, 80, 0, [(1700, 2), (1500, 1)], (1613, 125_000000000, "")),
        # R82a: 4 × 108 = +432, cut to LPR + 20.
        (1400, 1, 0, [(1400, 2)] * 4, (1786, 432 * 10**10, "9.2.1")),
        # R81: a youth player of 18 in 2026, when it was played, has with N_v 30 k 40: 40 × 0.5.
        (1600, 30, 2008, [(1600, 2)], (1620, 20 * 10**10, "")),
        # Born a year before: 216/√30 = 39.436024, half of it 19.718012.
        (1600, 30, 2007, [(1600, 2)], (1620, 197180120000, "")),
        # 1205 − 12.5 is below the lowest rating. k 25, We 0.5.
        (1205, 80, 0, [(1205, 0)], (1200, -125_000000000, "2")),
    ],
)
def test_the_rating_of_a_player_by_the_engine(rating, n_v, birth_year, results, expected):
    row = calculated(rating, n_v, birth_year, results).row
    assert (row.rating, row.sum_e10, row.limited_by) == expected


def test_a_newcomer_starts_from_the_games():
    """R81b: 2½ of 6 against 1500: 1500 + 400 × (5/6 − 1) = 1433.33, so 1433, k 216; sum +12.1413, LPR 1439.878."""
    found = calculated(0, 0, 0, [(1500, points) for points in (2, 2, 1, 0, 0, 0)])
    assert (found.row.r_i, found.row.r_i_from, found.row.rating, found.row.lpr_e3) == (
        1433, "5.1b", 1445, 1439_878
    )  # fmt: skip
    assert (found.row.sum_e10 + 500_000) // 1_000_000 == 12_1413
    assert {(game.own_rating, game.own_from, game.k_e6) for game in found.games} == {
        (1433, "5.1b", 216_000000)
    }


def test_youth_opponents_and_the_other_tempos():
    """Losing to a youth player halves k: 25 / 2 × (0 − 0.5) = −6.25; against the adult of the second game −12.5.

    In rapid an adult of 1100 counts as 1200 (6.4), so a draw of 1200 changes nothing; a youth player of 1100 does not:
    12.5 × (0.5 − Φ(100)) = 12.5 × −0.1368306512 = −1.71038314. Blitz of a newcomer starts from 1500 as klassiek does.
    """
    arguments = {"in_force": IN_FORCE, "rating": 1600, "n_v": 80, "birth_year": 0}
    mixed = calculate_games(RULES, **arguments, results=[(1600, 0), (1600, 0)], youth=[1])
    assert [game.added_e10 for game in mixed.games] == [-62_500_000_000, -125_000_000_000]
    arguments["rating"] = 1200
    for youth, added in (((), 0), ((1,), -17_103_831_400)):
        rapid = calculate_games(RULES, **arguments, results=[(1100, 1)], tempo="rapid", youth=youth)
        assert [game.added_e10 for game in rapid.games] == [added]
    newcomer = {**arguments, "rating": 0, "n_v": 0}
    blitz = calculate_games(RULES, **newcomer, results=[(1500, 1)] * 6, tempo="blitz")
    assert (blitz.row.r_i, blitz.row.rating) == (1500, 1500)


def test_an_opponent_without_a_rating_does_not_count():
    assert calculated(1600, 80, 0, [(0, 2)]) is None
    assert len(calculated(1600, 80, 0, [(0, 2), (1700, 2)]).games) == 1
