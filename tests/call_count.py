"""How much work is done, as a number of calls: the same on every machine. `make bench` measures seconds."""

import sys
from collections.abc import Callable
from types import FrameType, FunctionType
from typing import TypeVar

Outcome = TypeVar("Outcome")


def counted(act: Callable[[], Outcome], of: FunctionType | None = None) -> tuple[Outcome, int]:
    """What an act returns, and how many functions were called for it, built-in ones too; or how often `of` was."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        if of is None:
            calls += event in ("call", "c_call")
        else:
            calls += event == "call" and frame.f_code is of.__code__

    sys.setprofile(count)
    try:
        outcome = act()
    finally:
        sys.setprofile(None)
    return outcome, calls
