"""The beat's tasks of this app: the outbox is the queue, the clock only rings."""

from celery import shared_task
from django.core.management import call_command

from reporting.log import security_log
from reporting.messages import send_messages as outbox
from reporting.requests import services as requests_services


@shared_task(name="reporting.send_messages")
def send_messages() -> int:
    """Send the mail that waits; answers how many left. May run any number of times, and beside itself."""
    return outbox.send_messages()


@shared_task(name="reporting.erase_senders")
def erase_senders() -> int:
    """Forget who sent requests that were closed two years ago; answers how many. May run any number of times."""
    return requests_services.erase_senders()


@shared_task(name="reporting.clear_sessions")
def clear_sessions() -> int:
    """Forget sessions that expired and security events of more than a year; answers how many of the latter."""
    call_command("clearsessions")
    security_log.delete_ended_sessions()
    return security_log.delete_old_security_events()
