"""What changed between two versions: close by the lines that stayed, and never at the cost of the square of a file."""

from itertools import pairwise

from reporting.reports.selectors.reports import difference
from tests.call_count import counted


def blocks(old, new):
    return [[(line.old, line.new) for line in stretch] for stretch in difference(old, new)]


def test_one_changed_line_stands_between_two_on_each_side():
    old = [str(number) for number in range(100)]
    new = [*old[:50], "fifty", *old[51:]]
    around = [("48", "48"), ("49", "49"), ("50", "fifty"), ("51", "51"), ("52", "52")]
    assert blocks(old, new) == [around]
    assert [line.old_number for line in difference(old, new)[0]] == [49, 50, 51, 52, 53]
    assert blocks(old, old) == []


def test_changes_apart_are_stretches_and_those_near_are_one():
    old = [str(number) for number in range(40)]
    # 4 lines stay between 5 and 10, whose surroundings meet; 20 lines between 10 and 31.
    new = [f"{line} changed" if line in ("5", "10", "31") else line for line in old]
    assert [len(stretch) for stretch in blocks(old, new)] == [10, 5]


def test_lines_put_in_and_taken_out_leave_the_other_side_empty():
    put_in = [("a", "a"), (None, "x"), ("b", "b"), ("c", "c")]
    assert blocks(["a", "b", "c"], ["a", "x", "b", "c"]) == [put_in]
    assert blocks(["a", "b", "c"], ["a", "c"]) == [[("a", "a"), ("b", None), ("c", "c")]]
    assert blocks([], ["a"]) == [[(None, "a")]]
    assert blocks(["a"], []) == [[("a", None)]]


def test_lines_that_stand_there_twice_are_found_between_those_that_stand_there_once():
    old = ["first", "1-1", "1-1", "2-0", "last"]
    new = ["first", "1-1", "2-0", "last"]
    once = [("first", "first"), ("1-1", "1-1"), ("1-1", None), ("2-0", "2-0"), ("last", "last")]
    assert blocks(old, new) == [once]


def cost(old, new):
    _, calls = counted(lambda: difference(old, new))
    return calls


def test_twice_the_lines_cost_about_twice_as_much():
    """In the reverse order, all alike, and two lines in turn: what a close comparison takes the square of."""
    for old_of, new_of in (
        (lambda n: [str(k) for k in range(n)], lambda n: [str(k) for k in range(n)][::-1]),
        (lambda n: ["1-1"] * n, lambda n: ["1-1"] * (n - 1)),
        (lambda n: ["1-1", "2-0"] * (n // 2), lambda n: ["2-0", "1-1", "1-1"] * (n // 3)),
    ):
        costs = [cost(old_of(n), new_of(n)) for n in (2_000, 4_000, 8_000)]
        assert all(more < 2.5 * less for less, more in pairwise(costs)), costs
