"""A program that receives webhooks: an HTTP server on this machine that answers what a test says."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ssl import SSLContext
from threading import Thread
from typing import Any


class Receiver:
    """What came in, oldest first, as path, headers and body; `answer` is what is sent back, a status and headers."""

    def __init__(self) -> None:
        self.received: list[tuple[str, Any, bytes]] = []
        self.answer: tuple[int, dict[str, str]] = (204, {})
        self.port = 0

    def url(self, path: str = "/hook?from=office", scheme: str = "http", host: str = "127.0.0.1") -> str:
        return f"{scheme}://{host}:{self.port}{path}"


@contextmanager
def listening(secured: SSLContext | None = None) -> Iterator[Receiver]:
    """A receiver that listens until the end of the block, by TLS where a context is given."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.received.append((self.path, self.headers, body))
            status, headers = receiver.answer
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing on the terminal."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 50  # a worker sends several at once

    server = Server(("127.0.0.1", 0), Handler)
    if secured is not None:
        server.socket = secured.wrap_socket(server.socket, server_side=True)
    receiver.port = server.server_address[1]
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
