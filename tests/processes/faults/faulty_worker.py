"""The office's worker with faults built in or guards taken out: the environment's FAULT names them, with commas."""

import os
import signal
import time
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path

import django
from celery.signals import worker_init
from django.conf import settings
from django.utils import timezone

from config.celery import app, disable_message_restore

django.setup()

from ratings.federations.fmjd.system import FmjdSystem  # noqa: E402
from ratings.production import calculate  # noqa: E402

FAULTS = set(os.environ["FAULT"].split(", "))
read = FmjdSystem.read_input


def slow(system, inputs):
    engine_input = read(system, inputs)
    time.sleep(1.5)
    return engine_input


def poison(system, inputs):
    os.kill(os.getpid(), signal.SIGKILL)


if "slow" in FAULTS:
    FmjdSystem.read_input = slow
if "poison" in FAULTS:
    FmjdSystem.read_input = poison
if "no lock" in FAULTS:
    calculate._exclusive = lambda run, *, wait: nullcontext()  # noqa: ARG005
if "no cap" in FAULTS:
    calculate.MAX_ATTEMPTS = 30_000
if "quick scheduler" in FAULTS:
    app.conf.beat_schedule["look for work"]["schedule"] = 0.5
if "reminders at once" in FAULTS:
    for entry in ("send reminders", "remind of closing dates", "send messages"):
        app.conf.beat_schedule[entry]["schedule"] = 0.5
if "later day" in FAULTS:
    # Days from today, as the file says at each moment.
    now, days = timezone.now, Path(os.environ["RATING_OFFICE_VAR"], "days")
    timezone.now = lambda: now() + timedelta(days=int(days.read_text()))
if "webhooks to this machine" in FAULTS:
    settings.WEBHOOKS_TO_ANY_ADDRESS = True
    for entry in ("number changes", "deliver webhooks"):
        app.conf.beat_schedule[entry]["schedule"] = 0.5
if "quick to find out" in FAULTS:
    # A fifth of the application's own patience; one that it does not set is not set here either.
    app.conf.broker_transport_options = {
        name: value if isinstance(value, bool) else value / 5
        for name, value in app.conf.broker_transport_options.items()
    }
if "acknowledged late" in FAULTS:
    worker_init.disconnect(disable_message_restore)
    app.conf.update(broker_transport_options={}, task_acks_late=True, task_reject_on_worker_lost=True)
