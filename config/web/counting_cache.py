"""Django's cache, which also counts: what limits the requests of a visitor (reporting/web/rate_limit.py)."""

from functools import cached_property
from typing import Any

from django.core.cache.backends.redis import RedisCache


class CountingCache(RedisCache):
    """Redis, which is asked once for each count: each kept answer of the API is counted, and asks for little else."""

    @cached_property
    def _client(self) -> Any:
        """Django makes a client for each command, which takes longer than to count."""
        return self._cache.get_client(write=True)

    def count(self, key: str, seconds: int, by: int = 1) -> tuple[int, int]:
        """The counts of this key in `seconds` from the first one on, `by` added, and the seconds that are left."""
        stored = self.make_and_validate_key(key)
        pipeline = self._client.pipeline()
        pipeline.set(stored, 0, ex=seconds, nx=True)
        pipeline.incrby(stored, by)
        pipeline.ttl(stored)
        _, number, left = pipeline.execute()
        return int(number), int(left)
