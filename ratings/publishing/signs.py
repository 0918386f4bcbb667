"""Signs of success: administrators get a message when one is missing for too long, and when it is back (decision 0144).

The worker checks them. That the worker has stopped is found by `manage.py check_signs`, which the machine's own
scheduler runs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Count, Max, Min, TextChoices
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.worker import heartbeat
from ratings.worker.worker_signal import messages_in_queue
from reporting.messages.notifications import create_message, format_minute, office_language
from reporting.messages.selectors import unsent_messages
from reporting.models import LogEntry, Message, Role, User
from reporting.models.locks import take_repeat_lock

BACKUP, VERIFICATION = "backup.write", "published.verify"
"""The entries of the audit log that are the signs of these two."""
SIGN_MISSING, SIGN_BACK = "sign_missing", "sign_back"
"""The kinds of messages (ratings/office/labels.py)."""


class Sign(TextChoices):
    """What has to succeed again and again, and how the alarm is called where it does not."""

    WORKER = "worker", _("The worker or the scheduler does not respond")
    BACKUP = "backup", _("No backup was written")
    VERIFICATION = "verification", _("Published data were not verified")
    MAIL = "mail", _("Mail is waiting")


LIMITS = {
    Sign.WORKER: timedelta(minutes=10),  # the scheduler calls it every ten seconds
    Sign.BACKUP: timedelta(hours=26),  # every night, and two hours
    Sign.VERIFICATION: timedelta(hours=26),
    Sign.MAIL: timedelta(hours=2),  # a failed mail is tried again after an hour at most
}
OF_EVERY_NIGHT = (Sign.BACKUP, Sign.VERIFICATION)
"""The demonstration does not run at night."""


@dataclass(frozen=True)
class Signs:
    """The last success of each sign, or when the oldest waiting mail was written; and how many messages wait.

    None where no heartbeat is known, and where no mail waits.
    """

    since: Mapping[Sign, datetime | None]
    mail: int


def read_signs() -> Signs:
    """The signs as they are now. 3 queries. A backup or verification that never was is as old as the installation."""
    succeeded = LogEntry.objects.filter(action__in=(BACKUP, VERIFICATION)).order_by().values_list("action")
    last = dict(succeeded.annotate(Max("at")))
    installed = MigrationRecorder.Migration.objects.aggregate(at=Min("applied"))["at"]
    waiting = unsent_messages().aggregate(number=Count("pk"), oldest=Min("created_at"))
    since = {
        Sign.WORKER: heartbeat.last_heartbeat(),
        Sign.BACKUP: last.get(BACKUP, installed),
        Sign.VERIFICATION: last.get(VERIFICATION, installed),
        Sign.MAIL: waiting["oldest"],
    }
    return Signs(since, waiting["number"])


def missing_signs() -> dict[Sign, datetime | None]:
    """The signs that are missing for too long, and since when; None where no heartbeat is known. 3 queries."""
    now, missing = timezone.now(), {}
    for sign, since in read_signs().since.items():
        if settings.DEMO and sign in OF_EVERY_NIGHT:
            continue
        if (since is None and sign == Sign.WORKER) or (since is not None and since < now - LIMITS[sign]):
            missing[sign] = since
    return missing


@transaction.atomic
def check_signs() -> dict[Sign, datetime | None]:
    """Tell the administrators of each sign that is missing, and of each that is back: once. Returns what is missing.

    May run repeatedly and concurrently.
    """
    take_repeat_lock("check_signs")
    missing = missing_signs()
    for sign in Sign:
        written = Message.objects.filter(kind__in=(SIGN_MISSING, SIGN_BACK), about__startswith=_path(sign))
        last = written.order_by("-pk").first()
        is_known = last is not None and last.kind == SIGN_MISSING
        if (sign in missing) != is_known:
            _notify(sign, missing)
    return missing


@office_language()
def _notify(sign: Sign, missing: Mapping[Sign, datetime | None]) -> None:
    """Write to each administrator; the moment in the path makes it one message of one change."""
    if sign in missing:
        kind, title, text = SIGN_MISSING, gettext("Alarm: %(what)s"), _sentences(sign, missing[sign])
    else:
        kind, title = SIGN_BACK, gettext("Alarm ended: %(what)s")
        text = gettext("This alarm has ended. You need to do nothing more.")
    for administrator in User.objects.holding(Role.ADMINISTRATOR).order_by("pk"):
        create_message(
            kind=kind,
            recipient=administrator,
            about=f"{_path(sign)}{timezone.now():%Y%m%dT%H%M%S}#system-status",
            title=title % {"what": sign.label},
            text=text,
        )


def _path(sign: Sign) -> str:
    return f"{reverse('office-dashboard')}?alarm={sign}-"


def _sentences(sign: Sign, since: datetime | None) -> str:
    values = {"moment": format_minute(since)} if since else {}
    advice = gettext("docs/how-to/operation.md says what to look at.")
    if sign == Sign.WORKER:
        first = (
            gettext("The last heartbeat was at %(moment)s.") if since else gettext("No heartbeat is known.")
        )
        return " ".join([first % values, _cause(messages_in_queue()), advice])
    sentence = {
        Sign.BACKUP: gettext("No backup was written since %(moment)s."),
        Sign.VERIFICATION: gettext("Published data were not verified since %(moment)s."),
        Sign.MAIL: gettext("The oldest message that is not sent was written at %(moment)s."),
    }[sign]
    return " ".join([sentence % values, advice])


def _cause(queued: int | None) -> str:
    """Which of the two stopped: the scheduler puts a message for the worker into the queue every ten seconds."""
    if queued is None:
        return gettext("The broker does not respond.")
    if queued:
        return gettext("Messages wait in the queue: the scheduler runs, and the worker takes none.")
    return gettext("The queue is empty: the worker may run, and the scheduler sends nothing.")
