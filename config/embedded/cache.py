from pathlib import Path
from typing import Any

from django.utils.functional import cached_property

from config.embedded import servers
from config.web.counting_cache import CountingCache


class EmbeddedCache(CountingCache):
    """The cache on the embedded broker's server, which starts at the first question."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = dict(params.get("OPTIONS", {}))
        self._var = Path(options.pop("var"))
        super().__init__(server, {**params, "OPTIONS": options})

    @cached_property
    def _cache(self) -> Any:
        servers.broker(self._var)
        return super()._cache
