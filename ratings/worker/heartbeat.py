"""The last heartbeat of the worker, and what prevents its freezes. In the cache only, for people to see."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.core.cache import cache
from django.utils import timezone

logger = logging.getLogger(__name__)

KEY = "worker:heartbeat"
SCHEDULING = "worker:scheduling"
SCHEDULING_SECONDS = 300
"""Of what prevents a freeze: the scheduler tries each minute, and a worker that stopped says nothing any more."""


@dataclass(frozen=True)
class Scheduling:
    """What prevented the freezes that were due when the scheduler last tried.

    How far the database's clock is ahead of the worker's, if too far; period's key → a tournament with changed results.
    """

    clocks_differ: timedelta | None = None
    results_changed: Mapping[int, str] = field(default_factory=dict)


def record_heartbeat() -> None:
    """Store a heartbeat of the worker. It does not wait for a cache that fails."""
    try:
        cache.set(KEY, timezone.now(), None)
    except Exception:
        logger.warning("heartbeat not stored", exc_info=True)


def last_heartbeat() -> datetime | None:
    """None where it is unknown: the worker has not run since the cache was emptied, or the cache does not respond."""
    try:
        stored = cache.get(KEY)
    except Exception:
        logger.warning("heartbeat not read", exc_info=True)
        return None
    return stored if isinstance(stored, datetime) else None


def record_scheduling(found: Scheduling) -> None:
    """Store what prevents a freeze. It does not wait for a cache that fails."""
    try:
        cache.set(SCHEDULING, found, SCHEDULING_SECONDS)
    except Exception:
        logger.warning("scheduling not stored", exc_info=True)


def last_scheduling() -> Scheduling:
    """Nothing where it is unknown."""
    try:
        stored = cache.get(SCHEDULING)
    except Exception:
        logger.warning("scheduling not read", exc_info=True)
        stored = None
    return stored if isinstance(stored, Scheduling) else Scheduling()
