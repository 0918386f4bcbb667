"""How often one source may try: counted in the cache, by source and account together.

An account is never closed to its owner by what somebody tries from elsewhere. A source has ten tries at one account,
and they count once for the source, however many follow: one person's failures never lock out the others of an
address, and whoever tries many accounts from one source is stopped. A cache that fails lets in who knows the password.
"""

import logging
from hashlib import sha256
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

logger = logging.getLogger(__name__)

WINDOW_MINUTES = 15
MAX_ATTEMPTS_PER_ACCOUNT, MAX_ACCOUNTS_PER_SOURCE, MAX_MAILS_PER_SOURCE = 10, 100, 10
TOO_MANY = f"Too many attempts from here. Try again in {WINDOW_MINUTES} minutes."


def register_attempt(
    request: HttpRequest, act: str, account: str = "", most_accounts: int = MAX_ACCOUNTS_PER_SOURCE
) -> int:
    """Count an attempt: which one of a quarter of an hour it is for this account from this source; 0 if unknown.

    More than `MAX_ATTEMPTS_PER_ACCOUNT` are too many. Where a source has tried `most_accounts` others, so is every one.
    """
    source = client_network(request)
    of_account = _key(act, source, account)
    number = _count(of_account)
    if number <= MAX_ATTEMPTS_PER_ACCOUNT and _add(f"{of_account}:counted"):
        others = _count(_key(act, source)) - most_accounts
        if others > 0:
            number = MAX_ATTEMPTS_PER_ACCOUNT + others
            _set(of_account, number)
    return number


def is_attempt_allowed(
    request: HttpRequest, act: str, account: str = "", most_accounts: int = MAX_ACCOUNTS_PER_SOURCE
) -> bool:
    """Count an attempt, and say whether it is still one of those allowed in a quarter of an hour."""
    return register_attempt(request, act, account, most_accounts) <= MAX_ATTEMPTS_PER_ACCOUNT


def count_requests(request: HttpRequest, act: str) -> int:
    """How often a source did something in a quarter of an hour, this time included; 0 where it can't be counted."""
    return _count(_key(act, client_network(request)))


def reset_attempts(request: HttpRequest, act: str, account: str) -> None:
    """Whoever knew the password begins anew, and the source has one account less that it failed with."""
    source = client_network(request)
    try:
        cache.delete(_key(act, source, account))
        if cache.delete(f"{_key(act, source, account)}:counted"):
            cache.decr(_key(act, source))
    except ValueError:  # its time ended
        return
    except Exception:
        logger.warning("attempts not forgotten", exc_info=True)


def client_address(request: HttpRequest) -> str | None:
    """The network address a request comes from: the last hop before our own proxy; None if it can't be read."""
    seen = request.META.get("REMOTE_ADDR", "")
    if settings.BEHIND_PROXY:  # the last address is the proxy's own word, those before it anybody's
        seen = request.META.get("HTTP_X_FORWARDED_FOR", seen).rpartition(",")[2].strip()
    try:
        return str(ip_address(seen))
    except ValueError:
        return None


def client_network(request: HttpRequest) -> str:
    """Whose attempts are counted together: an address; of IPv6 the network a subscriber has."""
    address = client_address(request) or ""
    return str(ip_network(f"{address}/64", strict=False)) if ":" in address else address


def _count(key: str) -> int:
    try:
        return 1 if cache.add(key, 1, WINDOW_MINUTES * 60) else cache.incr(key)
    except ValueError:  # its time ended between the two questions
        return 1
    except Exception:
        logger.warning("attempts not counted", exc_info=True)
        return 0


def _add(key: str) -> bool:
    """Whether the key was not there yet."""
    try:
        return bool(cache.add(key, 1, WINDOW_MINUTES * 60))
    except Exception:
        logger.warning("attempts not counted", exc_info=True)
        return False


def _set(key: str, count: int) -> None:
    try:
        cache.set(key, count, WINDOW_MINUTES * 60)
    except Exception:
        logger.warning("attempts not counted", exc_info=True)


def _key(act: str, source: str, account: str | None = None) -> str:
    what = "\n".join((act, source) if account is None else (act, source, account.casefold()))
    return f"attempts:{sha256(what.encode()).hexdigest()}"
