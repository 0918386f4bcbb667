"""When the worker was last heard of: it says so whenever the clock rings it. In the cache only, for people to see."""

import logging
from datetime import datetime

from django.core.cache import cache
from django.utils import timezone

logger = logging.getLogger(__name__)

KEY = "worker:heartbeat"


def record_heartbeat() -> None:
    """Said by the worker. A cache that fails is not waited for."""
    try:
        cache.set(KEY, timezone.now(), None)
    except Exception:
        logger.warning("heartbeat not stored", exc_info=True)


def last_heartbeat() -> datetime | None:
    """None where nobody knows: the worker has not run since the cache was emptied, or the cache does not answer."""
    try:
        heard = cache.get(KEY)
    except Exception:
        logger.warning("heartbeat not read", exc_info=True)
        return None
    return heard if isinstance(heard, datetime) else None
