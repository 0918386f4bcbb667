"""The progress of a calculation: stages with their rows, in the cache only.

In the database it would block the run's own transaction. The cache is for people who wait: its values may be old or
missing, and nothing else depends on them.
"""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from ratings.models import CalculationRun

logger = logging.getLogger(__name__)

CACHE_SECONDS = 24 * 3600


class Stage(TextChoices):
    """The stages of a calculation in their order."""

    READ = "read", _("Read reports and lists")
    CALCULATE = "calculate", _("Calculate ratings")
    WRITE = "write", _("Write rows and changes")
    INDEX = "index", _("Build indexes")
    ATTACH = "attach", _("Attach the draft to the lists")
    NORMS = "norms", _("Search for norms")
    FILES = "files", _("Write files")
    CHECK = "check", _("Recalculate from the files")


STAGES = list(Stage)


@dataclass(frozen=True)
class StageProgress:
    """Rows done of all rows; `of` is None while it is unknown."""

    stage: Stage
    done: int
    of: int | None
    milliseconds: int | None = None

    @property
    def ended(self) -> bool:
        return self.milliseconds is not None


class Progress:
    """The calculation reports its progress here. After a failure of the cache it stores no more: the run does not wait.

    Without a run (an opening list has none) it stores nothing; work of another kind has a name instead.
    """

    def __init__(self, run: CalculationRun | str | None) -> None:
        self.stages: dict[str, list[int]] = {}
        self._name = _name(run) if isinstance(run, CalculationRun) else run
        self._cache_works = True

    def begin(self, stage: str, of: int | None = None) -> None:
        self._stage, self._of, self._done = stage, of, 0
        self._since = time.perf_counter()
        self._store((stage, 0, of))

    def add_rows(self, done: int) -> None:
        """Add rows to the stage under way."""
        self._done += done
        self._store((self._stage, self._done, self._of))

    def end(self, done: int = 0) -> None:
        """End the stage under way, with the last rows of it.

        It is shown as ended once the next one begins; the last by `finish`.
        """
        self._done += done
        self.stages[self._stage] = [self._done, round((time.perf_counter() - self._since) * 1000)]

    def finish(self) -> None:
        """Show the last stage as ended too."""
        self._store(None)

    def _store(self, under_way: tuple[str, int, int | None] | None) -> None:
        if self._name is None or not self._cache_works:
            return
        try:
            cache.set(self._name, {"ended": self.stages, "under_way": under_way}, CACHE_SECONDS)
        except Exception:
            self._cache_works = False
            logger.warning("progress not stored", exc_info=True, extra={"work": self._name})


def progress_of(run: CalculationRun) -> list[StageProgress]:
    """The stages of a run that have ended or are under way, in order; none if unknown. No query."""
    if run.state == CalculationRun.State.REQUESTED:
        return stored_progress(_name(run))
    return _in_order(run.stages, None)


def stored_progress(name: str) -> list[StageProgress]:
    """The stages of the work of a name that have ended or are under way, in order; none if unknown. No query."""
    try:
        stored = cache.get(name) or {}
    except Exception:
        logger.warning("progress not read", exc_info=True, extra={"work": name})
        stored = {}
    return _in_order(stored.get("ended", {}), stored.get("under_way"))


def _in_order(
    ended: Mapping[str, Sequence[int]], under_way: tuple[str, int, int | None] | None
) -> list[StageProgress]:
    stages = [StageProgress(Stage(stage), rows, rows, spent) for stage, (rows, spent) in ended.items()]
    stages.sort(key=lambda stage: STAGES.index(stage.stage))
    if under_way:
        stage, done, of = under_way
        stages.append(StageProgress(Stage(stage), done, of))
    return stages


def store_count(name: str, count: int) -> None:
    """How many rows of a piece of work are done; without the cache it is not known."""
    try:
        cache.set(name, count, CACHE_SECONDS)
    except Exception:
        logger.warning("progress not stored", exc_info=True, extra={"work": name})


def stored_count(name: str) -> int:
    """What `store_count` stored, 0 where nothing is known. No query."""
    try:
        return int(cache.get(name) or 0)
    except Exception:
        logger.warning("progress not read", exc_info=True, extra={"work": name})
        return 0


def _name(run: CalculationRun) -> str:
    return f"calculation:{run.pk}"
