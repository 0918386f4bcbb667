"""The outbox: mail for the messages that wait (guards.md F20).

A message is taken under its row's lock and marked in the same transaction, after the mail server has taken it.
So two workers never send one message, and a failing server loses none. One edge remains, at least once: if the
process dies between the server's yes and the commit, the mail leaves again, with the same Message-ID, by which
mail programs know it for the same.
"""

import logging
import smtplib
from datetime import timedelta
from enum import Enum, auto

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models.functions import Now

from reporting.messages.one_time_links import message_link
from reporting.messages.selectors import unsent_messages
from reporting.models import Message

logger = logging.getLogger(__name__)

BATCH_SIZE = 50
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=30), timedelta(hours=1)

# The server works and refuses this message; the next one may be taken. Any other trouble is the server's.
REFUSED = (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError, ValueError)


class _Outcome(Enum):
    SENT = auto()
    REFUSED = auto()
    NO_SERVER = auto()


def send_messages(*, most: int = BATCH_SIZE) -> int:
    """Send what waits, oldest first, each in a transaction of its own; answers how many were sent.

    May run any number of times and beside itself. A message that fails waits longer each time, an hour at most;
    when the server itself fails, the round ends. Closed accounts get no mail, but for an invitation that waits and
    for word of what became of the account.
    """
    mail: BaseEmailBackend = get_connection()
    sent = 0
    try:
        for _ in range(most):
            outcome = _send_next(mail)
            if outcome in (None, _Outcome.NO_SERVER):
                break
            sent += outcome is _Outcome.SENT
    finally:
        mail.close()
    return sent


@transaction.atomic
def _send_next(mail: BaseEmailBackend) -> _Outcome | None:
    message = (
        unsent_messages()
        .filter(due_at__lte=Now())
        .select_for_update(skip_locked=True, of=("self",), no_key=True)
        .select_related("recipient", "correction_request")
        .order_by("due_at", "pk")
        .first()
    )
    if message is None:
        return None
    message.attempts += 1
    outcome = _Outcome.SENT
    try:
        mail.open()
        mail.send_messages([build_mail(message)])
        message.sent_at = Now()
    except (OSError, ValueError) as trouble:  # smtplib's errors are OSErrors
        outcome = _Outcome.REFUSED if isinstance(trouble, REFUSED) else _Outcome.NO_SERVER
        message.due_at = Now() + retry_delay(message.attempts)
        logger.warning(
            "message not sent",
            extra={"outbox": message.pk, "attempts": message.attempts, "error": type(trouble).__name__},
        )
    message.save(update_fields=["attempts", "sent_at", "due_at"])
    return outcome


def retry_delay(attempts: int) -> timedelta:
    """How long a message rests after so many attempts: twice as long each time, up to an hour."""
    wait: timedelta = min(FIRST_WAIT * 2 ** min(attempts - 1, 10), LONGEST_WAIT)
    return wait


def build_mail(message: Message) -> EmailMessage:
    """A message as mail, with a link where the office knows its own address. The same row, the same Message-ID.

    A link that opens an act once is made here, of the row: it is the same however often the mail leaves.
    """
    path = message_link(message) or ("/messages/" if settings.OFFICE_URL else "")
    link = f"\n\n{settings.OFFICE_URL.rstrip('/')}{path}" if path else ""
    # A visitor's name is typed by whoever typed the address: no stranger's words go there by our mail.
    greeting = message.recipient.name if message.recipient else "Hello"
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].strip("> ")
    return EmailMessage(
        subject=message.title,
        body=f"{greeting},\n\n{message.text}{link}\n\nRating Office\n",
        to=[message.mail_address],
        headers={
            "Message-ID": f"<{message.pk}.{message.created_at:%Y%m%d%H%M%S%f}@{domain}>",
            "Auto-Submitted": "auto-generated",
        },
    )
