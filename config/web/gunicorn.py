"""How the web process is served, in `make demo` and in the container alike."""

import ctypes
import gc
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.template.loader import get_template
from django.urls import get_resolver

bind = [os.environ.get("WEB_BIND", "127.0.0.1:8000")]
if metrics_bind := os.environ.get("METRICS_BIND"):
    if metrics_bind.rpartition(":")[2] == bind[0].rpartition(":")[2]:
        # By its port config/wsgi.py tells the one from the other.
        raise ImproperlyConfigured("METRICS_BIND has the port of WEB_BIND: choose another one.")
    bind.append(metrics_bind)
    # Each process counts in files of its own, and whichever is asked reads those of all.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="rating-office-metrics-")
workers = int(os.environ.get("WEB_WORKERS", "2"))
threads = 5
# A process accepts a connection when one of its threads is free; until then it waits for the first free thread of any
# process. Else it would wait behind all others of the process that accepted it first, large reports among them.
worker_connections = threads
keepalive = 0
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

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8  # malloc.h


def when_ready(server: object) -> None:  # noqa: ARG001 - what gunicorn calls it with
    """Import all views and compile all templates before the workers are forked, which share them.

    Else the first requests of each of them wait for it, 1.5 s of CPU, at the same time as all others of that process.
    """
    get_resolver().url_patterns  # noqa: B018 - imported when it is read
    templates = settings.BASE_DIR / "templates"
    for page in templates.rglob("*.html"):
        get_template(str(page.relative_to(templates)))


def pre_fork(server: object, worker: object) -> None:  # noqa: ARG001 - what gunicorn calls it with
    """Leave the program, which never becomes garbage, out of collections, and collect after more new objects.

    Else each page of a player waits for three collections, and some pages for one that looks at the whole program.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def post_fork(server: object, worker: object) -> None:  # noqa: ARG001 - what gunicorn calls it with
    """Let a thread that waits for the interpreter ask for it after half a millisecond, not after five.

    A page asks for it after each of its queries, and would wait five milliseconds each time for a large report.

    What a large report leaves goes back to the system: else glibc keeps it for each thread apart, 30 MB each
    (docs/decisions/0142-memory-of-a-web-process.md).
    """
    sys.setswitchinterval(0.0005)
    with suppress(AttributeError):  # another C library than glibc
        set_malloc_option = ctypes.CDLL(None).mallopt
        set_malloc_option(M_ARENA_MAX, 1)
        set_malloc_option(M_MMAP_THRESHOLD, 128 * 1024)


def on_exit(server: object) -> None:  # noqa: ARG001 - what gunicorn calls it with
    if metrics_bind:
        shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"])
