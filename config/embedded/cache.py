from pathlib import Path
from typing import Any

from django.core.cache.backends.redis import RedisCache
from django.utils.functional import cached_property

from config.embedded import servers


class EmbeddedCache(RedisCache):
    """Django's Redis cache, on the embedded broker's server, which starts at the first question."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = dict(params.get("OPTIONS", {}))
        self._var = Path(options.pop("var"))
        super().__init__(server, {**params, "OPTIONS": options})

    @cached_property
    def _cache(self) -> Any:
        servers.broker(self._var)
        return super()._cache
