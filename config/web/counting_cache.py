"""Django's cache, which also counts: what limits the requests of a visitor (reporting/web/rate_limit.py)."""

from functools import cached_property
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient

NO_END = -1
"""What Redis answers instead of the seconds until a value expires."""


class OneClient(RedisCacheClient):
    """Django makes a client for each command, which takes longer than the command."""

    def get_client(self, *_: Any, **__: Any) -> Any:
        return self._client_of_all

    @cached_property
    def _client_of_all(self) -> Any:
        return super().get_client(write=True)


class CountingCache(RedisCache):
    """Redis, which is asked once for each count: each kept answer of the API is counted, and asks for little else."""

    def __init__(self, server: str | list[str], params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = OneClient

    def count(self, key: str, seconds: int, by: int = 1) -> tuple[int, int]:
        """The counts of this key in `seconds` from the first one on, `by` added, and the seconds that are left."""
        stored = self.make_key(key)
        client = self._cache.get_client()
        # Without a transaction, which is as many answers again: a count that has no end yet gets one from any request.
        pipeline = client.pipeline(transaction=False)
        pipeline.incrby(stored, by)
        pipeline.ttl(stored)
        number, left = pipeline.execute()
        if left == NO_END:
            client.expire(stored, seconds, nx=True)
            left = seconds
        return int(number), max(int(left), 0)  # a count that ends between two commands has no time left
