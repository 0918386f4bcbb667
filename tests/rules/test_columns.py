"""Keys of columns: their order, and what stands beside them; close together and scattered."""

import numpy as np
import pytest

from ratings.rules.columns import DENSE_KEYS, looked_up, places, rising_order

SCATTERED = 10**6  # far more than DENSE_KEYS times as wide as the keys are many


@pytest.mark.parametrize("step", [1, SCATTERED])
def test_a_key_is_found_and_another_is_not(step):
    rising, sought = np.array([2, 3, 5]) * step, np.array([5, 2, 4, 1, 6, -9]) * step
    beside = np.array([20, 30, 50])
    assert looked_up(rising, beside, sought, 0).tolist() == [50, 20, 0, 0, 0, 0]
    # Its own alternative for each.
    assert looked_up(rising, beside, sought, np.arange(6)).tolist() == [50, 20, 2, 3, 4, 5]
    assert places(rising, sought[:2]).tolist() == [2, 0]
    with pytest.raises(ValueError, match=f"player {4 * step} is not among the players"):
        places(rising, sought)


@pytest.mark.parametrize("step", [1, SCATTERED])
def test_of_equal_keys_the_first_counts(step):
    assert looked_up(
        np.array([1, 1, 2]) * step, np.array([10, 11, 20]), np.array([1, 2]) * step, 0
    ).tolist() == [10, 20]


def test_without_keys_nothing_is_found_and_without_a_search_nothing_is_missing():
    nothing = np.zeros(0, np.int64)
    assert looked_up(nothing, nothing, np.array([1, 2]), -1).tolist() == [-1, -1]
    assert looked_up(np.array([1]), np.array([10]), nothing, -1).tolist() == []
    assert places(nothing, nothing).tolist() == []
    with pytest.raises(ValueError, match="player 7 "):
        places(nothing, np.array([7]))


def test_rows_rise_by_the_first_column_then_the_second_whatever_their_spans():
    least, most = -(2**31), 2**31 - 1
    columns = [np.array([5, 5, 4, 5]), np.array([most, least, 0, least]), np.array([0, most, least, least])]
    # 4 first; of the 5 those with the least second column, of these the least third: rows 3, 1; then row 0.
    assert rising_order(columns).tolist() == [2, 3, 1, 0]
    assert rising_order(
        [np.array([least, most, 0]), np.array([most, least, 0]), np.array([1, 1, 1])]
    ).tolist() == [0, 2, 1]
    assert DENSE_KEYS * 3 < SCATTERED
