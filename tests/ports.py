"""Ports for servers that a test starts."""

import random
import socket
from contextlib import ExitStack, suppress
from pathlib import Path

KERNEL = Path("/proc/sys/net/ipv4/ip_local_port_range")


def free_ports(number: int) -> list[int]:
    """Different ports that no server has, below those that the kernel gives to connections.

    A server may need seconds to its start: of the kernel's own ports any connection of another test could take one
    meanwhile, a browser's too.
    """
    end = int(KERNEL.read_text().split()[0]) if KERNEL.exists() else 32_768
    chance = random.SystemRandom()
    with ExitStack() as opened:
        ports: list[int] = []
        while len(ports) < number:
            probe = opened.enter_context(socket.socket())
            port = chance.randrange(10_000, max(end, 20_000))
            with suppress(OSError):  # taken: another one
                probe.bind(("127.0.0.1", port))
                ports.append(port)
        return ports
