"""Work that people request in apps above this one. The rows are the queue, as with calculations."""

from collections.abc import Callable, Iterable

_work: dict[Callable[[], int], None] = {}


def register_work(carry_out: Callable[[], int]) -> None:
    """Have the worker call `carry_out` each time it looks for work: it does all that is requested, and counts it.

    It may be called any number of times, by several workers at once, and raises nothing.
    """
    _work[carry_out] = None


def all_work() -> Iterable[Callable[[], int]]:
    """What is registered, in the order of INSTALLED_APPS."""
    return tuple(_work)
