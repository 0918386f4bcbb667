"""How often one source may try a password: counted in the cache, by source and account together.

An account is never closed to its owner by what somebody tries from elsewhere, and a source that tries many
accounts comes to its own end. A cache that fails lets everybody in who knows his password.
"""

import logging
from hashlib import sha256
from ipaddress import ip_network

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

logger = logging.getLogger(__name__)

WINDOW_MINUTES = 15
MOST_FOR_AN_ACCOUNT, MOST_OF_A_SOURCE = 10, 100
TOO_MANY = f"Too many attempts from here. Try again in {WINDOW_MINUTES} minutes."


def may_try(request: HttpRequest, act: str, account: str = "") -> bool:
    """Count an attempt, and say whether it is still one of those allowed in a quarter of an hour."""
    source = source_of(request)
    of_account, of_source = _count(_key(act, source, account)), times(request, act)
    return of_account <= MOST_FOR_AN_ACCOUNT and of_source <= MOST_OF_A_SOURCE


def times(request: HttpRequest, act: str) -> int:
    """How often a source did something in a quarter of an hour, this time included; 0 where it can't be counted."""
    return _count(_key(act, source_of(request)))


def succeeded(request: HttpRequest, act: str, account: str) -> None:
    """Whoever knew the password begins anew."""
    try:
        cache.delete(_key(act, source_of(request), account))
    except Exception:
        logger.warning("attempts not forgotten", exc_info=True)


def source_of(request: HttpRequest) -> str:
    """Where a request comes from: the last hop before our own proxy; of IPv6 the network a subscriber has."""
    seen = request.META["REMOTE_ADDR"]
    if settings.BEHIND_PROXY:  # the last address is the proxy's own word, those before it anybody's
        seen = request.META.get("HTTP_X_FORWARDED_FOR", seen).rpartition(",")[2].strip()
    try:
        return str(ip_network(f"{seen}/64" if ":" in seen else seen, strict=False))
    except ValueError:
        return ""


def _count(key: str) -> int:
    try:
        return 1 if cache.add(key, 1, WINDOW_MINUTES * 60) else cache.incr(key)
    except ValueError:  # its time ended between the two questions
        return 1
    except Exception:
        logger.warning("attempts not counted", exc_info=True)
        return 0


def _key(act: str, source: str, account: str | None = None) -> str:
    what = "\n".join((act, source) if account is None else (act, source, account.casefold()))
    return f"attempts:{sha256(what.encode()).hexdigest()}"
