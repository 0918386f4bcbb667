"""The cache of the test run, in the memory of the process; Redis itself counts in tests/flows/test_embedded.py."""

from django.core.cache.backends.locmem import LocMemCache


class MemoryCache(LocMemCache):
    """Counts as config/web/counting_cache.py."""

    def count(self, key: str, seconds: int) -> int:
        return 1 if self.add(key, 1, seconds) else self.incr(key)
