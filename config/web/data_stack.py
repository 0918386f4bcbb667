"""Room for deep calls in one piece of memory.

CPython keeps the frames of functions in chunks of 16 KiB. Where calls are as deep as Django's, some loop stands at the
edge of a chunk: each of its calls takes the next chunk from the operating system and gives it back
(https://github.com/python/cpython/issues/142183, corrected in late releases of 3.13 and 3.14).

Without it pages that are made took 19 % more CPU on 27 November 2026 (Python 3.11, pairs of requests at six depths of
calls): a list 22 %, a player 17 %, suggestions 14 %, data of the API none. `bench_list_pages` measures it.
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

LARGE_FRAME = 33_000
"""Values of 8 bytes: the frame gets a chunk of 512 KiB, the next power of two, and half of it is left for the others.
Memory that no frame has used is never touched."""


def in_one_chunk(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """The function, called from a frame so large that those of all calls inside it lie in the same chunk."""

    def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        return function(*args, **kwargs)

    call.__code__ = call.__code__.replace(co_stacksize=LARGE_FRAME)
    return wraps(function)(call)
