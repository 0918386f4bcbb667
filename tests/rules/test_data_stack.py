"""The memory of frames, counted by the pages that the operating system hands out."""

from collections.abc import Callable
from resource import RUSAGE_SELF, getrusage
from threading import Thread

from config.web.data_stack import in_one_chunk

DEEPEST, CALLS = 200, 200


def nothing() -> None:
    pass


def call_at(depth: int) -> None:
    if depth:
        call_at(depth - 1)
        return
    for _ in range(CALLS):
        nothing()


def call_at_every_depth() -> int:
    """The pages taken meanwhile."""
    before = getrusage(RUSAGE_SELF).ru_minflt
    for depth in range(DEEPEST):
        call_at(depth)
    return getrusage(RUSAGE_SELF).ru_minflt - before


def pages_taken(work: Callable[[], int]) -> int:
    """In a thread, which begins with a chunk of its own."""
    taken: list[int] = []
    thread = Thread(target=lambda: taken.append(work()))
    thread.start()
    thread.join()
    return taken[0]


def test_no_depth_of_calls_takes_memory_for_each_call() -> None:
    # A loop at the edge of a chunk takes at least a page for each of its calls.
    assert pages_taken(in_one_chunk(call_at_every_depth)) < CALLS


def test_arguments_results_and_the_name_are_those_of_the_function() -> None:
    @in_one_chunk
    def product(first: int, *, second: int) -> int:
        """Of two numbers."""
        return first * second

    assert product(6, second=7) == 42
    assert (product.__name__, product.__doc__) == ("product", "Of two numbers.")
