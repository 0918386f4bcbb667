"""How far a calculation is: stages with their rows, in the cache only.

Written into the database it would be in the way of the run's own transaction. What the cache says is for
people who wait: it may be old or gone, and nothing else hangs on it.
"""

import logging
import time
from dataclasses import dataclass

from django.core.cache import cache

from ratings.models import CalculationRun

logger = logging.getLogger(__name__)

STAGES = ("read", "calculate", "write", "index", "attach", "norms", "files")
CACHE_SECONDS = 24 * 3600


@dataclass(frozen=True)
class StageProgress:
    """Rows done of rows in all; `of` is None while nobody knows."""

    stage: str
    done: int
    of: int | None
    milliseconds: int | None = None

    @property
    def ended(self) -> bool:
        return self.milliseconds is not None


class Progress:
    """Told by the calculation where it is. A cache that fails is asked no more: the run does not wait for it.

    Without a run (an opening list is written by nobody's request) nothing is told.
    """

    def __init__(self, run: CalculationRun | None) -> None:
        self.stages: dict[str, list[int]] = {}
        self._run = run
        self._cache_works = True
        self._since = time.perf_counter()
        self._tell(None)

    def begin(self, stage: str, of: int | None = None) -> None:
        self._stage, self._of, self._done = stage, of, 0
        self._since = time.perf_counter()
        self._tell((stage, 0, of))

    def add_rows(self, done: int) -> None:
        """So many more rows of the stage under way."""
        self._done += done
        self._tell((self._stage, self._done, self._of))

    def end(self) -> None:
        self.stages[self._stage] = [self._done, round((time.perf_counter() - self._since) * 1000)]
        self._tell(None)

    def _tell(self, under_way: tuple[str, int, int | None] | None) -> None:
        if self._run is None or not self._cache_works:
            return
        try:
            cache.set(_key(self._run), {"ended": self.stages, "under_way": under_way}, CACHE_SECONDS)
        except Exception:
            self._cache_works = False
            logger.warning("progress not stored", exc_info=True, extra={"run": self._run.pk})


def progress_of(run: CalculationRun) -> list[StageProgress]:
    """The stages of a run that have ended or are under way, in their order; none if nobody knows. No query."""
    ended, under_way = run.stages, None
    if run.state == CalculationRun.State.REQUESTED:
        try:
            told = cache.get(_key(run)) or {}
        except Exception:
            logger.warning("progress not read", exc_info=True, extra={"run": run.pk})
            told = {}
        ended, under_way = told.get("ended", {}), told.get("under_way")
    stages = [StageProgress(stage, rows, rows, spent) for stage, (rows, spent) in ended.items()]
    stages.sort(key=lambda stage: STAGES.index(stage.stage))
    return [*stages, StageProgress(*under_way)] if under_way else stages


def _key(run: CalculationRun) -> str:
    return f"calculation:{run.pk}"
