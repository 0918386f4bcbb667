"""The outbox: mail for waiting messages (guards.md F20).

A message is locked, sent, and marked as sent in the same transaction. So two workers never send the same message, and
a failing server loses none. Delivery is at least once: if the process dies between the server's answer and the commit,
the mail is sent again with the same Message-ID, by which mail programs recognise it.
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
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from reporting.messages.mail_choices import is_mail_wanted, stop_path
from reporting.messages.notifications import office_language
from reporting.messages.one_time_links import message_link
from reporting.messages.selectors import unsent_messages
from reporting.models import Message
from reporting.rules.names.plain_text import show_direction

logger = logging.getLogger(__name__)

BATCH_SIZE = 50
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=30), timedelta(hours=1)
GIVEN_UP_AFTER = timedelta(days=5)
"""RFC 5321, 4.5.4.1: a message is given up after four or five days."""

# The server works and refuses only this message. Every other error is one of the server.
REFUSED = (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError, ValueError)


class _Outcome(Enum):
    SENT = auto()
    UNWANTED = auto()
    REFUSED = auto()
    NO_SERVER = auto()


def send_messages(*, most: int = BATCH_SIZE) -> int:
    """Send waiting messages, oldest first, each in its own transaction; answers the number sent.

    May run repeatedly and concurrently. A message that fails waits longer each time, an hour at most; if the server
    fails, the run ends. A mail that its recipient does not want, and one that the server refuses for good after five
    days, is marked as sent and not sent: it is on the page of messages (decision 0212). Closed accounts get mail only
    for pending invitations and changes of the account.
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
    if not is_mail_wanted(message):
        message.sent_at = Now()  # delivered on the page, as where there is no mail server
        message.save(update_fields=["sent_at"])
        return _Outcome.UNWANTED
    message.attempts += 1
    outcome = _Outcome.SENT
    try:
        mail.open()
        mail.send_messages([build_mail(message)])
        message.sent_at = Now()
    except (OSError, ValueError) as error:  # smtplib's errors are OSErrors
        outcome = _Outcome.REFUSED if isinstance(error, REFUSED) else _Outcome.NO_SERVER
        message.due_at = Now() + retry_delay(message.attempts)
        given_up = is_permanent(error) and message.created_at < timezone.now() - GIVEN_UP_AFTER
        if given_up:
            message.sent_at = Now()
        logger.warning(
            "message given up" if given_up else "message not sent",
            extra={"outbox": message.pk, "attempts": message.attempts, "error": type(error).__name__},
        )
    message.save(update_fields=["attempts", "sent_at", "due_at"])
    return outcome


def is_permanent(error: Exception) -> bool:
    """Whether the server refuses a message for good, with a code from 500 on (RFC 5321, 4.2.1), or it is no mail."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    return isinstance(error, ValueError) or (
        isinstance(error, smtplib.SMTPDataError) and error.smtp_code >= 500
    )


def retry_delay(attempts: int) -> timedelta:
    """The wait after this number of attempts: doubled each time, up to an hour."""
    wait: timedelta = min(FIRST_WAIT * 2 ** min(attempts - 1, 10), LONGEST_WAIT)
    return wait


@office_language()
def build_mail(message: Message) -> EmailMessage:
    """A message as mail, with a link to what it is about if the office's own address is configured.

    A kind that can be switched off then has the headers of RFC 8058. The Message-ID depends on the row. One-time links
    are made here from the row, so they are the same each time the mail is sent.
    """
    office = settings.OFFICE_URL.rstrip("/")
    path = message_link(message)
    if (
        not path and office and message.recipient and message.recipient.is_active
    ):  # a closed account opens no page
        path = message.about
    link = f"\n\n{office}{path}" if path else ""
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].strip("> ")
    headers = {
        "Message-ID": f"<{message.pk}.{message.created_at:%Y%m%d%H%M%S%f}@{domain}>",
        "Auto-Submitted": "auto-generated",
    }
    footer = gettext("Rating Office")
    if office and (stop := stop_path(message)):
        headers |= {
            "List-Unsubscribe": f"<{office}{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
        choose = gettext("Choose which mails you get:")
        footer = f"{footer}\n\n{choose} {office}{reverse('account-mails')}"
    # A visitor entered both name and address: our mail must not carry a stranger's text to any address.
    greeting = message.recipient.name if message.recipient else gettext("Hello")
    return EmailMessage(
        subject=show_direction(message.title),
        body=show_direction(f"{greeting},\n\n{message.text}{link}\n\n{footer}\n"),
        to=[message.mail_address],
        headers=headers,
    )
