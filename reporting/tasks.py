"""Scheduled tasks of this app. The outbox table is the queue; the scheduler only starts the tasks."""

from celery import shared_task

from reporting.accounts.services import tokens
from reporting.accounts.sessions import SessionStore
from reporting.log import security_log
from reporting.messages import send_messages as outbox
from reporting.register.services import register_uploads
from reporting.reports.services import reminders
from reporting.requests import services as requests_services


@shared_task(name="reporting.send_messages")
def send_messages() -> int:
    """Send the waiting mail; answers the number sent. May run repeatedly and concurrently."""
    return outbox.send_messages()


@shared_task(name="reporting.send_reminders")
def send_reminders() -> int:
    """Write the reminders of today about reports; answers the number. May run repeatedly and concurrently."""
    return reminders.send_report_reminders() + reminders.send_answer_reminders()


@shared_task(name="reporting.erase_senders")
def erase_senders() -> int:
    """Erase the senders of requests closed two years ago; answers the number. May run repeatedly."""
    return requests_services.erase_senders()


@shared_task(name="reporting.delete_old_uploads")
def delete_old_uploads() -> int:
    """Delete tables for the register that were not confirmed for a day; answers the number. May run repeatedly."""
    return register_uploads.delete_old_uploads()


@shared_task(name="reporting.clear_sessions")
def clear_sessions() -> int:
    """Delete expired sessions, old answers of the API and security events older than a year; answers the number of the
    latter.
    """
    SessionStore.clear_expired()
    tokens.delete_old_answers()
    return security_log.delete_old_security_events()
