"""The opponents of norms as numbers (decision 0225)."""

import numpy as np
import pytest

from titles.rules.met_opponents import MetColumns, MetOpponent, packed, unpacked

# GMI in base 36 is 16 · 1296 + 22 · 36 + 18, NED is 23 · 1296 + 14 · 36 + 13.
GMI, NED = 21_546, 30_325
TWO = MetColumns(*map(np.array, ([5, 2**31 - 1], [7, 1], [2, 0], [2200, 0], [GMI, 0], [NED, 0])))


def test_an_opponent_is_two_numbers():
    first, second = packed(TWO).tolist()
    assert first == [5 * 2**31 + 7, ((2 * 2**16 + 2200) * 2**21 + GMI) * 2**16 + NED]
    assert second == [(2**31 - 1) * 2**31 + 1, 0]


def test_the_numbers_give_the_opponents_back_without_the_zeros_after_the_last():
    assert list(unpacked([*packed(TWO).ravel().tolist(), 0, 0])) == [
        MetOpponent(game=5, player=7, points=2, rating=2200, title=GMI, federation=NED),
        MetOpponent(game=2**31 - 1, player=1, points=0, rating=0, title=0, federation=0),
    ]
    assert list(unpacked([])) == []


@pytest.mark.parametrize("name", ["game", "player", "points", "rating", "title", "federation"])
@pytest.mark.parametrize("value", [-1, 2**31])
def test_a_fact_that_does_not_fit_is_refused(name: str, value: int):
    given = dict.fromkeys(("game", "player", "points", "rating", "title", "federation"), np.array([1]))
    with pytest.raises(OverflowError, match=name):
        packed(MetColumns(**given | {name: np.array([value])}))
