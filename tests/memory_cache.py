"""The cache of the test run, in the memory of the process; Redis itself counts in tests/processes/test_embedded.py."""

import time

from django.core.cache.backends.locmem import LocMemCache


class MemoryCache(LocMemCache):
    """Counts as config/web/counting_cache.py."""

    def count(self, key: str, seconds: int, by: int = 1) -> tuple[int, int]:
        self.add(key, 0, seconds)
        number, ends = self.incr(key, by), self._expire_info[self.make_and_validate_key(key)]
        return number, round(ends - time.time())
