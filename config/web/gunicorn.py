"""How the web process is served, in `make demo` and in the container alike."""

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
