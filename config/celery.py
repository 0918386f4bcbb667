import gc
import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, before_task_publish, setup_logging, worker_init, worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("DATABASE_ROLE", "worker")

app = Celery("rating-office")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Django's LOGGING has been set up already; Celery leaves it alone when this signal has a listener."""


@worker_init.connect
def disable_message_restore(**_: Any) -> None:
    """The other half of `ack_emulation` (settings), for which there is no setting: messages in transit when the broker
    dies are dropped, not written to a file in the temporary directory."""
    from kombu.transport.redis import Channel  # noqa: PLC0415 - only the worker needs it, and the import is slow

    Channel.do_restore = False


@worker_process_init.connect
def leave_the_program_out_of_collections(**_: Any) -> None:
    """It never becomes garbage, and a calculation would look at all of it now and then, for 0.1 s."""
    gc.freeze()


@worker_init.connect
@beat_init.connect
@before_task_publish.connect
def start_embedded_broker(**_: Any) -> None:
    """The first process that needs them starts the embedded services and runs them as long as it lives."""
    from django.conf import settings  # noqa: PLC0415 - after the environment above is set

    from config.embedded import servers  # noqa: PLC0415

    if app.conf.broker_url == f"redis+socket://{settings.BROKER_SOCKET}":
        servers.broker(settings.VAR)
