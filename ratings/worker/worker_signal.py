"""The signal that wakes the worker. The work is a row; a lost signal costs seconds (docs/architecture.md)."""

import logging
from typing import Any

from celery import current_app

logger = logging.getLogger(__name__)

LOOK_FOR_WORK = "ratings.look_for_work"
QUEUE = "celery"
"""The one queue, by its name in the broker."""
# A person waits for the page that wakes the worker: it does not wait for a broker that does not respond.
BROKER_TIMEOUTS = {
    "max_retries": 0,
    "connect_retries_timeout": 1,
    "socket_timeout": 1,
    "socket_connect_timeout": 1,
    "retry_on_timeout": False,
}


def wake_worker() -> None:
    """Tell a worker to look for work now. Never raises; waits at most two seconds for a broker that fails."""
    try:
        with current_app.connection_for_write(
            transport_options=BROKER_TIMEOUTS, connect_timeout=1
        ) as connection:
            current_app.send_task(LOOK_FOR_WORK, connection=connection, retry=False, expires=10)
    except Exception as error:
        logger.warning("worker not woken", extra={"error": repr(error)})


def messages_in_queue() -> int | None:
    """The number of messages that wait for the worker; None where the broker does not respond in two seconds."""
    try:
        with current_app.connection_for_read(
            transport_options=BROKER_TIMEOUTS, connect_timeout=1
        ) as connection:
            channel: Any = connection.default_channel
            return int(channel.queue_declare(QUEUE).message_count)
    except Exception as error:
        logger.warning("queue not read", extra={"error": repr(error)})
        return None
