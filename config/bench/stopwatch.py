"""Milliseconds by stage: of code that marks where a stage ends, and of code that does not."""

import ctypes
import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any
from unittest.mock import patch

Place = tuple[Any, str]
"""Where a function is looked up: a module, class or object, and its name there."""


class StageTimer:
    """Stages of one run, in the order they ended; `whole` is the run's own time, stages or not."""

    def __init__(self) -> None:
        self.stages: dict[str, float] = {}
        self._began = self._since = time.perf_counter()

    def done(self, stage: str) -> None:
        now = time.perf_counter()
        self.stages[stage] = self.stages.get(stage, 0.0) + 1000 * (now - self._since)
        self._since = now

    def stop(self) -> None:
        self.whole = 1000 * (time.perf_counter() - self._began)


@contextmanager
def stage_timer(places: Sequence[tuple[str, Place]]) -> Iterator[StageTimer]:
    """Time the calls of functions; of one that calls another its own time. What is between them is `the rest`."""
    watch = StageTimer()
    with ExitStack() as stack:
        for stage, (owner, name) in places:
            stack.enter_context(patch.object(owner, name, _timed(getattr(owner, name), stage, watch)))
        yield watch
        watch.stop()
    watch.stages["the rest"] = watch.whole - sum(watch.stages.values())


def _timed(function: Callable[..., Any], stage: str, watch: StageTimer) -> Callable[..., Any]:
    def timed(*arguments: Any, **named: Any) -> Any:
        began, before = time.perf_counter(), sum(watch.stages.values())
        try:
            return function(*arguments, **named)
        finally:
            inner = sum(watch.stages.values()) - before
            own = 1000 * (time.perf_counter() - began) - inner
            watch.stages[stage] = watch.stages.get(stage, 0.0) + own

    return timed


def peak_memory(work: Callable[[], Any]) -> float:
    """Largest resident set of this process during some work, in MiB; since the start where Linux has no such figure."""
    gc.collect()
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)  # memory freed by earlier work returns to the system
    try:
        Path("/proc/self/clear_refs").write_text("5")
        work()
        status = Path("/proc/self/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024
    except OSError:
        work()
        return getrusage(RUSAGE_SELF).ru_maxrss / 1024
