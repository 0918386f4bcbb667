"""The processes of the office, as `make demo` starts them and docker-compose.yml lists them.

A test compares the two and starts them, so that the containers run commands that were tested. The demonstration makes
the tables in its own process.
"""

import sys

MIGRATE = ("python", "manage.py", "migrate", "--no-input")
WEB = ("python", "-m", "gunicorn", "--config", "config/web/gunicorn.py", "config.wsgi")
WORKER = (
    *("python", "-m", "celery", "--app", "config", "--quiet", "worker"),
    *("--loglevel", "WARNING", "--concurrency", "2", "--without-gossip", "--without-mingle"),
)
BEAT = ("python", "-m", "celery", "--app", "config", "--quiet", "beat", "--loglevel", "WARNING", "--pidfile=")


def with_this_python(command: tuple[str, ...]) -> list[str]:
    return [sys.executable, *command[1:]]
