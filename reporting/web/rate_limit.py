"""Limits of attempts, counted in the cache by source and account together.

Attempts from elsewhere never lock out the owner of an account. A source has ten attempts at one account; they count
once for the source, so that the failures of one person never lock out others of the same address. A source that tries
many accounts is stopped. If the cache fails, the right password still works.
"""

import logging
from hashlib import sha256
from ipaddress import ip_address, ip_network
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext

logger = logging.getLogger(__name__)

WINDOW_MINUTES = 15
MAX_ATTEMPTS_PER_ACCOUNT, MAX_ACCOUNTS_PER_SOURCE, MAX_MAILS_PER_SOURCE = 10, 100, 10


def too_many_attempts() -> str:
    """The sentence for a source that is over a limit."""
    return gettext("Too many attempts. Try again in %(minutes)s minutes.") % {"minutes": WINDOW_MINUTES}


def register_attempt(
    request: HttpRequest, act: str, account: str = "", most_accounts: int = MAX_ACCOUNTS_PER_SOURCE
) -> int:
    """Count an attempt. Answers its number for this account from this source in the last 15 minutes; 0 if unknown.

    More than `MAX_ATTEMPTS_PER_ACCOUNT` are too many. Once a source has tried `most_accounts` accounts, every further
    one is too many.
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
    """Count an attempt, and answer whether it is within the limit of 15 minutes."""
    return register_attempt(request, act, account, most_accounts) <= MAX_ATTEMPTS_PER_ACCOUNT


class RequestCount(NamedTuple):
    """Requests of a source in a window of 15 minutes, and the seconds until a new one begins."""

    number: int
    seconds_left: int


def count_requests(request: HttpRequest, act: str, *, token: int | None = None, by: int = 1) -> RequestCount:
    """The requests of a source, this one included: of a token, else of the network; 0 if the cache fails.

    `by` 0 counts nothing, -1 takes a count back.
    """
    source = client_network(request) if token is None else f"token {token}"
    return _count_in_window(_key(act, source), by)


def reset_attempts(request: HttpRequest, act: str, account: str) -> None:
    """Reset the count after a right password; the account no longer counts for the source."""
    source = client_network(request)
    try:
        cache.delete(_key(act, source, account))
        if cache.delete(f"{_key(act, source, account)}:counted"):
            cache.decr(_key(act, source))
    except ValueError:  # it expired
        return
    except Exception:
        logger.warning("attempts not reset", exc_info=True)


def client_address(request: HttpRequest) -> str | None:
    """The network address of a request: the last hop before our own proxy; None if it cannot be read."""
    seen = request.META.get("REMOTE_ADDR", "")
    if settings.BEHIND_PROXY:  # the proxy sets the last address, a client can set the others
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
    return _count_in_window(key).number


def _count_in_window(key: str, by: int = 1) -> RequestCount:
    window = WINDOW_MINUTES * 60
    try:
        # Of config/web/counting_cache.py.
        return RequestCount(*cache.count(key, window, by))  # type: ignore[attr-defined]
    except Exception:
        logger.warning("attempts not counted", exc_info=True)
        return RequestCount(0, window)


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
    # As the database finds an account, for whom ı and i are one letter.
    what = "\n".join((act, source) if account is None else (act, source, account.upper().casefold()))
    return f"attempts:{sha256(what.encode()).hexdigest()}"
