"""How the web process is served, in `make demo` and in the container alike."""

import gc
import os
from pathlib import Path

bind = os.environ.get("WEB_BIND", "127.0.0.1:8000")
workers = int(os.environ.get("WEB_WORKERS", "2"))
threads = 4
preload_app = True  # imported once, before the workers are forked: a start takes half the work
graceful_timeout = 5
timeout = 60
loglevel = "warning"
# Its own lines too are the technical log: one JSON line an event.
logconfig_dict = {
    "formatters": {"json": {"()": "config.json_lines.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"level": "WARNING", "handlers": ["stderr"]},
    "loggers": {"gunicorn.error": {"level": "WARNING", "handlers": ["stderr"], "propagate": False}},
}
control_socket_disable = True  # the server is controlled only by its supervisor
if Path("/dev/shm").is_dir():  # noqa: S108 - only the workers' heartbeats: a busy disk does not look like a hang
    worker_tmp_dir = "/dev/shm"  # noqa: S108


def pre_fork(server: object, worker: object) -> None:  # noqa: ARG001 - what gunicorn calls it with
    """Leave the program, which never becomes garbage, out of collections, and collect after more new objects.

    Else each page of a player waits for three collections, and some pages for one that looks at the whole program.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
