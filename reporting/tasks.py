"""The beat's task of this app: the outbox is the queue, the clock only rings."""

from celery import shared_task

from reporting.services import send_messages as outbox


@shared_task(name="reporting.send_messages")
def send_messages() -> int:
    """Send the mail that waits; answers how many left. May run any number of times, and beside itself."""
    return outbox.send_messages()
