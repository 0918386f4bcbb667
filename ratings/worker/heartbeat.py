"""The last heartbeat of the worker, at each call of the scheduler. In the cache only, for people to see."""

import logging
from datetime import datetime

from django.core.cache import cache
from django.utils import timezone

logger = logging.getLogger(__name__)

KEY = "worker:heartbeat"


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
