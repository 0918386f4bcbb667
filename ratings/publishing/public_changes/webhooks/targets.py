"""Where a webhook may lead: to a public network address, whose every form is checked at each call.

The address that was checked is the one that is connected to, so a name that resolves to another one a moment later
(DNS rebinding) leads nowhere.
"""

import re
import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from django.conf import settings

from ratings.models import WebhookDelivery

Problem = WebhookDelivery.Problem
VISIBLE = re.compile(r"[!-~]{1,500}")
HOST = re.compile(r"[A-Za-z0-9.:-]{1,253}")
TRANSLATED = IPv6Network("64:ff9b::/96")
"""An IPv4 address in IPv6 behind NAT64 (RFC 6052)."""
UNICAST, DOCUMENTED = IPv6Network("2000::/3"), IPv6Network("3fff::/20")
"""All that is given out (RFC 4291), and a part of it for examples (RFC 9637)."""


class TargetError(Exception):
    """The address of a webhook cannot be used; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True)
class Target:
    """The parts of a webhook's address; `authority` is host and port as the header `Host` has them."""

    scheme: str
    host: str
    port: int
    authority: str
    path: str


def parse_target(url: str) -> Target:
    """The parts of an address with https, a host and nothing secret. Raises `TargetError`."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise TargetError(Problem.MALFORMED) from error
    if not VISIBLE.fullmatch(url) or not HOST.fullmatch(host) or "@" in parts.netloc or parts.fragment:
        raise TargetError(Problem.MALFORMED)
    if parts.scheme not in ("https", *(["http"] if settings.WEBHOOKS_TO_ANY_ADDRESS else [])):
        raise TargetError(Problem.NOT_HTTPS)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, port or (443 if parts.scheme == "https" else 80), parts.netloc, path)


def public_addresses(target: Target) -> list[str]:
    """The network addresses of a target. Raises `TargetError` where there is none, or one that is not public."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise TargetError(Problem.UNKNOWN_HOST) from error
    addresses = list(dict.fromkeys(str(address[0]).partition("%")[0] for *_, address in found))
    if not settings.WEBHOOKS_TO_ANY_ADDRESS and not all(is_public(ip_address(one)) for one in addresses):
        raise TargetError(Problem.PRIVATE_ADDRESS)
    return addresses


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the internet, and so is the IPv4 address that it may contain."""
    if isinstance(address, IPv6Address):
        contained = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
        if address in TRANSLATED:
            contained.append(IPv4Address(int(address) & 0xFFFF_FFFF))
        if any(one is not None and not is_public(one) for one in contained):
            return False
        if address.ipv4_mapped is not None:
            return True
        if address not in TRANSLATED and (address not in UNICAST or address in DOCUMENTED):
            return False
    return address.is_global and not address.is_multicast
